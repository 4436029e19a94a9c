"""What `advisor` weighs: one file for each phase of a turn, and the weights."""
