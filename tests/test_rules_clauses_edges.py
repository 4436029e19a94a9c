"""Clauses of the rules, on both engines: edge cases of the default game."""

from __future__ import annotations

import pytest

from rummy500_env import Game, Rules, RulesError
from tests.support.engines import play_all, some
from tests.support.rounds import ONE_ROUND

TWO = {"num_decks": 2}


# 6 Edge cases of the default game.


def test_edge_2_a_usable_card_above_does_not_help(place):
    table = place(["Kd Ks 2c 4h", "3d"], "9h Kc")
    assert some(table, "dig") == ["dig Kc"]


def test_edge_6_layoff_or_new_meld_with_the_target(place):
    hands, melds = ["7c 6c 2d 9h", "3d"], [("8c 8d 8h", 1), ("9c Tc Jc", 1)]
    table = place(hands, "8s 5c", melds=melds)
    assert some(table, "dig") == ["dig 5c", "dig 8s"]
    table.play("dig 5c")
    assert table.legal_moves() == ["meld 5c-7c"]
    table = place(["6c 7c 2d 9h", "3d"], "8c", melds=[("9c Tc Jc", 1)])
    table.play("dig 8c")
    assert table.legal_moves() == ["layoff 8c low", "meld 6c-8c"]
    table = place(
        ["6c 7c 2d 9h", "3d"], "8c", melds=[("9c Tc Jc", 1)], options={"dig_use": "new_meld"}
    )
    table.play("dig 8c")
    assert table.legal_moves() == ["meld 6c-8c"]


def test_edge_7_pile_of_one_has_the_same_test(place):
    assert some(place(["2c 9d", "3d"], "Kc"), "dig") == []
    assert some(place(["Kd Kh 9d", "3d"], "Kc"), "dig") == ["dig Kc"]


def test_edge_27_nothing_goes_beyond_an_ace(place):
    table = place(["2c Kd 9h", "3h"], phase="play", melds=[("Qc Kc Ac", 1), ("Ad 2d 3d", 1)])
    assert some(table, "layoff") == []


def test_edge_28_run_of_fourteen_with_two_aces(place):
    hand = "Ac Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc 9d"
    table = place([hand, "3d"], phase="play", options=TWO)
    assert "meld Ac-Ac" not in table.legal_moves()
    play_all(table, "meld Ac-Kc", "layoff Ac high")
    values = table.position()["melds"][0]["values"]
    assert (values[0], values[-1], len(values)) == (1, 15, 14)
    table = place([hand, "3d"], phase="play", options=TWO)
    play_all(table, "meld 2c-Ac", "layoff Ac low")
    assert table.position()["melds"][0]["values"] == values


def test_edge_30_ace_in_a_set_and_on_a_low_run(place):
    table = place(
        ["Ac Ad 9h", "3h"], phase="play", melds=[("Ah As Ad", 1), ("2d 3d 4d", 1)], options=TWO
    )
    play_all(table, "layoff Ac set", "layoff Ad low")
    melds = table.position()["melds"]
    assert melds[0]["values"][-1] == 15
    assert melds[1]["values"] == [1, 2, 3, 4]


def test_edge_31_an_ace_in_hand_costs_15_whatever_it_could_form(place):
    table = place(["9d", "Ac 2c 3c"], phase="play", options=ONE_ROUND)
    table.play("discard 9d")
    assert table.rounds[0]["scores"] == [0, -20]


def test_edge_33_the_card_joins_one_run_and_the_gap_closes(place):
    melds = [("4s 5s 6s", 1), ("8s 9s Ts", 1)]
    table = place(["7s 2d 9h", "3h"], phase="play", melds=melds)
    assert some(table, "layoff") == ["layoff 7s high", "layoff 7s low"]
    low = play_all(table.copy(), "layoff 7s low").position()["melds"]
    assert [meld["cards"] for meld in low] == ["4s 5s 6s", "7s 8s 9s Ts"]
    high = play_all(table.copy(), "layoff 7s high").position()["melds"]
    assert [meld["cards"] for meld in high] == ["4s 5s 6s 7s", "8s 9s Ts"]


