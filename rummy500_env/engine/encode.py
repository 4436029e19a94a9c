"""Observations: what a seat may know, as numbers, block by block as declared.

The functions take the public part and the seat's own part of a view as two records, so that beside
a table the public part can be read in place: ``public`` is a view or the table's own record, of
which nothing but the public fields is read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import FACES, ONE, popcount
from rummy500_env.engine.jit import kernel
from rummy500_env.observations import DIGIT
from rummy500_env.view_record import FLAGS, MELD_RUN

__all__ = ["encode", "unseen_cards"]

DIGIT_BITS = DIGIT.bit_length() - 1


@kernel
def encode(public: Any, own: Any, r: Any, template: Any, scale: Any, out: Any) -> None:
    """Write an observation.

    Args:
        public: A record with the public fields.
        own: A view's record, of which the viewer's own part is read.
        r: The rules' record.
        template: The observation of an empty table.
        scale: What each entry is multiplied with; ones for the ``int8`` form.
        out: The row to write; its type is that of ``template`` and ``scale``.
    """
    if r.num_jokers == 0:  # the other blocks are written whole
        _fill(template, out, np.int64(r.ob_banned), np.int64(r.ob_dug))
        _fill(template, out, np.int64(r.ob_pile_depth), np.int64(r.ob_table_meld))
        _fill(template, out, np.int64(r.ob_out_of_play), np.int64(len(template)))
    else:
        _fill(template, out, np.int64(0), np.int64(len(template)))
    _encode_own(public, own, r, scale, out)
    _encode_pile(public, own, r, scale, out)
    _encode_table(public, own, r, scale, out)
    _encode_seats(public, own, r, scale, out)
    _encode_counters(public, own, r, scale, out)


@kernel
def unseen_cards(public: Any, own: Any, r: Any) -> Any:
    """Return the cards the viewer cannot locate, as a pair of words.

    They are the deck less the own hand, the pile, the table, cards known to be in other hands,
    those out of play, and a stock whose order is public.
    """
    first, second = np.int64(r.deck[0]), np.int64(r.deck[1])
    first, second = _without(first, second, own.hand[0], own.hand[1])
    first, second = _without(first, second, public.pile_cards[0], public.pile_cards[1])
    first, second = _without(first, second, public.out_of_play[0], public.out_of_play[1])
    if public.stock_open:
        for k in range(np.int64(public.stock_size)):
            first, second = _without_face(first, second, np.int64(public.open_stock[k]))
    for seat in range(np.int64(r.num_players)):
        laid, laid2 = public.table_cards[seat, 0], public.table_cards[seat, 1]
        first, second = _without(first, second, laid, laid2)
        if seat != np.int64(own.viewer):
            known, known2 = public.known[seat, 0], public.known[seat, 1]
            first, second = _without(first, second, known, known2)
    return first, second


@kernel
def _without(first: Any, second: Any, ones: Any, twos: Any) -> Any:
    """Return a set of cards less another one, which it holds."""
    left = (first & ~ones) | (second & ~twos)
    jokers = ones >> JOKER
    if jokers:
        kept = popcount(first >> JOKER) - popcount(jokers)
        left = (left & FACES) | ((np.int64(1) << kept) - 1) << JOKER
    return left, second & ~ones


@kernel
def _without_face(first: Any, second: Any, face: Any) -> Any:
    """Return a set of cards less a face, which it holds."""
    if face == JOKER:
        return first & ~(np.int64(1) << (JOKER + popcount(first >> JOKER) - 1)), second
    bit = np.int64(1) << face
    if second & bit:
        return first, second & ~bit
    return first & ~bit, second


@kernel
def _relative(public: Any, own: Any, seat: Any) -> Any:
    distance = seat - np.int64(own.viewer)
    return distance + np.int64(public.num_players) if distance < 0 else distance


@kernel(vectorize=True)
def _fill(template: Any, out: Any, begin: Any, end: Any) -> None:
    row, empty = out[begin:end], template[begin:end]
    for k in range(len(empty)):
        row[k] = empty[k]


@kernel(vectorize=True)
def _put_plane(scale: Any, out: Any, at: Any, first: Any, second: Any) -> None:
    """Write the number of copies of each of the 52 faces.

    Written as a choice in a slice, so that the compiler makes masked vector stores of it: a plane
    then costs less than three scattered entries.
    """
    row, unit = out[at : at + 52], scale[at : at + 52]
    nothing = scale[at] - scale[at]
    for face in range(52):
        row[face] = unit[face] if first >> face & 1 else nothing
    if second != 0:
        for face in range(52):
            row[face] += unit[face] if second >> face & 1 else nothing


@kernel
def _put(scale: Any, out: Any, at: Any, number: Any) -> None:
    out[at] = np.int64(number) * scale[at]


@kernel
def _put_counts(r: Any, scale: Any, out: Any, at: Any, first: Any, second: Any) -> None:
    """Write a set of cards with the number of copies of each face."""
    _put_plane(scale, out, at, first & FACES, second)
    if r.num_jokers > 0:
        _put(scale, out, at + JOKER, popcount(first >> JOKER))


@kernel
def _put_copies(r: Any, scale: Any, out: Any, at: Any, first: Any, second: Any) -> None:
    """Write a set of cards with an entry for each copy."""
    _put_plane(scale, out, at, first & FACES, np.int64(0))
    if r.num_decks > 1:
        _put_plane(scale, out, at + 52, second, np.int64(0))
    if r.num_jokers > 0:
        for k in range(popcount(first >> JOKER)):
            _put(scale, out, at + 52 * np.int64(r.num_decks) + k, ONE)


@kernel
def _put_digits(scale: Any, out: Any, at: Any, value: Any) -> None:
    """Write a whole number in two entries; beyond +-16,000 it is shown by the nearest bound."""
    number = min(max(np.int64(value), -128 * DIGIT), 128 * DIGIT - 1)
    _put(scale, out, at, number >> DIGIT_BITS)
    _put(scale, out, at + 1, number & (DIGIT - 1))


@kernel
def _encode_own(public: Any, own: Any, r: Any, scale: Any, out: Any) -> None:
    """Write the sets of cards that are not a seat's."""
    hand, hand2 = np.int64(own.hand[0]), np.int64(own.hand[1])
    _put_copies(r, scale, out, np.int64(r.ob_hand), hand, hand2)
    _put_counts(r, scale, out, np.int64(r.ob_drawn), own.drawn[0], own.drawn[1])
    if own.banned[0] != 0:
        _put_counts(r, scale, out, np.int64(r.ob_banned), own.banned[0], own.banned[1])
    _put_counts(r, scale, out, np.int64(r.ob_dug), public.dug[0], public.dug[1])
    _put_counts(r, scale, out, np.int64(r.ob_laid), public.laid[0], public.laid[1])
    gone, gone2 = public.out_of_play[0], public.out_of_play[1]
    if gone != 0:
        _put_counts(r, scale, out, np.int64(r.ob_out_of_play), gone, gone2)
    if public.must_use != 0:
        _put(scale, out, np.int64(r.ob_must_use) + np.int64(public.must_use) - 1, ONE)
    first, second = unseen_cards(public, own, r)
    _put_counts(r, scale, out, np.int64(r.ob_unseen), first, second)


