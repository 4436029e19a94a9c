"""PettingZoo's wrappers and conversions around the environment, beside a bare one."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import cloudpickle
import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test
from pettingzoo.utils import parallel_to_aec, turn_based_aec_to_parallel, wrappers

import rummy500_env as r5
from tests.support.playing import equal, record
from tests.support.twins import play_aec_beside


def _terminating(env: Any) -> Any:
    return wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)


def _as_pettingzoo_does(env: Any) -> Any:
    """What PettingZoo puts around its own games."""
    bounded: Any = wrappers.AssertOutOfBoundsWrapper(_terminating(env))
    return wrappers.OrderEnforcingWrapper(bounded)


WRAPPERS = {
    "BaseWrapper": wrappers.BaseWrapper,
    "OrderEnforcingWrapper": wrappers.OrderEnforcingWrapper,
    "AssertOutOfBoundsWrapper": wrappers.AssertOutOfBoundsWrapper,
    "TerminateIllegalWrapper": _terminating,
    "all three": _as_pettingzoo_does,
}
SETTINGS: list[dict[str, Any]] = [
    {"num_players": 3, "episode": "round"},
    {"rules": r5.Rules(target_score=200), "reward": "points", "flat": True},
    {"rules": "dealers_joker", "num_players": 4, "observation_dtype": "int8", "reward": "win"},
    {"episode": "round", "skip_forced": True, "max_decisions": 40, "flat": True},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("name", WRAPPERS)
def test_a_wrapped_environment_plays_as_a_bare_one(name, settings):
    env = WRAPPERS[name](r5.env(**settings))
    for seed in range(2):
        assert play_aec_beside(env, r5.env(**settings), seed) > 15


def test_episodes_one_after_the_other_are_those_of_their_seeds():
    many = getattr(wrappers, "MultiEpisodeEnv", None)
    if many is None:
        pytest.skip("PettingZoo has it from 1.24.2 on")
    env = many(r5.env(episode="round", num_players=3), 3)
    bare = r5.env(episode="round", num_players=3)
    env.reset(seed=5)
    chooser = random.Random(0)
    for seed in (5, 6, 7):
        bare.reset(seed=seed)
        while bare.agents:
            assert env.agents
            shown = env.last()
            assert equal(shown[0], bare.last()[0])
            legal = np.flatnonzero(bare.last()[-1]["action_mask"]).tolist()
            action = chooser.choice(legal) if legal else None
            env.step(action)
            bare.step(action)
    assert not env.agents


@pytest.mark.parametrize("flat", [False, True])
def test_an_illegal_action_ends_the_game_where_it_is_wished(flat):
    env = _as_pettingzoo_does(r5.env(num_players=3, flat=flat))
    env.reset(seed=1)
    for _ in range(7):
        env.step(int(env.last()[-1]["action_mask"].argmax()))
    loser, table = env.agent_selection, record(env.unwrapped)
    env.step(int(env.last()[-1]["action_mask"].argmin()))
    assert record(env.unwrapped) == table
    assert env.terminations == dict.fromkeys(env.agents, True)
    assert env.rewards == {agent: -1 if agent == loser else 0 for agent in env.agents}
    lost = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        lost[agent] += reward
        assert over
        assert flat or not observation["action_mask"].any()
        env.step(None)
    assert lost == {agent: -1 if agent == loser else 0 for agent in lost}
    env.reset(seed=1)
    assert env.last()[-1]["action_mask"].any()


@pytest.mark.parametrize("action", [-1, 635, 10**6, 1.5, float("nan"), "draw", None, [0]], ids=repr)
def test_what_is_no_action_gets_no_further_than_the_bounds(action):
    env: Any = wrappers.AssertOutOfBoundsWrapper(r5.env())
    env.reset(seed=1)
    before = record(env.unwrapped)
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(action)
    assert record(env.unwrapped) == before


def test_wrappers_for_other_environments_say_so():
    with pytest.raises(AssertionError, match="Box spaces"):
        wrappers.ClipOutOfBoundsWrapper(r5.env())
    for mode in (None, "ansi"):  # the text is returned, so there is nothing to capture
        with pytest.raises(AssertionError, match="only with human rendering mode"):
            wrappers.CaptureStdoutWrapper(r5.env(render_mode=mode))


@pytest.mark.parametrize(
    "twin_of",
    [
        copy.deepcopy,
        lambda env: pickle.loads(pickle.dumps(env)),
        lambda env: pickle.loads(cloudpickle.dumps(env)),
    ],
    ids=["copy", "pickle", "cloudpickle"],
)
@pytest.mark.parametrize("name", WRAPPERS)
def test_a_wrapped_environment_is_copied_in_the_middle_of_a_game(name, twin_of):
    env = WRAPPERS[name](r5.env(num_players=3, episode="round"))
    play_aec_beside(env, r5.env(num_players=3, episode="round"), 2, limit=25)
    twin = twin_of(env)
    before = record(twin.unwrapped)
    assert before == record(env.unwrapped)
    space = twin.action_space(twin.agent_selection)
    env.step(int(env.last()[-1]["action_mask"].argmax()))
    assert record(twin.unwrapped) == before
    assert twin.last()[-1]["action_mask"][space.sample()]  # its own, not the other's
    twin.step(int(twin.last()[-1]["action_mask"].argmax()))
    chooser = random.Random(1)
    for agent in env.agent_iter():
        assert twin.agent_selection == agent
        assert equal(env.last(), twin.last())
        legal = np.flatnonzero(env.last()[-1]["action_mask"]).tolist()
        action = chooser.choice(legal) if legal else None
        env.step(action)
        twin.step(action)
        assert record(twin.unwrapped) == record(env.unwrapped)
    assert not twin.agents


# -- parallel and back -------------------------------------------------------------------------


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_turn_by_turn_in_parallel_is_the_same_game(settings):
    env, bare = turn_based_aec_to_parallel(r5.env(**settings)), r5.env(**settings)
    observations, infos = env.reset(seed=3)
    bare.reset(seed=3)
    chooser, terminations, truncations = random.Random(0), {}, {}
    while env.agents:
        mover = bare.agent_selection
        for agent in env.agents:
            assert equal(observations[agent], bare.observe(agent))
            mask = infos[agent]["action_mask"]
            assert mask.any() == (agent == mover)
            assert infos[agent].get("active_agent", mover) == mover
        action = chooser.choice(np.flatnonzero(infos[mover]["action_mask"]).tolist())
        observations, rewards, terminations, truncations, infos = env.step(
            dict.fromkeys(env.agents, action)
        )
        bare.step(action)
        assert rewards == bare.rewards
        assert terminations == bare.terminations
        assert truncations == bare.truncations
    assert all(terminations.values()) != all(truncations.values())
    assert equal(env.state(), bare.state())


@pytest.mark.parametrize("flat", [False, True])
def test_turn_by_turn_in_parallel_passes_pettingzoos_tests(flat):
    def make():
        return turn_based_aec_to_parallel(r5.env(num_players=3, flat=flat, episode="round"))

    parallel_api_test(make(), num_cycles=500)
    parallel_seed_test(make, num_cycles=100)


def test_parallel_and_back_asks_everybody_and_plays_the_one_to_move():
    env = parallel_to_aec(turn_based_aec_to_parallel(r5.env(num_players=3, episode="round")))
    bare = r5.env(num_players=3, episode="round")
    env.reset(seed=4)
    bare.reset(seed=4)
    chooser, chosen = random.Random(0), {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        if terminated or truncated:
            assert reward == bare.rewards[agent]
            env.step(None)
            continue
        assert equal(observation, bare.observe(agent))
        mask = info["action_mask"]
        assert mask.any() == (agent == bare.agent_selection)
        chosen[agent] = chooser.choice(np.flatnonzero(mask).tolist()) if mask.any() else 0
        env.step(chosen[agent])
        if len(chosen) == 3:
            bare.step(chosen[bare.agent_selection])
            chosen = {}
    assert all(bare.terminations.values())
