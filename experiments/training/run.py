"""Trainings as commands: where files go, progress, and what to do with what came out."""

from __future__ import annotations

from pathlib import Path

from experiments.errors import RunError
from experiments.progress import Bar
from experiments.run_folder import default_folder
from experiments.show import console
from experiments.training.config import TDConfig

__all__ = ["td"]


def td(config: TDConfig, out: Path | None, device: str) -> None:
    """Train a value network and say where it is."""
    try:
        from experiments.training.td import train  # noqa: PLC0415
    except ImportError as error:
        if error.name != "torch":
            raise
        raise RunError(
            "training needs torch, which is not installed: pip install 'rummy500[train]'"
        ) from None
    with Bar("rounds") as bar:
        best = train(config, out or default_folder("train"), device, bar)
    printed = console()
    printed.print(f"The best network: {best}")
    printed.print("Play it:")
    printed.print(
        f"  rummy500 tournament --agents learned:weights={best},greedy --rules {config.rules} "
        f"--players {config.players}",
        soft_wrap=True,
    )
