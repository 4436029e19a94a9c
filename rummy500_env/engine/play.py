"""Playing an action: the one function that changes a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import Kind
from rummy500_env.engine.bits import add_face, count_face, remove_face
from rummy500_env.engine.deal import next_seat, refill_stock, show_card, start_turn
from rummy500_env.engine.digs import BAN_ALL_DRAWN, BAN_DUG_ALL, BAN_TOP_TAKEN
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.laying import lay_off, meld_group, meld_run, meld_set
from rummy500_env.engine.legal import refresh_legal
from rummy500_env.engine.melds import keep_open_places
from rummy500_env.engine.rules_record import option_code
from rummy500_env.engine.settle import clear_turn, end_by_clock, end_round
from rummy500_env.engine.state import CUT_OFF, EXHAUSTED, MAX_TURNS, OBLIGED, OUT, OVER, PLAY

__all__ = ["play_action", "refill_if_empty"]

END_IF_ALL_PASS = option_code("stock_exhausted", "end_if_all_pass")
END_AFTER_TURN = option_code("stock_exhausted", "end_after_turn")
DISCARD_ONLY = option_code("stock_exhausted", "discard_only")
RESHUFFLE = option_code("stock_exhausted", "reshuffle")
TURN_OVER = option_code("stock_exhausted", "turn_over")

NOBODY = np.int64(-1)


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
    if r.clock_budget > 0:
        st.clocks[seat] -= 1
    if kind == Kind.DRAW:
        _draw(st, r, seat)
    elif kind == Kind.DIG:
        _dig(st, r, seat, a, b)
    elif kind == Kind.SET or kind == Kind.RUN or kind == Kind.GROUP or kind == Kind.LAYOFF:
        if kind == Kind.SET:
            meld_set(st, r, seat, a, b)
        elif kind == Kind.RUN:
            meld_run(st, r, seat, a, b, c)
        elif kind == Kind.GROUP:
            meld_group(st, r, seat, c)
        else:
            lay_off(st, r, seat, a, b, c)
        _after_laying(st, r, seat)
    elif kind == Kind.DISCARD:
        _discard(st, r, seat, a)
    else:
        _pass(st, r, seat)
    if r.clock_budget > 0 and st.clocks[seat] == 0 and st.phase != OVER:
        end_by_clock(st, r, seat)
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
            if top == 0:
                st.stock_open = 0
        elif st.refilled[0] != 0:
            st.unseen_refilled[seat] += 1
            add_face(st.refilled_drawn[seat], face)
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


# -- after laying ---------------------------------------------------------------------------


@kernel
def _after_laying(st: Any, r: Any, seat: Any) -> None:
    """Discharge the obligation when the dug card lies on the table; go out with an empty hand."""
    keep_open_places(st, r)
    if st.phase == OBLIGED and count_face(st.laid, np.int64(st.must_use) - 1) > 0:
        st.must_use = 0
        st.phase = PLAY
    if st.hand_size[seat] == 0 and st.phase == PLAY:
        _finish_turn(st, r, seat)
        end_round(st, r, OUT, seat)


# -- discard, pass, end of the turn ----------------------------------------------------------


@kernel
def _discard(st: Any, r: Any, seat: Any, face: Any) -> None:
    show_card(st, r, seat, face)
    remove_face(st.hands[seat], face)
    remove_face(st.known[seat], face)
    st.hand_size[seat] -= 1
    add_face(st.discards[seat], face)
    st.pile[st.pile_size] = face
    st.pile_by[st.pile_size] = seat + 1
    st.pile_size += 1
    add_face(st.pile_cards, face)
    if st.hand_size[seat] == 0:
        st.out_bonus = r.masters_hand_bonus if st.long_run else 0
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
    clear_turn(st)


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
    refill_if_empty(st, r)
    st.seat = next_seat(r, seat)
    start_turn(st)


@kernel
def refill_if_empty(st: Any, r: Any) -> None:
    """Make an empty stock anew of the discards, where the rules do so: the top one stays."""
    if st.stock_size > 0 or st.pile_size < 2:
        return
    if r.stock_exhausted != RESHUFFLE and r.stock_exhausted != TURN_OVER:
        return
    if r.max_reshuffles < 0 or st.reshuffles < r.max_reshuffles:
        refill_stock(st, r, r.stock_exhausted == TURN_OVER)
