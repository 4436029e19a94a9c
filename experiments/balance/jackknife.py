"""One estimator for all figures: the jackknife over deals.

A figure is a smooth function of sums over deals. Leaving out each deal in turn says how much hangs
on it (Efron and Tibshirani, "An introduction to the bootstrap", 1993, chapter 11): with ``f`` the
figure of all D deals, ``f_d`` that without deal d and ``m`` the mean of the ``f_d``,

    influence[d] = (D - 1) * (m - f_d)
    standard error ** 2 = sum(influence ** 2) / (D * (D - 1))

For a ratio of sums that is nearly the linearised standard error of `experiments.stats`, and the
intervals are made like those there: Student's distribution, none below 30 deals that say something
about the figure. Of two variants that were played with the same seeds the influences are
subtracted deal by deal, so what the deals have in common cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.stats import half_width

__all__ = ["Estimate", "difference", "jackknife"]

Floats = npt.NDArray[np.float64]
Arrays = Mapping[str, npt.NDArray[Any]]
Function = Callable[[Arrays], Floats]


@dataclass(frozen=True)
class Estimate:
    """Some numbers with what each deal contributes to them; m numbers, D deals."""

    value: Floats
    """``(m,)``."""
    influence: Floats
    """``(D, m)``, with mean 0 over deals."""
    num_deals: npt.NDArray[np.int64]
    """``(m,)``: deals that say something about the number."""

    @property
    def half_width(self) -> Floats:
        """Half-widths of the 95 % intervals: ``(m,)``; NaN where there are none."""
        deals = len(self.influence)
        error = np.sqrt((self.influence**2).sum(axis=0) / (deals * max(deals - 1, 1)))
        return half_width(error, self.num_deals)


def jackknife(
    sums: Arrays, function: Function, units: Function, is_corrected: bool = False
) -> Estimate:
    """Estimate a function of sums over deals.

    Args:
        sums: ``(D, …)`` each, by name.
        function: takes sums over deals, ``(replicates, …)`` each, with ``deals``, their number;
            returns ``(replicates, m)``.
        units: takes the same, and returns how many units the deals have, of what each number is
            counted in; a deal with none says nothing.
        is_corrected: whether the bias is taken away, as the jackknife estimates it: exactly, where
            the function is quadratic in means.
    """
    num_deals = len(next(iter(sums.values())))
    each = {name: np.asarray(values, np.float64) for name, values in sums.items()}
    each["deals"] = np.ones(num_deals)
    replicates: dict[str, Floats] = {}
    for name, values in each.items():
        whole = values.sum(axis=0, keepdims=True)
        replicates[name] = np.concatenate([whole, whole - values])
    with np.errstate(invalid="ignore", divide="ignore"):
        found = function(replicates)
        counted = units(each) > 0
    value, without = found[0], found[1:]
    mean = without.mean(axis=0)
    if is_corrected:
        value = num_deals * value - (num_deals - 1) * mean
    clusters = np.broadcast_to(counted, without.shape).sum(axis=0)
    return Estimate(value, (num_deals - 1) * (mean - without), clusters)


def difference(one: Estimate, other: Estimate) -> Estimate:
    """The first less the second, of the same deals."""
    if one.influence.shape != other.influence.shape:
        raise ValueError(
            f"{one.influence.shape} and {other.influence.shape}: the same deals are needed"
        )
    return Estimate(
        one.value - other.value,
        one.influence - other.influence,
        np.minimum(one.num_deals, other.num_deals),
    )
