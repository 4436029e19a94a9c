"""Windows: others are asked out of turn, to call, to play, or to lay off at the end of a round.

Who is asked hangs on public facts only, so that being asked does not show what one could do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.engine.deal import next_seat
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.legal import can_call
from rummy500_env.engine.opening import must_open
from rummy500_env.engine.plays import LAYOFFS_ONLY
from rummy500_env.engine.settle import clear_turn
from rummy500_env.engine.state import CALL, FINAL_LAYOFF

__all__ = ["ask_next", "leave_window", "open_window", "seat_passes"]


@kernel
def open_window(st: Any, r: Any, seat: Any) -> None:
    """Open a window to all but the seat whose move it follows."""
    st.window_by = seat + 1
    everybody = (np.int64(1) << np.int64(r.num_players)) - 1
    st.window_pending = everybody & ~(np.int64(1) << seat)


@kernel
def ask_next(st: Any, r: Any, phase: Any) -> Any:
    """Put the window to the next seat that may answer; return False when there is none."""
    opener = np.int64(st.window_by) - 1
    seat = next_seat(r, opener)
    while seat != opener:
        if np.int64(st.window_pending) >> seat & 1:
            st.window_pending = np.int64(st.window_pending) & ~(np.int64(1) << seat)
            if _is_asked(st, r, seat, phase):
                st.seat = seat
                st.phase = phase
                return True
        seat = next_seat(r, seat)
    return False


@kernel
def _is_asked(st: Any, r: Any, seat: Any, phase: Any) -> Any:
    """Return whether a window is put to a seat.

    A call must be possible. The others are put to every seat with cards; not, where it could only
    lay off, to one that has not opened.
    """
    if phase == CALL:
        return can_call(st, r, seat)
    layoffs_only = phase == FINAL_LAYOFF or r.out_of_turn_play == LAYOFFS_ONLY
    return st.hand_size[seat] > 0 and not (layoffs_only and must_open(st, r, seat))


@kernel
def seat_passes(st: Any, seat: Any) -> None:
    """Close what a seat has done in a window: what it laid counts as laid before."""
    if st.laid[0] != 0:
        st.laid_before[seat] = 1
        st.no_progress = 0
    clear_turn(st)


@kernel
def leave_window(st: Any) -> None:
    """Close the window."""
    st.window_by = 0
    st.window_pending = 0
