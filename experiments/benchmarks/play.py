"""Whether what was measured was the game: rounds of random play have a known length.

A loop that plays something else than the game, or skips some of it, is fast and worth nothing. So
decisions and finished rounds are counted while the clock runs, and held against the length of a
round between seats that choose each legal action equally often.

The lengths below are those of 100,000 rounds of the preset ``rummy500`` for each number of
players, played by the agent ``random`` in the arena: ``round_length(players, 100_000, seed=0)``.
Forced moves are decisions too. A change of the rules or of what an action is moves them; then they
are to be taken anew. For other presets the length is taken in the same run, from some thousand
rounds of the agent ``random`` in the arena, and its error is allowed for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

import agents
from experiments.errors import RunError
from rummy500_env.arena import Arena
from rummy500_env.rules import Rules

__all__ = ["LENGTHS", "BenchError", "Length", "Tally", "length_of", "round_length"]

TOLERANCE: Final = 0.03
"""How far from the known length a long run may be; chance comes on top, see :class:`Tally`."""

SIGMAS: Final = 5
"""Standard deviations of chance that are allowed."""


class BenchError(RunError):
    """What was measured was not the game: no figure of such a run is worth anything."""


class Length(NamedTuple):
    """Decisions of all seats in a round of random play: mean and standard deviation."""

    mean: float
    deviation: float
    rounds: int = 100_000
    """Rounds that it was taken from."""


LENGTHS: Final = {
    2: Length(87.2, 14.5),
    3: Length(92.4, 17.8),
    4: Length(77.1, 10.6),
    5: Length(141.9, 51.3),
    6: Length(149.4, 48.1),
    7: Length(151.9, 42.1),
    8: Length(147.9, 33.4),
}


def length_of(num_players: int) -> Length:
    """The known length of a round."""
    try:
        return LENGTHS[num_players]
    except KeyError:
        known = f"{min(LENGTHS)} to {max(LENGTHS)}"
        raise RunError(f"players={num_players} is not allowed: use {known}") from None


def round_length(
    num_players: int, num_rounds: int, seed: int = 0, preset: str = "rummy500"
) -> Length:
    """Play rounds at random and return their length."""
    rules = Rules.preset(preset)
    agent = agents.make("random")
    agent.reset(rules, num_players, seed)
    words = np.random.default_rng(seed)
    result = Arena(rules, num_players, [agent]).play(
        words.integers(2**64, size=num_rounds, dtype=np.uint64),
        np.zeros((num_rounds, num_players), np.int64),
        words.integers(2**64, size=(num_rounds, num_players), dtype=np.uint64),
    )
    decisions = result.decisions.sum(axis=1)
    return Length(float(decisions.mean()), float(decisions.std()), num_rounds)


@dataclass
class Tally:
    """What has been played: accepted decisions of all seats, and rounds that ended.

    Args:
        name: What played.
        num_players: Seats at each table.
        tables: Tables that may be in the midst of a round.
        decisions: Decisions so far, from the first deal on.
        rounds: Rounds that ended so far.
        known: The length of a round, if it is not that of ``rummy500``.
    """

    name: str
    num_players: int
    tables: int = 0
    decisions: int = 0
    rounds: int = 0
    known: Length | None = None

    @property
    def length(self) -> Length:
        """The length of a round that is held against what was played."""
        return self.known or length_of(self.num_players)

    @property
    def allowed(self) -> tuple[float, float]:
        """Between which numbers the rounds must lie, for so many decisions.

        That is the known rate and `TOLERANCE`, `SIGMAS` deviations of chance, and for each table
        the round it is in, which has not ended.
        """
        length = self.length
        expected = self.decisions / length.mean
        spread = length.deviation / length.mean
        chance = SIGMAS * spread * math.sqrt(expected + expected**2 / length.rounds)
        low = expected * (1 - TOLERANCE) - chance - self.tables
        return max(0.0, low), expected * (1 + TOLERANCE) + chance

    def check(self) -> None:
        """Raise :class:`BenchError` when rounds are not as long as rounds of the game are."""
        low, high = self.allowed
        if not low <= self.rounds <= high:
            raise BenchError(
                f"{self.name}: {self.rounds:,} rounds in {self.decisions:,} decisions of "
                f"{self.num_players} players at random, where {low:,.0f} to {high:,.0f} are "
                "known: what was measured is not the game"
            )
