"""The engine against the reference, move by move."""
