"""The oracle against searches that try everything: melds by all subsets, digs by all orders."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import pytest

from tests.reference import Table
from tests.reference.build import shuffle_of, some
from tests.reference.cards import RANKS, pack
from tests.reference.melds import new_melds
from tests.reference.options import resolve

# Every subset of a hand, tried as a meld.


def is_set(cards: tuple[str, ...]) -> bool:
    return 3 <= len(cards) <= 4 and len({card[0] for card in cards}) == 1


def is_run(cards: tuple[str, ...], ace_rank: str) -> bool:
    if len(cards) < 3 or len({card[1] for card in cards}) > 1 or len(set(cards)) < len(cards):
        return False
    places = {RANKS.index(card[0]) + 1 for card in cards}
    ways = []
    for start in range(1, 14):
        if ace_rank == "round_the_corner":
            ways.append({(start + step - 1) % 13 + 1 for step in range(len(cards))})
        else:
            interval = [start + step for step in range(len(cards))]
            low_ok = interval[0] >= (2 if ace_rank == "high" else 1)
            high_ok = interval[-1] <= (13 if ace_rank == "low" else 14)
            if low_ok and high_ok:
                ways.append({(place - 1) % 13 + 1 for place in interval})
    return places in ways


@pytest.mark.parametrize("ace_rank", ["low", "high", "high_or_low", "round_the_corner"])
@pytest.mark.parametrize("decks", [1, 2])
def test_2_2_melds_are_the_subsets_that_are_sets_or_runs(ace_rank, decks):
    rng = Random(decks)
    options = resolve({"ace_rank": ace_rank, "num_decks": decks}, 2)
    for _ in range(8):
        suits = rng.choice([1, 4])  # hands of one suit too, for long runs
        hand = rng.sample(pack(13, suits, decks, 0), 11)
        found = {
            tuple(sorted(meld.cards().elements()))
            for meld in new_melds(Counter(hand), "none", [], options, None)
        }
        wanted = {
            tuple(sorted(subset))
            for size in range(3, 12)
            for subset in combinations(hand, size)
            if is_set(subset) or is_run(subset, ace_rank)
        }
        assert found == wanted


# Every dig, by every meld of three cards and every order of single layoffs.


def takes(meld: list[str], card: str) -> list[list[str]]:
    """The melds that a layoff of the card could make of a meld."""
    if len({face[0] for face in meld}) == 1:
        return [[*meld, card]] if len(meld) < 4 and card[0] == meld[0][0] else []
    if card[1] != meld[0][1]:
        return []
    high = RANKS.index(meld[-1][0])
    low = RANKS.index(meld[0][0])
    grown = []
    if meld[-1][0] != "A" and RANKS[(high + 1) % 13] == card[0]:
        grown.append([*meld, card])
    if meld[0][0] != "A" and RANKS[low - 1] == card[0]:
        grown.append([card, *meld])
    return grown


def lays_off(table: list[list[str]], hand: list[str], target: str, keep: int) -> bool:
    """Whether the target goes to the table directly, or after cards of its suit on its run."""
    for index, meld in enumerate(table):
        for card in dict.fromkeys(hand):
            is_run = len({face[0] for face in meld}) > 1
            for grown in takes(meld, card):
                left = hand.copy()
                left.remove(card)
                if card == target and len(left) >= keep:
                    return True
                rest = [*table[:index], grown, *table[index + 1 :]]
                bridge = is_run and card != target and card[1] == target[1]
                if bridge and lays_off(rest, left, target, keep):
                    return True
    return False


@pytest.mark.parametrize("must_discard", [False, True])
@pytest.mark.parametrize("players", [2, 3])
def test_7_digs_equal_a_search_over_all_melds_and_orders(must_discard, players):
    options = {"must_discard_to_go_out": must_discard}
    keep = int(must_discard)
    table = Table(options, players, shuffle_of(players), 0, single_round=True)
    rng = Random(players)
    checked = 0
    while not table.is_over:
        moves = table.legal_moves()
        if table.phase == "draw":
            position = table.position()
            pile = position["discard_pile"].split()
            hand = position["hands"][table.current_seat].split()
            melds = [meld["cards"].split() for meld in position["melds"]]
            wanted = []
            for index, target in enumerate(pile):
                cards = hand + pile[index:]
                others = [card for card in cards if card != target]
                by_meld = len(cards) >= 3 + keep and any(
                    is_set((target, *pair)) or is_run((target, *pair), "high_or_low")
                    for pair in combinations(others, 2)
                )
                if by_meld or lays_off(melds, cards, target, keep):
                    wanted.append(f"dig {target}")
            assert some(table, "dig") == sorted(wanted)
            checked += len(pile)
        table.play(rng.choice(moves))
    assert checked > 100


def test_every_move_of_random_games_is_listed_once_and_some_are_there():
    kinds: Counter[str] = Counter()
    for seed in range(20):
        table = Table({}, 2, shuffle_of(seed), 0, single_round=True)
        rng = Random(seed)
        while not table.is_over:
            moves: Any = table.legal_moves()
            assert len(set(moves)) == len(moves) > 0
            move = rng.choice(moves)
            kinds[move.split()[0]] += 1
            table.play(move)
    assert {"draw", "dig", "meld", "layoff", "discard"} <= set(kinds)
