"""What a tournament says on the screen: leaderboard, payoff matrix, where things are.

In 80 columns; with lines and colour on a terminal, plain in a file or a pipe.
"""

from __future__ import annotations

import itertools
import math
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from experiments.cheating import cheating_notes
from experiments.stats import LEVEL, MIN_DEALS, num_tests

if TYPE_CHECKING:
    import pandas as pd

    from experiments.schedule import Schedule
    from experiments.tournament import Tournament

__all__ = ["console", "show_tournament", "with_interval", "write"]

WIDTH: Final = 80
MAX_MATRIX: Final = 6
"""Agents up to which the columns of the payoff matrix have room."""


def console() -> Console:
    """Where commands print to."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=WIDTH, no_color=True)


def write(text: str) -> None:
    """Print text as it is."""
    sys.stdout.write(text + "\n")


def with_interval(
    value: float, half_width: float, digits: int = 1, sign: bool = False, unit: str = ""
) -> str:
    """A mean with its interval, such as ``+12.3 ± 0.8``; without one where there is none."""
    if math.isnan(value):
        return "-"
    shown = f"{value:{'+' if sign else ''}.{digits}f}"
    interval = "" if math.isnan(half_width) else f" ± {half_width:.{digits}f}"
    return f"{shown}{interval}{unit}"


def new_table(out: Console, title: str, heads: Sequence[str], left: int = 1) -> Table:
    """An empty table under a printed title; columns after the first `left` are numbers."""
    style = box.SIMPLE_HEAD if out.is_terminal else None
    out.print(f"[bold]{escape(title)}[/bold]", soft_wrap=True)
    table = Table(box=style, pad_edge=False, padding=(0, 1) if out.is_terminal else (0, 2, 0, 0))
    for index, head in enumerate(heads):
        if index < left:
            table.add_column(head, overflow="fold")
        else:
            table.add_column(head, justify="right", no_wrap=index != len(heads))
    return table


def show_tournament(
    out: Console,
    played: Tournament,
    files: Iterable[str] = (),
    more: Iterable[Callable[[Console], None]] = (),
    words: Sequence[str] = (),
) -> None:
    """Print leaderboard, payoff matrix, notes, files and the command that plays it again.

    Args:
        out: where to.
        played: the tournament.
        files: names of its files.
        more: prints what comes after the payoffs.
        words: what more the command has.
    """
    setup, schedule = played.setup, played.schedule
    out.print(
        f"{len(played.agents)} agents at {schedule.num_players} seats, seed {schedule.seed}: "
        f"{schedule.num_deals:,} deals, {schedule.num_games:,} {_games(setup.episode)}",
        soft_wrap=True,
    )
    out.print()
    out.print(_leaderboard(out, played))
    out.print()
    out.print(_payoffs(out, played))
    out.print()
    for show_more in more:
        show_more(out)
        out.print()
    show_notes(out, _notes(played))
    command = played.command and shlex.join([*shlex.split(played.command), *words])
    show_end(out, played.folder, files, command)


def show_notes(out: Console, notes: Iterable[str]) -> None:
    """Print notes, a line each."""
    for note in notes:
        out.print(f"- {escape(note)}", soft_wrap=not out.is_terminal)


def show_end(out: Console, folder: Path | None, files: Iterable[str], command: str | None) -> None:
    """Print where things are, and the command that plays it again."""
    if folder is not None:
        out.print(f"\nFiles in {escape(str(folder))}:", soft_wrap=True)
        out.print(f"  {', '.join(files)}", soft_wrap=not out.is_terminal)
    if command is None:
        out.print("\nIt was played from Python, with agents that no command names.", soft_wrap=True)
        return
    out.print("\nThe same again:", soft_wrap=True)
    out.print(f"  {escape(command)}", soft_wrap=True)


def _leaderboard(out: Console, played: Tournament) -> Table:
    heads = ("agent", "rounds", "points/round", "vs field", "wins %", "out %")
    table = new_table(out, "Leaderboard (± 95 % interval over deals)", heads)
    for row in played.leaderboard.to_dict("records"):
        table.add_row(
            escape(played.marked(row["agent"])),
            f"{row['rounds']:,}",
            with_interval(row["points_per_round"], row["points_per_round_half_width"]),
            with_interval(row["vs_field"], row["vs_field_half_width"], sign=True),
            with_interval(100 * row["win_share"], 100 * row["win_share_half_width"]),
            f"{100 * row['went_out_share']:.1f}",
        )
    return table


def _payoffs(out: Console, played: Tournament) -> Table:
    """The matrix, best agent first; as a list of pairs where it would be too wide."""
    order = list(played.leaderboard["agent"])
    title = "Payoffs: points per round that the row's agent scores more than the column's"
    if not has_mirrors(played.schedule):
        title = "Payoffs: points per round that one row agent scores more than others of the column"
    means, halves = played.payoffs, played.payoff_half_widths
    if len(order) > MAX_MATRIX:
        heads = ("agent", "against", "points more")
        table = new_table(out, "Payoffs: points per round more than the other's", heads, left=2)
        for row, column in itertools.permutations(order, 2):
            if not has_mirrors(played.schedule) or order.index(row) < order.index(column):
                value = with_interval(means.loc[row, column], halves.loc[row, column], sign=True)
                table.add_row(escape(played.marked(row)), escape(played.marked(column)), value)
        return table
    short = [f"{number}" for number in range(1, len(order) + 1)]
    table = new_table(out, title, ("agent", *short))
    for number, row in zip(short, order, strict=True):
        cells = [
            ""
            if row == column
            else with_interval(means.loc[row, column], halves.loc[row, column], sign=True).replace(
                " ±", "\n±"
            )
            for column in order
        ]
        table.add_row(f"{number} {escape(played.marked(row))}", *cells)
    return table


def _notes(played: Tournament) -> list[str]:
    notes: list[str] = []
    gains = played.pairs["pairing_gain"].dropna()
    if len(gains):
        low, high = f"{1 / gains.max():.2f}", f"{1 / gains.min():.2f}"
        notes.append(
            "Each deal is played in every seating; variance of the differences with this pairing "
            f"/ without: {low if low == high else f'{low} to {high}'}."
        )
    notes += _sign_notes(played)
    if played.schedule.num_deals < MIN_DEALS:
        notes.append(f"Intervals are given from {MIN_DEALS} deals on.")
    if played.num_truncated:
        notes.append(f"{played.num_truncated:,} games were cut off by a limit.")
    return notes + forfeit_notes(played) + cheating_notes(played.setup.cheats)


def forfeit_notes(played: Tournament) -> list[str]:
    """Who forfeited games, how many, and why the first."""
    notes: list[str] = []
    for agent, forfeits in played.forfeits.groupby("agent"):
        first = forfeits.iloc[0]
        notes.append(
            f"{played.marked(str(agent))} forfeited {len(forfeits):,} games; the first, game "
            f"{first['game_id']:,}: {first['reason']}."
        )
    return notes


def _sign_notes(played: Tournament) -> list[str]:
    """Which pairs the sign test does not tell apart."""
    tests = num_tests(played.sums)
    open_pairs = [
        f"{played.marked(row['agent'])} - {played.marked(row['opponent'])} "
        f"(p {row['sign_p_holm']:.2f})"
        for row in each_pair(played, played.pairs)
        if row["sign_p_holm"] > 1 - LEVEL
    ]
    test = "Sign test over deals" + (f", Holm over {tests} pairs" if tests > 1 else "")
    if not open_pairs:
        return [f"{test}: {'all pairs differ' if tests > 1 else 'they differ'} at 5 %."]
    return [f"{test}: not told apart at 5 %: {'; '.join(open_pairs)}."]


def has_mirrors(schedule: Schedule) -> bool:
    """Whether a's difference to b is that of b to a with the other sign."""
    return not schedule.plays_pairs or len(schedule.seats_held) == 1


def each_pair(played: Tournament, pairs: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table of ordered pairs, without those that mirror others; best agent first."""
    order = list(played.leaderboard["agent"])
    mirrored = has_mirrors(played.schedule)
    rows = sorted(
        pairs.to_dict("records"),
        key=lambda row: (order.index(row["agent"]), order.index(row["opponent"])),
    )
    return [
        row
        for row in rows
        if not mirrored or order.index(row["agent"]) < order.index(row["opponent"])
    ]


def _games(episode: str) -> str:
    return "rounds" if episode == "round" else "games"
