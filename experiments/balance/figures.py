"""All figures of a study, by name."""

from __future__ import annotations

from typing import Final

from experiments.balance.duel import DUEL
from experiments.balance.kinds import Figure
from experiments.balance.own import SELF

__all__ = ["documentation", "figure"]

_BY_NAME: Final = {one.name: one for one in (*SELF, *DUEL)}


def figure(name: str) -> Figure:
    """The figure of a name."""
    return _BY_NAME[name]


def documentation() -> str:
    """All figures as Markdown."""
    heads = ["| figure | unit | meaning |", "| --- | --- | --- |"]
    parts: list[str] = []
    for title, declared in (
        ("Of an agent with itself", SELF),
        ("Of a strong agent and a weak one", DUEL),
    ):
        rows = [f"| `{one.name}` | {one.unit} | {one.doc} |" for one in declared]
        parts.append("\n".join([f"{title}:", "", *heads, *rows]))
    return "\n\n".join(parts) + "\n"
