"""Spaces of the environment, and that all it shows lies in them."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium import spaces

import rummy500_env as r5
from tests.support.playing import equal, legal, steps


@pytest.mark.nojit
@pytest.mark.parametrize("num_players", [2, 5])
def test_each_agent_has_spaces_of_its_own_that_stay_the_same(num_players):
    env = r5.env(num_players=num_players, episode="round")
    before = {a: (env.observation_space(a), env.action_space(a)) for a in env.possible_agents}
    env.reset(seed=1)
    env.reset(seed=2)
    for agent, (observed, acted) in before.items():
        assert env.observation_space(agent) is observed
        assert env.action_space(agent) is acted
    assert len({id(acted) for _, acted in before.values()}) == num_players
    assert env.possible_agents == [f"player_{seat}" for seat in range(num_players)]


@pytest.mark.parametrize("dtype", ["float32", "int8"])
@pytest.mark.parametrize("num_players", [2, 4, 7])
def test_observations_of_all_agents_lie_in_their_space(num_players, dtype):
    env = r5.env(num_players=num_players, observation_dtype=dtype)
    env.reset(seed=num_players)
    for number, (agent, _) in enumerate(steps(env, seed=1)):
        assert env.observation_space(agent).contains(env.observe(agent))
        if number % 50 == 0:
            for other in env.possible_agents:
                shown = env.observe(other)
                assert env.observation_space(other).contains(shown)
                assert shown["observation"].dtype == dtype
                assert shown["action_mask"].dtype == np.int8


def test_the_two_forms_show_the_same():
    wide, compact = (r5.env(num_players=3, observation_dtype=d) for d in ("float32", "int8"))
    scale = r5.ObservationSpace(wide.rules, 3).scale
    wide.reset(seed=9)
    compact.reset(seed=9)
    for _ in steps(wide, seed=5, limit=400):
        compact.step(_[1])
        for agent in wide.possible_agents:
            small, large = compact.observe(agent), wide.observe(agent)
            assert np.array_equal(small["observation"] * scale, large["observation"])
            assert np.array_equal(small["action_mask"], large["action_mask"])


def test_the_float_form_stays_about_one():
    env = r5.env(num_players=4)
    env.reset(seed=3)
    most = max(np.abs(env.observe(agent)["observation"]).max() for agent, _ in steps(env, seed=2))
    assert 1 <= most <= 8


@pytest.mark.nojit
def test_the_flat_form_is_the_vector_without_the_mask():
    flat, full = (r5.env(num_players=3, episode="round", flat=f) for f in (True, False))
    flat.reset(seed=6)
    full.reset(seed=6)
    assert isinstance(flat.observation_space("player_1"), spaces.Box)
    for agent, action in steps(flat, seed=8, limit=25):
        full.step(action)
        shown, in_full = flat.observe(agent), full.observe(agent)
        assert flat.observation_space(agent).contains(shown)
        assert equal(shown, in_full["observation"])
        mover = flat.agent_selection
        assert equal(flat.last()[0], full.last()[0]["observation"])
        assert equal(flat.action_masks(), full.observe(mover)["action_mask"])
        assert equal(flat.action_masks(), flat.infos[mover]["action_mask"])


def test_actions_sampled_without_a_mask_are_legal_for_the_agent_to_move():
    env = r5.env(episode="round")
    env.reset(seed=12)
    for seat, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seat)
    for _ in steps(env, seed=3):
        if not env.terminations[env.agent_selection]:
            assert env.action_space(env.agent_selection).sample() in legal(env)


@pytest.mark.nojit
def test_all_legal_actions_are_sampled_about_equally_often():
    env = r5.env()
    env.reset(seed=2)
    env.step(0)  # a card from the stock: now there is a choice of discards
    space, allowed = env.action_space(env.agent_selection), legal(env)
    space.seed(0)
    drawn = [int(space.sample()) for _ in range(100 * len(allowed))]
    counts = [drawn.count(action) for action in allowed]
    assert sum(counts) == len(drawn)
    assert min(counts) > 60
    assert max(counts) < 140


@pytest.mark.nojit
def test_sampling_with_a_mask_or_for_another_agent_is_that_of_discrete():
    env = r5.env()
    env.reset(seed=2)
    mover, waiting = env.agent_selection, next(iter(set(env.agents) - {env.agent_selection}))
    mask = np.zeros(env.action_space(mover).n, np.int8)
    mask[[5, 600]] = 1
    assert {int(env.action_space(mover).sample(mask)) for _ in range(50)} == {5, 600}
    plain = spaces.Discrete(env.action_space(waiting).n, seed=4)
    env.action_space(waiting).seed(4)
    drawn = [int(env.action_space(waiting).sample()) for _ in range(20)]
    assert drawn == [int(plain.sample()) for _ in range(20)]
    share = np.zeros(plain.n)
    share[7] = 1.0
    assert env.action_space(mover).sample(probability=share) == 7


@pytest.mark.nojit
def test_action_spaces_equal_discrete_spaces_of_their_size():
    env = r5.env()
    one, other = (env.action_space(agent) for agent in env.possible_agents)
    assert one == other
    assert one == spaces.Discrete(one.n)
    assert one != spaces.Discrete(one.n + 1)
    assert one != spaces.MultiBinary(3)


@pytest.mark.nojit
def test_the_state_is_the_observations_of_all_agents():
    env = r5.env(num_players=3, episode="round")
    env.reset(seed=1)
    whole = np.concatenate([env.observe(agent)["observation"] for agent in env.possible_agents])
    assert np.array_equal(env.state(), whole)
