"""Tournaments and what is made of them: schedules, tables, statistics, pictures, the command."""
