"""The plays of a seat, melds and layoffs, by their shape, as bits of a string of actions.

``named`` plays use the dealer's joker first; ``doubled`` ones are new melds with a joker over them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import HIGH, LOW, Kind
from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import (
    FACES,
    ONE,
    ZERO,
    flip_bit,
    lowest,
    or_bits,
    without_lowest,
)
from rummy500_env.engine.digs import NEW_MELD, bridge_cards
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.jokers import (
    ANY_FACE,
    count_jokers,
    doubling,
    group_takes,
    hand_jokers,
    joker_melds,
    joker_places,
    mark_groups,
    own_joker,
    wild,
)
from rummy500_env.engine.marks import NO, YES, mark_naturals, mark_new_melds, mark_runs
from rummy500_env.engine.melds import (
    accepted,
    line_of,
    may_lay_on,
    open_end,
    rank_copies,
    run_holds,
)
from rummy500_env.engine.opening import must_open, take_cards
from rummy500_env.engine.opening_digs import HAND_ONLY
from rummy500_env.engine.rules_record import option_code
from rummy500_env.engine.state import CALLED, FINAL_LAYOFF, OBLIGED, WINDOW
from rummy500_env.view_record import MELD_RUN, MELD_SET

__all__ = ["LAYOFFS_ONLY", "bridges", "layoff_target", "mark_free_plays", "mark_placing_plays"]

LAYOFFS_ONLY = option_code("out_of_turn_play", "layoff")


# -- a hand that is free to play -------------------------------------------------------------


@kernel
def mark_free_plays(st: Any, r: Any, words: Any, seat: Any, named: Any, doubled: Any) -> None:
    """Set the bits of all plays of a hand that is free to play."""
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    jokers, own = count_jokers(hand), own_joker(st, r, seat)
    layoffs_only = st.phase == FINAL_LAYOFF
    layoffs_only |= st.phase == WINDOW and r.out_of_turn_play == LAYOFFS_ONLY
    if doubled:
        payable = doubling(st, r) and hand_jokers(ONE, jokers, own, named) >= 0
        if payable and not layoffs_only:
            mark_naturals(r, words, hand, hand2)
        return
    if not layoffs_only:
        mark_new_melds(st, r, words, hand, hand2, own, named)
    if st.num_melds == 0 or must_open(st, r, seat):
        return
    if not named:
        on_set, low, high = accepted(st, r, seat)
        or_bits(words, np.int64(r.at_layoff_set), on_set & hand)
        or_bits(words, np.int64(r.at_layoff_low), low & hand)
        or_bits(words, np.int64(r.at_layoff_high), high & hand)
        if jokers > 0 and r.at_joker_on_group >= 0 and group_takes(st, r, seat) >= 0:
            or_bits(words, np.int64(r.at_joker_on_group), ONE)
    if hand_jokers(ONE, jokers, own, named) >= 0 and wild(st, r):
        _mark_joker_layoffs(st, r, words, seat, hand)


@kernel
def _mark_joker_layoffs(st: Any, r: Any, words: Any, seat: Any, hand: Any) -> None:
    on_set, low, high = joker_places(st, r, seat, hand)
    or_bits(words, np.int64(r.at_joker_set), on_set)
    or_bits(words, np.int64(r.at_joker_low), low)
    or_bits(words, np.int64(r.at_joker_high), high)


# -- a dug card that is to be placed ---------------------------------------------------------


@kernel
def mark_placing_plays(st: Any, r: Any, words: Any, seat: Any, named: Any, doubled: Any) -> None:
    """Set the bits of the plays that place the dug card, or lead a bridge to it."""
    face = np.int64(st.must_use) - 1
    hand = np.int64(st.hands[seat, 0])
    called = np.int64(st.turn_flags) & CALLED != 0
    first, second, jokers = _support(st, r, seat)
    own, held = own_joker(st, r, seat), count_jokers(hand)
    size = np.int64(st.hand_size[seat])
    opened = not must_open(st, r, seat)
    layoffs = opened and (r.dig_use != NEW_MELD or called) and not named and not doubled
    if doubled:
        payable = 0 <= hand_jokers(ONE, held, own, named) <= jokers
        if face != JOKER and payable and doubling(st, r):
            _mark_melds_with(r, words, face, first, second)
        return
    if face == JOKER:
        if not named:
            mark_groups(r, words, jokers)
            if layoffs and r.at_joker_on_group >= 0 and group_takes(st, r, seat) >= 0:
                or_bits(words, np.int64(r.at_joker_on_group), ONE)
        if wild(st, r):
            joker_melds(
                st,
                r,
                words,
                first,
                second,
                hand,
                held,
                jokers,
                own,
                named,
                ONE,
                ANY_FACE,
                size,
                YES,
            )
            if layoffs:
                _mark_joker_layoffs(st, r, words, seat, hand)
        return
    if not named:
        _mark_melds_with(r, words, face, first, second)
    if held + own > 0 and wild(st, r):
        joker_melds(
            st, r, words, first, second, hand, held, jokers, own, named, NO, face, size, YES
        )
    if layoffs:
        bit = np.int64(1) << face
        on_set, low, high = accepted(st, r, seat)
        or_bits(words, np.int64(r.at_layoff_set), on_set & bit)
        or_bits(words, np.int64(r.at_layoff_low), low & bit)
        or_bits(words, np.int64(r.at_layoff_high), high & bit)
        if r.dig_layoff_bridge:
            _mark_bridges(st, r, words, seat, face)


@kernel
def _support(st: Any, r: Any, seat: Any) -> Any:
    """Return the cards that may go down with a dug card, itself among them: naturals and jokers.

    All of the hand; with ``hand_only`` what was held before the dig; after a call what was taken.
    """
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    face = np.int64(st.must_use) - 1
    dug, dug2 = np.int64(st.dug[0]), np.int64(st.dug[1])
    if np.int64(st.turn_flags) & CALLED:
        laid, laid2 = np.int64(st.laid[0]), np.int64(st.laid[1])
        return ((dug & ~laid) | (dug2 & ~laid2)) & FACES, dug2 & ~laid, ZERO
    if r.dig_support != HAND_ONLY:
        return hand & FACES, hand2, count_jokers(hand)
    first, second = ((hand & ~dug) | (hand2 & ~dug2)) & FACES, hand2 & ~dug
    jokers = count_jokers(hand) - count_jokers(dug)
    if face == JOKER:
        return first, second, jokers + 1
    bit = np.int64(1) << face
    return first | bit, second | (first & bit), jokers


@kernel
def _bridge_held(st: Any, r: Any, seat: Any) -> Any:
    """Return the faces that a bridge to the dug card may be made of."""
    if r.dig_support == HAND_ONLY and np.int64(st.turn_flags) & CALLED == 0:
        hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
        dug, dug2 = np.int64(st.dug[0]), np.int64(st.dug[1])
        return ((hand & ~dug) | (hand2 & ~dug2)) & FACES
    first, _, _ = _support(st, r, seat)
    return first


@kernel
def _mark_melds_with(r: Any, words: Any, face: Any, first: Any, second: Any) -> None:
    """Set the bits of the new melds without jokers that hold a face."""
    rank, suit = face % 13, face // 13
    within = rank_copies(first, rank) + 16 * rank_copies(second, rank)
    bits = np.int64(r.set_bits[within])
    if bits != 0:
        at = np.int64(r.at_set) + rank * np.int64(r.set_patterns)
        for pattern in range(np.int64(r.set_patterns)):
            if bits >> pattern & 1 and r.codes[at + pattern, 2] >> (2 * suit) & 3:
                or_bits(words, at + pattern, ONE)
    mark_runs(r, words, suit, line_of(r, first, suit))
    _drop_runs_without(r, words, suit, rank)


@kernel
def _drop_runs_without(r: Any, words: Any, suit: Any, rank: Any) -> None:
    """Clear the bits of a suit's runs that do not hold a rank."""
    begin = np.int64(r.at_run) + suit * np.int64(r.run_stride)
    end = begin + np.int64(r.run_stride)
    for word in range(begin >> 6, (end + 63) >> 6):
        bits = np.int64(words[word])
        while bits != 0:
            action = 64 * word + lowest(bits)
            bits = without_lowest(bits)
            if begin <= action < end:
                start, length = np.int64(r.codes[action, 2]), np.int64(r.codes[action, 3])
                if not run_holds(r, start, length, rank):
                    flip_bit(words, action)


