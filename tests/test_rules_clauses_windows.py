"""Clauses of the rules, on both engines: windows and calls."""

from __future__ import annotations

from typing import Any

from tests.support.engines import play_all

ONE_ROUND = {"max_deals": 1, "target_score": None}
OPEN: dict[str, Any] = {"out_of_turn_play": "meld_and_layoff", **ONE_ROUND}
FLAT_30 = {"first_meld_min": 30, "card_values": "five_ten_fifteen", "ace_low_value": 5}


# Play out of turn.


def test_9_4_a_window_is_put_to_every_seat_with_cards_in_turn_order(place):
    table = place(["2c 9d", "3d 4d", "5d 9h", "Td Jd"], phase="play", seat=1, options=OPEN)
    table.play("discard 3d")
    asked = []
    while table.phase == "window":
        asked.append(table.current_seat)
        assert table.legal_moves() == ["pass"]
        table.play("pass")
    assert asked == [2, 3, 0]
    assert (table.phase, table.current_seat) == ("draw", 2)
    assert table.position()["turns_taken"] == [0, 1, 0, 0]


def test_9_4_each_seat_plays_until_it_passes_no_digs_no_discards(place):
    table = place(
        ["2c 9d", "7c 7d 7h 8s 2h", "5d"], "8c 8d", phase="play", options=OPEN,
        melds=[("5s 6s 7s", 2)],
    )  # fmt: skip
    table.play("discard 9d")
    assert (table.phase, table.current_seat) == ("window", 1)
    assert table.legal_moves() == ["layoff 8s high", "meld 7c 7d 7h", "pass"]
    play_all(table, "layoff 8s high", "meld 7c 7d 7h")
    assert table.current_seat == 1
    assert table.position()["table_points"] == [0, 29, 18]
    play_all(table, "pass")
    assert (table.phase, table.current_seat) == ("window", 2)
    assert table.position()["laid_before"] == [False, True, True]
    play_all(table, "pass")
    assert (table.phase, table.current_seat) == ("draw", 1)


def test_4_out_of_turn_play_layoff_only(place):
    options = {**OPEN, "out_of_turn_play": "layoff"}
    table = place(["2c 9d", "7c 7d 7h 8s"], phase="play", options=options, melds=[("5s 6s 7s", 0)])
    table.play("discard 9d")
    assert table.legal_moves() == ["layoff 8s high", "pass"]


def test_4_hand_empty_in_a_window_is_out(place):
    table = place(["2c 9d", "7c 7d 7h", "4d"], phase="play", options=OPEN)
    play_all(table, "discard 9d", "meld 7c 7d 7h")
    assert table.rounds == [{"scores": [-2, 21, -4], "went_out": 1, "how": "out"}]


def test_9_4_in_a_window_must_discard_never_lets_the_last_card_go(place):
    options = {**OPEN, "must_discard_to_go_out": True}
    table = place(["2c 9d", "7c 7d 7h", "4d"], phase="play", options=options)
    table.play("discard 9d")
    assert table.legal_moves() == ["pass"]
    table = place(["2c 9d", "7c 7d 7h 7s", "4d"], phase="play", options=options)
    table.play("discard 9d")
    assert "meld 7c 7d 7h" in table.legal_moves()
    assert "meld 7c 7d 7h 7s" not in table.legal_moves()


def test_9_4_no_window_after_the_discard_that_goes_out(place):
    table = place(["9d", "7c 7d 7h", "4d"], phase="play", options=OPEN)
    table.play("discard 9d")
    assert table.rounds[0]["went_out"] == 0


def test_9_11_an_opening_begun_in_a_window_must_be_reached_there(place):
    options = {**OPEN, **FLAT_30}
    table = place(["2c 9d", "7c 8c 9c 2h 3h 4h Qd"], phase="play", options=options)
    table.play("discard 9d")
    assert table.legal_moves() == ["meld 2h-4h", "meld 7c-9c", "pass"]
    table.play("meld 7c-9c")
    assert table.legal_moves() == ["meld 2h-4h"]
    table.play("meld 2h-4h")
    assert table.legal_moves() == ["pass"]


def test_9_4_windows_come_before_the_test_for_an_exhausted_stock(place):
    options = {**OPEN, "stock_exhausted": "end_after_turn"}
    table = place(["2c 9d", "7c 7d 7h 2h"], stock="Kd", options=options)
    play_all(table, "draw", "discard 9d")
    assert table.phase == "window"
    play_all(table, "meld 7c 7d 7h", "pass")
    assert table.rounds[0] == {"scores": [-12, 19], "went_out": None, "how": "exhausted"}


