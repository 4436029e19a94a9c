"""What commands say on the screen about ratings, controls, planning, and a comparison."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from experiments.cheating import cheating_notes
from experiments.power import ALPHA, POWER, deals_needed
from experiments.show import (
    each_pair,
    forfeit_notes,
    new_table,
    show_end,
    show_notes,
    with_interval,
)

if TYPE_CHECKING:
    import pandas as pd

    from experiments.compare import Comparison
    from experiments.tournament import Tournament

__all__ = ["show_comparison", "show_control", "show_power", "show_ratings"]


def show_ratings(out: Console, played: Tournament) -> None:
    """Print the ratings."""
    rated = played.ratings
    masses = "alpha_rank" in rated.columns
    model = "Bradley-Terry" if len(played.schedule.seats_held) == 1 else "Plackett-Luce"
    heads = ("agent", "rating", "from", "to", *(["alpha-rank"] if masses else []))
    table = new_table(out, f"Ratings ({model}, 400 points are odds of ten; 95 % interval)", heads)
    for row in rated.to_dict("records"):
        cells = [_rounded(row[name]) for name in ("rating", "low", "high")]
        table.add_row(
            escape(played.marked(row["agent"])),
            *cells,
            *([f"{row['alpha_rank']:.2f}"] if masses else []),
        )
    out.print(table)
    if bool((rated["group"] > 1).any()):
        out.print(
            "Some lost every game to all others: one drawn game between each two is added, and "
            "there are no intervals.",
            soft_wrap=not out.is_terminal,
        )


def _rounded(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:+.0f}"


def show_control(out: Console, played: Tournament, controlled: pd.DataFrame, control: str) -> None:
    """Print the differences corrected by a control."""
    heads = ("agent", "against", "points more", "corrected", "narrower")
    table = new_table(
        out, f"Points per round more, corrected by {control} on the same deals", heads, 2
    )
    for row in each_pair(played, controlled):
        table.add_row(
            escape(played.marked(row["agent"])),
            escape(played.marked(row["opponent"])),
            with_interval(row["difference"], row["half_width"], sign=True),
            with_interval(row["controlled"], row["controlled_half_width"], sign=True),
            f"{row['narrowing']:.2f}x",
        )
    out.print(table)


def show_power(out: Console, played: Tournament, powers: pd.DataFrame, difference: float) -> None:
    """Print how many deals differences take."""
    heads = (
        "agent",
        "against",
        "sd of a deal",
        f"{played.schedule.num_deals:,} deals find",
        "deals",
    )
    title = f"Deals that find {difference:g} points per round ({ALPHA:.0%} and {POWER:.0%} power)"
    table = new_table(out, title.replace("%", " %"), heads, 2)
    for row in each_pair(played, powers):
        table.add_row(
            escape(played.marked(row["agent"])),
            escape(played.marked(row["opponent"])),
            f"{row['deviation']:.1f}",
            f"{row['detectable']:.1f}",
            f"{row['deals_needed']:,}",
        )
    out.print(table)


def show_comparison(
    out: Console, found: Comparison, files: Iterable[str] = (), detect: float | None = None
) -> None:
    """Print what a comparison decided, its interval, files and the command that plays it again."""
    schedule = found.played.schedule
    out.print(
        f"{escape(_said(found))} ({schedule.num_players} seats, {found.deals:,} deals, "
        f"{schedule.num_games:,} {'rounds' if found.played.setup.episode == 'round' else 'games'}, "
        f"seed {schedule.seed}).",
        soft_wrap=True,
    )
    for row in found.intervals.to_dict("records"):
        out.print(f"{escape(_where(found, row['alone']))}{_sequence(row)}.", soft_wrap=True)
    out.print()
    show_notes(out, _notes(found, detect))
    show_end(out, found.played.folder, files, found.command)


def _said(found: Comparison) -> str:
    first, second = map(found.played.marked, (found.first, found.second))
    delta = f"{found.rule.delta:g}"
    if found.decision == "better":
        return f"{first} is better than {second}"
    if found.decision == "not better":
        return f"{first} is not better than {second} by {delta} points a round"
    return f"Undecided at the cap whether {first} is better than {second}"


def _where(found: Comparison, alone: str) -> str:
    if found.rule.num_directions == 1:
        return ""
    others = found.second if alone == found.first else found.first
    return f"One {found.played.marked(alone)} among {found.played.marked(others)}: "


def _sequence(row: dict[str, float]) -> str:
    ends = (
        "no interval: too few deals show a difference"
        if math.isnan(row["low"])
        else f"95 % confidence sequence {row['low']:+.1f} to {row['high']:+.1f}"
    )
    return f"{row['difference']:+.1f} points a round, {ends}"


def _notes(found: Comparison, detect: float | None) -> list[str]:
    rule = found.rule
    notes = [
        f'Errors: "better" where it is not {_percent(rule.alpha)}, "not better" where it is by '
        f"{rule.delta:g} points or more {_percent(rule.beta)}, at most."
    ]
    if bool((found.intervals["high"] < 0).all()):
        first, second = map(found.played.marked, (found.first, found.second))
        notes.append(f"All of it is below 0: {second} is better than {first}.")
    notes += forfeit_notes(found.played) + cheating_notes(found.played.setup.cheats)
    if detect is not None:
        most = max(found.deviations)
        notes.append(
            f"A tournament finds {detect:g} points with {deals_needed(most, detect):,} deals "
            f"({_percent(ALPHA)} and {_percent(POWER)} power), by the spread of these."
        )
    return notes


def _percent(share: float) -> str:
    return f"{100 * share:g} %"
