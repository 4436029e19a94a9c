"""The picture of a solver's way to an equilibrium."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from experiments.plots import COLOURS, INK

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["plot_curve"]


def plot_curve(curve: pd.DataFrame, references: Mapping[str, float], title: str) -> Figure:
    """Exploitability by iterations, both on logarithmic scales.

    Args:
        curve: the columns ``iterations`` and ``exploitability``.
        references: names of agents and their exploitability, drawn as lines.
        title: what stands above.
    """
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    iterations = curve["iterations"].to_numpy(dtype=float)
    values = curve["exploitability"].to_numpy(dtype=float)
    axes.loglog(iterations, values, "o-", color=COLOURS[0], markersize=4)
    for name, height in references.items():
        axes.axhline(height, color=INK, linewidth=0.8, linestyle="--")
        axes.annotate(
            f"{name} {height:.2f}",
            (1, height),
            xycoords=("axes fraction", "data"),
            fontsize=8,
            ha="right",
            va="bottom",
        )
    axes.set_xlabel("iterations")
    axes.set_ylabel("exploitability, points a round")
    axes.set_title(title, fontsize=11)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    return figure
