"""Clauses of the rules, on both engines: who is asked and when, the opening discard, claims."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.engines import play_all, some
from tests.support.rounds import ONE_ROUND

OPEN: dict[str, Any] = {"out_of_turn_play": "meld_and_layoff", **ONE_ROUND}
CALL: dict[str, Any] = {"call_rum": "card_only", **ONE_ROUND}
FINAL: dict[str, Any] = {"final_layoff": "any_meld", **ONE_ROUND}
FLAT_30 = {"first_meld_min": 30, "card_values": "five_ten_fifteen", "ace_low_value": 5}
TEAMS = {"teams": "two_by_two"}
DIAMONDS = ("4d 5d 6d", 0)


# Windows (9.4, 9.11).


def test_9_4_once_round_no_second_chance_after_a_later_seats_meld(place):
    table = place(["2c 9d", "8s Kd", "5s 6s 7s Qh"], phase="play", options=OPEN)
    table.play("discard 9d")
    assert (table.current_seat, table.legal_moves()) == (1, ["pass"])
    play_all(table, "pass", "meld 5s-7s", "pass")
    assert (table.phase, table.current_seat) == ("draw", 1)


def test_9_4_whoever_has_not_opened_is_not_asked_for_layoffs_alone(place):
    options = {**OPEN, **FLAT_30, "out_of_turn_play": "layoff"}
    table = place(
        ["2c 9d", "7d 8d", "3d Th"], phase="play", options=options, melds=[DIAMONDS],
        opened=[True, False, True],
    )  # fmt: skip
    table.play("discard 9d")
    assert (table.phase, table.current_seat) == ("window", 2)


def test_9_11_layoffs_of_a_window_are_barred_until_opened(place):
    hands = ["2c 9d", "7d Kc Kd Kh 2h"]
    table = place(hands, phase="play", options={**OPEN, **FLAT_30}, melds=[DIAMONDS])
    table.play("discard 9d")
    assert table.legal_moves() == ["meld Kc Kd Kh", "pass"]
    table.play("meld Kc Kd Kh")
    assert table.legal_moves() == ["layoff 7d high", "pass"]


def test_9_4_must_discard_keeps_the_last_card_in_final_layoffs(place):
    options = {**FINAL, "must_discard_to_go_out": True}
    hands = ["2c", "3d", "3c 7d"]
    table = place(hands, phase="play", options=options, melds=[DIAMONDS])
    table.play("discard 2c")
    assert (table.current_seat, table.legal_moves()) == (1, ["pass"])
    table.play("pass")
    assert (table.current_seat, table.legal_moves()) == (2, ["layoff 7d high", "pass"])


def test_9_4_a_call_comes_before_the_test_for_an_exhausted_stock(place):
    options = {**CALL, "stock_exhausted": "end_after_turn"}
    table = place(["2c 9d", "9h Th"], stock="7d", options=options, melds=[DIAMONDS])
    play_all(table, "draw", "discard 7d")
    assert (table.phase, table.current_seat) == ("call", 1)
    table.play("call")
    assert table.rounds[0] == {"scores": [15 - 11, 7 - 19], "went_out": None, "how": "exhausted"}


def test_9_5_an_empty_stock_does_not_end_the_round_inside_a_callers_turn(place):
    options = {**CALL, "call_rum": "pile_and_turn", "stock_exhausted": "end_after_turn"}
    table = place(["2c 9d", "9h Th Kc"], stock="7d", options=options, melds=[DIAMONDS])
    play_all(table, "draw", "discard 7d", "call", "dig 7d", "layoff 7d high")
    assert table.legal_moves() == ["discard 9h", "discard Kc", "discard Th"]
    table.play("discard Kc")
    assert table.rounds[0] == {"scores": [15 - 11, 7 - 19], "went_out": None, "how": "exhausted"}
    assert table.is_over


def test_9_4_partners_may_call(place):
    hands = ["2c 7d", "9h", "5s Js", "Kh"]
    table = place(hands, phase="play", options={**CALL, **TEAMS}, melds=[DIAMONDS])
    play_all(table, "discard 7d", "pass")
    assert (table.phase, table.current_seat) == ("call", 2)
    table.play("call")
    assert table.position()["table_points"] == [15, 0, 7, 0]


def test_9_4_partners_are_asked_in_windows(place):
    hands = ["2c 9s", "9h", "7d Js", "Kh"]
    table = place(hands, phase="play", options={**OPEN, **TEAMS}, melds=[DIAMONDS])
    play_all(table, "discard 9s", "pass")
    assert (table.current_seat, table.legal_moves()) == (2, ["layoff 7d high", "pass"])


# The dealer's joker (9.14).

GAMBIT: dict[str, Any] = {
    "num_jokers": 3,
    "dealers_joker": True,
    "joker_role": "nominated",
    "joker_table_value": 0,
    "joker_hand_value": 0,
}
WILD = {"effect": "wild", "state": "free"}


def test_9_14_no_hand_is_seen_before_the_nomination(place):
    table = place(
        ["7c 7d", "8d 9d", "Kh"], "5s", phase="nominate", seat=1, dealer=1, options=GAMBIT,
        dealers_joker={"effect": None, "state": "free"},
    )  # fmt: skip
    assert table.legal_moves() == ["nominate double", "nominate wild"]
    for seat in range(3):
        view = table.view(seat)
        assert (view["hand"], view["hand_sizes"]) == ("", [2, 2, 1])
        assert len(view["unseen"].split()) == 55 - 1 - 1  # the upcard and the dealer's joker
    table.play("nominate double")
    assert [table.view(seat)["hand"] for seat in range(3)] == ["7c 7d", "8d 9d", "Kh"]
    assert (table.phase, table.current_seat) == ("draw", 2)


def test_5_1_no_block_while_a_dug_card_is_placed(place):
    table = place(
        ["7c 7d ** 2h", "3d"], "7h", dealer=1, options=GAMBIT, dealers_joker=WILD, stock="Kc"
    )
    table.play("dig 7h")
    assert "block" not in table.legal_moves()
    table.play("meld 7c 7d 7h")
    assert "block" in table.legal_moves()


def test_9_14_no_block_in_a_window(place):
    table = place(
        ["2c 9d", "** 2h 3s"], phase="play", dealer=0, options={**GAMBIT, **OPEN},
        dealers_joker=WILD,
    )  # fmt: skip
    table.play("discard 9d")
    assert (table.phase, table.legal_moves()) == ("window", ["pass"])


# Booting and the opening discard (9.18).


def test_9_18_the_bonus_for_going_out_adds_to_that_for_booting(place):
    options = {"skip_first_draw": True, "boot_bonus": 25, "go_out_bonus": 10, **ONE_ROUND}
    table = place(["5h 6h 7h 2s", "3d 4d"], "9c", options=options)
    play_all(table, "pass", "meld 5h-7h", "discard 2s")
    assert table.rounds[0] == {"scores": [18 + 25 + 10, -7], "went_out": 0, "how": "out"}


@pytest.mark.parametrize("window", [{"call_rum": "card_only"}, {"out_of_turn_play": "layoff"}])
def test_9_18_the_opening_discard_is_a_turn_and_opens_no_window(place, window):
    options = {"start_discard": "player_choice", **window}
    table = place(
        ["3c 4c", "7d 7h 7s 2c", "Kd Kh"], phase="opening", seat=1, dealer=0, options=options,
        melds=[DIAMONDS],
    )  # fmt: skip
    assert table.legal_moves() == ["discard 2c", "discard 7d", "discard 7h", "discard 7s"]
    table.play("discard 7d")
    position = table.position()
    assert (table.phase, table.current_seat) == ("draw", 2)
    assert (position["discard_pile"], position["turns_taken"]) == ("7d", [0, 1, 0])


def test_4_or_the_same_player_then_takes_a_turn(place):
    options = {"start_discard": "player_choice", "opening_discard_is_turn": False}
    hands = ["3c 4c", "7d 7h 7s 2c", "Kd Kh"]
    table = place(hands, phase="opening", seat=1, dealer=0, options=options)
    table.play("discard 7d")
    assert (table.phase, table.current_seat) == ("draw", 1)
    assert table.position()["turns_taken"] == [0, 0, 0]


# Boodle pots (9.18).

POTS: dict[str, Any] = {"boodle_pots": True}
FIVE = {"Ah": 5, "Kc": 5, "Qd": 5, "Js": 5}


def test_9_18_pots_are_claimed_in_windows(place):
    hands = ["2c 9d", "Ts Js Qs 3h"]
    table = place(hands, phase="play", options={**OPEN, **POTS}, pots=FIVE, chips=[-10, -10])
    play_all(table, "discard 9d", "meld Ts-Qs")
    assert table.chips == [-10, -5]


def test_9_18_pots_are_claimed_by_calls(place):
    table = place(
        ["2c Js", "3h 4h"], phase="play", options={**CALL, **POTS}, pots=FIVE, chips=[-10, -10],
        melds=[("8s 9s Ts", 0)],
    )  # fmt: skip
    play_all(table, "discard Js", "call")
    assert table.chips == [-10, -5]
    assert table.position()["pots"]["Js"] == 0


def test_9_18_pots_are_claimed_in_final_layoffs(place):
    table = place(
        ["2c", "Js 4h"], phase="play", options={**FINAL, **POTS}, pots=FIVE, chips=[-10, -10],
        melds=[("8s 9s Ts", 0)],
    )  # fmt: skip
    play_all(table, "discard 2c", "layoff Js high")
    assert table.chips == [-10, -5]


def test_9_18_of_several_winners_the_lowest_seat_takes_the_remainder(place):
    table = place(
        ["5c", "3h 3d", "3c 3s"], phase="play", options={**POTS, **ONE_ROUND}, pots=FIVE,
        chips=[-10, -5, -5], scores=[-100, 6, 6],
    )  # fmt: skip
    table.play("discard 5c")
    assert (table.scores, table.winners) == ([-100, 0, 0], [1, 2])
    assert table.chips == [-10 + 6, -5 + 6 + 2, -5 + 6]


# Going rummy (edge 60).


def test_edge_60_final_layoffs_are_no_earlier_layoff_of_the_goer(place):
    options = {**FINAL, "scoring_mode": "winner_takes_hands", "going_rummy_multiplier": 2}
    table = place(["2c", "7d 4h"], phase="play", options=options, melds=[("4d 5d 6d", 1)])
    play_all(table, "discard 2c", "layoff 7d high")
    assert some(table, "pass") == ["pass"]
    table.play("pass")
    assert table.rounds[0] == {"scores": [8, 0], "went_out": 0, "how": "out"}
