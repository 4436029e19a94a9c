"""Possible worlds: tables that agree with everything a seat knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.engine.bits import (
    add_face,
    copy_bytes,
    count_bits,
    num_cards,
)
from rummy500_env.engine.chance import fold, permute
from rummy500_env.engine.deal import list_cards
from rummy500_env.engine.encode import unseen_cards
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.legal import refresh_legal
from rummy500_env.engine.state import OVER, PUBLIC_BYTES

__all__ = ["sample_world"]

WORLD_TRIES = 100_000


@kernel
def sample_world(views: Any, j: Any, rules: Any, key: Any, states: Any, i: Any) -> Any:
    """Write a possible world of view ``j`` into table ``i`` and return whether one was found.

    The cards the viewer cannot locate are dealt anew, each arrangement equally likely, to the
    other hands and the stock. The world has chance of its own, so later deals and refills are not
    the true ones. Where another seat is to move under an obligation, only worlds count in which
    it has a legal move; they are found by trying.

    Args:
        views: Array of views.
        j: Which view.
        rules: The rules' array of one record.
        key: Word that the world follows from.
        states: Array of tables.
        i: Which table is overwritten.
    """
    view, r, st = views[j], rules[0], states[i]
    for attempt in range(WORLD_TRIES):
        _deal_world(view, r, fold(key, np.int64(attempt)), st)
        refresh_legal(st, r)
        if st.phase == OVER or count_bits(st.legal, np.int64(r.num_words)) > 0:
            return True
    return False


@kernel
def _deal_world(view: Any, r: Any, key: Any, st: Any) -> None:
    copy_bytes(st, view, PUBLIC_BYTES)
    st.seed = fold(key, np.int64(1))
    st.chance = fold(key, np.int64(2))
    viewer = np.int64(view.viewer)
    st.decisions[viewer] = view.decision
    # The stock's slots hold the unseen cards while they are shuffled and handed out.
    for copy in range(2):
        st.drawn[copy] = view.drawn[copy]
        st.banned[copy] = view.banned[copy]
    unseen = st.hands[viewer]
    unseen[0], unseen[1] = unseen_cards(view, view, r)
    size = list_cards(unseen, st.stock)
    permute(fold(key, np.int64(3)), st.stock, size)
    for seat in range(np.int64(r.num_players)):
        if seat == viewer:
            st.hands[seat, 0] = view.hand[0]
            st.hands[seat, 1] = view.hand[1]
            continue
        st.hands[seat, 0] = view.known[seat, 0]
        st.hands[seat, 1] = view.known[seat, 1]
        for _ in range(np.int64(view.hand_size[seat]) - num_cards(view.known[seat])):
            size -= 1
            add_face(st.hands[seat], np.int64(st.stock[size]))
    for k in range(np.int64(view.stock_size), len(st.stock)):
        st.stock[k] = 0
