"""The commands that study variants and write reports: their words and options."""

from __future__ import annotations

import typer

from experiments.cli_app import SEED, WORKERS, app, whole

__all__ = ["balance", "report"]


@app.command()
def balance(
    rules: str = typer.Option(
        "rummy500",
        metavar="PRESETS",
        help="Presets with commas between them (see: rummy500 rules), or all.",
    ),
    grid: list[str] = typer.Option(
        None,
        metavar="OPTION=VALUE,VALUE",
        help="Values to try for an option of the rules, in all combinations. Can be repeated.",
    ),
    players: str = typer.Option(
        None,
        metavar="NUMBERS",
        help="Seats at each table, with commas between them.",
        show_default="the fewest of a variant, and 4",
    ),
    agents: list[str] = typer.Option(
        None,
        "--agents",
        "-a",
        metavar="NAMES",
        help="Agents, weakest first: each plays itself, and against the one before it.",
        show_default="greedy,advisor, and learned where weights are there",
    ),
    deals: int = typer.Option(
        500,
        parser=whole,
        metavar="INTEGER",
        help="Game seeds, the same for all variants; whole games are played.",
    ),
    seed: int = SEED,
    against: str = typer.Option(
        None, metavar="VARIANT", help="Compare all variants with this one, on the same deals."
    ),
    out: str = typer.Option(
        None, metavar="FOLDER", help="Folder for the files.", show_default="runs/balance-…"
    ),
    workers: int = WORKERS,
    strict: bool = typer.Option(
        False, "--strict", help="Refuse combinations that cannot be, instead of skipping them."
    ),
    slow: bool = typer.Option(
        False, "--slow", help="Allow agents that are not compiled, which take long."
    ),
    pictures: bool = typer.Option(True, help="Draw pictures."),
    page: bool = typer.Option(
        False, "--report", help="Write one HTML page with tables, pictures and manifest."
    ),
) -> None:
    """Measure variants: length, seats, spread, comebacks, luck against skill.

    Each agent plays whole games with itself, and against the next weaker one in every seating.
    """
    from experiments import cli_balance  # noqa: PLC0415

    cli_balance.run(
        rules=rules,
        grid=grid or [],
        players=players,
        agents=agents or [],
        deals=deals,
        seed=seed,
        against=against,
        out=out,
        workers=workers,
        strict=strict,
        slow=slow,
        pictures=pictures,
        page=page,
    )


@app.command()
def report(
    folder: str = typer.Argument(
        metavar="FOLDER", help="Folder of a tournament or of a study of variants."
    ),
) -> None:
    """Write one HTML page of a run, with its tables, pictures and manifest."""
    from experiments.report import write_report  # noqa: PLC0415

    typer.echo(str(write_report(folder)))
