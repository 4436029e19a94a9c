"""Clauses of the rules, on both engines: boodle pots and clocks."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.engines import play_all
from tests.support.rounds import ONE_ROUND

BOODLE = ("Ah", "Kc", "Qd", "Js")
POTS: dict[str, Any] = {"boodle_pots": True}
FIFTEEN = dict.fromkeys(BOODLE, 15)
WILD = {"num_jokers": 1, "joker_role": "wild"}


# Boodle pots.


def test_5_2_the_first_to_lay_a_boodle_card_takes_its_pot(place):
    table = place(
        ["Ah 2h 3h Kc 2d", "3d"], phase="play", options=POTS, pots=FIFTEEN, chips=[-30, -30],
        melds=[("Tc Jc Qc", 1)],
    )  # fmt: skip
    table.play("meld Ah-3h")
    assert table.chips == [-15, -30]
    table.play("layoff Kc high")
    assert table.chips == [0, -30]
    assert table.position()["pots"] == {"Ah": 0, "Kc": 0, "Qd": 15, "Js": 15}


def test_5_2_a_joker_that_stands_for_a_boodle_card_claims_nothing(place):
    table = place(
        ["** 2d", "3d"], phase="play", options={**POTS, **WILD}, pots=FIFTEEN, chips=[-30, -30],
        melds=[("Tc Jc Qc", 1)],
    )  # fmt: skip
    table.play("layoff **=Kc high")
    assert (table.chips, table.position()["pots"]) == ([-30, -30], FIFTEEN)


def test_5_2_with_two_decks_the_first_copy_claims(place):
    table = place(
        ["Qd Qd 2d", "3d"], phase="play", options={**POTS, "num_decks": 2}, pots=FIFTEEN,
        chips=[-30, -30], melds=[("9d Td Jd", 1), ("9d Td Jd", 1)],
    )  # fmt: skip
    table.play("layoff Qd high")
    assert table.chips == [-15, -30]
    table.play("layoff Qd high")
    assert table.chips == [-15, -30]


def test_5_2_a_dug_boodle_card_counts_once_it_is_laid(place):
    table = place(["Jc Jd 2d", "3d"], "Js", options=POTS, pots=FIFTEEN, chips=[-30, -30])
    table.play("dig Js")
    assert table.chips == [-30, -30]
    table.play("meld Jc Jd Js")
    assert table.chips == [-15, -30]


def test_5_2_unclaimed_pots_carry_over_fifteen_after_three_rounds_of_four(place):
    table = place(
        ["2d", "3d", "4d", "5d"], phase="play", round_number=2, dealer=3, options=POTS,
        pots=dict.fromkeys(BOODLE, 10), chips=[-8, -8, -8, -16],
    )  # fmt: skip
    table.play("discard 2d")
    assert (table.round_number, table.dealer) == (3, 0)
    assert table.position()["pots"] == FIFTEEN
    assert table.chips == [-16, -12, -12, -20]


@pytest.mark.parametrize(
    ("pots", "chips"),
    [([15, 15, 15, 15], [0, 0]), ([7, 0, 0, 0], [-30 + 3, -30 + 4]), ([0, 0, 0, 0], [-30, -30])],
)
def test_5_2_pots_left_at_the_end_are_shared_and_the_winner_takes_the_rest(place, pots, chips):
    table = place(
        ["2d", "3d"], phase="play", options={**POTS, **ONE_ROUND}, chips=[-30, -30],
        pots=dict(zip(BOODLE, pots, strict=True)), melds=[("4c 5c 6c", 1)],
    )  # fmt: skip
    table.play("discard 2d")
    assert table.winners == [1]
    assert table.chips == chips
    assert table.position()["pots"] == dict.fromkeys(BOODLE, 0)


# Clocks.


def test_9_18_each_action_costs_its_seat_one_forced_or_not(place):
    table = place(
        ["2c 9d", "3d 4d"], "Kc", stock="5h 6s", options={"clock_budget": 9}, clocks=[9, 5]
    )
    assert table.legal_moves() == ["draw"]
    table.play("draw")
    assert table.position()["clocks"] == [8, 5]
    play_all(table, "discard 6s", "draw")
    assert table.position()["clocks"] == [7, 4]


def test_edge_62_whoever_has_no_time_left_loses_whatever_the_score(place):
    table = place(
        ["2c 9d", "3d 4d", "5d"], "Kc", stock="5h 6s", options={"clock_budget": 9},
        clocks=[1, 5, 5], scores=[400, 20, 30], melds=[("Ac Ad Ah", 0)],
    )  # fmt: skip
    table.play("draw")
    assert table.is_over
    assert table.winners == [2]  # the best total of the others
    assert table.scores == [400, 20, 30]
    assert table.rounds == [{"scores": [0, 0, 0], "went_out": None, "how": "clock"}]
    assert table.truncated_by is None


def test_edge_62_with_three_players_the_others_may_share(place):
    table = place(
        ["2c 9d", "3d 4d", "5d"], "Kc", stock="5h 6s", options={"clock_budget": 9},
        clocks=[5, 1, 5], scores=[30, 400, 30], seat=1,
    )  # fmt: skip
    table.play("draw")
    assert table.winners == [0, 2]


def test_edge_62_a_round_that_the_last_action_ends_is_scored(place):
    table = place(
        ["2c", "3d 4d"], "Kc", phase="play", options={"clock_budget": 9}, clocks=[1, 5],
        scores=[100, 20], melds=[("Kd Kh Ks", 0)],
    )  # fmt: skip
    table.play("discard 2c")
    assert table.rounds == [{"scores": [30, -7], "went_out": 0, "how": "out"}]
    assert (table.is_over, table.scores, table.winners) == (True, [130, 13], [1])
