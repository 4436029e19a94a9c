"""Possible worlds in every kind of moment: they agree with what is known, and favour no truth."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from rummy500_env import Game, PositionError
from tests.support.games import cards_of, deck, playing
from tests.support.moments import MOMENTS, at_moment

P = 1e-4


@pytest.mark.parametrize("name", MOMENTS)
def test_a_world_agrees_with_all_that_a_seat_knows_at_every_moment(name):
    for seed in range(4):
        game = at_moment(name, seed)
        sizes = game.view(0).hand_sizes
        for seat in range(game.num_players):
            world = game.determinize(seat, seed)
            here, there = game.view_record(seat), world.view_record(seat)
            here["random"] = there["random"] = 0
            assert here.tobytes() == there.tobytes()
            assert world.observe(seat).tobytes() == game.observe(seat).tobytes()
            assert [len(hand.split()) for hand in world.position()["hands"]] == sizes
            assert cards_of(world) == deck(game)
            assert world.legal_actions()
            if game.current_seat == seat:
                assert world.legal_actions() == game.legal_actions()


@pytest.mark.parametrize("name", MOMENTS)
def test_a_world_is_a_position_and_plays_on_from_every_moment(name):
    for seed in range(2):
        game = at_moment(name, seed)
        for seat in range(game.num_players):
            world = game.determinize(seat, seed)
            again = Game.from_position(json.loads(json.dumps(world.position())))
            assert again.legal_moves() == world.legal_moves()
            for _ in playing(world, random.Random(seed), 300):
                assert world.is_over or world.legal_actions()
                if world.rounds:
                    break


# -- how often each world comes --------------------------------------------------------------------

WINDOW: dict[str, Any] = {
    "hands": ["2c 3c", "7h 8h", "9h"],
    "stock": "Ts 4s",
    "discard_pile": "Jd 9c",
    "discarded_by": [None, 0],
    "seat": 1,
    "phase": "window",
    "melds": [{"cards": "7c 7d 7s", "laid_by": [0, 0, 0]}],
    "rules": {"out_of_turn_play": "meld_and_layoff"},
}
GAMBIT: dict[str, Any] = {"num_jokers": 3, "joker_role": "nominated", "dealers_joker": True}
SMALL: dict[str, dict[str, Any]] = {
    "asked in a window": WINDOW,
    "asked for final layoffs": {
        **WINDOW,
        "phase": "final_layoff",
        "rules": {"final_layoff": "any_meld"},
    },
    "an opening begun in a window": {
        **WINDOW,
        "hands": ["2c 3c", "8c 8d 8h", "9s"],
        "stock": "8s Ts",
        "opened": [True, False, False],
        "turn": {"points": 21, "laid": "7c 7d 7s"},
        "melds": [{"cards": "7c 7d 7s", "laid_by": [1, 1, 1]}],
        "rules": {"out_of_turn_play": "meld_and_layoff", "first_meld_min": 40},
    },
    "called": {
        "hands": ["2c 3c", "7h 8h 9h"],
        "discard_pile": "Jd",
        "known": ["", "7h"],
        "stock": "Ts 4s",
        "melds": [{"cards": "7c 7d 7s", "laid_by": [0, 0, 0]}],
        "seat": 1,
        "phase": "obliged",
        "must_use": "7h",
        "turn": {"flags": ["called"]},
        "rules": {"call_rum": "pile_and_turn"},
    },
    "booting": {
        "hands": ["2c 3c", "7h 7d 7c 9s"],
        "discard_pile": "Jd",
        "stock": "7s 8s",
        "seat": 1,
        "phase": "play",
        "turn": {"flags": ["booting"]},
        "rules": {"skip_first_draw": True},
    },
    "the nomination": {
        "hands": ["2c", "4d 7h"],
        "discard_pile": "Jd",
        "stock": "7s **",
        "dealer": 1,
        "phase": "nominate",
        "rules": GAMBIT,
    },
    "a joker of the hand said to double": {
        "hands": ["2c 3c", "7h 7d 7c **"],
        "discard_pile": "Jd",
        "stock": "7s **",
        "seat": 1,
        "dealer": 0,
        "phase": "play",
        "turn": {"flags": ["double"]},
        "dealers_joker": {"effect": "double"},
        "rules": GAMBIT,
    },
    "the dealer's joker said to be used": {
        "hands": ["2c 3c", "7h 7d 9c"],
        "discard_pile": "Jd",
        "stock": "** 4s",
        "seat": 1,
        "dealer": 1,
        "phase": "play",
        "turn": {"flags": ["own"]},
        "dealers_joker": {"effect": "wild"},
        "rules": GAMBIT,
    },
    "the opening discard": {
        "hands": ["2c 3c", "7h 8h 9h"],
        "stock": "Ts 4s",
        "seat": 1,
        "dealer": 0,
        "phase": "opening",
        "rules": {"start_discard": "player_choice"},
    },
    "partners": {
        "hands": ["2c 3c", "7h", "9h", "Kc"],
        "stock": "Ts 4s",
        "discard_pile": "Jd 9c",
        "discarded_by": [None, 0],
        "seat": 1,
        "phase": "window",
        "melds": [{"cards": "7c 7d 7s", "laid_by": [0, 0, 0]}],
        "rules": {"out_of_turn_play": "layoff", "teams": "two_by_two"},
    },
}
"""Positions with few cards that seat 0 cannot see."""


def hands_of(game: Game) -> tuple[str, ...]:
    """Return all hands and the next card of the stock."""
    position = game.position()
    return (*position["hands"], position["stock"].split()[-1])


def arrangements(position: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the worlds of seat 0 that can be, each as often as the unseen cards can lie so."""
    hands = [hand.split() for hand in position["hands"]]
    known = [cards.split() for cards in position.get("known", [""] * len(hands))]
    if position["phase"] != "nominate":
        known[0] = hands[0]
    unseen = position["stock"].split()
    for hand, shown in zip(hands, known, strict=True):
        unseen += (Counter(hand) - Counter(shown)).elements()
    for order in permutations(unseen):
        cards = list(order)
        dealt = []
        for hand, shown in zip(hands, known, strict=True):
            size = len(hand) - len(shown)
            dealt.append(" ".join(shown + cards[:size]))
            del cards[:size]
        with suppress(PositionError):  # a world in which the seat to move could not go on
            yield hands_of(
                Game.from_position({**position, "hands": dealt, "stock": " ".join(cards)})
            )


@pytest.mark.parametrize("name", SMALL)
def test_worlds_that_can_be_are_equally_frequent(name):
    position = SMALL[name]
    weights = Counter(arrangements(position))
    game = Game.from_position(position)
    truth, number = hands_of(game), 3000
    assert weights[truth]
    rng = np.random.default_rng(11)
    found = Counter(hands_of(game.determinize(0, rng)) for _ in range(number))
    assert set(found) <= set(weights), "a world that cannot be"
    expected = {world: number * weight / weights.total() for world, weight in weights.items()}
    assert min(expected.values()) > 4
    distance = sum((found[world] - mean) ** 2 / mean for world, mean in expected.items())
    assert distance < chi2.isf(P, len(expected) - 1)
    assert abs(found[truth] - expected[truth]) < 4.5 * expected[truth] ** 0.5
