"""Plays a flip: the same moves under both rules, side by side, until a difference shows."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from rummy500_env import Game, Rules, RulesError
from rummy500_env.actions import Move
from tests.flips.manners import MANNERS
from tests.flips.table import Flip, Played

__all__ = ["NUM_PLAYED", "Measured", "first_difference", "measure"]

NUM_PLAYED: Final[dict[Played, int]] = {"round": 100, "game": 50, "table": 7}
"""Rounds or games that are compared for one flip, or tables to sit down at: of 2 to 8 players."""


@dataclass(frozen=True)
class Measured:
    """How often two rules differed, and in what.

    Attributes:
        played: How many rounds, games or tables were compared.
        differed: How many of them differed.
        seen: For each thing in which how many differed first; several may count at once.
    """

    played: int
    differed: int
    seen: Counter[str]

    @property
    def share(self) -> float:
        """Share that differed, 0 to 1."""
        return self.differed / self.played


class Seen(NamedTuple):
    """What is compared before each move, in this order."""

    end: bool
    scores: list[int]
    chips: list[int] | None
    winners: list[int]
    seat: int
    moves: list[Move]
    phase: str


@cache
def measure(flip: Flip) -> Measured:
    """Play a flip."""
    rules, others, played = flip.rules, flip.flipped, NUM_PLAYED[flip.of]
    found = [first_difference(flip, rules, others, trial) for trial in range(played)]
    seen = Counter(name for names in found for name in names)
    return Measured(played, sum(map(bool, found)), seen)


def first_difference(flip: Flip, rules: Rules, others: Rules, trial: int) -> list[str]:
    """Return what two rules first differ in when they are played as a flip says; empty if nothing.

    Moves are named by their first words. The number of the trial is the seed of the deals and of
    the moves, so that all flips are compared over the same cards.
    """
    if flip.of == "table":
        return [] if _seats(rules, 2 + trial) == _seats(others, 2 + trial) else ["players"]
    table = Game(rules, flip.num_players, trial, flip.of)
    other = Game(others, flip.num_players, trial, flip.of)
    chooser, among = random.Random(trial), MANNERS[flip.manner].among
    while True:
        here, there = _look(table), _look(other)
        if here != there:
            return _differing(here, there)
        if here.end:
            return []
        move = chooser.choice(among(table, here.moves))
        table.step(move.index)
        other.play(move)


def _look(game: Game) -> Seen:
    return Seen(
        end=game.is_over,
        scores=game.scores,
        chips=_chips(game) if game.is_over else None,
        winners=game.winners,
        seat=game.current_seat,
        moves=game.legal_moves(),
        phase=game.phase,
    )


def _differing(here: Seen, there: Seen) -> list[str]:
    name = next(name for name in Seen._fields if getattr(here, name) != getattr(there, name))
    if name != "moves":
        return [name]
    return sorted({move.split()[0] for move in {*here.moves} ^ {*there.moves}})


def _chips(game: Game) -> list[int]:
    """Return the chips by seat; none have moved where the rules have no pots."""
    return game.position().get("chips", [0] * game.num_players)


def _seats(rules: Rules, num_players: int) -> bool:
    """Whether so many may sit down."""
    try:
        Game(rules, num_players, seed=0)
    except RulesError:
        return False
    return True
