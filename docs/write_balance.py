"""Write the findings of `balance.md` out of the tables of a study.

    rummy500 balance --rules all --against rummy500 --workers 2 --out runs/balance
    python -m docs.write_balance runs/balance

With a folder it puts what the page needs of the study into `balance.json`; without one it writes
the page from there. A test compares the page with what this makes of the file.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import pandas as pd

from experiments.balance import figures, summary
from experiments.balance.study import load_study
from experiments.balance.summary import DIFFERENT, DUELS, OWN, Line, lines
from experiments.balance.summary import HEADS as HEAD

PAGE: Final = Path(__file__).with_name("balance.md")
MEASURED: Final = Path(__file__).with_name("balance.json")

FIGURES: Final = re.compile(r"(<!-- figures:start -->\n).*(<!-- figures:end -->)", re.DOTALL)
FOUND: Final = re.compile(r"(<!-- found:start -->\n).*(<!-- found:end -->)", re.DOTALL)

KEPT: Final = {
    "figures": (*OWN, *DUELS, "turns_per_game", "undecided_games"),
    "differences": (*DIFFERENT[False], *DIFFERENT[True]),
}
"""Figures that the page needs."""
COLUMNS: Final = [
    "variant", "players", "agent", "figure", "value", "low", "high", "sign_changes",
]  # fmt: skip
DIGITS: Final = 4
"""Significant digits that are kept."""
AGENT, PAIR = "advisor", "advisor against greedy"
"""Whose numbers the page shows: all variants are played by them."""

HEADS: Final = ["variant", "n", *(HEAD[name] for name in OWN), "wins more %", "deal %", "agents %"]


def taken(folder: str | Path) -> dict[str, Any]:
    """What the page needs of a study."""
    study = load_study(folder)
    manifest = study.manifest
    found: dict[str, Any] = {
        "reproduce": manifest["reproduce"],
        "against": study.against,
        "deals": manifest["settings"]["deals"],
        "seed": manifest["settings"]["seed"],
        "tables": len(manifest["tables"]),
        "started": manifest["started"],
        "machine": manifest["machine"],
        "versions": manifest["versions"],
        "skipped": study.skipped,
        "columns": COLUMNS,
    }
    for name, table in (("figures", study.figures), ("differences", study.differences)):
        if table is None:
            raise SystemExit("the page compares variants: play the study with --against")
        kept: Any = table[table["figure"].isin(KEPT[name]) & (table["at"] == "")][COLUMNS]
        found[name] = [[_short(value) for value in row] for row in kept.to_numpy().tolist()]
    return found


def _short(value: Any) -> Any:
    """A number with few digits; NaN, which JSON has not, as None."""
    if not isinstance(value, float):
        return value
    return None if math.isnan(value) else float(f"{value:.{DIGITS}g}")


def _table(measured: dict[str, Any], name: str) -> pd.DataFrame:
    found = pd.DataFrame(measured[name], columns=measured["columns"])
    numbers = ["value", "low", "high"]
    found[numbers] = found[numbers].astype(float)
    return found.assign(at="")


def written(page: str, measured: dict[str, Any]) -> str:
    """The page with the figures that there are and what was found."""
    rows, less = _table(measured, "figures"), _table(measured, "differences")
    text = "\n".join([_settings(measured), "", *_findings(rows, less, measured["against"]), ""])
    text += "\n" + _overview(rows) + "\n" + _shorter(less, measured["against"])
    page = FIGURES.sub(lambda match: f"{match[1]}{figures.documentation()}{match[2]}", page)
    return FOUND.sub(lambda match: f"{match[1]}{text}{match[2]}", page)


def _settings(measured: dict[str, Any]) -> str:
    machine, versions = measured["machine"], measured["versions"]
    when = datetime.fromisoformat(measured["started"]).date().isoformat()
    return (
        f"{measured['tables']} tables, {measured['deals']:,} deals, seed {measured['seed']}; "
        f"{when}, {machine['processor']}, {machine['cores']} cores, Python {versions['python']}, "
        f"numba {versions['numba']}: `{measured['reproduce']}`."
    )


# --- what was found -------------------------------------------------------------------------------


def _findings(rows: Any, less: Any, base: str) -> Iterator[str]:
    """A line for each finding."""
    own = lines(rows, ("turns_per_game", "turns_per_round", "undecided_games", *OWN), AGENT)
    duels = lines(rows, DUELS, PAIR)
    for players in sorted({line.players for line in own if _is_many(own, line.players)}):
        here = [line for line in own if line.players == players]
        ends = _ends(here, "turns_per_game")
        yield f"- **Length, {players} seats** ({AGENT}, turns a game): {ends}."
    yield from _undecided(rows)
    yield from _seats(rows)
    for players in sorted({line.players for line in duels if _is_many(duels, line.players)}):
        here = [line for line in duels if line.players == players]
        yield (
            f"- **Luck, {players} seats** ({PAIR}): of the variance of a round's result the deal "
            f"explains {_ends(here, 'deal_share')}, the agents {_ends(here, 'agent_share')}."
        )
        yield (
            f"- **Skill, {players} seats** ({PAIR}): the strong one wins, more than its share of "
            f"games, {_ends(here, 'strong_wins')}."
        )
    yield from _points_without_wins(duels)
    changing = less[less["sign_changes"].astype(bool)]
    for name, found in changing.groupby("figure", sort=False):
        yield (
            f"- **Changes its sign with the agents**: the difference of `{name}` to {base} in "
            f"{_named(found)}."
        )


def _is_many(found: Sequence[Line], players: int) -> bool:
    """Whether there is something to compare at so many seats."""
    return sum(line.players == players for line in found) > 2


def _ends(found: Iterable[Line], name: str) -> str:
    """The lowest and the highest of a figure, with whose they are."""
    there = sorted((one for one in found if name in one.rows), key=lambda one: _value(one, name))
    low, high = there[0], there[-1]
    unit = " %" if figures.figure(name).percent else ""
    ends = (f"{one.text(name)}{unit} ({one.variant})" for one in (low, high))
    return " to ".join(ends)


def _value(line: Line, name: str) -> float:
    return float(line.rows[name]["value"])


def _undecided(rows: Any) -> Iterator[str]:
    """Variants whose games do not come to an end."""
    found = rows[(rows["figure"] == "undecided_games") & (rows["low"] > 0)]
    told = [
        f"{row['variant']} ({row['players']}, {row['agent']}: {100 * row['value']:.0f} %)"
        for row in found.to_dict("records")
    ]
    if told:
        yield f"- **Games that a limit cuts off**: {', '.join(told)}."


def _seats(rows: Any) -> Iterator[str]:
    """Where the first turn of a round is worth something."""
    starter = rows[rows["figure"] == "starter_points"]
    num_tables = len(starter.groupby(["variant", "players"]))
    sure = starter[(starter["low"] > 0) | (starter["high"] < 0)]
    expected = 0.05 * len(starter)
    yield (
        f"- **First turn**: of {len(starter)} intervals (variant, seats, agent; {num_tables} "
        f"tables) {len(sure)} leave out 0, where {expected:.0f} would if it were worth nothing "
        f"everywhere: {_count(sure['value'] > 0)} for it, {_count(sure['value'] < 0)} against it."
    )
    agreed = [
        f"{variant} ({players}: {', '.join(f'{value:+.1f}' for value in found['value'])})"
        for (variant, players), found in sure.groupby(["variant", "players"], sort=False)
        if len(found) > 1 and _count(found["value"] > 0) in (0, len(found))
    ]
    if agreed:
        yield f"- **First turn, sure for several agents** (points a round): {', '.join(agreed)}."
    flips = starter[starter["sign_changes"].astype(bool)]
    if len(flips):
        yield f"- **First turn, sign changes with the agent**: {_named(flips)}."


def _points_without_wins(duels: Sequence[Line]) -> Iterator[str]:
    """Where more points are fewer games."""
    told = [
        f"{line.variant} ({line.players}: {line.text('strong_points')} points a round, "
        f"{line.text('strong_wins')} % of games)"
        for line in duels
        if line.rows["strong_points"]["low"] > 0 and line.rows["strong_wins"]["high"] < 0
    ]
    if told:
        yield f"- **More points, fewer games** ({PAIR}): {', '.join(told)}."


def _count(found: Any) -> int:
    return int(found.sum())


def _named(rows: Any) -> str:
    pairs = zip(rows["variant"], rows["players"], strict=True)
    return ", ".join(dict.fromkeys(f"{variant} ({players})" for variant, players in pairs))


# --- tables ---------------------------------------------------------------------------------------


def _overview(rows: pd.DataFrame) -> str:
    """All tables: the advisor with itself, and against greedy."""
    duels = {(one.variant, one.players): one for one in lines(rows, DUELS, PAIR)}
    text = f"`{AGENT}` with itself, and (last three columns) {PAIR}:\n\n"
    text += f"| {' | '.join(HEADS)} |\n| --- |{' ---: |' * (len(HEADS) - 1)}\n"
    for line in lines(rows, OWN, AGENT):
        duel = duels[line.variant, line.players]
        cells = [line.text(name) for name in OWN]
        cells += [duel.text(name) for name in ("strong_wins", "deal_share", "agent_share")]
        text += f"| {line.variant} | {line.players} | {' | '.join(cells)} |\n"
    return text


def _shorter(less: pd.DataFrame, base: str) -> str:
    """Which variants shorten the game without adding luck."""
    found = summary.shorter(less)
    if not len(found):
        return f"No variant has surely fewer turns a game than `{base}` with every agent.\n"
    text = (
        f"Fewer turns a game than `{base}` with every agent, and the strong agent does not surely "
        "win less (lowest of the pairs):\n\n"
        "| variant | n | turns a game, at least | wins more % |\n| --- | ---: | ---: | ---: |\n"
    )
    for row in found.to_dict("records"):
        half = 50 * (row["high"] - row["low"])
        text += (
            f"| {row['variant']} | {row['players']} | {row['turns']:+.0f} "
            f"| {100 * row['strong_wins']:+.1f} ± {half:.1f} |\n"
        )
    return text


if __name__ == "__main__":
    if len(sys.argv) > 1:
        told = json.dumps(taken(sys.argv[1]), indent=1, ensure_ascii=False)
        # a row of a table in a line
        told = re.sub(r"\n {3,}|\n  (?=\])", " ", told)
        MEASURED.write_text(told + "\n", encoding="utf-8")
    found = json.loads(MEASURED.read_text(encoding="utf-8"))
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
