"""What can go wrong in an experiment, besides what goes wrong in a game."""

from __future__ import annotations

from rummy500_env.errors import Rummy500Error

__all__ = ["InterruptedRunError", "RunError"]


class RunError(Rummy500Error, ValueError):
    """A run that cannot be as it was asked for: its text says what was given and what may be."""


class InterruptedRunError(Rummy500Error):
    """A run was stopped from outside; what it had finished is kept, and the text says where."""
