"""What a hand is worth to `advisor`: what it can lay down, and what the rest promises."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.advice.weights import place
from rummy500_env.engine.bits import FACES, lowest, num_cards, popcount
from rummy500_env.engine.encode import unseen_cards
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.melds import line_of, open_end, value_in_hand
from rummy500_env.view_record import MELD_RUN

__all__ = [
    "bridges",
    "close_to_out",
    "is_other",
    "lead",
    "others_points",
    "pressure",
    "promise",
    "promise_of_all",
    "share_gone",
]

TWIN, NEXT, GAP = place("twin"), place("next"), place("gap")
OUTS, PILE_OUTS, OUT_VALUE = place("outs"), place("pile_outs"), place("out_value")

CLOSE = 3
"""Cards with which a seat is close to going out."""
EVERY_RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39
NO, YES = np.int64(0), np.int64(1)


@kernel
def promise(r: Any, w: Any, face: Any, hand: Any, unseen: Any, pile: Any) -> Any:
    """Return what a card promises with those beside it, while a third is to be had.

    Args:
        r: The rules' record.
        w: The weights.
        face: The card, of the hand.
        hand: The hand's faces, as a word.
        unseen: Faces that the viewer cannot locate.
        pile: Faces of the pile.
    """
    rank, suit = face % 13, face // 13
    column = np.int64(EVERY_RANK) << rank
    own = np.int64(1) << face
    to_come = unseen | pile
    total = 0.0
    hidden, lying = np.int64(0), np.int64(0)
    twins = popcount(hand & column & ~own)
    if twins > 0 and to_come & column & ~hand != 0:
        total += w[TWIN] * twins
        hidden += popcount(unseen & column & ~hand)
        lying += popcount(pile & column & ~hand)
    line, hidden_line, pile_line = (
        line_of(r, hand, suit),
        line_of(r, unseen, suit),
        line_of(r, pile, suit),
    )
    open_line = hidden_line | pile_line
    position = rank
    if rank == 0 and line >> (r.num_ranks - 1) & 1:
        position = np.int64(r.num_ranks)
    wanted = np.int64(0)
    for step in range(1, 3):
        for side in range(2):
            other = position + step if side else position - step
            if other < 0 or line >> other & 1 == 0:
                continue
            if step == 1:
                low, high = min(position, other) - 1, max(position, other) + 1
                thirds = np.int64(1) << high
                if low >= 0:
                    thirds |= np.int64(1) << low
            else:
                thirds = np.int64(1) << ((position + other) >> 1)
            if open_line & thirds != 0:
                total += w[NEXT] if step == 1 else w[GAP]
                wanted |= thirds
    hidden += popcount(hidden_line & wanted)
    lying += popcount(pile_line & wanted)
    chances = w[OUTS] * hidden + w[PILE_OUTS] * lying
    if hidden + lying > 0:
        total += w[OUT_VALUE] * np.int64(r.hand_values[face])
    return total + chances


@kernel
def promise_of_all(r: Any, w: Any, hand: Any, unseen: Any, pile: Any) -> Any:
    """Return what all cards of a hand promise together."""
    total = 0.0
    rest = hand
    while rest != 0:
        total += promise(r, w, lowest(rest), hand, unseen, pile)
        rest &= rest - 1
    return total


@kernel
def bridges(view: Any, r: Any) -> Any:
    """Return the faces one place short of a run on the table, as a word."""
    found = np.int64(0)
    for meld in range(np.int64(view.num_melds)):
        if view.meld_kind[meld] != MELD_RUN:
            continue
        suit = 13 * np.int64(view.meld_line[meld])
        low, high = open_end(view, r, meld, NO), open_end(view, r, meld, YES)
        if low >= 1:
            found |= np.int64(1) << (suit + (low - 1) % np.int64(r.num_ranks))
        if 0 <= high < r.high_position:
            found |= np.int64(1) << (suit + (high + 1) % np.int64(r.num_ranks))
    return found


@kernel
def is_other(view: Any, r: Any, seat: Any) -> Any:
    """Return whether a seat plays against the viewer."""
    return (seat - np.int64(view.viewer)) % np.int64(r.num_sides) != 0


@kernel
def close_to_out(view: Any, r: Any) -> Any:
    """Return 1 when an opponent has three cards or fewer."""
    for seat in range(np.int64(r.num_players)):
        if is_other(view, r, seat) and view.hand_size[seat] <= CLOSE:
            return np.int64(1)
    return np.int64(0)


@kernel
def pressure(view: Any, r: Any) -> Any:
    """Return 1 over the cards of the smallest hand of an opponent."""
    fewest = np.int64(108)
    for seat in range(np.int64(r.num_players)):
        if is_other(view, r, seat):
            fewest = min(fewest, np.int64(view.hand_size[seat]))
    return 1.0 / max(fewest, np.int64(1))


@kernel
def others_points(view: Any, r: Any) -> Any:
    """Return the points opponents hold: known cards, others at the mean of the unseen."""
    first, second = unseen_cards(view, view, r)
    cards = popcount(first & FACES) + popcount(second)
    points = value_in_hand(r, first & FACES) + value_in_hand(r, second)
    total = 0.0
    for seat in range(np.int64(r.num_players)):
        if not is_other(view, r, seat):
            continue
        known = view.known[seat]
        total += value_in_hand(r, known[0] & FACES) + value_in_hand(r, np.int64(known[1]))
        hidden = np.int64(view.hand_size[seat]) - num_cards(known)
        if cards > 0:
            total += hidden * points / cards
    return total


@kernel
def lead(view: Any, r: Any) -> Any:
    """Return how much more opponents hold, the mean of them, than the viewer, in 100 points."""
    opponents = np.int64(0)
    for seat in range(np.int64(r.num_players)):
        opponents += np.int64(is_other(view, r, seat))
    own = value_in_hand(r, np.int64(view.hand[0]) & FACES) + value_in_hand(
        r, np.int64(view.hand[1])
    )
    return (others_points(view, r) / max(opponents, np.int64(1)) - own) / 100.0


@kernel
def share_gone(view: Any, r: Any) -> Any:
    """Return the share of the stock that is gone since the deal."""
    players = np.int64(r.num_players)
    cards = popcount(np.int64(r.deck[0])) + popcount(np.int64(r.deck[1]))
    begun = cards - players * np.int64(r.hand_size) - 1
    if begun <= 0:
        return 1.0
    return max(0.0, 1.0 - np.int64(view.stock_size) / begun)
