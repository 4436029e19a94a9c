"""The opening: new melds of one turn that together score what is needed to open.

Until a seat has opened it lays new melds only, and each of them must leave a way to reach the
opening in the same turn: disjoint melds of the hand that score enough, and after them what the end
of the turn needs. So nobody is ever stranded half-way. The search goes through the melds at hand
(:func:`~rummy500_env.engine.marks.mark_new_melds`), which can only become fewer as cards go.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import Kind
from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import FACES, ZERO, clear_bits, lowest, popcount, without_lowest
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.jokers import (
    count_jokers,
    doubling,
    hand_jokers,
    jokers_missing_after,
)
from rummy500_env.engine.marks import mark_new_melds
from rummy500_env.engine.melds import cards_named, code_of, line_of, rank_copies, table_value
from rummy500_env.view_record import MELD_RUN, MELD_SET

__all__ = [
    "NOTHING",
    "enough_left",
    "meld_points",
    "must_open",
    "opens",
    "prepare_melds",
    "take_cards",
]

NOTHING = np.int64(-1)
RUN, SET = np.int64(MELD_RUN), np.int64(MELD_SET)


@kernel
def must_open(st: Any, r: Any, seat: Any) -> Any:
    """Return whether a seat has still to open before it may lay off."""
    return r.opening > 0 and st.opened[seat] == 0


@kernel
def prepare_melds(st: Any, r: Any, first: Any, second: Any, own: Any) -> None:
    """Note the melds at hand that a search may use; the caller clears ``trial`` afterwards."""
    clear_bits(st.trial, np.int64(r.num_words))
    mark_new_melds(st, r, st.trial, first, second, own, ZERO)


@kernel
def take_cards(first: Any, second: Any, used: Any, used2: Any, jokers: Any) -> Any:
    """Return a set of cards less others, of which it need not hold all."""
    left = ((first & ~used) | (second & ~used2)) & FACES
    held = count_jokers(first)
    kept = held - min(held, jokers)
    return left | ((np.int64(1) << kept) - 1) << JOKER, second & ~used


@kernel
def enough_left(r: Any, rest: Any, rest2: Any, ban: Any, ban2: Any, bound: Any) -> Any:
    """Return whether a hand is what a play may leave.

    Args:
        r: The rules' record.
        rest: The hand that is left, with its jokers.
        rest2: Its second copies.
        ban: Cards that may not be discarded; banned copies of a face are played first.
        ban2: Their second copies.
        bound: 1 when a hand of banned cards only may not be left, 0 while a dug card is placed.
    """
    if rest == 0:
        return r.keep == 0
    if bound == 0 or ban == 0:
        return True
    if ((rest & ~ban) | (rest2 & ~ban2)) & FACES != 0:
        return True
    return count_jokers(rest) > count_jokers(ban)


@kernel
def meld_points(r: Any, action: Any, first: Any, doubled: Any) -> Any:
    """Return what a new meld of certain naturals scores, jokers standing for the rest."""
    kind, a, b, c = code_of(r, action)
    total = np.int64(0)
    if kind == Kind.RUN:
        for place in range(c):
            face = 13 * a + (b + place) % np.int64(r.num_ranks)
            joker = np.int64(first >> face & 1 == 0)
            total += table_value(r, face, RUN, np.int64(place > 0), joker)
    elif kind == Kind.SET:
        for suit in range(4):
            face = 13 * suit + a
            joker = np.int64(first >> face & 1 == 0)
            copies = b >> (2 * suit) & 3
            if copies > 0:
                total += copies * table_value(r, face, SET, ZERO, joker)
    else:
        total = c * np.int64(r.joker_table_value)
    if kind != Kind.RUN and c == 4:
        total *= np.int64(r.four_at_once_multiplier)
    return total * (1 + doubled)


@kernel
def opens(
    st: Any,
    r: Any,
    action: Any,
    named: Any,
    doubled: Any,
    first: Any,
    second: Any,
    own: Any,
    ban: Any,
    ban2: Any,
    need: Any,
    bound: Any,
) -> Any:
    """Return whether a new meld reaches the opening, or leaves a way to it.

    Args:
        st: The table's record; its ``trial`` holds the melds at hand.
        r: The rules' record.
        action: The meld; -1 for none, when the hand as it is shall reach it.
        named: 1 when the dealer's joker is to be used first.
        doubled: 1 when a joker is laid over it.
        first: The hand with its jokers.
        second: Its second copies.
        own: 1 when the dealer's joker is at hand too.
        ban: Cards that may not be discarded.
        ban2: Their second copies.
        need: Points that are lacking.
        bound: Whether bans bind already this play; see :func:`enough_left`.
    """
    laid, points = ZERO, ZERO
    if action != NOTHING:
        good, first, second, own, ban, ban2, laid, points = _after_meld(
            st, r, action, named, doubled, first, second, own, ban, ban2, laid, bound
        )
        if not good:
            return False
    need -= points
    return need <= 0 or _search(st, r, first, second, own, ban, ban2, laid, need, ZERO)


@kernel
def _after_meld(
    st: Any,
    r: Any,
    action: Any,
    named: Any,
    doubled: Any,
    first: Any,
    second: Any,
    own: Any,
    ban: Any,
    ban2: Any,
    laid: Any,
    bound: Any,
) -> Any:
    """Return whether a meld can be laid and leaves enough; what is left; and its points.

    Arguments are those of :func:`opens`, with the faces ``laid`` before, for which no joker may
    stand. What is left are hand, dealer's joker and bans, and with the meld's the faces laid.
    """
    missing = jokers_missing_after(st, r, action, first, second, laid)
    taken = NOTHING
    if missing >= 0:
        taken = hand_jokers(missing + doubled, count_jokers(first), own, named)
    if taken < 0:
        return False, first, second, own, ban, ban2, laid, ZERO
    used, used2 = cards_named(r, action)
    used, used2 = used & first, used2 & second
    points = meld_points(r, action, first, doubled)
    first, second = take_cards(first, second, used, used2, taken)
    ban, ban2 = take_cards(ban, ban2, used, used2, taken)
    down = ZERO if r.joker_may_duplicate else laid | used
    own -= missing + doubled - taken
    return (
        enough_left(r, first, second, ban, ban2, bound),
        first,
        second,
        own,
        ban,
        ban2,
        down,
        points,
    )


@kernel
def _search(
    st: Any,
    r: Any,
    first: Any,
    second: Any,
    own: Any,
    ban: Any,
    ban2: Any,
    laid: Any,
    need: Any,
    floor: Any,
) -> Any:
    """Return whether melds of a hand reach so many points; those before ``floor`` are tried.

    For the faces ``laid`` on the way no joker may stand.

    Natural melds do as well in any order, so they are tried in one. Jokers may stand only for
    faces that are not in the hand, and a ban asks what each play leaves: there every order is.
    """
    if _most(st, r, first, second, own) < need:
        return False
    held = count_jokers(first)
    twice = np.int64(doubling(st, r) and held + own > 0)
    for word in range(floor >> 6, np.int64(r.num_words)):
        bits = np.int64(st.trial[word])
        while bits != 0:
            action = np.int64(64 * word + lowest(bits))
            bits = without_lowest(bits)
            if action < floor:
                continue
            for doubled in range(1 + twice):
                for named in range(1 + own):
                    good, rest, rest2, still, left, left2, down, points = _after_meld(
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
                        laid,
                        np.int64(1),
                    )
                    if not good:
                        continue
                    if points >= need:
                        return True
                    ordered = held + own == 0 and ban == 0
                    after = action if ordered else ZERO
                    lacking = need - points
                    if _search(st, r, rest, rest2, still, left, left2, down, lacking, after):
                        return True
    return False


@kernel
def _most(st: Any, r: Any, first: Any, second: Any, own: Any) -> Any:
    """Return a bound on what a hand can score in new melds."""
    jokers = count_jokers(first) + own
    if jokers == 0:
        faces = _meldable(r, first, second)
        twos = second & faces
    else:
        faces, twos = first & FACES, second
    total = jokers * np.int64(r.best_values[JOKER])
    while faces != 0:
        face = lowest(faces)
        total += np.int64(r.best_values[face]) * (1 + (twos >> face & 1))
        faces &= faces - 1
    if r.four_at_once_multiplier > 1:
        total *= np.int64(r.four_at_once_multiplier)
    return 2 * total if jokers > 0 and doubling(st, r) else total


@kernel
def _meldable(r: Any, first: Any, second: Any) -> Any:
    """Return the faces that are in some new meld of naturals."""
    faces = np.int64(0)
    for rank in range(np.int64(r.num_ranks)):
        copies = popcount(rank_copies(first, rank)) + popcount(rank_copies(second, rank))
        if copies >= r.set_min_len:
            faces |= first & np.int64(1 | 1 << 13 | 1 << 26 | 1 << 39) << rank
    for suit in range(4):
        line = line_of(r, first, suit)
        starts = line
        for step in range(1, np.int64(r.run_min_len)):
            starts &= line >> step
        inside = np.int64(0)
        for step in range(np.int64(r.run_min_len)):
            inside |= starts << step
        ranks = inside & ((np.int64(1) << np.int64(r.num_ranks)) - 1)
        ranks |= inside >> np.int64(r.num_ranks)
        faces |= (ranks & (1 << 13) - 1) << (13 * suit)
    return faces & first