def test_edge_37_duplicates_in_a_set_of_two_decks(place):
    table = place(["7s 7s 7h 9d", "3d"], phase="play", options=TWO)
    assert some(table, "meld") == ["meld 7h 7s 7s"]
    table = place(["7s 7s 7h 9d", "3d"], phase="play", options={**TWO, "set_distinct_suits": True})
    assert some(table, "meld") == []


def test_edge_38_a_fifth_seven_and_a_second_set(place):
    table = place(["7s 7s 7h 9d", "3d"], phase="play", options=TWO, melds=[("7c 7d 7h 7c", 1)])
    assert some(table, "layoff") == []
    assert some(table, "meld") == ["meld 7h 7s 7s"]


def test_edge_39_equal_faces_in_the_pile(place):
    table = place(["8c 8d 2h", "3d"], "8h Kc 8h", options=TWO)
    assert some(table, "dig") == ["dig 8h", "dig 8h#2"]
    deep = play_all(table.copy(), "dig 8h#2")
    assert deep.position()["discard_pile"] == ""
    top = play_all(table.copy(), "dig 8h")
    assert top.position()["discard_pile"] == "8h Kc"


def test_2_3_the_oldest_meld_takes_the_layoff(place):
    table = place(
        ["7s 2d", "3d"], phase="play", options=TWO, melds=[("4s 5s 6s", 0), ("4s 5s 6s", 1)]
    )
    table.play("layoff 7s high")
    assert [meld["cards"] for meld in table.position()["melds"]] == ["4s 5s 6s 7s", "4s 5s 6s"]


def test_9_2_any_copy_discharges_and_known_copies_fall(place):
    table = place(["8h 8c 8d 2h", "3d"], "8h Kc", options=TWO)
    table.play("dig 8h")
    assert table.position()["known"][0] == "Kc 8h"
    table.play("meld 8c 8d 8h")
    assert table.phase == "play"
    assert table.position()["known"][0] == "Kc"
    table.play("discard 8h")
    assert table.position()["known"][0] == "Kc"


def test_9_6_bridge_over_two_places_from_both_sides(place):
    melds = [("3s 4s 5s", 1), ("Ts Js Qs", 1)]
    table = place(["6s 7s 9s 2d", "3d"], "8s", melds=melds)
    table.play("dig 8s")
    assert table.legal_moves() == ["layoff 6s high", "layoff 9s low", "meld 6s-8s", "meld 6s-9s",
                                   "meld 7s-9s"]  # fmt: skip
    table.play("layoff 6s high")  # after a bridge has begun T may still go down in a new meld
    assert table.legal_moves() == ["layoff 7s high", "layoff 9s low", "meld 7s-9s"]


def test_9_6_no_bridge_with_a_gap(place):
    assert some(place(["6s 2d", "3d"], "8s", melds=[("3s 4s 5s", 1)]), "dig") == []


def test_9_6_bridge_keeps_the_card_that_must_discard_needs_edge_14(place):
    options = {"must_discard_to_go_out": True}
    melds = [("4s 5s 6s", 1)]
    assert some(place(["7s", "3d"], "8s", melds=melds, options=options), "dig") == []
    assert some(place(["7s", "3d"], "8s Kd", melds=melds, options=options), "dig") == ["dig 8s"]


def test_edge_14_each_placing_of_the_target_must_leave_a_card(place):
    options = {"must_discard_to_go_out": True}
    table = place(["8c 8d 8s", "3d"], "8h", options=options)
    table.play("dig 8h")
    assert table.legal_moves() == ["meld 8c 8d 8h", "meld 8c 8h 8s", "meld 8d 8h 8s"]
    # The bridge of two and the meld of four would use every card; the short ones do not.
    table = place(["6s 7s 9s", "3d"], "8s", melds=[("3s 4s 5s", 1)], options=options)
    table.play("dig 8s")
    assert table.legal_moves() == ["layoff 6s high", "meld 6s-8s", "meld 7s-9s"]
    table.play("layoff 6s high")
    assert table.legal_moves() == ["layoff 7s high"]
    play_all(table, "layoff 7s high", "layoff 8s high")
    assert table.legal_moves() == ["discard 9s"]


def test_edge_46_the_goers_hand_counts_nothing_and_others_are_deducted(place):
    table = place(
        ["7c 7d 7h 2c", "9d 9h"], phase="play", options=ONE_ROUND, melds=[("Kc Kd Kh", 1)]
    )
    play_all(table, "meld 7c 7d 7h", "discard 2c")
    assert table.rounds[0]["scores"] == [21, 12]


