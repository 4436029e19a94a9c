"""How comparisons with other libraries are told: tables in 80 columns, or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from experiments.benchmarks.peers.model import Compared
from experiments.benchmarks.play import Tally
from experiments.benchmarks.report import figure_json, show_figures, tally_json

__all__ = ["as_json", "show"]


def as_json(
    found: dict[str, Any],
    settings: dict[str, Any],
    compared: Iterable[Compared],
    tallies: Iterable[Tally],
) -> dict[str, Any]:
    """All of it as plain data."""
    return {
        "machine": found,
        "settings": settings,
        "comparisons": [
            {
                "title": one.title,
                "package": one.package,
                "version": one.version,
                "figures": [figure_json(figure, None) for figure in one.figures],
                "does": dict(one.does),
                "absent": [absent._asdict() for absent in one.absent],
            }
            for one in compared
        ],
        "played": [tally_json(tally) for tally in tallies],
    }


def show(out: Console, compared: Sequence[Compared]) -> None:
    """Print a table for each library with what its loops do; then what was not measured."""
    for one in compared:
        if one.figures:
            show_figures(out, f", {one.title} {one.version}", one.figures)
            for name, does in one.does.items():
                out.print(escape(f"- {name}: {does.replace('`', '')}"))
            out.print()
    missing = {
        f"{one.title} {name}".strip(): reason for one in compared for name, reason in one.absent
    }
    if missing:
        out.print("[bold]Not measured[/bold]")
        for label, reason in missing.items():
            out.print(escape(f"- {label}: {reason}"))
        out.print()
