"""Audits of agents: what a best reply gains over one, and what its decisions lose."""
