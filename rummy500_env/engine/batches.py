"""Many tables at once: slices of an array of records, for one thread each."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.engine.bits import (
    bits_to_bytes,
    copy_bytes,
    count_bits,
    has_bit,
    lowest,
    popcount,
    select_bit,
    without_lowest,
)
from rummy500_env.engine.chance import below, fold
from rummy500_env.engine.deal import start_game
from rummy500_env.engine.encode import encode
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.legal import refresh_legal
from rummy500_env.engine.look import own_of
from rummy500_env.engine.play import play_action
from rummy500_env.engine.rewards import add_rewards, note_points
from rummy500_env.engine.state import OVER, STATE

__all__ = [
    "first_illegal",
    "list_slice",
    "look_slice",
    "reset_slice",
    "sample_slice",
    "step_slice",
]

STATE_BYTES = np.int64(STATE.itemsize)


@kernel
def restart(states: Any, i: Any, blank: Any, r: Any, seed: Any, single_round: Any) -> None:
    """Begin a game in record ``i``, whatever it held; what is legal is still to be found out."""
    copy_bytes(states[i], blank[0], STATE_BYTES)
    start_game(states[i], r, seed, single_round)


@kernel
def table_seed(seed: Any, table: Any, episode: Any) -> Any:
    """Return the seed of an episode of a table of a batch."""
    return fold(fold(seed, table), episode)


@kernel
def reset_slice(
    states: Any,
    blank: Any,
    rules: Any,
    seed: Any,
    episodes: Any,
    single_round: Any,
    skip_forced: Any,
    lo: Any,
    hi: Any,
) -> None:
    """Begin the current episode of each table."""
    r = rules[0]
    for i in range(lo, hi):
        _begin(states, np.int64(i), blank, r, seed, episodes, single_round, skip_forced)


@kernel
def _begin(
    states: Any,
    i: Any,
    blank: Any,
    r: Any,
    seed: Any,
    episodes: Any,
    single_round: Any,
    skip_forced: Any,
) -> None:
    """Begin the current episode of one table."""
    restart(states, i, blank, r, table_seed(seed, i, np.int64(episodes[i])), single_round)
    refresh_legal(states[i], r)
    if skip_forced:
        play_forced(states[i], r)


@kernel
def play_forced(st: Any, r: Any) -> None:
    """Play single legal actions until there is a choice, a result, or the end."""
    while st.phase != OVER and st.how == 0 and count_bits(st.legal, np.int64(r.num_words)) == 1:
        play_action(st, r, select_bit(st.legal, np.int64(0)))


@kernel
def play_rewarded(
    st: Any, r: Any, action: Any, skip_forced: Any, reward: Any, rewards: Any, i: Any
) -> None:
    """Play an action, and single legal ones after it if ``skip_forced``; pay them in row ``i``."""
    n = np.int64(r.num_players)
    for seat in range(n):
        rewards[i, seat] = 0
    while True:
        note_points(st, r, reward)
        play_action(st, r, action)
        add_rewards(st, r, reward, rewards, i)
        if not skip_forced or st.phase == OVER:
            break
        if count_bits(st.legal, np.int64(r.num_words)) != 1:
            break
        action = select_bit(st.legal, np.int64(0))


@kernel
def first_illegal(states: Any, rules: Any, actions: Any, lo: Any, hi: Any) -> Any:
    """Return the first table whose action is illegal, or -1."""
    size = np.int64(rules[0].num_actions)
    for i in range(lo, hi):
        action = np.int64(actions[i])
        if action < 0 or action >= size or not has_bit(states[i].legal, action):
            return np.int64(i)
    return np.int64(-1)


@kernel
def step_slice(
    states: Any,
    blank: Any,
    rules: Any,
    actions: Any,
    seed: Any,
    episodes: Any,
    single_round: Any,
    skip_forced: Any,
    max_decisions: Any,
    reward: Any,
    rewards: Any,
    terminations: Any,
    truncations: Any,
    views: Any,
    template: Any,
    scale: Any,
    observation: Any,
    masks: Any,
    seats: Any,
    lo: Any,
    hi: Any,
) -> None:
    """Play an action, already checked, on each table; finished tables begin their next episode.

    What the next seat sees is written at once, while the table is in the processor's cache.
    """
    r = rules[0]
    n = np.int64(r.num_players)
    for i in range(lo, hi):
        st = states[i]
        play_rewarded(st, r, np.int64(actions[i]), skip_forced, reward, rewards, np.int64(i))
        terminations[i] = st.phase == OVER and st.truncated == 0
        truncations[i] = st.phase == OVER and st.truncated != 0
        if st.phase != OVER and max_decisions > 0 and num_decisions(st, n) >= max_decisions:
            truncations[i] = True
        if terminations[i] or truncations[i]:
            episodes[i] += 1
            _begin(states, np.int64(i), blank, r, seed, episodes, single_round, skip_forced)
        seats[i] = st.seat
        _look(st, r, i, views[0], template, scale, observation[i], masks[i])


@kernel
def _look(
    st: Any, r: Any, i: Any, view: Any, template: Any, scale: Any, observation: Any, mask: Any
) -> None:
    """Write observation and mask of a table's seat to move."""
    own_of(st, np.int64(st.seat), np.uint64(0), np.int64(i), view)
    encode(st, view, r, template, scale, observation)
    bits_to_bytes(st.legal, np.int64(r.num_actions), mask)


@kernel
def num_decisions(st: Any, n: Any) -> Any:
    """Return the decisions that all seats have made in this game."""
    total = np.int64(0)
    for seat in range(n):
        total += st.decisions[seat]
    return total


@kernel
def look_slice(
    states: Any,
    rules: Any,
    views: Any,
    template: Any,
    scale: Any,
    observation: Any,
    masks: Any,
    seats: Any,
    lo: Any,
    hi: Any,
) -> None:
    """Write observation, mask and seat of each table's seat to move."""
    r = rules[0]
    for i in range(lo, hi):
        st = states[i]
        seats[i] = st.seat
        _look(st, r, i, views[0], template, scale, observation[i], masks[i])


@kernel
def sample_slice(states: Any, rules: Any, key: Any, actions: Any, lo: Any, hi: Any) -> None:
    """Draw a legal action for each table, all equally likely."""
    words = np.int64(rules[0].num_words)
    for i in range(lo, hi):
        count = count_bits(states[i].legal, words)
        actions[i] = select_bit(states[i].legal, below(fold(key, np.int64(i)), count))


@kernel
def list_slice(states: Any, rules: Any, lists: Any, counts: Any, lo: Any, hi: Any) -> None:
    """Write the legal actions of each table in order, and their number; the rest is -1."""
    width = np.int64(lists.shape[1])
    for i in range(lo, hi):
        count = np.int64(0)
        for word in range(np.int64(rules[0].num_words)):
            bits = np.int64(states[i].legal[word])
            while bits != 0:
                if count < width:
                    lists[i, count] = 64 * word + lowest(bits)
                count += 1
                bits = without_lowest(bits)
        counts[i] = count
        for k in range(count, width):
            lists[i, k] = -1


@kernel
def widest(states: Any, rules: Any) -> Any:
    """Return the largest number of legal actions at any table."""
    most = np.int64(0)
    for i in range(len(states)):
        count = np.int64(0)
        for word in range(np.int64(rules[0].num_words)):
            count += popcount(np.int64(states[i].legal[word]))
        most = max(most, count)
    return most
