"""Games between policies: each call plays on until they are over, or the caller is to decide."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rummy500_env.engine.batches import restart
from rummy500_env.engine.bits import bits_to_bytes, is_legal
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.legal import refresh_legal
from rummy500_env.engine.look import view_of
from rummy500_env.engine.play import play_action
from rummy500_env.engine.policies import ask_policy, policy_of
from rummy500_env.engine.state import OVER

__all__ = ["FIRST_SCORE", "apply_actions", "gather", "note_end", "play_policies", "start_matches"]

FIRST_SCORE: Final = 6
"""Entry of a row of ended rounds from which on their scores stand."""


@kernel
def start_matches(
    states: Any, blank: Any, rules: Any, seeds: Any, single_round: Any, lo: Any, hi: Any
) -> None:
    """Begin a game with each seed."""
    for i in range(lo, hi):
        restart(states, i, blank, rules[0], seeds[i], single_round)
        refresh_legal(states[i], rules[0])


@kernel
def play_policies(
    states: Any,
    rules: Any,
    keys: Any,
    seating: Any,
    policies: Any,
    views: Any,
    legal: Any,
    first: Any,
    ends: Any,
    num_ends: Any,
    log: Any,
    log_seats: Any,
    log_sizes: Any,
    lo: Any,
    hi: Any,
) -> Any:
    """Play on wherever an agent with a policy is to move, one table after the other.

    Args:
        states: Array of tables.
        rules: The rules' array of one record.
        keys: ``uint64 (games, seats)``: words that the views' random bits follow from.
        seating: ``int64 (games, seats)``: agent at each seat.
        policies: The agents' policies, see
            :func:`~rummy500_env.engine.policies.policy_pointers`.
        views: One view record to work in.
        legal: ``int64 (1, words)`` to work in.
        first: Number of table 0 among all games, for the views.
        ends: ``int32 (rows, FIRST_SCORE + seats)``: rounds that ended: table, index, how, goer,
            turns, decisions in the game so far, and scores.
        num_ends: ``int64 (1,)``: rows in use; new ones are appended.
        log: ``int16 (games, room)``: moves played, from each game's start on; without room
            nothing is noted, and a game whose room is full waits.
        log_seats: ``int8 (games, room)``: who played them.
        log_sizes: ``int32 (games,)``: moves noted.
        lo: First table.
        hi: One past the last table.

    Returns:
        -1; or the table in which a policy returned an illegal action, which is left as it was.
    """
    r = rules[0]
    watched = log.shape[1] > 0
    for i in range(lo, hi):
        st = states[i]
        while st.phase != OVER:
            pointer = policies[seating[i, st.seat]]
            if pointer == 0:
                break
            if num_ends[0] >= len(ends):
                return np.int64(-1)
            if watched and log_sizes[i] >= log.shape[1]:
                break
            seat = np.int64(st.seat)
            policy, table = policy_of(pointer), first + np.int64(i)
            action = ask_policy(policy, st, rules, keys[i, seat], table, views, legal)
            if not is_legal(st, r, action):
                return np.int64(i)
            if watched:
                log[i, log_sizes[i]] = action
                log_seats[i, log_sizes[i]] = seat
                log_sizes[i] += 1
            play_action(st, r, action)
            if st.how != 0:
                note_end(st, r, i, ends, num_ends)
    return np.int64(-1)


@kernel
def note_end(st: Any, r: Any, i: Any, ends: Any, num_ends: Any) -> None:
    """Append a row for the round that table ``i`` has just ended."""
    row = num_ends[0]
    decisions = np.int64(0)
    for seat in range(np.int64(r.num_players)):
        decisions += st.decisions[seat]
        ends[row, FIRST_SCORE + seat] = st.round_scores[seat]
    ends[row, 0] = i
    ends[row, 1] = st.round_index - 1
    ends[row, 2] = st.how
    ends[row, 3] = np.int64(st.went_out) - 1
    ends[row, 4] = st.round_turns
    ends[row, 5] = decisions
    num_ends[0] = row + 1


@kernel
def gather(
    states: Any,
    rules: Any,
    keys: Any,
    seating: Any,
    who: Any,
    first: Any,
    tables: Any,
    views: Any,
    masks: Any,
) -> Any:
    """Write views and masks of the tables where agent ``who`` is to move; return their number."""
    count = np.int64(0)
    for i in range(len(states)):
        st = states[i]
        if st.phase != OVER and seating[i, st.seat] == who:
            seat = np.int64(st.seat)
            tables[count] = i
            view_of(st, seat, keys[i, seat], first + np.int64(i), views[count])
            bits_to_bytes(st.legal, np.int64(rules[0].num_actions), masks[count])
            count += 1
    return count


@kernel
def apply_actions(
    states: Any,
    rules: Any,
    tables: Any,
    actions: Any,
    ends: Any,
    num_ends: Any,
    count: Any,
) -> Any:
    """Play an action on each of the given tables; return -1, or the first row that is illegal.

    The caller has made room in ``ends`` for a row each.
    """
    r = rules[0]
    for row in range(count):
        action = np.int64(actions[row])
        st = states[tables[row]]
        if not is_legal(st, r, action):
            return np.int64(row)
    for row in range(count):
        st = states[tables[row]]
        play_action(st, r, np.int64(actions[row]))
        if st.how != 0:
            note_end(st, r, np.int64(tables[row]), ends, num_ends)
    return np.int64(-1)
