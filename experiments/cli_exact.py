"""The commands that give exact answers of tiny games: their words and options."""

from __future__ import annotations

import typer

from experiments.cli_app import CHANGES, app, whole

__all__ = ["exploitability", "solve"]

_RULES = typer.Option(
    "mini", metavar="PRESET", help="Preset of the rules: mini, small, or another tiny one."
)
_LIMIT = typer.Option(
    30_000_000, parser=whole, metavar="INTEGER", help="Most histories that are enumerated."
)


@app.command()
def exploitability(
    agent: str = typer.Argument(metavar="AGENT", help="An agent (see: rummy500 agents)."),
    rules: str = _RULES,
    changes: list[str] = CHANGES,
    draws: int = typer.Option(
        64,
        parser=whole,
        metavar="INTEGER",
        help="How often an agent that draws random bits is asked at each information set.",
    ),
    seed: int = typer.Option(
        0, parser=whole, metavar="INTEGER", help="Seed of the agent and of its random bits."
    ),
    limit: int = _LIMIT,
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Say exactly how much the best replies win from an agent in a tiny game of two.

    The agent is asked at every information set. In points a round.
    """
    from experiments import cli_solve  # noqa: PLC0415

    cli_solve.show_exploitability(agent, rules, changes or [], draws, seed, limit, as_json)


@app.command()
def solve(
    rules: str = typer.Argument(
        "mini", metavar="PRESET", help="Preset of the rules: mini, small, or another tiny one."
    ),
    changes: list[str] = CHANGES,
    iterations: int = typer.Option(
        1000, parser=whole, metavar="INTEGER", help="Iterations; in each both seats learn."
    ),
    variant: str = typer.Option(
        "pcfr+", metavar="pcfr+|cfr+|dcfr", help="Kind of counterfactual regret minimization."
    ),
    out: str = typer.Option(
        None, metavar="FOLDER", help="Folder for the files.", show_default="runs/solve-…"
    ),
    limit: int = _LIMIT,
) -> None:
    """Solve a tiny game of two: its value, an equilibrium, the way there as table and picture."""
    from experiments import cli_solve  # noqa: PLC0415

    cli_solve.run(rules, changes or [], iterations, variant, out, limit)
