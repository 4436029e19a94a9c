"""The commands that play games and show them: their words and options."""

from __future__ import annotations

import typer

from experiments.cli_app import CHANGES, RULES, SEED, WORKERS, app, number, whole

__all__ = ["compare", "replay", "tournament", "tune"]

# Options of several commands.
_EPISODE = typer.Option(
    "round", help="round: single rounds; game: on to the target score.", metavar="round|game"
)


@app.command()
def tournament(
    agents: list[str] = typer.Option(
        None,
        "--agents",
        "-a",
        metavar="NAMES",
        help="Names of agents with commas between them (see: rummy500 agents). Default: a first "
        "comparison of those that come with the package.",
    ),
    rules: str = RULES,
    changes: list[str] = CHANGES,
    players: int = typer.Option(2, parser=whole, metavar="INTEGER", help="Seats at each table."),
    deals: int = typer.Option(
        500, parser=whole, metavar="INTEGER", help="Game seeds; each is played in every seating."
    ),
    seed: int = SEED,
    out: str = typer.Option(
        None, metavar="FOLDER", help="Folder for the files.", show_default="runs/tournament-…"
    ),
    episode: str = _EPISODE,
    design: str = typer.Option(
        "auto",
        help="mixed: different agents at each table; pairs: one against the others, for each "
        "pair; gauntlet: the first agent against each other; teams: side against side; auto: what "
        "fits.",
        metavar="auto|mixed|pairs|gauntlet|teams",
    ),
    workers: int = WORKERS,
    strict: bool = typer.Option(
        False, "--strict", help="Stop when an agent fails; without it, it forfeits the game."
    ),
    isolate: bool = typer.Option(
        False,
        "--isolate",
        help="Ask agents that are not compiled in processes of their own, and kill those that "
        "never answer.",
    ),
    decision_seconds: float = typer.Option(
        None, help="Time for a decision; who takes longer forfeits the game.", show_default="any"
    ),
    game_seconds: float = typer.Option(
        None, help="Time for all decisions of a seat in a game.", show_default="any"
    ),
    actions: bool = typer.Option(False, "--actions", help="Write a table of all moves too."),
    pictures: bool = typer.Option(True, help="Draw score distributions and payoff matrix."),
    control: list[str] = typer.Option(
        None,
        metavar="NAMES",
        help="Correct the differences by what these agents make of the same deals.",
    ),
    detect: float = typer.Option(
        None,
        parser=number,
        metavar="POINTS",
        help="Say how many deals find a difference of so many points a round.",
    ),
    records: bool = typer.Option(
        False, "--records", help="Write the moves of all games too (see: rummy500 replay)."
    ),
    page: bool = typer.Option(
        False, "--report", help="Write one HTML page with tables, pictures and manifest."
    ),
) -> None:
    """Play agents against each other over duplicated deals; print and write what came out."""
    from experiments import cli_tournament  # noqa: PLC0415
    from experiments.runner import Conduct  # noqa: PLC0415

    cli_tournament.run(
        agents=agents or [],
        preset=rules,
        changes=changes or [],
        num_players=players,
        deals=deals,
        seed=seed,
        out=out,
        episode=episode,
        design=design,
        workers=workers,
        conduct=Conduct(strict, isolate, decision_seconds, game_seconds),
        actions=actions,
        pictures=pictures,
        control=control or [],
        detect=detect,
        records=records,
        page=page,
    )


@app.command()
def compare(
    first: str = typer.Argument(metavar="A", help="The agent of which it is asked."),
    second: str = typer.Argument(metavar="B", help="The agent it is compared with."),
    rules: str = RULES,
    changes: list[str] = CHANGES,
    players: int = typer.Option(
        2,
        parser=whole,
        metavar="INTEGER",
        help="Seats at each table; at three and more A has to beat B alone among B's, and with "
        "one B among A's.",
    ),
    delta: float = typer.Option(
        3.0,
        parser=number,
        metavar="POINTS",
        help="Smallest difference that matters, in points a round.",
    ),
    alpha: float = typer.Option(
        0.025,
        parser=number,
        metavar="CHANCE",
        help="Of saying that A is better where it is not.",
    ),
    beta: float = typer.Option(
        0.025,
        parser=number,
        metavar="CHANCE",
        help="Of saying that A is not better where it is by delta or more.",
    ),
    max_deals: int = typer.Option(
        20_000, parser=whole, metavar="INTEGER", help="Deals at which it stops in any case."
    ),
    seed: int = SEED,
    out: str = typer.Option(
        None, metavar="FOLDER", help="Folder for the files.", show_default="runs/compare-…"
    ),
    episode: str = _EPISODE,
    workers: int = WORKERS,
    pictures: bool = typer.Option(True, help="Draw the confidence sequence."),
    detect: float = typer.Option(
        None,
        parser=number,
        metavar="POINTS",
        help="Say how many deals a tournament would need for a difference of so many points a "
        "round, too.",
    ),
) -> None:
    """Play deals until it is known whether A is better than B, and by how much.

    Stops as soon as the difference is surely above 0, or surely below delta. The interval printed
    is one of a confidence sequence: it holds although the deals were not fixed before.
    """
    from experiments import cli_compare  # noqa: PLC0415

    cli_compare.run(
        first=first,
        second=second,
        preset=rules,
        changes=changes or [],
        num_players=players,
        seed=seed,
        out=out,
        episode=episode,
        delta=delta,
        alpha=alpha,
        beta=beta,
        max_deals=max_deals,
        workers=workers,
        pictures=pictures,
        detect=detect,
    )


