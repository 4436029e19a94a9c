"""A progress bar on stderr, only on a terminal and only for work that takes a while."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["Bar"]

PATIENCE: Final = 1.0
"""Seconds of work, and seconds still to come, from which a bar is shown."""


class Bar:
    """Shows how far the work is.

    Args:
        unit: what is counted, such as "deals".
    """

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._start = time.perf_counter()
        self._shown: tuple[Progress, TaskID] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown is not None:
            self._shown[0].stop()

    def __call__(self, done: int, total: int) -> None:
        """Say that so much of the whole is done."""
        if self._shown is None and self._is_worth_it(done, total):
            self._shown = self._show(total)
        if self._shown is not None:
            bar, task = self._shown
            bar.update(task, completed=done)

    def _is_worth_it(self, done: int, total: int) -> bool:
        spent = time.perf_counter() - self._start
        to_come = spent / max(done, 1) * (total - done)
        return spent > PATIENCE and to_come > PATIENCE and sys.stderr.isatty()

    def _show(self, total: int) -> tuple[Progress, TaskID]:
        from rich import progress  # noqa: PLC0415
        from rich.console import Console  # noqa: PLC0415

        bar = progress.Progress(
            progress.TextColumn(f"{self._unit}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        bar.start()
        return bar, bar.add_task(self._unit, total=total)
