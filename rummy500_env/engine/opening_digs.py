"""Digs before the opening: the dug card has to be in one of the melds that open."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import FACES, ZERO, clear_bits, lowest, popcount, without_lowest
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.jokers import (
    count_jokers,
    doubling,
    hand_jokers,
    jokers_missing,
    own_joker,
)
from rummy500_env.engine.melds import cards_named, line_of, rank_copies
from rummy500_env.engine.opening import opens, prepare_melds
from rummy500_env.engine.rules_record import option_code

__all__ = [
    "BAN_ALL_DRAWN",
    "BAN_DUG_ALL",
    "BAN_TOP_TAKEN",
    "HAND_ONLY",
    "opens_with",
    "support_for",
]

HAND_ONLY = option_code("dig_support", "hand_only")
BAN_TOP_TAKEN = option_code("drawn_discard_ban", "top_taken")
BAN_DUG_ALL = option_code("drawn_discard_ban", "dug_all")
BAN_ALL_DRAWN = option_code("drawn_discard_ban", "all_drawn")


@kernel
def support_for(r: Any, face: Any, first: Any, second: Any, hand: Any, hand2: Any) -> Any:
    """Return the cards a new meld with the taken face may be made of."""
    if r.dig_support != HAND_ONLY:
        return first, second
    bit = np.int64(1) << face
    return hand | bit, hand2 | (hand & bit)


@kernel
def opens_with(
    st: Any, r: Any, seat: Any, face: Any, taken: Any, taken2: Any, taken_jokers: Any
) -> Any:
    """Return whether some new meld with the taken face leads to the opening."""
    hand, hand2 = np.int64(st.hands[seat, 0]), np.int64(st.hands[seat, 1])
    own = own_joker(st, r, seat)
    held = count_jokers(hand)
    first, second = (hand | taken) & FACES, hand2 | taken2 | (hand & taken)
    if face != JOKER and held + taken_jokers + own == 0 and not _melds_at_all(r, face, first):
        return False
    first |= ((np.int64(1) << (held + taken_jokers)) - 1) << JOKER
    support, support2, jokers = first, second, held + taken_jokers
    if r.dig_support == HAND_ONLY:
        support, support2, jokers = hand, hand2, held + np.int64(face == JOKER)
        if face != JOKER:
            support, support2 = support_for(r, face, first, second, hand, hand2)
    ban, ban2 = _ban_after_dig(r, face, taken, taken2, taken_jokers)
    twice = np.int64(face != JOKER and doubling(st, r) and jokers + own > 0)
    least = np.int64(face == JOKER)
    prepare_melds(st, r, first, second, own)
    found = False
    for word in range(np.int64(r.num_words)):
        bits = np.int64(st.trial[word])
        while bits != 0 and not found:
            action = np.int64(64 * word + lowest(bits))
            bits = without_lowest(bits)
            used, used2 = cards_named(r, action)
            if face != JOKER and used >> face & 1 == 0:
                continue
            used, used2 = used & first, used2 & second
            if used & ~support != 0 or used2 & ~support2 != 0:
                continue
            missing = jokers_missing(st, r, action, first, second)
            for doubled in range(1 + twice):
                for named in range(1 + own):
                    needed = missing + doubled
                    from_hand = hand_jokers(needed, held + taken_jokers, own, np.int64(named))
                    if missing < 0 or not least <= from_hand <= jokers:
                        continue
                    found = found or opens(
                        st,
                        r,
                        action,
                        np.int64(named),
                        np.int64(doubled),
                        first,
                        second,
                        own,
                        ban,
                        ban2,
                        np.int64(r.opening),
                        ZERO,
                    )
    clear_bits(st.trial, np.int64(r.num_words))
    return found


@kernel
def _melds_at_all(r: Any, face: Any, first: Any) -> Any:
    """Return whether a face can be in a new meld of naturals, judged by neighbours alone."""
    rank, suit = face % 13, face // 13
    if r.num_decks > 1 or r.run_min_len < 3 or r.set_min_len < 3:
        return True
    if popcount(rank_copies(first, rank)) >= 3:
        return True
    line = line_of(r, first, suit)
    starts = line & line >> 1 & line >> 2
    return starts != 0


@kernel
def _ban_after_dig(r: Any, face: Any, taken: Any, taken2: Any, taken_jokers: Any) -> Any:
    """Return the cards that may not be discarded after a dig, as a pair of words."""
    jokers = ((np.int64(1) << taken_jokers) - 1) << JOKER
    if r.drawn_discard_ban >= BAN_DUG_ALL:
        return taken | jokers, taken2
    alone = taken | jokers if popcount(taken) + popcount(taken2) + taken_jokers == 1 else ZERO
    if r.drawn_discard_ban == BAN_TOP_TAKEN:
        return alone, ZERO
    return ZERO, ZERO
