"""The legal actions of the seat to move, as bits in the table's record."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import HIGH, LOW, ON_SET
from rummy500_env.cards import JOKER
from rummy500_env.engine.allowed import mark_plays, opening_begun
from rummy500_env.engine.bits import FACES, ONE, clear_bits, count_bits, or_bits
from rummy500_env.engine.booting import can_boot
from rummy500_env.engine.digs import mark_called_digs, mark_digs
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.jokers import count_jokers
from rummy500_env.engine.marks import NO
from rummy500_env.engine.melds import accepted
from rummy500_env.engine.opening import must_open
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

__all__ = ["NOWHERE", "call_place", "can_call", "discardable", "refresh_legal"]

CARD_ONLY = option_code("call_rum", "card_only")
PREFIXES = SAID_OWN | SAID_DOUBLE
NOWHERE = np.int64(-1)


@kernel
def refresh_legal(st: Any, r: Any) -> None:
    """Work out the legal actions anew; none when the game is over."""
    clear_bits(st.legal, np.int64(r.num_words))
    st.can_boot = 0
    phase = np.int64(st.phase)
    if phase == DRAW:
        if st.stock_size > 0:
            or_bits(st.legal, np.int64(r.at_draw), ONE)
        if r.skip_first_draw:
            st.can_boot = can_boot(st, r, np.int64(st.seat))
        if st.stock_size == 0 or st.can_boot:
            or_bits(st.legal, np.int64(r.at_pass), ONE)
        mark_digs(st, r)
    elif phase == NOMINATE:
        number = np.int64(r.at_block) - np.int64(r.at_nominate)
        or_bits(st.legal, np.int64(r.at_nominate), (np.int64(1) << number) - 1)
    elif phase == OPENING:
        _mark_any_discard(st, r)
    elif phase == CALL:
        _mark_call(st, r)
    elif phase != OVER:
        _mark_all_plays(st, r)
        may_end = not opening_begun(st, r) and np.int64(st.turn_flags) & PREFIXES == 0
        if phase == PLAY and may_end:
            _mark_discards(st, r)
        elif phase != OBLIGED and may_end:
            or_bits(st.legal, np.int64(r.at_pass), ONE)


@kernel
def _mark_all_plays(st: Any, r: Any) -> None:
    """Set the bits of the plays, and of each prefix that some play completes.

    The prefixes ``own`` and ``double`` stand in this order. For each row of them that goes on from
    what is said, its plays are marked and cleared; those of what is said stay.
    """
    said = np.int64(st.turn_flags) & PREFIXES
    row = PREFIXES if r.dealers_joker else said
    own, double = False, False
    while True:
        if row == said or said == NO or (said == SAID_OWN and row == PREFIXES):
            named, doubled = np.int64(row & SAID_OWN != 0), np.int64(row & SAID_DOUBLE != 0)
            mark_plays(st, r, st.legal, named, doubled)
            if row == said:
                break
            if count_bits(st.legal, np.int64(r.num_words)) > 0:
                clear_bits(st.legal, np.int64(r.num_words))
                if said == NO and named:
                    own = True
                else:
                    double = True
        row -= SAID_OWN  # the lower of the two bits: all rows, down to none
    if own:
        or_bits(st.legal, np.int64(r.at_own), ONE)
    if double:
        or_bits(st.legal, np.int64(r.at_double), ONE)


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
        return NOWHERE
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
