"""The rest of the own turn, looked ahead: what the stock may give, and what a dig leads to.

Draw or dig has few options and long consequences. A network that values the view after each of
them has to guess what the rest of the turn makes of it; here that is played out instead, by the
network's best moves: after a dig with the cards it takes, after a draw with some of the cards that
may come, each as likely as the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import Kind
from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import lowest, next_bit, without_lowest
from rummy500_env.engine.chance import below
from rummy500_env.engine.encode import unseen_cards
from rummy500_env.engine.features import NUM_WORDS
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.legal import refresh_legal
from rummy500_env.engine.look import view_of
from rummy500_env.engine.network import FIRST, NUM_WEIGHTS, best_move, value_of
from rummy500_env.engine.play import make_move
from rummy500_env.engine.scratch import scratch
from rummy500_env.engine.search import NO_KEY, NOT_SETTLED, lay_out_to_move, stop_by_clock
from rummy500_env.engine.state import DRAW, OVER, STATE
from rummy500_env.view_record import VIEW

__all__ = ["MOST_FACES", "best_draw", "looking_policy"]

MOST_FACES = 108
"""Cards of two decks with jokers."""


@kernel
def _list_unseen(view: Any, r: Any, faces: Any) -> Any:
    """Write the faces of the cards the viewer cannot locate; return how many there are."""
    count = np.int64(0)
    first, second = unseen_cards(view, view, r)
    for copy in range(2):
        rest = second if copy else first
        while rest != 0:
            faces[count] = min(lowest(rest), np.int64(JOKER))
            count += 1
            rest = without_lowest(rest)
    return count


@kernel
def _play_turn(
    view: Any, action: Any, r: Any, weights: Any, states: Any, views: Any, words: Any, room: Any
) -> Any:
    """Play a move on the first table, and the network's best ones until the turn is over.

    Returns:
        What all of them score, and what the view at the end of the turn promises.
    """
    st, me = states[0], np.int64(view.viewer)
    before = np.int64(view.table_points[me])
    make_move(st, r, action, NOT_SETTLED)
    stop_by_clock(st, r, me)
    promised, is_valued = 0.0, False
    while st.phase != OVER and st.seat == me and st.phase != DRAW:
        refresh_legal(st, r)
        view_of(st, me, NO_KEY, np.int64(view.table), views[0])
        action, _, promised = best_move(
            views[0], st.legal, r, weights, states[1], views[1], words, room
        )
        make_move(st, r, action, NOT_SETTLED)
        stop_by_clock(st, r, me)
        is_valued = True
    if not is_valued:
        view_of(st, me, NO_KEY, np.int64(view.table), views[0])
        promised = value_of(views[0], r, weights, words[0], room)
    return np.float64(np.int64(st.table_points[me]) - before) + promised


@kernel
def best_draw(
    view: Any,
    bits: Any,
    r: Any,
    weights: Any,
    looks: Any,
    states: Any,
    views: Any,
    words: Any,
    room: Any,
    faces: Any,
) -> Any:
    """Return the legal move with which the own turn leads to most.

    Args:
        view: The view of a seat that is to draw.
        bits: ``int64 (words,)``: its legal actions.
        r: The rules' record.
        weights: The network's, ``float32 (NUM_WEIGHTS,)`` or longer.
        looks: Cards that are tried for the one to be drawn; all of them if there are fewer.
        states: Two tables to work in.
        views: Two views to work in.
        words: ``int64 (3, NUM_WORDS)`` to work in.
        room: ``float32 (2, FIRST)`` to work in.
        faces: ``int64 (MOST_FACES,)`` to work in.
    """
    count = np.int64(r.num_words)
    unseen = _list_unseen(view, r, faces)
    drawn = min(np.int64(r.stock_draw_count), np.int64(view.stock_size))
    first = below(view.random, max(unseen, np.int64(1)))
    best, most = np.int64(-1), 0.0
    action = next_bit(bits, np.int64(0), count)
    while action >= 0:
        is_draw = np.int64(r.codes[action, 0]) == Kind.DRAW and not view.stock_open
        tries = min(looks, unseen) if is_draw and drawn > 0 else np.int64(1)
        total = 0.0
        for k in range(tries):
            st = states[0]
            lay_out_to_move(view, r, st)
            if is_draw:
                for card in range(drawn):  # apart from each other: suits and ranks are mixed
                    at = first + k * unseen // tries + card * (unseen // drawn)
                    st.stock[np.int64(view.stock_size) - 1 - card] = faces[at % unseen]
            total += _play_turn(view, action, r, weights, states, views, words, room)
        if best < 0 or total / tries > most:
            best, most = action, total / tries
        action = next_bit(bits, action + 1, count)
    return best


_states, _views, _faces = scratch(STATE, 2), scratch(VIEW, 2), scratch(np.int64, MOST_FACES)
_words, _room = scratch(np.int64, 3, NUM_WORDS), scratch(np.float32, 2, FIRST)


@kernel
def looking_policy(views: Any, row: Any, legal: Any, rules: Any, weights: Any) -> Any:
    """Return the network's best move, and for a draw the one with which the own turn is best.

    ``weights`` are the network's, and behind them how many cards are tried.
    """
    states, work, words, room = _states(), _views(), _words(), _room()
    view, bits, r = views[row], legal[row], rules[0]
    if view.phase == DRAW:
        looks = np.int64(weights[NUM_WEIGHTS])
        return best_draw(view, bits, r, weights, looks, states, work, words, room, _faces())
    action, _, _ = best_move(view, bits, r, weights, states[0], work[0], words, room)
    return action
