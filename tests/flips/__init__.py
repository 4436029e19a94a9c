"""Each option of the rules flipped alone: what that changes, and how often."""
