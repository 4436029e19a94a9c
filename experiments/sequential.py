"""Looking at a mean while deals come in: confidence sequences, and the rule of `compare`.

A *confidence sequence* is an interval for every number of deals, such that all of them together
hold the true value with the probability that a single one usually has. So one may look after
every deal and stop when one likes: what stands there then is valid. The price is its width, about
1.6 times that of an interval for a number of deals that was fixed before.

Here it is ``mean ± factor(deals) * standard error``, the asymptotic confidence sequence of
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas ("Time-uniform central limit theory and asymptotic
confidence sequences", Annals of Statistics 52, 2024): sums of many independent deals go like a
Brownian motion, whose variance is estimated, and such a motion ever crosses Robbins' one-sided
normal mixture bound with at most the given probability (Howard, Ramdas, McAuliffe and Sekhon,
"Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics 49, 2021,
section 3). For n deals, an error on one side, and a tuning constant r that says where the bound
is tightest, it is

    factor(n) = sqrt(2 * (n + r) / n * log(1 + sqrt((n + r) / r) / (2 * error)))

Being asymptotic, it needs some deals before the first look, `MIN_LOOK`, and some of them have to
show a difference at all, `MIN_DIFFERING`. That errors stay below what they are to be, with the
spread of real deals, is simulated (`experiments.operating`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from experiments.errors import RunError
from experiments.stats import LEVEL

__all__ = [
    "BETTER",
    "GOES_ON",
    "MIN_LOOK",
    "NOT_BETTER",
    "Rule",
    "factor",
    "interval",
    "known_error",
]

MIN_LOOK: Final = 100
"""Deals at the first look."""
MIN_DIFFERING: Final = 30
"""Deals in which the two were not even, before anything is said."""
GROWTH: Final = 1.1
"""How many times more deals the next look has."""
TUNING: Final = 121.8
"""The constant r, in deals: at 1,000 deals the bound for an error of 2.5 % is tightest for its
number of deals (3.04 standard errors); from 300 to 10,000 it is no more than 7 % wider."""

GOES_ON: Final = 0
BETTER: Final = 1
NOT_BETTER: Final = -1


def factor(deals: npt.ArrayLike, error: float) -> np.ndarray:
    """How many standard errors the mean ever strays to one side, but for a probability.

    Args:
        deals: numbers of deals.
        error: probability of ever straying farther, over all numbers of deals together.
    """
    count = np.asarray(deals, dtype=float)
    grown = (count + TUNING) / TUNING
    return np.sqrt(2 * (count + TUNING) / count * np.log1p(np.sqrt(grown) / (2 * error)))


def interval(
    deals: npt.ArrayLike, value: np.ndarray, standard_error: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Ends of the 95 % confidence sequence at some numbers of deals."""
    radius = factor(deals, (1 - LEVEL) / 2) * standard_error
    return value - radius, value + radius


def known_error(standard_error: np.ndarray, num_differing: np.ndarray) -> np.ndarray:
    """Standard errors, and infinity where too few deals show a difference to know them.

    Args:
        standard_error: of the means.
        num_differing: deals in which the two were not even.
    """
    return np.where(num_differing >= MIN_DIFFERING, standard_error, np.inf)


@dataclass(frozen=True)
class Rule:
    """When `compare` stops, and with what.

    It stops as soon as the mean difference, at one look or another, is surely above 0 (*better*:
    the null hypothesis "at most 0" is rejected) or surely below delta (*not better*: the
    alternative "at least delta" is rejected); and at a cap of deals, then undecided. Surely: by the
    bounds of a confidence sequence, the lower one with the error alpha, the upper one with the
    error beta. So "better" is said with at most the probability alpha where it is not, and "not
    better" with at most the probability beta where the difference is delta or more.

    With several directions (one A among B's, and one B among A's) better means better in all. The
    error is alpha in each: where one difference is at most 0, that one would have to be missed.
    Not better is not better in any, so the error in each is beta over their number.

    Args:
        delta: smallest difference that matters, points per round.
        alpha: chance of "better" where the difference is at most 0.
        beta: chance of "not better" where it is at least delta.
        max_deals: the cap.
        num_directions: means that are looked at.
    """

    delta: float = 3.0
    alpha: float = 0.025
    beta: float = 0.025
    max_deals: int = 20_000
    num_directions: int = 1

    def __post_init__(self) -> None:
        if not (math.isfinite(self.delta) and self.delta > 0):
            raise RunError(f"delta={self.delta} is not allowed: use points per round above 0")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 1:
                raise RunError(
                    f"{name}={getattr(self, name)} is not allowed: use a chance between 0 and 1"
                )
        if self.max_deals < MIN_LOOK:
            raise RunError(f"max_deals={self.max_deals} is not allowed: use {MIN_LOOK} or more")

    @cached_property
    def looks(self) -> tuple[int, ...]:
        """Numbers of deals at which the mean is looked at, up to the cap."""
        found = [MIN_LOOK]
        while (following := math.ceil(GROWTH * found[-1])) < self.max_deals:
            found.append(following)
        return tuple(found) if self.max_deals == MIN_LOOK else (*found, self.max_deals)

    def decide(self, deals: int, value: np.ndarray, standard_error: np.ndarray) -> np.ndarray:
        """What a look says: `BETTER`, `NOT_BETTER` or `GOES_ON`, int8.

        Args:
            deals: deals at this look.
            value: mean differences, directions last.
            standard_error: their standard errors.
        """
        below = value - factor(deals, self.alpha) * standard_error
        above = value + factor(deals, self.beta / self.num_directions) * standard_error
        is_better = (below > 0).all(axis=-1)
        is_not = (above < self.delta).any(axis=-1)
        return np.where(is_better, BETTER, np.where(is_not, NOT_BETTER, GOES_ON)).astype(np.int8)
