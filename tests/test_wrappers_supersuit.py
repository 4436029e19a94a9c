"""SuperSuit's wrappers around the environments, beside bare ones."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
import supersuit
from pettingzoo.utils import turn_based_aec_to_parallel

import rummy500_env as r5
from tests.support.playing import equal, record
from tests.support.twins import play_aec_beside, play_env_beside

ss: Any = supersuit
SETTINGS: dict[str, Any] = {"num_players": 3, "episode": "round", "reward": "points"}
SPACE = r5.ObservationSpace(r5.Rules(), 3)


def _same(observation, agent):
    return observation


class Last:
    """What is made of an agent's last few observations, of its decisions and of the end."""

    def __init__(self, made: Callable[[list[Any]], Any], count: int) -> None:
        self.made, self.count = made, count
        self.seen: dict[str, list[Any]] = defaultdict(list)

    def __call__(self, observation: Any, agent: str) -> Any:
        self.seen[agent].append(copy.deepcopy(observation))
        return self.made(self.seen[agent][-self.count :])


def _framed(seen):
    return np.concatenate([np.zeros_like(seen[0])] * (3 - len(seen)) + seen)


def _delayed(seen):
    return seen[0] if len(seen) == 3 else np.zeros_like(seen[0])


def _delayed_dict(seen):
    if len(seen) == 3:
        return seen[0]
    vector, mask = seen[0]["observation"], seen[0]["action_mask"]
    return {"observation": np.zeros_like(vector), "action_mask": np.ones_like(mask)}


def _normal(observation, agent):
    low, high = SPACE.scale * -128, SPACE.scale * 127
    return (observation - low) / (high - low) * 1.0 + 0.0


def _indicated(observation, agent):
    marks = np.zeros(3, np.float32)
    marks[int(agent[-1])] = (127 * SPACE.scale).max()
    return np.concatenate([observation, marks])


Wrap = Callable[[Any], Any]