@app.command()
def tune(
    agent: str = typer.Argument(metavar="AGENT", help="An agent with numbers, such as advisor."),
    opponents: list[str] = typer.Option(
        ["greedy"],
        metavar="NAMES",
        help="Agents it plays against, besides itself as it was some generations before.",
    ),
    only: str = typer.Option(
        None,
        metavar="SETTINGS",
        help="Tune these only, with commas between them.",
        show_default="all",
    ),
    rules: str = RULES,
    changes: list[str] = CHANGES,
    players: int = typer.Option(2, parser=whole, metavar="INTEGER", help="Seats at each table."),
    generations: int = typer.Option(
        100, parser=whole, metavar="INTEGER", help="Generations of CMA-ES."
    ),
    deals: int = typer.Option(
        400,
        parser=whole,
        metavar="INTEGER",
        help="Deals of a generation; each is played in every seating against each opponent.",
    ),
    population: int = typer.Option(
        None,
        parser=whole,
        metavar="INTEGER",
        help="Candidates of a generation.",
        show_default="4 + 3 ln(settings)",
    ),
    renew: int = typer.Option(
        20,
        parser=whole,
        metavar="INTEGER",
        help="Generations after which the earlier self is renewed.",
    ),
    final_deals: int = typer.Option(
        5000, parser=whole, metavar="INTEGER", help="Other deals, on which the result is measured."
    ),
    seed: int = SEED,
    out: str = typer.Option(
        None, metavar="FILE", help="JSON of the numbers and of each generation."
    ),
) -> None:
    """Tune an agent's numbers with CMA-ES, on duplicated deals.

    Needs the package cma: pip install 'rummy500[tune]'.
    """
    from experiments import cli_tune  # noqa: PLC0415

    cli_tune.run(
        agent=agent,
        opponents=opponents,
        only=only,
        preset=rules,
        changes=changes or [],
        num_players=players,
        generations=generations,
        deals=deals,
        population=population,
        renew=renew,
        final_deals=final_deals,
        seed=seed,
        out=out,
    )


@app.command()
def replay(
    path: str = typer.Argument(
        metavar="FILE", help="A file of records (.r500, .r500.gz), or the folder of a run."
    ),
    game: int = typer.Option(
        None, parser=whole, metavar="INTEGER", help="Only the game of this number (game_id)."
    ),
    round_number: int = typer.Option(
        None, "--round", parser=whole, metavar="INTEGER", help="Only this round of each game."
    ),
    everything: bool = typer.Option(
        False, "--all", help="Print all positions, on a terminal too, and ask nothing."
    ),
    export: str = typer.Option(
        None, metavar="OUT.npz", help="Write all decisions as arrays into a file, show nothing."
    ),
    minari: str = typer.Option(
        None, metavar="ID", help="Make a Minari data set, if Minari is installed."
    ),
    reward: str = typer.Option(
        None,
        metavar="NAME",
        help="Reward of a data set: score, points, own_points or win.",
        show_default="score",
    ),
    observations: str = typer.Option(
        None,
        metavar="float32|int8",
        help="Observations of a data set.",
        show_default="float32",
    ),
) -> None:
    """Play recorded games again, checking every move and score, and show each position.

    On a terminal Enter shows the next position, b the one before, q stops.
    """
    from experiments import cli_export, cli_replay  # noqa: PLC0415

    if export is None and minari is None:
        cli_export.refuse("without", {"--reward": reward, "--observations": observations})
        cli_replay.run(path, game, round_number, everything)
    else:
        cli_export.refuse("with", {"--round": round_number, "--all": everything or None})
        cli_export.run(path, game, export, minari, reward or "score", observations or "float32")