def test_edge_65_dug_cards_are_public_and_unseen_is_what_one_cannot_locate(place):
    table = place(["8s 8d 5c", "3d 4d"], "8h Kc", stock="2c 2d")
    play_all(table, "dig 8h", "meld 8d 8h 8s", "discard 5c")
    view = table.view(1)
    assert view["known"] == ["Kc", ""]
    assert (view["hand"], view["hand_sizes"], view["stock_size"]) == ("3d 4d", [1, 2], 2)
    assert view["unseen"] == "2c 2d"
    assert table.view(0)["unseen"] == "2c 2d 3d 4d"
    assert "hands" not in view
    assert "stock" not in view


def test_views_show_a_drawn_card_to_its_seat_only(place):
    table = play_all(place(["8s 8d 5c", "3d 4d"], "Kc", stock="2c 2d"), "draw")
    assert table.view(0)["drawn"] == {"stock": "2d", "dug": ""}
    assert table.view(1)["drawn"] == {"stock": "", "dug": ""}


def test_without_a_stock_all_other_cards_are_the_stock(place):
    assert len(place(["8h", "3d"], "Kc").position()["stock"].split()) == 49


def test_edge_8_the_whole_pile_leaves_and_the_discard_starts_a_new_one(place):
    table = place(["8s 8d 5c 2h", "3d"], "8h Kc 3s")
    play_all(table, "dig 8h", "meld 8d 8h 8s")
    assert (table.position()["discard_pile"], table.position()["discarded_by"]) == ("", [])
    table.play("discard 5c")
    assert (table.position()["discard_pile"], table.position()["discarded_by"]) == ("5c", [0])


def test_edge_9_a_dug_card_may_be_discarded_in_the_same_turn(place):
    table = place(["8s 8d 5c 2h", "3d"], "8h Kc 3s")
    play_all(table, "dig 8h", "meld 8d 8h 8s")
    assert some(table, "discard") == ["discard 2h", "discard 3s", "discard 5c", "discard Kc"]


def test_edge_29_a_run_up_to_the_ace_is_told_low_to_high(place):
    table = place(["As Qs Ks 2d", "3d"], phase="play")
    play_all(table, "meld Qs-As")
    meld = table.position()["melds"][0]
    assert (meld["cards"], meld["values"]) == ("Qs Ks As", [10, 10, 15])


def test_edge_36_points_go_to_the_layer_wherever_the_meld_lies(place):
    table = place(["Kd 4c 2h", "3d"], phase="play", melds=[("Kc Kh Ks", 1)])
    table.play("layoff Kd set")
    assert table.position()["table_points"] == [10, 30]
    assert sorted(table.position()["melds"][0]["laid_by"]) == [0, 1, 1, 1]


@pytest.mark.parametrize(("decks", "faulty"), [(1, True), (2, False)])
def test_edge_63_thirteen_cards_for_four_leave_neither_upcard_nor_stock(decks, faulty):
    rules = Rules(hand_size=13, num_decks=decks, players=(2, 4))
    if faulty:
        with pytest.raises(RulesError):
            Game(rules, 4)
    else:
        assert Game(rules, 4, seed=0).view(0).stock_size == 104 - 52 - 1


def test_edge_69_the_first_player_may_take_the_upcard_as_any_discard(place):
    assert place(["Kd Ks 2c", "3d"], "Kc").legal_moves() == ["dig Kc", "draw"]
    assert place(["Kd 9s 2c", "3d"], "Kc").legal_moves() == ["draw"]


def test_edge_70_what_a_card_scores_is_final_when_it_is_laid(place):
    table = place(["Ac 2c 3c Kd Qd Jd 4c Ad 9h", "3d"], phase="play")
    points = 0
    for move, gain in (("meld Ac-3c", 6), ("layoff 4c high", 4), ("meld Jd-Ad", 45)):
        before = [meld["values"] for meld in table.position()["melds"]]
        table.play(move)
        points += gain
        assert table.position()["table_points"] == [points, 0]
        after = [meld["values"] for meld in table.position()["melds"]]
        assert all(now[: len(then)] == then for then, now in zip(before, after, strict=False))
