"""The command `rummy500 play`: its words and options."""

from __future__ import annotations

import typer

from experiments.cli_app import CHANGES, RULES, app, whole

__all__ = ["play"]


@app.command()
def play(
    opponents: list[str] = typer.Option(
        ["advisor"],
        "--opponents",
        "-o",
        metavar="NAMES",
        help="Agents at the other seats, from the one after yours on, with commas between them; "
        "one for all of them, or one for each.",
    ),
    rules: str = RULES,
    changes: list[str] = CHANGES,
    players: int = typer.Option(
        None,
        parser=whole,
        metavar="INTEGER",
        help="Seats at the table.",
        show_default="you and the opponents",
    ),
    seat: int = typer.Option(0, parser=whole, metavar="INTEGER", help="Where you sit."),
    seed: int = typer.Option(
        None,
        parser=whole,
        metavar="INTEGER",
        help="Seed of the game; all cards follow from it.",
        show_default="a new one",
    ),
    episode: str = typer.Option(
        "game", metavar="round|game", help="round: a single round; game: on to the target score."
    ),
    hint: str = typer.Option(
        None,
        metavar="NAME",
        help="The agent that ? asks.",
        show_default="learned where it can play, else advisor",
    ),
    view: str = typer.Option(
        "own", metavar="own|all", help="own: you see your cards; all: all hands lie open."
    ),
    record: str = typer.Option(
        None,
        metavar="FILE",
        help="Write the game to a new file (.r500), also when you stop (see: rummy500 replay).",
    ),
) -> None:
    """Play against agents, in the terminal.

    Each of your moves is one line: a number of the list, or a move such as draw, dig 7c,
    meld 7c 7d 7h, discard Kh. ? gives a hint, undo takes a move back, help says more.
    """
    from experiments.playing.run import run  # noqa: PLC0415

    run(opponents, rules, changes or [], players, seed, seat, episode, hint, view, record)
