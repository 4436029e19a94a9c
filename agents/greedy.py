"""``greedy``: the field's fixed yardstick. Its rule will not change; a better one gets a new name.

* **Draw.** For each dig that is allowed it compares what it could lay down with the dug cards to
  what it can lay down without, less a share of the value of the cards left over. It takes the best
  dig unless that loses more than a few points: it brings more cards than the stock does.
* **Play.** It lays the meld of the highest value, again and again, then every layoff, the highest
  value first. A dug card is placed by the play of the highest value.
* **Discard.** It throws the card that helps least. A card helps itself by what it promises with a
  second one of its rank or near it in its suit, while a third is still to be had; thrown, it helps
  the next seat by each card of the pile, or known to be in that hand, that it goes with. Among
  cards that help alike it throws the one of the highest value.
* **Variants.** It skips its first draw when it can go out so. Asked out of turn, it calls, and it
  lays what it can. As the dealer it nominates ``wild``; in a round of doubles it says ``double``
  before a meld. It says ``own`` only when there is no other move, and never blocks if it can help
  it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.base import PolicyAgent
from rummy500_env.actions import Kind
from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import (
    FACES,
    has_bit,
    lowest,
    popcount,
    select_bit,
    without_lowest,
)
from rummy500_env.engine.encode import unseen_cards
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.melds import accepted, code_of, line_of, rank_copies, value_in_hand
from rummy500_env.engine.state import CALL, DRAW

__all__ = [
    "allowed",
    "best_meld",
    "choose_call",
    "greedy_policy",
    "make_greedy",
    "partners",
    "plan",
    "play_points",
]

# All counts are in tenths of a point.
MARGIN = -50
"""What a dig has to gain to be better than a card from the stock."""
BEFORE_LAYOFFS = 1000
"""What a meld counts more than a layoff."""
LEFT_OVER = 3
"""Tenths of their value that cards left over cost."""

WEIGHT = 1
"""What a point of a card's value counts for throwing it."""
TWIN, NEXT, GAP = 40, 35, 22
"""What a second card promises: of the same rank, next to it in suit, one apart."""
HELPS_NEXT = 25
"""What it costs to throw a card that goes with one the next seat can get or has."""


@kernel
def greedy_policy(views: Any, row: Any, legal: Any, rules: Any) -> Any:
    """Return the greedy choice."""
    return _choose(views, row, legal, rules, np.int64(1))


@kernel
def stock_policy(views: Any, row: Any, legal: Any, rules: Any) -> Any:
    """Return the greedy choice of one who never digs."""
    return _choose(views, row, legal, rules, np.int64(0))


def make_greedy(digs: str = "gain") -> PolicyAgent:
    """Return the agent; ``digs="never"`` draws from the stock as long as there is one."""
    if digs == "gain":
        return PolicyAgent("greedy", greedy_policy)
    if digs == "never":
        return PolicyAgent("greedy:digs=never", stock_policy)
    raise ValueError(f"digs={digs!r}: allowed are 'gain' and 'never'")


@kernel
def _choose(views: Any, row: Any, legal: Any, rules: Any, digs: Any) -> Any:
    view, r, bits = views[row], rules[0], legal[row]
    if view.phase == DRAW:
        return _choose_draw(view, r, bits, digs)
    if view.phase == CALL:
        return choose_call(view, r, bits)
    action = _best_play(r, bits)
    if action >= 0:
        melds = np.int64(action < r.at_layoff_set)
        return np.int64(r.at_double) if melds and allowed(bits, r.at_double) else action
    action = _choose_discard(view, r, bits)
    if not allowed(bits, action):  # a nomination, a prefix, a block
        action = select_bit(bits, np.int64(0))
    return action


@kernel
def allowed(bits: Any, action: Any) -> Any:
    """Return whether an action is legal; -1, which a layout lacks, is not."""
    return action >= 0 and has_bit(bits, np.int64(action))


@kernel
def choose_call(view: Any, r: Any, bits: Any) -> Any:
    """Return a call, then the most valuable place, or the dig that takes the fewest cards."""
    if allowed(bits, r.at_call):
        return np.int64(r.at_call)
    action = _best_play(r, bits)
    index = np.int64(view.pile_size) - 1
    taken = np.int64(0)
    while action < 0 and index >= 0:
        face = np.int64(view.pile[index])
        if face != JOKER:
            deeper = taken >> face & 1
            taken |= np.int64(1) << face
            dig = np.int64(r.at_dig_deeper if deeper else r.at_dig) + face
            if allowed(bits, dig):
                action = dig
        index -= 1
    return action


