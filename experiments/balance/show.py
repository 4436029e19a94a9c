"""What a study says on the screen: a table for each agent and pair, in 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import pandas as pd
from rich.console import Console
from rich.markup import escape

from experiments.balance import summary
from experiments.balance.study import Study
from experiments.balance.summary import HEADS, MARK, lines, shorter, sign_changes
from experiments.show import new_table, show_end, show_notes
from experiments.stats import MIN_DEALS

__all__ = ["notes_of", "show_study"]

WITH_INTERVAL: Final = {"rounds_per_game", "starter_points", "strong_points", "strong_wins"}
"""Figures of which the interval has room."""
MAX_NAMED: Final = 8
"""So many variants are named in a line."""


def show_study(out: Console, study: Study, files: Iterable[str] = ()) -> None:
    """Print the summary, notes, files and the command that plays it again."""
    settings = study.manifest["settings"]
    tables = study.manifest["tables"]
    names = dict.fromkeys(table["variant"] for table in tables)
    out.print(
        f"{len(names)} variants, {len(tables)} tables, {settings['deals']:,} deals, "
        f"seed {settings['seed']}",
        soft_wrap=True,
    )
    out.print()
    for title, rows, columns, agent in summary.tables(study):
        _table(out, rows, columns, agent, title, rows is study.differences)
    show_notes(out, notes_of(study))
    show_end(out, study.folder, files, study.manifest["reproduce"])


def _table(
    out: Console,
    rows: pd.DataFrame,
    names: Sequence[str],
    agent: str,
    title: str,
    is_difference: bool,
) -> None:
    heads = ("variant", "n", *(HEADS[name] for name in names))
    table = new_table(out, f"{title} (± 95 % interval over deals)", heads)
    for line in lines(rows, names, agent):
        cells = [
            line.text(name, is_difference, is_difference or name in WITH_INTERVAL) for name in names
        ]
        table.add_row(escape(line.variant), str(line.players), *cells)
    out.print(table)
    out.print()


def notes_of(study: Study) -> list[str]:
    """What is to be said about a study, a line each."""
    notes = [f"Not played: {told}" for told in study.skipped]
    if study.manifest["settings"]["deals"] < MIN_DEALS:
        notes.append(f"Intervals are given from {MIN_DEALS} deals on.")
    for rows, what in ((study.figures, ""), (study.differences, "difference of ")):
        if rows is None:
            continue
        changing = sign_changes(rows)
        for name, found in changing.groupby("figure", sort=False):
            where = dict.fromkeys(
                f"{one} ({players})"
                for one, players in zip(found["variant"], found["players"], strict=True)
            )
            notes.append(
                f"{MARK} The sign of the {what}{name} changes with the agents: {_some(where)}."
            )
    if study.differences is not None:
        found = shorter(study.differences)
        names = [f"{row['variant']} ({row['players']})" for row in found.to_dict("records")]
        notes.append(
            f"Fewer turns a game than {study.against} with every agent, and the strong agent wins "
            f"not surely less: {_some(names) if names else 'none'}."
        )
    return notes


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    more = len(listed) - MAX_NAMED
    return ", ".join(listed[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
