"""Laying cards on the table: new melds and layoffs, and what each card scores there.

A card's value is fixed when it is laid and belongs to whoever laid it for ever. Jokers that are in
no meld, the dealer's beside him, one over a meld, one that blocks, are out of play.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import HIGH, LOW, Kind
from rummy500_env.cards import JOKER
from rummy500_env.cards import face as face_of
from rummy500_env.engine.bits import (
    ONE,
    ZERO,
    add_face,
    count_face,
    popcount,
    remove_face,
)
from rummy500_env.engine.deal import show_card
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.jokers import group_takes
from rummy500_env.engine.melds import code_of, corner, table_value
from rummy500_env.engine.opening import must_open
from rummy500_env.engine.plays import layoff_target
from rummy500_env.engine.state import (
    BLOCKED,
    FOUR_AT_ONCE,
    JOKER_OVER,
    SAID_DOUBLE,
    SAID_OWN,
    USED,
)
from rummy500_env.view_record import MELD_GROUP, MELD_RUN, MELD_SET

__all__ = ["block_joker", "enter_card", "lay_new", "lay_off", "take_called"]

NEW_SET, NEW_RUN, NEW_GROUP = np.int64(MELD_SET), np.int64(MELD_RUN), np.int64(MELD_GROUP)
FIRST = np.int64(0)
AS_JOKER = np.int64(1)
LONG_RUN = 7
BOODLE = tuple(np.int64(face_of(card)) for card in ("Ah", "Kc", "Qd", "Js"))


@kernel
def lay_new(st: Any, r: Any, seat: Any, action: Any) -> None:
    """Lay a new meld; jokers stand for what is not held, and one lies over it if so said."""
    kind, a, b, c = code_of(r, action)
    doubled = np.int64(0)
    if kind != Kind.RUN and c == 4 and r.four_at_once_multiplier > 1:
        doubled |= FOUR_AT_ONCE
    if np.int64(st.turn_flags) & SAID_DOUBLE:
        doubled |= JOKER_OVER
        _take_joker(st, r, seat, ZERO)
        add_face(st.out_of_play, np.int64(JOKER))
    if kind == Kind.SET:
        _meld_set(st, r, seat, a, b, doubled)
    elif kind == Kind.RUN:
        _meld_run(st, r, seat, a, b, c, doubled)
    else:
        _meld_group(st, r, seat, c, doubled)


@kernel
def _meld_set(st: Any, r: Any, seat: Any, rank: Any, copies: Any, doubled: Any) -> None:
    meld = _new_meld(st, NEW_SET, rank, FIRST, seat, doubled)
    place = np.int64(0)
    for suit in range(4):
        face = 13 * suit + rank
        for _ in range(copies >> (2 * suit) & 3):
            joker = np.int64(count_face(st.hands[seat], face) == 0)
            _lay(st, r, seat, meld, place, face, ZERO, joker)
            place += 1
    _count_meld(st, r, seat, meld)


@kernel
def _meld_run(st: Any, r: Any, seat: Any, suit: Any, start: Any, length: Any, doubled: Any) -> None:
    meld = _new_meld(st, NEW_RUN, suit, start, seat, doubled)
    if length >= LONG_RUN:
        st.long_run = 1
    for place in range(length):
        face = 13 * suit + (start + place) % np.int64(r.num_ranks)
        joker = np.int64(count_face(st.hands[seat], face) == 0)
        _lay(st, r, seat, meld, np.int64(place), face, np.int64(place > 0), joker)
    _count_meld(st, r, seat, meld)


@kernel
def _meld_group(st: Any, r: Any, seat: Any, size: Any, doubled: Any) -> None:
    meld = _new_meld(st, NEW_GROUP, ZERO, FIRST, seat, doubled)
    for place in range(size):
        _lay(st, r, seat, meld, np.int64(place), np.int64(JOKER), ZERO, AS_JOKER)
    _count_meld(st, r, seat, meld)


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
        _lay(st, r, seat, meld, size, face, ONE, joker)
    elif place == LOW:
        _open_place(st, meld, FIRST)
        start = np.int64(st.meld_start[meld])
        st.meld_start[meld] = (start + r.num_ranks - 1) % r.num_ranks if start == 0 else start - 1
        _lay(st, r, seat, meld, FIRST, face, ZERO, joker)
    else:
        at = np.int64(0)
        while at < size and st.meld_faces[meld, at] <= face:
            at += 1
        _open_place(st, meld, at)
        _lay(st, r, seat, meld, at, face, ZERO, joker)
    st.meld_doubled[meld] = doubled
    st.points_laid_off[seat] += st.table_points[seat] - before


@kernel
def take_called(st: Any, seat: Any) -> None:
    """Give the top discard to a seat that has called it and lays it off at once."""
    top = np.int64(st.pile_size) - 1
    face = np.int64(st.pile[top])
    st.pile[top] = 0
    st.pile_by[top] = 0
    st.pile_size = top
    remove_face(st.pile_cards, face)
    add_face(st.hands[seat], face)
    add_face(st.known[seat], face)
    st.hand_size[seat] += 1


@kernel
def block_joker(st: Any, r: Any, seat: Any) -> None:
    """Lay a joker of the hand on the dealer's joker, which is out of use from then on."""
    joker = np.int64(JOKER)
    st.joker_state = BLOCKED
    show_card(st, r, seat, joker)
    add_face(st.out_of_play, joker)
    remove_face(st.hands[seat], joker)
    remove_face(st.known[seat], joker)
    remove_face(st.banned, joker)
    st.hand_size[seat] -= 1


