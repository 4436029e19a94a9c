"""Gymnasium's wrappers around the environment for one learner, beside a bare one."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any, cast

import cloudpickle
import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.wrappers.utils import RunningMeanStd

import rummy500_env as r5
from tests.support.learning import snapshot
from tests.support.playing import equal
from tests.support.twins import play_env_beside

wrappers: Any = gymnasium.wrappers
SIZE = r5.ObservationSpace(r5.Rules(), 2).size


def make(**settings: Any) -> Any:
    return gymnasium.make("Rummy500-v0", **settings)


def wrapper(name: str) -> Any:
    """A wrapper of Gymnasium, if the installed version has it."""
    found = getattr(wrappers, name, None)
    if found is None:
        pytest.skip(f"this version of Gymnasium has no {name}")
    return found


class Last:
    """What is made of the last few observations, in the order of play."""

    def __init__(self, made: Callable[[list[Any]], Any], count: int) -> None:
        self.made, self.count, self.seen = made, count, []

    def __call__(self, observation: Any) -> Any:
        self.seen.append(copy.deepcopy(observation))
        return self.made(self.seen[-self.count :])


class Normalized:
    """What a running mean and variance of the observations so far make of the last one."""

    def __init__(self) -> None:
        self.running = RunningMeanStd(shape=(SIZE,), dtype=cast(Any, np.float32))

    def __call__(self, observation: Any) -> Any:
        self.running.update(np.array([observation]))
        return np.float32((observation - self.running.mean) / np.sqrt(self.running.var + 1e-8))


def _stacked(seen):
    first = [seen[0]] * (4 - len(seen))
    if isinstance(seen[0], dict):
        return {name: np.stack([one[name] for one in first + seen]) for name in seen[0]}
    return np.stack(first + seen)


def _delayed(seen):
    return seen[0] if len(seen) == 3 else np.zeros_like(seen[0])


def _rescaled(seen):
    box = make(flat=True).observation_space
    return ((seen - box.low) / (box.high - box.low) * 2 - 1).astype(np.float32)


FLAT = {"flat": True}

# Each wrapper with the settings it is put around, and what it should make of observations.
OBSERVATIONS: dict[str, tuple[dict[str, Any], Callable[[Any], Any], Callable[[], Any]]] = {
    "FilterObservation": (
        {},
        lambda env: wrapper("FilterObservation")(env, ["observation"]),
        lambda: lambda seen: {"observation": seen["observation"]},
    ),
    "FlattenObservation": (
        {},
        wrappers.FlattenObservation,
        lambda: lambda seen: spaces.flatten(make().observation_space, seen),
    ),
    "FlattenObservation, flat": (
        FLAT,
        wrappers.FlattenObservation,
        lambda: lambda seen: seen,
    ),
    "TransformObservation": (
        {},
        lambda env: wrapper("TransformObservation")(
            env, lambda seen: seen["action_mask"], env.observation_space["action_mask"]
        ),
        lambda: lambda seen: seen["action_mask"],
    ),
    "DtypeObservation": (
        {"flat": True, "observation_dtype": "int8"},
        lambda env: wrapper("DtypeObservation")(env, np.int16),
        lambda: lambda seen: seen.astype(np.int16),
    ),
    "ReshapeObservation": (
        FLAT,
        lambda env: wrapper("ReshapeObservation")(env, (17, 71)),
        lambda: lambda seen: seen.reshape(17, 71),
    ),
    "RescaleObservation": (
        FLAT,
        lambda env: wrapper("RescaleObservation")(env, np.float32(-1), np.float32(1)),
        lambda: _rescaled,
    ),
    "NormalizeObservation": (FLAT, wrappers.NormalizeObservation, Normalized),
    "TimeAwareObservation": (
        {"max_episode_steps": 1000},
        lambda env: wrapper("TimeAwareObservation")(env, flatten=False, normalize_time=True),
        lambda: Last(
            lambda seen: seen[-1] | {"time": np.array([len(seen) - 1], np.float32) / 1000}, 1000
        ),
    ),
    "FrameStackObservation": (
        {},
        lambda env: wrapper("FrameStackObservation")(env, 4, padding_type="reset"),
        lambda: Last(_stacked, 4),
    ),
    "FrameStackObservation, flat": (
        FLAT,
        lambda env: wrapper("FrameStackObservation")(env, 4, padding_type="reset"),
        lambda: Last(_stacked, 4),
    ),
    "DelayObservation": (
        FLAT,
        lambda env: wrapper("DelayObservation")(env, 2),
        lambda: Last(_delayed, 3),
    ),
}


def _close(one: Any, other: Any) -> bool:
    """Whether observations are equal but for the last bits."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_close(one[name], other[name]) for name in one)
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("name", OBSERVATIONS)
def test_observations_are_changed_and_nothing_else(name):
    settings, wrap, seen = OBSERVATIONS[name]
    bare = dict(settings)
    bare.pop("max_episode_steps", None)
    for seed in range(2):
        env = wrap(make(opponents="random", **settings))
        step = play_env_beside(
            env, make(opponents="random", **bare), seed, seen=seen(), alike=_close
        )
        assert step[2]


