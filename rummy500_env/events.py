"""What has happened at a table: moves as a seat saw them, results of finished rounds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy.typing as npt

from rummy500_env.engine.state import ENDINGS

__all__ = ["Event", "RoundResult", "round_result"]


class RoundResult(NamedTuple):
    """A finished round: scores by seat, who went out (or None), how it ended."""

    scores: tuple[int, ...]
    went_out: int | None
    how: str


class Event(NamedTuple):
    """One move as a seat saw it: who moved, the text, and the cards this seat saw drawn."""

    seat: int
    move: str
    drawn: tuple[str, ...]


def round_result(record: npt.NDArray[Any], num_players: int) -> RoundResult:
    """Return the result of the round that the last move ended, of an array of one table."""
    goer = int(record["went_out"][0]) - 1
    return RoundResult(
        tuple(record["round_scores"][0, :num_players].tolist()),
        None if goer < 0 else goer,
        ENDINGS[record["how"][0]],
    )