def test_views_in_a_window_hide_what_the_discarder_drew(place):
    table = place(["2c 9d", "7c 7d 7h 2h"], stock="Kd", options=OPEN)
    play_all(table, "draw", "discard 9d")
    assert table.view(1)["drawn"] == table.view(0)["drawn"] == {"stock": "", "dug": ""}


def test_edge_57_no_window_before_the_discard_of_a_turn_with_an_obligation(place):
    table = place(["8s 8c 2h", "7c 7d 7h 3d"], "8h", stock="Kd", options=OPEN)
    for move, phase in (("dig 8h", "obliged"), ("meld 8c 8h 8s", "play")):
        table.play(move)
        assert (table.phase, table.current_seat) == (phase, 0)
    assert table.legal_moves() == ["discard 2h"]  # and a card of its own ends the round
    table = place(["8s 8c 2h 5s", "7c 7d 7h 3d"], "8h", stock="Kd", options=OPEN)
    play_all(table, "dig 8h", "meld 8c 8h 8s", "discard 2h")
    assert (table.phase, table.current_seat) == ("window", 1)


# Calling rum: the card only.

CALL = {"call_rum": "card_only", **ONE_ROUND}


def test_5_4_calling_rum_card_only_edge_55(place):
    table = place(
        ["2c 7d", "9h Th", "5s Js"], "Kc", phase="play", options=CALL, melds=[("4d 5d 6d", 0)]
    )
    table.play("discard 7d")
    assert (table.phase, table.current_seat) == ("call", 1)
    assert table.legal_moves() == ["call", "pass"]
    table.play("pass")
    assert (table.phase, table.current_seat) == ("call", 2)  # the discarder is not asked
    table.play("call")
    position = table.position()
    assert (table.phase, table.current_seat) == ("draw", 1)  # turn order unchanged
    assert position["table_points"] == [15, 0, 7]
    assert position["discard_pile"] == "Kc"
    assert position["melds"][0]["cards"] == "4d 5d 6d 7d"
    assert position["hands"][2] == "5s Js"


def test_5_4_a_called_card_scores_by_the_values_of_the_preset(place):
    options = {**CALL, "card_values": "five_ten_fifteen", "ace_low_value": 5}
    table = place(["2c 7d", "9h Th"], phase="play", options=options, melds=[("4d 5d 6d", 0)])
    play_all(table, "discard 7d", "call")
    assert table.position()["table_points"] == [15, 5]


def test_edge_56_a_floater_may_call_and_floats_on(place):
    options = {**CALL, "must_discard_to_go_out": True, "floating": True}
    table = place(
        ["2c 7d", "", "5s Js"], "Kc", stock="3c 9s", phase="play", options=options,
        melds=[("4d 5d 6d", 0)],
    )  # fmt: skip
    table.play("discard 7d")
    assert (table.phase, table.current_seat) == ("call", 1)
    table.play("call")
    assert table.position()["table_points"] == [15, 7, 0]
    assert (table.is_over, table.position()["hands"][1]) == (False, "")
    assert (table.phase, table.current_seat, table.legal_moves()) == ("draw", 1, ["draw"])


def test_edge_54_calls_fire_only_if_the_discard_fits(place):
    table = place(["2c 9d", "9h Th"], phase="play", options=CALL, melds=[("4d 5d 6d", 0)])
    table.play("discard 9d")
    assert (table.phase, table.current_seat) == ("draw", 1)
    # three nines with hand cards are no call: a new meld is not allowed
    table = place(["2c 9d", "9h 9s"], phase="play", options=CALL)
    table.play("discard 9d")
    assert table.phase == "draw"


def test_edge_53_no_call_on_the_discard_that_goes_out(place):
    table = place(["7d", "9h Th"], phase="play", options=CALL, melds=[("4d 5d 6d", 0)])
    table.play("discard 7d")
    assert table.rounds[0]["went_out"] == 0


def test_9_4_the_caller_chooses_among_several_places(place):
    melds = [("4d 5d 6d", 0), ("7c 7h 7s", 0), ("8d 9d Td", 0)]
    table = place(["2c 7d", "9h Th"], phase="play", options=CALL, melds=melds)
    play_all(table, "discard 7d", "call")
    assert (table.phase, table.current_seat) == ("call", 1)
    assert table.legal_moves() == ["layoff 7d high", "layoff 7d low", "layoff 7d set"]
    table.play("layoff 7d low")
    assert table.position()["melds"][2]["cards"] == "7d 8d 9d Td"
    assert (table.phase, table.current_seat) == ("draw", 1)


