"""The legal actions of the seat to move, as bits in the table's record."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import HIGH, LOW, Kind
from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import (
    FACES,
    ONE,
    ZERO,
    clear_bits,
    flip_bit,
    lowest,
    or_bits,
    without_lowest,
)
from rummy500_env.engine.digs import HAND_ONLY, NEW_MELD, bridge_cards, mark_digs
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.jokers import (
    ANY_FACE,
    count_jokers,
    joker_melds,
    jokers_missing,
    mark_groups,
    mark_joker_layoffs,
    wild,
)
from rummy500_env.engine.melds import (
    accepted,
    cards_named,
    corner,
    line_of,
    may_lay_on,
    open_end,
    rank_copies,
    run_holds,
)
from rummy500_env.engine.state import DRAW, OBLIGED, PLAY
from rummy500_env.view_record import MELD_RUN, MELD_SET

__all__ = ["discardable", "layoff_target", "refresh_legal"]


@kernel
def refresh_legal(st: Any, r: Any) -> None:
    """Work out the legal actions anew; none when the game is over."""
    clear_bits(st.legal, np.int64(r.num_words))
    if st.phase == DRAW:
        if st.stock_size > 0:
            or_bits(st.legal, np.int64(r.at_draw), ONE)
        else:
            or_bits(st.legal, np.int64(r.at_pass), ONE)
        mark_digs(st, r)
    elif st.phase == PLAY:
        _mark_play(st, r)
    elif st.phase == OBLIGED:
        _mark_obliged(st, r)


@kernel
def discardable(st: Any) -> Any:
    """Return the faces that the seat to move may discard: more copies are held than banned."""
    seat = np.int64(st.seat)
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    ban, ban2 = np.int64(st.banned[0]), np.int64(st.banned[1])
    return ((hand & ~ban) | (hand2 & ~ban2)) & FACES


@kernel
def _mark_play(st: Any, r: Any) -> None:
    seat = np.int64(st.seat)
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    _mark_sets(st, r, hand, hand2)
    for suit in range(4):
        _mark_runs(st, r, suit, line_of(r, hand, suit))
    if st.num_melds > 0:
        on_set, low, high = accepted(st, r, seat)
        or_bits(st.legal, np.int64(r.at_layoff_set), on_set & hand)
        or_bits(st.legal, np.int64(r.at_layoff_low), low & hand)
        or_bits(st.legal, np.int64(r.at_layoff_high), high & hand)
    jokers = count_jokers(hand)
    if jokers > 0:
        mark_groups(st, r, jokers, np.int64(1))
        if wild(r):
            size, mark = np.int64(st.hand_size[seat]), np.int64(1)
            joker_melds(st, r, hand & FACES, hand2, hand, jokers, ANY_FACE, size, mark)
            mark_joker_layoffs(st, r, seat, hand)
    if r.must_discard_to_go_out or st.banned[0] != 0:
        _keep_some(st, r)
    free = discardable(st)
    or_bits(st.legal, np.int64(r.at_discard), free)
    if jokers > count_jokers(np.int64(st.banned[0])):
        or_bits(st.legal, np.int64(r.at_discard_joker), ONE)
    elif free == 0:
        or_bits(st.legal, np.int64(r.at_pass), ONE)


@kernel
def _mark_sets(st: Any, r: Any, hand: Any, hand2: Any) -> None:
    clubs, diamonds, hearts, spades = hand, hand >> 13, hand >> 26, hand >> 39
    if r.num_decks == 1 and r.set_min_len == 3:
        ranks = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
    else:
        ranks = clubs | diamonds | hearts | spades
    ranks &= (1 << 13) - 1
    while ranks != 0:
        rank = lowest(ranks)
        ranks &= ranks - 1
        within = rank_copies(hand, rank) + 16 * rank_copies(hand2, rank)
        bits = np.int64(r.set_bits[within])
        if bits != 0:
            or_bits(st.legal, r.at_set + rank * r.set_patterns, bits)


@kernel
def _mark_runs(st: Any, r: Any, suit: Any, line: Any) -> None:
    """Set the bits of all runs within a line of positions: for each length, those of its starts."""
    first = np.int64(r.at_run) + suit * np.int64(r.run_stride)
    starts = line & (line >> 1)
    length = 2
    longest = np.int64(r.num_ranks)
    while starts != 0 and length <= longest:
        if length >= r.run_min_len:
            here = starts
            if corner(r):
                here &= (np.int64(1) << np.int64(r.num_ranks)) - 1
            or_bits(st.legal, first + r.run_offset[length], here)
        starts &= line >> length
        length += 1


@kernel
def _keep_some(st: Any, r: Any) -> None:
    """Mask the plays after which the turn could not end.

    With must-discard a card that may be discarded has to be left. Without, a play may empty the
    hand, but not leave banned cards only. Bridges to a dug card were tested with all their cards
    when they were marked.
    """
    seat = np.int64(st.seat)
    for word in range(np.int64(r.at_set) >> 6, (np.int64(r.at_discard) + 63) >> 6):
        bits = np.int64(st.legal[word])
        while bits != 0:
            action = 64 * word + lowest(bits)
            bits = without_lowest(bits)
            if not r.at_set <= action < r.at_discard or _bridges(st, r, action):
                continue
            if not _leaves_enough(st, r, seat, action):
                flip_bit(st.legal, action)


@kernel
def _bridges(st: Any, r: Any, action: Any) -> Any:
    """Return whether a play lays off a bridge card before the dug card is placed."""
    if st.phase != OBLIGED or np.int64(r.codes[action, 0]) != Kind.LAYOFF:
        return False
    joker, face = np.int64(r.codes[action, 3]), np.int64(r.codes[action, 1])
    return joker == 0 and face != np.int64(st.must_use) - 1


@kernel
def _leaves_enough(st: Any, r: Any, seat: Any, action: Any) -> Any:
    """Return whether a play leaves what the end of the turn needs."""
    named, named2 = cards_named(r, action)
    jokers = _jokers_used(st, r, action)
    if jokers > 0:
        hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
        named, named2 = named & hand, named2 & hand2
    return _leaves_enough_of(st, r, seat, named, named2, jokers)


@kernel
def _jokers_used(st: Any, r: Any, action: Any) -> Any:
    """Return the jokers that a play takes from the hand."""
    if r.num_jokers == 0:
        return np.int64(0)
    kind = np.int64(r.codes[action, 0])
    if kind in (Kind.GROUP, Kind.LAYOFF):
        return np.int64(r.codes[action, 3])
    return jokers_missing(st, r, action)


@kernel
def _leaves_enough_of(st: Any, r: Any, seat: Any, used: Any, used2: Any, jokers: Any) -> Any:
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    ban, ban2 = np.int64(st.banned[0]), np.int64(st.banned[1])
    rest, rest2 = ((hand & ~used) | (hand2 & ~used2)) & FACES, hand2 & ~used
    left = count_jokers(hand) - jokers
    if st.phase == OBLIGED or (rest == 0 and left == 0):
        return rest != 0 or left > 0 or not r.must_discard_to_go_out
    # Banned copies of a face are played first.
    bans, bans2 = ((ban & ~used) | (ban2 & ~used2)) & FACES, ban2 & ~used
    free_jokers = left - max(count_jokers(ban) - jokers, np.int64(0))
    return (rest & ~bans) | (rest2 & ~bans2) != 0 or free_jokers > 0


@kernel
def _mark_obliged(st: Any, r: Any) -> None:
    """Set the bits of the plays that place the dug card, or lead a bridge to it."""
    seat = np.int64(st.seat)
    face = np.int64(st.must_use) - 1
    first, second = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    hand = first
    dug_jokers = np.int64(0)
    if r.dig_support == HAND_ONLY:
        dug, dug2 = np.int64(st.dug[0]), np.int64(st.dug[1])
        dug_jokers = count_jokers(dug)
        first, second = ((first & ~dug) | (second & ~dug2)) & FACES, second & ~dug
    held = first
    if face == JOKER:
        jokers = count_jokers(hand) - max(dug_jokers - 1, np.int64(0))
        _mark_obliged_joker(st, r, seat, hand, first & FACES, second, jokers)
    else:
        bit = np.int64(1) << face
        if r.dig_support == HAND_ONLY:
            first, second = first | bit, second | (first & bit)
        _mark_obliged_natural(st, r, face, first, second)
        jokers = count_jokers(hand) - dug_jokers
        if jokers > 0 and wild(r):
            size = np.int64(st.hand_size[seat])
            joker_melds(st, r, first & FACES, second, hand, jokers, face, size, np.int64(1))
        if r.dig_use != NEW_MELD:
            on_set, low, high = accepted(st, r, seat)
            or_bits(st.legal, np.int64(r.at_layoff_set), on_set & bit)
            or_bits(st.legal, np.int64(r.at_layoff_low), low & bit)
            or_bits(st.legal, np.int64(r.at_layoff_high), high & bit)
            if r.dig_layoff_bridge:
                _mark_bridges(st, r, seat, face, held)
    if r.must_discard_to_go_out:
        _keep_some(st, r)


@kernel
def _mark_obliged_joker(
    st: Any, r: Any, seat: Any, hand: Any, first: Any, second: Any, jokers: Any
) -> None:
    """Set the bits of the plays that place a dug joker."""
    layoffs = r.dig_use != NEW_MELD
    mark_groups(st, r, jokers, np.int64(layoffs))
    if wild(r):
        size = np.int64(st.hand_size[seat])
        joker_melds(st, r, first, second, hand, jokers, np.int64(JOKER), size, np.int64(1))
        if layoffs:
            mark_joker_layoffs(st, r, seat, hand)


@kernel
def _mark_obliged_natural(st: Any, r: Any, face: Any, first: Any, second: Any) -> None:
    """Set the bits of the new melds without jokers that hold a face."""
    rank, suit = face % 13, face // 13
    within = rank_copies(first, rank) + 16 * rank_copies(second, rank)
    bits = np.int64(r.set_bits[within])
    if bits != 0:
        at = np.int64(r.at_set) + rank * np.int64(r.set_patterns)
        for pattern in range(np.int64(r.set_patterns)):
            if bits >> pattern & 1 and r.codes[at + pattern, 2] >> (2 * suit) & 3:
                or_bits(st.legal, at + pattern, ONE)
    _mark_runs(st, r, suit, line_of(r, first, suit))
    _drop_runs_without(st, r, suit, rank)


@kernel
def _drop_runs_without(st: Any, r: Any, suit: Any, rank: Any) -> None:
    """Clear the bits of a suit's runs that do not hold a rank."""
    begin = np.int64(r.at_run) + suit * np.int64(r.run_stride)
    end = begin + np.int64(r.run_stride)
    for word in range(begin >> 6, (end + 63) >> 6):
        bits = np.int64(st.legal[word])
        while bits != 0:
            action = 64 * word + lowest(bits)
            bits = without_lowest(bits)
            if begin <= action < end:
                start, length = np.int64(r.codes[action, 2]), np.int64(r.codes[action, 3])
                if not run_holds(r, start, length, rank):
                    flip_bit(st.legal, action)


