"""What can go wrong, one class for each kind of fault.

Every error of the package is a `Rummy500Error`; most are also the built-in error a caller would
expect (`ValueError`), so that general code need not know this module.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any, Final

__all__ = [
    "AgentError",
    "CardError",
    "IllegalActionError",
    "LayoutError",
    "PositionError",
    "RecordError",
    "RulesError",
    "Rummy500Error",
    "UnknownNameError",
    "close_matches",
]


SHORT: Final = 8
"""So many names are listed, and no more."""

_LISTS: Final = {"preset": "`rummy500 rules`", "agent": "`rummy500 agents`"}


def close_matches(name: object, allowed: Iterable[str], count: int = 3) -> list[str]:
    """The allowed names nearest in spelling to `name`, best first."""
    pool = sorted(set(allowed))
    by_lower = {word.lower(): word for word in pool}
    found = difflib.get_close_matches(str(name).lower(), list(by_lower), n=count, cutoff=0.6)
    return [by_lower[word] for word in found]


class Rummy500Error(Exception):
    """Base of all errors of this package."""


class RulesError(Rummy500Error, ValueError):
    """Rules that contradict themselves, or that the table at hand cannot play.

    `problems` lists every fault found, not only the first.
    """

    def __init__(self, problems: str | Sequence[str]) -> None:
        self.problems: tuple[str, ...] = (
            (problems,) if isinstance(problems, str) else tuple(problems)
        )
        if len(self.problems) == 1:
            text = self.problems[0]
        else:
            text = f"{len(self.problems)} problems:" + "".join(f"\n- {p}" for p in self.problems)
        super().__init__(text)

    def __reduce__(self) -> tuple[type[RulesError], tuple[tuple[str, ...]]]:
        return type(self), (self.problems,)


class IllegalActionError(Rummy500Error, ValueError):
    """An action the rules forbid in this position. The position is unchanged.

    When an agent chose it, `reason` says what it chose, without where.
    """

    reason: str = ""


class AgentError(Rummy500Error, RuntimeError):
    """An agent failed to choose; the text says which and where, the cause is what it raised.

    `reason` says what it did, without where: the same each time it does the same.
    """

    reason: str = ""


class PositionError(Rummy500Error, ValueError):
    """A position that cannot be: a card twice, an unknown word, a meld that is none."""


class CardError(Rummy500Error, ValueError):
    """A text that is no card, or a number that is no face."""


class LayoutError(Rummy500Error, ValueError):
    """Something made with another layout than today's.

    `what` says what it is a layout of, `differences` everything in which they differ.
    """

    def __init__(self, what: str, differences: Sequence[str]) -> None:
        self.what = what
        self.differences: tuple[str, ...] = tuple(differences)
        shown = "; ".join(self.differences[:SHORT])
        more = len(self.differences) - SHORT
        super().__init__(
            f"{what} of another layout: {shown}" + (f"; and {more} more" if more > 0 else "")
        )

    def __reduce__(self) -> tuple[type[LayoutError], tuple[Any, ...]]:
        return type(self), (self.what, self.differences)


class RecordError(Rummy500Error, ValueError):
    """A record of a played game that cannot be read, or that does not replay as it says.

    `reason` says what is wrong, `path` and `line` (from 1) where: None for what is in no file.
    """

    def __init__(self, reason: str, path: str | None = None, line: int | None = None) -> None:
        self.reason = reason
        self.path = path
        self.line = line
        where = "" if path is None else path + ("" if line is None else f", line {line}") + ": "
        super().__init__(where + reason)

    def __reduce__(self) -> tuple[type[RecordError], tuple[Any, ...]]:
        return type(self), (self.reason, self.path, self.line)


class UnknownNameError(Rummy500Error, ValueError):
    """A name that is not registered, be it of a preset, an agent or something else.

    `what` says which kind of name was looked for, `name` what was given, `allowed` what there is,
    `hint` what the caller may have wanted.
    """

    def __init__(self, what: str, name: object, allowed: Iterable[str], hint: str = "") -> None:
        self.what = what
        self.name = name
        self.hint = hint
        self.allowed: tuple[str, ...] = tuple(allowed)
        near = close_matches(name, self.allowed)
        text = f"unknown {what} {name!r}."
        if near:
            text += f" Did you mean {' or '.join(repr(word) for word in near)}?"
        text += self._listed(near) + (f" {hint}" if hint else "")
        super().__init__(text)

    def _listed(self, near: Sequence[str]) -> str:
        """What else there is: all of a few, of many how to list them."""
        if set(near) >= set(self.allowed) != set():
            return ""
        how = _LISTS.get(self.what)
        if how is None or len(self.allowed) <= SHORT:
            return f" Allowed: {', '.join(self.allowed) or 'none'}."
        if near:
            return f" {how} lists all {len(self.allowed)}."
        some = ", ".join(self.allowed[:SHORT])
        return f" Allowed: {some} and {len(self.allowed) - SHORT} more; {how} lists all."

    def __reduce__(self) -> tuple[type[UnknownNameError], tuple[Any, ...]]:
        return type(self), (self.what, self.name, self.allowed, self.hint)
