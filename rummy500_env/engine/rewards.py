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
def note_points(st: Any, r: Any, reward: Any) -> None:
    """Keep what each side has before an action, so that what it gains can be paid."""
    for seat in range(np.int64(r.num_players)):
        st.points_before[seat] = _points(st, r, reward, seat)


@kernel
def add_rewards(st: Any, r: Any, reward: Any, rewards: Any, i: Any) -> None:
    """Add what the last action paid to row ``i``, and clear what :func:`note_points` kept."""
    n, sides = np.int64(r.num_players), np.int64(r.num_sides)
    if reward == POINTS or (st.how != 0 and reward != WIN):
        total = np.int64(0)
        for seat in range(sides):  # with sides, seats 0 and 1 stand for both
            total += _gained(st, r, reward, seat)
        for seat in range(n):
            own = _gained(st, r, reward, seat)
            others = 0.0 if reward == OWN_POINTS else (total - own) / (sides - 1)
            rewards[i, seat] += (own - others) * PER_POINT
    elif reward == WIN and st.phase == OVER and st.winners != 0:
        seats_a_side = n // sides
        share = seats_a_side / popcount(np.int64(st.winners))
        for seat in range(n):
            won = share if np.int64(st.winners) >> seat & 1 else 0.0
            rewards[i, seat] += (sides * won - 1.0) / (sides - 1)
    for seat in range(n):
        st.points_before[seat] = 0


@kernel
def _gained(st: Any, r: Any, reward: Any, seat: Any) -> Any:
    """Return what a seat's side has gained by the last action."""
    return _points(st, r, reward, seat) - np.int64(st.points_before[seat])


@kernel
def _points(st: Any, r: Any, reward: Any, seat: Any) -> Any:
    """Return the points of a seat's side: its total; with ``points`` what is on the table too."""
    points = np.int64(st.scores[seat])
    if reward == POINTS:
        points += np.int64(st.table_points[seat])
        if r.num_sides < r.num_players:
            points += np.int64(st.table_points[(seat + 2) % 4])
    return points


def reward_code(name: str) -> np.int64:
    """Return the number of a reward; ``ValueError`` when there is no such reward."""
    if name not in REWARDS:
        raise ValueError(f"reward={name!r}: allowed are {', '.join(REWARDS)}")
    return np.int64(REWARDS.index(name))
