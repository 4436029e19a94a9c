"""Twins of an environment in the middle of a turn: copied, pickled, in another process."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from typing import Any

import pytest

import rummy500_env as r5
from tests.support.playing import equal, legal, record, steps

# Seat 0 is about to dig the eight under two other cards.
DIG = {
    "hands": ["8c 8d 9c Th 2s Kh", "3c 4d 5s Jh 6c Qd"],
    "discard_pile": "Ac 8h 9s Ts",
    "seat": 0,
    "phase": "draw",
}
SETTINGS = [
    {},
    {"episode": "round", "reward": "points", "observation_dtype": "int8"},
    {"flat": True, "skip_forced": True, "max_decisions": 60},
]


def _obliged(**settings: Any):
    """An environment whose agent must place a card that it has dug."""
    env = r5.env(**settings)
    env.reset(seed=19, options={"position": DIG})
    env.step(r5.ActionSpace(env.rules, 2).from_text("dig 8h"))
    assert r5.Game.from_position({"rules": env.rules, **DIG}).phase == "draw"
    assert env.render_mode is None
    return env


def _rest(env):
    """All that the rest of an episode shows, ends included."""
    shown = []
    for agent, action in steps(env, seed=23):
        shown.append((agent, action, dict(env.rewards), record(env), env.last(), env.state()))
    while env.agents:
        shown.append((env.agent_selection, env.last()))
        env.step(None)
    return shown


def _rest_elsewhere(pickled):
    """What the rest of an episode shows; called in another process."""
    return _rest(pickle.loads(pickled))


def _deepcopied(env):
    return copy.deepcopy(env)


def _pickled(env):
    return pickle.loads(pickle.dumps(env))


TWINS = (_deepcopied, _pickled)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("twin_of", TWINS)
def test_a_twin_plays_on_identically_and_leaves_the_original_alone(twin_of, settings):
    env = _obliged(**settings)
    before, infos, rewards = record(env), copy.deepcopy(env.infos), dict(env.rewards)
    must_place = legal(env)
    twin = twin_of(env)
    assert record(twin) == before
    shown = _rest(twin)
    assert len(shown) > 20
    assert record(env) == before
    assert equal(env.infos, infos)
    assert env.rewards == rewards
    assert legal(env) == must_place
    assert equal(_rest(env), shown)


@pytest.mark.parametrize("twin_of", TWINS)
def test_the_original_leaves_a_twin_alone(twin_of):
    env = _obliged()
    twin = twin_of(env)
    before, mover = record(twin), twin.agent_selection
    shown = _rest(env)
    assert record(twin) == before
    assert twin.agent_selection == mover
    assert equal(_rest(twin), shown)


@pytest.mark.parametrize("twin_of", TWINS)
def test_a_twin_samples_its_own_legal_actions(twin_of):
    env = _obliged()
    twin = twin_of(env)
    env.step(legal(env)[0])
    for _ in steps(env, seed=1, limit=4):
        pass
    space = twin.action_space(twin.agent_selection)
    space.seed(1)
    assert space.sample() in legal(twin)
    assert equal(twin.observe("player_0"), twin.observe("player_0"))


@pytest.mark.parametrize("twin_of", TWINS)
def test_a_twin_resets_like_the_original(twin_of):
    env = _obliged()
    twin = twin_of(env)
    for _ in range(3):
        env.reset()
        twin.reset()
        assert env.seed == twin.seed
        assert record(env) == record(twin)


@pytest.mark.nojit
def test_an_environment_can_be_copied_before_its_first_reset():
    for twin in [twin_of(r5.env()) for twin_of in TWINS]:
        twin.reset(seed=1)
        plain = r5.env()
        plain.reset(seed=1)
        assert record(twin) == record(plain)


@pytest.mark.nojit
def test_last_shows_the_same_in_a_twin():
    env = _obliged()
    twin = _deepcopied(env)
    seen = env.last()[0]
    seen["observation"][:] = 5
    assert equal(twin.last()[0], twin.observe("player_0"))


def test_a_twin_plays_on_identically_in_a_spawned_process():
    env = _obliged(reward="points")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        elsewhere = pool.apply(_rest_elsewhere, (pickle.dumps(env),))
    assert equal(elsewhere, _rest(env))
