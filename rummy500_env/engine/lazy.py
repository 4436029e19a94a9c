"""Chance made explicit: a round whose cards are decided one by one, when they are needed.

In a game tree a shuffled pack would be one chance node with a branch for each order, nearly all of
which nobody can tell apart. Here the cards not yet shown lie in the stock in no order that counts.
Hands are dealt seat by seat, each in the order of faces, so that a hand is dealt in one way only;
then the upcard; and the stock's card is decided when it is drawn.

A node is a table and a number, ``drawing``: 0, or which card of a draw is to be decided, from 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import Kind
from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import add_face, count_face, remove_face
from rummy500_env.engine.deal import PLAYER_CHOICE, list_cards, start_turn
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.legal import refresh_legal
from rummy500_env.engine.play import play_action
from rummy500_env.engine.state import NOMINATE, OPENING, OVER
from rummy500_env.engine.turns import set_deal

__all__ = [
    "CHANCE",
    "DECISION",
    "SEEN_CARD",
    "TERMINAL",
    "UPCARD",
    "begin_lazy",
    "dealt_to",
    "follow",
    "kind_of",
    "list_chance",
    "node_kind",
    "seen_by",
    "show_to",
]

TERMINAL, CHANCE, DECISION = np.int64(0), np.int64(1), np.int64(2)

NO_ONE = np.int64(-1)

SEEN_CARD, UPCARD = np.int64(1 << 14), np.int64((1 << 14) + 64)
"""What a seat sees, beside actions by their index: a card of its own, and the first discard.

