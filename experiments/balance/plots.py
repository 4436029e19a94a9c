"""Pictures of a study. Each function returns a Figure of what it is given; nothing is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from experiments.balance.figures import figure
from experiments.balance.luck import SHARES
from experiments.balance.study import Study
from experiments.balance.summary import DIFFERENT, DUELS, HEADS, OWN, agents_of
from experiments.plots import COLOURS, INK

__all__ = ["pictures", "plot_comebacks", "plot_figures", "plot_luck"]

ROW: Final = 0.24
"""Height of a variant, inches."""


def pictures(study: Study) -> Iterator[tuple[str, Figure]]:
    """All pictures of a study with the names of their files, for each number of seats."""
    for players in sorted(study.figures["players"].unique()):
        here: Any = study.figures[study.figures["players"] == players]
        seats = f"{players} seats"
        agents, duels = agents_of(here, duels=False), agents_of(here, duels=True)
        yield f"figures-{players}", plot_figures(here, OWN, agents, f"Agents alone, {seats}")
        if duels:
            yield f"skill-{players}", plot_figures(here, DUELS, duels, f"Luck and skill, {seats}")
            title = f"What a round's result comes from, {seats}: {duels[0]}"
            yield f"luck-{players}", plot_luck(here, duels[0], title)
        yield f"comebacks-{players}", plot_comebacks(here, _widest(here, agents), seats)
        if study.differences is not None:
            less: Any = study.differences[study.differences["players"] == players]
            for is_duel, names in DIFFERENT.items():
                who = agents_of(less, is_duel)
                if who:
                    title = f"More than in {study.against}, {seats}"
                    name = "skill-differences" if is_duel else "differences"
                    yield f"{name}-{players}", plot_figures(less, names, who, title, True)


def _widest(rows: pd.DataFrame, agents: Sequence[str]) -> str:
    """The strongest of the agents that played the most variants."""
    played = {agent: rows.loc[rows["agent"] == agent, "variant"].nunique() for agent in agents}
    return max(reversed(agents), key=played.__getitem__)


def plot_figures(
    rows: pd.DataFrame,
    names: Sequence[str],
    agents: Sequence[str],
    title: str,
    is_difference: bool = False,
) -> Figure:
    """Some figures beside each other, a row for each variant, a colour for each agent.

    Args:
        rows: rows of `Study.figures` or `Study.differences` at one number of seats.
        names: figures of one number.
        agents: agents, or pairs of them.
        title: what stands above.
        is_difference: whether 0 means that nothing differs.
    """
    variants = list(dict.fromkeys(rows["variant"]))
    drawn = Figure(
        figsize=(3.2 + 1.9 * len(names), 1.4 + ROW * len(variants)), layout="constrained"
    )
    panels = drawn.subplots(1, len(names), sharey=True, squeeze=False)[0]
    for axes, name in zip(panels, names, strict=True):
        one = figure(name)
        times = 100 if one.percent else 1
        for number, agent in enumerate(agents):
            found: Any = rows[(rows["figure"] == name) & (rows["agent"] == agent)]
            places = found["variant"].map(variants.index) + 0.22 * (number - (len(agents) - 1) / 2)
            value, low, high = (times * found[key].to_numpy() for key in ("value", "low", "high"))
            colour = COLOURS[number % len(COLOURS)]
            axes.hlines(places, low, high, color=colour, linewidth=1.2)
            axes.plot(value, places, "o", color=colour, markersize=3, label=agent)
        if one.zero or is_difference or name in ("strong_points", "strong_wins"):
            axes.axvline(0, color=INK, linewidth=0.6, alpha=0.6)
        axes.set_title(HEADS[name], fontsize=9)
        axes.grid(axis="y", alpha=0.15)
        axes.tick_params(labelsize=7)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_yticks(range(len(variants)), variants)
    panels[0].set_ylim(len(variants) - 0.4, -0.6)
    handles, labels = panels[0].get_legend_handles_labels()
    drawn.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    drawn.suptitle(f"{title} (bars: 95 % intervals)", fontsize=11)
    return drawn


def plot_luck(rows: pd.DataFrame, pair: str, title: str) -> Figure:
    """The shares of the variance of a round's result, stacked; what is below 0 counts as 0.

    Args:
        rows: rows of `Study.figures` at one number of seats.
        pair: a strong agent and a weak one, as the table names them.
        title: what stands above.
    """
    mine: Any = rows[rows["agent"] == pair]
    variants = list(dict.fromkeys(mine["variant"]))
    drawn = Figure(figsize=(8, 1.4 + ROW * len(variants)), layout="constrained")
    axes = drawn.add_subplot()
    left = np.zeros(len(variants))
    for source, colour in zip(SHARES, COLOURS, strict=False):
        shares = mine[mine["figure"] == f"{source}_share"].set_index("variant")["value"]
        width = 100 * shares.reindex(variants).clip(lower=0).fillna(0).to_numpy()
        axes.barh(range(len(variants)), width, left=left, color=colour, label=source, height=0.7)
        left += width
    axes.set_yticks(range(len(variants)), variants, fontsize=7)
    axes.set_ylim(len(variants) - 0.4, -0.6)
    axes.set_xlabel("share of variance (%)")
    axes.spines[["top", "right"]].set_visible(False)
    drawn.legend(loc="outside lower center", ncols=4, frameon=False, fontsize=8)
    drawn.suptitle(title, fontsize=11)
    return drawn


def plot_comebacks(rows: pd.DataFrame, agent: str, seats: str) -> Figure:
    """The chance to win by the deficit when the leader has half of the target.

    Args:
        rows: rows of `Study.figures` at one number of seats.
        agent: whose games.
        seats: their number in words.
    """
    is_half = (rows["figure"] == "win_from_behind") & rows["at"].str.startswith("half: ")
    mine = rows[is_half & (rows["agent"] == agent)]
    variants = list(dict.fromkeys(mine["variant"]))
    columns = max((len(found) for _, found in mine.groupby("variant")), default=1)
    drawn = Figure(figsize=(8, 1.4 + 1.3 * ROW * max(len(variants), 1)), layout="constrained")
    axes = drawn.add_subplot()
    chances = np.full((max(len(variants), 1), columns), np.nan)
    for row, variant in enumerate(variants):
        found = mine[mine["variant"] == variant]
        for column, (value, at) in enumerate(zip(found["value"], found["at"], strict=True)):
            chances[row, column] = 100 * value
            told = f"{100 * value:.0f} ({str(at).removeprefix('half: ').removesuffix(' behind')})"
            colour = "white" if value > 0.6 else INK
            axes.text(column, row, told, ha="center", va="center", fontsize=7, color=colour)
    axes.imshow(np.ma.masked_invalid(chances), cmap="Blues", vmin=0, vmax=100, aspect="auto")
    axes.set_yticks(range(len(variants)), variants, fontsize=7)
    axes.set_xticks([])
    axes.spines[:].set_visible(False)
    axes.set_xlabel("points behind in brackets, more to the right; undecided games left out")
    told = f"{agent} wins (%) when the leader has half of the target, {seats}"
    drawn.suptitle(told, fontsize=10)
    return drawn
