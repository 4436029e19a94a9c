"""What holds at every point of every game: cards, points and counts agree with each other."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy500_env import Game, IllegalActionError, Rules
from tests.differential.random_rules import random_rules
from tests.support.games import cards_of, deck, middle_game, playing, state_bytes
from tests.support.presets import preset_tables

PIPS = dict(zip("A23456789TJQK", (None, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True))


def check(game: Game) -> None:
    """Check everything that a position says twice."""
    position = game.position()
    seats = range(game.num_players)
    assert cards_of(game) == deck(game)
    if game.rules.boodle_pots:
        assert sum(position["chips"]) + sum(position["pots"].values()) == 0
    assert game.legal_actions(), "no legal action"
    assert game.action_mask().nonzero()[0].tolist() == game.legal_actions()
    view = game.view(0)
    hands = [Counter(hand.split()) for hand in position["hands"]]
    assert view.hand_sizes == [hand.total() for hand in hands]
    assert view.stock_size == len(position["stock"].split())
    assert view.discard_pile == position["discard_pile"].split()
    assert all(Counter(view.known(seat)) <= hands[seat] for seat in seats)
    points = [0] * game.num_players
    for meld in view.melds:
        for seat, value in zip(meld.laid_by, meld.values, strict=True):
            points[seat] += value
    assert position["table_points"] == game.table_points == view.table_points == points
    for seat in seats:
        other = game.view(seat)
        unseen = Counter(other.unseen)
        known = sum((Counter(other.known(s)) for s in seats if s != seat), Counter[str]())
        stock = "" if position.get("stock_open") else position["stock"]
        looked = [] if game.phase == "nominate" else [seat]  # before that no hand is looked at
        hidden = sum((hands[s] for s in seats if s not in looked), Counter(stock.split()))
        assert unseen + known == hidden


def accepts_exactly_its_mask(game: Game) -> None:
    """Check that each action is accepted or refused as the mask says; refused, it does nothing."""
    before, history = state_bytes(game), list(game.history)
    mask = game.action_mask()
    for action in range(game.action_space.n):
        if mask[action]:
            twin = game.clone()
            twin.step(action)
            assert twin.is_over or twin.legal_actions()
        else:
            with pytest.raises(IllegalActionError):
                game.step(action)
    assert (state_bytes(game), game.history) == (before, history)


@pytest.mark.parametrize("num_players", range(2, 9))
def test_cards_are_conserved_and_points_add_up(num_players):
    chooser = random.Random(num_players)
    game = Game("rummy500", num_players, seed=num_players)
    for step, _ in enumerate(playing(game, chooser, 500)):
        if not game.is_over and step % 2 == 0:
            check(game)


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("num_players", [2, 8])
def test_a_short_game_is_consistent(num_players):
    game = Game("rummy500", num_players, seed=1)
    for step, _ in enumerate(playing(game, random.Random(1), 120)):
        if step % 10 == 0:
            check(game)


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_random_rules_are_consistent(seed):
    chooser = random.Random(seed)
    rules, num_players = random_rules(chooser)
    game = Game(rules, num_players, chooser.randrange(2**64))
    for step, _ in enumerate(playing(game, chooser, 150)):
        if not game.is_over and step % 15 == 0:
            check(game)
    if not game.is_over:
        accepts_exactly_its_mask(game)


@pytest.mark.parametrize(("name", "num_players"), preset_tables())
def test_presets_are_consistent(name, num_players):
    """Cards, points and chips add up from one round into the next, and no mask is empty."""
    game = Game(name, num_players, seed=num_players)
    for step, _ in enumerate(playing(game, random.Random(name), 400)):
        if not game.is_over and step % 5 == 0:
            check(game)
        if not game.is_over and step in (0, 150):
            accepts_exactly_its_mask(game)


@pytest.mark.parametrize("num_players", [2, 4, 6])
def test_values_on_the_table_are_those_of_the_cards(num_players):
    for seed in range(10):
        for meld in middle_game(num_players, seed, min_moves=60).view(0).melds:
            for place, (card, value) in enumerate(zip(meld.cards, meld.values, strict=True)):
                low_ace = meld.kind == "run" and place == 0
                assert value == (PIPS[card[0]] or (1 if low_ace else 15))


def test_the_deal_passes_left():
    game = Game(Rules(target_score=2000), 3, seed=5)
    dealers = []
    for _ in playing(game, random.Random(5), 2000):
        if len(game.rounds) == len(dealers):
            dealers.append(game.dealer)
    assert len(dealers) > 4
    assert all((before + 1) % 3 == after for before, after in pairwise(dealers))


def test_a_round_never_takes_more_turns_than_stock_and_deck_allow():
    for seed in range(60):
        game = Game("rummy500", 2, seed, episode="round")
        turns = 0
        for _ in playing(game, random.Random(seed)):
            if not game.is_over:
                turns = max(turns, game.position()["counters"]["turns"])
        assert 0 < turns < 25 + 52


def test_scores_are_the_sums_of_the_rounds():
    for seed in range(5):
        game = Game(Rules(target_score=150), 3, seed)
        for _ in playing(game, random.Random(seed)):
            totals = [sum(r.scores[seat] for r in game.rounds) for seat in range(3)]
            assert game.scores == totals
        assert max(game.scores) >= 150
        assert game.winners == [game.scores.index(max(game.scores))]
        assert game.scores.count(max(game.scores)) == 1


def test_a_single_round_is_won_by_its_best_scores():
    for seed in range(30):
        game = Game("rummy500", 3, seed, episode="round")
        for _ in playing(game, random.Random(seed)):
            pass
        assert len(game.rounds) == 1
        scores = list(game.rounds[0].scores)
        assert game.scores == scores
        assert game.winners == [seat for seat in range(3) if scores[seat] == max(scores)]
        assert game.truncated_by is None
