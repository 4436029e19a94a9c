"""Possible worlds: tables that agree with everything a seat knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import (
    add_face,
    copy_bytes,
    count_bits,
    count_face,
    num_cards,
    remove_face,
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
    for copy in range(2):
        st.drawn[copy] = view.drawn[copy]
        st.banned[copy] = view.banned[copy]
        for seat in range(np.int64(r.num_players)):
            known = view.hand[copy] if seat == viewer else view.known[seat, copy]
            st.hands[seat, copy] = known
        st.refilled_drawn[viewer, copy] = view.refilled_drawn[copy]
    if view.refilled[0] != 0:
        _deal_refilled(view, r, key, st)
    else:
        _deal_unseen(view, r, key, st)


@kernel
def _deal_unseen(view: Any, r: Any, key: Any, st: Any) -> None:
    """Deal the unseen cards to the other hands, the rest to the stock."""
    cards = st.room
    cards[0], cards[1] = unseen_cards(view, view, r)
    size = list_cards(cards, st.stock)
    permute(fold(key, np.int64(3)), st.stock, size)
    for seat in range(np.int64(r.num_players)):
        for _ in range(np.int64(view.hand_size[seat]) - num_cards(st.hands[seat])):
            size -= 1
            add_face(st.hands[seat], np.int64(st.stock[size]))
            st.stock[size] = 0
    if view.stock_open:
        for k in range(np.int64(view.stock_size)):
            st.stock[k] = view.open_stock[k]
    cards[0] = 0
    cards[1] = 0


@kernel
def _deal_refilled(view: Any, r: Any, key: Any, st: Any) -> None:
    """Deal older unseen cards to the other hands, then those of the refilled stock.

    Each other hand holds as many of the latter as it has drawn unseen; the rest are the stock.
    """
    viewer = np.int64(view.viewer)
    cards, fresh = st.room, st.more_room
    cards[0], cards[1] = unseen_cards(view, view, r)
    fresh[0], fresh[1] = np.int64(view.refilled[0]), np.int64(view.refilled[1])
    for face in range(JOKER + 1):
        for _ in range(count_face(view.refilled_drawn, np.int64(face))):
            remove_face(fresh, np.int64(face))
        for _ in range(count_face(fresh, np.int64(face))):
            remove_face(cards, np.int64(face))
    size = list_cards(cards, st.stock)
    permute(fold(key, np.int64(3)), st.stock, size)
    for seat in range(np.int64(r.num_players)):
        wanted = np.int64(view.hand_size[seat]) - num_cards(st.hands[seat])
        for _ in range(wanted - (0 if seat == viewer else np.int64(view.unseen_refilled[seat]))):
            size -= 1
            add_face(st.hands[seat], np.int64(st.stock[size]))
            st.stock[size] = 0
    size = list_cards(fresh, st.stock)
    permute(fold(key, np.int64(4)), st.stock, size)
    for seat in range(np.int64(r.num_players)):
        if seat == viewer:
            continue
        for _ in range(np.int64(view.unseen_refilled[seat])):
            size -= 1
            card = np.int64(st.stock[size])
            add_face(st.hands[seat], card)
            add_face(st.refilled_drawn[seat], card)
            st.stock[size] = 0
    for copy in range(2):
        cards[copy] = 0
        fresh[copy] = 0
