"""Pictures of a tournament. Each function returns a Figure; nothing is shown or kept open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["plot_payoffs", "plot_scores"]

COLOURS: Final = ("#3b6fb6", "#d1702c", "#3a8f5c", "#8a5aa8", "#b8444f", "#6b6b6b")
INK: Final = "#222222"
MAX_BINS: Final = 60
WIDTHS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""Widths of bins (points); scores are often multiples of 5."""


def plot_scores(
    seats: pd.DataFrame, order: Sequence[str] | None = None, title: str = "Scores"
) -> Figure:
    """The distribution of scores, one strip for each agent, with mean and middle half.

    Args:
        seats: table with the columns ``agent`` and ``score``, one row for each seat of each game.
        order: agents from top to bottom; as they come if None.
        title: what stands above.
    """
    names = list(seats["agent"].unique()) if order is None else list(order)
    by_agent = [seats.loc[seats["agent"] == name, "score"].to_numpy() for name in names]
    low, high = _limits(by_agent)
    width = next((w for w in WIDTHS if (high - low) / w <= MAX_BINS), WIDTHS[-1])
    edges = np.arange(math.floor(low / width) * width, high + width, width)
    heights = [np.histogram(np.clip(s, edges[0], edges[-1]), edges)[0] / len(s) for s in by_agent]
    tallest = max(float(strip.max()) for strip in heights)

    figure = Figure(figsize=(8, 1.6 + 1.05 * len(names)), layout="constrained")
    axes = figure.add_subplot()
    for index, (scores, strip) in enumerate(zip(by_agent, heights, strict=True)):
        base = len(names) - 1 - index
        colour = COLOURS[index % len(COLOURS)]
        top = base + 0.72 * strip / tallest
        axes.stairs(top, edges, baseline=base, fill=True, color=colour, alpha=0.55)
        axes.stairs(top, edges, baseline=base, color=colour, linewidth=1)
        _middle(axes, scores, base, colour)
    axes.axvline(0, color=INK, linewidth=0.6, alpha=0.5, zorder=0)
    axes.set_yticks(range(len(names)), list(reversed(names)))
    axes.set_ylim(-0.32, len(names) - 0.24)
    axes.set_xlim(edges[0], edges[-1])
    axes.set_xlabel(f"score of a seat (points; bins of {width}; dot: mean, bar: middle half)")
    axes.set_title(title, loc="left", fontsize=11)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    return figure


def _limits(by_agent: Sequence[np.ndarray]) -> tuple[int, int]:
    """Scores within which all but two in a thousand lie; those go to the outermost bins."""
    low, high = np.quantile(np.concatenate(by_agent), [0.001, 0.999])
    return math.floor(low), math.ceil(high) + 1


def _middle(axes: Axes, scores: np.ndarray, base: float, colour: str) -> None:
    first, third = np.quantile(scores, [0.25, 0.75])
    mean = float(scores.mean())
    height = base - 0.1
    axes.plot([first, third], [height, height], color=colour, linewidth=3, solid_capstyle="butt")
    axes.plot([mean], [height], "o", color="white", markeredgecolor=colour, markersize=6)
    axes.annotate(
        f"{mean:.1f}",
        (mean, height),
        xytext=(0, -5),
        textcoords="offset points",
        ha="center",
        va="top",
        fontsize=8,
        color=INK,
    )


def plot_payoffs(
    payoffs: pd.DataFrame,
    half_widths: pd.DataFrame,
    order: Sequence[str] | None = None,
    title: str = "Points per round more than the opponent",
) -> Figure:
    """The payoff matrix as a picture; bold where the interval leaves out zero.

    Args:
        payoffs: agents x agents, points per round the row's agent scores more than the column's.
        half_widths: half-widths of the 95 % intervals, NaN where there are none.
        order: agents from top to bottom and left to right; as in the matrix if None.
        title: what stands above.
    """
    names = list(payoffs.index) if order is None else list(order)
    values = payoffs.loc[names, names].to_numpy(dtype=float)
    halves = half_widths.loc[names, names].to_numpy(dtype=float)
    most = max(1.0, float(np.nanmax(np.abs(values)))) if np.isfinite(values).any() else 1.0

    side = 1.05 * len(names)
    figure = Figure(figsize=(3.2 + max(side, 2.8), 1.9 + 0.8 * side), layout="constrained")
    axes = figure.add_subplot()
    norm = TwoSlopeNorm(0, -1.15 * most, 1.15 * most)
    image = axes.imshow(np.ma.masked_invalid(values), cmap="RdBu", norm=norm, aspect="auto")
    axes.set_facecolor("#ececec")
    for (row, column), value in np.ndenumerate(values):
        if math.isnan(value):
            continue
        half = halves[row, column]
        is_sure = not math.isnan(half) and abs(value) > half
        axes.text(
            column,
            row,
            f"{value:+.1f}" + ("" if math.isnan(half) else f"\n± {half:.1f}"),
            ha="center",
            va="center",
            fontsize=9,
            fontweight="bold" if is_sure else "normal",
            color="white" if abs(value) > 0.62 * most else INK,
        )
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), names)
    axes.set_xticks(np.arange(len(names) + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(len(names) + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=2)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)
    axes.set_ylabel("agent")
    axes.set_xlabel("opponent (bold: the interval leaves out 0)")
    axes.set_title(title, loc="left", fontsize=11)
    bar = figure.colorbar(image, ax=axes, shrink=0.8, pad=0.02)
    bar.set_label("points per round (± 95 % interval)")
    bar.outline.set_visible(False)
    return figure
