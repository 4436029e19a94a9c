"""The oracle against the rules, clause by clause: the dealer's joker (sections 5.1 and 9.14)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.reference import Table
from tests.reference.build import play_randomly, shuffle_of
from tests.reference.presets import PRESETS

BASE: dict[str, Any] = {
    "num_jokers": 3,
    "dealers_joker": True,
    "joker_role": "nominated",
    "joker_table_value": 0,
    "joker_hand_value": 0,
    "direction": -1,
}


def test_5_1_one_joker_is_taken_out_and_the_dealer_nominates():
    table = Table({**BASE, "num_jokers": 2}, 3, shuffle_of(0), 1)
    position = table.position()
    cards = " ".join([*position["hands"], position["discard_pile"], position["stock"]]).split()
    assert (len(cards), cards.count("**")) == (53, 1)
    assert (table.phase, table.current_seat) == ("nominate", 1)
    assert table.legal_moves() == ["nominate double", "nominate wild"]
    table.play("nominate wild")
    assert (table.phase, table.current_seat) == ("draw", 0)  # counter-clockwise


def test_9_14_while_nominating_every_view_hides_every_hand():
    table = Table({**BASE, "num_jokers": 2}, 3, shuffle_of(0), 1)
    for seat in range(3):
        view = table.view(seat)
        assert view["hand"] == ""
        assert len(view["unseen"].split()) == 54 - 1 - 1  # the upcard, the dealer's joker
    table.play("nominate wild")
    assert len(table.view(0)["hand"].split()) == 7


def test_random_games_keep_all_cards():
    for seed in range(6):
        table = Table(PRESETS["dealers_joker_56"], 3, shuffle_of(seed), 0, single_round=True)
        while not table.is_over:
            moves = table.legal_moves()
            table.play(moves[seed * 31 % len(moves)])
            position = table.position()
            cards = Counter(
                " ".join([*position["hands"], position["discard_pile"], position["stock"]]).split()
            )
            for meld in position["melds"]:
                cards += Counter("**" if "**" in c else c for c in meld["cards"].split())
                cards["**"] += meld["doubled"]
            beside = {"free": 1, "blocked": 2, "used": 0}
            cards["**"] += beside[position["dealers_joker"]["state"]]
            assert (cards.total(), cards["**"]) == (56, 4)
    assert play_randomly(Table(PRESETS["dealers_joker"], 2, shuffle_of(1), 0), 1).winners