REWARDS: dict[str, tuple[Callable[[Any], Any], Callable[[float], float]]] = {
    "TransformReward": (
        lambda env: wrapper("TransformReward")(env, lambda r: 3 * r),
        lambda r: 3 * r,
    ),
    "ClipReward": (
        lambda env: wrapper("ClipReward")(env, -0.05, 0.05),
        lambda r: float(np.clip(r, -0.05, 0.05)),
    ),
}


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("name", REWARDS)
def test_rewards_are_changed_and_nothing_else(name, flat):
    wrap, paid = REWARDS[name]
    settings = {"flat": flat, "reward": "points", "num_players": 3}
    play_env_beside(wrap(make(**settings)), make(**settings), 1, paid=paid)


def test_normalized_rewards_keep_their_sign():
    env, bare = wrappers.NormalizeReward(make(reward="points")), make(reward="points")
    observation, info = env.reset(seed=1)
    bare.reset(seed=1)
    over, paid = False, []
    while not over:
        action = info["action_mask"].argmax()
        observation, reward, *ends, info = env.step(action)
        same, amount, *_ = bare.step(action)
        assert equal(observation, same)
        assert np.sign(reward) == np.sign(amount)
        over = any(ends)
        paid.append(reward)
    assert np.isfinite(paid).all()
    assert any(paid)


PLAIN: dict[str, Callable[[Any], Any]] = {
    "PassiveEnvChecker": lambda env: wrappers.PassiveEnvChecker(env.unwrapped),
    "OrderEnforcing": lambda env: wrappers.OrderEnforcing(env.unwrapped),
    "TimeLimit": lambda env: wrappers.TimeLimit(env, 10_000),
    "RecordEpisodeStatistics": wrappers.RecordEpisodeStatistics,
    "RenderCollection": wrappers.RenderCollection,
    "TransformAction": lambda env: wrappers.TransformAction(
        env, lambda action: action, env.action_space
    ),
}


@pytest.mark.parametrize("settings", [{}, {"flat": True, "episode": "game", "seat": 1}], ids=str)
@pytest.mark.parametrize("name", PLAIN)
def test_nothing_is_changed(name, settings):
    env = PLAIN[name](make(render_mode="ansi", **settings))
    info = play_env_beside(env, make(**settings), 1)[-1]
    if name == "RecordEpisodeStatistics":
        scores, own = info["scores"], info["seat"]
        assert info["episode"]["r"] == pytest.approx((scores[own] - scores[1 - own]) / 100)
        assert info["episode"]["l"] > 0
    if name == "RenderCollection":
        shown = env.render()
        assert len(shown) > 2
        assert all("Hand" in text for text in shown)


def test_a_time_limit_truncates():
    env = gymnasium.make("Rummy500-v0", max_episode_steps=3)
    _, info = env.reset(seed=1)
    for step in range(3):
        _, _, terminated, truncated, info = env.step(info["action_mask"].argmax())
        assert (terminated, truncated) == (False, step == 2)
    assert info["action_mask"].any()  # the wrapper's doing: the game itself goes on
    assert "truncated_by" not in info


