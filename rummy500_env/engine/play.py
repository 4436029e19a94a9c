"""Playing an action: the one function that changes a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import Kind
from rummy500_env.engine.bits import add_face, count_face, remove_face
from rummy500_env.engine.deal import next_seat, refill_stock, show_card, start_turn
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.laying import block_joker, lay_new, lay_off, take_called
from rummy500_env.engine.legal import NOWHERE, call_place, refresh_legal
from rummy500_env.engine.melds import code_of, keep_open_places
from rummy500_env.engine.opening_digs import BAN_ALL_DRAWN, BAN_DUG_ALL, BAN_TOP_TAKEN
from rummy500_env.engine.rules_record import option_code
from rummy500_env.engine.settle import clear_turn, end_by_clock, end_round
from rummy500_env.engine.state import (
    BOOTING,
    CALL,
    CALLED,
    CLAIM,
    CUT_OFF,
    EXHAUSTED,
    FINAL_LAYOFF,
    MAX_TURNS,
    OBLIGED,
    OPENING,
    OUT,
    OVER,
    PLAY,
    SAID_DOUBLE,
    SAID_OWN,
    WINDOW,
)
from rummy500_env.engine.windows import ask_next, leave_window, open_window, seat_passes

__all__ = ["make_move", "play_action", "refill_if_empty"]

NONE = np.int64(0)
SETTLE = np.int64(1)
CARD_ONLY = option_code("call_rum", "card_only")
END_IF_ALL_PASS = option_code("stock_exhausted", "end_if_all_pass")
END_AFTER_TURN = option_code("stock_exhausted", "end_after_turn")
DISCARD_ONLY = option_code("stock_exhausted", "discard_only")
RESHUFFLE = option_code("stock_exhausted", "reshuffle")
TURN_OVER = option_code("stock_exhausted", "turn_over")

NOBODY = np.int64(-1)

# What follows an action: the same turn goes on; it is over, by a discard or without one; nothing
# was taken from an empty stock; the seat is out; a seat has answered in a window; a called card
# was laid off.
GOES_ON, ENDS_TURN, THROWN, TAKES_NOTHING, GOES_OUT, ANSWERED, CALL_LAID = (
    np.int64(k) for k in range(7)
)


@kernel
def play_action(st: Any, r: Any, action: Any) -> None:
    """Play a legal action of the seat to move and all that follows from it."""
    seat = np.int64(st.seat)
    make_move(st, r, action, SETTLE)
    if r.clock_budget > 0 and st.clocks[seat] == 0 and st.phase != OVER:
        end_by_clock(st, r, seat)
    refresh_legal(st, r)


@kernel
def make_move(st: Any, r: Any, action: Any, settle: Any) -> None:
    """Play a legal action, but do not ask what is legal next.

    Unless ``settle``, a round that it ends is left as it lies, over and not scored: so the move can
    be made on a table where other hands are not known.
    """
    kind, a, b, c = code_of(r, action)
    seat = np.int64(st.seat)
    st.decisions[seat] += 1
    st.how = 0
    if r.clock_budget > 0:
        st.clocks[seat] -= 1
    follows = GOES_ON
    if kind == Kind.CALL:
        st.turn_flags = CLAIM
        place = call_place(st, r, seat) if r.call_rum == CARD_ONLY else NOWHERE
        if place != NOWHERE:  # the one place that takes the card: it is laid off at once
            kind, a, b, c = np.int64(Kind.LAYOFF), np.int64(st.pile[st.pile_size - 1]), place, NONE
    if kind == Kind.DRAW:
        _draw(st, r, seat)
    elif kind == Kind.DIG:
        _dig(st, r, seat, a, b)
    elif kind == Kind.LAYOFF:
        if st.phase == CALL:
            take_called(st, seat)
        lay_off(st, r, seat, a, b, c)
        follows = _after_laying(st, r, seat)
    elif kind == Kind.SET or kind == Kind.RUN or kind == Kind.GROUP:
        lay_new(st, r, seat, action)
        follows = _after_laying(st, r, seat)
    elif kind == Kind.DISCARD:
        follows = _discard(st, r, seat, a)
    elif kind == Kind.PASS:
        follows = _pass(st, r, seat)
    elif kind == Kind.NOMINATE:
        st.joker_effect = a
        st.seat = next_seat(r, np.int64(st.dealer))
        start_turn(st)
    elif kind == Kind.BLOCK:
        block_joker(st, r, seat)
        follows = _after_laying(st, r, seat)
    elif kind == Kind.PREFIX:
        st.turn_flags = np.int64(st.turn_flags) | a
    if follows != GOES_ON:
        _carry_on(st, r, seat, follows, settle)


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
    called = st.phase == CALL
    free = alone and r.top_discard_free != 0 and st.hand_size[seat] > 0 and not called
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
    if free:
        st.free_take = 1
        st.phase = PLAY
        return
    if called:
        leave_window(st)
        st.turn_flags = CALLED
    st.must_use = face + 1
    st.phase = OBLIGED


# -- lay, discard, pass: what follows is told and done by `_carry_on` --------------------------


@kernel
def _after_laying(st: Any, r: Any, seat: Any) -> Any:
    """Discharge the obligation when the dug card lies on the table; go out with an empty hand."""
    keep_open_places(st, r)
    if st.phase == CALL:
        return CALL_LAID
    flags = np.int64(st.turn_flags) & ~(SAID_OWN | SAID_DOUBLE)
    if st.phase == OBLIGED and count_face(st.laid, np.int64(st.must_use) - 1) > 0:
        st.must_use = 0
        st.phase = PLAY
        flags &= ~CALLED
    st.turn_flags = flags
    if st.hand_size[seat] > 0 or st.phase == OBLIGED:
        return GOES_ON
    if st.phase == FINAL_LAYOFF:
        return ANSWERED
    return ENDS_TURN if r.floating else GOES_OUT


@kernel
def _discard(st: Any, r: Any, seat: Any, face: Any) -> Any:
    show_card(st, r, seat, face)
    remove_face(st.hands[seat], face)
    remove_face(st.known[seat], face)
    st.hand_size[seat] -= 1
    add_face(st.discards[seat], face)
    st.pile[st.pile_size] = face
    st.pile_by[st.pile_size] = seat + 1
    st.pile_size += 1
    add_face(st.pile_cards, face)
    if st.phase == OPENING:
        start_turn(st)
        return ENDS_TURN if r.opening_discard_is_turn else GOES_ON
    if st.hand_size[seat] == 0:
        st.out_bonus = r.masters_hand_bonus if st.long_run else 0
        return GOES_OUT
    return THROWN


@kernel
def _pass(st: Any, r: Any, seat: Any) -> Any:
    if st.phase == PLAY:
        return ENDS_TURN
    if st.phase > PLAY:
        return ANSWERED
    if st.can_boot:
        st.turn_flags = BOOTING
        st.phase = PLAY
        return GOES_ON
    if r.stock_exhausted == DISCARD_ONLY:
        st.passes = 0
        st.phase = PLAY
        return GOES_ON
    st.passes += 1
    floats = st.hand_size[seat] == 0
    return ENDS_TURN if r.stock_exhausted == END_IF_ALL_PASS or floats else TAKES_NOTHING


# -- the end of a turn, windows, the end of a round --------------------------------------------


@kernel
def _carry_on(st: Any, r: Any, seat: Any, follows: Any, settle: Any) -> None:
    """Put a window to the others, begin the next turn or end the round, whatever follows."""
    opener, phase = seat, NONE
    if follows in (ANSWERED, CALL_LAID):
        opener = np.int64(st.window_by) - 1
        phase = np.int64(st.phase) if follows == ANSWERED else NONE
        seat_passes(st, seat)
    elif follows == GOES_OUT:
        phase = FINAL_LAYOFF if r.final_layoff else NONE
        _note_out(st, r, seat)
    else:
        _finish_turn(st, seat)
        if follows == THROWN and r.call_rum:
            phase = CALL
        elif follows == THROWN and r.out_of_turn_play:
            phase = WINDOW
    if phase != NONE:
        if follows != ANSWERED:
            open_window(st, r, seat)
        if ask_next(st, r, phase):
            return
    leave_window(st)
    goer, how = NOBODY, EXHAUSTED
    if follows == GOES_OUT or phase == FINAL_LAYOFF:
        goer, how = opener, OUT
    elif follows != TAKES_NOTHING:
        how = _limit(st, r)
    if how != NONE and settle == NONE:
        st.phase = OVER
        st.seat = -1
        return
    if how != NONE:
        end_round(st, r, how, goer)
        return
    refill_if_empty(st, r)
    st.seat = next_seat(r, opener)
    start_turn(st)


@kernel
def _note_out(st: Any, r: Any, seat: Any) -> None:
    """Note that a seat has gone out, and count the turn: out of turn it is none of its own."""
    if np.int64(st.turn_flags) & BOOTING:
        st.out_bonus += r.boot_bonus
    if st.phase == PLAY:
        st.turns += 1
        st.turns_taken[seat] += 1
    clear_turn(st)


@kernel
def _finish_turn(st: Any, seat: Any) -> None:
    """Count the turn and clear what belongs to it."""
    st.turns += 1
    st.turns_taken[seat] += 1
    laid = st.laid[0] != 0
    is_pass = st.passes > 0  # nothing was taken: neither progress nor the want of it
    if laid or not (st.free_take or is_pass):
        st.no_progress = 0
    elif st.free_take:
        st.no_progress += 1
    if laid:
        st.laid_before[seat] = 1
    clear_turn(st)


@kernel
def _limit(st: Any, r: Any) -> Any:
    """Return how the round ends for want of cards or by a cap, before the next turn; 0: not."""
    out_of_cards = st.stock_size == 0 and r.stock_exhausted == END_AFTER_TURN
    if out_of_cards or st.passes >= r.num_players:
        return EXHAUSTED
    if 0 <= r.no_progress_limit <= st.no_progress:
        return CUT_OFF
    if 0 <= r.max_turns <= st.turns:
        st.truncated = MAX_TURNS if st.single_round else 0
        return CUT_OFF
    return NONE


@kernel
def refill_if_empty(st: Any, r: Any) -> None:
    """Make an empty stock anew of the discards, where the rules do so: the top one stays."""
    if st.stock_size > 0 or st.pile_size < 2:
        return
    if r.stock_exhausted != RESHUFFLE and r.stock_exhausted != TURN_OVER:
        return
    if r.max_reshuffles < 0 or st.reshuffles < r.max_reshuffles:
        refill_stock(st, r, r.stock_exhausted == TURN_OVER)
