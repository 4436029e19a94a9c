"""Positions: the middle of a game is written, read back by both engines, and played on alike."""

from __future__ import annotations

import random

import pytest

from rummy500_env import Game, Rules
from tests.differential.random_rules import random_rules
from tests.differential.twin import play_on, twin_of


def middle_of_a_game(rules: Rules, num_players: int, chooser: random.Random) -> Game:
    """A game after some random moves, which is not over."""
    while True:
        game = Game(rules, num_players, chooser.randrange(2**64))
        for _ in range(chooser.randrange(250)):
            if game.is_over:
                break
            game.play(chooser.choice(game.legal_moves()))
        if not game.is_over:
            return game


@pytest.mark.parametrize("num_players", range(2, 9))
def test_positions_are_read_back_and_played_on_alike(num_players):
    chooser = random.Random(num_players)
    for seed in range(8):
        game = middle_of_a_game(Rules(), num_players, chooser)
        again = Game.from_position(game.position())
        assert again.position() == game.position()
        play_on(again, twin_of(game), seed, rounds=2, max_moves=60)


def test_positions_of_random_rules_are_played_on_alike():
    chooser = random.Random(0)
    for seed in range(40):
        rules, num_players = random_rules(chooser)
        game = middle_of_a_game(rules, num_players, chooser)
        again = Game.from_position(game.position())
        play_on(again, twin_of(game), seed, rounds=2, max_moves=60)


def near_the_target(chooser: random.Random, num_players: int) -> dict[str, object]:
    """A position in which most rounds bring somebody to the target, often several at once."""
    game = middle_of_a_game(Rules(), num_players, chooser)
    position = game.position()
    scores = [chooser.choice((485, 499, 500, 505)) for _ in range(num_players)]
    return {**position, "scores": scores, "round_number": 5}


@pytest.mark.parametrize("tie_break", ["highest", "went_out"])
def test_rounds_that_reach_the_target_together(tie_break):
    chooser = random.Random(7)
    for seed in range(25):
        position = near_the_target(chooser, 2 + seed % 3)
        game = Game.from_position({**position, "rules": {"tie_break": tie_break}})
        play_on(game, twin_of(game), seed, rounds=3)


@pytest.mark.parametrize(("hand", "score"), [("2c", 502), ("Kd", 510), ("9h 3h", 512)])
def test_ties_at_the_target_are_played_on(hand, score):
    # Seat 0 goes out with nothing laid; seat 1 falls to the same total.
    position = {"hands": ["5s", hand, "4s"], "phase": "play", "scores": [500, score, 300]}
    game = Game.from_position(position)
    table = twin_of(game)
    game.play("discard 5s")
    table.play("discard 5s")
    assert game.scores == [500, 500, 296]
    assert not game.is_over
    assert game.round_number == 2
    play_on(game, table, score, rounds=4)
