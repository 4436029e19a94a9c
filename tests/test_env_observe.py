"""Looking at the environment changes nothing, and what it hands out is the caller's."""

from __future__ import annotations

import numpy as np
import pytest

import rummy500_env as r5
from tests.support.playing import equal, legal, record, steps


def _looks(env):
    """Everything there is to see, and the record before and after each look."""
    for agent in env.possible_agents:
        yield lambda agent=agent: env.observe(agent)
    yield env.state
    yield env.action_masks
    yield env.render
    yield env.last
    yield lambda: env.last(observe=False)


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("num_players", [2, 5])
def test_looking_has_no_side_effects(num_players, flat):
    env = r5.env(num_players=num_players, flat=flat, render_mode="ansi", episode="round")
    env.reset(seed=31)
    for _ in steps(env, seed=7, limit=120):
        if not env.agents or env.terminations[env.agent_selection]:
            break
        before = record(env)
        for look in _looks(env):
            assert equal(look(), look())
            assert record(env) == before


@pytest.mark.nojit
def test_only_the_agent_to_move_has_a_mask_that_is_not_empty():
    env = r5.env(num_players=3, episode="round")
    env.reset(seed=8)
    for _ in steps(env, seed=2, limit=25):
        mover = env.agent_selection
        for agent in env.agents:
            mask = env.observe(agent)["action_mask"]
            assert mask.any() == (agent == mover)
            assert equal(env.infos[agent]["action_mask"], mask)


@pytest.mark.nojit
def test_last_shows_what_observe_shows():
    env = r5.env(num_players=3, episode="round")
    env.reset(seed=5)
    for _ in steps(env, seed=2, limit=20):
        seen, reward, terminated, truncated, info = env.last()
        mover = env.agent_selection
        assert equal(seen, env.observe(mover))
        assert reward == env._cumulative_rewards[mover]
        assert (terminated, truncated) == (env.terminations[mover], env.truncations[mover])
        assert info is env.infos[mover]


@pytest.mark.nojit
def test_an_observation_is_that_of_the_game():
    env = r5.env(num_players=3, episode="round")
    env.reset(seed=14)
    game = r5.Game(num_players=3, seed=14, episode="round")
    for _, action in steps(env, seed=4, limit=20):
        game.step(action)
        for seat, agent in enumerate(env.possible_agents):
            assert np.array_equal(env.observe(agent)["observation"], game.observe(seat))
        assert env.agent_selection == f"player_{game.current_seat}"
        assert np.array_equal(env.action_masks(), game.action_mask())


@pytest.mark.nojit
def test_arrays_handed_out_are_the_callers():
    env, untouched = (r5.env(num_players=2, episode="round") for _ in range(2))
    env.reset(seed=4)
    untouched.reset(seed=4)
    kept, copies = [], []
    for _, action in steps(untouched, seed=1, limit=20):
        seen, *_, info = env.last()
        kept.append((seen, info["action_mask"]))
        copies.append(({k: v.copy() for k, v in seen.items()}, info["action_mask"].copy()))
        for agent in env.possible_agents:
            for array in env.observe(agent).values():
                array[:] = 7
        env.action_masks()[:] = 1
        env.state()[:] = 9
        env.step(action)
        assert record(env) == record(untouched)
        assert equal(env.observe("player_0"), untouched.observe("player_0"))
        assert legal(env) == legal(untouched)
    # Nor does the environment write into what it has handed out before.
    for (seen, mask), (seen_then, mask_then) in zip(kept, copies, strict=True):
        assert equal(seen, seen_then)
        assert equal(mask, mask_then)


@pytest.mark.nojit
def test_overwriting_what_last_and_infos_show_does_not_touch_the_game():
    env, untouched = (r5.env(num_players=2, episode="round") for _ in range(2))
    env.reset(seed=4)
    untouched.reset(seed=4)
    for _, action in steps(untouched, seed=1, limit=20):
        seen, *_, info = env.last()
        seen["observation"][:] = 3
        seen["action_mask"][:] = 1
        info["action_mask"][:] = 1
        assert equal(env.last()[0], env.observe(env.agent_selection))
        env.step(action)
        assert record(env) == record(untouched)
        assert equal(env.last()[0], untouched.observe(untouched.agent_selection))


@pytest.mark.nojit
def test_an_agent_that_is_not_there_cannot_look():
    env = r5.env()
    env.reset(seed=1)
    with pytest.raises(KeyError, match="player_2"):
        env.observe("player_2")


def test_every_agent_can_look_when_the_episode_has_ended():
    env = r5.env(num_players=3, episode="round")
    env.reset(seed=8)
    for _ in steps(env, seed=2):
        pass
    for agent in env.possible_agents:
        assert not env.observe(agent)["action_mask"].any()
        assert env.observation_space(agent).contains(env.observe(agent))
    while env.agents:
        assert not env.last()[0]["action_mask"].any()
        env.step(None)
    assert env.observation_space("player_1").contains(env.observe("player_1"))