# -- draw ------------------------------------------------------------------------------------


@kernel
def _choose_draw(view: Any, r: Any, bits: Any, digs: Any) -> Any:
    """Return the best dig if it gains enough, else the stock, else what there is."""
    stock = allowed(bits, r.at_draw)
    if stock and allowed(bits, r.at_pass):  # out without a draw
        return np.int64(r.at_pass)
    best = np.int64(r.at_draw) if stock else np.int64(r.at_pass)
    if stock and digs == 0:
        return best
    hand, hand2 = np.int64(view.hand[0]) & FACES, np.int64(view.hand[1])
    on_set, low, high = accepted(view, r, np.int64(view.viewer))
    fits = on_set | low | high
    gain = np.int64(MARGIN if stock else 0)
    now = _worth(r, hand, hand2, fits)
    taken, taken2 = np.int64(0), np.int64(0)
    for index in range(np.int64(view.pile_size) - 1, -1, -1):
        face = np.int64(view.pile[index])
        if face == JOKER:
            continue
        bit = np.int64(1) << face
        taken2 |= taken & bit
        taken |= bit
        action = np.int64(r.at_dig_deeper if taken2 & bit else r.at_dig) + face
        if allowed(bits, action):
            first, second = hand | taken, hand2 | taken2 | (hand & taken)
            more = _worth(r, first, second, fits) - now
            if more > gain:
                gain = more
                best = action
    return best


@kernel
def _worth(r: Any, first: Any, second: Any, fits: Any) -> Any:
    """Return the points that can be laid down now, less a share of what is left over, in tenths."""
    laid, first, second = plan(r, first, second, fits)
    return 10 * laid - LEFT_OVER * (value_in_hand(r, first) + value_in_hand(r, second))


@kernel
def plan(r: Any, first: Any, second: Any, fits: Any) -> Any:
    """Return the points that a hand can lay down, and what is left, as a pair of words.

    The most valuable meld is laid first, then the next, then what the table takes as it lies: not
    always the best way, but the one that `greedy` plays.
    """
    laid = np.int64(0)
    while True:
        value, used = best_meld(r, first)
        if value == 0:
            break
        laid += value
        first, second = (first & ~used) | (second & used), second & ~used
    on_table = first & fits
    laid += value_in_hand(r, on_table)
    return laid, (first & ~on_table) | (second & on_table), second & ~on_table


@kernel
def best_meld(r: Any, faces: Any) -> Any:
    """Return value and faces of the most valuable set or run among distinct faces."""
    best, cards = np.int64(0), np.int64(0)
    clubs, diamonds, hearts, spades = faces, faces >> 13, faces >> 26, faces >> 39
    ranks = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
    ranks &= (1 << 13) - 1
    while ranks != 0:
        rank = lowest(ranks)
        ranks &= ranks - 1
        suits = rank_copies(faces, rank)
        value = popcount(suits) * np.int64(r.hand_values[rank])
        if value > best:
            best = value
            cards = faces & ((1 | 1 << 13 | 1 << 26 | 1 << 39) << rank)
    for suit in range(4):
        line = line_of(r, faces, suit)
        starts = line & line >> 1 & line >> 2
        if starts == 0:
            continue
        start = lowest(starts)
        end = start + 3
        while line >> end & 1 and end - start < 13:
            end += 1
        used = np.int64(0)
        for position in range(start, end):
            used |= np.int64(1) << (13 * suit + position % np.int64(r.num_ranks))
        value = value_in_hand(r, used)
        if value > best:
            best = value
            cards = used
    return best, cards


# -- play ------------------------------------------------------------------------------------


@kernel
def _best_play(r: Any, bits: Any) -> Any:
    """Return the meld of the highest value, without one the layoff of the highest; -1: neither."""
    best, most = np.int64(-1), np.int64(-1)
    begin, end = np.int64(r.at_set), np.int64(r.at_discard)
    for word in range(begin >> 6, (end + 63) >> 6):
        rest = np.int64(bits[word])
        while rest != 0:
            action = 64 * word + lowest(rest)
            rest = without_lowest(rest)
            if begin <= action < end:
                value = _play_value(r, action)
                if value > most:
                    most = value
                    best = action
    return best


