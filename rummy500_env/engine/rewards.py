"""Rewards: what an action paid each seat.

``score`` pays a round's points at its end, as the difference to the mean of the other sides,
over 100; ``points`` pays the same difference as it arises; ``own_points`` pays a side's own points
at the round's end; ``win`` pays the result of the game. A game's bonus is paid with its last round.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rummy500_env.engine.bits import popcount
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.state import OVER

__all__ = ["REWARDS", "add_rewards", "note_points", "reward_code"]

REWARDS: Final = ("score", "points", "own_points", "win")
SCORE, POINTS, OWN_POINTS, WIN = (np.int64(k) for k in range(4))

PER_POINT = 0.01
"""A hundred points are a reward of one."""


@kernel
def note_points(st: Any, n: Any) -> None:
    """Keep each seat's points before an action: scores and what lies on the table."""
    for seat in range(n):
        st.points_before[seat] = st.scores[seat] + st.table_points[seat]


@kernel
def add_rewards(st: Any, r: Any, reward: Any, rewards: Any, i: Any) -> None:
    """Add what the last action paid to row ``i``, and clear what :func:`note_points` kept."""
    n = np.int64(r.num_players)
    if reward == POINTS or (st.how != 0 and reward != WIN):
        total = np.int64(0)
        for seat in range(n):
            total += _gained(st, r, reward, seat)
        for seat in range(n):
            own = _gained(st, r, reward, seat)
            others = 0.0 if reward == OWN_POINTS else (total - own) / (n - 1)
            rewards[i, seat] += (own - others) * PER_POINT
    elif reward == WIN and st.phase == OVER and st.winners != 0:
        share = 1.0 / popcount(np.int64(st.winners))
        for seat in range(n):
            won = share if np.int64(st.winners) >> seat & 1 else 0.0
            rewards[i, seat] += (n * won - 1.0) / (n - 1)
    for seat in range(n):
        st.points_before[seat] = 0


@kernel
def _gained(st: Any, r: Any, reward: Any, seat: Any) -> Any:
    if reward == POINTS:
        return np.int64(st.scores[seat] + st.table_points[seat] - st.points_before[seat])
    gained = np.int64(st.round_scores[seat])
    if st.phase == OVER and not st.single_round and st.winners == np.int64(1) << seat:
        gained += np.int64(r.game_bonus)
    return gained


def reward_code(name: str) -> np.int64:
    """Return the number of a reward; ``ValueError`` when there is no such reward."""
    if name not in REWARDS:
        raise ValueError(f"reward={name!r}: allowed are {', '.join(REWARDS)}")
    return np.int64(REWARDS.index(name))
