"""Jokers in new melds and layoffs: what they may stand for, and which plays that makes legal.

In a new meld the naturals held fill their places, and jokers stand for the rest: never for a face
that is in the hand, and in a set only for a suit that the pattern names once.

The dealer's joker is no card of a hand, but stands in for one of its dealer: after the jokers of
the hand, or before them when the prefix ``own`` is said. What is ``named`` below is that prefix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import Kind
from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import FACES, ONE, or_bits, popcount
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.melds import accepted, code_of, corner, line_of, may_lay_on, run_holds
from rummy500_env.engine.rules_record import option_code
from rummy500_env.engine.state import CALLED, DOUBLE_ROUND, FREE, OBLIGED, PLAY, WILD_ROUND
from rummy500_env.view_record import MELD_GROUP

__all__ = [
    "ANY_FACE",
    "count_jokers",
    "doubling",
    "group_takes",
    "hand_jokers",
    "joker_melds",
    "joker_places",
    "jokers_missing",
    "jokers_missing_after",
    "mark_groups",
    "own_joker",
    "stand_ins",
    "wild",
    "without_jokers",
]

WILD = option_code("joker_role", "wild")
NOMINATED = option_code("joker_role", "nominated")
SET_ONLY = option_code("joker_role", "set_only")
NATURAL_FIRST = option_code("joker_layoff", "natural_first")

ANY_FACE = np.int64(-1)
"""No face that a meld would have to hold."""


@kernel
def wild(st: Any, r: Any) -> Any:
    """Return whether jokers may stand for cards."""
    return r.joker_role == WILD or (r.joker_role == NOMINATED and st.joker_effect == WILD_ROUND)


@kernel
def doubling(st: Any, r: Any) -> Any:
    """Return whether jokers double new melds."""
    return r.joker_role == NOMINATED and st.joker_effect == DOUBLE_ROUND


@kernel
def own_joker(st: Any, r: Any, seat: Any) -> Any:
    """Return 1 when a seat may use the dealer's joker in its turn, else 0.

    It is the dealer's only, in an own turn, and not while a called card waits to be placed.
    """
    if r.dealers_joker == 0 or st.joker_state != FREE or np.int64(st.dealer) != seat:
        return np.int64(0)
    turn = st.phase <= PLAY and seat == np.int64(st.seat)
    called = st.phase == OBLIGED and np.int64(st.turn_flags) & CALLED != 0
    return np.int64(turn and not called)


@kernel
def hand_jokers(needed: Any, held: Any, own: Any, named: Any) -> Any:
    """Return the jokers of a hand that a move takes which needs so many; -1: it cannot be.

    Args:
        needed: Jokers that the move needs.
        held: Jokers in the hand.
        own: 1 when the dealer's joker is at hand too.
        named: 1 when that one is to be used first.
    """
    if named:
        return needed - 1 if own > 0 and 0 < needed <= held + 1 else np.int64(-1)
    return min(needed, held) if needed <= held + own else np.int64(-1)


@kernel
def without_jokers(first: Any, count: Any) -> Any:
    """Return the first word of a set of cards less so many jokers, which it holds."""
    left = count_jokers(first) - count
    return (first & FACES) | ((np.int64(1) << left) - 1) << JOKER


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
    words: Any,
    first: Any,
    second: Any,
    hand: Any,
    held: Any,
    most: Any,
    own: Any,
    named: Any,
    least: Any,
    face: Any,
    may_use: Any,
    mark: Any,
) -> Any:
    """Look for new melds of a set of cards with jokers in them, or with a certain face.

    Args:
        st: The table's record.
        r: The rules' record.
        words: The bits to set, of all such melds, if ``mark``.
        first: The naturals that may be used, their first copies.
        second: Their second copies.
        hand: All faces in the hand: a joker stands for none of them.
        held: The jokers of the hand: these are taken first.
        most: Those of them that may be used.
        own: 1 when the dealer's joker may be used.
        named: 1 when it is to be used first.
        least: Jokers of the hand that the meld has to take at least.
        face: A natural face that the meld has to hold; -1 for any.
        may_use: Cards of the hand that the meld may take.
        mark: Whether to set the bits of all; else the first one found is enough.

    Returns:
        Whether there is one.
    """
    faces = stand_ins(st, r) & ~(hand & ~first)
    found = False
    for rank in range(np.int64(r.num_ranks)):
        if face >= 0 and face % 13 != rank:
            continue
        begin = np.int64(r.at_set) + rank * np.int64(r.set_patterns)
        for action in range(begin, begin + np.int64(r.set_patterns)):
            copies, size = np.int64(r.codes[action, 2]), np.int64(r.codes[action, 3])
            if size < r.set_min_len or size > r.set_max_size:
                continue
            if face >= 0 and copies >> (2 * (face // 13)) & 3 == 0:
                continue
            missing = _missing_in_set(first, second, rank, copies, faces)
            if _fits(r, missing, size, held, most, own, named, least, may_use):
                found = True
                if not mark:
                    return True
                or_bits(words, np.int64(action), ONE)
    for suit in range(np.int64(r.num_suits)):
        if face >= 0 and face // 13 != suit:
            continue
        line, free = line_of(r, first, suit), line_of(r, faces, suit)
        for length in range(np.int64(r.run_min_len), np.int64(r.num_ranks) + 1):
            starts = np.int64(r.num_ranks) if corner(r) else np.int64(r.num_ranks) + 2 - length
            action = np.int64(r.at_run) + suit * np.int64(r.run_stride)
            action += np.int64(r.run_offset[length])
            for start in range(starts):
                missing = _missing_in_run(line, free, np.int64(start), np.int64(length))
                if face >= 0 and not run_holds(r, start, length, face % 13):
                    continue
                if _fits(r, missing, length, held, most, own, named, least, may_use):
                    found = True
                    if not mark:
                        return True
                    or_bits(words, action + start, ONE)
    return found


@kernel
def _fits(
    r: Any,
    missing: Any,
    size: Any,
    held: Any,
    most: Any,
    own: Any,
    named: Any,
    least: Any,
    may_use: Any,
) -> Any:
    """Return whether so many places can be left to jokers."""
    if missing < 0 or size - missing < np.int64(r.min_naturals) * np.int64(missing > 0):
        return False
    taken = hand_jokers(missing, held, own, named)
    return least <= taken <= most and size - missing + taken <= may_use


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
def _missing_in_run(line: Any, free: Any, start: Any, length: Any) -> Any:
    """Return the places of a run that jokers have to stand at; -1: they may not.

    Args:
        line: Positions of the naturals that may be used.
        free: Positions at which a joker may stand.
        start: First position.
        length: Places.
    """
    gaps = ((np.int64(1) << length) - 1) << start & ~line
    return np.int64(-1) if gaps & ~free != 0 else popcount(gaps)


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
def mark_groups(r: Any, words: Any, jokers: Any) -> None:
    """Set the bits of the groups that so many jokers can form."""
    if r.joker_role != SET_ONLY:
        return
    if jokers >= 3:
        or_bits(words, np.int64(r.at_joker_group), ONE)
    if jokers >= 4 and r.set_max_size >= 4:
        or_bits(words, np.int64(r.at_joker_group) + 1, ONE)


@kernel
def jokers_missing(st: Any, r: Any, action: Any, first: Any, second: Any) -> Any:
    """Return the jokers that a new meld of certain cards takes; -1: it cannot be laid."""
    return jokers_missing_after(st, r, action, first, second, np.int64(0))


@kernel
def jokers_missing_after(st: Any, r: Any, action: Any, first: Any, second: Any, laid: Any) -> Any:
    """Return the same when some faces have been laid meanwhile, for which no joker may stand."""
    kind, a, b, c = code_of(r, action)
    if kind == Kind.GROUP:
        return c
    if not wild(st, r):
        faces = np.int64(0)
    else:
        faces = stand_ins(st, r) & ~laid
    if kind == Kind.SET:
        missing = _missing_in_set(first, second, a, b, faces)
    else:
        missing = _missing_in_run(line_of(r, first, a), line_of(r, faces, a), b, c)
    if missing > 0 and c - missing < r.min_naturals:
        return np.int64(-1)
    return missing
