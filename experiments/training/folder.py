"""The folder of a training: its settings, its curve, its networks, and where it was cut."""

# pyright: reportMissingImports=false
# Torch is in an extra: without it this module is checked as far as that goes.
from __future__ import annotations

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import torch

from experiments.errors import RunError
from experiments.training.config import TrainingConfig
from experiments.training.curve import Curve
from rummy500_env.networks import Network

__all__ = ["Training", "TrainingFolder", "check_finite"]

BEST: Final = "best.safetensors"
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

    def step(self) -> dict[str, float]:
        """Do an iteration; returns figures of it."""
        ...

    def measure(self) -> tuple[dict[str, float], bool]:
        """Return figures of the network, and whether it is the best so far."""
        ...


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

    def train(self, training: Training, progress: Any = None) -> Path:
        """Train from where it was cut, or from the start, to the end.

        Args:
            training: What is trained.
            progress: Called with the rounds that are done and all rounds, after each iteration.

        Returns:
            The file of the best network.
        """
        if self._checkpoint.exists():
            training.restore(torch.load(self._checkpoint, map_location="cpu", weights_only=True))
        curve, start = Curve(self.path, training.done), time.perf_counter()
        config = training.config
        while training.done < config.iterations:
            figures = training.step()
            rounds = training.done * config.rounds_at_once
            if progress is not None:
                progress(min(rounds, config.rounds), config.rounds)
            if _is_due(training.done, config.iterations):
                found, is_best = training.measure()
                seconds = time.perf_counter() - start
                row = {"rounds": rounds, "seconds": seconds, **figures, **found}
                curve.add(training.done, row)
                self._keep(training, row, is_best)
        return self.path / BEST

    def _keep(self, training: Training, row: dict[str, float], is_best: bool) -> None:
        """Keep the network and all that the rest of the training hangs on."""
        network = training.network({**asdict(training.config), **row})
        names = ["last.safetensors", *([BEST] if is_best else [])]
        names += [f"network-{training.done:06d}.safetensors"] if self.keep_all else []
        for name in names:
            network.save(self.path / name)
        partial = self._checkpoint.with_suffix(".part")
        torch.save({name: _tensor(part) for name, part in training.state().items()}, partial)
        partial.replace(self._checkpoint)


def _is_due(done: int, iterations: int) -> bool:
    """Say whether the network is looked at after an iteration."""
    early = done <= EVALUATIONS and done % FIRST_EVALUATIONS == 0
    return early or done % EVALUATIONS == 0 or done == iterations


def _tensor(part: Any) -> Any:
    """Return arrays as tensors, which a checkpoint takes."""
    if isinstance(part, dict):
        return {name: _tensor(one) for name, one in part.items()}
    if isinstance(part, list):
        return [_tensor(one) for one in part]
    return torch.from_numpy(part.copy()) if isinstance(part, np.ndarray) else part
