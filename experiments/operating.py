"""What `compare` does in the long run: simulated comparisons whose truth is known.

Deals are drawn, with replacement, from the differences of real ones, moved so that their mean is
the true difference. So the simulation has the spread and the tails of real play, and the rule is
the one that `compare` uses.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from experiments.errors import RunError
from experiments.sequential import BETTER, GOES_ON, NOT_BETTER, Rule, interval, known_error

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["operating_curve"]

MAX_DRAWS: Final = 2_000_000
"""Deals that are drawn at once."""


def operating_curve(
    clusters: npt.ArrayLike,
    differences: Iterable[float],
    rule: Rule | None = None,
    runs: int = 2000,
    seed: int = 0,
) -> pd.DataFrame:
    """How often `compare` says what, and how long it takes, for each true difference.

    Args:
        clusters: differences of deals, points per round, of two agents like those meant; only
            their distribution around the mean is used.
        differences: true differences, points per round.
        rule: the rule of the comparison, in one direction; with its defaults if None.
        runs: comparisons simulated for each difference.
        seed: of the simulation.

    Returns:
        A row for each difference: ``difference``; ``better``, ``not_better``, ``undecided``,
        shares of the comparisons; ``mean_deals``, ``median_deals`` played; ``covered``, the
        share whose last 95 % interval holds the true difference.
    """
    import pandas as pd  # noqa: PLC0415

    rule = Rule() if rule is None else rule
    pool = np.asarray(clusters, dtype=float)
    if pool.ndim != 1 or len(pool) < 2:
        raise RunError(f"clusters of shape {pool.shape} are not allowed: use 2 deals or more")
    if runs < 1:
        raise RunError(f"runs={runs} is not allowed: use 1 or more")
    rng = np.random.default_rng(seed)
    rows = [
        {"difference": float(true)} | _simulated(pool, float(true), rule, runs, rng)
        for true in differences
    ]
    return pd.DataFrame(rows)


def _simulated(
    pool: np.ndarray, true: float, rule: Rule, runs: int, rng: np.random.Generator
) -> dict[str, float]:
    shift, is_even = true - pool.mean(), pool == 0  # of whole scores, sums are exact
    total, squares, even = np.zeros(runs), np.zeros(runs), np.zeros(runs, np.int64)
    said = np.full(runs, GOES_ON, np.int8)
    deals = np.zeros(runs, np.int64)
    covered = np.zeros(runs, bool)
    before = 0
    for look in rule.looks:
        (playing,) = np.nonzero(said == GOES_ON)
        if not len(playing):
            break
        size = max(1, MAX_DRAWS // (look - before))
        for start in range(0, len(playing), size):
            some = playing[start : start + size]
            places = rng.integers(len(pool), size=(len(some), look - before))
            drawn = pool[places]
            total[some] += drawn.sum(axis=1)
            even[some] += is_even[places].sum(axis=1)
            squares[some] += np.einsum("rd,rd->r", drawn, drawn)
        before = look
        mean = total[playing] / look + shift
        rests = np.maximum(squares[playing] - total[playing] ** 2 / look, 0)
        error = known_error(np.sqrt(rests / (look - 1) / look), look - even[playing])
        said[playing] = rule.decide(look, mean[:, None], error[:, None])
        deals[playing] = look
        low, high = interval(look, mean, error)
        covered[playing] = (low <= true) & (true <= high)
    return {
        "better": float((said == BETTER).mean()),
        "not_better": float((said == NOT_BETTER).mean()),
        "undecided": float((said == GOES_ON).mean()),
        "mean_deals": float(deals.mean()),
        "median_deals": float(np.median(deals)),
        "covered": float(covered.mean()),
    }
