"""Environments: the game behind the interfaces that learners use."""
