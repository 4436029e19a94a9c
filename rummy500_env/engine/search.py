"""What a search does many times: possible worlds, after-states, rollouts, in slices of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.actions import Kind
from rummy500_env.engine.bits import (
    copy_bytes,
    is_legal,
    lowest,
    without_lowest,
)
from rummy500_env.engine.booting import can_boot
from rummy500_env.engine.chance import fold
from rummy500_env.engine.encode import encode
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.legal import refresh_legal
from rummy500_env.engine.look import own_of
from rummy500_env.engine.play import make_move, play_action
from rummy500_env.engine.policies import ask_policy
from rummy500_env.engine.state import DRAW, OVER, PLAY, PUBLIC_BYTES, STATE, WORDS
from rummy500_env.engine.worlds import sample_world

__all__ = [
    "after_state",
    "after_states",
    "lay_out_to_move",
    "observe_views",
    "play_on_all",
    "play_out",
    "roll_out",
    "sample_worlds",
    "stop_by_clock",
    "try_moves",
]

NOT_SETTLED = np.int64(0)
NO_KEY = np.uint64(0)
TABLE_BYTES = STATE.itemsize


@kernel
def sample_worlds(
    views: Any, rows: Any, rules: Any, key: Any, states: Any, lo: Any, hi: Any
) -> Any:
    """Write a possible world of view ``rows[k]`` into table ``k``, for all ``k`` in a slice.

    Returns:
        -1; or the first ``k`` for which no world was found in which the seat to move can move.
    """
    for k in range(lo, hi):
        word = fold(key, np.int64(k))
        if not sample_world(views, rows[k], rules, word, states, np.int64(k)):
            return np.int64(k)
    return np.int64(-1)


@kernel
def play_on_all(states: Any, rules: Any, action: Any, lo: Any, hi: Any) -> Any:
    """Play an action on each table; return -1, or the first table where it is illegal.

    All are asked first: then none has changed.
    """
    for k in range(lo, hi):
        if not is_legal(states[k], rules[0], action):
            return np.int64(k)
    for k in range(lo, hi):
        play_action(states[k], rules[0], action)
    return np.int64(-1)


@kernel
def roll_out(
    states: Any,
    rules: Any,
    policy: Any,
    key: Any,
    views: Any,
    legal: Any,
    ended: Any,
    scores: Any,
    lo: Any,
    hi: Any,
) -> Any:
    """Play each table to the end of its round, all seats by one policy.

    Args:
        states: Array of tables; those that are over are left alone.
        rules: The rules' array of one record.
        policy: The policy.
        key: Word that the views' random bits follow from.
        views: One view record to work in.
        legal: ``int64 (1, words)`` to work in.
        ended: ``bool (tables,)``: whose round has ended already; they are left alone too.
        scores: ``int32 (tables, seats)``: scores of the round; those of a table that was left
            alone are of the round that it ended with.
        lo: First table.
        hi: One past the last table.

    Returns:
        -1; or the table in which the policy returned an illegal action.
    """
    for k in range(lo, hi):
        st = states[k]
        if not ended[k] and st.phase != OVER:
            word = fold(key, np.int64(k))
            if not play_out(st, rules, policy, word, np.int64(k), views, legal):
                return np.int64(k)
        for seat in range(np.int64(rules[0].num_players)):
            scores[k, seat] = st.round_scores[seat]
    return np.int64(-1)


@kernel
def try_moves(
    worlds: Any,
    rules: Any,
    actions: Any,
    policy: Any,
    key: Any,
    table: Any,
    views: Any,
    legal: Any,
    scores: Any,
) -> Any:
    """Play each of some actions in each world, then the round to its end, all seats by one policy.

    Each is played on a copy in a table of its own, which stays in the processor's nearest memory.

    Args:
        worlds: Array of tables, left as they are.
        rules: The rules' array of one record.
        actions: ``int64 (moves,)``.
        policy: The policy.
        key: Word that the views' random bits follow from, with the world's number: the same for
            all moves.
        table: Array of one table to work in; where something is illegal, it shows where.
        views: One view record to work in.
        legal: ``int64 (1, words)`` to work in.
        scores: ``int32 (moves, worlds, seats)``: scores of the rounds, written.

    Returns:
        -1; or ``move * worlds + world``, the first place where the action was illegal, or one that
        the policy returned.
    """
    st, r = table[0], rules[0]
    for move in range(len(actions)):
        for k in range(len(worlds)):
            copy_bytes(st, worlds[k], TABLE_BYTES)
            if not is_legal(st, r, actions[move]):
                return np.int64(move * len(worlds) + k)
            play_action(st, r, actions[move])
            if st.how == 0:
                word = fold(key, np.int64(k))
                if not play_out(st, rules, policy, word, np.int64(k), views, legal):
                    return np.int64(move * len(worlds) + k)
            for seat in range(np.int64(r.num_players)):
                scores[move, k, seat] = st.round_scores[seat]
    return np.int64(-1)


@kernel
def play_out(
    st: Any, rules: Any, policy: Any, word: Any, table: Any, views: Any, legal: Any
) -> Any:
    """Play the round at a table to its end; return False where the policy's action is illegal.

    Args:
        st: The table's record; its round has not ended.
        rules: The rules' array of one record.
        policy: The policy of all seats.
        word: Word that the views' random bits follow from.
        table: Number of the table, for the views.
        views: One view record to work in.
        legal: ``int64 (1, words)`` to work in.
    """
    while True:
        seat = np.int64(st.seat)
        action = ask_policy(policy, st, rules, fold(word, seat), table, views, legal)
        if not is_legal(st, rules[0], action):
            return False
        play_action(st, rules[0], action)
        if st.how != 0:
            return True


@kernel
def after_states(
    views: Any, legal: Any, rules: Any, table: Any, after: Any, rows: Any, actions: Any
) -> Any:
    """Write the mover's view after each legal move of each view.

    Args:
        views: Array of views of seats that are to move.
        legal: ``int64 (views, words)``: their legal actions as bits.
        rules: The rules' array of one record.
        table: Array of one table to work in.
        after: Array of views, one for each legal action of all rows.
        rows: ``int64``: the view that each comes from.
        actions: ``int64``: the action that leads to it.

    Returns:
        -1; or the first row in which an action is not legal.
    """
    count, st, r = np.int64(0), table[0], rules[0]
    for row in range(len(views)):
        lay_out(views[row], r, st)
        refresh_legal(st, r)
        for word in range(WORDS):
            bits = np.int64(legal[row, word])
            if bits & ~np.int64(st.legal[word]) != 0 or (
                bits != 0 and st.seat != views[row].viewer
            ):
                return np.int64(row)
        for word in range(WORDS):
            bits = np.int64(legal[row, word])
            while bits != 0:
                action = np.int64(64 * word + lowest(bits))
                bits = without_lowest(bits)
                after_state(views[row], r, action, st, after[count])
                rows[count] = row
                actions[count] = action
                count += 1
    return np.int64(-1)


@kernel
def lay_out(view: Any, r: Any, st: Any) -> None:
    """Write a table on which the viewer's cards alone are seen."""
    seat = np.int64(view.viewer)
    copy_bytes(st, view, PUBLIC_BYTES)
    for other in range(np.int64(r.num_players)):
        for copy in range(2):
            st.hands[other, copy] = 0
            st.refilled_drawn[other, copy] = 0
    for copy in range(2):
        st.hands[seat, copy] = view.hand[copy]
        st.drawn[copy] = view.drawn[copy]
        st.banned[copy] = view.banned[copy]
        st.refilled_drawn[seat, copy] = view.refilled_drawn[copy]
    for k in range(np.int64(view.stock_size)):
        st.stock[k] = view.open_stock[k]
    st.decisions[seat] = view.decision


