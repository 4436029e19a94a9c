"""How many deals a difference takes: planning a tournament from the spread of a first one.

For a two-sided test at a level alpha, which is whether an interval leaves out zero, a true
difference is found with a given power from

    deals = ((t(1 - alpha / 2) + t(power)) * deviation / difference) ** 2

on (Snedecor and Cochran, "Statistical methods", chapter 6), where ``deviation`` is the
standard deviation of what one deal says and t are quantiles of Student's distribution with
deals - 1 degrees. The deviation comes from games that were played, so its own error goes in:
from 100 deals it is known to 7 %, which is 14 % of the deals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import special

from experiments.errors import RunError
from experiments.stats import margins, met

if TYPE_CHECKING:
    import pandas as pd

    from experiments.stats import Sums

__all__ = ["ALPHA", "POWER", "deals_needed", "detectable", "power_curve", "power_table"]

ALPHA: Final = 0.05
"""Chance of finding a difference (either way) where there is none."""
POWER: Final = 0.8
"""Chance of finding a difference that is there."""

MOST: Final = 10**15
"""Deals that nobody will play."""


def deals_needed(
    deviation: float, difference: float, alpha: float = ALPHA, power: float = POWER
) -> int:
    """Deals from which on a difference is found, by a two-sided test at level alpha.

    Args:
        deviation: standard deviation of the difference over deals, points per round.
        difference: the true difference to be found, points per round.
        alpha: chance of finding a difference where there is none.
        power: chance of finding this one.

    Raises:
        RunError: for a difference that is not above 0, errors that are no chances, a deviation
            that is not known.
    """
    check_detection(difference, alpha, power)
    if not math.isfinite(deviation) or deviation < 0:
        raise RunError(
            f"deviation={deviation} is not allowed: it takes at least 2 deals to know it"
        )
    low, high = 2, 4
    while _detectable(deviation, high, alpha, power) > difference:
        low, high = high, 2 * high
        if high > MOST:
            raise RunError(f"detect={difference} is not allowed: no number of deals would do")
    while low < high:  # what can be detected falls with the number of deals
        half = (low + high) // 2
        if _detectable(deviation, half, alpha, power) <= difference:
            high = half
        else:
            low = half + 1
    return low


def detectable(deviation: float, deals: int, alpha: float = ALPHA, power: float = POWER) -> float:
    """The smallest true difference that so many deals find, points per round."""
    check_detection(1.0, alpha, power)
    if deals < 2:
        raise RunError(f"deals={deals} is not allowed: use 2 or more")
    return _detectable(deviation, deals, alpha, power)


def _detectable(deviation: float, deals: int, alpha: float, power: float) -> float:
    quantiles = special.stdtrit(deals - 1, 1 - alpha / 2) + special.stdtrit(deals - 1, power)
    return float(quantiles) * deviation / math.sqrt(deals)


def check_detection(difference: float, alpha: float = ALPHA, power: float = POWER) -> None:
    """Refuse a question that has no answer."""
    if not (math.isfinite(difference) and difference > 0):
        raise RunError(f"detect={difference} is not allowed: use points per round above 0")
    if not 0 < alpha < 1:
        raise RunError(f"alpha={alpha} is not allowed: use a chance between 0 and 1")
    if not alpha < power < 1:
        raise RunError(f"power={power} is not allowed: use a chance between alpha={alpha} and 1")


def power_table(
    names: Sequence[str],
    sums: Sums,
    difference: float,
    alpha: float = ALPHA,
    power: float = POWER,
) -> pd.DataFrame:
    """For each pair that met, how many deals find a difference, from the spread of those played.

    Columns: ``agent``, ``opponent``; ``deals`` played; ``deviation`` of a deal, points per round;
    ``detectable``, the smallest true difference that these deals find; ``deals_needed`` for
    the one asked for.
    """
    import pandas as pd  # noqa: PLC0415

    check_detection(difference, alpha, power)
    found = margins(sums)
    if found.num_deals.max(initial=0) < 2:
        raise RunError("the spread of the deals is not known from one: play 2 deals or more")
    rows = [
        {
            "agent": names[a],
            "opponent": names[b],
            "deals": int(found.num_deals[a, b]),
            "deviation": (deviation := float(found.deviation[a, b])),
            "detectable": _detectable(deviation, int(found.num_deals[a, b]), alpha, power),
            "deals_needed": deals_needed(deviation, difference, alpha, power),
        }
        for a, b in met(sums)
        if found.num_deals[a, b] > 1
    ]
    return pd.DataFrame(rows)


def power_curve(
    deviation: float, deals: Sequence[int], alpha: float = ALPHA, power: float = POWER
) -> pd.DataFrame:
    """The smallest true difference that numbers of deals find: ``deals``, ``detectable``."""
    import pandas as pd  # noqa: PLC0415

    found = [detectable(deviation, count, alpha, power) for count in deals]
    return pd.DataFrame({"deals": np.asarray(deals), "detectable": found})