def test_9_4_calls_are_barred_until_opened(place):
    options = {**CALL, **FLAT_30}
    table = place(
        ["2c 7d", "9h Th", "9s Ts"], phase="play", options=options, melds=[("4d 5d 6d", 0)],
        opened=[True, False, True],
    )  # fmt: skip
    table.play("discard 7d")
    assert (table.phase, table.current_seat) == ("call", 2)


def test_edge_60_a_call_is_an_earlier_layoff(place):
    options = {**CALL, "scoring_mode": "winner_takes_hands", "going_rummy_multiplier": 2}
    table = place(
        ["2c 7d", "9h"], "Kc", stock="3c 9s", phase="play", options=options,
        melds=[("4d 5d 6d", 0)],
    )  # fmt: skip
    play_all(table, "discard 7d", "call")
    assert table.position()["laid_before"] == [True, True]


# Calling rum: the pile and a turn.

PILE: dict[str, Any] = {"call_rum": "pile_and_turn", **ONE_ROUND}


def test_9_5_the_caller_takes_the_pile_lays_and_plays_a_turn(place):
    table = place(
        ["2c 7d", "9h Th", "5s Js Qs", "Kh"], "Qd 8d Kc", stock="2h 3h", phase="play",
        options=PILE, melds=[("4d 5d 6d", 0)],
    )  # fmt: skip
    table.play("discard 7d")
    assert (table.phase, table.current_seat) == ("call", 1)
    table.play("pass")
    assert table.current_seat == 2
    table.play("call")
    assert table.phase == "call"
    assert table.legal_moves() == ["dig 7d", "dig 8d"]  # 8d by way of the 7d of the pile
    table.play("dig 8d")
    assert (table.phase, table.current_seat) == ("obliged", 2)
    assert table.legal_moves() == ["layoff 7d high"]
    play_all(table, "layoff 7d high", "layoff 8d high")
    assert table.phase == "play"
    assert table.position()["hands"][2] == "Kc 5s Js Qs"
    table.play("discard 5s")
    assert (table.phase, table.current_seat) == ("draw", 3)  # the caller's left
    assert table.position()["turns_taken"] == [1, 0, 1, 0]


def test_9_5_a_new_meld_of_pile_cards_alone(place):
    table = place(["2c 7d", "7s 9h Th"], "7c 7h", phase="play", options=PILE)
    table.play("discard 7d")
    assert table.phase == "call"
    table.play("call")
    assert table.legal_moves() == ["dig 7c"]
    table.play("dig 7c")
    assert table.legal_moves() == ["meld 7c 7d 7h"]  # not with the seven of the hand
    table.play("meld 7c 7d 7h")
    assert "layoff 7s set" in table.legal_moves()


def test_9_5_hand_cards_do_not_found_a_call(place):
    table = place(["2c 7d", "7s 7h Th"], "", phase="play", options=PILE)
    table.play("discard 7d")
    assert table.phase == "draw"
    # nor do they bridge
    table = place(["2c 8d", "7d Th"], "", phase="play", options=PILE, melds=[("4d 5d 6d", 0)])
    table.play("discard 8d")
    assert table.phase == "draw"


def test_9_5_a_joker_of_the_pile_never_founds_a_call(place):
    options = {**PILE, "num_jokers": 2, "joker_role": "wild"}
    table = place(["2c **", "9h Th"], "", phase="play", options=options, melds=[("4d 5d 6d", 0)])
    table.play("discard **")
    assert table.phase == "draw"
    table = place(["2c 7d", "9h Th"], "7c **", phase="play", options=options)
    table.play("discard 7d")
    assert table.phase == "draw"


def test_9_5_a_new_window_after_the_callers_discard(place):
    table = place(
        ["2c 7d", "9h 3d Kd", "5s Js Qs"], "", stock="2h 3h", phase="play", options=PILE,
        melds=[("4d 5d 6d", 0)],
    )  # fmt: skip
    play_all(table, "discard 7d", "call", "dig 7d", "layoff 7d high", "discard 3d")
    assert (table.phase, table.current_seat) == ("call", 2)
    play_all(table, "pass")
    assert (table.phase, table.current_seat) == ("call", 0)  # now seat 1 is the discarder
    play_all(table, "pass")
    assert (table.phase, table.current_seat) == ("draw", 2)


def test_9_5_keep_one_with_must_discard(place):
    options = {**PILE, "must_discard_to_go_out": True}
    table = place(
        ["2c 7d", "9h", "8h"], "", stock="2h 3h", phase="play", options=options,
        melds=[("4d 5d 6d", 0)],
    )  # fmt: skip
    play_all(table, "discard 7d", "call", "dig 7d", "layoff 7d high")
    assert table.legal_moves() == ["discard 9h"]
    table.play("discard 9h")
    assert table.rounds[0]["went_out"] == 1
