"""Clauses of the rules, on the engine: what a round begins with (the reference has its own)."""

from __future__ import annotations

from collections import Counter

import pytest

from rummy500_env import Game, Rules
from tests.support.games import cards_of


@pytest.mark.parametrize(
    ("players", "size", "stock"),
    [(2, 13, 25), (3, 7, 30), (4, 7, 23), (5, 7, 68), (6, 7, 61), (7, 7, 54), (8, 7, 47)],
)
def test_2_1_hands_stock_and_upcard(players, size, stock):
    position = Game("rummy500", players, seed=players).position()
    assert [len(hand.split()) for hand in position["hands"]] == [size] * players
    assert len(position["stock"].split()) == stock
    assert len(position["discard_pile"].split()) == 1
    assert position["discarded_by"] == [None]
    assert (position["melds"], position["phase"]) == ([], "draw")


def test_2_1_two_decks_from_five_players():
    for players, copies in ((4, 1), (5, 2)):
        cards = cards_of(Game("rummy500", players, seed=0))
        assert set(cards.values()) == {copies}
        assert cards.total() == 52 * copies


def test_2_1_left_of_the_dealer_moves_first():
    dealers = set()
    for seed in range(12):
        game = Game("rummy500", 3, seed)
        assert game.current_seat == (game.dealer + 1) % 3
        other_way = Game(Rules(direction=-1), 3, seed)
        assert other_way.current_seat == (other_way.dealer - 1) % 3
        dealers.add(game.dealer)
    assert dealers == {0, 1, 2}


def test_2_1_hands_are_kept_in_the_order_of_faces():
    for hand in Game("rummy500", 6, seed=3).position()["hands"]:
        order = ["cdhs".index(c[1]) * 13 + "A23456789TJQK".index(c[0]) for c in hand.split()]
        assert order == sorted(order)


def test_4_hand_size_as_number_and_as_map():
    for size, players, dealt in ((10, 4, 10), ({2: 10, 3: 7}, 3, 7), ({2: 10, 3: 7}, 2, 10)):
        game = Game(Rules(hand_size=size, players=(2, 3) if players < 4 else (2, 4)), players, 0)
        assert game.view(0).hand_sizes == [dealt] * players


def test_4_num_jokers_by_the_number_of_decks():
    base = Rules(num_jokers={1: 2, 2: 4}, joker_role="wild")
    for decks, jokers in ((1, 2), (2, 4)):
        rules = base.replace(num_decks=decks)
        cards = cards_of(Game(rules, 3, seed=1))
        assert (cards.total(), cards["**"]) == (52 * decks + jokers, jokers)


def test_9_20_short_decks_have_the_first_ranks_and_suits():
    rules = Rules(num_ranks=5, num_suits=2, hand_size=3, set_min_len=2, run_min_len=2)
    cards = cards_of(Game(rules, 2, seed=0))
    assert cards == Counter(rank + suit for rank in "A2345" for suit in "cd")
