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
from typing import Any, Final

import typer
from typer.core import TyperGroup

__all__ = ["app", "main"]

FAULT: Final = 2
INTERRUPTED: Final = 130


class _Commands(TyperGroup):
    """Names the commands there are when it does not know one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that the first word names."""
        try:
            return super().resolve_command(ctx, args)
        except Exception as error:
            said: Any = error
            if hasattr(said, "message"):  # what typer raises, whatever its class
                said.message += f" Commands: {', '.join(self.list_commands(ctx))}."
            raise


app = typer.Typer(
    name="rummy500",
    cls=_Commands,
    help="Rummy 500 and its relatives for research: tournaments of agents, rules, speed.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _whole(text: str | int) -> int:
    """Read a whole number."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no whole number") from None


def _number(text: str | float) -> float:
    """Read a number."""
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no number") from None


def _show_version(is_wanted: bool) -> None:
    """Print the version and stop."""
    if is_wanted:
        from rummy500_env import __version__  # noqa: PLC0415

        typer.echo(f"rummy500 {__version__}")
        raise typer.Exit


@app.callback()
def everything(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Rummy 500 and its relatives for research: tournaments of agents, rules, speed."""


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
    rules: str = typer.Option(
        "rummy500", metavar="PRESET", help="Preset of the rules (see: rummy500 rules)."
    ),
    changes: list[str] = typer.Option(
        None,
        "--set",
        metavar="OPTION=VALUE",
        help="Change an option of the rules; the value is JSON or a word. Can be repeated.",
    ),
    players: int = typer.Option(2, parser=_whole, metavar="INTEGER", help="Seats at each table."),
    deals: int = typer.Option(
        500, parser=_whole, metavar="INTEGER", help="Game seeds; each is played in every seating."
    ),
    seed: int = typer.Option(
        0, parser=_whole, metavar="INTEGER", help="Seed of the run; everything follows from it."
    ),
    out: str = typer.Option(
        None, metavar="FOLDER", help="Folder for the files.", show_default="runs/tournament-…"
    ),
    episode: str = typer.Option(
        "round", help="round: single rounds; game: on to the target score.", metavar="round|game"
    ),
    design: str = typer.Option(
        "auto",
        help="mixed: different agents at each table; pairs: one against the others, for each "
        "pair; gauntlet: the first agent against each other; teams: side against side; auto: what "
        "fits.",
        metavar="auto|mixed|pairs|gauntlet|teams",
    ),
    workers: int = typer.Option(
        1, parser=_whole, metavar="INTEGER", help="Cores to play on. Results do not depend on it."
    ),
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
        parser=_number,
        metavar="POINTS",
        help="Say how many deals find a difference of so many points a round.",
    ),
    records: bool = typer.Option(
        False, "--records", help="Write the moves of all games too (see: rummy500 replay)."
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
    )


@app.command()
def compare(
    first: str = typer.Argument(metavar="A", help="The agent of which it is asked."),
    second: str = typer.Argument(metavar="B", help="The agent it is compared with."),
    rules: str = typer.Option(
        "rummy500", metavar="PRESET", help="Preset of the rules (see: rummy500 rules)."
    ),
    changes: list[str] = typer.Option(
        None,
        "--set",
        metavar="OPTION=VALUE",
        help="Change an option of the rules; the value is JSON or a word. Can be repeated.",
    ),
    players: int = typer.Option(
        2,
        parser=_whole,
        metavar="INTEGER",
        help="Seats at each table; at three and more A has to beat B alone among B's, and with "
        "one B among A's.",
    ),
    delta: float = typer.Option(
        3.0,
        parser=_number,
        metavar="POINTS",
        help="Smallest difference that matters, in points a round.",
    ),
    alpha: float = typer.Option(
        0.025,
        parser=_number,
        metavar="CHANCE",
        help="Of saying that A is better where it is not.",
    ),
    beta: float = typer.Option(
        0.025,
        parser=_number,
        metavar="CHANCE",
        help="Of saying that A is not better where it is by delta or more.",
    ),
    max_deals: int = typer.Option(
        20_000, parser=_whole, metavar="INTEGER", help="Deals at which it stops in any case."
    ),
    seed: int = typer.Option(
        0, parser=_whole, metavar="INTEGER", help="Seed of the run; everything follows from it."
    ),
    out: str = typer.Option(
        None, metavar="FOLDER", help="Folder for the files.", show_default="runs/compare-…"
    ),
    episode: str = typer.Option(
        "round", help="round: single rounds; game: on to the target score.", metavar="round|game"
    ),
    workers: int = typer.Option(
        1, parser=_whole, metavar="INTEGER", help="Cores to play on. Results do not depend on it."
    ),
    pictures: bool = typer.Option(True, help="Draw the confidence sequence."),
    detect: float = typer.Option(
        None,
        parser=_number,
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
def replay(
    path: str = typer.Argument(
        metavar="FILE", help="A file of records (.r500, .r500.gz), or the folder of a run."
    ),
    game: int = typer.Option(
        None, parser=_whole, metavar="INTEGER", help="Only the game of this number (game_id)."
    ),
    round_number: int = typer.Option(
        None, "--round", parser=_whole, metavar="INTEGER", help="Only this round of each game."
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
    seed: int = typer.Option(0, parser=_whole, metavar="INTEGER", help="Seed of all play."),
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

    numbers = [_whole(word) for words in players for word in words.split(",")]
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
