"""Which cards of the pile may be dug.

A dig takes a card with all above it, and the taken card must be used at once: in a new meld, or by
a layoff, if need be after bridge cards; and the play must leave what the turn's discard needs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.engine.bits import ONE, ZERO, or_bits, popcount
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.melds import accepted, corner, line_of, may_lay_on, rank_copies, reach
from rummy500_env.engine.rules_record import option_code
from rummy500_env.view_record import MELD_RUN

__all__ = ["BAN_ALL_DRAWN", "BAN_DUG_ALL", "HAND_ONLY", "NEW_MELD", "TOP_ONLY", "mark_digs", "may_keep"]

NEW_MELD = option_code("dig_use", "new_meld")
HAND_ONLY = option_code("dig_support", "hand_only")
TOP_ONLY = option_code("discard_take", "top_only")
BAN_TOP_TAKEN = option_code("drawn_discard_ban", "top_taken")
BAN_DUG_ALL = option_code("drawn_discard_ban", "dug_all")
BAN_ALL_DRAWN = option_code("drawn_discard_ban", "all_drawn")


@kernel
def may_keep(first: Any, second: Any, ban: Any, ban2: Any, used: Any, used2: Any) -> Any:
    """Return whether a card that may be discarded is left after a play.

    All sets are pairs of words: the hand, the banned cards, the cards played (banned copies of a
    face are played first).
    """
    rest, rest2 = (first & ~used) | (second & ~used2), second & ~used
    bans, bans2 = (ban & ~used) | (ban2 & ~used2), ban2 & ~used
    return (rest & ~bans) | (rest2 & ~bans2) != 0


@kernel
def mark_digs(st: Any, r: Any) -> None:
    """Set the legal bits of all digs of the seat to move."""
    size = np.int64(st.pile_size)
    if size == 0:
        return
    seat = np.int64(st.seat)
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    on_set, low, high = accepted(st, r, seat)
    fits = on_set | low | high
    if r.dig_use == NEW_MELD:
        fits = np.int64(0)
    must_keep = r.must_discard_to_go_out != 0
    taken, taken2 = np.int64(0), np.int64(0)
    for index in range(size - 1, -1, -1):
        face = np.int64(st.pile[index])
        bit = np.int64(1) << face
        taken2 |= taken & bit
        taken |= bit
        first, second = _together(hand, hand2, taken, taken2)
        if index == size - 1 and r.top_discard_free:
            usable = True
        elif must_keep:
            ban, ban2 = np.int64(0), np.int64(0)
            if r.drawn_discard_ban >= BAN_DUG_ALL:
                ban, ban2 = taken, taken2
            usable = _usable_keeping(st, r, seat, face, first, second, hand, hand2, ban, ban2, fits)
        else:
            usable = fits >> face & 1 != 0 or _usable(st, r, seat, face, first, second, hand, hand2)
        if usable:
            deeper = taken2 & bit != 0
            or_bits(st.legal, np.int64(r.at_dig_deeper if deeper else r.at_dig) + face, ONE)
        if r.discard_take == TOP_ONLY:
            return


@kernel
def _together(first: Any, second: Any, other: Any, other2: Any) -> Any:
    """Return the union of two sets of cards, with copies."""
    return first | other, second | other2 | (first & other)


@kernel
def _support(r: Any, face: Any, first: Any, second: Any, hand: Any, hand2: Any) -> Any:
    """Return the cards a new meld with the taken face may be made of."""
    if r.dig_support != HAND_ONLY:
        return first, second
    bit = np.int64(1) << face
    return hand | bit, hand2 | (hand & bit)


@kernel
def _usable(
    st: Any, r: Any, seat: Any, face: Any, first: Any, second: Any, hand: Any, hand2: Any
) -> Any:
    """Return whether the taken face makes a new meld, or is laid off after bridge cards."""
    support, support2 = _support(r, face, first, second, hand, hand2)
    rank, suit = face % 13, face // 13
    copies = popcount(rank_copies(support, rank))
    if not r.set_distinct_suits:
        copies += popcount(rank_copies(support2, rank))
    if copies >= r.set_min_len and r.set_max_size >= r.set_min_len:
        return True
    starts = _window_starts(r, line_of(r, support, suit))
    if starts != 0 and (_covers(r, starts, rank)):
        return True
    if r.dig_use == NEW_MELD or not r.dig_layoff_bridge:
        return False
    held = hand if r.dig_support == HAND_ONLY else first
    for meld in range(np.int64(st.num_melds)):
        if st.meld_kind[meld] == MELD_RUN and may_lay_on(st, r, meld, seat):
            if reach(st, r, meld, ONE, face, held) >= 0:
                return True
            if reach(st, r, meld, ZERO, face, held) >= 0:
                return True
    return False


@kernel
def _window_starts(r: Any, line: Any) -> Any:
    """Return the positions at which a run of the least length can start."""
    starts = line
    for step in range(1, np.int64(r.run_min_len)):
        starts &= line >> step
    return starts


@kernel
def _covers(r: Any, starts: Any, rank: Any) -> Any:
    """Return whether one of the shortest runs from ``starts`` holds a rank."""
    window = (np.int64(1) << np.int64(r.run_min_len)) - 1
    ranks, length = np.int64(r.num_ranks), np.int64(r.run_min_len)
    # The starts of the windows over position p are the ``length`` bits that end at bit p.
    if (starts << (length - 1)) >> rank & window != 0:
        return True
    if corner(r) or rank == 0:
        return (starts << (length - 1)) >> (rank + ranks) & window != 0
    return False


@kernel
def _usable_keeping(
    st: Any,
    r: Any,
    seat: Any,
    face: Any,
    first: Any,
    second: Any,
    hand: Any,
    hand2: Any,
    ban: Any,
    ban2: Any,
    fits: Any,
) -> Any:
    """Return whether the taken face can be used so that a discard is left (must-discard).

    Only the smallest plays need a look: a larger one leaves a part of what they leave.
    """
    bit = np.int64(1) << face
    if fits & bit != 0 and may_keep(first, second, ban, ban2, bit, ZERO):
        return True
    support, support2 = _support(r, face, first, second, hand, hand2)
    rank, suit = face % 13, face // 13
    if _set_keeping(r, rank, suit, support, support2, first, second, ban, ban2):
        return True
    ranks, length = np.int64(r.num_ranks), np.int64(r.run_min_len)
    starts = _window_starts(r, line_of(r, support, suit))
    for start in range(2 * ranks):
        if starts >> start & 1:
            used = np.int64(0)
            for position in range(start, start + length):
                used |= np.int64(1) << (13 * suit + position % ranks)
            if used & bit != 0 and may_keep(first, second, ban, ban2, used, ZERO):
                return True
    if r.dig_use == NEW_MELD or not r.dig_layoff_bridge:
        return False
    held = hand if r.dig_support == HAND_ONLY else first
    for meld in range(np.int64(st.num_melds)):
        if st.meld_kind[meld] == MELD_RUN and may_lay_on(st, r, meld, seat):
            for high in range(2):
                used = bridge_cards(st, r, meld, np.int64(high), face, held)
                if used != 0 and may_keep(first, second, ban, ban2, used, ZERO):
                    return True
    return False


@kernel
def _set_keeping(
    r: Any,
    rank: Any,
    suit: Any,
    support: Any,
    support2: Any,
    first: Any,
    second: Any,
    ban: Any,
    ban2: Any,
) -> Any:
    """Return whether a smallest set with a face leaves a discard."""
    within = rank_copies(support, rank) + 16 * rank_copies(support2, rank)
    bits = np.int64(r.set_bits[within])
    for pattern in range(np.int64(r.set_patterns)):
        if bits >> pattern & 1 == 0:
            continue
        action = np.int64(r.at_set) + rank * np.int64(r.set_patterns) + pattern
        copies = np.int64(r.codes[action, 2])
        if copies >> (2 * suit) & 3 == 0:
            continue
        used, used2 = np.int64(0), np.int64(0)
        for s in range(4):
            bit = np.int64(1) << (13 * s + rank)
            if copies >> (2 * s) & 3 >= 1:
                used |= bit
            if copies >> (2 * s) & 3 == 2:
                used2 |= bit
        if may_keep(first, second, ban, ban2, used, used2):
            return True
    return False


@kernel
def bridge_cards(st: Any, r: Any, meld: Any, high: Any, face: Any, held: Any) -> Any:
    """Return the cards that take a face to an end of a run, itself among them; 0: none do."""
    between = reach(st, r, meld, high, face, held)
    if between < 0:
        return np.int64(0)
    ranks, suit = np.int64(r.num_ranks), np.int64(st.meld_line[meld])
    start, size = np.int64(st.meld_start[meld]), np.int64(st.meld_size[meld])
    used = np.int64(0)
    for step in range(between + 1):
        position = start + size + step if high else start - 1 - step + 2 * ranks
        used |= np.int64(1) << (13 * suit + position % ranks)
    return used
