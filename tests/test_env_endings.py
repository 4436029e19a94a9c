"""How episodes end: by the rules, by a limit of the rules, by a limit of the environment."""

from __future__ import annotations

import numpy as np
import pytest

import rummy500_env as r5
from tests.support.playing import finish, legal, steps

# Cards of a refilled stock can be drawn for ever.
ENDLESS = r5.Rules(stock_exhausted="reshuffle")


def _ended(env):
    """The values that all agents share at the end: terminated, truncated, why."""
    assert env.agents == env.possible_agents
    values = set()
    for agent in env.agents:
        info = env.infos[agent]
        assert info["action_mask"].dtype == np.int8
        assert not info["action_mask"].any()
        values.add((env.terminations[agent], env.truncations[agent], info["truncated_by"]))
    (only,) = values
    return only


@pytest.mark.parametrize("episode", ["game", "round"])
@pytest.mark.parametrize("num_players", [2, 5])
def test_an_end_by_the_rules_terminates_all_agents(num_players, episode):
    env = r5.env(num_players=num_players, episode=episode)
    env.reset(seed=1)
    for _ in steps(env, seed=1):
        assert env.infos[env.agent_selection].get("truncated_by") is None
    assert _ended(env) == (True, False, None)


@pytest.mark.parametrize("max_rounds", [1, 2])
@pytest.mark.parametrize("num_players", [3, 4])
def test_max_rounds_truncates_games(max_rounds, num_players):
    rules = r5.Rules(max_rounds=max_rounds, target_score=5000)
    env = r5.env(rules, num_players, reward="win")
    env.reset(seed=2)
    for _ in steps(env, seed=1):
        pass
    assert _ended(env) == (False, True, "max_rounds")
    assert env._record["round_index"][0] == max_rounds
    assert not any(env.rewards.values())


def test_the_rounds_before_max_rounds_are_paid():
    env = r5.env(r5.Rules(max_rounds=1, target_score=5000), 3, reward="own_points")
    env.reset(seed=2)
    shown = finish(env, seed=1)
    scores = env._record["scores"][0, :3].tolist()
    assert list(shown.values()) == pytest.approx([score / 100 for score in scores])
    assert any(scores)


@pytest.mark.parametrize("max_turns", [1, 2, 7])
def test_max_turns_truncates_single_rounds(max_turns):
    env = r5.env(ENDLESS.replace(max_turns=max_turns), 3, episode="round", reward="win")
    env.reset(seed=2)
    for _ in steps(env, seed=1):
        pass
    assert _ended(env) == (False, True, "max_turns")
    assert env._record["turns"][0] == max_turns
    assert not any(env.rewards.values())


def test_max_turns_ends_a_round_of_a_game_and_the_game_goes_on():
    env = r5.env(ENDLESS.replace(max_turns=3, max_rounds=4), 2)
    env.reset(seed=2)
    for _ in steps(env, seed=1):
        pass
    assert _ended(env) == (False, True, "max_rounds")


@pytest.mark.nojit
@pytest.mark.parametrize("limit", [1, 2, 9])
@pytest.mark.parametrize("num_players", [2, 3])
def test_max_decisions_truncates_all_agents_at_once(limit, num_players):
    env = r5.env(num_players=num_players, max_decisions=limit)
    env.reset(seed=3)
    agents = [agent for agent, _ in steps(env, seed=1)]
    assert len(agents) == limit
    assert _ended(env) == (False, True, "max_decisions")
    shown = []
    while env.agents:
        seen, reward, terminated, truncated, info = env.last()
        assert (terminated, truncated, reward) == (False, True, 0.0)
        assert info["truncated_by"] == "max_decisions"
        assert not seen["action_mask"].any()
        shown.append(env.agent_selection)
        env.step(None)
    assert shown == env.possible_agents


def test_the_decisions_of_all_rounds_count():
    env = r5.env(num_players=4, max_decisions=400)
    env.reset(seed=5)
    assert sum(1 for _ in steps(env, seed=1)) == 400
    assert env._record["round_index"][0] >= 1


def test_an_end_in_the_last_allowed_decision_is_a_termination():
    env = r5.env(episode="round")
    env.reset(seed=5)
    length = sum(1 for _ in steps(env, seed=1))
    limited = r5.env(episode="round", max_decisions=length)
    limited.reset(seed=5)
    assert sum(1 for _ in steps(limited, seed=1)) == length
    assert _ended(limited) == (True, False, None)


@pytest.mark.nojit
def test_infos_hold_a_mask_at_all_times():
    env = r5.env(num_players=3, max_decisions=20)
    env.reset(seed=3)
    for _ in steps(env, seed=1):
        assert set(env.infos) == set(env.agents)
        for agent, info in env.infos.items():
            mask = info["action_mask"]
            assert mask.dtype == np.int8
            assert mask.shape == (env.action_space(agent).n,)
            ended = env.truncations[agent]
            assert mask.any() == (agent == env.agent_selection and not ended)
    while env.agents:
        assert "action_mask" in env.last()[4]
        env.step(None)


@pytest.mark.parametrize("num_players", [2, 4])
@pytest.mark.parametrize("reward", ["score", "points", "own_points", "win"])
def test_skipping_forced_actions_is_playing_them(num_players, reward):
    rules = r5.Rules(target_score=200)
    by_itself = r5.env(rules, num_players, skip_forced=True, reward=reward)
    by_hand = r5.env(rules, num_players, reward=reward)
    by_itself.reset(seed=4)
    by_hand.reset(seed=4)

    def play_forced(paid):
        while not by_hand.terminations[by_hand.agent_selection] and len(legal(by_hand)) == 1:
            by_hand.step(legal(by_hand)[0])
            paid = [a + b for a, b in zip(paid, by_hand.rewards.values(), strict=True)]
        return paid

    play_forced([0.0] * num_players)
    assert by_hand.agent_selection == by_itself.agent_selection
    assert len(legal(by_itself)) > 1
    for _, action in steps(by_itself, seed=8):
        by_hand.step(action)
        paid = play_forced(list(by_hand.rewards.values()))
        assert list(by_itself.rewards.values()) == pytest.approx(paid, abs=1e-9)
        assert by_itself._record.tobytes() == by_hand._record.tobytes()
        assert by_itself.agent_selection == by_hand.agent_selection
    assert by_hand.terminations == by_itself.terminations
