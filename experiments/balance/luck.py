"""Luck against skill: what a round's result comes from, by duplicated deals.

The result of a seat (between teams, of a side) in a round is its margin: its score less the mean
score of the others. Each deal is played by a strong agent S and a weak one W so that at every place
in the order of play there sits once each kind a among others of each kind b: one S among W's, one W
among S's, S's alone, W's alone. With D deals, n places and T = 4 kinds of tables t = (a, b) the
model is

    y[d, i, t] = mean + seat[i] + agents[t] + deal[d, i] + play[d, i, t]

``deal`` is what the cards dealt (hands and the order of the stock) are worth at a place whoever
plays: the part that comes back when the deal is played again at another table. ``play`` is the
rest: what becomes of the deal through the decisions of those who play it, and what the agents make
of their seats. Components are estimated by the analysis of variance of a balanced two-way layout
(Searle, Casella and McCulloch, "Variance components", 1992, 4.3), deal random, seat and table
fixed:

    W = variance within (place, table) over deals     = deal + play
    B = variance over deals of the mean of the tables = deal + play / T

and the variance of the means over places is that of ``seat``, over tables that of ``agent``. All
are quadratic in means over deals, so the jackknife takes their bias away exactly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from experiments.balance.sums import Arrays

__all__ = ["SHARES", "components", "luck_sums"]

SHARES = ("deal", "seat", "agent", "play")
"""Sources of variance."""


def luck_sums(results: npt.NDArray[np.float64]) -> dict[str, npt.NDArray[np.float64]]:
    """What `components` needs, by deal.

    Args:
        results: ``(D, n, 2, 2)``: margins by deal, place, own agent and that of the others.
    """
    if np.isnan(results).any():
        raise ValueError("each deal is to be played at each place by each agent among each")
    flat = results.reshape(*results.shape[:2], -1)
    return {
        "result": flat,
        "result_squared": (flat**2).mean(axis=(1, 2)),
        "result_mean_squared": (flat.mean(axis=2) ** 2).mean(axis=1),
    }


def components(sums: Arrays) -> npt.NDArray[np.float64]:
    """The variances of `SHARES`, which add up to that of a result.

    Args:
        sums: sums over deals of what `luck_sums` returns, with ``deals``, their number; each
            ``(replicates, …)``.

    Returns:
        ``(replicates, 4)``: squared points.
    """
    deals: Any = sums["deals"]
    mean = sums["result"] / deals[:, None, None]
    tables = mean.shape[2]
    squared, mean_squared = sums["result_squared"] / deals, sums["result_mean_squared"] / deals
    within = squared - (mean**2).mean(axis=(1, 2))
    between = mean_squared - (mean.mean(axis=2) ** 2).mean(axis=1)
    noise = (within - between) * tables / (tables - 1)
    whole = mean.mean(axis=(1, 2)) ** 2
    seat = (mean.mean(axis=2) ** 2).mean(axis=1) - whole
    agent = (mean.mean(axis=1) ** 2).mean(axis=1) - whole
    mixed = (mean**2).mean(axis=(1, 2)) - whole - seat - agent
    return np.stack([within - noise, seat, agent, noise + mixed], axis=1)
