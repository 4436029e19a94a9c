"""Possible worlds agree with what a seat knows, are drawn evenly, and do not favour the truth."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from rummy500_env import Game, Rules
from tests.differential.random_rules import random_rules
from tests.support.games import cards_of, deck, middle_game, playing, state_bytes

P = 1e-4


@pytest.mark.parametrize("num_players", range(2, 9))
def test_a_world_agrees_with_all_that_a_seat_knows(num_players):
    for seed in range(6):
        game = middle_game(num_players, seed, min_moves=20 * seed)
        before = state_bytes(game)
        for seat in range(num_players):
            world = game.determinize(seat, seed)
            here, there = game.view_record(seat), world.view_record(seat)
            here["random"] = there["random"] = 0
            assert here.tobytes() == there.tobytes()
            assert world.observe(seat).tobytes() == game.observe(seat).tobytes()
            assert world.legal_actions()
            if game.current_seat == seat:
                assert world.legal_actions() == game.legal_actions()
            assert cards_of(world) == deck(game)
            assert (world.rules, world.num_players) == (game.rules, game.num_players)
        assert state_bytes(game) == before


def test_a_world_of_a_seed_is_always_the_same():
    game = middle_game(3, 2)
    assert state_bytes(game.determinize(1, 5)) == state_bytes(game.determinize(1, 5))
    assert state_bytes(game.determinize(1, 5)) != state_bytes(game.determinize(1, 6))
    rng = np.random.default_rng(1)
    worlds = {state_bytes(game.determinize(1, rng)) for _ in range(20)}
    assert len(worlds) == 20


def test_a_world_has_other_later_deals():
    """Neither seed nor chance word is the true one, and the next round's hands differ."""
    for seed in range(5):
        game = middle_game(2, seed)
        world = game.determinize(0, seed)
        assert world.seed != game.seed
        assert world._record["chance"] != game._record["chance"]
        nexts = []
        for table in (game, world):
            for _ in playing(table, random.Random(1), 3000):
                if table.rounds and not table.is_over:
                    break
            nexts.append(table.position())
        if "over" not in (game.phase, world.phase):
            assert nexts[0]["hands"] != nexts[1]["hands"]
            assert nexts[0]["discard_pile"] != nexts[1]["discard_pile"]


def test_a_world_agrees_with_what_a_seat_knows_under_random_rules():
    chooser = random.Random(5)
    worlds = 0
    for seed in range(60):
        rules, num_players = random_rules(chooser)
        game = middle_game(num_players, seed, rules=rules)
        seat = chooser.randrange(num_players)
        world = game.determinize(seat, seed)
        assert world.observe(seat).tobytes() == game.observe(seat).tobytes()
        assert cards_of(world) == cards_of(game)
        worlds += 1
    assert worlds > 50


@pytest.mark.parametrize("stock_exhausted", ["reshuffle", "turn_over"])
def test_worlds_keep_what_is_known_of_a_refilled_stock(stock_exhausted):
    rules = Rules(stock_exhausted=stock_exhausted, max_reshuffles=None, discard_take="top_only")
    worlds = 0
    for seed in range(80):
        game = middle_game(3, seed, rules=rules, min_moves=70)
        truth = game.position()
        if not truth["counters"]["reshuffles"]:
            continue
        for seat in range(3):
            world = game.determinize(seat, seed).position()
            assert world["drawn_of_it"][seat] == truth["drawn_of_it"][seat]
            if truth["stock_open"]:
                assert world["stock"] == truth["stock"]
            refilled = Counter(truth["stock_known"].split())
            for other in range(3):
                drawn = Counter(world["drawn_of_it"][other].split())
                assert drawn.total() == len(truth["drawn_of_it"][other].split())
                assert drawn <= refilled
                assert drawn <= Counter(world["hands"][other].split())
            if refilled:
                assert Counter(world["stock"].split()) <= refilled
            worlds += 1
    assert worlds > 30


def test_worlds_play_to_the_end():
    for seed in range(10):
        world = middle_game(3, seed).determinize(seed % 3, seed)
        for _ in playing(world, random.Random(seed), 5000):
            if world.rounds:
                break
        assert world.rounds


def test_a_world_differs_from_the_truth():
    game = Game("rummy500", 2, seed=1)
    truth = game.position()
    for seed in range(50):
        world = game.determinize(0, seed).position()
        assert world["hands"][0] == truth["hands"][0]
        assert world["hands"][1] != truth["hands"][1]
        assert world["stock"] != truth["stock"]


