"""Which cards of the pile may be dug.

A dig takes a card with all above it, and the taken card must be used at once: in a new meld, or by
a layoff, if need be after bridge cards; and the play must leave what the turn's discard needs, and
before an opening a way to reach it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import (
    FACES,
    ONE,
    ZERO,
    or_bits,
    popcount,
)
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.jokers import (
    ANY_FACE,
    count_jokers,
    group_takes,
    joker_melds,
    joker_places,
    own_joker,
    wild,
)
from rummy500_env.engine.melds import (
    accepted,
    corner,
    line_of,
    may_lay_on,
    rank_copies,
    reach,
)
from rummy500_env.engine.opening import must_open
from rummy500_env.engine.opening_digs import HAND_ONLY, opens_with, support_for
from rummy500_env.engine.rules_record import option_code
from rummy500_env.view_record import MELD_RUN

__all__ = ["NEW_MELD", "bridge_cards", "mark_called_digs", "mark_digs"]

SUIT = (1 << 13) - 1

NEW_MELD = option_code("dig_use", "new_meld")
TOP_ONLY = option_code("discard_take", "top_only")


@kernel
def mark_digs(st: Any, r: Any) -> None:
    """Set the legal bits of all digs of the seat to move."""
    size = np.int64(st.pile_size)
    if size == 0:
        return
    seat = np.int64(st.seat)
    opening = must_open(st, r, seat)
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    on_set, low, high = accepted(st, r, seat)
    fits = on_set | low | high
    if r.dig_use == NEW_MELD:
        fits = np.int64(0)
    # With must-discard the play that places the dug card has to leave a card.
    may_use = np.int64(st.hand_size[seat]) - np.int64(r.keep)
    free = r.top_discard_free != 0 and st.hand_size[seat] > 0
    plain = r.dig_support != HAND_ONLY and not r.keep and not corner(r)
    plain = plain and r.num_jokers == 0
    bridges = r.dig_use != NEW_MELD and r.dig_layoff_bridge != 0
    taken, taken2, taken_jokers = np.int64(0), np.int64(0), np.int64(0)
    for index in range(size - 1, -1, -1):
        face = np.int64(st.pile[index])
        may_use += 1
        bit = ZERO if face == JOKER else np.int64(1) << face
        taken_jokers += np.int64(face == JOKER)
        taken2 |= taken & bit
        taken |= bit
        first, second = hand | taken, hand2 | taken2 | (hand & taken)
        if free and index == size - 1:
            usable = True
        elif opening:
            usable = opens_with(st, r, seat, face, taken, taken2, taken_jokers)
        elif face == JOKER:
            usable = _joker_usable(st, r, seat, hand, hand2, taken, taken2, taken_jokers, may_use)
        elif plain:
            usable = _melds(r, face, first, second) or fits & bit != 0
            if not usable and bridges and (low | high) & first & SUIT << (face - face % 13) != 0:
                usable = _bridged(st, r, seat, face, first, may_use)
        else:
            usable = fits & bit != 0 and may_use > 0
            usable = usable or _usable(st, r, seat, face, first, second, hand, hand2, may_use)
            if not usable and r.num_jokers > 0 and wild(st, r):
                support, support2 = support_for(r, face, first, second, hand, hand2)
                held = count_jokers(hand) + taken_jokers
                most = count_jokers(hand) if r.dig_support == HAND_ONLY else held
                usable = _melds_with_jokers(
                    st, r, seat, support, support2, first, held, most, ZERO, face, may_use
                )
        if usable:
            if face == JOKER:
                or_bits(st.legal, np.int64(r.at_dig_joker) + taken_jokers - 1, ONE)
            else:
                deeper = taken2 & bit != 0
                or_bits(st.legal, np.int64(r.at_dig_deeper if deeper else r.at_dig) + face, ONE)
        if r.discard_take == TOP_ONLY:
            return


@kernel
def mark_called_digs(st: Any, r: Any, words: Any, seat: Any) -> None:
    """Set the bits of the digs of a seat that calls: to cards that cards of the pile can use.

    The dug card is laid off, directly or after bridge cards of the pile, or melded with such. A
    joker is not called, and none helps.
    """
    on_set, low, high = accepted(st, r, seat)
    fits = on_set | low | high
    may_use = np.int64(st.hand_size[seat]) - np.int64(r.keep)
    taken, taken2 = np.int64(0), np.int64(0)
    for index in range(np.int64(st.pile_size) - 1, -1, -1):
        face = np.int64(st.pile[index])
        may_use += 1
        if face == JOKER:
            continue
        bit = np.int64(1) << face
        taken2 |= taken & bit
        taken |= bit
        usable = fits & bit != 0 and may_use > 0
        usable = usable or _new_meld(r, face, taken, taken2, may_use)
        if not usable and r.dig_layoff_bridge:
            usable = _bridged(st, r, seat, face, taken, may_use)
        if usable:
            deeper = taken2 & bit != 0
            or_bits(words, np.int64(r.at_dig_deeper if deeper else r.at_dig) + face, ONE)
        if r.discard_take == TOP_ONLY:
            return


@kernel
def _melds_with_jokers(
    st: Any,
    r: Any,
    seat: Any,
    first: Any,
    second: Any,
    hand: Any,
    held: Any,
    most: Any,
    least: Any,
    face: Any,
    may_use: Any,
) -> Any:
    """Return whether jokers help to a new meld that takes so many of the hand's.

    The hand has ``held`` of them, of which it may take from ``least`` to ``most``; ``face`` is a
    natural one that it has to hold, or -1.
    """
    own = own_joker(st, r, seat)
    if held + own == 0:
        return False
    for named in range(1 + own):
        if joker_melds(
            st,
            r,
            st.trial,
            first & FACES,
            second,
            hand,
            held,
            most,
            own,
            np.int64(named),
            least,
            face,
            may_use,
            ZERO,
        ):
            return True
    return False


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
        if wild(st, r):
            on_set, low, high = joker_places(st, r, seat, first)
            if on_set | low | high != 0:
                return True
        elif group_takes(st, r, seat) >= 0:
            return True
    together, most = first, jokers
    if r.dig_support == HAND_ONLY:
        first, second, most = hand, hand2, count_jokers(hand) + 1
    if wild(st, r):
        return _melds_with_jokers(
            st, r, seat, first, second, together, jokers, most, ONE, ANY_FACE, may_use
        )
    return r.at_joker_group >= 0 and most >= 3 and may_use >= 3


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
    support, support2 = support_for(r, face, first, second, hand, hand2)
    if _new_meld(r, face, support, support2, may_use):
        return True
    if r.dig_use == NEW_MELD or not r.dig_layoff_bridge:
        return False
    held = hand if r.dig_support == HAND_ONLY else first
    return _bridged(st, r, seat, face, held, may_use)


@kernel
def _new_meld(r: Any, face: Any, support: Any, support2: Any, may_use: Any) -> Any:
    """Return whether a face of a set of naturals makes a new meld with others of it."""
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
    return False


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
