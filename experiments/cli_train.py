"""``rummy500 train``: the options of each training are the fields of its configuration."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import typer

from experiments.cli_app import app
from experiments.training.config import ImitateConfig, PPOConfig, TDConfig, described

__all__ = ["trainings"]

trainings = typer.Typer(
    help="Train an agent. Needs torch: pip install 'rummy500\\[train]'.", no_args_is_help=True
)
app.add_typer(trainings, name="train")


def _with_options(config: type[Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command an option for each field of a configuration."""
    texts = described(config)

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        parameters = []
        for field in fields(config):
            default: Any = field.default
            if isinstance(default, tuple):
                default = ",".join(default)
            option = typer.Option(default, help=texts[field.name])
            kind = inspect.Parameter.KEYWORD_ONLY
            parameters.append(
                inspect.Parameter(field.name, kind, default=option, annotation=type(default))
            )
        own = inspect.signature(command).parameters.values()
        kept = [one for one in own if one.kind is not inspect.Parameter.VAR_KEYWORD]
        named: Any = command
        named.__signature__ = inspect.Signature([*kept, *parameters])
        return command

    return decorate


def _config(kind: type[Any], given: dict[str, Any]) -> Any:
    """Make the configuration of what was given; words with commas become several."""
    many = {field.name for field in fields(kind) if isinstance(field.default, tuple)}
    return kind(**{k: _words(v) if k in many else v for k, v in given.items()})


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()


def _add(name: str, config: type[Any], about: str) -> None:
    """Add a training to the commands."""

    @trainings.command(name, help=about)
    @_with_options(config)
    def train(
        out: Path = typer.Option(
            None, metavar="FOLDER", help="Folder for the files; one that was cut is gone on with."
        ),
        device: str = typer.Option("cpu", help="Torch's device for learning, such as cuda."),
        keep_all: bool = typer.Option(
            False, "--keep-all", help="Keep the network of each evaluation, not the last one alone."
        ),
        **settings: Any,
    ) -> None:
        from experiments.training.run import run  # noqa: PLC0415

        run(name, _config(config, settings), out, device, keep_all)


_add("td", TDConfig, "Train a value network by TD(lambda) in self-play.")
_add("ppo", PPOConfig, "Train a policy network by PPO in self-play.")
_add("imitate", ImitateConfig, "Train a network on what an agent, or people in records, did.")