@kernel
def _mark_bridges(st: Any, r: Any, seat: Any, face: Any, held: Any) -> None:
    """Set the bits of the layoffs that begin a bridge to a face."""
    for meld in range(np.int64(st.num_melds)):
        if st.meld_kind[meld] != MELD_RUN or not may_lay_on(st, r, meld, seat):
            continue
        for high in range(2):
            used = bridge_cards(st, r, meld, np.int64(high), face, held)
            if used & (used - 1) == 0:
                continue
            if r.must_discard_to_go_out and not _leaves_enough_of(st, r, seat, used, ZERO, ZERO):
                continue
            position = open_end(st, r, meld, np.int64(high))
            step = 13 * np.int64(st.meld_line[meld]) + position % r.num_ranks
            or_bits(st.legal, np.int64(r.at_layoff_high if high else r.at_layoff_low) + step, ONE)


@kernel
def layoff_target(st: Any, r: Any, face: Any, place: Any, joker: Any) -> Any:
    """Return the meld that takes a legal layoff: the oldest that accepts it and may take it.

    Before a dug card is placed, only a run takes a bridge card from which that card is reached.
    """
    seat = np.int64(st.seat)
    bridging = st.phase == OBLIGED and joker == 0 and face != np.int64(st.must_use) - 1
    held = np.int64(st.hands[seat, 0])
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
