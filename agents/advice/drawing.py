"""How `advisor` draws: the stock, or the dig whose features count for most."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.advice.hand import (
    close_to_out,
    lead,
    others_points,
    pressure,
    promise_of_all,
    share_gone,
)
from agents.advice.weights import place
from agents.greedy import allowed, partners, plan
from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import FACES, popcount
from rummy500_env.engine.encode import unseen_cards
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.melds import accepted, value_in_hand

__all__ = ["choose_draw"]

MARGIN, PER_POINT, PER_CARD = place("dig_margin"), place("dig_left"), place("dig_card")
LATE, PROMISE, DENY = place("dig_late"), place("dig_promise"), place("dig_deny")
HURRY_LEFT = place("hurry_left")
DANGER, PRESSED, OUT_GAIN = place("danger_left"), place("pressed_left"), place("out_gain")


@kernel
def choose_draw(view: Any, r: Any, bits: Any, w: Any) -> Any:
    """Return the best dig if it counts for enough, else the stock, else what there is."""
    stock = allowed(bits, r.at_draw)
    if stock and allowed(bits, r.at_pass):  # out without a draw
        return np.int64(r.at_pass)
    best = np.int64(r.at_draw) if stock else np.int64(r.at_pass)
    hand, hand2 = np.int64(view.hand[0]) & FACES, np.int64(view.hand[1])
    on_set, low, high = accepted(view, r, np.int64(view.viewer))
    fits = on_set | low | high
    first, second = unseen_cards(view, view, r)
    unseen, pile = (first | second) & FACES, np.int64(view.pile_cards[0]) & FACES
    per_point = w[PER_POINT] + w[LATE] * share_gone(view, r) + w[DANGER] * close_to_out(view, r)
    per_point += w[PRESSED] * pressure(view, r)
    per_point += w[HURRY_LEFT] * lead(view, r)
    out_gain = w[OUT_GAIN] * others_points(view, r)
    now, rest, rest2 = plan(r, hand, hand2, fits)
    was = _left(r, w, rest, rest2, unseen, pile, per_point)
    most = w[MARGIN] if stock else 0.0
    denied = 0.0
    taken, taken2 = np.int64(0), np.int64(0)
    for index in range(np.int64(view.pile_size) - 1, -1, -1):
        face = np.int64(view.pile[index])
        if face == JOKER:
            continue
        bit = np.int64(1) << face
        denied += w[DENY] * popcount(partners(r, face) & taken)
        taken2 |= taken & bit
        taken |= bit
        action = np.int64(r.at_dig_deeper if taken2 & bit else r.at_dig) + face
        if not allowed(bits, action):
            continue
        laid, left, left2 = plan(r, hand | taken, hand2 | taken2 | (hand & taken), fits)
        gain = laid - now + denied - was
        gain += _left(r, w, left, left2, unseen, pile & ~taken, per_point)
        if popcount(left) + popcount(left2) <= 1:
            gain += out_gain
        if gain > most:
            most = gain
            best = action
    return best


@kernel
def _left(r: Any, w: Any, first: Any, second: Any, unseen: Any, pile: Any, per_point: Any) -> Any:
    """Return what cards that stay in hand count for: what they promise, less what they cost."""
    cards = popcount(first) + popcount(second)
    points = value_in_hand(r, first) + value_in_hand(r, second)
    hoped = w[PROMISE] * promise_of_all(r, w, first, unseen, pile) if w[PROMISE] != 0 else 0.0
    return hoped - per_point * points - w[PER_CARD] * cards
