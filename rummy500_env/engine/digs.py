"""Which cards of the pile may be dug.

A dig takes a card with all above it, and the taken card must be used at once: in a new meld, or by
a layoff, if need be after bridge cards; and the play must leave what the turn's discard needs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import ONE, ZERO, or_bits, popcount
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.jokers import (
    count_jokers,
    group_takes,
    joker_melds,
    joker_places,
    wild,
)
from rummy500_env.engine.melds import accepted, corner, line_of, may_lay_on, rank_copies, reach
from rummy500_env.engine.rules_record import option_code
from rummy500_env.view_record import MELD_RUN

__all__ = [
    "BAN_ALL_DRAWN",
    "BAN_DUG_ALL",
    "HAND_ONLY",
    "NEW_MELD",
    "TOP_ONLY",
    "mark_digs",
]

SUIT = (1 << 13) - 1

NEW_MELD = option_code("dig_use", "new_meld")
HAND_ONLY = option_code("dig_support", "hand_only")
TOP_ONLY = option_code("discard_take", "top_only")
BAN_TOP_TAKEN = option_code("drawn_discard_ban", "top_taken")
BAN_DUG_ALL = option_code("drawn_discard_ban", "dug_all")
BAN_ALL_DRAWN = option_code("drawn_discard_ban", "all_drawn")


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
    # With must-discard the play that places the dug card has to leave a card.
    may_use = np.int64(st.hand_size[seat]) - np.int64(r.must_discard_to_go_out)
    plain = r.dig_support != HAND_ONLY and not r.must_discard_to_go_out and not corner(r)
    plain = plain and r.num_jokers == 0
    bridges = r.dig_use != NEW_MELD and r.dig_layoff_bridge != 0
    taken, taken2, taken_jokers = np.int64(0), np.int64(0), np.int64(0)
    for index in range(size - 1, -1, -1):
        face = np.int64(st.pile[index])
        may_use += 1
        if face == JOKER:
            taken_jokers += 1
            usable = _joker_usable(st, r, seat, hand, hand2, taken, taken2, taken_jokers, may_use)
            if usable or (index == size - 1 and r.top_discard_free):
                or_bits(st.legal, np.int64(r.at_dig_joker) + taken_jokers - 1, ONE)
            if r.discard_take == TOP_ONLY:
                return
            continue
        bit = np.int64(1) << face
        taken2 |= taken & bit
        taken |= bit
        first, second = hand | taken, hand2 | taken2 | (hand & taken)
        if plain:
            usable = _melds(r, face, first, second) or fits & bit != 0
            if not usable and bridges and (low | high) & first & SUIT << (face - face % 13) != 0:
                usable = _bridged(st, r, seat, face, first, may_use)
        else:
            usable = fits & bit != 0 and may_use > 0
            usable = usable or _usable(st, r, seat, face, first, second, hand, hand2, may_use)
            jokers = count_jokers(hand) + (0 if r.dig_support == HAND_ONLY else taken_jokers)
            if not usable and jokers > 0 and wild(r):
                support, support2 = _support(r, face, first, second, hand, hand2)
                mark = np.int64(0)
                usable = joker_melds(st, r, support, support2, first, jokers, face, may_use, mark)
        usable = usable or (index == size - 1 and r.top_discard_free != 0)
        if usable:
            deeper = taken2 & bit != 0
            or_bits(st.legal, np.int64(r.at_dig_deeper if deeper else r.at_dig) + face, ONE)
        if r.discard_take == TOP_ONLY:
            return


@kernel
def _melds(r: Any, face: Any, first: Any, second: Any) -> Any:
    """Return whether a face of a set of cards makes a new meld with the others.

    The same as :func:`_usable` finds for a run that does not go round the corner, but without a
    choice that a processor could guess wrong: this is asked for each card of the pile.
    """
    rank, suit = face % 13, face // 13
    copies = popcount(rank_copies(first, rank))
    copies += popcount(rank_copies(second, rank)) * np.int64(r.set_distinct_suits == 0)
    starts = _window_starts(r, line_of(r, first, suit))
    window = (np.int64(1) << np.int64(r.run_min_len)) - 1
    reached = starts << (r.run_min_len - 1)
    low = reached >> rank & window
    high = (reached >> np.int64(r.num_ranks) & window) * np.int64(rank == 0)
    small = np.int64(r.set_min_len <= r.set_max_size)
    return ((copies >= r.set_min_len) & small) | ((low | high) != 0)


@kernel
def _joker_usable(
    st: Any,
    r: Any,
    seat: Any,
    hand: Any,
    hand2: Any,
    taken: Any,
    taken2: Any,
    taken_jokers: Any,
    may_use: Any,
) -> Any:
    """Return whether a taken joker can be used at once: in a new meld, or by a layoff."""
    first, second = hand | taken, hand2 | taken2 | (hand & taken)
    jokers = count_jokers(hand) + taken_jokers
    if r.dig_use != NEW_MELD and may_use > 0:
        if wild(r):
            on_set, low, high = joker_places(st, r, seat, first)
            if on_set | low | high != 0:
                return True
        elif r.num_jokers > 0 and group_takes(st, r, seat) >= 0:
            return True
    together = first
    if r.dig_support == HAND_ONLY:
        first, second, jokers = hand, hand2, count_jokers(hand) + 1
    if not wild(r):
        return jokers >= 3 and may_use >= 3
    joker = np.int64(JOKER)
    return joker_melds(st, r, first, second, together, jokers, joker, may_use, np.int64(0))


@kernel
def _support(r: Any, face: Any, first: Any, second: Any, hand: Any, hand2: Any) -> Any:
    """Return the cards a new meld with the taken face may be made of."""
    if r.dig_support != HAND_ONLY:
        return first, second
    bit = np.int64(1) << face
    return hand | bit, hand2 | (hand & bit)


@kernel
def _usable(
    st: Any,
    r: Any,
    seat: Any,
    face: Any,
    first: Any,
    second: Any,
    hand: Any,
    hand2: Any,
    may_use: Any,
) -> Any:
    """Return whether the taken face makes a new meld, or is laid off after bridge cards.

    Only the smallest plays need a look, and they may use ``may_use`` cards.
    """
    support, support2 = _support(r, face, first, second, hand, hand2)
    rank, suit = face % 13, face // 13
    copies = popcount(rank_copies(support, rank))
    if not r.set_distinct_suits:
        copies += popcount(rank_copies(support2, rank))
    smallest = np.int64(r.set_min_len)
    if copies >= smallest and smallest <= r.set_max_size and smallest <= may_use:
        return True
    if r.run_min_len <= may_use:
        starts = _window_starts(r, line_of(r, support, suit))
        if starts != 0 and _covers(r, starts, rank):
            return True
    if r.dig_use == NEW_MELD or not r.dig_layoff_bridge:
        return False
    held = hand if r.dig_support == HAND_ONLY else first
    return _bridged(st, r, seat, face, held, may_use)


@kernel
def _bridged(st: Any, r: Any, seat: Any, face: Any, held: Any, may_use: Any) -> Any:
    """Return whether held cards lead from an end of a run to a face."""
    for meld in range(np.int64(st.num_melds)):
        if st.meld_kind[meld] == MELD_RUN and may_lay_on(st, r, meld, seat):
            if 0 <= reach(st, r, meld, ONE, face, held) < may_use:
                return True
            if 0 <= reach(st, r, meld, ZERO, face, held) < may_use:
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
