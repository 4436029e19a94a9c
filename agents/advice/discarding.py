"""How `advisor` discards: the card whose features count for most."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.advice.hand import bridges, close_to_out, lead, pressure, promise, share_gone
from agents.advice.threat import threats
from agents.advice.weights import place
from agents.greedy import allowed, partners
from rummy500_env.engine.bits import FACES, lowest, num_cards, popcount
from rummy500_env.engine.encode import unseen_cards
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.melds import line_of, rank_copies

__all__ = ["choose_discard"]

VALUE, LATE_VALUE, DANGER_VALUE = place("value"), place("late_value"), place("danger_value")
BRIDGE, PILE_PAIR, PILE_VALUE = place("bridge"), place("pile_pair"), place("pile_value")
PILE_MELD, NEAR_KNOWN, FAR_KNOWN = place("pile_meld"), place("near_known"), place("far_known")
SAFE, PASSED, ACE = place("safe"), place("passed"), place("ace")
THREAT, THREAT_VALUE, KNOWN_THREAT = place("threat"), place("threat_value"), place("known_threat")
HURRY, VALUE_OWN = place("hurry"), place("value_own")
LATE_PROMISE, PRESSED_VALUE = place("late_promise"), place("pressed_value")


@kernel
def choose_discard(view: Any, r: Any, bits: Any, w: Any) -> Any:
    """Return the discard of the highest count, a joker last; ``pass`` when nothing may go."""
    best, most = np.int64(r.at_pass), -1e18
    seen = _seen(view, r, w)
    rest = np.int64(view.hand[0]) & FACES
    while rest != 0:
        face = lowest(rest)
        rest &= rest - 1
        action = np.int64(r.at_discard) + face
        if not allowed(bits, action):
            continue
        count = _count(view, r, w, seen, face)
        if count > most:
            most = count
            best = action
    if not allowed(bits, best) and r.num_jokers > 0:  # a joker is all that may be discarded
        best = np.int64(r.at_discard_joker)
    return best


@kernel
def _seen(view: Any, r: Any, w: Any) -> Any:
    """Return what the counts of all cards share: cards by where they are, and three rates."""
    players, viewer = np.int64(r.num_players), np.int64(view.viewer)
    following = (viewer + r.direction + players) % players
    first, second = unseen_cards(view, view, r)
    cards = popcount(first & FACES) + popcount(second)
    hidden = np.int64(view.hand_size[following]) - num_cards(view.known[following])
    chance = hidden / cards if cards > 0 else 0.0
    far = np.int64(0)
    for seat in range(players):
        if seat not in (viewer, following):
            far |= np.int64(view.known[seat, 0]) & FACES
    by_value = w[VALUE] + w[LATE_VALUE] * share_gone(view, r)
    by_value += w[DANGER_VALUE] * close_to_out(view, r) + w[PRESSED_VALUE] * pressure(view, r)
    by_value += w[VALUE_OWN] / num_cards(view.hand)
    keeping = 1.0 - w[LATE_PROMISE] * share_gone(view, r) - w[HURRY] * lead(view, r)
    return following, (first | second) & FACES, far, bridges(view, r), chance, by_value, keeping


@kernel
def _count(view: Any, r: Any, w: Any, seen: Any, face: Any) -> Any:
    """Return what throwing a card counts for."""
    following, unseen, far, bridging, chance, by_value, keeping = seen
    hand, pile = np.int64(view.hand[0]) & FACES, np.int64(view.pile_cards[0]) & FACES
    near = np.int64(view.known[following, 0]) & FACES
    like, value = partners(r, face), np.int64(r.hand_values[face])
    count = by_value * value - keeping * promise(r, w, face, hand, unseen, pile)
    count += w[ACE] * (face % 13 == 0)
    lying, known = threats(r, face, pile, near, unseen, chance)
    count -= (w[THREAT] + w[THREAT_VALUE] * value) * lying + w[KNOWN_THREAT] * value * known
    count -= w[BRIDGE] * (bridging >> face & 1)
    count -= (w[PILE_PAIR] + w[PILE_VALUE] * value) * popcount(like & pile)
    count -= w[PILE_MELD] * value * _melds_with(r, face, pile)
    count -= w[NEAR_KNOWN] * popcount(like & near) + w[FAR_KNOWN] * popcount(like & far)
    count += w[SAFE] * popcount(like & np.int64(view.discards[following, 0]))
    count += w[PASSED] * popcount(like & np.int64(view.passed[following]))
    return count


@kernel
def _melds_with(r: Any, face: Any, pile: Any) -> Any:
    """Return 1 when a card is a set or a run of three with cards of the pile alone."""
    rank, suit = face % 13, face // 13
    if popcount(rank_copies(pile & ~(np.int64(1) << face), rank)) >= 2:
        return np.int64(1)
    line = line_of(r, pile | np.int64(1) << face, suit)
    starts = line & line >> 1 & line >> 2
    for start in range(max(rank - 2, 0), rank + 1):
        if starts >> start & 1:
            return np.int64(1)
    high = np.int64(r.num_ranks)
    if rank == 0 and starts >> (high - 2) & 1:
        return np.int64(1)
    return np.int64(0)