@kernel
def _entry(r: Any, face: Any, seen: Any, jokers: Any) -> Any:
    """Return the entry of a card among all copies: ``seen`` faces had their first one before."""
    if face == JOKER:
        return 52 * np.int64(r.num_decks) + jokers
    return face + 52 * (seen >> face & 1)


@kernel
def _encode_pile(public: Any, own: Any, r: Any, scale: Any, out: Any) -> None:
    size = np.int64(public.pile_size)
    plane = 52 * np.int64(r.num_decks) + np.int64(r.num_jokers)
    depths, throwers = np.int64(r.ob_pile_depth), np.int64(r.ob_pile_by)
    unit, one = scale[depths], scale[throwers]
    seen = np.int64(0)
    for k in range(size - 1, -1, -1):
        face = np.int64(public.pile[k])
        entry = _entry(r, face, seen, popcount(seen >> JOKER))
        seen = _seen_with(seen, face)
        out[depths + entry] = (size - k) * unit
        if public.pile_by[k] != 0:
            seat = _relative(public, own, np.int64(public.pile_by[k]) - 1)
            out[throwers + seat * plane + entry] = one


@kernel
def _seen_with(seen: Any, face: Any) -> Any:
    """Return the faces seen so far with one more; jokers are counted from bit 52 on."""
    if face == JOKER:
        return seen | np.int64(1) << (JOKER + popcount(seen >> JOKER))
    return seen | np.int64(1) << face


