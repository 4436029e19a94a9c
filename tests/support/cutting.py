"""Trainings in tests: what their curves say, and how they are cut."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

__all__ = ["curve_of", "cut_at"]


def curve_of(folder: Path) -> list[dict[str, str]]:
    """The rows of a training's curve, times left out."""
    with (folder / "curve.csv").open(newline="") as file:
        return [
            {key: value for key, value in row.items() if key != "seconds"}
            for row in csv.DictReader(file)
        ]


def cut_at(rounds: int) -> Any:
    """What interrupts a training, as Ctrl-C does, after so many rounds."""

    def progress(done: int, _: int | None) -> None:
        if done == rounds:
            raise KeyboardInterrupt

    return progress
