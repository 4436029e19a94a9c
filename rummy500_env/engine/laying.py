"""Laying cards on the table: new melds and layoffs, and what each card scores there.

A card's value is fixed when it is laid and belongs to whoever laid it for ever.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import HIGH, LOW
from rummy500_env.cards import JOKER
from rummy500_env.cards import face as face_of
from rummy500_env.engine.bits import ZERO, add_face, count_face, popcount, remove_face
from rummy500_env.engine.deal import show_card
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.jokers import group_takes
from rummy500_env.engine.legal import layoff_target
from rummy500_env.engine.melds import corner
from rummy500_env.engine.rules_record import option_code
from rummy500_env.view_record import MELD_GROUP, MELD_RUN, MELD_SET

__all__ = ["enter_card", "lay_off", "meld_group", "meld_run", "meld_set"]

PIP = option_code("card_values", "pip")
REPRESENTED = option_code("joker_table_value", "represented")

IN_SET, IN_RUN_LOW, IN_RUN_HIGH = np.int64(0), np.int64(1), np.int64(2)
NEW_SET, NEW_RUN, NEW_GROUP = np.int64(MELD_SET), np.int64(MELD_RUN), np.int64(MELD_GROUP)
FIRST = np.int64(0)
AS_ITSELF, AS_JOKER = np.int64(0), np.int64(1)
LONG_RUN = 7
BOODLE = tuple(np.int64(face_of(card)) for card in ("Ah", "Kc", "Qd", "Js"))


@kernel
def meld_set(st: Any, r: Any, seat: Any, rank: Any, copies: Any) -> None:
    """Lay a new set; jokers stand for the suits that are not held."""
    meld = _new_meld(st, NEW_SET, rank, FIRST, seat)
    total = (copies & 3) + (copies >> 2 & 3) + (copies >> 4 & 3) + (copies >> 6 & 3)
    if total == 4 and r.four_at_once_multiplier > 1:
        st.meld_doubled[meld] = 1
    place = np.int64(0)
    for suit in range(4):
        face = 13 * suit + rank
        for _ in range(copies >> (2 * suit) & 3):
            joker = np.int64(count_face(st.hands[seat], face) == 0)
            _lay(st, r, seat, meld, place, face, IN_SET, joker)
            place += 1
    _count_meld(st, seat, meld)


@kernel
def meld_run(st: Any, r: Any, seat: Any, suit: Any, start: Any, length: Any) -> None:
    """Lay a new run; jokers stand for the places whose faces are not held."""
    meld = _new_meld(st, NEW_RUN, suit, start, seat)
    if length >= LONG_RUN:
        st.long_run = 1
    for place in range(length):
        face = 13 * suit + (start + place) % np.int64(r.num_ranks)
        where = IN_RUN_HIGH if place > 0 else IN_RUN_LOW
        joker = np.int64(count_face(st.hands[seat], face) == 0)
        _lay(st, r, seat, meld, np.int64(place), face, where, joker)
    _count_meld(st, seat, meld)


@kernel
def meld_group(st: Any, r: Any, seat: Any, size: Any) -> None:
    """Lay a group of jokers that count for themselves."""
    meld = _new_meld(st, NEW_GROUP, ZERO, FIRST, seat)
    if size == 4 and r.four_at_once_multiplier > 1:
        st.meld_doubled[meld] = 1
    for place in range(size):
        _lay(st, r, seat, meld, np.int64(place), np.int64(JOKER), IN_SET, AS_JOKER)
    _count_meld(st, seat, meld)


@kernel
def lay_off(st: Any, r: Any, seat: Any, face: Any, place: Any, joker: Any) -> None:
    """Lay a card, or a joker that stands for it, off on the meld that takes it."""
    before = np.int64(st.table_points[seat])
    if face == JOKER:
        meld = group_takes(st, r, seat)
    else:
        meld = layoff_target(st, r, face, place, joker)
    size = np.int64(st.meld_size[meld])
    doubled = np.int64(st.meld_doubled[meld])
    st.meld_doubled[meld] = 0  # only the cards of the first action score twice
    if place == HIGH:
        _lay(st, r, seat, meld, size, face, IN_RUN_HIGH, joker)
    elif place == LOW:
        _open_place(st, meld, FIRST)
        start = np.int64(st.meld_start[meld])
        st.meld_start[meld] = (start + r.num_ranks - 1) % r.num_ranks if start == 0 else start - 1
        _lay(st, r, seat, meld, FIRST, face, IN_RUN_LOW, joker)
    else:
        at = np.int64(0)
        while at < size and st.meld_faces[meld, at] <= face:
            at += 1
        _open_place(st, meld, at)
        _lay(st, r, seat, meld, at, face, IN_SET, joker)
    st.meld_doubled[meld] = doubled
    st.points_laid_off[seat] += st.table_points[seat] - before


@kernel
def _value(r: Any, face: Any, where: Any, joker: Any) -> Any:
    """Return what a card scores where it is laid."""
    if joker and r.joker_table_value != REPRESENTED:
        return np.int64(r.joker_table_value)
    rank = face % 13
    if rank == 0:
        if where == IN_SET:
            return np.int64(r.ace_set_value)
        return np.int64(r.ace_high_value) if where == IN_RUN_HIGH else np.int64(r.ace_low_value)
    if rank >= 9:
        return np.int64(10)
    return rank + 1 if r.card_values == PIP else np.int64(5)


@kernel
def _lay(
    st: Any, r: Any, seat: Any, meld: Any, place: Any, face: Any, where: Any, joker: Any
) -> None:
    """Move one card, or a joker that stands for it, from a hand to a free place of a meld."""
    value = _value(r, face, where, joker)
    if st.meld_doubled[meld]:
        value *= np.int64(r.four_at_once_multiplier)
    card = np.int64(JOKER) if joker else face
    if joker:
        st.meld_jokers[meld] |= np.int64(1) << place
    st.meld_faces[meld, place] = face
    st.meld_values[meld, place] = value
    enter_card(st, r, meld, place, face, seat)
    st.meld_by[meld, place] = seat
    st.meld_size[meld] += 1
    st.table_points[seat] += value
    show_card(st, r, seat, card)
    remove_face(st.hands[seat], card)
    remove_face(st.known[seat], card)
    remove_face(st.banned, card)
    add_face(st.laid, card)
    st.opened[seat] = 1
    st.opened_game[seat] = 1
    add_face(st.table_cards[seat], card)
    st.hand_size[seat] -= 1
    if r.boodle_pots and not joker:
        _claim_pot(st, seat, face)


@kernel
def _claim_pot(st: Any, seat: Any, face: Any) -> None:
    """Give the pot of a boodle card to the seat that lays it first; a joker does not count."""
    for pot in range(4):
        if face == BOODLE[pot]:
            st.chips[seat] += st.pots[pot]
            st.pots[pot] = 0


@kernel
def enter_card(st: Any, r: Any, meld: Any, place: Any, face: Any, seat: Any) -> None:
    """Note where a card lies, at its entry.

    Of two copies of a face the one in the older meld has the first entry, in one run the lower
    one. Jokers have entries of their own, in the order of melds and places.
    """
    kind = np.int64(st.meld_kind[meld])
    if kind == MELD_RUN and place > 0 and face % 13 == 0 and _scored_high(st, r, meld, place):
        kind += 1
    if np.int64(st.meld_jokers[meld]) >> place & 1:
        _write_entry(st, _joker_entry(st, r, meld, place), meld, kind, seat)
        return
    entry = face
    if st.table_meld[face] != 0:
        entry = face + 52
        there = np.int64(st.table_meld[face])
        if there > meld + 1 or (there == meld + 1 and np.int64(st.table_kind[face]) > kind):
            _move_entry(st, face, entry)
            entry = face
    _write_entry(st, entry, meld, kind, seat)


@kernel
def _scored_high(st: Any, r: Any, meld: Any, place: Any) -> Any:
    """Return whether an ace above another card was laid so.

    Round the corner a king may have been laid below a low ace, which keeps its value.
    """
    if not corner(r):
        return True
    value = np.int64(st.meld_values[meld, place])
    return value == r.ace_high_value and r.ace_high_value != r.ace_low_value


@kernel
def _joker_entry(st: Any, r: Any, meld: Any, place: Any) -> Any:
    """Make room for a joker among the entries of jokers and return its place there."""
    base = 52 * np.int64(r.num_decks)
    before = (np.int64(1) << place) - 1
    entry = base + popcount(np.int64(st.meld_jokers[meld]) & before)
    for older in range(meld):
        entry += popcount(np.int64(st.meld_jokers[older]))
    last = base + np.int64(r.num_jokers) - 1
    for k in range(last, entry, -1):
        _move_entry(st, np.int64(k) - 1, np.int64(k))
    return entry


@kernel
def _move_entry(st: Any, origin: Any, target: Any) -> None:
    st.table_meld[target] = st.table_meld[origin]
    st.table_kind[target] = st.table_kind[origin]
    st.table_by[target] = st.table_by[origin]


@kernel
def _write_entry(st: Any, entry: Any, meld: Any, kind: Any, seat: Any) -> None:
    st.table_meld[entry] = meld + 1
    st.table_kind[entry] = kind
    st.table_by[entry] = seat + 1


@kernel
def _new_meld(st: Any, kind: Any, line: Any, start: Any, seat: Any) -> Any:
    meld = np.int64(st.num_melds)
    st.meld_kind[meld] = kind
    st.meld_line[meld] = line
    st.meld_start[meld] = start
    st.meld_owner[meld] = seat
    st.num_melds = meld + 1
    return meld


@kernel
def _count_meld(st: Any, seat: Any, meld: Any) -> None:
    for place in range(np.int64(st.meld_size[meld])):
        st.points_melded[seat] += st.meld_values[meld, place]


@kernel
def _open_place(st: Any, meld: Any, at: Any) -> None:
    """Move the cards of a meld up by one, from a place on."""
    for place in range(np.int64(st.meld_size[meld]), at, -1):
        st.meld_faces[meld, place] = st.meld_faces[meld, place - 1]
        st.meld_values[meld, place] = st.meld_values[meld, place - 1]
        st.meld_by[meld, place] = st.meld_by[meld, place - 1]
    jokers = np.int64(st.meld_jokers[meld])
    below = (np.int64(1) << at) - 1
    st.meld_jokers[meld] = (jokers & below) | (jokers & ~below) << 1