@kernel
def _mark_bridges(st: Any, r: Any, words: Any, seat: Any, face: Any) -> None:
    """Set the bits of the layoffs that begin a bridge to a face.

    The cards still to bridge, and the face, go too: all of it must leave enough.
    """
    held = _bridge_held(st, r, seat)
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    for meld in range(np.int64(st.num_melds)):
        if st.meld_kind[meld] != MELD_RUN or not may_lay_on(st, r, meld, seat):
            continue
        for high in range(2):
            used = bridge_cards(st, r, meld, np.int64(high), face, held)
            if used & (used - 1) == 0:
                continue
            left, _ = take_cards(hand, hand2, used, ZERO, ZERO)
            if left == 0 and r.keep:
                continue
            position = open_end(st, r, meld, np.int64(high))
            step = 13 * np.int64(st.meld_line[meld]) + position % r.num_ranks
            or_bits(words, np.int64(r.at_layoff_high if high else r.at_layoff_low) + step, ONE)


# -- layoffs: bridges, and where they go ------------------------------------------------------


@kernel
def bridges(st: Any, r: Any, action: Any) -> Any:
    """Return whether a play lays off a bridge card before the dug card is placed."""
    if st.phase != OBLIGED or np.int64(r.codes[action, 0]) != Kind.LAYOFF:
        return False
    joker, face = np.int64(r.codes[action, 3]), np.int64(r.codes[action, 1])
    return joker == 0 and face != np.int64(st.must_use) - 1


