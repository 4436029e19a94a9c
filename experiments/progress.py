"""A progress bar on stderr, only on a terminal and only for work that takes a while."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["Bar"]

PATIENCE: Final = 1.0
"""Seconds of work from which a bar is shown."""


class Bar:
    """Shows how far the work is; a context manager that is called with what is done.

    It appears by itself after `PATIENCE`, so also while kernels are being compiled.

    Args:
        unit: what is counted, such as "deals".
    """

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._state: tuple[int, int | None] = (0, None)
        self._shown: Progress | None = None
        self._lock = threading.Lock()
        self._timer = threading.Timer(PATIENCE, self._show)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            if self._shown is not None:
                self._shown.stop()

    def __call__(self, done: int, total: int | None) -> None:
        """Say that so much of the whole is done; None: nobody knows how much it is."""
        with self._lock:
            self._state = (done, total)
            if self._shown is not None:
                self._shown.update(self._shown.task_ids[0], completed=done, total=total)

    def _show(self) -> None:
        from rich import progress  # noqa: PLC0415
        from rich.console import Console  # noqa: PLC0415

        bar = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        with self._lock:
            if self._timer.finished.is_set():  # cancelled in the meantime
                return
            done, total = self._state
            bar.add_task(self._unit, total=total, completed=done)
            bar.start()
            self._shown = bar
