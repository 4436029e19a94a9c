"""Audits as a command: where files go, progress, and what is printed."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.markup import escape

from experiments import show
from experiments.audit.exploit import exploit, exploit_config
from experiments.audit.regret import by_phase, choices, decisions
from experiments.audit.states import SHIPPED, ValuedStates
from experiments.errors import RunError
from experiments.making import ready_agent
from experiments.progress import Bar
from experiments.run_folder import default_folder, environment
from experiments.stats import MIN_DEALS
from rummy500_env.rules import Rules

__all__ = ["refuse", "show_exploit", "show_regret"]


def refuse(how: str, given: Mapping[str, object]) -> None:
    """Refuse options that have no meaning."""
    for name, value in given.items():
        if value is not None:
            raise RunError(f"{name} has no meaning {how}")


def show_exploit(
    agent: str,
    rules: str,
    num_players: int,
    rounds: int,
    start: str | None,
    deals: int,
    seed: int,
    out: str | None,
) -> None:
    """Train a reply, measure it, print and write what it gains."""
    config = exploit_config(agent, rules, num_players, rounds, start, seed)
    folder = Path(out) if out is not None else default_folder("audit")
    with Bar("rounds") as bar:
        found = exploit(config, folder, deals, bar)
    words = ["rummy500", "audit", agent, "--rules", rules, "--players", str(num_players)]
    words += ["--rounds", str(rounds), *(["--start", start] if start is not None else [])]
    command = shlex.join([*words, "--deals", str(deals), "--seed", str(seed)])
    file = _write(
        folder,
        {
            "kind": "best reply, a lower bound of exploitability",
            "agent": agent,
            "rules": rules,
            "num_players": num_players,
            "gain": found.gain,
            "half_width": found.half_width if deals >= MIN_DEALS else None,
            "deals": deals,
            "rounds": deals * num_players,
            "seed": seed,
            "weights": found.weights.name,
            "training": asdict(config),
            "audit_command": command,
        },
    )
    others = num_players - 1
    seats = f"{others} seats of {agent}" if others > 1 else agent
    gain = show.with_interval(found.gain, found.half_width, sign=True)
    lines = [
        f"A network trained against {seats} for {rounds:,} rounds gains {gain} points a round over "
        f"it ({deals:,} duplicated deals, {deals * num_players:,} rounds, none of them in the "
        f"training; seed {seed}; 95 % interval"
        f"{'' if deals >= MIN_DEALS else f' from {MIN_DEALS} deals on'}).",
        "A best reply gains at least as much: this is a lower bound of the exploitability in "
        "single rounds, and a longer training may raise it."
        if found.gain > found.half_width
        else "The training has found nothing to win. That is no proof that there is nothing: a "
        "longer one may find it.",
        f"Result: {file}. The reply: learned:weights={found.weights}",
        f"Again: {command}",
    ]
    for line in lines:
        show.console().print(escape(line), soft_wrap=True)


def show_regret(
    name: str,
    rules: str | None,
    num_players: int | None,
    file: str | None,
    seed: int,
    out: str | None,
) -> None:
    """Ask an agent at the decisions of a file, print and write what it loses."""
    states = ValuedStates.load(SHIPPED if file is None else file)
    states.check(
        states.rules if rules is None else Rules.preset(rules),
        states.num_players if num_players is None else num_players,
    )
    agent = ready_agent(name, states.rules, states.num_players, seed)
    with Bar("decisions") as bar:
        rows = decisions(states, choices(agent, states, bar))
    phases = by_phase(rows)
    folder = Path(out) if out is not None else default_folder("audit")
    folder.mkdir(parents=True, exist_ok=True)
    rows.to_csv(folder / "decisions.csv", index=False)
    phases.to_csv(folder / "phases.csv", index=False)
    about = {"kind": "regret", "agent": name, "seed": seed, "states": states.about}
    result = _write(folder, about | {"phases": json.loads(str(phases.to_json(orient="records")))})
    _print_regret(name, states, phases)
    show.write(f"Result: {result}")


def _print_regret(name: str, states: ValuedStates, phases: Any) -> None:
    out, about = show.console(), states.about
    title = f"{name}: points lost a decision (± 95 % interval over decisions)"
    heads = ("phase", "decisions", "lost", "at most", "best %", "clearly worse %")
    table = show.new_table(out, title, heads)
    for row in phases.to_dict("records"):
        cells = [
            show.with_interval(scale * row[column], scale * row[f"{column}_half_width"], digits)
            for column, scale, digits in (
                ("lost", 1, 2),
                ("at_most", 1, 2),
                ("best_share", 100, 1),
                ("clearly_worse_share", 100, 1),
            )
        ]
        table.add_row(row["phase"], f"{row['decisions']:,}", *cells)
    out.print(table)
    show.show_notes(
        out,
        [
            f"Decisions with a choice, {states.num_players} players, drawn from rounds between "
            f"{', '.join(about['agents'])}. Moves were valued in up to {about['most_worlds']:,} "
            f"possible worlds by play of {about['rollout']} afterwards, at all seats: an agent "
            "that plays on differently may rightly choose differently.",
            "lost: behind the move that the other half of the worlds finds best (too low, if "
            "anything); at most: behind the best of all worlds (too high, by their chance).",
            "best: it made the move of the highest value. clearly worse: behind it by more than 2 "
            "standard errors.",
        ],
    )


def _write(folder: Path, result: dict[str, Any]) -> Path:
    """Write `audit.json`, with versions and machine; returns the file."""
    file = folder / "audit.json"
    file.write_text(json.dumps(result | environment(), indent=2) + "\n", encoding="utf-8")
    return file
