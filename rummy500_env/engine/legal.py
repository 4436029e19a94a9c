"""The legal actions of the seat to move, as bits in the table's record."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import HIGH, LOW, ON_SET
from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import FACES, ONE, ZERO, clear_bits, count_bits, or_bits
from rummy500_env.engine.booting import blocking_leads_out, can_block, can_boot, keep_booting
from rummy500_env.engine.digs import mark_called_digs, mark_digs
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.jokers import count_jokers, own_joker
from rummy500_env.engine.marks import NO, YES
from rummy500_env.engine.melds import accepted
from rummy500_env.engine.opening import enough_left, must_open, opens_anyhow, take_cards
from rummy500_env.engine.plays import mark_plays
from rummy500_env.engine.rules_record import option_code
from rummy500_env.engine.state import (
    BOOTING,
    CALL,
    CLAIM,
    DRAW,
    NOMINATE,
    OBLIGED,
    OPENING,
    OVER,
    PLAY,
    SAID_DOUBLE,
    SAID_OWN,
)

__all__ = ["call_place", "can_call", "discardable", "refresh_legal"]

CARD_ONLY = option_code("call_rum", "card_only")


@kernel
def refresh_legal(st: Any, r: Any) -> None:
    """Work out the legal actions anew; none when the game is over."""
    clear_bits(st.legal, np.int64(r.num_words))
    if st.phase == DRAW:
        if st.stock_size > 0:
            or_bits(st.legal, np.int64(r.at_draw), ONE)
        if st.stock_size == 0 or can_boot(st, r):
            or_bits(st.legal, np.int64(r.at_pass), ONE)
        mark_digs(st, r)
    elif st.phase == PLAY:
        _mark_all_plays(st, r)
        if np.int64(st.turn_flags) & (SAID_OWN | SAID_DOUBLE) == 0:
            _mark_discards(st, r)
    elif st.phase == OBLIGED:
        _mark_all_plays(st, r)
    elif st.phase == NOMINATE:
        number = np.int64(r.at_block) - np.int64(r.at_nominate)
        or_bits(st.legal, np.int64(r.at_nominate), (np.int64(1) << number) - 1)
    elif st.phase == OPENING:
        _mark_any_discard(st, r)
    elif st.phase == CALL:
        _mark_call(st, r)
    elif st.phase != OVER:
        _mark_all_plays(st, r)
        if not _opening_begun(st, r) and np.int64(st.turn_flags) == 0:
            or_bits(st.legal, np.int64(r.at_pass), ONE)


# -- plays -----------------------------------------------------------------------------------


@kernel
def _mark_all_plays(st: Any, r: Any) -> None:
    """Set the bits of the plays, of prefixes that some play completes, and of a block."""
    flags = np.int64(st.turn_flags)
    if r.dealers_joker == 0:
        _mark_lays(st, r, NO, NO)
        return
    named, doubled = np.int64(flags & SAID_OWN != 0), np.int64(flags & SAID_DOUBLE != 0)
    own, double = False, False
    if doubled == 0:
        double = _some_play(st, r, named, YES)
        if named == 0 and own_joker(st, r, np.int64(st.seat)):
            own = _some_play(st, r, YES, NO) or _some_play(st, r, YES, YES)
    _mark_lays(st, r, named, doubled)
    if double:
        or_bits(st.legal, np.int64(r.at_double), ONE)
    if own:
        or_bits(st.legal, np.int64(r.at_own), ONE)
    if st.phase == PLAY and named == 0 and doubled == 0 and can_block(st, r):
        if _may_block(st, r):
            or_bits(st.legal, np.int64(r.at_block), ONE)


@kernel
def _mark_lays(st: Any, r: Any, named: Any, doubled: Any) -> None:
    mark_plays(st, r, st.legal, named, doubled)
    if np.int64(st.turn_flags) & BOOTING:
        keep_booting(st, r, st.legal, named, doubled)


@kernel
def _some_play(st: Any, r: Any, named: Any, doubled: Any) -> Any:
    """Return whether there is a play with certain prefixes; no bit is left set."""
    if doubled and r.at_double < 0:
        return False
    _mark_lays(st, r, named, doubled)
    found = count_bits(st.legal, np.int64(r.num_words)) > 0
    clear_bits(st.legal, np.int64(r.num_words))
    return found


@kernel
def _may_block(st: Any, r: Any) -> Any:
    """Return whether a block leaves what the turn needs."""
    seat = np.int64(st.seat)
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    ban, ban2 = np.int64(st.banned[0]), np.int64(st.banned[1])
    rest, rest2 = take_cards(hand, hand2, ZERO, ZERO, ONE)
    left, left2 = take_cards(ban, ban2, ZERO, ZERO, ONE)
    if not enough_left(r, rest, rest2, left, left2, ONE):
        return False
    if _opening_begun(st, r):
        need = np.int64(r.opening) - np.int64(st.opening_points)
        return opens_anyhow(st, r, rest, rest2, left, left2, need)
    return np.int64(st.turn_flags) & BOOTING == 0 or blocking_leads_out(st, r)


@kernel
def _opening_begun(st: Any, r: Any) -> Any:
    """Return whether the seat to move has laid melds that do not open yet."""
    return st.opening_points > 0 and must_open(st, r, np.int64(st.seat))


# -- discards --------------------------------------------------------------------------------


@kernel
def discardable(st: Any) -> Any:
    """Return the faces that the seat to move may discard: more copies are held than banned."""
    seat = np.int64(st.seat)
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    ban, ban2 = np.int64(st.banned[0]), np.int64(st.banned[1])
    return ((hand & ~ban) | (hand2 & ~ban2)) & FACES


@kernel
def _mark_discards(st: Any, r: Any) -> None:
    """Set the bits of the discards that end the turn, or of ``pass`` if all cards are banned."""
    seat = np.int64(st.seat)
    if _opening_begun(st, r):
        return
    if np.int64(st.turn_flags) & BOOTING and st.hand_size[seat] > 1:
        return
    free = discardable(st)
    or_bits(st.legal, np.int64(r.at_discard), free)
    if r.num_jokers > 0:
        jokers = count_jokers(np.int64(st.hands[seat, 0]))
        if jokers > count_jokers(np.int64(st.banned[0])):
            or_bits(st.legal, np.int64(r.at_discard_joker), ONE)
            return
    if free == 0:
        or_bits(st.legal, np.int64(r.at_pass), ONE)


@kernel
def _mark_any_discard(st: Any, r: Any) -> None:
    """Set the bits of all discards."""
    hand = np.int64(st.hands[st.seat, 0])
    or_bits(st.legal, np.int64(r.at_discard), hand & FACES)
    if hand >> JOKER != 0:
        or_bits(st.legal, np.int64(r.at_discard_joker), ONE)


# -- calls -----------------------------------------------------------------------------------


@kernel
def _mark_call(st: Any, r: Any) -> None:
    """Set the bits of what a seat does that is asked for a call, or that has called."""
    if np.int64(st.turn_flags) & CLAIM == 0:
        or_bits(st.legal, np.int64(r.at_call), ONE)
        or_bits(st.legal, np.int64(r.at_pass), ONE)
    else:
        _mark_claims(st, r, st.legal, np.int64(st.seat))


@kernel
def can_call(st: Any, r: Any, seat: Any) -> Any:
    """Return whether a seat can call: it has opened, and the discard, or the pile, fits."""
    if st.pile_size == 0 or must_open(st, r, seat):
        return False
    _mark_claims(st, r, st.trial, seat)
    found = count_bits(st.trial, np.int64(r.num_words)) > 0
    clear_bits(st.trial, np.int64(r.num_words))
    return found


@kernel
def call_place(st: Any, r: Any, seat: Any) -> Any:
    """Return the one place at which a seat can lay a called card off; -1 when there are more."""
    bit = np.int64(1) << np.int64(st.pile[st.pile_size - 1])
    on_set, low, high = accepted(st, r, seat)
    set_too, low_too, high_too = on_set & bit != 0, low & bit != 0, high & bit != 0
    if np.int64(set_too) + np.int64(low_too) + np.int64(high_too) > 1:
        return np.int64(-1)
    if set_too:
        return np.int64(ON_SET)
    return np.int64(LOW if low_too else HIGH)


@kernel
def _mark_claims(st: Any, r: Any, words: Any, seat: Any) -> None:
    """Set the bits of the places of a called card, or of the digs that a call allows."""
    if r.call_rum != CARD_ONLY:
        mark_called_digs(st, r, words, seat)
        return
    face = np.int64(st.pile[st.pile_size - 1])
    if face == JOKER:
        return
    bit = np.int64(1) << face
    on_set, low, high = accepted(st, r, seat)
    or_bits(words, np.int64(r.at_layoff_set), on_set & bit)
    or_bits(words, np.int64(r.at_layoff_low), low & bit)
    or_bits(words, np.int64(r.at_layoff_high), high & bit)