# Each wrapper with what it should make of observations.
BOTH: dict[str, tuple[Wrap, Callable[[], Any]]] = {
    "observation_lambda_v0": (
        lambda env: ss.observation_lambda_v0(env, lambda seen, _: seen, lambda space: space),
        lambda: _same,
    ),
    "action_lambda_v1": (
        lambda env: ss.action_lambda_v1(env, lambda action, _: action, lambda space: space),
        lambda: _same,
    ),
    "pad_action_space_v0": (ss.pad_action_space_v0, lambda: _same),
    "nan_noop_v0": (lambda env: ss.nan_noop_v0(env, 0), lambda: _same),
    "nan_random_v0": (ss.nan_random_v0, lambda: _same),
    "nan_zeros_v0": (ss.nan_zeros_v0, lambda: _same),
}
FLAT: dict[str, tuple[Wrap, Callable[[], Any]]] = {
    "dtype_v0": (
        lambda env: ss.dtype_v0(env, np.float64),
        lambda: lambda seen, _: seen.astype(np.float64),
    ),
    "flatten_v0": (ss.flatten_v0, lambda: _same),
    "reshape_v0": (
        lambda env: ss.reshape_v0(env, (SPACE.size // 2, 2)),
        lambda: lambda seen, _: seen.reshape(-1, 2),
    ),
    "normalize_obs_v0": (ss.normalize_obs_v0, lambda: _normal),
    "frame_stack_v1": (lambda env: ss.frame_stack_v1(env, 3), lambda: Last(_framed, 3)),
    "max_observation_v0": (
        lambda env: ss.max_observation_v0(env, 2),
        lambda: Last(lambda seen: np.max(seen, axis=0), 2),
    ),
    "delay_observations_v0": (
        lambda env: ss.delay_observations_v0(env, 2),
        lambda: Last(_delayed, 3),
    ),
    "agent_indicator_v0": (ss.agent_indicator_v0, lambda: _indicated),
    "pad_observations_v0": (ss.pad_observations_v0, lambda: _same),
}
DICTIONARY: dict[str, tuple[Wrap, Callable[[], Any]]] = {
    "delay_observations_v0": (
        lambda env: ss.delay_observations_v0(env, 2),
        lambda: Last(_delayed_dict, 3),
    ),
}


@pytest.mark.parametrize("name", FLAT | BOTH)
def test_around_vectors_observations_are_changed_and_nothing_else(name):
    wrap, seen = (FLAT | BOTH)[name]
    for seed in range(2):
        env, bare = wrap(r5.env(flat=True, **SETTINGS)), r5.env(flat=True, **SETTINGS)
        # The indicator marks with the largest bound of all entries, and allows the smallest.
        inside = name != "agent_indicator_v0"
        assert play_aec_beside(env, bare, seed, seen=seen(), inside=inside) > 20


@pytest.mark.parametrize("name", DICTIONARY | BOTH)
def test_around_dictionaries_observations_are_changed_and_nothing_else(name):
    wrap, seen = (DICTIONARY | BOTH)[name]
    for seed in range(2):
        assert play_aec_beside(wrap(r5.env(**SETTINGS)), r5.env(**SETTINGS), seed, seen=seen()) > 20


@pytest.mark.parametrize("flat", [False, True])
def test_rewards_are_changed_and_nothing_else(flat):
    clipped, tripled = (
        lambda env: ss.clip_reward_v0(env, -0.05, 0.05),
        lambda env: ss.reward_lambda_v0(env, lambda reward: 3 * reward),
    )
    for wrap, paid in (
        (clipped, lambda reward: max(min(reward, 0.05), -0.05)),
        (tripled, lambda reward: 3 * reward),
    ):
        env, bare = wrap(r5.env(flat=flat, **SETTINGS)), r5.env(flat=flat, **SETTINGS)
        assert play_aec_beside(env, bare, 3, paid=paid) > 20


# What repeats actions plays illegal ones, since a turn has one draw and one discard.
@pytest.mark.parametrize(
    "wrap", [lambda env: ss.sticky_actions_v0(env, 0.9), lambda env: ss.frame_skip_v0(env, 2)]
)
def test_what_repeats_actions_is_refused_by_the_rules(wrap):
    env = wrap(r5.env(flat=True, **SETTINGS))
    env.reset(seed=1)
    bare, told = env.unwrapped, ""
    for _ in range(60):
        try:
            env.step(int(bare.action_masks().argmax()))
        except r5.IllegalActionError as error:
            told = str(error)
            break
    assert "is illegal" in told
    assert bare.action_masks().any()  # play can go on
    bare.step(int(bare.action_masks().argmax()))


@pytest.mark.parametrize(
    ("flat", "wrap"),
    [
        (False, ss.flatten_v0),
        (False, ss.normalize_obs_v0),
        (False, ss.agent_indicator_v0),
        (False, lambda env: ss.frame_stack_v1(env, 3)),
        (False, ss.pad_observations_v0),
        (True, ss.clip_actions_v0),
        (True, ss.black_death_v3),
        (True, lambda env: ss.resize_v1(env, 2, 2)),
        (True, ss.color_reduction_v0),
    ],
)
def test_what_needs_another_space_is_refused_by_its_maker(flat, wrap):
    bare = r5.env(flat=flat, **SETTINGS)
    bare.reset(seed=1)
    before = record(bare)
    with pytest.raises((AssertionError, AttributeError, TypeError)):
        _reset_and_step(wrap(bare))
    assert record(bare) == before


def _reset_and_step(env):
    env.reset(seed=1)
    env.step(0)


def test_seats_as_rows_of_a_vector():
    """Every seat is a row, and only the action of the one to move counts."""
    parallel = turn_based_aec_to_parallel(r5.env(flat=True, **SETTINGS))
    rows, bare = ss.pettingzoo_env_to_vec_env_v1(parallel), r5.env(flat=True, **SETTINGS)
    shown, infos = rows.reset(seed=3)
    bare.reset(seed=3)
    over = False
    while not over:
        for row, agent in enumerate(bare.agents):
            assert equal(shown[row], bare.observe(agent))
            assert infos[row]["action_mask"].any() == (agent == bare.agent_selection)
        action = int(bare.action_masks().argmax())
        shown, rewards, terminated, truncated, infos = rows.step(np.full(3, action))
        bare.step(action)
        assert rewards.tolist() == pytest.approx(list(bare.rewards.values()))
        assert terminated.tolist() == list(bare.terminations.values())
        assert truncated.tolist() == list(bare.truncations.values())
        over = terminated.all()
    for row, agent in enumerate(bare.possible_agents):
        assert equal(infos[row]["terminal_observation"], bare.observe(agent))


LEARNER: dict[str, tuple[dict[str, Any], Wrap, Callable[[Any], Any]]] = {
    "dtype_v0": (
        {"flat": True},
        lambda env: ss.dtype_v0(env, np.float64),
        lambda seen: seen.astype(np.float64),
    ),
    "flatten_v0": ({"flat": True}, ss.flatten_v0, lambda seen: seen),
    "observation_lambda_v0": (
        {},
        lambda env: ss.observation_lambda_v0(env, lambda seen, _: seen, lambda space: space),
        lambda seen: seen,
    ),
    "nan_random_v0": ({}, ss.nan_random_v0, lambda seen: seen),
}


@pytest.mark.parametrize("name", LEARNER)
def test_around_the_environment_for_one_learner(name):
    settings, wrap, seen = LEARNER[name]
    env, bare = (gymnasium.make("Rummy500-v0", **settings) for _ in range(2))
    play_env_beside(wrap(env), bare, 2, seen=seen)
    env, bare = (gymnasium.make("Rummy500-v0", reward="points") for _ in range(2))
    clipped = ss.clip_reward_v0(env, -0.05, 0.05)
    play_env_beside(clipped, bare, 2, paid=lambda reward: max(min(reward, 0.05), -0.05))
