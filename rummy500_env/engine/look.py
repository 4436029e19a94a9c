"""What a seat may know: the one door through which hidden information could leave a table.

A view is made of a table's public part and of the seat's own cards. Everything an agent, an
encoder or a renderer for a player gets is made from views.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.engine.bits import copy_bytes
from rummy500_env.engine.chance import fold
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.state import NOMINATE, PUBLIC_BYTES

__all__ = ["own_of", "view_of"]


@kernel
def view_of(st: Any, seat: Any, key: Any, table: Any, view: Any) -> None:
    """Write the view of a seat.

    Args:
        st: The table's record.
        seat: Whose view.
        key: Word that the view's random bits follow from, with the seat's number of decisions.
        table: Number of the table in its batch.
        view: The view's record, overwritten.
    """
    copy_bytes(view, st, PUBLIC_BYTES)
    own_of(st, seat, key, table, view)


@kernel
def own_of(st: Any, seat: Any, key: Any, table: Any, view: Any) -> None:
    """Write the seat's own part of its view alone.

    An encoder that runs beside the table reads the public part there and need not copy it.
    """
    own = seat == np.int64(st.seat)
    looked = st.phase != NOMINATE  # before that nobody sees a hand, the own one neither
    for copy in range(2):
        view.hand[copy] = st.hands[seat, copy] if looked else 0
        view.drawn[copy] = st.drawn[copy] if own else 0
        view.banned[copy] = st.banned[copy] if own else 0
    for copy in range(2):
        view.refilled_drawn[copy] = st.refilled_drawn[seat, copy]
    view.decision = st.decisions[seat]
    view.random = fold(key, np.int64(st.decisions[seat]))
    view.table = table
    view.viewer = seat