@kernel
def _take_joker(st: Any, r: Any, seat: Any, to_meld: Any) -> None:
    """Take a joker that a move needs: of the hand, or the dealer's after those or if so said."""
    joker = np.int64(JOKER)
    said = np.int64(st.turn_flags) & SAID_OWN != 0
    if said or count_face(st.hands[seat], joker) == 0:
        st.joker_state = USED
        st.turn_flags = np.int64(st.turn_flags) & ~SAID_OWN
        remove_face(st.out_of_play, joker)
    else:
        show_card(st, r, seat, joker)
        remove_face(st.hands[seat], joker)
        remove_face(st.known[seat], joker)
        remove_face(st.banned, joker)
        st.hand_size[seat] -= 1
    add_face(st.laid, joker)
    if to_meld:
        add_face(st.table_cards[seat], joker)


@kernel
def _lay(
    st: Any, r: Any, seat: Any, meld: Any, place: Any, face: Any, above: Any, joker: Any
) -> None:
    """Move one card, or a joker that stands for it, from a hand to a free place of a meld.

    ``above`` is 1 when another card of the run lies below it.
    """
    value = table_value(r, face, np.int64(st.meld_kind[meld]), above, joker)
    doubled = np.int64(st.meld_doubled[meld])
    if doubled & FOUR_AT_ONCE:
        value *= np.int64(r.four_at_once_multiplier)
    if doubled & JOKER_OVER:
        value *= 2
    if joker:
        st.meld_jokers[meld] |= np.int64(1) << place
    st.meld_faces[meld, place] = face
    st.meld_values[meld, place] = value
    enter_card(st, r, meld, place, face, seat)
    st.meld_by[meld, place] = seat
    st.meld_size[meld] += 1
    st.table_points[seat] += value
    if r.first_meld_min == 0:
        st.opened[seat] = 1
        st.opened_game[seat] = 1
    if joker:
        _take_joker(st, r, seat, ONE)
        return
    show_card(st, r, seat, face)
    remove_face(st.hands[seat], face)
    remove_face(st.known[seat], face)
    remove_face(st.banned, face)
    add_face(st.laid, face)
    add_face(st.table_cards[seat], face)
    st.hand_size[seat] -= 1
    if r.boodle_pots:
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
def _new_meld(st: Any, kind: Any, line: Any, start: Any, seat: Any, doubled: Any) -> Any:
    meld = np.int64(st.num_melds)
    st.meld_doubled[meld] = doubled
    st.meld_kind[meld] = kind
    st.meld_line[meld] = line
    st.meld_start[meld] = start
    st.meld_owner[meld] = seat
    st.num_melds = meld + 1
    return meld


@kernel
def _count_meld(st: Any, r: Any, seat: Any, meld: Any) -> None:
    """Count a new meld's points, towards the opening too as long as the seat has not opened."""
    points = np.int64(0)
    for place in range(np.int64(st.meld_size[meld])):
        points += np.int64(st.meld_values[meld, place])
    st.points_melded[seat] += points
    if must_open(st, r, seat):
        st.opening_points += points
        if st.opening_points >= r.opening:
            st.opened[seat] = 1
            st.opened_game[seat] = 1


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
