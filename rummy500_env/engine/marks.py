"""The new melds that a set of cards can form, as bits of a string of actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.engine.bits import FACES, lowest, or_bits
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.jokers import ANY_FACE, count_jokers, joker_melds, mark_groups, wild
from rummy500_env.engine.melds import corner, line_of, rank_copies
from rummy500_env.view_record import MAX_CARDS

__all__ = ["mark_naturals", "mark_new_melds", "mark_runs"]

NO_LIMIT = np.int64(MAX_CARDS)
NO, YES = np.int64(0), np.int64(1)


@kernel
def mark_naturals(r: Any, words: Any, hand: Any, hand2: Any) -> None:
    """Set the bits of all melds of naturals."""
    _mark_sets(r, words, hand & FACES, hand2)
    for suit in range(4):
        mark_runs(r, words, suit, line_of(r, hand, suit))


@kernel
def _mark_sets(r: Any, words: Any, hand: Any, hand2: Any) -> None:
    """Set the bits of all sets of naturals."""
    clubs, diamonds, hearts, spades = hand, hand >> 13, hand >> 26, hand >> 39
    if r.num_decks == 1 and r.set_min_len == 3:
        ranks = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
    else:
        ranks = clubs | diamonds | hearts | spades
    ranks &= (1 << 13) - 1
    while ranks != 0:
        rank = lowest(ranks)
        ranks &= ranks - 1
        within = rank_copies(hand, rank) + 16 * rank_copies(hand2, rank)
        bits = np.int64(r.set_bits[within])
        if bits != 0:
            or_bits(words, r.at_set + rank * r.set_patterns, bits)


@kernel
def mark_runs(r: Any, words: Any, suit: Any, line: Any) -> None:
    """Set the bits of all runs within a line of positions: for each length, those of its starts."""
    first = np.int64(r.at_run) + suit * np.int64(r.run_stride)
    starts = line & (line >> 1)
    length = 2
    longest = np.int64(r.num_ranks)
    while starts != 0 and length <= longest:
        if length >= r.run_min_len:
            here = starts
            if corner(r):
                here &= (np.int64(1) << np.int64(r.num_ranks)) - 1
            or_bits(words, first + r.run_offset[length], here)
        starts &= line >> length
        length += 1


@kernel
def mark_new_melds(
    st: Any, r: Any, words: Any, first: Any, second: Any, own: Any, named: Any
) -> None:
    """Set the bits of all melds of a hand; if ``named`` of those that use the dealer's joker first.

    Args:
        st: The table's record.
        r: The rules' record.
        words: The string of bits.
        first: The hand with its jokers.
        second: Its second copies.
        own: 1 when the dealer's joker is at hand too.
        named: 1 when that one is to be used first.
    """
    held = count_jokers(first)
    if not named:
        mark_naturals(r, words, first, second)
        if held > 0:
            mark_groups(r, words, held)
    if held + own > 0 and wild(st, r):
        joker_melds(
            st,
            r,
            words,
            first & FACES,
            second,
            first,
            held,
            held,
            own,
            named,
            NO,
            ANY_FACE,
            NO_LIMIT,
            YES,
        )
