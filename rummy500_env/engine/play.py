"""Playing an action: the one function that changes a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import Kind
from rummy500_env.engine.bits import add_face, count_face, remove_face
from rummy500_env.engine.booting import can_boot
from rummy500_env.engine.deal import next_seat, refill_stock, show_card, start_turn
from rummy500_env.engine.digs import BAN_ALL_DRAWN, BAN_DUG_ALL, BAN_TOP_TAKEN
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.laying import block_joker, lay_called, lay_new, lay_off
from rummy500_env.engine.legal import call_place, refresh_legal
from rummy500_env.engine.melds import keep_open_places
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

__all__ = ["play_action", "refill_if_empty"]

NONE = np.int64(0)  # of call_rum, out_of_turn_play, final_layoff
CARD_ONLY = option_code("call_rum", "card_only")
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
    elif kind == Kind.SET or kind == Kind.RUN or kind == Kind.GROUP:
        lay_new(st, r, seat, action)
        _after_laying(st, r, seat)
    elif kind == Kind.LAYOFF:
        if st.phase == CALL:
            _lay_called(st, r, seat, b)
        else:
            lay_off(st, r, seat, a, b, c)
            _after_laying(st, r, seat)
    elif kind == Kind.DISCARD:
        _discard(st, r, seat, a)
    elif kind == Kind.PASS:
        _pass(st, r, seat)
    elif kind == Kind.CALL:
        _call(st, r, seat)
    elif kind == Kind.NOMINATE:
        st.joker_effect = a
        st.seat = next_seat(r, np.int64(st.dealer))
        start_turn(st)
    elif kind == Kind.BLOCK:
        block_joker(st, r, seat)
        _after_laying(st, r, seat)
    else:
        st.turn_flags = np.int64(st.turn_flags) | a
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


# -- after laying ---------------------------------------------------------------------------


@kernel
def _after_laying(st: Any, r: Any, seat: Any) -> None:
    """Discharge the obligation when the dug card lies on the table; go out with an empty hand."""
    keep_open_places(st, r)
    flags = np.int64(st.turn_flags) & ~(SAID_OWN | SAID_DOUBLE)
    if st.phase == OBLIGED and count_face(st.laid, np.int64(st.must_use) - 1) > 0:
        st.must_use = 0
        st.phase = PLAY
        flags &= ~CALLED
    st.turn_flags = flags
    if st.hand_size[seat] > 0 or st.phase == OBLIGED:
        return
    if st.phase == FINAL_LAYOFF:
        _answer(st, r, seat)
    elif r.floating:
        _next_turn(st, r, seat)
    else:
        _go_out(st, r, seat, NONE)


@kernel
def _go_out(st: Any, r: Any, seat: Any, bonus: Any) -> None:
    """End the round for a seat that is out, after the layoffs of others where the rules have them.

    Going out of turn is no turn of its own.
    """
    if np.int64(st.turn_flags) & BOOTING:
        bonus += np.int64(r.boot_bonus)
    st.out_bonus = bonus
    own_turn = np.int64(st.phase == PLAY)
    st.round_turns = st.turns + own_turn
    if r.final_layoff != NONE:
        clear_turn(st)
        open_window(st, r, seat)
        if ask_next(st, r, FINAL_LAYOFF):
            return
    _settle_out(st, r, seat)


@kernel
def _settle_out(st: Any, r: Any, goer: Any) -> None:
    turn_counts = st.round_turns > st.turns
    leave_window(st)
    clear_turn(st)
    if turn_counts:
        st.turns += 1
        st.turns_taken[goer] += 1
    end_round(st, r, OUT, goer)


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
    if st.phase == OPENING:
        if r.opening_discard_is_turn:
            _next_turn(st, r, seat)
        else:
            start_turn(st)
    elif st.hand_size[seat] == 0:
        _go_out(st, r, seat, np.int64(r.masters_hand_bonus) if st.long_run else NONE)
    elif r.call_rum != NONE or r.out_of_turn_play != NONE:
        _finish_turn(st, r, seat)
        open_window(st, r, seat)
        if not ask_next(st, r, CALL if r.call_rum != NONE else WINDOW):
            leave_window(st)
            _go_on(st, r, seat)
    else:
        _next_turn(st, r, seat)


@kernel
def _pass(st: Any, r: Any, seat: Any) -> None:
    if st.phase == PLAY:
        _next_turn(st, r, seat)
        return
    if st.phase > PLAY:
        _answer(st, r, seat)
        return
    if can_boot(st, r):
        st.turn_flags = BOOTING
        st.phase = PLAY
        return
    if r.stock_exhausted == DISCARD_ONLY:
        st.passes = 0
        st.phase = PLAY
        return
    st.passes += 1
    floats = st.hand_size[seat] == 0
    if r.stock_exhausted == END_IF_ALL_PASS or floats:
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
    if laid:
        st.laid_before[seat] = 1
    clear_turn(st)


@kernel
def _next_turn(st: Any, r: Any, seat: Any) -> None:
    """End the turn without a window; the next seat's begins unless the round ends."""
    _finish_turn(st, r, seat)
    _go_on(st, r, seat)


@kernel
def _go_on(st: Any, r: Any, seat: Any) -> None:
    """Begin the turn after a seat's, unless a limit or the stock ends the round."""
    out_of_cards = st.stock_size == 0 and r.stock_exhausted == END_AFTER_TURN
    if out_of_cards or st.passes >= r.num_players:
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


# -- windows out of turn ---------------------------------------------------------------------


@kernel
def _answer(st: Any, r: Any, seat: Any) -> None:
    """End what a seat does in a window; the next one is asked, or the window closes."""
    phase, opener = np.int64(st.phase), np.int64(st.window_by) - 1
    seat_passes(st, seat)
    if ask_next(st, r, phase):
        return
    if phase == FINAL_LAYOFF:
        _settle_out(st, r, opener)
    else:
        leave_window(st)
        _go_on(st, r, opener)


@kernel
def _call(st: Any, r: Any, seat: Any) -> None:
    """Claim the discard: it is laid off at once where one place takes it, else the caller says."""
    place = call_place(st, r, seat) if r.call_rum == CARD_ONLY else NOBODY
    if place >= 0:
        _lay_called(st, r, seat, place)
    else:
        st.turn_flags = CLAIM


@kernel
def _lay_called(st: Any, r: Any, seat: Any, place: Any) -> None:
    opener = np.int64(st.window_by) - 1
    lay_called(st, r, seat, place)
    keep_open_places(st, r)
    seat_passes(st, seat)
    leave_window(st)
    _go_on(st, r, opener)


@kernel
def refill_if_empty(st: Any, r: Any) -> None:
    """Make an empty stock anew of the discards, where the rules do so: the top one stays."""
    if st.stock_size > 0 or st.pile_size < 2:
        return
    if r.stock_exhausted != RESHUFFLE and r.stock_exhausted != TURN_OVER:
        return
    if r.max_reshuffles < 0 or st.reshuffles < r.max_reshuffles:
        refill_stock(st, r, r.stock_exhausted == TURN_OVER)
