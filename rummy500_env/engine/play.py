"""Playing an action: the one function that changes a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import HIGH, LOW, Kind
from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import add_face, remove_face
from rummy500_env.engine.deal import next_seat, refill_stock, start_turn
from rummy500_env.engine.digs import BAN_ALL_DRAWN, BAN_DUG_ALL, BAN_TOP_TAKEN
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.legal import layoff_target, refresh_legal
from rummy500_env.engine.melds import open_places
from rummy500_env.engine.rules_record import option_code
from rummy500_env.engine.settle import end_round
from rummy500_env.engine.state import CUT_OFF, EXHAUSTED, MAX_TURNS, OBLIGED, OUT, PLAY
from rummy500_env.view_record import MELD_RUN, MELD_SET

__all__ = ["enter_card", "play_action"]

PIP = option_code("card_values", "pip")
END_IF_ALL_PASS = option_code("stock_exhausted", "end_if_all_pass")
END_AFTER_TURN = option_code("stock_exhausted", "end_after_turn")
DISCARD_ONLY = option_code("stock_exhausted", "discard_only")
RESHUFFLE = option_code("stock_exhausted", "reshuffle")
TURN_OVER = option_code("stock_exhausted", "turn_over")

IN_SET, IN_RUN_LOW, IN_RUN_HIGH = np.int64(0), np.int64(1), np.int64(2)
NOBODY = np.int64(-1)
FIRST = np.int64(0)
NEW_SET, NEW_RUN = np.int64(MELD_SET), np.int64(MELD_RUN)


@kernel
def play_action(st: Any, r: Any, action: Any) -> None:
    """Play a legal action of the seat to move and all that follows from it."""
    kind = np.int64(r.codes[action, 0])
    a, b, c = (
        np.int64(r.codes[action, 1]),
        np.int64(r.codes[action, 2]),
        np.int64(r.codes[action, 3]),
    )
    seat = np.int64(st.seat)
    st.decisions[seat] += 1
    st.how = 0
    if kind == Kind.DRAW:
        _draw(st, r, seat)
    elif kind == Kind.DIG:
        _dig(st, r, seat, a, b)
    elif kind == Kind.SET:
        _meld_set(st, r, seat, a, b)
    elif kind == Kind.RUN:
        _meld_run(st, r, seat, a, b, c)
    elif kind == Kind.LAYOFF:
        _lay_off(st, r, seat, a, b)
    elif kind == Kind.DISCARD:
        _discard(st, r, seat, a)
    else:
        _pass(st, r, seat)
    refresh_legal(st, r)


# -- draw ------------------------------------------------------------------------------------


@kernel
def _draw(st: Any, r: Any, seat: Any) -> None:
    if st.pile_size > 0:
        st.passed[seat] |= np.int64(1) << np.int64(st.pile[st.pile_size - 1])
    for _ in range(np.int64(r.stock_draw_count)):
        if st.stock_size == 0:
            break
        top = np.int64(st.stock_size) - 1
        face = np.int64(st.stock[top])
        st.stock[top] = 0
        st.stock_size = top
        _take(st, r, seat, face)
        add_face(st.drawn, face)
        if st.stock_open:
            st.open_stock[top] = 0
            add_face(st.known[seat], face)
        elif st.refilled[0] != 0:
            st.unseen_refilled[seat] += 1
        if r.drawn_discard_ban == BAN_ALL_DRAWN:
            add_face(st.banned, face)
    st.passes = 0
    st.phase = PLAY


@kernel
def _take(st: Any, r: Any, seat: Any, face: Any) -> None:
    add_face(st.hands[seat], face)
    st.hand_size[seat] += 1


@kernel
def _dig(st: Any, r: Any, seat: Any, face: Any, copy: Any) -> None:
    size = np.int64(st.pile_size)
    index = size - 1
    while st.pile[index] != face or copy > 0:
        if st.pile[index] == face:
            copy -= 1
        index -= 1
    alone = index == size - 1
    for k in range(index, size):
        card = np.int64(st.pile[k])
        st.pile[k] = 0
        st.pile_by[k] = 0
        remove_face(st.pile_cards, card)
        _take(st, r, seat, card)
        add_face(st.known[seat], card)
        add_face(st.dug, card)
        if r.drawn_discard_ban >= BAN_DUG_ALL or (r.drawn_discard_ban == BAN_TOP_TAKEN and alone):
            add_face(st.banned, card)
    st.pile_size = index
    st.passes = 0
    st.digs[seat] += 1
    st.dug_cards[seat] += size - index
    if alone:
        st.top_taken = face + 1
    if alone and r.top_discard_free:
        st.free_take = 1
        st.phase = PLAY
    else:
        st.must_use = face + 1
        st.phase = OBLIGED


# -- meld and lay off ------------------------------------------------------------------------


@kernel
def _value(r: Any, face: Any, where: Any) -> Any:
    """Return what a card scores where it is laid."""
    rank = face % 13
    if rank == 0:
        if where == IN_SET:
            return np.int64(r.ace_set_value)
        return np.int64(r.ace_high_value) if where == IN_RUN_HIGH else np.int64(r.ace_low_value)
    if rank >= 9:
        return np.int64(10)
    return rank + 1 if r.card_values == PIP else np.int64(5)


@kernel
def _lay(st: Any, r: Any, seat: Any, meld: Any, place: Any, face: Any, value: Any) -> None:
    """Move one card from a hand to a free place of a meld."""
    enter_card(st, meld, place, face, seat)
    st.meld_faces[meld, place] = face
    st.meld_values[meld, place] = value
    st.meld_by[meld, place] = seat
    st.meld_size[meld] += 1
    st.table_points[seat] += value
    remove_face(st.hands[seat], face)
    remove_face(st.known[seat], face)
    remove_face(st.banned, face)
    add_face(st.laid, face)
    st.opened[seat] = 1
    st.opened_game[seat] = 1
    st.hand_size[seat] -= 1
    add_face(st.table_cards[seat], face)


@kernel
def enter_card(st: Any, meld: Any, place: Any, face: Any, seat: Any) -> None:
    """Note where a card lies, at its entry; of two copies the one in the older meld comes first."""
    kind = np.int64(st.meld_kind[meld])
    if kind == MELD_RUN and place > 0 and face % 13 == 0:
        kind += 1
    entry = face
    if st.table_meld[face] != 0:
        entry = face + 52
        there = np.int64(st.table_meld[face])
        if there > meld + 1 or (there == meld + 1 and np.int64(st.table_kind[face]) > kind):
            st.table_meld[entry] = st.table_meld[face]
            st.table_kind[entry] = st.table_kind[face]
            st.table_by[entry] = st.table_by[face]
            entry = face
    st.table_meld[entry] = meld + 1
    st.table_kind[entry] = kind
    st.table_by[entry] = seat + 1


@kernel
def _new_meld(st: Any, kind: Any, line: Any, start: Any, seat: Any) -> Any:
    meld = np.int64(st.num_melds)
    st.meld_kind[meld] = kind
    st.meld_line[meld] = line
    st.meld_start[meld] = start
    st.meld_owner[meld] = seat
    st.num_melds = meld + 1
    return meld


@kernel
def _meld_set(st: Any, r: Any, seat: Any, rank: Any, copies: Any) -> None:
    meld = _new_meld(st, NEW_SET, rank, FIRST, seat)
    place = np.int64(0)
    value = _value(r, rank, IN_SET)
    total = (copies & 3) + (copies >> 2 & 3) + (copies >> 4 & 3) + (copies >> 6 & 3)
    if total == 4 and r.four_at_once_multiplier > 1:
        value *= np.int64(r.four_at_once_multiplier)
        st.meld_doubled[meld] = 1
    for suit in range(4):
        for _ in range(copies >> (2 * suit) & 3):
            _lay(st, r, seat, meld, place, 13 * suit + rank, value)
            place += 1
    _count_meld(st, seat, meld)
    _after_laying(st, r, seat)


@kernel
def _meld_run(st: Any, r: Any, seat: Any, suit: Any, start: Any, length: Any) -> None:
    meld = _new_meld(st, NEW_RUN, suit, start, seat)
    if length >= 7:
        st.long_run = 1
    for place in range(length):
        face = 13 * suit + (start + place) % np.int64(r.num_ranks)
        where = IN_RUN_HIGH if place > 0 else IN_RUN_LOW
        _lay(st, r, seat, meld, place, face, _value(r, face, where))
    _count_meld(st, seat, meld)
    _after_laying(st, r, seat)


@kernel
def _count_meld(st: Any, seat: Any, meld: Any) -> None:
    for place in range(np.int64(st.meld_size[meld])):
        st.points_melded[seat] += st.meld_values[meld, place]


@kernel
def _lay_off(st: Any, r: Any, seat: Any, face: Any, place: Any) -> None:
    meld = layoff_target(st, r, face, place)
    size = np.int64(st.meld_size[meld])
    before = np.int64(st.table_points[seat])
    if place == HIGH:
        _lay(st, r, seat, meld, size, face, _value(r, face, IN_RUN_HIGH))
    elif place == LOW:
        _open_place(st, meld, FIRST)
        start = np.int64(st.meld_start[meld])
        st.meld_start[meld] = (start + r.num_ranks - 1) % r.num_ranks if start == 0 else start - 1
        _lay(st, r, seat, meld, FIRST, face, _value(r, face, IN_RUN_LOW))
    else:
        at = np.int64(0)
        while at < size and st.meld_faces[meld, at] <= face:
            at += 1
        _open_place(st, meld, at)
        _lay(st, r, seat, meld, at, face, _value(r, face, IN_SET))
    st.points_laid_off[seat] += st.table_points[seat] - before
    _after_laying(st, r, seat)


@kernel
def _open_place(st: Any, meld: Any, at: Any) -> None:
    """Move the cards of a meld up by one, from a place on."""
    for place in range(np.int64(st.meld_size[meld]), at, -1):
        st.meld_faces[meld, place] = st.meld_faces[meld, place - 1]
        st.meld_values[meld, place] = st.meld_values[meld, place - 1]
        st.meld_by[meld, place] = st.meld_by[meld, place - 1]
    jokers = np.int64(st.meld_jokers[meld])
    below = (np.int64(1) << at) - 1
    st.meld_jokers[meld] = (jokers & below) | (jokers & ~below) << 1


@kernel
def _after_laying(st: Any, r: Any, seat: Any) -> None:
    """Discharge the obligation when the dug card lies on the table; go out with an empty hand."""
    on_set, low, high = open_places(st, r, seat)
    st.accepted[0] = on_set
    st.accepted[1] = low
    st.accepted[2] = high
    if st.phase == OBLIGED:
        face = np.int64(st.must_use) - 1
        if _was_laid(st, face):
            st.must_use = 0
            st.phase = PLAY
    if st.hand_size[seat] == 0 and st.phase == PLAY:
        _finish_turn(st, r, seat)
        end_round(st, r, OUT, seat)


@kernel
def _was_laid(st: Any, face: Any) -> Any:
    if face == JOKER:
        return st.laid[0] >> JOKER != 0
    return st.laid[0] >> face & 1 != 0


# -- discard, pass, end of the turn ----------------------------------------------------------


@kernel
def _discard(st: Any, r: Any, seat: Any, face: Any) -> None:
    remove_face(st.hands[seat], face)
    remove_face(st.known[seat], face)
    st.hand_size[seat] -= 1
    add_face(st.discards[seat], face)
    st.pile[st.pile_size] = face
    st.pile_by[st.pile_size] = seat + 1
    st.pile_size += 1
    add_face(st.pile_cards, face)
    if st.hand_size[seat] == 0:
        _finish_turn(st, r, seat)
        end_round(st, r, OUT, seat)
    else:
        _next_turn(st, r, seat)


@kernel
def _pass(st: Any, r: Any, seat: Any) -> None:
    if st.phase == PLAY:
        _next_turn(st, r, seat)
        return
    st.passes += 1
    if r.stock_exhausted == DISCARD_ONLY:
        st.passes = 0
        st.phase = PLAY
    elif r.stock_exhausted == END_IF_ALL_PASS and st.passes < r.num_players:
        _next_turn(st, r, seat)
    else:
        _finish_turn(st, r, seat)
        end_round(st, r, EXHAUSTED, NOBODY)


@kernel
def _finish_turn(st: Any, r: Any, seat: Any) -> None:
    """Count the turn and clear what belongs to it."""
    st.turns += 1
    st.turns_taken[seat] += 1
    laid = st.laid[0] != 0
    if st.free_take and not laid:
        st.no_progress += 1
    else:
        st.no_progress = 0
    if laid and not st.laid_before[seat] and st.hand_size[seat] > 0:
        st.laid_before[seat] = 1
    for copy in range(2):
        st.dug[copy] = 0
        st.laid[copy] = 0
        st.drawn[copy] = 0
        st.banned[copy] = 0
    st.opening_points = 0
    st.must_use = 0
    st.top_taken = 0
    st.free_take = 0
    st.long_run = 0
    st.turn_flags = 0


@kernel
def _next_turn(st: Any, r: Any, seat: Any) -> None:
    """End the turn; the round goes on with the next seat unless a limit or the stock ends it."""
    _finish_turn(st, r, seat)
    if st.stock_size == 0 and r.stock_exhausted == END_AFTER_TURN:
        end_round(st, r, EXHAUSTED, NOBODY)
        return
    if 0 <= r.no_progress_limit <= st.no_progress:
        end_round(st, r, CUT_OFF, NOBODY)
        return
    if 0 <= r.max_turns <= st.turns:
        st.truncated = MAX_TURNS if st.single_round else 0
        end_round(st, r, CUT_OFF, NOBODY)
        return
    if st.stock_size == 0 and _may_refill(st, r):
        refill_stock(st, r, r.stock_exhausted == TURN_OVER)
    st.seat = next_seat(r, seat)
    start_turn(st)


@kernel
def _may_refill(st: Any, r: Any) -> Any:
    """Return whether the empty stock is made anew of the discards: the top one stays."""
    if r.stock_exhausted != RESHUFFLE and r.stock_exhausted != TURN_OVER:
        return False
    return st.pile_size > 1 and (r.max_reshuffles < 0 or st.reshuffles < r.max_reshuffles)
