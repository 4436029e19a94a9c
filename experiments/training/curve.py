"""The curve of a training: a CSV file, and TensorBoard where it is installed."""

# pyright: reportMissingImports=false
# Torch is in an extra: without it this module is checked as far as that goes.
from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["Curve"]


class Curve:
    """Rows of figures by iteration.

    Args:
        folder: Where ``curve.csv`` and the events of TensorBoard go.
        done: Iterations that were done before; later rows of the file are dropped.
    """

    def __init__(self, folder: Path, done: int) -> None:
        self._path = folder / "curve.csv"
        rows = []
        if self._path.exists():
            with self._path.open(newline="") as file:
                rows = [row for row in csv.DictReader(file) if int(row["iteration"]) <= done]
        self._write(rows)
        self._events = _events(folder)

    def _write(self, rows: list[dict[str, Any]]) -> None:
        with self._path.open("w", newline="") as file:
            if rows:
                writer = csv.DictWriter(file, list(rows[0]))
                writer.writeheader()
                writer.writerows(rows)

    def add(self, iteration: int, figures: Mapping[str, float]) -> None:
        """Add a row."""
        row = {"iteration": iteration, **{name: f"{x:.6g}" for name, x in figures.items()}}
        is_new = self._path.stat().st_size == 0
        with self._path.open("a", newline="") as file:
            writer = csv.DictWriter(file, list(row))
            if is_new:
                writer.writeheader()
            writer.writerow(row)
        if self._events is not None:
            for name, value in figures.items():
                self._events.add_scalar(name, value, iteration)


def _events(folder: Path) -> Any:
    """Return TensorBoard's writer; None where it is not installed."""
    try:
        from torch.utils.tensorboard import SummaryWriter  # noqa: PLC0415
    except ImportError:
        return None
    return SummaryWriter(str(folder / "tensorboard"))
