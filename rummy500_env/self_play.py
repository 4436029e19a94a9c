"""Self-play of value networks: rounds, and what they teach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.engine.features import NUM_WORDS
from rummy500_env.engine.jit import allocate
from rummy500_env.engine.network import FIRST
from rummy500_env.engine.policies import policy_pointers
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.engine.selfplay import NOTE, play_and_note
from rummy500_env.engine.state import STATE, WORDS
from rummy500_env.rules import Rules
from rummy500_env.view_record import VIEW

__all__ = ["Lessons", "SelfPlay"]

NOTES_A_SEAT = 64
"""Moves with a choice that a seat makes in a round, with room to spare on average."""


@dataclass(frozen=True)
class Lessons:
    """What ``N`` moves of networks in ``G`` rounds teach.

    Attributes:
        features: ``uint8 (N, bytes)``: the features of the view after each move, a bit each, the
            lowest bit of a byte first.
        targets: ``float64 (N,)``: what the view should have promised, in points.
        values: ``float64 (N,)``: what the network said.
        scores: ``int32 (G, seats)``.
    """

    features: npt.NDArray[np.uint8]
    targets: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]
    scores: npt.NDArray[np.int32]


class SelfPlay:
    """A place where networks play against themselves and others.

    Args:
        rules: The rules.
        num_players: Seats at each table.
        others: Compiled policies that may sit at some seats.
    """

    def __init__(self, rules: Rules, num_players: int, others: Sequence[Any] = ()) -> None:
        self.rules, self.num_players = rules, num_players
        self._record = rules_record(rules, num_players)
        self._policies = policy_pointers([None, *others])

    def play(
        self,
        weights: npt.NDArray[np.float32],
        seeds: npt.NDArray[np.uint64],
        keys: npt.NDArray[np.uint64],
        seating: npt.NDArray[np.integer[Any]] | None = None,
        trying: float = 0.0,
        trace: float = 0.8,
    ) -> Lessons:
        """Play a round with each seed.

        Args:
            weights: ``float32 (NUM_WEIGHTS,)`` of the network.
            seeds: ``uint64 (G,)``: the deals.
            keys: ``uint64 (G,)``: what chance of views and of moves tried out follows from.
            seating: ``(G, seats)``: 0 where the network sits, ``k`` for policy ``k - 1`` of the
                others; None: the network everywhere.
            trying: How often a move is tried out instead of the best, 0 to 1.
            trace: Lambda, 0 to 1.
        """
        games, n = len(seeds), self.num_players
        who = np.zeros((games, n), np.int64) if seating is None else np.asarray(seating, np.int64)
        notes = allocate(NOTES_A_SEAT * games * n + 1000, NOTE)
        scores = np.zeros((games, n), np.int32)
        played, made = play_and_note(
            allocate(2, STATE),
            allocate(1, STATE),
            self._record,
            seeds,
            keys,
            who,
            self._policies,
            weights,
            float(trying),
            float(trace),
            allocate(2, VIEW),
            np.zeros((1, WORDS), np.int64),
            np.zeros((3, NUM_WORDS), np.int64),
            np.zeros((2, FIRST), np.float32),
            notes,
            scores,
        )
        if played < 0:
            raise ValueError("one of the policies returned an illegal action")
        found = notes[:made]
        return Lessons(
            np.ascontiguousarray(found["features"]).view(np.uint8).reshape(made, -1),
            found["target"].copy(),
            found["value"].copy(),
            scores[:played],
        )
