"""Strategies of two seats and what they are worth: values, best replies, exploitability.

All is exact but for rounding: sums over the whole tree. Points are the difference of the two
seats' round scores, so what one seat wins the other loses.

*NashConv* is what the two seats could win together if each alone changed to a best reply; the
*exploitability* is half of it, the mean over the two seats. Both are 0 in an equilibrium only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.errors import RunError
from experiments.exact.sweeps import best_replies, multiply, plan_of, spread_up
from experiments.exact.tree import GameTree

__all__ = ["Exploitability", "Matrix", "TwoSeats", "two_seats"]

Numbers = npt.NDArray[np.float64]


class Exploitability(NamedTuple):
    """How much can be won from a strategy, in points a round.

    Attributes:
        value: What seat 0 wins when both seats play it.
        best: What each seat wins with a best reply to the other's.
    """

    value: float
    best: tuple[float, float]

    @property
    def gains(self) -> tuple[float, float]:
        """What each seat gains by a best reply."""
        return self.best[0] - self.value, self.best[1] + self.value

    @property
    def nash_conv(self) -> float:
        """The sum of the gains."""
        return sum(self.gains)

    @property
    def exploitability(self) -> float:
        """The mean of the gains: half of NashConv."""
        return self.nash_conv / 2


class Matrix(NamedTuple):
    """A sparse matrix by rows."""

    starts: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int32]
    values: Numbers

    def times(self, plan: Numbers) -> Numbers:
        """Return the product with a vector."""
        worth = np.empty(len(self.starts) - 1)
        multiply(self.starts, self.columns, self.values, plan, worth)
        return worth


@dataclass(frozen=True)
class TwoSeats:
    """A tree of two seats as matrices over sequences.

    Attributes:
        tree: The tree.
        orders: For each seat its information sets.
        points: For each seat: rows its own sequences, columns the other's; what the seat wins at
            the ends where they meet, times chance.
        chances: For each seat: chance's probability of the same.
    """

    tree: GameTree
    orders: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
    points: tuple[Matrix, Matrix]
    chances: tuple[Matrix, Matrix]

    @cached_property
    def shape(self) -> tuple[Any, Any, Any]:
        """First sequence, number of actions and parent of each information set."""
        tree = self.tree
        return tree.set_first.astype(np.int64), tree.set_size.astype(np.int64), tree.set_parent

    def uniform(self) -> Numbers:
        """Return the strategy that plays every legal action equally often."""
        strategy = np.ones(self.tree.num_sequences)
        strategy[2:] = np.repeat(1.0 / self.tree.set_size, self.tree.set_size)
        return strategy

    def plan(self, seat: int, strategy: Numbers) -> Numbers:
        """Return the realization plan of a seat: 0 at the other's sequences."""
        plan = np.zeros(self.tree.num_sequences)
        plan[seat] = 1.0
        plan_of(self.orders[seat], *self.shape, strategy, plan)
        return plan

    def value(self, first: Numbers, second: Numbers) -> float:
        """Return what seat 0 wins, playing one strategy against another, in points a round."""
        worth = self.points[0].times(self.plan(1, second))
        return float(self.plan(0, first) @ worth)

    def best_reply(self, seat: int, other: Numbers) -> tuple[float, Numbers]:
        """Return what a seat wins at most against a strategy, and a pure strategy that does it."""
        worth = self.points[seat].times(self.plan(1 - seat, other))
        reply = np.zeros(self.tree.num_sequences)
        best_replies(self.orders[seat], *self.shape, worth, reply)
        return float(worth[seat]), reply

    def exploitability(self, strategy: Numbers) -> Exploitability:
        """Return how much best replies win from a strategy of both seats."""
        best = self.best_reply(0, strategy)[0], self.best_reply(1, strategy)[0]
        return Exploitability(self.value(strategy, strategy), best)

    def frequencies(self, first: Numbers, second: Numbers) -> Numbers:
        """Return how often each sequence is played in a round: ``float64 (sequences,)``."""
        plans = self.plan(0, first), self.plan(1, second)
        total = np.zeros(self.tree.num_sequences)
        for seat in (0, 1):
            ends = plans[seat] * self.chances[seat].times(plans[1 - seat])
            spread_up(self.orders[seat], *self.shape, ends)
            total += ends
        return total


def two_seats(tree: GameTree) -> TwoSeats:
    """Return the matrices of a tree.

    Raises:
        RunError: when it has not two seats.
    """
    if tree.num_players != 2:
        raise RunError(f"num_players={tree.num_players} is not solved: only 2 can be")
    won = (tree.end_points[:, 0] - tree.end_points[:, 1]) * tree.end_chance
    size = tree.num_sequences
    key = tree.ends[:, 0].astype(np.int64) * size + tree.ends[:, 1]
    meets, place = np.unique(key, return_inverse=True)
    points: Numbers = np.bincount(place, won, len(meets)).astype(np.float64)
    chances: Numbers = np.bincount(place, tree.end_chance, len(meets)).astype(np.float64)
    pairs = meets // size, meets % size
    orders = np.flatnonzero(tree.set_seat == 0), np.flatnonzero(tree.set_seat == 1)
    rows = [_by_rows(size, pairs[seat], pairs[1 - seat]) for seat in (0, 1)]
    by_points = [Matrix(s, c, (points, -points)[seat][o]) for seat, (s, c, o) in enumerate(rows)]
    by_chance = [Matrix(s, c, chances[o]) for s, c, o in rows]
    return TwoSeats(tree, orders, (by_points[0], by_points[1]), (by_chance[0], by_chance[1]))


def _by_rows(size: int, rows: Any, columns: Any) -> tuple[Any, Any, Any]:
    """Return starts and columns of a sparse matrix, and the order in which its values stand."""
    order = np.argsort(rows, kind="stable")
    starts = np.zeros(size + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=size), out=starts[1:])
    return starts, columns[order].astype(np.int32), order
