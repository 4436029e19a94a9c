"""Write the tables of `performance.md` from what `rummy500 bench --peers --json` printed.

    rummy500 bench --peers --json > docs/peers.json
    python docs/write_performance.py

A test compares the page with what this makes of the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

PAGE: Final = Path(__file__).with_name("performance.md")
MEASURED: Final = Path(__file__).with_name("peers.json")

TABLE: Final = re.compile(r"(<!-- peers:start -->\n).*(<!-- peers:end -->)", re.DOTALL)

MACHINE: Final = """\
{machine[cpu]}, {machine[cores]} cores, {system}, Python {machine[python]}, numba \
{machine[numba]}, NumPy {machine[numpy]}; {date}, load {load} \
(1 is this process alone). Medians of {settings[turns]} turns of {turn:.2g} s, ± half the width of \
their middle half.

"""
HEADS: Final = """\
| measured | {unit} | ours | {unit} | ours to it | asked |
|---|---:|---|---:|---:|---|
"""
UNITS: Final = {"decisions/s": "decisions a second", "µs/clone": "µs a copy"}


def written(page: str, found: dict[str, Any]) -> str:
    """The page with the tables of what was measured."""
    machine, settings = found["machine"], found["settings"]
    text = MACHINE.format(
        machine=machine,
        system=machine["system"].split("-")[0],
        load=_load(machine),
        date=datetime.fromisoformat(machine["date"]).date().isoformat(),
        settings=settings,
        turn=settings["seconds"] / settings["turns"],
    )
    for unit, head in UNITS.items():
        rows = dict.fromkeys(row for one in found["comparisons"] for row in _rows(one, unit))
        if rows:
            text += HEADS.format(unit=head) + "\n".join(rows) + "\n\n"
    done = [f"- {line}\n" for one in found["comparisons"] for line in _done(one)]
    text += "What is done for a decision, and what is observed:\n\n" + "".join(done)
    return TABLE.sub(lambda match: f"{match[1]}{text}{match[2]}", page)


def _load(machine: dict[str, Any]) -> str:
    """The load before and after, as far as it is known."""
    times = {"before": "load_average", "after": "load_average_after"}
    known = [f"{machine[key]:.1f} {when}" for when, key in times.items() if machine.get(key)]
    return " and ".join(known) or "unknown"


def _rows(comparison: dict[str, Any], unit: str) -> Iterator[str]:
    """A row for each ratio; what a loop is called and reaches stands in its first one only."""
    figures = comparison["figures"]
    rates = {figure["name"]: figure for figure in figures if figure["of"] is None}
    for name in comparison["does"]:
        theirs = rates[name]
        if theirs["unit"] != unit:
            continue
        first = f"{_title(comparison)} {name}"
        for ratio in figures:
            if ratio["of"] is not None and name in ratio["of"]:
                ours = rates[next(other for other in ratio["of"] if other != name)]
                shown = _with_spread(theirs) if first else ""
                times = _with_spread(ratio)
                cells = (first, shown, ours["name"], _number(ours), times, _asked(ratio))
                yield f"| {' | '.join(cells)} |"
                first = ""
    if unit == "decisions/s":
        for absent in comparison["absent"]:
            label = f"{_title(comparison)} {absent['name']}".strip()
            yield f"| {label} | {absent['reason']} | | | | |"


def _title(comparison: dict[str, Any]) -> str:
    version = comparison["version"]
    return comparison["title"] if version is None else f"{comparison['title']} {version}"


def _done(comparison: dict[str, Any]) -> Iterator[str]:
    figures = {figure["name"]: figure for figure in comparison["figures"]}
    for name, does in comparison["does"].items():
        figure = figures[name]
        seen = ""
        if "observation_shape" in figure:
            shape = " x ".join(map(str, figure["observation_shape"]))
            seen = f". {shape} {figure['observation_dtype']}, {figure['num_actions']} actions"
        yield f"{comparison['title']} {name}: {does}{seen}."


def _number(figure: dict[str, Any]) -> str:
    value = figure["median"]
    if figure["unit"] == "decisions/s":
        return f"{value:,.0f}"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _with_spread(figure: dict[str, Any]) -> str:
    half = (figure["upper_quartile"] - figure["lower_quartile"]) / 2
    return f"{_number(figure)} ± {half / figure['median']:.0%}"


def _asked(ratio: dict[str, Any]) -> str:
    target = ratio["target"]
    if target is None:
        return ""
    aim = f", aim {target['aim']:g}" if "aim" in target else ""
    relation = target["is"].replace(">=", "≥")
    return f"{relation} {target['value']:g}{aim}: {'met' if ratio['met'] else 'missed'}"


if __name__ == "__main__":
    measured = json.loads(MEASURED.read_text(encoding="utf-8"))
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), measured), encoding="utf-8")
