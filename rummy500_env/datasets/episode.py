"""A recorded game as an episode: what its seats saw, did and earned, decision by decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import action_space
from rummy500_env.engine.jit import allocate
from rummy500_env.engine.rewards import reward_code
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.engine.turns import env_step, observe_env
from rummy500_env.layouts import layout_differences
from rummy500_env.observations import observation_space
from rummy500_env.records import Header, Record, Replay, replay
from rummy500_env.view_record import VIEW

__all__ = ["Episode", "episode_of", "episodes"]


class Episode(NamedTuple):
    """A game in arrays: ``T`` decisions of ``n`` seats, in the order in which they were made.

    Attributes:
        header: What the game began with, and who played it.
        observations: ``float32`` or ``int8 (T, size)``, of the seat to move.
        action_masks: ``int8 (T, actions)``, its mask.
        actions: ``int64 (T,)``: what it did.
        rewards: ``float32 (T,)``: what it earned from there to its next decision, or to the end;
            with its first decision also what it had earned before. Its rewards sum to what an
            environment pays it in the episode.
        seat_rewards: ``float32 (T, n)``: what the action paid each seat.
        seats: ``int8 (T,)``: the seat to move.
        terminations: ``bool (T,)``: the game ended before the seat was to decide again.
        truncations: ``bool (T,)``: a limit cut it off before that, or the record ends.
        final_observations: ``(n, size)``: what each seat sees at the end.
    """

    header: Header
    observations: npt.NDArray[Any]
    action_masks: npt.NDArray[np.int8]
    actions: npt.NDArray[np.int64]
    rewards: npt.NDArray[np.float32]
    seat_rewards: npt.NDArray[np.float32]
    seats: npt.NDArray[np.int8]
    terminations: npt.NDArray[np.bool_]
    truncations: npt.NDArray[np.bool_]
    final_observations: npt.NDArray[Any]


def episode_of(
    played: Replay, reward: str = "score", observation_dtype: str = "float32"
) -> Episode:
    """Return the episode that a replayed game is.

    Args:
        played: The game.
        reward: ``"score"``, ``"points"``, ``"own_points"`` or ``"win"``, as in the environments.
        observation_dtype: ``"float32"`` or ``"int8"``.

    Raises:
        ValueError: when there is no such reward or no such form of observations.
    """
    game, kind = played.game, reward_code(reward)
    n, rules = game.num_players, rules_record(game.rules, game.num_players)
    form = observation_space(game.rules, n).form(observation_dtype)
    tables, work, paid = game.start().state(), allocate(1, VIEW), np.zeros((1, n))
    count = len(played)
    observations = np.empty((count, len(form[0])), observation_dtype)
    masks = np.empty((count, action_space(game.rules, n).n), np.int8)
    seats, payments = np.empty(count, np.int8), np.empty((count, n))
    for row, action in enumerate(game.history):
        seats[row] = seat = int(tables["seat"][0])
        observe_env(tables, rules, seat, work, *form, observations[row], masks[row])
        env_step(tables, rules, action, kind, _NEITHER, _NEITHER, paid)
        payments[row] = paid[0]
    final = np.empty((n, observations.shape[1]), observation_dtype)
    no_mask = np.empty(masks.shape[1], np.int8)
    for seat in range(n):
        observe_env(tables, rules, seat, work, *form, final[seat], no_mask)
    rewards, last = _own(seats, payments)
    is_over = bool(game.winners)
    return Episode(
        played.header,
        observations,
        masks,
        np.array(game.history, np.int64),
        rewards.astype(np.float32),
        payments.astype(np.float32),
        seats,
        last & is_over,
        last & (not is_over),
        final,
    )


_NEITHER = np.int64(0)
"""Single legal actions are not skipped, and decisions not limited: the record says what was."""


def _own(
    seats: npt.NDArray[np.int8], payments: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Return what each row's own seat earns up to its next decision, and which are its last."""
    so_far = np.concatenate([np.zeros((1, payments.shape[1])), payments.cumsum(axis=0)])
    rewards, last = np.zeros(len(seats)), np.zeros(len(seats), np.bool_)
    for seat in np.unique(seats):
        rows = np.flatnonzero(seats == seat)
        at = np.concatenate([[0], rows[1:], [len(seats)]])  # the first has all that was before it
        rewards[rows] = np.diff(so_far[at, seat])
        last[rows[-1]] = True
    return rewards, last


def episodes(
    paths: str | Path | Iterable[str | Path],
    reward: str = "score",
    observation_dtype: str = "float32",
    game_id: int | None = None,
) -> Iterator[Episode]:
    """Yield the games of one or more files of records as episodes, one after the other.

    Args:
        paths: A file, or several.
        reward: See :func:`episode_of`.
        observation_dtype: See :func:`episode_of`.
        game_id: Only games of this number.

    Raises:
        RecordError: when a game is damaged, or of other rules or seats than the first one.
    """
    first: Header | None = None
    for path in [paths] if isinstance(paths, str | Path) else paths:
        for played in replay(path, game_id):
            first = first or played.header
            _check_alike(first, played.record)
            yield episode_of(played, reward, observation_dtype)


def _check_alike(first: Header, record: Record) -> None:
    """Refuse a game whose arrays would mean something else than those of the first one."""
    header = record.header
    differences = layout_differences(first.rules.to_dict(), header.rules.to_dict())
    if header.num_players != first.num_players:
        differences.append(f"num_players was {first.num_players}, is {header.num_players}")
    if differences:
        record.fail("other rules than in the first game: " + "; ".join(differences))
