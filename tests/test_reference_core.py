"""The oracle against the rules, clause by clause: the core game (sections 2 and 6, defaults)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.reference import Table
from tests.reference.build import shuffle_of


def new_game(num_players: int, seed: int = 0, single_round: bool = True, **options: Any) -> Table:
    return Table(options, num_players, shuffle_of(seed), 0, single_round)


# 2.1 Setup.


@pytest.mark.parametrize(
    ("players", "size", "stock"),
    [(2, 13, 25), (3, 7, 30), (4, 7, 23), (5, 7, 68), (6, 7, 61), (7, 7, 54), (8, 7, 47)],
)
def test_2_1_hands_stock_and_upcard(players, size, stock):
    table = new_game(players)
    position = table.position()
    assert [len(hand.split()) for hand in position["hands"]] == [size] * players
    assert len(position["stock"].split()) == stock
    assert len(position["discard_pile"].split()) == 1
    assert position["discarded_by"] == [None]


def test_2_1_left_of_dealer_moves_first_and_deal_passes_left():
    table = new_game(3, single_round=False)
    assert (table.current_seat, table.dealer, table.phase) == (1, 0, "draw")
    while table.round_number == 1:
        table.play(table.legal_moves()[0])
    assert (table.current_seat, table.dealer, table.phase) == (2, 1, "draw")


def test_9_17_cards_of_the_seats_do_not_depend_on_the_dealer():
    deals = [Table({}, 3, shuffle_of(5), dealer).position() for dealer in range(3)]
    assert deals[0]["hands"] == deals[1]["hands"] == deals[2]["hands"]
    assert deals[0]["discard_pile"] == deals[2]["discard_pile"]


def test_9_17_order_of_the_deal():
    table = Table({}, 2, lambda _r, _f, n: list(range(n)), 0)
    position = table.position()
    assert position["hands"][0].split() == [r + "c" for r in "A23456789TJQK"]
    assert position["hands"][1].split() == [r + "d" for r in "A23456789TJQK"]
    assert position["discard_pile"] == "Ah"
    assert position["stock"].split()[-1] == "2h"  # drawn first
    assert position["stock"].split()[0] == "Ks"


def test_2_1_two_decks_from_five_players():
    for players, copies in ((4, 1), (5, 2)):
        position = new_game(players).position()
        cards = " ".join([*position["hands"], position["discard_pile"], position["stock"]]).split()
        assert set(Counter(cards).values()) == {copies}
        assert len(cards) == 52 * copies
