"""The application behind the command `rummy500`: what all of its commands share."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

__all__ = ["CHANGES", "RULES", "SEED", "WORKERS", "app", "number", "whole"]

CHANGES: Any = typer.Option(
    None,
    "--set",
    metavar="OPTION=VALUE",
    help="Change an option of the rules; the value is JSON or a word. Can be repeated.",
)
"""The option of all commands that take rules."""


def whole(text: str | int) -> int:
    """Read a whole number."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no whole number") from None


RULES: Any = typer.Option(
    "rummy500", metavar="PRESET", help="Preset of the rules (see: rummy500 rules)."
)
SEED: Any = typer.Option(
    0, parser=whole, metavar="INTEGER", help="Seed of the run; everything follows from it."
)
WORKERS: Any = typer.Option(
    1, parser=whole, metavar="INTEGER", help="Cores to play on. Results do not depend on it."
)
"""Options that several commands have."""


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


def number(text: str | float) -> float:
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
