"""Clauses of the rules, on both engines: the ends of rounds and games."""

from __future__ import annotations

from typing import Any

from tests.support.engines import Place, Placed, play_all, some
from tests.support.rounds import ONE_ROUND, goes_out, stock_out

# Must discard, floating.


def test_edge_13_the_last_card_must_be_kept(place):
    options = {"must_discard_to_go_out": True, **ONE_ROUND}
    melds = [("7c 7d 7h", 1)]
    table = place(["7s", "3d"], phase="play", options=options, melds=melds)
    assert table.legal_moves() == ["discard 7s"]
    table.play("discard 7s")
    assert table.rounds[0]["went_out"] == 0
    table = place(["9c 9d 9h", "3d"], phase="play", options=options)
    assert some(table, "meld") == []


FLOAT = {"must_discard_to_go_out": True, "floating": True}


def test_9_15_edge_18_a_floater_is_not_out_and_draws_next_turn(place):
    table = place(
        ["7s", "3d 4d"], "Kc", stock="2c 3c 4c", phase="play", options=FLOAT,
        melds=[("7c 7d 7h", 1)],
    )  # fmt: skip
    table.play("layoff 7s set")
    assert (table.phase, table.current_seat, table.position()["turns_taken"]) == ("draw", 1, [1, 0])
    assert table.position()["discard_pile"] == "Kc"
    play_all(table, "draw", "discard 4c")
    assert table.legal_moves() == ["draw"]  # edge 16
    play_all(table, "draw")
    assert table.legal_moves() == ["discard 3c"]
    table.play("discard 3c")
    assert table.rounds[0]["went_out"] == 0


def test_edge_16_a_floater_lays_the_drawn_card_and_floats_on(place):
    table = place(["", "3d 4d"], "Kc", stock="2c 8d", options=FLOAT, melds=[("9d Td Jd", 1)])
    play_all(table, "draw")
    assert table.legal_moves() == ["discard 8d", "layoff 8d low"]
    table.play("layoff 8d low")
    assert (table.current_seat, table.phase) == (1, "draw")


def test_9_15_a_floater_digs_by_the_ordinary_test_and_takes_nothing_free(place):
    options = {**FLOAT, "top_discard_free": True}
    table = place(["", "3d 4d"], "Kc", stock="2c 8d", options=options)
    assert table.legal_moves() == ["draw"]
    table = place(["", "3d 4d"], "7c 7d 7h 9s", stock="2c", options=options)
    assert table.legal_moves() == ["dig 7c", "draw"]
    play_all(table, "dig 7c", "meld 7c 7d 7h")
    assert table.legal_moves() == ["discard 9s"]


def test_edge_17_a_floater_passes_at_an_empty_stock_and_the_round_goes_on(place):
    table = place(["", "3d 4d"], "Kc", stock="", options={**FLOAT, **ONE_ROUND})
    assert table.legal_moves() == ["pass"]
    table.play("pass")
    assert (table.current_seat, table.is_over) == (1, False)
    table.play("pass")
    assert table.rounds[0] == {"scores": [0, -7], "went_out": None, "how": "exhausted"}


def test_edge_17_all_floaters_pass_in_a_row(place):
    table = place(["", "", ""], "Kc", stock="", options={**FLOAT, **ONE_ROUND})
    play_all(table, "pass", "pass")
    assert not table.is_over
    table.play("pass")
    assert table.rounds[0]["how"] == "exhausted"


# The stock runs out.


def test_4_end_if_all_pass_needs_everybody_in_a_row(place):
    options = {"stock_exhausted": "end_if_all_pass", **ONE_ROUND}
    table = place(["Kd Kh 2c", "3d 4d 9h"], "Kc", stock="", options=options)
    assert table.legal_moves() == ["dig Kc", "pass"]
    table.play("pass")
    assert (table.current_seat, table.position()["counters"]["passes_in_a_row"]) == (1, 1)
    assert table.position()["counters"]["turns"] == 1
    play_all(table.copy(), "pass")
    assert play_all(table.copy(), "pass").rounds[0]["how"] == "exhausted"
    table = place(["Kd Kh 2c", "3d 4d 9h"], "Kc", stock="", options=options, seat=1)
    play_all(table, "pass", "dig Kc", "meld Kc Kd Kh")
    assert table.position()["counters"]["passes_in_a_row"] == 0