def chi_square(counts: Counter[Any], expected: dict[Any, float]) -> float:
    """Return the sum of squared differences over what was expected."""
    assert set(counts) <= set(expected), "a world that cannot be"
    return sum((counts[key] - number) ** 2 / number for key, number in expected.items())


def sampled(position: dict[str, Any], seat: int, number: int, opponent: int) -> Counter[Any]:
    """Count hand of an opponent and next card of the stock over sampled worlds."""
    game = Game.from_position(position)
    rng = np.random.default_rng(2024)
    counts: Counter[Any] = Counter()
    for _ in range(number):
        world = game.determinize(seat, rng)
        top = np.uint8(world._record["stock"][0, int(world._record["stock_size"][0]) - 1])
        counts[world._record["hands"][0, opponent].tobytes(), int(top)] += 1
    return counts


def words(cards: str) -> bytes:
    """Return a hand as the record has it."""
    game = Game.from_position({"hands": [cards, ""], "rules": DECKS})
    return game._record["hands"][0, 0].tobytes()


DECKS = {"num_decks": 2}


def face(card: str) -> int:
    return "cdhs".index(card[1]) * 13 + "A23456789TJQK".index(card[0])


SMALL: dict[str, Any] = {
    "hands": ["7c 8c", "Kh 7d 9s"],
    "discard_pile": "2h",
    "stock": "Ts 4s 5h 8d",
    "known": ["", "Kh"],
}


def test_worlds_of_a_small_position_are_equally_frequent():
    """Six unseen cards: two of them in the other hand, which holds a known king, four in stock."""
    number, unseen = 20_000, ["7d", "9s", "Ts", "4s", "5h", "8d"]
    expected = {
        (words(f"Kh {one} {two}"), face(top)): number / 60
        for one, two in combinations(unseen, 2)
        for top in set(unseen) - {one, two}
    }
    assert len(expected) == 60
    counts = sampled(SMALL, 0, number, 1)
    assert chi_square(counts, expected) < chi2.isf(P, 59)
    truth = counts[words("Kh 7d 9s"), face("8d")]
    assert abs(truth - number / 60) < 4 * (number / 60) ** 0.5


def test_worlds_with_equal_faces_are_as_frequent_as_their_cards():
    """Unseen are two sevens of clubs and two other cards, of which the other hand has two."""
    position = {
        "hands": ["2c 3c", "7c 7c"],
        "discard_pile": "2h",
        "stock": "9s 4d",
        "rules": DECKS,
    }
    number = 20_000
    weights = Counter[Any]()
    cards = ["7c", "7c", "9s", "4d"]
    for pair in combinations(range(4), 2):
        for top in set(range(4)) - set(pair):
            weights[words(f"{cards[pair[0]]} {cards[pair[1]]}"), face(cards[top])] += 1
    expected = {key: number * weight / 12 for key, weight in weights.items()}
    counts = sampled(position, 0, number, 1)
    assert chi_square(counts, expected) < chi2.isf(P, len(expected) - 1)


def test_worlds_of_another_seat_under_an_obligation_are_those_in_which_it_can_move():
    """Seat 1 has dug a seven: only worlds count in which it can lay it down."""
    position = {
        "hands": ["2c 3c", "7h 7d 7s"],
        "discard_pile": "2h",
        "stock": "9s 4d 8h 9h",
        "known": ["", "7h"],
        "seat": 1,
        "phase": "obliged",
        "must_use": "7h",
    }
    number = 20_000
    placing = [("7d", "7s"), ("8h", "9h")]
    unseen = ["7d", "7s", "9s", "4d", "8h", "9h"]
    expected = {
        (words(f"7h {one} {two}"), face(top)): number / 8
        for one, two in placing
        for top in set(unseen) - {one, two}
    }
    counts = sampled(position, 0, number, 1)
    assert chi_square(counts, expected) < chi2.isf(P, 7)


def test_worlds_of_three_hands_fill_each_as_often():
    """Four unseen cards: one in each of two hands and two in the stock, twelve ways."""
    position = {
        "hands": ["2c 3c", "7h", "7d"],
        "discard_pile": "2h",
        "stock": "9s 4d",
        "rules": {},
    }
    game = Game.from_position(position)
    rng = np.random.default_rng(7)
    counts: Counter[Any] = Counter()
    for _ in range(6000):
        hands = game.determinize(0, rng)._record["hands"][0, 1:3].tobytes()
        counts[hands] += 1
    assert len(counts) == 12
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < chi2.isf(P, 11)