@kernel
def lay_out_to_move(view: Any, r: Any, st: Any) -> None:
    """Write the same, with what a move needs to know beside it: whether a draw may be skipped."""
    lay_out(view, r, st)
    st.can_boot = 0
    if r.skip_first_draw and st.phase == DRAW:
        st.can_boot = can_boot(st, r, np.int64(view.viewer))


@kernel
def stop_by_clock(st: Any, r: Any, seat: Any) -> None:
    """End the game, not scored, where the seat that has moved has no time left."""
    if r.clock_budget > 0 and st.clocks[seat] == 0:
        st.phase = OVER
        st.seat = -1


@kernel
def after_state(view: Any, r: Any, action: Any, st: Any, after: Any) -> None:
    """Write the view after a move; the card that a stock of hidden order gives is left open."""
    seat = np.int64(view.viewer)
    lay_out_to_move(view, r, st)
    if np.int64(r.codes[action, 0]) == Kind.DRAW and not view.stock_open:
        _draw_unseen(st, r, seat)
    else:
        make_move(st, r, action, NOT_SETTLED)
    stop_by_clock(st, r, seat)
    copy_bytes(after, st, PUBLIC_BYTES)
    own_of(st, seat, NO_KEY, np.int64(view.table), after)
    after.random = view.random


@kernel
def _draw_unseen(st: Any, r: Any, seat: Any) -> None:
    """Draw cards that are not known yet: the hand is larger, by what is still to be seen."""
    if st.pile_size > 0:
        st.passed[seat] |= np.int64(1) << np.int64(st.pile[st.pile_size - 1])
    count = min(np.int64(r.stock_draw_count), np.int64(st.stock_size))
    st.stock_size -= count
    st.hand_size[seat] += count
    if st.refilled[0] != 0:
        st.unseen_refilled[seat] += count
    if r.clock_budget > 0:
        st.clocks[seat] -= 1
    st.decisions[seat] += 1
    st.passes = 0
    st.phase = PLAY


@kernel
def observe_views(
    views: Any, rules: Any, template: Any, scale: Any, out: Any, lo: Any, hi: Any
) -> None:
    """Write the observation of each view, a row for each."""
    for k in range(lo, hi):
        encode(views[k], views[k], rules[0], template, scale, out[k])
