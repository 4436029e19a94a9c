"""Agents of a function of observations, such as a network's."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

import rummy500_env as r5
from agents import ObservingAgent
from rummy500_env.search import observe
from tests.support.asking import arena_of, deals, play, views_of

STANDARD = r5.Rules()


def first_legal(observations, action_masks):
    return action_masks.argmax(axis=1)


@pytest.mark.nojit
@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_the_function_gets_what_a_learner_observes(dtype):
    views, masks = views_of(None, 2, 1, STANDARD)
    given = []

    def decide(observations, action_masks):
        given.append((observations.copy(), action_masks.copy()))
        return first_legal(observations, action_masks)

    agent = ObservingAgent("mine", decide, observation_dtype=dtype)
    agent.reset(STANDARD, 2, 0)
    assert agent.act(views, masks).tolist() == masks.argmax(axis=1).tolist()
    ((observations, action_masks),) = given
    assert observations.dtype == np.dtype(dtype)
    assert (observations == observe(views, STANDARD, 2, dtype)).all()
    assert (action_masks == masks).all()
    assert agent.name == "mine"
    assert not agent.deterministic


@pytest.mark.nojit
def test_it_plays_at_every_number_of_seats():
    for num_players in (2, 3):
        agent = ObservingAgent("first", first_legal)
        seating = [[0] * num_players]
        result = play(arena_of(STANDARD, num_players, [agent]), deals(1, num_players), seating)
        assert result.rounds.tolist() == [1]


def test_what_it_returns_may_be_anything_that_numpy_reads():
    views, masks = views_of(None, 2, 1, STANDARD)
    agent = ObservingAgent("list", lambda x, mask: mask.argmax(axis=1).tolist())
    agent.reset(STANDARD, 2, 0)
    actions = agent.act(views, masks)
    assert isinstance(actions, np.ndarray)
    assert actions.dtype.kind == "i"


def test_it_is_an_opponent_for_learners():
    agent = ObservingAgent("first", first_legal)
    envs = gymnasium.make_vec("Rummy500-v0", num_envs=8, opponents=agent)
    by_hand = gymnasium.make_vec("Rummy500-v0", num_envs=8, opponents=lambda view, legal: legal[0])
    infos = [env.reset(seed=4)[1] for env in (envs, by_hand)]
    for _ in range(60):
        assert (infos[0]["action_mask"] == infos[1]["action_mask"]).all()
        actions = infos[0]["action_mask"].argmax(axis=1)
        steps = [env.step(actions) for env in (envs, by_hand)]
        infos = [step[-1] for step in steps]
        assert steps[0][1].tolist() == steps[1][1].tolist()