@kernel
def _encode_table(public: Any, own: Any, r: Any, scale: Any, out: Any) -> None:
    entries = 52 * np.int64(r.num_decks) + np.int64(r.num_jokers)
    _put_bytes(scale, out, np.int64(r.ob_table_meld), public.table_meld, entries)
    _put_bytes(scale, out, np.int64(r.ob_table_kind), public.table_kind, entries)
    layers = np.int64(r.ob_table_by)
    for seat in range(np.int64(r.num_players)):
        plane = layers + _relative(public, own, seat) * entries
        _put_equal(scale, out, plane, public.table_by, seat + 1, entries)
    if r.num_jokers > 0:
        _encode_table_jokers(public, r, scale, out)
    if r.ob_doubled >= 0 or r.ob_run_start >= 0 or r.ob_owner >= 0:
        _encode_meld_marks(public, own, r, scale, out)


@kernel(vectorize=True)
def _put_bytes(scale: Any, out: Any, at: Any, numbers: Any, count: Any) -> None:
    """Write small numbers, an entry for each."""
    row, unit = out[at : at + count], scale[at : at + count]
    for k in range(count):
        row[k] = np.float32(numbers[k]) * unit[k]


@kernel(vectorize=True)
def _put_equal(scale: Any, out: Any, at: Any, numbers: Any, number: Any, count: Any) -> None:
    """Write where a number stands."""
    row, unit = out[at : at + count], scale[at : at + count]
    nothing = scale[at] - scale[at]
    wanted = np.uint8(number)
    for k in range(count):
        row[k] = unit[k] if numbers[k] == wanted else nothing


@kernel
def _encode_table_jokers(public: Any, r: Any, scale: Any, out: Any) -> None:
    slot = np.int64(r.ob_table_jokers)
    for meld in range(np.int64(public.num_melds)):
        for place in range(np.int64(public.meld_size[meld])):
            if np.int64(public.meld_jokers[meld]) >> place & 1:
                _put(scale, out, slot, meld + 1)
                _put(scale, out, slot + 1, place + 1)
                _put(scale, out, slot + 2, np.int64(public.meld_faces[meld, place]))
                slot += 3


@kernel
def _encode_meld_marks(public: Any, own: Any, r: Any, scale: Any, out: Any) -> None:
    for meld in range(np.int64(public.num_melds)):
        if r.ob_doubled >= 0:
            _put(scale, out, np.int64(r.ob_doubled) + meld, np.int64(public.meld_doubled[meld]))
        if r.ob_owner >= 0:
            owner = _relative(public, own, np.int64(public.meld_owner[meld]))
            _put(scale, out, np.int64(r.ob_owner) + meld, owner + 1)
        if r.ob_run_start >= 0 and np.int64(public.meld_kind[meld]) == MELD_RUN:
            start = np.int64(public.meld_start[meld])
            _put(scale, out, np.int64(r.ob_run_start) + meld, start + 1)


@kernel
def _encode_seats(public: Any, own: Any, r: Any, scale: Any, out: Any) -> None:
    n = np.int64(r.num_players)
    faces = np.int64(52) + np.int64(r.num_jokers > 0)
    for seat in range(n):
        to = _relative(public, own, seat)
        known, known2 = public.known[seat, 0], public.known[seat, 1]
        _put_counts(r, scale, out, r.ob_known + to * faces, known, known2)
        thrown, thrown2 = public.discards[seat, 0], public.discards[seat, 1]
        _put_counts(r, scale, out, r.ob_discards + to * faces, thrown, thrown2)
        _put_counts(r, scale, out, r.ob_passed + to * faces, public.passed[seat], np.int64(0))
        _put(scale, out, r.ob_hand_sizes + to, np.int64(public.hand_size[seat]))
        _put_digits(scale, out, r.ob_table_points + 2 * to, np.int64(public.table_points[seat]))
        _put_digits(scale, out, r.ob_scores + 2 * to, np.int64(public.scores[seat]))
        _put_digits(scale, out, r.ob_turns_taken + 2 * to, np.int64(public.turns_taken[seat]))
        _put(scale, out, r.ob_opened + to, np.int64(public.opened[seat]))
        _put(scale, out, r.ob_opened + n + to, np.int64(public.opened_game[seat]))
        _put(scale, out, r.ob_laid_before + to, np.int64(public.laid_before[seat]))
        if r.ob_refilled >= 0:
            unseen = np.int64(public.unseen_refilled[seat])
            _put(scale, out, r.ob_unseen_refilled + to, unseen)
        if r.ob_chips >= 0:
            _put_digits(scale, out, r.ob_chips + 2 * to, np.int64(public.chips[seat]))
        if r.ob_clocks >= 0:
            _put_digits(scale, out, r.ob_clocks + 2 * to, np.int64(public.clocks[seat]))
    if public.seat < 0 or public.single_round:
        _encode_end(public, own, r, scale, out)
    if public.seat >= 0:
        _put(scale, out, r.ob_mover + _relative(public, own, np.int64(public.seat)), ONE)
    _put(scale, out, r.ob_dealer + _relative(public, own, np.int64(public.dealer)), ONE)


