"""The command `rummy500`.

Every fault a user can cause is one line on stderr and exit status 2. An interrupted command keeps
what it has finished, says so in one line, and exits with status 130. What a command needs is
imported when it runs, so that `rummy500 --help` is there at once.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import Final

import typer

# Modules that declare commands; help lists these in the order of the imports.
from experiments import cli_contests  # noqa: F401

# isort: split
from experiments import cli_audit, cli_exact, cli_play, cli_train, cli_variants  # noqa: F401
from experiments.cli_app import app, whole

__all__ = ["app", "main"]

FAULT: Final = 2
INTERRUPTED: Final = 130


@app.command("agents")
def list_agents(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """List the agents that can play."""
    from experiments import cli_lists  # noqa: PLC0415

    cli_lists.show_agents(as_json)


@app.command("rules")
def show_rules(
    names: list[str] = typer.Argument(
        None, metavar="[NAME [NAME]]", help="A preset for its page, two for their differences."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """List the presets and options of the rules, show one preset, or compare two."""
    from experiments import cli_lists  # noqa: PLC0415

    cli_lists.show_rules(names or [], as_json)


@app.command("bench")
def run_bench(
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    players: list[str] = typer.Option(
        ["2"],
        metavar="NUMBERS",
        help="Seats at each table; several numbers with commas between them.",
    ),
    seconds: float = typer.Option(
        None,
        help="Time for each measurement.",
        show_default="1, or 0.1 with --quick",
    ),
    quick: bool = typer.Option(
        False, "--quick", help="A first look: short, one size of batch, no start."
    ),
    start: bool = typer.Option(True, help="Measure cold and warm start too: about a minute."),
    check: bool = typer.Option(False, "--check", help="Exit with 1 when a target is missed."),
    seed: int = typer.Option(0, parser=whole, metavar="INTEGER", help="Seed of all play."),
    rules: list[str] = typer.Option(
        [],
        metavar="PRESETS",
        help="Measure batches of these presets beside each other; 'all' for every one.",
    ),
    peers: bool = typer.Option(
        False,
        "--peers",
        help="Measure the card games of OpenSpiel, RLCard, PettingZoo and pgx beside ours, as "
        "far as they are installed.",
    ),
) -> None:
    """Measure the speed of engine, environments and agents on this machine.

    Each figure stands beside its floor: what is left to do when there is no game.
    """
    from experiments import bench  # noqa: PLC0415

    numbers = [whole(word) for words in players for word in words.split(",")]
    names = [word for given in rules for word in given.split(",")]
    status = bench.run(as_json, numbers, seconds, quick, start, check, seed, names, peers)
    raise typer.Exit(status)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
        status = app(given, prog_name="rummy500", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone, as in: rummy500 rules | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", INTERRUPTED)
    except Exception as error:
        return _fault(error)
    if status == INTERRUPTED:  # how typer returns KeyboardInterrupt
        return _complain("interrupted", INTERRUPTED)
    return status if isinstance(status, int) else 0


def _fault(error: Exception) -> int:
    """Say in a line what a user did wrong; whatever else went wrong is raised again."""
    from experiments.errors import InterruptedRunError  # noqa: PLC0415
    from rummy500_env.errors import RulesError, Rummy500Error  # noqa: PLC0415

    if isinstance(error, InterruptedRunError):
        return _complain(f"interrupted: {error}", INTERRUPTED)
    if isinstance(error, RulesError):
        return _complain("error: " + "; ".join(error.problems))
    if isinstance(error, Rummy500Error):
        return _complain(f"error: {error}")
    if found := getattr(error, "format_message", None):  # what typer finds, whatever its class
        return _complain(f"error: {found()}")
    if isinstance(error, OSError):
        name = f"{error.filename!r}: " if error.filename else ""
        return _complain(f"error: {name}{error.strerror or error}")
    raise error


def _complain(text: str, status: int = FAULT) -> int:
    typer.echo("rummy500: " + " ".join(text.split()), err=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