def test_4_end_after_turn_ends_before_the_next_draw_edge_19(place):
    options = {"stock_exhausted": "end_after_turn", **ONE_ROUND}
    table = place(["2c 9d", "7d 7h 4d"], "Kc", stock="7s", options=options)
    play_all(table, "draw", "discard 7s")
    assert table.rounds[0] == {"scores": [-11, -18], "went_out": None, "how": "exhausted"}


def test_edge_25_discard_only(place):
    options = {"stock_exhausted": "discard_only", **ONE_ROUND}
    table = place(["2c 9d", "7d 7h 4d"], "7c", stock="", options=options, melds=[("2d 2h 2s", 1)])
    assert table.legal_moves() == ["pass"]
    table.play("pass")
    assert table.legal_moves() == ["discard 2c", "discard 9d", "layoff 2c set"]
    play_all(table, "layoff 2c set", "discard 9d")
    assert table.rounds[0]["went_out"] == 0
    table = place(["2c 9d", "7d 7h 4d"], "Kc", stock="", options=options)
    play_all(table, "pass", "discard 9d")
    assert table.legal_moves() == ["pass"]
    play_all(table, "pass", "discard 7d", "pass", "discard 2c")
    assert table.rounds[0]["went_out"] == 0


def refilled(place: Place, option: str, pile: str = "Ac 5d 3h Kc", **more: Any) -> Placed:
    options = {"stock_exhausted": option, **more, **ONE_ROUND}
    table = place(["2c 9d 9s", "7d 7h 4d"], pile, stock="Js", options=options)
    return play_all(table, "draw", "discard 9d")


def test_4_reshuffle_keeps_the_top_card_edge_23(place):
    position = refilled(place, "reshuffle").position()
    assert position["discard_pile"] == "9d"
    assert position["discarded_by"] == [0]
    assert sorted(position["stock"].split()) == ["3h", "5d", "Ac", "Kc"]
    assert position["counters"]["reshuffles"] == 1


def test_4_turn_over_draws_the_bottom_card_first(place):
    table = refilled(place, "turn_over")
    assert table.position()["stock"] == "Kc 3h 5d Ac"
    table.play("draw")
    assert table.position()["drawn"]["stock"] == "Ac"


def test_4_max_reshuffles_then_as_end_if_no_take(place):
    for option in ("reshuffle", "turn_over"):
        table = refilled(place, option, max_reshuffles=0)
        assert (table.position()["stock"], table.legal_moves()) == ("", ["pass"])
        table.play("pass")
        assert table.rounds[0]["how"] == "exhausted"


def test_edge_23_a_pile_of_one_is_nothing_to_shuffle(place):
    table = refilled(place, "reshuffle", pile="")
    assert table.position()["stock"] == ""
    assert table.legal_moves() == ["pass"]


def test_edge_22_exhausted_without_penalty(place):
    melds = [("Kc Kd Kh", 0)]
    assert stock_out(place, ["Qs", "3d"], melds)["scores"] == [20, -3]
    assert stock_out(place, ["Qs", "3d"], melds, exhausted_hand_penalty=False)["scores"] == [30, 0]
    # it applies only when nobody went out
    assert goes_out(place, ["3d"], exhausted_hand_penalty=False)["scores"] == [0, -3]


def test_4_no_progress_limit_edge_21(place):
    options = {"top_discard_free": True, "no_progress_limit": 3, **ONE_ROUND}
    table = place(["2c 9d", "7d 7h"], "Kc", stock="", options=options)
    play_all(table, "dig Kc", "discard 9d", "dig 9d", "discard 7h")
    assert table.position()["counters"]["no_progress"] == 2
    play_all(table, "dig 7h", "discard Kc")
    assert table.rounds[0] == {"scores": [-9, -16], "went_out": None, "how": "cut_off"}
    assert table.truncated_by is None


def test_9_8_stock_draws_and_lay_downs_are_progress(place):
    options = {"top_discard_free": True, "no_progress_limit": 3}
    table = place(
        ["2c 9d", "7d 7h 4s"], "Kc", stock="As Ks", options=options, melds=[("9c 9h 9s", 0)]
    )
    play_all(table, "dig Kc", "discard 2c", "dig 2c", "discard 4s")
    assert table.position()["counters"]["no_progress"] == 2
    twin = play_all(table.copy(), "draw", "discard Kc")
    assert twin.position()["counters"]["no_progress"] == 0
    play_all(table, "dig 4s", "layoff 9d set", "discard Kc")
    assert table.position()["counters"]["no_progress"] == 0
