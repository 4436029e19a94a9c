"""One table behind an environment: a step with all that the environment needs to know of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.engine.batches import num_decisions, play_forced, play_rewarded
from rummy500_env.engine.bits import bits_to_bytes, is_legal
from rummy500_env.engine.deal import deal_round
from rummy500_env.engine.encode import encode
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.legal import refresh_legal
from rummy500_env.engine.look import own_of
from rummy500_env.engine.settle import clear_round
from rummy500_env.engine.state import OVER

__all__ = [
    "ILLEGAL",
    "PAID",
    "TERMINATED",
    "TRUNCATED",
    "env_step",
    "observe_env",
    "play_forced_first",
    "set_deal",
]

ILLEGAL = -1
TERMINATED, TRUNCATED, PAID = 16, 32, 64
"""Flags of what :func:`env_step` returns, beside the seat to move in the lowest four bits."""


@kernel
def env_step(
    states: Any,
    rules: Any,
    action: Any,
    reward: Any,
    skip_forced: Any,
    max_decisions: Any,
    rewards: Any,
) -> Any:
    """Play an action on table 0, then single legal actions if ``skip_forced``.

    Args:
        states: Array of one table.
        rules: The rules' array of one record.
        action: The action.
        reward: Which reward is paid.
        skip_forced: Whether single legal actions are played at once.
        max_decisions: Decisions of all seats after which the episode is cut off; 0: no limit.
        rewards: ``float64 (1, seats)``, overwritten.

    Returns:
        -1 when the action is illegal and nothing has changed; else the seat to move with flags.
    """
    st, r = states[0], rules[0]
    if not is_legal(st, r, action):
        return np.int64(ILLEGAL)
    n = np.int64(r.num_players)
    play_rewarded(st, r, np.int64(action), skip_forced, reward, rewards, np.int64(0))
    result = np.int64(st.seat) & 15
    if st.phase == OVER:
        result |= TRUNCATED if st.truncated else TERMINATED
    elif max_decisions > 0 and num_decisions(st, n) >= max_decisions:
        result |= TRUNCATED
    for seat in range(n):
        if rewards[0, seat] != 0:
            return result | PAID
    return result


@kernel
def observe_env(
    states: Any,
    rules: Any,
    seat: Any,
    views: Any,
    template: Any,
    scale: Any,
    observation: Any,
    mask: Any,
) -> None:
    """Write what a seat of table 0 observes, and its mask: empty when it is not to move."""
    st, r = states[0], rules[0]
    own_of(st, seat, np.uint64(0), np.int64(0), views[0])
    encode(st, views[0], r, template, scale, observation)
    if seat == np.int64(st.seat):
        bits_to_bytes(st.legal, np.int64(r.num_actions), mask)
    else:
        for k in range(np.int64(r.num_actions)):
            mask[k] = 0


@kernel
def set_deal(states: Any, rules: Any, dealer: Any) -> None:
    """Let another seat have dealt table 0, before anybody has moved."""
    st, r = states[0], rules[0]
    st.dealer = dealer
    clear_round(st, r)
    for seat in range(np.int64(r.num_players)):
        st.chips[seat] = 0
    for pot in range(4):
        st.pots[pot] = 0
    deal_round(st, r)
    refresh_legal(st, r)


@kernel
def play_forced_first(states: Any, rules: Any) -> None:
    """Play the single legal actions that table 0 begins with."""
    play_forced(states[0], rules[0])
