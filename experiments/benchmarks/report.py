"""How the benchmark is told: a table in 80 columns, or JSON with the machine it was taken on."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.markup import escape

from experiments.benchmarks.harness import Figure, Target
from experiments.benchmarks.play import Tally
from experiments.benchmarks.variants import VariantFigures
from experiments.benchmarks.works import num_cores
from experiments.show import new_table

__all__ = [
    "as_json",
    "figure_json",
    "load_average",
    "machine",
    "show_figures",
    "show_machine",
    "show_tallies",
    "show_variants",
    "tally_json",
]

PACKAGES: Final = ("numpy", "numba", "llvmlite", "pettingzoo", "gymnasium")
TITLES: Final = {
    "decisions/s": "Decisions a second",
    "rounds/s": "Rounds a second",
    "µs": "Microseconds",
    "s": "Seconds",
}


def machine() -> dict[str, Any]:
    """What the figures were taken on and with."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": _cpu(),
        "cores": num_cores(),
        "load_average": load_average(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "rummy500": _version("rummy500"),
        **{name: _version(name) for name in PACKAGES},
    }


def load_average() -> float | None:
    """How many processes want a core, in the last minute; None where a system does not count."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


# -- JSON ----------------------------------------------------------------------------------------


def figure_json(figure: Figure, num_players: int | None) -> dict[str, Any]:
    """A figure as plain data."""
    low, high = figure.middle_half
    target = figure.target
    return {
        "name": figure.name.strip(),
        "num_players": num_players,
        "unit": figure.unit,
        "median": figure.median,
        "lower_quartile": low,
        "upper_quartile": high,
        "lowest": min(figure.values),
        "highest": max(figure.values),
        "turns": len(figure.values),
        "of": None if figure.of is None else list(figure.of),
        "target": None if target is None else _target_json(target),
        "met": figure.is_met,
        **figure.about,
    }


def _target_json(target: Target) -> dict[str, Any]:
    found = {"is": target.relation, "value": target.value}
    return found if target.aim is None else {**found, "aim": target.aim}


def as_json(
    found: dict[str, Any],
    settings: dict[str, Any],
    figures: Iterable[tuple[int | None, Figure]],
    tallies: Iterable[Tally],
) -> dict[str, Any]:
    """All of it as plain data."""
    return {
        "machine": found,
        "settings": settings,
        "figures": [figure_json(figure, players) for players, figure in figures],
        "played": [tally_json(tally) for tally in tallies],
    }


def tally_json(tally: Tally) -> dict[str, Any]:
    """What was played as plain data."""
    return {
        "name": tally.name,
        "num_players": tally.num_players,
        "decisions": tally.decisions,
        "rounds": tally.rounds,
        "decisions_per_round": tally.decisions / tally.rounds if tally.rounds else None,
        "known_decisions_per_round": tally.length.mean,
        "allowed_rounds": list(tally.allowed),
    }


# -- the table -----------------------------------------------------------------------------------


def show_machine(out: Console, found: dict[str, Any], settings: dict[str, Any]) -> None:
    """Say what the figures are taken on, and what they mean."""
    load = "" if found["load_average"] is None else f", load {found['load_average']:.1f}"
    versions = ", ".join(f"{name} {found[name]}" for name in ("python", "numba", "numpy"))
    for line in (
        f"{found['cpu']}, {found['cores']} cores{load}; {versions}; {found['date']}",
        f"Preset {settings['preset']}, episodes of one round, random legal actions. Decisions of "
        "all seats are counted, forced ones too (skip_forced=False). Median of "
        f"{settings['turns']} turns of {settings['seconds'] / settings['turns']:.2g} s each, "
        "what is compared in turn; ± is half the width of the middle half of the turns.",
    ):
        out.print(escape(line))
    out.print()


def show_figures(out: Console, title: str, figures: Sequence[Figure]) -> None:
    """Print figures, a table for each kind of unit; ratios stand below what they are made of."""
    placed: list[tuple[str, Figure]] = []
    for figure in figures:
        unit = placed[-1][0] if figure.of is not None else _kind(figure.unit)
        placed.append((unit, figure))
    for unit, rows in groupby(placed, key=lambda pair: pair[0]):
        table = new_table(out, f"{TITLES[unit]}{title}", ("", "median", "±", "target"))
        for _, figure in rows:
            table.add_row(escape(figure.name), _number(figure), _spread(figure), _aim(figure))
        out.print(table)
        out.print()


def show_variants(out: Console, rows: Iterable[VariantFigures]) -> None:
    """Print a row for each preset: decisions a second, and the shares with what they are to be."""
    heads = ("", "seats", "decisions/s", "of its floor", "not looking ahead = 1")
    table = new_table(out, "Batches of 1024 tables, float32, one core", heads)
    for row in rows:
        shares = [_share(figure) for figure in (row.share, row.cost)]
        table.add_row(escape(row.preset), str(row.num_players), _number(row.rate), *shares)
    out.print(table)
    out.print()


def _share(figure: Figure | None) -> str:
    if figure is None:
        return ""
    return f"{_number(figure)}{'' if figure.is_met else ' MISSED'}"


def show_tallies(out: Console, tallies: Iterable[Tally]) -> None:
    """Say that what was measured was the game."""
    by_players: dict[int, list[Tally]] = {}
    for tally in tallies:
        by_players.setdefault(tally.num_players, []).append(tally)
    for players, found in by_players.items():
        decisions = sum(tally.decisions for tally in found)
        rounds = sum(tally.rounds for tally in found)
        out.print(
            f"{players} players: {decisions:,} decisions were counted and {rounds:,} rounds ended, "
            f"as at {found[0].length.mean} decisions a round, which is known for random play.",
        )


def _kind(unit: str) -> str:
    return "µs" if unit.startswith("µs") else unit


def _number(figure: Figure) -> str:
    value = figure.median
    if figure.unit in ("decisions/s", "rounds/s"):
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 100 else f"{value:.2f}"


def _spread(figure: Figure) -> str:
    if len(figure.values) == 1:
        return ""
    low, high = figure.middle_half
    return f"{50 * (high - low) / figure.median:.1f} %"


def _aim(figure: Figure) -> str:
    if figure.target is None:
        return ""
    return f"{figure.target} {'met' if figure.is_met else 'MISSED'}"
