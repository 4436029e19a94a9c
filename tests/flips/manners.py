"""Manners of moving at random: among which of the legal moves the next one is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

from rummy500_env import Game
from rummy500_env.actions import Kind, Move

__all__ = ["MANNERS", "Manner"]

Manner = Literal["random", "longest", "keeps"]


class Way(NamedTuple):
    """A manner: in words, and the moves it draws from, given the table and its legal moves."""

    words: str
    among: Callable[[Game, Sequence[Move]], Sequence[Move]]


def _random(game: Game, moves: Sequence[Move]) -> Sequence[Move]:
    """Any move."""
    return moves


def _longest(game: Game, moves: Sequence[Move]) -> Sequence[Move]:
    """The longest melds that can be laid, and any move where none can."""
    codes = game.action_space.codes
    lengths = [
        int(codes[move.index, 3]) if codes[move.index, 0] in (Kind.SET, Kind.RUN, Kind.GROUP) else 0
        for move in moves
    ]
    return [m for m, length in zip(moves, lengths, strict=True) if length == max(lengths)]


def _keeps(game: Game, moves: Sequence[Move]) -> Sequence[Move]:
    """No melds, layoffs or digs, unless nothing else can be done."""
    kept = [move for move in moves if not move.startswith(("meld", "layoff", "dig"))]
    return kept or moves


MANNERS: Final[dict[Manner, Way]] = {
    "random": Way("players who move at random", _random),
    "longest": Way("players who lay their longest melds", _longest),
    "keeps": Way("players who lay and dig only if they must", _keeps),
}
