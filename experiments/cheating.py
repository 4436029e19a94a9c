"""Agents that cheat: what they score is a bound, and is marked as such wherever it is shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

__all__ = ["cheating", "cheating_notes", "marked"]


def cheating(agents: Iterable[Any]) -> tuple[str, ...]:
    """The names of those that see hidden cards."""
    return tuple(agent.name for agent in agents if getattr(agent, "cheats", False))


def marked(name: str, cheats: Collection[str]) -> str:
    """A name as tables show it, such as ``oracle:16 (cheats)``."""
    return f"{name} (cheats)" if name in cheats else name


def cheating_notes(cheats: Collection[str]) -> list[str]:
    """What stands under a table with agents that cheat."""
    return [
        f"{marked(name, cheats)} sees all hands and the stock: a bound, and no fair player."
        for name in cheats
    ]
