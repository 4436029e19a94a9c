"""What an agent did wrong in a game, in words: for an error, and for a table of results."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from rummy500_env.actions import ActionSpace
from rummy500_env.errors import AgentError, IllegalActionError, Rummy500Error

__all__ = ["Fault", "Place", "illegal", "raised", "too_slow"]


@dataclass(frozen=True)
class Place:
    """The decision in which an agent failed; of several it was asked for at once, the first.

    Args:
        agent: Its name.
        seat: Its seat.
        games: Names of the games it was asked for, one for each decision.
        decision: How many decisions the seat had made in the game.
    """

    agent: str
    seat: int
    games: Sequence[Any]
    decision: int

    def __str__(self) -> str:
        if len(self.games) > 1:
            return (
                f"agent {self.agent!r} failed, asked for {len(self.games)} decisions in games "
                f"{self.games[0]} to {self.games[-1]}"
            )
        return (
            f"agent {self.agent!r} failed at seat {self.seat} of game {self.games[0]} in its "
            f"decision {self.decision}"
        )


class Fault(Exception):  # noqa: N818 (it is what an agent does, not what goes wrong here)
    """What an agent did.

    Attributes:
        reason: In a few words, the same each time the same is done.
        cause: What it raised, if it did.
    """

    def __init__(self, place: Place, reason: str, error: Rummy500Error | None = None) -> None:
        super().__init__(reason)
        self.place = place
        self.reason = reason
        self.error = error
        self.cause: Exception | None = None

    def stop(self) -> NoReturn:
        """Raise what it did as an error that says where."""
        if isinstance(self.cause, NotImplementedError):
            self.cause.add_note(str(self.place))
            raise self.cause
        raise self.error or AgentError(f"{self.place}: {self.reason}") from self.cause


def illegal(place: Place, said: str, legal: Sequence[int], space: ActionSpace) -> Fault:
    """The fault of an agent that chose what is not allowed."""
    shown = ", ".join(repr(space.to_text(action)) for action in legal[:12])
    more = f" and {len(legal) - 12} more" if len(legal) > 12 else ""
    text = (
        f"agent {place.agent!r} at seat {place.seat} of game {place.games[0]} chose {said} as its "
        f"decision {place.decision}; legal: {shown}{more}"
    )
    return Fault(place, f"illegal: {said}", IllegalActionError(text))


def raised(place: Place, error: Exception) -> Fault:
    """The fault of an agent that raised an exception."""
    if isinstance(error, Rummy500Error):
        reason = str(error)
        kind = IllegalActionError if isinstance(error, ValueError) else AgentError
    else:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}, line {last.lineno}"
        text = ": ".join(filter(None, (type(error).__name__, str(error))))
        reason, kind = f"{text} ({where})", AgentError
    fault = Fault(place, " ".join(reason.split()), kind(f"{place}: {reason}"))
    fault.cause = error
    return fault


def too_slow(place: Place, seconds: float, what: str) -> Fault:
    """The fault of an agent that took longer than it may."""
    return Fault(place, f"took more than {seconds:g} s for {what}")
