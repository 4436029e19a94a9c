"""Settings of agents, which come as texts."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from agents.base import PolicyAgent
from rummy500_env.envs.naming import agent_named

__all__ = ["Budget", "as_budget", "as_compiled", "as_number", "as_whole_number"]


class Budget(NamedTuple):
    """How much an agent may search for a decision: a number of something, or a time."""

    number: int | None
    seconds: float | None

    def __str__(self) -> str:
        """As in an agent's name."""
        return f"{self.number}" if self.seconds is None else f"{1000 * self.seconds:g}ms"


def as_budget(text: str, unit: str) -> Budget:
    """Return a budget from its text, such as ``64`` or ``50ms``.

    Raises:
        ValueError: when it is none.
    """
    found = re.fullmatch(r"([1-9]\d{0,6})(ms)?", text)
    if found is None:
        raise ValueError(f"{text!r}: allowed are a number of {unit} (64) and a time (50ms)")
    return Budget(None, int(found[1]) / 1000) if found[2] else Budget(int(found[1]), None)


def as_compiled(name: str, text: str | None) -> PolicyAgent | None:
    """Return the compiled agent that a setting names, None without one.

    Raises:
        ValueError: when it names one that is not compiled.
    """
    found = None if text is None else agent_named(text)
    if found is None or isinstance(found, PolicyAgent):
        return found
    raise ValueError(f"{name}={text!r}: a compiled agent is needed, such as greedy or learned")


def as_whole_number(name: str, text: str) -> int:
    """Return a whole number above 0 from a setting; ``ValueError`` when it is none."""
    if not re.fullmatch(r"[1-9]\d{0,6}", text):
        raise ValueError(f"{name}={text!r}: a whole number above 0 is needed")
    return int(text)


def as_number(name: str, text: str) -> float:
    """Return a number, 0 or more, from a setting; ``ValueError`` when it is none."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise ValueError(f"{name}={text!r}: a number, 0 or more, is needed")
    return number