@kernel
def layoff_target(st: Any, r: Any, face: Any, place: Any, joker: Any) -> Any:
    """Return the meld that takes a legal layoff: the oldest that accepts it and may take it.

    Before a dug card is placed, only a run takes a bridge card from which that card is reached.
    """
    seat = np.int64(st.seat)
    bridging = st.phase == OBLIGED and joker == 0 and face != np.int64(st.must_use) - 1
    held = _bridge_held(st, r, seat) if bridging else ZERO
    for meld in range(np.int64(st.num_melds)):
        if not may_lay_on(st, r, meld, seat):
            continue
        if place != LOW and place != HIGH:
            if st.meld_kind[meld] == MELD_SET and _set_accepts(st, r, meld, face):
                return np.int64(meld)
            continue
        if st.meld_kind[meld] != MELD_RUN or np.int64(st.meld_line[meld]) != face // 13:
            continue
        position = open_end(st, r, meld, np.int64(place == HIGH))
        if position < 0 or position % r.num_ranks != face % 13:
            continue
        if bridging:
            goal = np.int64(st.must_use) - 1
            used = bridge_cards(st, r, meld, np.int64(place == HIGH), goal, held)
            if used & (used - 1) == 0:
                continue
        return np.int64(meld)
    return np.int64(-1)


@kernel
def _set_accepts(st: Any, r: Any, meld: Any, face: Any) -> Any:
    size = np.int64(st.meld_size[meld])
    if np.int64(st.meld_line[meld]) != face % 13 or size >= r.set_max_size:
        return False
    if r.set_distinct_suits:
        for place in range(size):
            if np.int64(st.meld_faces[meld, place]) == face:
                return False
    return True
