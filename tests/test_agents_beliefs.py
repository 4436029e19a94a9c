"""Beliefs: what speaks against a hidden hand is counted, and worlds are sampled accordingly."""

from __future__ import annotations

import numpy as np
import pytest

import agents
from agents.beliefs import CASES, COSTS, believed_worlds, count_cases, log_weights
from rummy500_env import Game, Worlds
from rummy500_env.arrays import checked_views
from rummy500_env.engine.rules_record import rules_record

VIEW = {
    "hands": ["2c 5d", "Jh Js Qd 3h"],
    "discard_pile": "6c Jc 8h",
    "stock": "4s Ts 7d Kd Qs 4h 9c",
    "discards": ["", "8h"],
    "passed": ["", "Jc"],
    "melds": [{"cards": "Kc Kh Ks", "owner": 0}],
}
"""Seat 1 has left the jack of clubs and thrown the eight of hearts."""


def _game(hand):
    """The position with another hand of seat 1, its other cards in the stock."""
    hidden = f"{VIEW['hands'][1]} {VIEW['stock']}".split()
    rest = [card for card in hidden if card not in hand.split()]
    return Game.from_position({**VIEW, "hands": [VIEW["hands"][0], hand], "stock": " ".join(rest)})


def _cases(hand):
    game = _game(hand)
    cases = np.zeros((1, len(CASES)), np.int64)
    views = checked_views(game.view_record(0), 2)
    count_cases(views, rules_record(game.rules, 2), game.state(), cases)
    return dict(zip(CASES, cases[0].tolist(), strict=True))


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("hand", "counted"),
    [
        ("4s Ts Qd 4h", {}),
        ("Jh Js Qd 4s", {"left": 1}),  # two jacks: it would have dug the third
        ("Kd Qd 4s 3h", {"layoffs": 1}),  # the kings on the table take the fourth
        ("9c 7d 4s 3h", {}),  # other suits and ranks than the eight of hearts
        ("Jh Ts Qs Js", {"left": 1, "melds": 1}),  # a run of spades
        ("Jh Qd 4s 4h", {}),
    ],
)
def test_what_speaks_against_a_hand(hand, counted):
    assert _cases(hand) == dict.fromkeys(CASES, 0) | counted


@pytest.mark.nojit
def test_partners_of_what_it_threw_are_counted_each():
    position = {**VIEW, "discards": ["", "Jc"], "passed": ["", ""]}
    game = Game.from_position(position)
    weights = log_weights(game.view_record(0), Worlds(game.state(), game.rules, 2))
    assert weights.tolist() == [-2 * COSTS[CASES.index("thrown")]]  # both other jacks


def test_known_cards_are_no_guess():
    """What everybody knows a hand to hold is the same in all worlds: nothing is to be judged."""
    position = {**VIEW, "known": ["", "Kd"], "hands": ["2c 5d", "Kd Qd 4s 3h"]}
    position["stock"] = "Jh Js Ts 7d Qs 4h 9c"
    game = Game.from_position(position)
    assert log_weights(game.view_record(0), Worlds(game.state(), game.rules, 2)).tolist() == [0]


def test_worlds_are_sampled_by_their_weights():
    game, count = Game.from_position(VIEW), 4000
    view = game.view_record(0)

    def sampled(strength):
        rng = np.random.default_rng(5)
        worlds = believed_worlds(view, count, game.rules, 2, rng, strength)
        assert len(worlds) == count
        return log_weights(view, worlds)

    even, weighed, strong = (sampled(strength) for strength in (0, 1, 3))
    # One of eight, in proportion: what is expected comes from even worlds, in groups of eight.
    groups = sampled_groups = even.reshape(-1, 8)
    shares = np.exp(sampled_groups)
    expected = ((shares * groups).sum(axis=1) / shares.sum(axis=1)).mean()
    error = groups.std() / np.sqrt(len(groups) / 8)
    assert abs(weighed.mean() - expected) < 4 * error
    assert even.mean() < weighed.mean() < strong.mean() <= 0


def test_without_a_belief_worlds_are_those_of_the_view():
    game = Game.from_position(VIEW)
    view = game.view_record(0)
    plain = Worlds.of_views(view, np.zeros(5, np.int64), game.rules, 2, np.random.default_rng(3))
    same = believed_worlds(view, 5, game.rules, 2, np.random.default_rng(3))
    assert same.states.tobytes() == plain.states.tobytes()


@pytest.mark.parametrize("name", ["greedy", "advisor", "learned"])
def test_true_hands_are_more_likely_than_sampled_ones(name):
    """Over decisions of an agent's rounds, the true world weighs more than an even share."""
    player = agents.make(name)
    gains = []
    for seed in range(25):
        game = Game("rummy500", 2, seed=seed, episode="round")
        player.reset(game.rules, 2, 0)
        while not game.is_over:
            view = game.view_record(game.current_seat)
            if game.phase == "draw" and len(game.history) > 8:
                worlds = Worlds.of_view(game.view(game.current_seat), 31, seed)
                true = log_weights(view, Worlds(game.state(), game.rules, 2))
                both = np.concatenate([true, log_weights(view, worlds)])
                gains.append(true[0] - np.log(np.exp(both).mean()))
            game.step(int(player.act(view, game.action_mask()[None])[0]))
    assert len(gains) > 60
    assert np.mean(gains) > 2 * np.std(gains) / np.sqrt(len(gains))
