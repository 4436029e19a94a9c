"""Trainings as commands: where files go, progress, and what to do with what came out."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from experiments.errors import RunError
from experiments.progress import Bar
from experiments.run_folder import default_folder
from experiments.show import console

__all__ = ["run"]


def run(kind: str, config: Any, out: Path | None, device: str, keep_all: bool) -> None:
    """Train a network and say where it is.

    Args:
        kind: ``td``, ``ppo`` or ``imitate``.
        config: Its settings.
        out: Folder for the files; None: a new one.
        device: Torch's device.
        keep_all: Whether the network of each evaluation is kept.
    """
    try:
        train = import_module(f"experiments.training.{kind}").train
    except ImportError as error:
        if error.name != "torch":
            raise
        raise RunError(
            "training needs torch, which is not installed: pip install 'rummy500[train]'"
        ) from None
    with Bar("rounds") as bar:
        best = train(config, out or default_folder("train"), device, bar, keep_all)
    is_value = kind == "td" or getattr(config, "what", "") == "value"
    agent = f"{'learned' if is_value else 'policy'}:weights={best}"
    printed = console()
    printed.print(f"The best network: {best}", soft_wrap=True)
    printed.print("Play it:")
    printed.print(
        f"  rummy500 tournament --agents {agent},greedy --rules {config.rules} "
        f"--players {config.players}",
        soft_wrap=True,
    )