@kernel
def _encode_end(public: Any, own: Any, r: Any, scale: Any, out: Any) -> None:
    """Write how the game ended, and whether it is one round only."""
    at, n = np.int64(r.ob_end), np.int64(r.num_players)
    for seat in range(n):
        won = np.int64(public.winners) >> seat & 1
        _put(scale, out, at + _relative(public, own, seat), won)
    _put(scale, out, at + n, np.int64(public.truncated))
    _put(scale, out, at + n + 1, np.int64(public.single_round))


@kernel
def _encode_counters(public: Any, own: Any, r: Any, scale: Any, out: Any) -> None:
    sizes, turn, stock = np.int64(r.ob_sizes), np.int64(r.ob_turn), np.int64(r.ob_stock_state)
    _put(scale, out, np.int64(r.ob_phase) + np.int64(public.phase), ONE)
    _put(scale, out, sizes, np.int64(public.stock_size))
    _put(scale, out, sizes + 1, np.int64(public.pile_size))
    _put_digits(scale, out, np.int64(r.ob_rounds), np.int64(public.round_index))
    _put_digits(scale, out, np.int64(r.ob_no_progress), np.int64(public.no_progress))
    _put(scale, out, turn, np.int64(public.top_taken != 0))
    _put(scale, out, turn + 1, np.int64(public.free_take))
    _put(scale, out, turn + 2, np.int64(public.long_run))
    _put(scale, out, stock, min(np.int64(public.reshuffles), np.int64(127)))
    _put(scale, out, stock + 1, np.int64(public.passes))
    _put(scale, out, stock + 2, np.int64(public.stock_open))
    if r.ob_refilled >= 0:
        refilled, refilled2 = public.refilled[0], public.refilled[1]
        _put_counts(r, scale, out, np.int64(r.ob_refilled), refilled, refilled2)
        own_drawn, own_drawn2 = own.refilled_drawn[0], own.refilled_drawn[1]
        _put_counts(r, scale, out, np.int64(r.ob_refilled_drawn), own_drawn, own_drawn2)
        if public.stock_open:
            _encode_open_stock(public, r, scale, out)
    if r.ob_opening_points >= 0:
        _put_digits(scale, out, np.int64(r.ob_opening_points), np.int64(public.opening_points))
    if r.ob_flags >= 0:
        for k in range(len(FLAGS)):
            _put(scale, out, r.ob_flags + k, np.int64(public.turn_flags) >> k & 1)
    if r.ob_window >= 0:
        _encode_window(public, own, r, scale, out)
    if r.ob_dealers_joker >= 0:
        _put(scale, out, np.int64(r.ob_dealers_joker), np.int64(public.joker_effect))
        _put(scale, out, np.int64(r.ob_dealers_joker) + 1, np.int64(public.joker_state))
    if r.ob_pots >= 0:
        for k in range(4):
            _put_digits(scale, out, r.ob_pots + 2 * k, np.int64(public.pots[k]))


@kernel
def _encode_window(public: Any, own: Any, r: Any, scale: Any, out: Any) -> None:
    """Write who is still to be asked, whose move opened the window, and a goer's bonus."""
    at, n = np.int64(r.ob_window), np.int64(r.num_players)
    for seat in range(n):
        to = _relative(public, own, seat)
        _put(scale, out, at + to, np.int64(public.window_pending) >> seat & 1)
        _put(scale, out, at + n + to, np.int64(public.window_by == seat + 1))
    _put_digits(scale, out, at + 2 * n, np.int64(public.out_bonus))


@kernel
def _encode_open_stock(public: Any, r: Any, scale: Any, out: Any) -> None:
    """Write the places in a stock whose order everybody knows."""
    size = np.int64(public.stock_size)
    seen = np.int64(0)
    for k in range(size - 1, -1, -1):
        face = np.int64(public.open_stock[k])
        entry = _entry(r, face, seen, popcount(seen >> JOKER))
        seen = _seen_with(seen, face)
        _put(scale, out, np.int64(r.ob_open_stock) + entry, size - k)
