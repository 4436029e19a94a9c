"""Booting: whether a whole hand can be played out in one turn without a draw.

The hand has to go in new melds, in layoffs, also on those melds, and with at most one discard. The
search lays cards down on the table itself, without their values, and takes them up again.
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
    clear_bits,
    next_bit,
    or_bits,
    popcount,
    remove_face,
)
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.jokers import (
    count_jokers,
    doubling,
    group_takes,
    hand_jokers,
    jokers_missing,
    own_joker,
)
from rummy500_env.engine.melds import accepted, cards_named, code_of, keep_open_places
from rummy500_env.engine.opening import take_cards
from rummy500_env.engine.plays import layoff_target, mark_free_plays
from rummy500_env.engine.state import BLOCKED, FREE, USED
from rummy500_env.view_record import MELD_GROUP, MELD_RUN, MELD_SET

__all__ = ["can_block", "can_boot", "goes_out_after"]

NOTHING_YET = np.int64(-1)


@kernel
def can_boot(st: Any, r: Any, seat: Any) -> Any:
    """Return whether a seat may skip its draw: in its first turn of the round, if it can go out."""
    if st.turns_taken[seat] > 0 or st.hand_size[seat] == 0:
        return False
    return goes_out_after(st, r, seat, NOTHING_YET, ZERO, ZERO)


@kernel
def can_block(st: Any, r: Any, seat: Any) -> Any:
    """Return whether a seat could lay a joker of its hand on the dealer's joker."""
    if r.dealers_joker == 0 or st.joker_state != FREE or np.int64(st.dealer) == seat:
        return False
    return count_jokers(np.int64(st.hands[seat, 0])) > 0


@kernel
def goes_out_after(st: Any, r: Any, seat: Any, action: Any, named: Any, doubled: Any) -> Any:
    """Return whether a hand can be played out after a play, or as it is when that is -1."""
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    size, joker_state = np.int64(st.hand_size[seat]), np.int64(st.joker_state)
    laid, laid2 = np.int64(st.table_cards[seat, 0]), np.int64(st.table_cards[seat, 1])
    kept = np.int64(st.accepted[0]), np.int64(st.accepted[1]), np.int64(st.accepted[2])
    meld = _put_down(st, r, seat, action, named, doubled) if action >= 0 else NOTHING_YET
    found = _search(st, r, seat, NOTHING_YET, ZERO, ZERO, ZERO)
    clear_bits(st.trial, np.int64(r.num_words))
    if action >= 0:
        _take_up(st, r, action, meld)
    _restore(st, seat, hand, hand2, size, joker_state, laid, laid2, kept)
    return found


@kernel
def _search(st: Any, r: Any, seat: Any, last: Any, on_set: Any, low: Any, high: Any) -> Any:
    """Return whether the hand can be played out from here.

    Two natural plays that could follow one another either way are tried in the order of their
    actions only: after ``last`` none before it that was there already, a meld, or a layoff at one
    of the places that were open before it.
    """
    size = np.int64(st.hand_size[seat])
    if size <= 1:
        return size == 1 or r.must_discard_to_go_out == 0
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    own, held = own_joker(st, r, seat), count_jokers(hand)
    if held + own == 0 and _num_stuck(st, r, seat, hand, hand2) > 1:
        return False
    joker_state = np.int64(st.joker_state)
    laid, laid2 = np.int64(st.table_cards[seat, 0]), np.int64(st.table_cards[seat, 1])
    kept = np.int64(st.accepted[0]), np.int64(st.accepted[1]), np.int64(st.accepted[2])
    open_set, open_low, open_high = accepted(st, r, seat)
    for doubled in range(1 + np.int64(doubling(st, r) and held + own > 0)):
        for named in range(1 + own):
            _mark(st, r, seat, np.int64(named), np.int64(doubled))
            action = next_bit(st.trial, ZERO, np.int64(r.num_words))
            while action >= 0:
                natural = not named and not doubled and _is_natural(st, r, seat, action)
                before = action < last and natural
                if not before or not _was_open(r, action, on_set, low, high):
                    meld = _put_down(st, r, seat, action, np.int64(named), np.int64(doubled))
                    after = action if natural else NOTHING_YET
                    found = _search(st, r, seat, after, open_set, open_low, open_high)
                    _take_up(st, r, action, meld)
                    _restore(st, seat, hand, hand2, size, joker_state, laid, laid2, kept)
                    if found:
                        return True
                    _mark(st, r, seat, np.int64(named), np.int64(doubled))
                action = next_bit(st.trial, action + 1, np.int64(r.num_words))
    return False


@kernel
def _mark(st: Any, r: Any, seat: Any, named: Any, doubled: Any) -> None:
    clear_bits(st.trial, np.int64(r.num_words))
    mark_free_plays(st, r, st.trial, seat, named, doubled)
    if not named and not doubled and can_block(st, r, seat):
        or_bits(st.trial, np.int64(r.at_block), ONE)


@kernel
def _is_natural(st: Any, r: Any, seat: Any, action: Any) -> Any:
    """Return whether a play takes no joker."""
    kind = np.int64(r.codes[action, 0])
    if r.num_jokers == 0:
        return True
    if kind == Kind.LAYOFF or kind == Kind.BLOCK:
        return kind == Kind.LAYOFF and r.codes[action, 3] == 0
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    return jokers_missing(st, r, action, hand, hand2) == 0


