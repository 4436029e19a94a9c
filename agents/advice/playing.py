"""How `advisor` lays down: what leaves most to lay, now or held back."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.advice.hand import close_to_out, promise_of_all
from agents.advice.weights import place
from agents.greedy import plan, play_points
from rummy500_env.engine.bits import FACES, lowest, without_lowest
from rummy500_env.engine.encode import unseen_cards
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.melds import accepted, cards_named
from rummy500_env.engine.state import PLAY

__all__ = ["choose_play"]

REST, MELD_MIN, LAYOFF_MIN = place("rest"), place("meld_min"), place("layoff_min")
HOLD_STOCK = place("hold_stock")


@kernel
def choose_play(view: Any, r: Any, bits: Any, w: Any) -> Any:
    """Return the best meld or layoff that is not to be held back; -1: there is none."""
    hand, hand2 = np.int64(view.hand[0]) & FACES, np.int64(view.hand[1])
    on_set, low, high = accepted(view, r, np.int64(view.viewer))
    fits = on_set | low | high
    first, second = unseen_cards(view, view, r)
    unseen, pile = (first | second) & FACES, np.int64(view.pile_cards[0]) & FACES
    holds = view.phase == PLAY and view.stock_size > w[HOLD_STOCK] and not close_to_out(view, r)
    best, most = np.int64(-1), -1.0
    begin, end = np.int64(r.at_set), np.int64(r.at_discard)
    for word in range(begin >> 6, (end + 63) >> 6):
        rest = np.int64(bits[word])
        while rest != 0:
            action = 64 * word + lowest(rest)
            rest = without_lowest(rest)
            if action < begin or action >= end:
                continue
            points = play_points(r, action)
            is_meld = action < r.at_layoff_set
            if holds and points < (w[MELD_MIN] if is_meld else w[LAYOFF_MIN]):
                continue
            used, used2 = cards_named(r, action)
            left, left2 = (hand & ~used) | (hand2 & used), hand2 & ~(used | used2)
            left &= ~used2
            laid, left, left2 = plan(r, left, left2, fits)
            total = 1.0 + points + laid
            if w[REST] != 0:
                total += w[REST] * promise_of_all(r, w, left, unseen, pile)
            if total > most:
                most = total
                best = action
    return best
