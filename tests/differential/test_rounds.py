"""Random play on the engine and on the reference: every move, mask, view and score is equal."""

from __future__ import annotations

import random

import pytest

from rummy500_env import Rules
from rummy500_env.presets import presets
from tests.differential.random_rules import random_rules
from tests.differential.twin import play_both

ROUNDS = {2: 50, 3: 36, 4: 30, 5: 16, 6: 14, 7: 11, 8: 11}


@pytest.mark.parametrize("num_players", ROUNDS)
def test_rounds_of_the_standard_game(num_players):
    for seed in range(ROUNDS[num_players]):
        play_both(Rules(), num_players, seed, single_round=seed % 2 == 0)


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("num_players", [2, 5])
def test_a_round_of_the_standard_game(num_players):
    assert play_both(Rules(), num_players, 1000) > 30


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_games_over_many_rounds(num_players):
    rules = Rules(target_score=200)
    for seed in range(3):
        play_both(rules, num_players, seed, rounds=1000, every_view=50)


@pytest.mark.parametrize("name", presets())
def test_rounds_of_every_preset(name):
    rules = Rules.preset(name)
    counts = rules.player_counts()
    for seed, num_players in enumerate((counts[0], counts[-1], counts[len(counts) // 2])):
        play_both(rules, num_players, 2000 + seed, single_round=seed == 0, max_moves=300)


@pytest.mark.boundscheck
@pytest.mark.parametrize("seed", range(8))
def test_rounds_of_random_rules(seed):
    chooser = random.Random(seed)
    for _ in range(10):
        rules, num_players = random_rules(chooser)
        single = chooser.random() < 0.5
        game = chooser.randrange(2**64)
        play_both(rules, num_players, game, rounds=2, single_round=single, max_moves=250)


@pytest.mark.nojit
def test_short_play_of_random_rules():
    chooser = random.Random(12)
    for _ in range(25):
        rules, num_players = random_rules(chooser)
        play_both(rules, num_players, chooser.randrange(2**64), max_moves=40)
