"""The exact sign test, and Holm's correction for several tests."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import special

__all__ = ["holm", "sign_test"]


def sign_test(won: npt.ArrayLike, lost: npt.ArrayLike) -> np.ndarray:
    """Two-sided p-values of the exact sign test, of any shape.

    With ties left out, won and lost are equally likely under the null hypothesis, so the smaller
    number of the two is one of a binomial distribution with probability 1/2; p is twice its lower
    tail, at most 1 (Dixon and Mood 1946, "The statistical sign test"). Without a decided trial p
    is 1.
    """
    won, lost = np.asarray(won), np.asarray(lost)
    fewer = np.minimum(won, lost)
    return np.minimum(1.0, 2 * special.bdtr(fewer.astype(float), won + lost, 0.5))


def holm(p_values: npt.ArrayLike) -> np.ndarray:
    """P-values of m tests after Holm's correction, in the order given.

    The k-th smallest, from k = 0, is multiplied by m - k, and none may be below the one before it
    (Holm 1979, "A simple sequentially rejective multiple test procedure"). Rejecting those up to
    a level keeps the chance of any wrong rejection below it, however the tests hang together.
    """
    given = np.asarray(p_values, dtype=float)
    order = np.argsort(given, kind="stable")
    grown = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(1.0, grown)
    return adjusted
