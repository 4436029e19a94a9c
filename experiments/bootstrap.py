"""The cluster bootstrap: deals are drawn again with replacement, with all of their games.

For intervals of what is no mean, such as ratings. Efron and Tibshirani, "An introduction to the
bootstrap" (1993), chapters 8 and 13: whole clusters are drawn, and an interval holds the middle
95 % of what the samples give.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from experiments.errors import RunError
from experiments.stats import LEVEL, MIN_DEALS

__all__ = ["REPLICATES", "check_replicates", "grouped", "middle", "weights"]

REPLICATES: Final = 1000
"""Samples that are drawn."""
MAX_GROUPS: Final = 2000
"""Clusters that are drawn from; more deals are joined to so many groups of (nearly) equal size."""


def check_replicates(replicates: int) -> None:
    """Refuse a number of samples of which there is no middle."""
    if replicates < 1:
        raise RunError(f"replicates={replicates} is not allowed: use 1 or more")


def grouped(deals: np.ndarray) -> np.ndarray:
    """The cluster of each row, from 0, by the deals of the rows.

    A deal, or the deals at every 2,000th place in the order of their numbers where they are more:
    they are independent and alike, so groups of them are, and samples stay small.
    """
    return np.unique(deals, return_inverse=True)[1] % MAX_GROUPS


def weights(num_clusters: int, replicates: int, seed: int) -> np.ndarray:
    """How often each sample holds each cluster: int64 (replicates, num_clusters)."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(num_clusters, np.full(num_clusters, 1 / num_clusters), replicates)


def middle(samples: np.ndarray, num_deals: int) -> tuple[np.ndarray, np.ndarray]:
    """Between what the middle 95 % of the samples lie (samples first); NaN below `MIN_DEALS`."""
    if num_deals < MIN_DEALS:
        nothing = np.full(samples.shape[1:], np.nan)
        return nothing, nothing.copy()
    low, high = np.quantile(samples, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return low, high
