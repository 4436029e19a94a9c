"""Keeping an interruption (Ctrl-C, SIGTERM) out of the middle of a write."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

__all__ = ["SIGNALS", "uninterrupted"]

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
"""Signals that ask a run to stop."""


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold `SIGNALS` back while the body runs, and deliver the first that came when it has ended.

    Outside the main thread, where Python handles no signals, it does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before: dict[int, Any] = {}
    try:
        for number in SIGNALS:
            before[number] = signal.signal(number, lambda found, _: came.append(found))
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
    if came:
        signal.raise_signal(came[0])
