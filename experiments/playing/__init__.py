"""A person at the table: ``rummy500 play``."""