@kernel
def _was_open(r: Any, action: Any, on_set: Any, low: Any, high: Any) -> Any:
    """Return whether a natural play could be made where these places were open: melds could."""
    if np.int64(r.codes[action, 0]) != Kind.LAYOFF:
        return True
    face, place = np.int64(r.codes[action, 1]), np.int64(r.codes[action, 2])
    if place == LOW:
        return low >> face & 1 != 0
    if place == HIGH:
        return high >> face & 1 != 0
    return on_set >> face & 1 != 0


@kernel
def _num_stuck(st: Any, r: Any, seat: Any, hand: Any, hand2: Any) -> Any:
    """Return how many cards at least can neither go in a new meld nor in a layoff, ever."""
    on_set, low, high = accepted(st, r, seat)
    going = (on_set | low | high) & hand
    every = (np.int64(1) << np.int64(r.num_ranks)) - 1
    for suit in range(4):
        ranks = hand >> (13 * suit) & every
        ways = going >> (13 * suit) & every
        ways |= ranks & ranks << 1 | ranks & ranks >> 1
        if ranks & 1 and ranks >> (r.num_ranks - 1) & 1:
            ways |= 1 | np.int64(1) << (np.int64(r.num_ranks) - 1)
        going |= ways << (13 * suit)
    for rank in range(np.int64(r.num_ranks)):
        column = np.int64(1 | 1 << 13 | 1 << 26 | 1 << 39) << rank
        if popcount(hand & column) + popcount(hand2 & column) >= 2:
            going |= hand & column
    stuck = hand & ~going & FACES
    return popcount(stuck) + popcount(hand2 & stuck)


# -- laying down for a trial -----------------------------------------------------------------


@kernel
def _put_down(st: Any, r: Any, seat: Any, action: Any, named: Any, doubled: Any) -> Any:
    """Lay a play down without its values and return the meld; a block lays none."""
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    kind, a, b, c = code_of(r, action)
    if kind == Kind.BLOCK:
        st.joker_state = BLOCKED
        remove_face(st.hands[seat], np.int64(JOKER))
        st.hand_size[seat] -= 1
        return NOTHING_YET
    if kind == Kind.LAYOFF:
        needed = c
        meld = group_takes(st, r, seat) if a == JOKER else layoff_target(st, r, a, b, c)
        size = np.int64(st.meld_size[meld])
        if b == LOW:
            start = np.int64(st.meld_start[meld])
            st.meld_start[meld] = start - 1 if start > 0 else np.int64(r.num_ranks) - 1
        elif b != HIGH:
            st.meld_faces[meld, size] = a
        st.meld_size[meld] = size + 1
    else:
        needed = jokers_missing(st, r, action, hand, hand2) + doubled
        meld = np.int64(st.num_melds)
        st.num_melds = meld + 1
        st.meld_owner[meld] = seat
        st.meld_size[meld] = c
        if kind == Kind.SET:
            st.meld_kind[meld] = MELD_SET
            st.meld_line[meld] = a
            size = np.int64(0)
            for suit in range(4):
                for _ in range(b >> (2 * suit) & 3):
                    st.meld_faces[meld, size] = 13 * suit + a
                    size += 1
        elif kind == Kind.RUN:
            st.meld_kind[meld] = MELD_RUN
            st.meld_line[meld] = a
            st.meld_start[meld] = b
        else:
            st.meld_kind[meld] = MELD_GROUP
    used, used2 = cards_named(r, action)
    used, used2 = used & hand, used2 & hand2
    taken = hand_jokers(needed, count_jokers(hand), own_joker(st, r, seat), named)
    if taken < needed:
        st.joker_state = USED
    rest, rest2 = take_cards(hand, hand2, used, used2, taken)
    st.hands[seat, 0] = rest
    st.hands[seat, 1] = rest2
    st.hand_size[seat] -= popcount(used) + popcount(used2) + taken
    st.table_cards[seat, 0] |= used
    keep_open_places(st, r)
    return meld


@kernel
def _take_up(st: Any, r: Any, action: Any, meld: Any) -> None:
    """Take a play up again; :func:`_restore` does the rest."""
    kind, place = np.int64(r.codes[action, 0]), np.int64(r.codes[action, 2])
    if kind == Kind.BLOCK:
        return
    if kind == Kind.LAYOFF:
        size = np.int64(st.meld_size[meld]) - 1
        st.meld_size[meld] = size
        if place == LOW:
            start = np.int64(st.meld_start[meld]) + 1
            st.meld_start[meld] = 0 if start == r.num_ranks else start
        elif place != HIGH:
            st.meld_faces[meld, size] = 0
        return
    for k in range(np.int64(st.meld_size[meld])):
        st.meld_faces[meld, k] = 0
    st.num_melds = meld
    st.meld_kind[meld] = 0
    st.meld_line[meld] = 0
    st.meld_start[meld] = 0
    st.meld_size[meld] = 0
    st.meld_owner[meld] = 0


@kernel
def _restore(
    st: Any,
    seat: Any,
    hand: Any,
    hand2: Any,
    size: Any,
    joker_state: Any,
    laid: Any,
    laid2: Any,
    kept: Any,
) -> None:
    """Put back what a trial has changed beside the melds."""
    st.hands[seat, 0] = hand
    st.hands[seat, 1] = hand2
    st.hand_size[seat] = size
    st.joker_state = joker_state
    st.table_cards[seat, 0] = laid
    st.table_cards[seat, 1] = laid2
    st.accepted[0], st.accepted[1], st.accepted[2] = kept