def test_a_new_episode_begins_by_itself():
    env, bare = wrappers.Autoreset(make(episode="round")), make(episode="round")
    shown, info = env.reset(seed=3)
    bare.reset(seed=3)
    episodes, over = 0, False
    for _ in range(200):
        action = 0 if over else info["action_mask"].argmax()
        shown, reward, *ends, info = env.step(action)
        if over:
            same, told = bare.reset()
            assert (reward, ends) == (0, [False, False])
            episodes += 1
        else:
            same, _, *same_ends, told = bare.step(action)
            assert ends == same_ends
        assert equal((shown, info), (same, told))
        over = any(ends)
    assert episodes > 1


def test_actions_may_be_places_among_the_legal_ones():
    base = make(opponents="random")
    env = wrappers.TransformAction(
        base,
        lambda place: np.flatnonzero(base.unwrapped.action_masks())[place],
        spaces.Discrete(200),
    )
    _, info = env.reset(seed=1)
    over = False
    while not over:
        *_, terminated, truncated, info = env.step(0)
        over = terminated or truncated
    assert "scores" in info


# What repeats actions plays illegal ones, since a turn has one draw and one discard.
REPEATERS: dict[str, Callable[[Any], Any]] = {
    "StickyAction": lambda env: wrapper("StickyAction")(env, 0.9),
    "RepeatAction": lambda env: wrapper("RepeatAction")(env, 2),
    "MaxAndSkipObservation": lambda env: wrapper("MaxAndSkipObservation")(env, skip=2),
}


@pytest.mark.parametrize("name", REPEATERS)
def test_what_repeats_actions_is_refused_by_the_rules(name):
    env = REPEATERS[name](make(flat=True, opponents="random"))
    _, info = env.reset(seed=1)
    before, told = b"", ""
    for _ in range(50):
        before = snapshot(env)
        try:
            info = env.step(info["action_mask"].argmax())[-1]
        except r5.IllegalActionError as error:
            told = str(error)
            break
    assert "is illegal" in told
    if name == "StickyAction":  # the others have played an action when they repeat it
        assert snapshot(env) == before
    bare = env.unwrapped
    while not any(bare.step(bare.action_space.sample())[2:4]):  # play goes on
        pass


REFUSED: dict[str, tuple[dict[str, Any], Callable[[Any], Any], str]] = {
    "DtypeObservation": ({}, lambda env: wrappers.DtypeObservation(env, float), "Dict"),
    "NormalizeObservation": ({}, wrappers.NormalizeObservation, "have a shape"),
    "RescaleObservation": (
        {},
        lambda env: wrappers.RescaleObservation(env, np.float32(0), np.float32(1)),
        "Box observation space",
    ),
    "ClipAction": ({}, wrappers.ClipAction, "Box"),
    "RescaleAction": ({}, lambda env: wrappers.RescaleAction(env, 0, 1), "Box"),
    "HumanRendering": ({"render_mode": "ansi"}, wrappers.HumanRendering, "env.render_mode"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_needs_another_space_or_pictures_says_so(name):
    settings, wrap, said = REFUSED[name]
    with pytest.raises((TypeError, ValueError, AssertionError), match=said):
        wrap(make(**settings))


def _stacked_up(env: Any) -> Any:
    """Some wrappers at once."""
    env = wrappers.TransformReward(env, lambda reward: 2 * reward)
    env = wrappers.TransformAction(env, _same, env.action_space)
    return wrappers.RecordEpisodeStatistics(wrappers.FlattenObservation(env))


def _same(action):
    return action


@pytest.mark.parametrize(
    "twin_of",
    [copy.deepcopy, lambda env: pickle.loads(cloudpickle.dumps(env))],
    ids=["copy", "cloudpickle"],
)
def test_a_wrapped_environment_is_copied_in_the_middle_of_an_episode(twin_of):
    env = _stacked_up(make(seat="random", opponents="random"))
    _, info = env.reset(seed=5)
    for _ in range(6):
        info = env.step(info["action_mask"].argmax())[-1]
    twin, kept = twin_of(env), snapshot(env)
    more = env.step(env.action_space.sample())
    assert not any(more[2:4])
    assert snapshot(twin) == kept
    assert info["action_mask"][twin.action_space.sample()]
    twin, over = twin_of(env), False
    while not over:
        action = env.unwrapped.action_masks().argmax()
        shown, same = env.step(action), twin.step(action)
        for told in (shown[-1], same[-1]):
            told.get("episode", {}).pop("t", None)
        assert equal(shown, same)
        over = any(shown[2:4])
    assert equal(env.reset(), twin.reset())
