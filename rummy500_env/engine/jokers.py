"""Jokers in new melds and layoffs: what they may stand for, and which plays that makes legal.

In a new meld the naturals held fill their places, and jokers stand for the rest: never for a face
that is in the hand, and in a set only for a suit that the pattern names once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import Kind
from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import FACES, ONE, or_bits, popcount
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.melds import accepted, corner, line_of, may_lay_on, run_holds
from rummy500_env.engine.rules_record import option_code
from rummy500_env.view_record import MELD_GROUP

__all__ = [
    "ANY_FACE",
    "count_jokers",
    "group_takes",
    "joker_melds",
    "joker_places",
    "jokers_missing",
    "mark_groups",
    "mark_joker_layoffs",
    "wild",
]

WILD = option_code("joker_role", "wild")
SET_ONLY = option_code("joker_role", "set_only")
NATURAL_FIRST = option_code("joker_layoff", "natural_first")

ANY_FACE = np.int64(-1)
"""No face that a meld would have to hold."""


@kernel
def wild(r: Any) -> Any:
    """Return whether jokers may stand for cards."""
    return r.joker_role == WILD


@kernel
def count_jokers(first: Any) -> Any:
    """Return the jokers of a set of cards."""
    return popcount(first >> JOKER)


@kernel
def stand_ins(st: Any, r: Any) -> Any:
    """Return the faces that a joker may stand for."""
    faces = np.int64(r.deck[0]) & FACES
    if not r.joker_may_duplicate:
        for seat in range(np.int64(r.num_players)):
            faces &= ~np.int64(st.table_cards[seat, 0])
    return faces


@kernel
def joker_melds(
    st: Any,
    r: Any,
    first: Any,
    second: Any,
    hand: Any,
    jokers: Any,
    face: Any,
    may_use: Any,
    mark: Any,
) -> Any:
    """Look for new melds of a set of cards with jokers in them, or with a certain face.

    Args:
        st: The table's record.
        r: The rules' record.
        first: The naturals that may be used, their first copies.
        second: Their second copies.
        hand: All faces in the hand: a joker stands for none of them.
        jokers: The jokers that may be used.
        face: A face that the meld has to hold; the joker's for one that holds a joker; -1 for any.
        may_use: Cards the meld may take.
        mark: Whether to set the legal bits of all; else the first one found is enough.

    Returns:
        Whether there is one.
    """
    faces = stand_ins(st, r) & ~(hand & ~first)
    found = False
    natural = 0 <= face < JOKER
    for rank in range(np.int64(r.num_ranks)):
        if natural and face % 13 != rank:
            continue
        if _joker_sets(st, r, first, second, jokers, face, may_use, mark, faces, rank):
            found = True
            if not mark:
                return True
    for suit in range(np.int64(r.num_suits)):
        if natural and face // 13 != suit:
            continue
        if _joker_runs(st, r, first, jokers, face, may_use, mark, faces, suit):
            found = True
            if not mark:
                return True
    return found


@kernel
def _joker_sets(
    st: Any,
    r: Any,
    first: Any,
    second: Any,
    jokers: Any,
    face: Any,
    may_use: Any,
    mark: Any,
    faces: Any,
    rank: Any,
) -> Any:
    found = False
    begin = np.int64(r.at_set) + rank * np.int64(r.set_patterns)
    longest = min(np.int64(r.set_max_size), may_use)
    for action in range(begin, begin + np.int64(r.set_patterns)):
        copies, size = np.int64(r.codes[action, 2]), np.int64(r.codes[action, 3])
        if size < r.set_min_len or size > longest:
            continue
        if 0 <= face < JOKER and copies >> (2 * (face // 13)) & 3 == 0:
            continue
        missing = _missing_in_set(first, second, rank, copies, faces)
        if _fits(r, missing, size, jokers, face):
            found = True
            if not mark:
                return True
            or_bits(st.legal, np.int64(action), ONE)
    return found


@kernel
def _fits(r: Any, missing: Any, size: Any, jokers: Any, face: Any) -> Any:
    """Return whether so many places can be left to jokers."""
    if missing < 0 or missing > jokers or size - missing < r.min_naturals:
        return False
    return face != JOKER or missing > 0


@kernel
def _missing_in_set(first: Any, second: Any, rank: Any, copies: Any, faces: Any) -> Any:
    """Return the cards of a pattern that jokers have to stand for; -1: they may not."""
    missing = np.int64(0)
    for suit in range(4):
        need = copies >> (2 * suit) & 3
        bit = 13 * suit + rank
        held = (first >> bit & 1) + (second >> bit & 1)
        if need > held:
            if need > 1 or held > 0 or faces >> bit & 1 == 0:
                return np.int64(-1)
            missing += 1
    return missing


@kernel
def _joker_runs(
    st: Any,
    r: Any,
    first: Any,
    jokers: Any,
    face: Any,
    may_use: Any,
    mark: Any,
    faces: Any,
    suit: Any,
) -> Any:
    found = False
    ranks = np.int64(r.num_ranks)
    held, free = line_of(r, first, suit), line_of(r, faces, suit)
    longest = min(ranks, may_use)
    for length in range(np.int64(r.run_min_len), longest + 1):
        starts = ranks if corner(r) else ranks + 2 - length
        action = np.int64(r.at_run) + suit * np.int64(r.run_stride)
        action += np.int64(r.run_offset[length])
        window = (np.int64(1) << length) - 1
        for start in range(starts):
            places = window << start
            gaps = places & ~held
            if gaps & ~free != 0:
                continue
            if 0 <= face < JOKER and not run_holds(r, start, length, face % 13):
                continue
            if _fits(r, popcount(gaps), length, jokers, face):
                found = True
                if not mark:
                    return True
                or_bits(st.legal, action + start, ONE)
    return found


@kernel
def joker_places(st: Any, r: Any, seat: Any, hand: Any) -> Any:
    """Return the faces as which a seat may lay a joker off: on a set, below and above a run.

    With ``natural_first`` not those that are in the hand.
    """
    faces = stand_ins(st, r)
    if r.joker_layoff == NATURAL_FIRST:
        faces &= ~hand
    on_set, low, high = accepted(st, r, seat)
    return on_set & faces, low & faces, high & faces


@kernel
def mark_joker_layoffs(st: Any, r: Any, seat: Any, hand: Any) -> None:
    """Set the legal bits of all layoffs of a joker."""
    on_set, low, high = joker_places(st, r, seat, hand)
    or_bits(st.legal, np.int64(r.at_joker_set), on_set)
    or_bits(st.legal, np.int64(r.at_joker_low), low)
    or_bits(st.legal, np.int64(r.at_joker_high), high)


# -- jokers that form melds of their own -------------------------------------------------------


@kernel
def group_takes(st: Any, r: Any, seat: Any) -> Any:
    """Return the oldest group of jokers that takes another one of a seat; -1: none does."""
    for meld in range(np.int64(st.num_melds)):
        full = min(np.int64(4), np.int64(r.set_max_size))
        if st.meld_kind[meld] != MELD_GROUP or st.meld_size[meld] >= full:
            continue
        if may_lay_on(st, r, meld, seat):
            return np.int64(meld)
    return np.int64(-1)


@kernel
def mark_groups(st: Any, r: Any, jokers: Any, layoffs: Any) -> None:
    """Set the legal bits of groups of jokers, and of a layoff on one if ``layoffs``."""
    if r.joker_role != SET_ONLY or jokers == 0:
        return
    if jokers >= 3:
        or_bits(st.legal, np.int64(r.at_joker_group), ONE)
    if jokers >= 4 and r.set_max_size >= 4:
        or_bits(st.legal, np.int64(r.at_joker_group) + 1, ONE)
    if layoffs and group_takes(st, r, np.int64(st.seat)) >= 0:
        or_bits(st.legal, np.int64(r.at_joker_on_group), ONE)


@kernel
def jokers_missing(st: Any, r: Any, action: Any) -> Any:
    """Return the jokers that a legal new meld of the seat to move takes."""
    hand, hand2 = np.int64(st.hands[st.seat, 0]), np.int64(st.hands[st.seat, 1])
    kind, a, b, c = (
        np.int64(r.codes[action, 0]),
        np.int64(r.codes[action, 1]),
        np.int64(r.codes[action, 2]),
        np.int64(r.codes[action, 3]),
    )
    if kind == Kind.SET:
        return max(_missing_in_set(hand, hand2, a, b, np.int64(FACES)), np.int64(0))
    window = ((np.int64(1) << c) - 1) << b
    return popcount(window & ~line_of(r, hand, a))
