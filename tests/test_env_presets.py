"""Rewards and forced moves under every preset, and in rules that have what presets leave apart."""

from __future__ import annotations

import random

import pytest

import rummy500_env as r5
from rummy500_env.presets import presets
from tests.differential.random_rules import random_rules
from tests.support.moments import MOMENTS
from tests.support.playing import Beside, finish, legal, record, steps

REWARDS = ("score", "points", "own_points", "win")
TABLES = [(name, r5.Rules.preset(name).player_counts()[-1]) for name in presets()]


def pays_what_the_game_says(
    rules: r5.Rules, num_players: int, reward: str, episode: str = "game"
) -> Beside:
    """Play an episode and compare what each action pays; sides are paid alike, and evenly."""
    env = r5.env(rules, num_players, reward=reward, episode=episode)
    env.reset(seed=num_players)
    beside = Beside(r5.Game(rules, num_players, num_players, episode), reward)
    for _, action in steps(env, seed=21, limit=600):
        paid = list(env.rewards.values())
        assert paid == pytest.approx(beside.step(action), abs=1e-9)
        sides = paid
        if rules.teams != "none":
            assert paid[:2] == paid[2:]
            sides = paid[:2]
        if reward != "own_points":
            assert sum(sides) == pytest.approx(0, abs=1e-9)
    return beside


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_every_action_pays_what_the_game_says_under_every_preset(name, num_players, reward):
    rules = r5.Rules.preset(name)
    pays_what_the_game_says(rules, num_players, reward, episode="round")


@pytest.mark.parametrize("reward", REWARDS)
def test_every_action_pays_what_the_game_says_under_random_rules(reward):
    chooser = random.Random(reward)
    for _ in range(25):
        rules, num_players = random_rules(chooser)
        pays_what_the_game_says(rules, num_players, reward)


@pytest.mark.parametrize("reward", REWARDS)
def test_every_action_pays_what_the_game_says_in_games_with_a_bonus_for_a_side(reward):
    options = {"teams": "two_by_two", "game_bonus": 50, "go_out_bonus": 25, "target_score": 100}
    beside = pays_what_the_game_says(r5.Rules(**options), 4, reward)
    assert beside.game.is_over


@pytest.mark.parametrize("reward", ["score", "own_points"])
def test_a_game_that_the_clock_ends_pays_no_bonus(reward):
    pays_what_the_game_says(r5.Rules(clock_budget=20, game_bonus=50), 2, reward)


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_points_add_up_to_the_score_of_a_round_under_every_preset(name, num_players):
    paid = []
    for reward in ("points", "score"):
        env = r5.env(name, num_players, reward=reward, episode="round")
        env.reset(seed=4)
        paid.append(finish(env, seed=3))
    assert paid[0] == pytest.approx(paid[1])


@pytest.mark.parametrize("name", [*presets(), *MOMENTS])
def test_single_moves_are_skipped_alike_in_every_phase(name):
    """The table is the same as when somebody had played them, and each agent has a choice."""
    if name in MOMENTS:
        rules, num_players = MOMENTS[name].rules, MOMENTS[name].num_players
    else:
        rules = r5.Rules.preset(name)
        num_players = rules.player_counts()[0]
    skipping = r5.env(rules, num_players, skip_forced=True, reward="points")
    plain = r5.env(rules, num_players, reward="points")
    chooser = random.Random(name)
    for env in (skipping, plain):
        env.reset(seed=8)
    paid = dict(plain.rewards)
    for _ in range(60):
        while len(legal(plain)) == 1:
            plain.step(legal(plain)[0])
            paid = {agent: paid[agent] + plain.rewards[agent] for agent in paid}
        assert record(plain) == record(skipping)
        assert plain.agent_selection == skipping.agent_selection
        assert skipping.rewards == pytest.approx(paid)
        if skipping.terminations[skipping.agent_selection]:
            return
        assert len(legal(skipping)) > 1
        action = chooser.choice(legal(skipping))
        skipping.step(action)
        plain.step(action)
        paid = dict(plain.rewards)
