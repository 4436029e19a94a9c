"""Pictures of statistics. Each function returns a Figure of what it is given; nothing is shown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from matplotlib.figure import Figure

from experiments.plots import COLOURS, INK

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = [
    "plot_alpha_sweep",
    "plot_comparison",
    "plot_operating_curve",
    "plot_power",
    "plot_ratings",
]

TICKS: Final = [digit * 10**power for power in range(2, 8) for digit in (1, 2, 5)]
"""Numbers of deals that stand below a comparison."""


def plot_comparison(
    path: pd.DataFrame, delta: float, title: str = "Difference, with its confidence sequence"
) -> Figure:
    """The path of a comparison: mean difference and 95 % confidence sequence by deals.

    Args:
        path: as `experiments.compare.Comparison.path`; one panel for each agent in ``alone``.
        delta: smallest difference that matters, drawn as a line beside 0.
        title: what stands above.
    """
    names = list(path["alone"].unique())
    figure = Figure(figsize=(8, 1 + 3 * len(names)), layout="constrained")
    panels = figure.subplots(len(names), 1, squeeze=False)[:, 0]
    for axes, name, colour in zip(panels, names, COLOURS, strict=False):
        rows = path.loc[path["alone"] == name, ["deals", "difference", "low", "high"]]
        deals, mean, low, high = rows.to_numpy(dtype=float).T
        axes.fill_between(deals, low, high, color=colour, alpha=0.25)
        axes.vlines(deals[-1:], low[-1:], high[-1:], color=colour, linewidth=3)
        axes.plot(deals, mean, "o-", color=colour, markersize=3)
        for height, text, side in ((0.0, "0", "top"), (delta, f"delta = {delta:g}", "bottom")):
            axes.axhline(height, color=INK, linewidth=0.8, linestyle="--")
            axes.annotate(
                text,
                (1, height),
                xycoords=("axes fraction", "data"),
                fontsize=8,
                ha="right",
                va=side,
            )
        _plain(axes, "deals (log scale; thick: where it stopped)", "points per round")
        axes.set_xscale("log")
        axes.set_xlim(0.9 * deals[0], 1.2 * deals[-1])
        ticks = [tick for tick in TICKS if 0.9 * deals[0] < tick < 1.2 * deals[-1]]
        axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        axes.minorticks_off()
        if len(names) > 1:
            axes.set_title(f"one {name} among the others", fontsize=9)
    figure.suptitle(title, fontsize=11)
    return figure


def plot_ratings(
    ratings: pd.DataFrame, title: str = "Ratings (400 points are odds of ten)"
) -> Figure:
    """Ratings with their intervals, best agent on top.

    Args:
        ratings: the columns ``agent``, ``rating``, ``low`` and ``high``; intervals may be NaN.
        title: what stands above.
    """
    figure = Figure(figsize=(8, 1.4 + 0.45 * len(ratings)), layout="constrained")
    axes = figure.add_subplot()
    places = np.arange(len(ratings))[::-1]
    values = ratings["rating"].to_numpy(dtype=float)
    ends = ratings[["low", "high"]].to_numpy(dtype=float)
    for place, (low, high) in zip(places, ends, strict=True):
        if not math.isnan(low):
            axes.plot([low, high], [place, place], color=COLOURS[0], linewidth=2)
    axes.plot(values, places, "o", color=COLOURS[0])
    axes.axvline(0, color=INK, linewidth=0.6, alpha=0.5, zorder=0)
    axes.set_yticks(places, list(ratings["agent"]))
    axes.set_ylim(-0.6, len(ratings) - 0.4)
    _plain(axes, "rating (bar: 95 % interval over deals)", "")
    axes.set_title(title, loc="left", fontsize=11)
    return figure


def plot_alpha_sweep(sweep: pd.DataFrame, title: str = "Alpha-rank") -> Figure:
    """The mass of each agent from weak to strong selection.

    Args:
        sweep: as `experiments.alpha_rank.alpha_sweep` returns it.
        title: what stands above.
    """
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.add_subplot()
    for number, name in enumerate(sweep.columns.drop("alpha")):
        axes.plot(sweep["alpha"], sweep[name], color=COLOURS[number % len(COLOURS)], label=name)
    axes.set_xscale("log")
    axes.set_ylim(-0.02, 1.02)
    axes.legend(frameon=False, fontsize=8)
    _plain(axes, "strength of selection (per point)", "mass")
    axes.set_title(title, loc="left", fontsize=11)
    return figure


def plot_power(curve: pd.DataFrame, title: str = "Smallest difference that is found") -> Figure:
    """What numbers of deals find.

    Args:
        curve: as `experiments.power.power_curve` returns it.
        title: what stands above.
    """
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.add_subplot()
    axes.loglog(curve["deals"], curve["detectable"], "o-", color=COLOURS[0], markersize=3)
    _plain(axes, "deals", "points per round")
    axes.grid(which="both", alpha=0.2)
    axes.set_title(title, loc="left", fontsize=11)
    return figure


def plot_operating_curve(curve: pd.DataFrame, title: str = "What a comparison says") -> Figure:
    """Shares of decisions, and mean number of deals, by true difference.

    Args:
        curve: as `experiments.operating.operating_curve` returns it.
        title: what stands above.
    """
    figure = Figure(figsize=(8, 5.5), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    for name, colour in zip(("better", "not_better", "undecided"), COLOURS, strict=False):
        above.plot(
            curve["difference"], curve[name], "o-", color=colour, label=name.replace("_", " ")
        )
    above.legend(frameon=False, fontsize=8)
    below.plot(curve["difference"], curve["mean_deals"], "o-", color=COLOURS[3])
    below.set_ylim(bottom=0)
    _plain(above, "", "share of comparisons")
    _plain(below, "true difference (points per round)", "mean deals")
    above.set_title(title, loc="left", fontsize=11)
    return figure


def _plain(axes: Axes, horizontal: str, vertical: str) -> None:
    axes.set_xlabel(horizontal)
    axes.set_ylabel(vertical)
    axes.spines[["top", "right"]].set_visible(False)
