"""Pinned texts: how seeds become deals, and one game of each preset.

`python -m tests.golden.write` writes them anew, which is right only after a change of the contract
or of the rules that is meant.
"""
