"""Possible worlds played on to the viewer's next turn, and valued there by a network."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.engine.bits import is_legal
from rummy500_env.engine.chance import fold
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.look import view_of
from rummy500_env.engine.network import best_move
from rummy500_env.engine.play import play_action
from rummy500_env.engine.policies import ask_policy
from rummy500_env.engine.state import DRAW, OVER
from rummy500_env.engine.table_lead import lead_of, table_lead

__all__ = ["look_to_leaves"]


@kernel
def look_to_leaves(
    states: Any,
    rules: Any,
    weights: Any,
    policy: Any,
    me: Any,
    key: Any,
    views: Any,
    legal: Any,
    table: Any,
    words: Any,
    room: Any,
    ended: Any,
    values: Any,
) -> Any:
    """Play each table on until a seat is to draw again, and write what it leads by in the end.

    The seat itself plays by the network, the others by the policy. Where the round ends before,
    the value is what came out.

    Args:
        states: Array of tables, changed.
        rules: The rules' array of one record.
        weights: The network's, ``float32 (NUM_WEIGHTS,)``.
        policy: That of the other seats.
        me: The seat.
        key: Word that the views' random bits follow from.
        views: Two view records to work in.
        legal: ``int64 (1, words)`` to work in.
        table: One table to work in.
        words: ``int64 (3, NUM_WORDS)`` to work in.
        room: ``float32 (2, FIRST)`` to work in.
        ended: ``bool (tables,)``: whose round has ended already.
        values: ``float64 (tables,)``: points over the mean of the others, written.

    Returns:
        -1; or the table in which the policy returned an illegal action.
    """
    r = rules[0]
    n = np.int64(r.num_players)
    for k in range(len(states)):
        st = states[k]
        word = fold(key, np.int64(k))
        is_over = ended[k] or st.phase == OVER
        is_leaf = False
        while not (is_over or is_leaf):
            seat = np.int64(st.seat)
            if seat == me:
                view_of(st, seat, word, np.int64(k), views[0])
                action, gain, value = best_move(
                    views[0], st.legal, r, weights, table[0], views[1], words, room
                )
                if st.phase == DRAW:
                    values[k] = table_lead(st, n, me) + gain + value
                    is_leaf = True
                    continue
            else:
                action = ask_policy(
                    policy, st, rules, fold(word, seat), np.int64(k), views[:1], legal
                )
                if not is_legal(st, r, action):
                    return np.int64(k)
            play_action(st, r, action)
            is_over = st.how != 0
        if is_over:
            values[k] = lead_of(st.round_scores, n, me)
    return np.int64(-1)