@kernel
def _play_value(r: Any, action: Any) -> Any:
    """Return what a play is worth; every meld comes before every layoff."""
    value = play_points(r, action)
    return value + BEFORE_LAYOFFS if action < r.at_layoff_set else value


@kernel
def play_points(r: Any, action: Any) -> Any:
    """Return what a meld or a layoff scores; a layoff counts its value in hand."""
    kind, a, b, c = code_of(r, action)
    if kind == Kind.SET:
        return c * np.int64(r.hand_values[a])
    if kind == Kind.RUN:
        total = np.int64(0)
        for position in range(b, b + c):
            total += np.int64(r.hand_values[position % np.int64(r.num_ranks)])
        if b == 0:  # a low ace scores less than one in hand costs
            total += np.int64(r.ace_low_value) - np.int64(r.hand_values[0])
        return total
    if kind == Kind.GROUP:
        return c * np.int64(r.hand_values[JOKER])
    return np.int64(r.hand_values[a])


# -- discard ---------------------------------------------------------------------------------


@kernel
def _choose_discard(view: Any, r: Any, bits: Any) -> Any:
    """Return the discard of the highest count, a joker last; ``pass`` when nothing may go."""
    hand = np.int64(view.hand[0]) & FACES
    first, second = unseen_cards(view, view, r)
    # A third card can still come from the pile, too.
    to_come = (first | second | np.int64(view.pile_cards[0])) & FACES
    following = (np.int64(view.viewer) + r.direction + r.num_players) % np.int64(r.num_players)
    near = np.int64(view.known[following, 0]) & FACES
    if view.pile_size > 0:
        near |= np.int64(view.pile_cards[0]) & FACES
    best, most = np.int64(r.at_pass), np.int64(-(1 << 40))
    rest = hand
    while rest != 0:
        face = lowest(rest)
        rest &= rest - 1
        action = np.int64(r.at_discard) + face
        if not allowed(bits, action):
            continue
        count = WEIGHT * np.int64(r.hand_values[face]) - _promise(r, face, hand, to_come)
        count -= HELPS_NEXT * popcount(partners(r, face) & near)
        if count > most:
            most = count
            best = action
    if not allowed(bits, best) and r.num_jokers > 0:  # a joker is all that may be discarded
        best = np.int64(r.at_discard_joker)
    return best


@kernel
def partners(r: Any, face: Any) -> Any:
    """Return the faces that go with a face: its rank, and its suit up to two away."""
    rank, suit = face % 13, face // 13
    column = np.int64(1 | 1 << 13 | 1 << 26 | 1 << 39) << rank
    around = np.int64(0)
    for step in range(-2, 3):
        other = rank + step
        if 0 <= other < np.int64(r.num_ranks):
            around |= np.int64(1) << other
        elif other == r.num_ranks and r.high_position == r.num_ranks:
            around |= np.int64(1)
    return (column | around << (13 * suit)) & ~(np.int64(1) << face)


@kernel
def _promise(r: Any, face: Any, hand: Any, to_come: Any) -> Any:
    """Return what a card promises with those beside it, while a third is to be had."""
    rank, suit = face % 13, face // 13
    column = np.int64(1 | 1 << 13 | 1 << 26 | 1 << 39) << rank
    own = np.int64(1) << face
    total = np.int64(0)
    twins = popcount(hand & column & ~own)
    if twins > 0 and to_come & column != 0:
        total += TWIN * twins
    line, open_line = line_of(r, hand, suit), line_of(r, to_come, suit)
    position = rank
    if rank == 0 and line >> (r.num_ranks - 1) & 1:
        position = np.int64(r.num_ranks)
    for step in range(1, 3):
        for side in range(2):
            other = position + step if side else position - step
            if other < 0 or line >> other & 1 == 0:
                continue
            if step == 1:
                low, high = min(position, other) - 1, max(position, other) + 1
                third = (low >= 0 and open_line >> low & 1 != 0) or open_line >> high & 1 != 0
                total += NEXT if third else 0
            elif open_line >> ((position + other) >> 1) & 1:
                total += GAP
    return total
