"""The plays that are allowed: those after which the turn can go on and end.

A play is marked by its shape first. Then those go that leave no card to discard, no way to the
opening, or, when a hand is to be played out, no way out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import Kind
from rummy500_env.engine.bits import (
    ONE,
    ZERO,
    clear_bits,
    flip_bit,
    lowest,
    or_bits,
    without_lowest,
)
from rummy500_env.engine.booting import can_block, goes_out_after
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.jokers import (
    count_jokers,
    hand_jokers,
    jokers_missing,
    own_joker,
    without_jokers,
)
from rummy500_env.engine.melds import cards_named
from rummy500_env.engine.opening import (
    NOTHING,
    enough_left,
    must_open,
    opens,
    prepare_melds,
    take_cards,
)
from rummy500_env.engine.plays import bridges, mark_free_plays, mark_placing_plays
from rummy500_env.engine.state import BOOTING, OBLIGED, PLAY

__all__ = ["mark_plays", "opening_begun"]


@kernel
def mark_plays(st: Any, r: Any, words: Any, named: Any, doubled: Any) -> None:
    """Set the bits of all plays of the seat to move that leave a way to go on.

    Args:
        st: The table's record.
        r: The rules' record.
        words: The string of bits.
        named: 1 for the plays that use the dealer's joker first.
        doubled: 1 for the new melds that score twice.
    """
    seat = np.int64(st.seat)
    if st.phase == OBLIGED:
        mark_placing_plays(st, r, words, seat, named, doubled)
    else:
        mark_free_plays(st, r, words, seat, named, doubled)
        if not named and not doubled and st.phase == PLAY and can_block(st, r, seat):
            or_bits(words, np.int64(r.at_block), ONE)
    tight = r.keep != 0 or (st.banned[0] != 0 and st.phase != OBLIGED)
    opening, booting = must_open(st, r, seat), np.int64(st.turn_flags) & BOOTING != 0
    if tight or opening or booting:
        _drop_dead_ends(st, r, words, seat, named, doubled, tight, opening, booting)


@kernel
def opening_begun(st: Any, r: Any) -> Any:
    """Return whether the seat to move has laid melds that do not open yet."""
    return st.opening_points > 0 and must_open(st, r, np.int64(st.seat))


@kernel
def _drop_dead_ends(
    st: Any,
    r: Any,
    words: Any,
    seat: Any,
    named: Any,
    doubled: Any,
    tight: Any,
    opening: Any,
    booting: Any,
) -> None:
    """Clear the bits of the plays after which the turn could not end as it must.

    Args:
        st: The table's record.
        r: The rules' record.
        words: The string of bits.
        seat: The seat to move.
        named: 1 for plays that use the dealer's joker first.
        doubled: 1 for new melds that score twice.
        tight: Whether plays have to leave a card, or one that is not banned.
        opening: Whether the seat has still to open.
        booting: Whether the hand is to be played out.
    """
    ready = False
    for word in range(np.int64(r.at_set) >> 6, np.int64(r.num_words)):
        bits = np.int64(words[word])
        while bits != 0:
            action = np.int64(64 * word + lowest(bits))
            bits = without_lowest(bits)
            good = not tight or _leaves_enough(st, r, seat, action, named, doubled)
            if good and opening:
                if not ready:
                    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
                    prepare_melds(st, r, hand, hand2, own_joker(st, r, seat))
                    ready = True
                good = _opens(st, r, seat, action, named, doubled)
            if good and booting:
                good = goes_out_after(st, r, seat, action, named, doubled)
            if not good:
                flip_bit(words, action)
    if ready:
        clear_bits(st.trial, np.int64(r.num_words))


@kernel
def _leaves_enough(st: Any, r: Any, seat: Any, action: Any, named: Any, doubled: Any) -> Any:
    """Return whether a play leaves what the end of the turn needs.

    With must-discard a card that may be discarded has to be left. Without, a play may empty the
    hand, but not leave banned cards only. Bridges to a dug card were tested with all their cards
    when they were marked.
    """
    if bridges(st, r, action):
        return True
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    used, used2 = cards_named(r, action)
    used, used2 = used & hand, used2 & hand2
    taken = _jokers_taken(st, r, seat, action, named, doubled)
    rest, rest2 = take_cards(hand, hand2, used, used2, taken)
    ban, ban2 = take_cards(np.int64(st.banned[0]), np.int64(st.banned[1]), used, used2, taken)
    return enough_left(r, rest, rest2, ban, ban2, np.int64(st.phase != OBLIGED))


@kernel
def _jokers_taken(st: Any, r: Any, seat: Any, action: Any, named: Any, doubled: Any) -> Any:
    """Return the jokers that a marked play takes from the hand."""
    if r.num_jokers == 0:
        return np.int64(0)
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    kind = np.int64(r.codes[action, 0])
    if kind == Kind.BLOCK:
        return ONE
    if kind == Kind.LAYOFF:
        needed = np.int64(r.codes[action, 3])
    else:
        needed = max(jokers_missing(st, r, action, hand, hand2), ZERO) + doubled
    return hand_jokers(needed, count_jokers(hand), own_joker(st, r, seat), named)


@kernel
def _opens(st: Any, r: Any, seat: Any, action: Any, named: Any, doubled: Any) -> Any:
    """Return whether a play, a new meld or a block, leaves a way to the opening if it must."""
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    blocks = np.int64(r.codes[action, 0]) == Kind.BLOCK
    if blocks and st.opening_points == 0:
        return True
    return opens(
        st,
        r,
        NOTHING if blocks else action,
        named,
        doubled,
        without_jokers(hand, ONE) if blocks else hand,
        hand2,
        own_joker(st, r, seat),
        np.int64(st.banned[0]),
        np.int64(st.banned[1]),
        np.int64(r.opening) - np.int64(st.opening_points),
        np.int64(st.phase != OBLIGED),
    )
