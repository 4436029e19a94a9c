"""The oracle against the rules, clause by clause: scores of rounds, the game."""

from __future__ import annotations

from tests.reference import Table
from tests.reference.build import shuffle_of


def test_5_2_each_player_pays_one_chip_to_each_pot_and_the_dealer_two():
    options = {"boodle_pots": True}
    table = Table(options, 4, shuffle_of(0), 0)
    assert table.position()["pots"] == {"Ah": 5, "Kc": 5, "Qd": 5, "Js": 5}
    assert table.chips == [-8, -4, -4, -4]


def test_5_2_unclaimed_pots_carry_over_and_chips_sum_to_zero():
    table = Table({"boodle_pots": True, "target_score": 100}, 4, shuffle_of(1), 0)
    seed = 0
    while not table.is_over:
        position = table.position()
        assert sum(position["chips"]) + sum(position["pots"].values()) == 0
        table.play(table.legal_moves()[seed % len(table.legal_moves())])
        seed += 7919
    assert sum(table.chips) == 0
