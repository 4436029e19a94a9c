"""Clauses of the rules, on both engines: the core game."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.support.engines import Place, Placed, play_all, some

ONE_ROUND = {"max_deals": 1, "target_score": None}
FLAT = {"card_values": "five_ten_fifteen", "ace_low_value": 5}


def laid(place: Place, cards: str, **options: Any) -> tuple[str, list[int]]:
    """The only meld of exactly these cards, laid from a hand with one card more."""
    spare = "2c" if "2c" not in cards else "9d"
    table = place([f"{cards} {spare}", "3c 3d"], phase="play", options=options)
    size = len(cards.split())
    for move in some(table, "meld"):
        twin = play_all(table.copy(), move)
        position = twin.position()
        if Counter(position["melds"][0]["cards"].split()) == Counter(cards.split()):
            assert len(position["melds"][0]["values"]) == size
            return move, position["melds"][0]["values"]
    raise AssertionError(f"no meld of {cards}")


# 2.2 Melds.


def test_2_2_sets_of_three_and_four(place):
    table = place(["7c 7d 7h 7s 2c", "3c"], phase="play")
    assert some(table, "meld") == [
        "meld 7c 7d 7h",
        "meld 7c 7d 7h 7s",
        "meld 7c 7d 7s",
        "meld 7c 7h 7s",
        "meld 7d 7h 7s",
    ]


def test_2_2_runs_and_the_ace_low_or_high_edge_26(place):
    table = place(["Ac 2c 3c Qc Kc 9d", "3d"], phase="play")
    assert some(table, "meld") == ["meld Ac-3c", "meld Qc-Ac"]


def test_2_2_all_parts_of_a_run(place):
    table = place(["5c 6c 7c 8c 9c 2d", "3d"], phase="play")
    assert some(table, "meld") == [
        "meld 5c-7c", "meld 5c-8c", "meld 5c-9c", "meld 6c-8c", "meld 6c-9c", "meld 7c-9c",
    ]  # fmt: skip


def test_2_2_run_of_thirteen_ace_low_and_ace_high(place):
    table = place(["Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc 2d", "3d"], phase="play")
    assert {"meld Ac-Kc", "meld 2c-Ac", "meld Ac-Qc"} <= set(some(table, "meld"))
    low = play_all(table.copy(), "meld Ac-Kc").position()["melds"][0]
    assert (low["cards"].split()[0], low["values"][0]) == ("Ac", 1)
    high = play_all(table.copy(), "meld 2c-Ac").position()["melds"][0]
    assert (high["cards"].split()[-1], high["values"][-1]) == ("Ac", 15)


def test_2_2_layoffs_on_sets_and_both_ends_of_runs(place):
    table = place(["7c 4h 8h 2d", "3d"], phase="play", melds=[("7s 7h 7d", 1)])
    assert some(table, "layoff") == ["layoff 7c set"]
    table = place(["4h 8h 9h 2d", "3d"], phase="play", melds=[("5h 6h 7h", 1)])
    assert some(table, "layoff") == ["layoff 4h low", "layoff 8h high"]


def test_2_2_layoffs_one_after_the_other_edge_34(place):
    table = place(["7s 8s 2d 9d", "3d"], phase="play", melds=[("4s 5s 6s", 1)])
    assert some(table, "layoff") == ["layoff 7s high"]
    table.play("layoff 7s high")
    assert some(table, "layoff") == ["layoff 8s high"]
    table.play("layoff 8s high")
    meld = table.position()["melds"][0]
    assert meld == {
        "cards": "4s 5s 6s 7s 8s", "laid_by": [1, 1, 1, 0, 0], "values": [4, 5, 6, 7, 8],
    }  # fmt: skip


# 2.3 Turn.


def test_2_3_draw_phase_then_play_then_discard(place):
    table = place(["2c 9d", "3d 4d"], "Kc", stock="5h 6s")
    assert table.legal_moves() == ["draw"]
    table.play("draw")
    assert table.phase == "play"
    assert table.position()["drawn"] == {"stock": "6s", "dug": ""}
    assert table.position()["passed"] == ["Kc", ""]
    assert table.legal_moves() == ["discard 2c", "discard 6s", "discard 9d"]
    table.play("discard 6s")
    position = table.position()
    assert (table.current_seat, table.phase) == (1, "draw")
    assert position["discard_pile"] == "Kc 6s"
    assert position["discarded_by"] == [None, 0]
    assert position["discards"] == ["6s", ""]
    assert position["drawn"] == {"stock": "", "dug": ""}
    assert (position["turns_taken"], position["counters"]["turns"]) == ([1, 0], 1)


def test_illegal_moves_change_nothing(place):
    table = place(["2c 9d", "3d 4d"], "Kc", stock="5h 6s")
    before = table.position()
    for move in ("pass", "dig Kc", "discard 2c", "meld 2c 2d 2h"):
        with pytest.raises(ValueError, match="illegal"):
            table.play(move)
    assert table.position() == before


def test_2_3_obliged_only_offers_what_places_the_target_edge_4(place):
    table = place(["8s 8d 8c 9s Ts 2h", "3d"], "8h Kc", stock="4h")
    table.play("dig 8h")
    assert (table.phase, table.position()["must_use"]) == ("obliged", "8h")
    assert table.legal_moves() == [
        "meld 8c 8d 8h", "meld 8c 8d 8h 8s", "meld 8c 8h 8s", "meld 8d 8h 8s",
    ]  # fmt: skip
    table.play("meld 8c 8d 8h")
    assert (table.phase, table.position()["must_use"]) == ("play", None)
    assert "discard Kc" in table.legal_moves()  # edge 9: a dug card may be discarded
    assert "meld 8s-Ts" in table.legal_moves()


def test_2_3_out_by_meld_without_a_discard_edge_12(place):
    table = place(["7c 7d 7h", "3d Kc"], phase="play", stock="2c", options=ONE_ROUND)
    table.play("meld 7c 7d 7h")
    assert table.is_over
    assert table.rounds == [{"scores": [21, -13], "went_out": 0, "how": "out"}]
    assert (table.current_seat, table.phase, table.legal_moves()) == (-1, "over", [])
    assert table.position()["hands"] == ["", "Kc 3d"]


def test_2_3_out_by_layoff_and_by_discard_edge_12(place):
    layoff = place(["7c", "3d"], phase="play", melds=[("7d 7h 7s", 1)], options=ONE_ROUND)
    layoff.play("layoff 7c set")
    assert layoff.rounds == [{"scores": [7, 18], "went_out": 0, "how": "out"}]
    thrown = place(["7c", "3d"], phase="play", options=ONE_ROUND)
    thrown.play("discard 7c")
    assert thrown.rounds == [{"scores": [0, -3], "went_out": 0, "how": "out"}]


# 2.4 Round end.


def test_2_4_stock_at_zero_finishes_the_turn_and_next_may_take_edges_19_20(place):
    table = place(["2c 9d", "7d 7h 4d"], "Kc", stock="7s")
    play_all(table, "draw", "discard 7s")
    assert table.phase == "draw"
    assert table.legal_moves() == ["dig 7s", "pass"]
    play_all(table, "dig 7s", "meld 7d 7h 7s", "discard 4d")
    assert table.rounds[0]["how"] == "out"


def test_2_4_nobody_takes_with_an_empty_stock_hands_are_deducted(place):
    table = place(["2c 9d", "7d 4d"], "Kc", stock="", melds=[("5h 6h 7h", 0)], options=ONE_ROUND)
    assert table.legal_moves() == ["pass"]
    table.play("pass")
    assert table.rounds == [{"scores": [7, -11], "went_out": None, "how": "exhausted"}]


# 2.5 Round score.


def test_2_5_hand_values(place):
    hand = "As 9d Tc Jc Qc Kc 2c"
    table = place(["3d", hand], phase="play", options=ONE_ROUND)
    table.play("discard 3d")
    assert table.rounds[0]["scores"] == [0, -(15 + 9 + 40 + 2)]


def test_2_5_negative_rounds_and_totals_have_no_floor_edge_45(place):
    table = place(["3d", "Ks Kd"], phase="play", scores=[10, 5], options=ONE_ROUND)
    table.play("discard 3d")
    assert table.scores == [10, -15]


# 2.6 Game end.


def finish(place: Place, scores: list[int], **options: Any) -> Placed:
    """Seat 0 goes out with nothing laid; seat 1 holds a king, seat 2 a two."""
    table = place(["3d", "Ks", "2c"], phase="play", scores=scores, options=options)
    table.play("discard 3d")
    return table


def test_2_6_highest_total_at_500_wins_edge_48(place):
    assert finish(place, [500, 505, 530]).winners == [2]
    assert finish(place, [505, 511, 0]).winners == [0]
    assert not finish(place, [499, 400, 400]).is_over


def test_2_6_equal_highest_plays_on_edge_48(place):
    table = finish(place, [510, 520, 0])
    assert (table.scores, table.is_over, table.round_number) == ([510, 510, -2], False, 2)


def test_2_6_a_lower_tie_does_not_matter(place):
    assert finish(place, [510, 520, 533]).winners == [2]


def test_edge_47_passing_500_during_a_round_is_no_win(place):
    table = place(["3d", "Ks Kh Kd Kc"], phase="play", scores=[0, 495], melds=[("9s Ts Js", 1)])
    table.play("discard 3d")
    assert table.scores == [0, 484]
    assert not table.is_over


# 2.7 Worked examples.


@pytest.mark.parametrize(
    ("cards", "pip", "flat"),
    [
        ("Qs Ks As", 35, 35),
        ("As 2s 3s", 6, 15),
        ("As Ah Ad", 45, 45),
        ("7c 8c 9c", 24, 15),
        ("9c Tc Jc", 29, 25),
        ("8s 9s Ts Js", 37, 30),
        ("Kh Kd Kc", 30, 30),
        ("5h 6h 7h 8h", 26, 20),
        ("9h Th Jh", 29, 25),
        ("6c 6d 6s", 18, 15),
    ],
)
def test_2_7_example_1_meld_values(place, cards, pip, flat):
    assert sum(laid(place, cards)[1]) == pip
    assert sum(laid(place, cards, **FLAT)[1]) == flat


def test_2_7_example_2_hand_costs(place):
    for options, cost in (({}, 32), (FLAT, 30)):
        table = place(["3c", "As 7d Kc"], phase="play", options={**options, **ONE_ROUND})
        table.play("discard 3c")
        assert table.rounds[0]["scores"] == [0, -cost]


def test_2_7_example_3_layer_gets_the_points_edge_35(place):
    kings = {"cards": "Kc Kh Ks Kd", "laid_by": [1, 1, 1, 0]}
    table = place(
        ["Qc 4s", "3d"], phase="play", seat=1, options=ONE_ROUND,
        melds=[("5h 6h 7h 8h", 0), kings],
    )  # fmt: skip
    assert table.position()["table_points"] == [36, 30]
    table.play("discard 3d")
    assert table.rounds[0]["scores"] == [22, 30]


def test_2_7_example_4_melds_minus_hand(place):
    jacks, run = "Jc Jd Jh Js", "3h 4h 5h 6h 7h 8h 9h"
    for cards, points, score in ((jacks, 85, -5), (run, 87, -3)):
        table = place(
            ["3d", "Kc Kd Kh Ks Qc Qd Qh Qs Tc"],
            phase="play",
            options=ONE_ROUND,
            melds=[("Ac Ad Ah", 1), (cards, 1)],
        )
        assert table.position()["table_points"] == [0, points]
        table.play("discard 3d")
        assert table.rounds[0]["scores"] == [0, score]


def test_2_7_example_5_only_index_0_is_legal(place):
    table = place(["8s 8d 5c 2h 9h Jc 4d", "3d"], "8h Kc 3s Qd")
    assert some(table, "dig") == ["dig 8h"]
    table.play("dig 8h")
    assert table.legal_moves() == ["meld 8d 8h 8s"]
    table.play("meld 8d 8h 8s")
    position = table.position()
    assert position["table_points"] == [24, 0]
    assert position["hands"][0] == "5c Jc Kc 4d Qd 2h 9h 3s"
    assert position["discard_pile"] == ""
    assert position["known"] == ["Kc Qd 3s", ""]
    assert sorted(position["drawn"]["dug"].split()) == ["3s", "8h", "Kc", "Qd"]
    table.play("discard Qd")  # edge 8: it starts a new pile
    position = table.position()
    assert (position["discard_pile"], position["known"][0]) == ("Qd", "Kc 3s")


def test_2_7_example_6_only_dug_cards_edge_1(place):
    hands = ["2h 9s 4c", "3d"]
    assert some(place(hands, "7d 7c Kh 7s"), "dig") == ["dig 7d"]
    strict = place(hands, "7d 7c Kh 7s", options={"dig_support": "hand_only"})
    assert some(strict, "dig") == []


def test_2_7_example_7_bridge_edge_3(place):
    hands, pile, melds = ["7s Kd", "3d"], "8s 2c", [("4s 5s 6s", 1)]
    table = place(hands, pile, melds=melds)
    assert some(table, "dig") == ["dig 8s"]
    table.play("dig 8s")
    assert table.legal_moves() == ["layoff 7s high"]
    table.play("layoff 7s high")
    assert table.phase == "obliged"
    assert table.legal_moves() == ["layoff 8s high"]
    table.play("layoff 8s high")
    assert table.phase == "play"
    for options in ({"dig_layoff_bridge": False}, {"dig_use": "new_meld"}):
        assert some(place(hands, pile, melds=melds, options=options), "dig") == []


def test_2_7_example_8_must_discard_edges_13_to_15(place):
    hands, must = ["3h 3d", "4d"], {"must_discard_to_go_out": True, **ONE_ROUND}
    table = place(hands, "9c 3s", options=ONE_ROUND)
    assert some(table, "dig") == ["dig 3s"]
    play_all(table, "dig 3s", "meld 3d 3h 3s")
    assert table.rounds[0] == {"scores": [9, -4], "went_out": 0, "how": "out"}
    assert some(place(hands, "9c 3s", options=must), "dig") == []
    for options in (ONE_ROUND, must):
        table = place(hands, "3s 9c", options=options)
        assert some(table, "dig") == ["dig 3s"]
        play_all(table, "dig 3s", "meld 3d 3h 3s")
        assert table.legal_moves() == ["discard 9c"]
        table.play("discard 9c")
        assert table.rounds[0]["went_out"] == 0


def test_2_7_example_9_two_totals_and_tie_breaks(place):
    for tie_break, winner in (("highest", 1), ("went_out", 0)):
        table = place(
            ["9d", "2c"],
            phase="play",
            scores=[470, 440],
            options={"tie_break": tie_break},
            melds=[("Ac Ad Ah", 0), ("Kc Kd Kh", 1), ("Qc Qd Qh", 1), ("Jc Jd Jh", 1)],
        )
        table.play("discard 9d")
        assert table.scores == [515, 440 + 90 - 2]
        assert table.winners == [winner]