Each plus the face. All that a seat has seen, in order, is what it may remember: two histories with
the same are one information set.
"""


@kernel
def begin_lazy(states: Any, rules: Any) -> None:
    """Make table 0, at the beginning of a round, one whose cards are still to be dealt.

    Seat 0 is the first to turn, so the dealer is the one before it.
    """
    st, r = states[0], rules[0]
    n = np.int64(r.num_players)
    set_deal(states, rules, np.int64(n - 1 if r.direction == 1 else 1 % n))
    st.room[0], st.room[1] = np.int64(r.deck[0]), np.int64(r.deck[1])
    if r.dealers_joker:
        remove_face(st.room, np.int64(JOKER))
    st.stock_size = list_cards(st.room, st.stock)
    for copy in range(2):
        st.room[copy] = 0
        st.pile_cards[copy] = 0
        for seat in range(n):
            st.hands[seat, copy] = 0
    for seat in range(n):
        st.hand_size[seat] = 0
    st.pile[0] = 0
    st.pile_size = 0
    st.phase = OVER
    st.seat = -1


@kernel
def node_kind(st: Any, drawing: Any) -> Any:
    """Return what is at a node: an end, chance, or the decision of a seat."""
    if st.phase == OVER:
        return CHANCE if st.how == 0 else TERMINAL
    return CHANCE if drawing > 0 else DECISION


@kernel
def kind_of(states: Any, drawing: Any) -> Any:
    """Return `node_kind` of table 0."""
    return node_kind(states[0], drawing)


@kernel
def dealt_to(st: Any, r: Any) -> Any:
    """Return the seat that is dealt the next card; the number of seats stands for the pile."""
    for seat in range(np.int64(r.num_players)):
        if st.hand_size[seat] < _cards_of(r, np.int64(seat)):
            return np.int64(seat)
    return np.int64(r.num_players)


@kernel
def seen_by(st: Any, r: Any, drawing: Any, option: Any) -> Any:
    """Return who sees what happens next at a node, -1 for all seats, and what is seen."""
    if st.phase == OVER:
        seat = dealt_to(st, r)
        if seat == np.int64(r.num_players):
            return NO_ONE, UPCARD + option
        return seat, SEEN_CARD + option
    if drawing > 0:
        return np.int64(st.seat), SEEN_CARD + option
    return NO_ONE, np.int64(option)


@kernel
def show_to(states: Any, i: Any, rules: Any, drawing: Any, option: Any) -> Any:
    """Return who sees what happens next on table ``i``; -1: all seats."""
    viewer, _ = seen_by(states[i], rules[0], drawing, option)
    return viewer


@kernel
def _cards_of(r: Any, seat: Any) -> Any:
    """Return how many cards a seat is dealt: the first one more where it makes the upcard."""
    extra = r.start_discard == PLAYER_CHOICE and seat == 0
    return np.int64(r.hand_size) + (1 if extra else 0)


@kernel
def _ways(total: Any, taken: Any) -> Any:
    """Return the number of ways to take some of a number of cards, as a float."""
    if taken < 0 or taken > total:
        return 0.0
    ways = 1.0
    for k in range(taken):
        ways = ways * (total - k) / (k + 1)
    return ways


@kernel
def list_chance(states: Any, i: Any, rules: Any, drawing: Any, faces: Any, chances: Any) -> Any:
    """Write the faces that chance may show next, and their probabilities.

    Args:
        states: Array of tables.
        i: Which table.
        rules: The rules' array of one record.
        drawing: Which card of a draw is decided, from 1; 0 while cards are dealt.
        faces: ``int64 (53,)``, overwritten.
        chances: ``float64 (53,)``, overwritten; they sum to 1.

    Returns:
        How many there are.
    """
    st, r = states[i], rules[0]
    if drawing > 0:
        return _list_stock(st, np.int64(st.stock_size) - drawing + 1, faces, chances)
    seat = dealt_to(st, r)
    if seat == np.int64(r.num_players):
        return _list_stock(st, np.int64(st.stock_size), faces, chances)
    return _list_hand(st, seat, _cards_of(r, seat), faces, chances)


@kernel
def _list_stock(st: Any, size: Any, faces: Any, chances: Any) -> Any:
    count = np.int64(0)
    for face in range(JOKER + 1):
        copies = np.int64(0)
        for k in range(size):
            if st.stock[k] == face:
                copies += 1
        if copies > 0:
            faces[count] = face
            chances[count] = copies / size
            count += 1
    return count


@kernel
def _list_hand(st: Any, seat: Any, wanted: Any, faces: Any, chances: Any) -> Any:
    """List the next card of a hand that is dealt in the order of faces.

    Its chance is the share of all hands that begin as this one and go on so. Of ``copies`` of the
    last face some may follow; then comes a higher face, the lowest of all cards still to come.
    """
    last = NO_ONE
    for face in range(JOKER + 1):
        if count_face(st.hands[seat], np.int64(face)) > 0:
            last = np.int64(face)
    held, same = np.int64(st.hand_size[seat]), np.int64(0)
    if last >= 0:
        same = count_face(st.hands[seat], last)
    rest = wanted - held
    above, copies = np.int64(0), same
    for k in range(np.int64(st.stock_size)):
        if st.stock[k] > last:
            above += 1
        elif st.stock[k] == last:
            copies += 1
    count, total = np.int64(0), 0.0
    if last >= 0:
        ways = 0.0
        for more in range(1, copies - same + 1):
            ways += _ways(copies, same + more) * _ways(above, rest - more)
        if ways > 0:
            faces[0], chances[0] = last, ways
            count, total = np.int64(1), ways
    keep = _ways(copies, same) if last >= 0 else 1.0
    for face in range(last + 1, JOKER + 1):
        here = np.int64(0)
        for k in range(np.int64(st.stock_size)):
            if st.stock[k] == face:
                here += 1
        if here > 0:
            ways = keep * (_ways(above, rest) - _ways(above - here, rest))
            above -= here
            if ways > 0:
                faces[count] = face
                chances[count] = ways
                count += 1
                total += ways
    for k in range(count):
        chances[k] /= total
    return count


@kernel
def follow(states: Any, i: Any, rules: Any, drawing: Any, option: Any) -> Any:
    """Go from a node to one of the next: a face at a chance node, else a legal action.

    Args:
        states: Array of tables.
        i: Which table is changed.
        rules: The rules' array of one record.
        drawing: The node's number.
        option: What happens.

    Returns:
        ``drawing`` of the next node.
    """
    st, r = states[i], rules[0]
    if st.phase == OVER:
        _deal_card(st, r, option)
        return np.int64(0)
    if drawing > 0:
        _lift(st, option, np.int64(st.stock_size) - drawing)
        if drawing < min(np.int64(r.stock_draw_count), np.int64(st.stock_size)):
            return np.int64(drawing + 1)
        play_action(st, r, np.int64(r.at_draw))
        return np.int64(0)
    if np.int64(r.codes[option, 0]) == Kind.DRAW and not st.stock_open:
        return np.int64(1)
    play_action(st, r, option)
    return np.int64(0)


@kernel
def _lift(st: Any, face: Any, place: Any) -> None:
    """Put a card of that face, at or below a place in the stock, at the place."""
    for k in range(place, -1, -1):
        if st.stock[k] == face:
            st.stock[k] = st.stock[place]
            st.stock[place] = face
            return


@kernel
def _deal_card(st: Any, r: Any, face: Any) -> None:
    top = np.int64(st.stock_size) - 1
    _lift(st, face, top)
    st.stock[top] = 0
    st.stock_size = top
    seat = dealt_to(st, r)
    if seat < np.int64(r.num_players):
        add_face(st.hands[seat], face)
        st.hand_size[seat] += 1
        if dealt_to(st, r) < np.int64(r.num_players) or r.start_discard != PLAYER_CHOICE:
            return
    else:
        st.pile[0] = face
        st.pile_size = 1
        add_face(st.pile_cards, face)
    st.seat = 0
    if r.start_discard == PLAYER_CHOICE:
        st.phase = OPENING
    elif r.dealers_joker:
        st.seat = st.dealer
        st.phase = NOMINATE
    else:
        start_turn(st)
    refresh_legal(st, r)
