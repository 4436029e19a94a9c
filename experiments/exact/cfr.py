"""Counterfactual regret minimization over the sequence form, the seats in turn.

* ``cfr+`` (Tammelin, "Solving large imperfect information games using CFR+", 2014): regrets are
  never negative, averages are weighted by the number of the iteration.
* ``dcfr`` (Brown and Sandholm, "Solving imperfect-information games via discounted regret
  minimization", 2019): with alpha 1.5, beta 0, gamma 2.
* ``pcfr+`` (Farina, Kroer and Sandholm, "Faster game solving via predictive Blackwell
  approachability", 2021): CFR+ that expects the last regrets once more; quadratic weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from experiments.errors import RunError
from experiments.exact.sequences import Exploitability, Numbers, TwoSeats
from experiments.exact.sweeps import match_regrets, update_regrets

__all__ = ["VARIANTS", "Solver", "checkpoints"]

VARIANTS: Final = ("pcfr+", "cfr+", "dcfr")


@dataclass
class Solver:
    """Learns a strategy of both seats by playing it against itself.

    Attributes:
        game: The game.
        variant: One of `VARIANTS`.
        iterations: How many it has done; in each both seats learn.
    """

    game: TwoSeats
    variant: str = "pcfr+"
    iterations: int = 0

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise RunError(f"variant={self.variant!r}: allowed are {', '.join(VARIANTS)}")
        size = self.game.tree.num_sequences
        self._regrets, self._foreseen = np.zeros(size), np.zeros(size)
        self._strategy = self.game.uniform()
        self._sum = np.zeros(size)
        self._plans = [self.game.plan(seat, self._strategy) for seat in (0, 1)]

    def run(self, iterations: int) -> None:
        """Do some more iterations."""
        for _ in range(iterations):
            self.iterations += 1
            for seat in (0, 1):
                self._learn(seat)

    def _learn(self, seat: int) -> None:
        t, game = self.iterations, self.game
        order = game.orders[seat]
        worth = game.points[seat].times(self._plans[1 - seat])
        positive, negative = 1.0, 0.0
        if self.variant == "dcfr":
            positive, negative = t**1.5 / (t**1.5 + 1), 0.5
        update_regrets(
            order,
            *game.shape,
            worth,
            self._strategy,
            self._regrets,
            self._foreseen,
            self.variant == "pcfr+",
            positive,
            negative,
        )
        first, size, _ = game.shape
        match_regrets(order, first, size, self._regrets, self._foreseen, self._strategy)
        self._plans[seat] = game.plan(seat, self._strategy)
        self._sum += float(t if self.variant == "cfr+" else t * t) * self._plans[seat]

    def average(self) -> Numbers:
        """Return the average strategy, ``float64 (sequences,)``: what converges.

        Where it never came to play it is uniform.
        """
        first, size, _ = self.game.shape
        strategy = np.ones(len(self._sum))
        nothing = np.zeros(len(self._sum))
        for order in self.game.orders:
            match_regrets(order, first, size, self._sum, nothing, strategy)
        return strategy


def checkpoints(solver: Solver, iterations: int) -> Iterator[tuple[int, Exploitability]]:
    """Do iterations, and measure the average strategy after 1, 2, 5, 10, 20, 50 … of them."""
    marks = {digit * 10**power for power in range(9) for digit in (1, 2, 5)}
    stops = sorted({mark for mark in marks if mark < iterations} | {iterations})
    for stop in stops:
        solver.run(stop - solver.iterations)
        yield stop, solver.game.exploitability(solver.average())
