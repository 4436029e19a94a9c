"""Melds: what can be formed from cards, what the table accepts, what a bridge reaches.

A run is an interval of positions: 0 is a low ace, 1 a two, … and one past the king a high ace.
Round the corner the positions go on past the king, and the face at a position is its rest by the
number of ranks; so a high ace is the same case.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import Kind
from rummy500_env.engine.bits import ONE, ZERO, lowest
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.rules_record import option_code
from rummy500_env.view_record import MELD_RUN, MELD_SET

__all__ = [
    "accepted",
    "cards_named",
    "code_of",
    "corner",
    "keep_open_places",
    "line_of",
    "may_lay_on",
    "open_end",
    "open_places",
    "rank_copies",
    "reach",
    "run_holds",
    "table_value",
    "value_in_hand",
]

PIP = option_code("card_values", "pip")
REPRESENTED = option_code("joker_table_value", "represented")
CORNER = option_code("ace_rank", "round_the_corner")
SCOPE_ANY = option_code("layoff_scope", "any")
SCOPE_OWN = option_code("layoff_scope", "own")
SCOPE_TEAM = option_code("layoff_scope", "team")

SUIT = (1 << 13) - 1
EVERY_RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39


@kernel
def corner(r: Any) -> Any:
    """Return whether runs may go round the corner."""
    return r.ace_rank == CORNER


@kernel
def line_of(r: Any, faces: Any, suit: Any) -> Any:
    """Return the positions at which a suit's faces can stand, as a word.

    Round the corner the ranks stand there twice, so that each arc is a stretch of bits.
    """
    ranks = (faces >> (13 * suit)) & SUIT
    if corner(r):
        return ranks | ranks << np.int64(r.num_ranks)
    line = ranks
    if r.high_position == r.num_ranks:
        line |= (ranks & 1) << np.int64(r.num_ranks)
    if r.low_position > 0:
        line &= ~np.int64(1)
    return line


@kernel
def rank_copies(faces: Any, rank: Any) -> Any:
    """Return the suits of a rank in a word, as four bits."""
    column = faces >> rank
    return (column & 1) | (column >> 12 & 2) | (column >> 24 & 4) | (column >> 36 & 8)


@kernel
def may_lay_on(st: Any, r: Any, meld: Any, seat: Any) -> Any:
    """Return whether a seat may lay off on a meld (``layoff_scope``)."""
    if r.layoff_scope == SCOPE_ANY:
        return True
    owner = np.int64(st.meld_owner[meld])
    if r.layoff_scope == SCOPE_OWN:
        return owner == seat
    return r.layoff_scope == SCOPE_TEAM and owner % 2 == seat % 2


@kernel
def open_end(st: Any, r: Any, meld: Any, high: Any) -> Any:
    """Return the position at an end of a run that takes the next card; -1: none does."""
    start, size = np.int64(st.meld_start[meld]), np.int64(st.meld_size[meld])
    if corner(r):
        if size >= r.num_ranks:
            return np.int64(-1)
        return start + size if high else (start + r.num_ranks - 1) % r.num_ranks
    if high:
        return start + size if start + size <= r.high_position else np.int64(-1)
    return start - 1 if start - 1 >= r.low_position else np.int64(-1)


@kernel
def accepted(st: Any, r: Any, seat: Any) -> Any:
    """Return the faces the table accepts from a seat: on a set, below a run, above a run.

    Where everybody may lay off on everything, the record keeps them.
    """
    if r.layoff_scope == SCOPE_ANY:
        return np.int64(st.accepted[0]), np.int64(st.accepted[1]), np.int64(st.accepted[2])
    return open_places(st, r, seat)


@kernel
def open_places(st: Any, r: Any, seat: Any) -> Any:
    """Work out the faces the table accepts from a seat."""
    on_set = np.int64(0)
    low = np.int64(0)
    high = np.int64(0)
    for meld in range(np.int64(st.num_melds)):
        if not may_lay_on(st, r, meld, seat):
            continue
        line = np.int64(st.meld_line[meld])
        if st.meld_kind[meld] == MELD_RUN:
            position = open_end(st, r, meld, ZERO)
            if position >= 0:
                low |= np.int64(1) << (13 * line + position % r.num_ranks)
            position = open_end(st, r, meld, ONE)
            if position >= 0:
                high |= np.int64(1) << (13 * line + position % r.num_ranks)
        elif st.meld_kind[meld] == MELD_SET and st.meld_size[meld] < r.set_max_size:
            faces = np.int64(EVERY_RANK) << line
            if r.set_distinct_suits:
                for place in range(np.int64(st.meld_size[meld])):
                    faces &= ~(np.int64(1) << np.int64(st.meld_faces[meld, place]))
            on_set |= faces
    return on_set, low, high


@kernel
def keep_open_places(st: Any, r: Any) -> None:
    """Keep what the table accepts in its record, where it accepts the same from everybody."""
    if r.layoff_scope == SCOPE_ANY:
        on_set, low, high = open_places(st, r, ZERO)
        st.accepted[0] = on_set
        st.accepted[1] = low
        st.accepted[2] = high


@kernel
def reach(st: Any, r: Any, meld: Any, high: Any, face: Any, held: Any) -> Any:
    """Return how many bridge cards lead from an end of a run to a face; -1: it is not reached.

    The cards between must be in the word ``held``. Zero: the face fits directly.
    """
    suit = np.int64(st.meld_line[meld])
    if face // 13 != suit:
        return np.int64(-1)
    ranks, rank = np.int64(r.num_ranks), face % 13
    position = open_end(st, r, meld, high)
    left = ranks - np.int64(st.meld_size[meld]) if corner(r) else np.int64(14)
    between = np.int64(0)
    while position >= 0 and left > 0:
        if position % ranks == rank:
            return between
        if held >> (13 * suit + position % ranks) & 1 == 0:
            return np.int64(-1)
        between += 1
        left -= 1
        if corner(r):
            position = (position + (1 if high else -1) + ranks) % ranks
        elif high:
            position = position + 1 if position < r.high_position else np.int64(-1)
        else:
            position = position - 1 if position > r.low_position else np.int64(-1)
    return np.int64(-1)


@kernel
def run_holds(r: Any, start: Any, length: Any, rank: Any) -> Any:
    """Return whether a run has a place for a rank."""
    ranks = np.int64(r.num_ranks)
    return (rank - start + ranks) % ranks < length or (rank == 0 and start + length - 1 == ranks)


@kernel
def code_of(r: Any, action: Any) -> Any:
    """Return what an action is: its kind, and three numbers that belong to that."""
    codes = r.codes
    return (
        np.int64(codes[action, 0]),
        np.int64(codes[action, 1]),
        np.int64(codes[action, 2]),
        np.int64(codes[action, 3]),
    )


@kernel
def table_value(r: Any, face: Any, kind: Any, above: Any, joker: Any) -> Any:
    """Return what a card scores where it is laid.

    Args:
        r: The rules' record.
        face: The face, or what a joker stands for.
        kind: Kind of the meld.
        above: 1 when another card of the run lies below it: an ace is then high.
        joker: 1 when a joker lies there.
    """
    if joker and r.joker_table_value != REPRESENTED:
        return np.int64(r.joker_table_value)
    rank = face % 13
    if rank == 0:
        if kind != MELD_RUN:
            return np.int64(r.ace_set_value)
        return np.int64(r.ace_high_value) if above else np.int64(r.ace_low_value)
    if rank >= 9:
        return np.int64(10)
    return rank + 1 if r.card_values == PIP else np.int64(5)


@kernel
def value_in_hand(r: Any, faces: Any) -> Any:
    """Return what faces, jokers left out, cost in hand."""
    total = np.int64(0)
    while faces != 0:
        total += np.int64(r.hand_values[lowest(faces)])
        faces &= faces - 1
    return total


@kernel
def cards_named(r: Any, action: Any) -> Any:
    """Return the faces that a meld names, or a layoff of a natural, as a pair of words."""
    kind, a, b, c = code_of(r, action)
    first = np.int64(0)
    second = np.int64(0)
    if kind == Kind.SET:
        for suit in range(4):
            copies = b >> (2 * suit) & 3
            bit = np.int64(1) << (13 * suit + a)
            if copies > 0:
                first |= bit
            if copies > 1:
                second |= bit
    elif kind == Kind.RUN:
        for position in range(b, b + c):
            first |= np.int64(1) << (13 * a + position % np.int64(r.num_ranks))
    elif kind == Kind.LAYOFF and c == 0:
        first = np.int64(1) << a
    return first, second
