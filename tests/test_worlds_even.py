"""A hundred thousand possible worlds of tiny games against all arrangements there are.

The arrangements are listed from what a seat has seen, without the sampler: the cards it cannot
locate, dealt in every way to the other hands, with each that is left as the stock's next card.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from rummy500_env import Game, Rules, Worlds
from tests.support.games import playing

NUMBER = 100_000
P = 1e-4
DECK = {"num_ranks": 4, "num_suits": 3, "hand_size": 3}
TINY: dict[str, Any] = {**DECK, "set_min_len": 2, "run_min_len": 2}
REFILLS = {**TINY, "stock_exhausted": "reshuffle", "max_reshuffles": None}
SEAT = 0

Position = dict[str, Any]
World = tuple[int, ...]
"""Each other hand as a word with a bit for each face, and the face of the stock's next card."""


def word(cards: Sequence[str]) -> int:
    return sum(1 << "cdhs".index(card[1]) * 13 + "A234".index(card[0]) for card in cards)


def hidden(position: Position) -> tuple[list[list[str]], list[list[str]], list[list[str]]]:
    """Return of each other hand: known cards, unknown older ones, unknown ones like the stock's.

    After a refill the stock holds cards that were thrown: those of the hands are older, but for
    what was drawn since.
    """
    parts = []
    for k, hand in enumerate(position["hands"]):
        if k == SEAT:
            continue
        known = Counter(position["known"][k].split())
        unknown = Counter(hand.split()) - known
        fresh = unknown
        if position.get("stock_known"):
            fresh = Counter(position["drawn_of_it"][k].split())
        parts.append([list(cards.elements()) for cards in (known, unknown - fresh, fresh)])
    known, older, fresh = zip(*parts, strict=True)
    return list(known), list(older), list(fresh)


def dealt(cards: list[str], hands: list[list[str]]) -> Iterator[tuple[list[list[str]], list[str]]]:
    """Yield every way to deal cards to hands of these sizes, with the cards left over."""
    if not hands:
        yield [], cards
        return
    for hand in combinations(cards, len(hands[0])):
        rest = [card for card in cards if card not in hand]
        for others, left in dealt(rest, hands[1:]):
            yield [list(hand), *others], left


def arrangements(position: Position) -> list[World]:
    known, older, fresh = hidden(position)
    unseen = [*chain(*fresh), *position["stock"].split()]
    return [
        (*(word(k + o + f) for k, o, f in zip(known, olds, news, strict=True)), word([top]))
        for olds, _ in dealt([*chain(*older)], older)
        for news, rest in dealt(unseen, fresh)
        for top in rest
    ]


def sampled(game: Game) -> list[World]:
    """Return the worlds of a batch, drawn with a fixed seed."""
    states = Worlds.of_view(game.view(SEAT), NUMBER, 2024)._states
    rows = np.arange(NUMBER)
    tops = states["stock"][rows, states["stock_size"] - np.int64(1)]
    hands = states["hands"][:, 1 : game.num_players, 0]
    return list(zip(*hands.T.tolist(), (1 << tops.astype(np.int64)).tolist(), strict=True))


def distance(worlds: Sequence[World], possible: list[World]) -> float:
    """Return chi-square over its limit: more than 1 where the worlds are not equally frequent."""
    counts, mean = Counter(worlds), len(worlds) / len(possible)
    assert set(counts) <= set(possible), "a world that cannot be"
    assert mean > 30
    total = sum((counts[world] - mean) ** 2 / mean for world in possible)
    return float(total / chi2.isf(P, len(possible) - 1))


def any_moment(position: Position) -> bool:
    return True


def after_a_dig(position: Position) -> bool:
    known, _, fresh = hidden(position)
    return any(known) and any(fresh) and not position.get("stock_known")


def after_a_refill(position: Position) -> bool:
    _, older, fresh = hidden(position)
    return bool(position.get("stock_known")) and any(older) and any(fresh)


def after_both(position: Position) -> bool:
    return after_a_refill(position) and any(hidden(position)[0])


def game_at(options: dict[str, Any], num_players: int, moment: Any) -> Game:
    """Return the first game of random play that has come to such a moment."""
    for seed in range(10_000):
        game = Game(Rules(**options), num_players, seed)
        for _ in playing(game, random.Random(seed), 60):
            if game.rounds:
                break
            position = game.position()
            if game.phase != "obliged" and position["stock"] and moment(position):
                return game
    raise AssertionError("no such moment")


CASES = {
    "two hands": (TINY, 2, any_moment),
    "three hands": ({**TINY, "num_ranks": 3, "hand_size": 2}, 3, any_moment),
    "after a dig": (TINY, 2, after_a_dig),
    "after a refill": (REFILLS, 2, after_a_refill),
    "after a refill and a dig": (REFILLS, 2, after_both),
}


@pytest.mark.parametrize("name", CASES)
def test_worlds_are_equally_frequent_and_a_belief_would_be_noticed(name):
    game = game_at(*CASES[name])
    possible = arrangements(game.position())
    assert len(set(possible)) == len(possible) > 3
    worlds = sampled(game)
    assert distance(worlds, possible) < 1

    # A belief that takes some worlds for 9/10 as likely as others, which the same test refuses.
    doubted = set(possible[: len(possible) // 2])
    chance = np.random.default_rng(1).random(NUMBER)
    pairs = zip(worlds, chance, strict=True)
    believed = [world for world, drawn in pairs if drawn < (0.9 if world in doubted else 1)]
    assert distance(believed, possible) > 1.2
