"""Gymnasium's wrappers of vectors around the vector environment, beside a bare one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers as single
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers

from tests.support.playing import equal
from tests.support.twins import play_vector_beside


def make(num_envs=4, mode="vector_entry_point", **settings: Any) -> Any:
    return gymnasium.make_vec(
        "Rummy500-v0", num_envs=num_envs, vectorization_mode=mode, opponents="random", **settings
    )


REWARDS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "TransformReward": (
        lambda env: wrappers.TransformReward(env, lambda rewards: 3 * rewards),
        lambda rewards: 3 * rewards,
    ),
    "VectorizeTransformReward": (
        lambda env: wrappers.VectorizeTransformReward(
            env, single.TransformReward, func=lambda reward: 3 * reward
        ),
        lambda rewards: 3 * rewards,
    ),
    "ClipReward": (
        lambda env: wrappers.ClipReward(env, -0.05, 0.05),
        lambda rewards: np.clip(rewards, -0.05, 0.05),
    ),
}
PLAIN: dict[str, Callable[[Any], Any]] = {
    "RecordEpisodeStatistics": wrappers.RecordEpisodeStatistics,
    "TransformAction": lambda env: wrappers.TransformAction(env, lambda actions: actions),
    "VectorizeTransformAction": lambda env: wrappers.VectorizeTransformAction(
        env, single.TransformAction, func=int, action_space=env.single_action_space
    ),
}


@pytest.mark.parametrize("settings", [{}, {"flat": True, "copy": True}], ids=str)
@pytest.mark.parametrize("name", REWARDS)
def test_rewards_are_changed_and_nothing_else(name, settings):
    wrap, paid = REWARDS[name]
    settings = settings | {"reward": "points", "seat": "random"}
    play_vector_beside(wrap(make(**settings)), make(**settings), 1, 80, paid=paid)


def test_normalized_rewards_keep_their_sign():
    env, bare = wrappers.NormalizeReward(make(reward="points")), make(reward="points")
    _, infos = env.reset(seed=1)
    bare.reset(seed=1)
    for _ in range(80):
        actions = infos["action_mask"].argmax(axis=1)
        shown, same = env.step(actions), bare.step(actions)
        assert equal(shown[0], same[0])
        assert equal(list(shown[2:4]), list(same[2:4]))
        assert np.array_equal(np.sign(shown[1]), np.sign(same[1]))
        infos = shown[-1]


@pytest.mark.parametrize("settings", [{}, {"flat": True, "num_players": 3}], ids=str)
@pytest.mark.parametrize("name", PLAIN)
def test_nothing_is_changed(name, settings):
    play_vector_beside(PLAIN[name](make(**settings)), make(**settings), 1, 80)


def test_statistics_are_those_of_the_episodes():
    env = wrappers.RecordEpisodeStatistics(make(skip_forced=True, reward="points"))
    shown = play_vector_beside(env, make(skip_forced=True, reward="points"), 2, 150)
    earned, ended = np.zeros(4), 0
    for rewards, terminated, truncated, infos in shown:
        earned += rewards
        for i in np.flatnonzero(terminated | truncated):
            final = infos["final_info"]
            own, scores = final["seat"][i], final["scores"][i]
            assert infos["_episode"][i]
            assert infos["episode"]["r"][i] == pytest.approx(earned[i])
            assert earned[i] == pytest.approx((scores[own] - scores[1 - own]) / 100)
            earned[i], ended = 0, ended + 1
    assert ended > 4


def test_infos_as_lists():
    env, bare = wrappers.DictInfoToList(make(seat="random")), make(seat="random")
    (_, infos), (_, told) = env.reset(seed=1), bare.reset(seed=1)
    for _ in range(80):
        assert [info["seat"] for info in infos] == told["seat"].tolist()
        assert all(map(equal, [info["action_mask"] for info in infos], list(told["action_mask"])))
        actions = told["action_mask"].argmax(axis=1)
        infos, (*_, terminated, _, told) = env.step(actions)[-1], bare.step(actions)
        for i, info in enumerate(infos):
            assert ("final_info" in info) == terminated[i]
            if terminated[i]:
                assert equal(info["final_obs"], told["final_obs"][i])
                assert equal(info["final_info"]["scores"], told["final_info"]["scores"][i])


OBSERVATIONS: dict[str, tuple[dict[str, Any], Callable[[Any], Any], Callable[[Any], Any]]] = {
    "FilterObservation": (
        {},
        lambda env: wrappers.FilterObservation(env, ["observation"]),
        lambda seen: {"observation": seen["observation"]},
    ),
    "FlattenObservation": (
        {},
        wrappers.FlattenObservation,
        lambda seen: np.hstack([seen[name] for name in make(1).single_observation_space.spaces]),
    ),
    "DtypeObservation": (
        {"flat": True, "observation_dtype": "int8"},
        lambda env: wrappers.DtypeObservation(env, np.int16),
        lambda seen: seen.astype(np.int16),
    ),
    "ReshapeObservation": (
        {"flat": True},
        lambda env: wrappers.ReshapeObservation(env, (17, 71)),
        lambda seen: seen.reshape(-1, 17, 71),
    ),
}


@pytest.mark.parametrize("name", OBSERVATIONS)
def test_what_changes_observations_knows_no_reset_in_the_same_step(name):
    settings, wrap, _ = OBSERVATIONS[name]
    with pytest.raises((ValueError, AssertionError), match=r"autoreset_mode|^$"):
        wrap(make(**settings))


@pytest.mark.parametrize("name", OBSERVATIONS)
def test_it_works_around_single_environments_side_by_side(name):
    settings, wrap, seen = OBSERVATIONS[name]
    mode = {"mode": "sync", "vector_kwargs": {"autoreset_mode": AutoresetMode.DISABLED}}
    env, bare = wrap(make(3, **mode, **settings)), make(3, **mode, **settings)
    (shown, infos), (same, told) = env.reset(seed=1), bare.reset(seed=1)
    ended = 0
    for _ in range(60):
        assert equal(shown, seen(same))
        assert shown in env.observation_space
        assert equal(infos["action_mask"], told["action_mask"])
        actions = told["action_mask"].argmax(axis=1)
        shown, rewards, *ends, infos = env.step(actions)
        same, paid, *same_ends, told = bare.step(actions)
        assert equal([rewards, *ends], [paid, *same_ends])
        over = ends[0] | ends[1]
        if over.any():
            ended += 1
            assert equal(shown, seen(same))
            shown, infos = env.reset(options={"reset_mask": over.copy()})
            same, told = bare.reset(options={"reset_mask": over.copy()})
            for kept in (infos, told):  # the others' masks are in their observations only
                kept["action_mask"] = _masks(bare)
    assert ended


def _masks(env):
    return np.stack([one.unwrapped.action_masks() for one in env.envs])
