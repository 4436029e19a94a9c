"""Clauses of the rules, on both engines: final layoffs, Michigan, teams."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference.presets import PRESETS
from tests.support.engines import play_all, some
from tests.support.rounds import ONE_ROUND

FLAT_30 = {"first_meld_min": 30, "card_values": "five_ten_fifteen", "ace_low_value": 5}


# Final layoffs and Michigan.

MICHIGAN: dict[str, Any] = {
    "scoring_mode": "michigan",
    "final_layoff": "any_meld",
    "michigan_no_winner": "melds_only",
    **ONE_ROUND,
}


def test_edge_59_final_layoffs_from_the_goers_left_then_hands_are_given(place):
    table = place(
        ["Kd 9c 7d", "2c", "7c 3h 8h"], phase="play",
        seat=1, options={**MICHIGAN, "set_min_len": 2},
        melds=[("4d 5d 6d", 1), ("7h 7s", 1)],
    )  # fmt: skip
    table.play("discard 2c")
    assert (table.phase, table.current_seat) == ("final_layoff", 2)
    assert table.legal_moves() == ["layoff 7c set", "pass"]  # no new melds
    play_all(table, "layoff 7c set", "pass")
    assert table.current_seat == 0
    assert table.legal_moves() == ["layoff 7d high", "layoff 7d set", "pass"]
    play_all(table, "layoff 7d high", "pass")
    assert table.rounds[0] == {"scores": [7, 29 + 10 + 9 + 11, 7], "went_out": 1, "how": "out"}


def test_9_18_emptying_the_hand_in_final_layoffs_earns_nothing(place):
    options = {**MICHIGAN, "go_out_bonus": 25}
    table = place(["2c", "7c"], phase="play", options=options, melds=[("7h 7s 7d", 0)])
    play_all(table, "discard 2c", "layoff 7c set")
    assert table.rounds[0] == {"scores": [21 + 25, 7], "went_out": 0, "how": "out"}


def test_9_18_no_final_layoffs_when_nobody_went_out(place):
    table = place(["2c", "7c"], stock="", options=MICHIGAN, melds=[("7h 7s 7d", 0)])
    table.play("pass")
    assert table.rounds[0] == {"scores": [21, 0], "went_out": None, "how": "exhausted"}


def test_9_11_final_layoffs_are_barred_until_opened(place):
    options = {**MICHIGAN, **FLAT_30}
    table = place(
        ["2c", "7c", "7d"], phase="play", options=options, melds=[("4d 5d 6d", 0)],
        opened=[True, False, True],
    )  # fmt: skip
    table.play("discard 2c")
    assert (table.phase, table.current_seat) == ("final_layoff", 2)


@pytest.mark.parametrize(
    ("options", "scores"),
    [
        ({"scoring_mode": "meld_minus_hand"}, [60, 15, -17]),
        ({"scoring_mode": "michigan"}, [117, 40, 15]),
    ],
)
def test_5_4_michigan_numbers(place, options, scores):
    melds = [
        {"cards": "Kc Kd Kh", "laid_by": [0] * 3, "values": [20] * 3},
        {"cards": "Qc Qd Qh Qs", "laid_by": [1] * 4, "values": [10] * 4},
        {"cards": "4d 5d 6d", "laid_by": [2] * 3, "values": [5] * 3},
    ]
    table = place(
        ["2h", "Tc 7c 8c", "Jd Td 9d 3d"], phase="play", options={**options, **ONE_ROUND},
        melds=melds,
    )  # fmt: skip
    table.play("discard 2h")
    assert table.rounds[0]["scores"] == scores


@pytest.mark.parametrize(
    ("fallback", "scores"),
    [
        ("melds_only", [50, 40, 15]),
        ("deduct_own", [40, 15, -17]),
        ("lowest_hand_collects", [87, 40, 15]),
    ],
)
def test_5_4_michigan_without_a_goer(place, fallback, scores):
    options = {"scoring_mode": "michigan", "michigan_no_winner": fallback, **ONE_ROUND}
    melds = [
        {"cards": "Kc Kd Kh Ks", "laid_by": [0] * 4, "values": [20, 10, 10, 10]},
        {"cards": "Qc Qd Qh Qs", "laid_by": [1] * 4, "values": [10] * 4},
        {"cards": "4d 5d 6d", "laid_by": [2] * 3, "values": [5] * 3},
    ]
    table = place(["2h 8h", "Tc 7c 8c", "Jd Td 9d 3d"], stock="", options=options, melds=melds)
    table.play("pass")
    assert table.rounds[0]["scores"] == scores


def test_l4_lowest_hands_that_tie_split_and_floor(place):
    options = {
        "scoring_mode": "michigan", "michigan_no_winner": "lowest_hand_collects", **ONE_ROUND,
    }  # fmt: skip
    table = place(["2h", "2c", "9d"], stock="", options=options)
    table.play("pass")
    assert table.rounds[0]["scores"] == [3, 3, 0]


# Teams.

TEAMS: dict[str, Any] = {"teams": "two_by_two", **ONE_ROUND}


def test_5_4_partnership_numbers_edge_58(place):
    melds = [
        {"cards": "Kc Kd Kh Ks", "laid_by": [0] * 4, "values": [10, 20, 20, 20]},
        {"cards": "Qc Qd Qh", "laid_by": [2] * 3, "values": [15, 10, 10]},
        {"cards": "4d 5d 6d 7d", "laid_by": [1] * 4, "values": [10] * 4},
        {"cards": "4s 5s 6s", "laid_by": [3] * 3, "values": [18, 0, 0]},
    ]
    table = place(
        ["2h", "Tc Jc Td", "Th Ts 2c", "9h"], phase="play",
        options=TEAMS, melds=melds,
    )  # fmt: skip
    hands = [10 + 10 + 10, 22, 9]
    table.play("discard 2h")
    side_1, side_2 = 70 + 35 - hands[1], 40 + 18 - hands[0] - hands[2]
    assert table.rounds[0]["scores"] == [side_1, side_2, side_1, side_2]
    assert table.rounds[0]["scores"][0] == 83
    assert table.scores == table.rounds[0]["scores"]
    assert table.winners == [0, 2]


def test_9_16_bonuses_are_given_once_to_the_side_and_totals_are_of_sides(place):
    options = {**TEAMS, "go_out_bonus": 25, "game_bonus": 50}
    table = place(["2h", "3d", "4d", "5d"], phase="play", options=options, scores=[7, 9, 7, 9])
    table.play("discard 2h")
    assert table.rounds[0]["scores"] == [21, -8, 21, -8]
    assert table.scores == [7 + 21 + 50, 1, 7 + 21 + 50, 1]


def test_5_4_persian_final(place):
    """Deal 1 +120/+85, deal 2 +60/+140: 180 v 225; side 2 adds 50."""
    options = {**PRESETS["persian_s0"]}
    table = place(
        ["2h", "", "", ""], phase="play", options=options, scores=[120, 85] * 2, round_number=2,
        melds=[
            {"cards": "4d 5d 6d", "laid_by": [2] * 3, "values": [35, 0, 0]},
            {"cards": "Kc Kd Kh", "laid_by": [1] * 3, "values": [140, 0, 0]},
        ],
    )  # fmt: skip
    table.play("discard 2h")
    assert table.scores == [180, 275, 180, 275]
    assert table.winners == [1, 3]


def test_edge_52_each_seat_opens_for_himself(place):
    options = {**TEAMS, **FLAT_30}
    table = place(
        ["7d 2h", "3d", "4d", "5d"], phase="play", options=options, melds=[("7c 7h 7s", 2)],
        opened=[False, False, True, False],
    )  # fmt: skip
    assert some(table, "layoff") == []


def test_7_tie_break_went_out_is_ignored_with_teams_and_a_side_is_no_tie(place):
    options = {"teams": "two_by_two", "tie_break": "went_out"}
    table = place(["2h", "3d", "4d", "5d"], phase="play", options=options, scores=[504, 600] * 2)
    table.play("discard 2h")
    assert table.winners == [1, 3]
