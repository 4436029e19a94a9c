"""The folder of a training: its settings, its curve, its networks, and where it was cut."""

# pyright: reportMissingImports=false
# Torch is in an extra: without it this module is checked as far as that goes.
from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch

from experiments.errors import RunError
from experiments.training.config import TrainingConfig
from experiments.training.curve import Curve
from rummy500_env.networks import Network

__all__ = ["Training", "TrainingFolder", "check_finite", "is_due"]

FIRST_EVALUATIONS, EVALUATIONS = 10, 40
"""Iterations between evaluations, at first and later on."""


class Training(Protocol):
    """A training in progress.

    Attributes:
        config: What is trained and how.
        done: Iterations that are done.
    """

    config: Any
    done: int

    def state(self) -> dict[str, Any]:
        """Return all that the rest of the training hangs on: plain data, arrays, tensors."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        ...

    def network(self, about: dict[str, Any]) -> Network:
        """Return the network as it is, with what is known of it."""
        ...


def is_due(done: int, iterations: int) -> bool:
    """Say whether the network is looked at after an iteration."""
    early = done <= EVALUATIONS and done % FIRST_EVALUATIONS == 0
    return early or done % EVALUATIONS == 0 or done == iterations


def check_finite(done: int, *figures: Any) -> None:
    """Stop a training whose figures are not finite numbers any more."""
    for figure in figures:
        if not np.isfinite(figure).all():
            raise RunError(
                f"training diverged in iteration {done + 1} (the error or a weight is no finite "
                "number); the last good checkpoint is kept. Use a lower learning_rate"
            )


class TrainingFolder:
    """A folder that a training is in; one that holds a part of the same training is gone on with.

    There are ``config.json``, ``curve.csv``, ``best.safetensors``, ``last.safetensors`` and
    ``checkpoint.pt``.

    Args:
        path: The folder; it is made if it is missing.
        config: What is trained and how.
        device: Torch's device.
        keep_all: Whether the network of each evaluation is kept, as ``network-ITERATION``.

    Raises:
        RunError: when it holds another training, or there is no such device.
    """

    def __init__(
        self, path: str | Path, config: TrainingConfig, device: str, keep_all: bool = False
    ) -> None:
        self.path, self.keep_all = Path(path), keep_all
        try:
            torch.empty(0, device=device)
        except (RuntimeError, AssertionError) as error:  # torch's ways to say that there is none
            told = str(error).splitlines()[0]
            raise RunError(f"device={device!r} cannot be used: {told}") from error
        self.path.mkdir(parents=True, exist_ok=True)
        settings, self._checkpoint = self.path / "config.json", self.path / "checkpoint.pt"
        wanted = json.loads(json.dumps(asdict(config)))
        found = json.loads(settings.read_text()) if settings.exists() else wanted
        if found != wanted:
            differ = [name for name in {**wanted, **found} if found.get(name) != wanted.get(name)]
            raise RunError(f"{str(self.path)!r} holds another training: {', '.join(differ)} differ")
        settings.write_text(json.dumps(wanted, indent=2) + "\n")

    @property
    def best(self) -> Path:
        """The file of the best network."""
        return self.path / "best.safetensors"

    def begin(self, training: Training) -> None:
        """Let a training go on from where it was cut, and begin or go on with the curve."""
        if self._checkpoint.exists():
            training.restore(torch.load(self._checkpoint, map_location="cpu", weights_only=True))
        self._curve, self._start = Curve(self.path, training.done), time.perf_counter()

    def keep(self, training: Training, figures: Mapping[str, float], is_best: bool) -> None:
        """Add a row to the curve, and keep the network and all that the rest hangs on."""
        done, config = training.done, training.config
        row = {
            "rounds": done * config.rounds_at_once,
            "seconds": time.perf_counter() - self._start,
            **figures,
        }
        self._curve.add(done, row)
        network = training.network({**asdict(config), **row})
        names = ["last.safetensors", *([self.best.name] if is_best else [])]
        names += [f"network-{done:06d}.safetensors"] if self.keep_all else []
        for name in names:
            network.save(self.path / name)
        partial = self._checkpoint.with_suffix(".part")
        torch.save({name: _tensor(part) for name, part in training.state().items()}, partial)
        partial.replace(self._checkpoint)


def _tensor(part: Any) -> Any:
    """Return arrays as tensors, which a checkpoint takes."""
    if isinstance(part, dict):
        return {name: _tensor(one) for name, one in part.items()}
    if isinstance(part, list):
        return [_tensor(one) for one in part]
    return torch.from_numpy(part.copy()) if isinstance(part, np.ndarray) else part
