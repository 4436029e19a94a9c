"""The commands `rummy500 exploitability` and `rummy500 solve`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

import agents
from experiments.exact.policies import policy_of
from experiments.exact.sequences import TwoSeats, two_seats
from experiments.exact.shares import play_shares
from experiments.exact.solving import solve
from experiments.exact.tree import grow_tree
from experiments.making import made
from experiments.progress import Bar
from experiments.run_folder import default_folder
from experiments.settings import rules_from_words

__all__ = ["run", "show_exploitability"]


def show_exploitability(
    name: str,
    preset: str,
    changes: Sequence[str],
    draws: int,
    seed: int,
    limit: int,
    as_json: bool,
) -> None:
    """Ask an agent everywhere, print what its best replies win."""
    rules = rules_from_words(preset, changes)
    agent = made(name)
    game = two_seats(grow_tree(rules, 2, limit))
    with Bar("information sets") as bar:
        asked = policy_of(agent, game.tree, draws, seed, bar)
    found = game.exploitability(asked.strategy)
    if as_json:
        told: dict[str, Any] = {
            "agent": name,
            "exploitability": found.exploitability,
            "nash_conv": found.nash_conv,
            "value_of_first_seat": found.value,
            "best_replies": list(found.best),
            "exact": asked.is_exact,
            "policy": asked.how,
            "play": play_shares(game, asked.strategy, asked.strategy),
            "counts": game.tree.counts,
        }
        typer.echo(json.dumps(told, indent=2))
        return
    typer.echo(_size(game))
    typer.echo(f"policy of {name}: {asked.how}")
    typer.echo(
        f"{name} against itself: the first seat wins {found.value:+.4f} points a round; best "
        f"replies to it win {found.best[0]:+.4f} as the first seat, {found.best[1]:+.4f} as the "
        "second"
    )
    typer.echo(_play(game, asked.strategy))
    sure = "" if asked.is_exact else " (of the estimated policy)"
    typer.echo(
        f"exploitability{sure}: {found.exploitability:.6f} points a round, the mean of what a best "
        f"reply gains in either seat; NashConv {found.nash_conv:.6f}"
    )


def run(
    preset: str, changes: Sequence[str], iterations: int, variant: str, out: str | None, limit: int
) -> None:
    """Solve, print, write."""
    rules = rules_from_words(preset, changes)
    with Bar("iterations") as bar:
        solved = solve(rules, iterations, variant, limit, bar)
    game = solved.game
    references = {
        name: game.exploitability(policy_of(agents.make(name), game.tree, 1).strategy)
        for name in ("random", "greedy")
    }
    folder = Path(out) if out is not None else default_folder("solve")
    solved.write(folder, {name: found.exploitability for name, found in references.items()})
    typer.echo(_size(game))
    for row in solved.curve.to_dict("records"):
        typer.echo(
            f"{row['iterations']:>9,} iterations {row['seconds']:>8.2f} s  "
            f"value {row['value']:+.5f}  exploitability {row['exploitability']:.7f}"
        )
    for name, found in references.items():
        typer.echo(f"{name}: exploitability {found.exploitability:.4f}")
    typer.echo(_play(game, solved.strategy))
    typer.echo(
        f"value of the first seat: {solved.measured.value:+.4f} points a round, between "
        f"{-solved.measured.best[1]:+.6f} and {solved.measured.best[0]:+.6f}"
    )
    typer.echo(f"files: {folder}; the strategy as an agent: {folder / 'agent.py'}:solved")


def _size(game: TwoSeats) -> str:
    counts = game.tree.counts
    return (
        f"rules {game.tree.rules.digest}: {counts['histories']:,} histories, "
        f"{counts['information_sets']:,} information sets, {counts['terminals']:,} ends"
    )


def _play(game: TwoSeats, strategy: Any) -> str:
    shares = play_shares(game, strategy, strategy)
    kinds = ("draws", "digs", "sets", "runs", "layoffs", "discards")
    each = ", ".join(f"{name} {shares[name]:.3f}" for name in kinds)
    return (
        f"played in a round: {each}; digs where one is allowed {shares['dig_share']:.1%}; a meld "
        f"held back at {shares['held_back']:.1%} of the discards"
    )
