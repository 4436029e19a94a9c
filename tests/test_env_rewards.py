"""What `last()` pays: each action's reward once, and in sum what the game's scores say."""

from __future__ import annotations

import pytest

import rummy500_env as r5
from tests.support.playing import Beside, finish, legal, steps

REWARDS = ("score", "points", "own_points", "win")
SHORT = r5.Rules(target_score=400)


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_every_action_pays_what_the_game_says(num_players, reward):
    env = r5.env(SHORT, num_players, reward=reward)
    env.reset(seed=num_players)
    beside = Beside(r5.Game(SHORT, num_players, seed=num_players), reward)
    for _, action in steps(env, seed=21):
        paid = beside.step(action)
        assert list(env.rewards.values()) == pytest.approx(paid, abs=1e-9)
        if reward != "own_points":
            assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-9)
    assert beside.game.is_over
    assert len(beside.game.rounds) > 1


@pytest.mark.parametrize("episode", ["game", "round"])
@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_what_last_shows_adds_up_to_the_scores(num_players, episode):
    envs = {r: r5.env(SHORT, num_players, reward=r, episode=episode) for r in REWARDS}
    totals = {}
    for reward, env in envs.items():
        env.reset(seed=6)
        totals[reward] = list(finish(env, seed=2).values())
    scores = envs["score"]._record["scores"][0, :num_players].tolist()
    won = [score == max(scores) for score in scores]
    n = num_players
    assert totals["own_points"] == pytest.approx([score / 100 for score in scores])
    against = [(s - (sum(scores) - s) / (n - 1)) / 100 for s in scores]
    assert totals["score"] == pytest.approx(against)
    assert totals["points"] == pytest.approx(against)
    wins = [(n * is_won / sum(won) - 1) / (n - 1) for is_won in won]
    assert totals["win"] == pytest.approx(wins)


@pytest.mark.parametrize("reward", REWARDS)
def test_a_games_bonus_is_paid_by_score_and_points_alike(reward):
    rules = r5.Rules(target_score=60, game_bonus=100)
    env = r5.env(rules, 3, reward=reward)
    env.reset(seed=2)
    beside = Beside(r5.Game(rules, 3, seed=2), reward)
    for _, action in steps(env, seed=4):
        assert list(env.rewards.values()) == pytest.approx(beside.step(action), abs=1e-9)
    assert beside.game.scores[beside.game.winners[0]] == max(beside.game.scores)
    assert max(beside.game.scores) >= 160


def test_points_are_paid_when_they_arise():
    # Three eights for 24 points, against one other player.
    env = r5.env(reward="points", episode="round")
    hands = ["8c 8d 2s Kh", "3c 4d 5s Jh"]
    position = {"hands": hands, "discard_pile": "8h 9s", "seat": 0, "phase": "draw"}
    env.reset(seed=1, options={"position": position})
    space = r5.ActionSpace(env.rules, 2)
    env.step(space.from_text("dig 8h"))
    assert set(env.rewards.values()) == {0.0}
    env.step(space.from_text("meld 8c 8d 8h"))
    assert env.rewards == pytest.approx({"player_0": 0.24, "player_1": -0.24})
    env.step(space.from_text("discard 2s"))
    assert env.last()[1] == pytest.approx(-0.24)
    assert set(env.rewards.values()) == {0.0}


def test_a_reward_waits_until_its_agent_has_seen_it():
    env = r5.env(num_players=3, reward="points")
    env.reset(seed=3)
    owed = dict.fromkeys(env.agents, 0.0)
    for agent, _ in steps(env, seed=9, limit=400):
        owed[agent] = 0.0
        for name, amount in env.rewards.items():
            owed[name] += amount
        assert env._cumulative_rewards == pytest.approx(owed)
        if not env.terminations[env.agent_selection]:
            assert env.last(observe=False)[1] == pytest.approx(owed[env.agent_selection])


@pytest.mark.parametrize("num_players", [2, 4])
@pytest.mark.parametrize("reward", REWARDS)
def test_the_last_reward_is_shown_once_to_every_agent(num_players, reward):
    env = r5.env(num_players=num_players, episode="round", reward=reward)
    env.reset(seed=5)
    for agent, _ in steps(env, seed=5):
        assert env.agents == env.possible_agents, agent
    due = {name: env._cumulative_rewards[name] for name in env.agents}
    shown = {}
    while env.agents:
        agent = env.agent_selection
        assert agent not in shown
        _, shown[agent], terminated, truncated, _ = env.last()
        assert terminated
        assert not truncated
        assert set(env.rewards) == set(env.agents)
        env.step(None)
        assert all(amount == 0 for amount in env.rewards.values())
    assert shown == due
    assert list(shown) == env.possible_agents
    assert any(shown.values())


@pytest.mark.nojit
def test_a_shared_win_is_shared():
    # Both sides score 100 and nobody has a card that counts; the stock is empty.
    env = r5.env(reward="win", episode="round")
    melds = [
        {"cards": "2c 2d 2h", "laid_by": [0, 0, 0]},
        {"cards": "3c 3d 3h", "laid_by": [1, 1, 1]},
    ]
    position = {
        "hands": ["5c 9d", "5h 9s"],
        "discard_pile": "Kc",
        "stock": "",
        "melds": melds,
        "scores": [3, 0],
        "seat": 0,
    }
    env.reset(options={"position": position})
    assert legal(env) == [env.action_space("player_0").n - 1]  # nothing to draw, nothing to dig
    env.step(legal(env)[0])
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
    env.reset(options={"position": position | {"scores": [4, 0]}})
    env.step(legal(env)[0])
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
