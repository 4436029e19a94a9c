"""Clauses of the rules, on both engines: jokers and the opening."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.engines import Place, play_all, some

WILD = {"num_jokers": 2, "joker_role": "wild"}
SETS_ONLY = {"num_jokers": 4, "joker_role": "set_only", "joker_table_value": 20}
OPEN_30 = {"first_meld_min": 30, "card_values": "five_ten_fifteen", "ace_low_value": 5}


def melds_of(place: Place, hand: str, **options: Any) -> list[str]:
    """All melds of a hand, by text; a second seat holds a card of no use."""
    return some(place([hand, ""], phase="play", options=options), "meld")


# Jokers.


def test_9_13_joker_in_a_new_set_takes_a_missing_suit(place):
    assert melds_of(place, "7c 7d ** 2h", **WILD) == ["meld 7c 7d 7h", "meld 7c 7d 7s"]
    table = place(["7c 7d ** 2h", "3h"], phase="play", options=WILD)
    table.play("meld 7c 7d 7h")
    assert table.position()["melds"][0] == {
        "cards": "7c 7d **=7h", "laid_by": [0] * 3, "values": [7, 7, 15],
    }  # fmt: skip
    assert table.position()["hands"][0] == "2h"


def test_9_13_joker_never_stands_for_a_face_in_the_hand(place):
    # 7h is held: it fills its place, the joker takes another
    assert melds_of(place, "7c 7h ** 2d", **WILD) == ["meld 7c 7d 7h", "meld 7c 7h 7s"]
    table = place(["5h 6h 7h ** 2d", "3h"], phase="play", options=WILD)
    runs = ["meld 4h-6h", "meld 4h-7h", "meld 5h-7h", "meld 5h-8h", "meld 6h-8h"]
    assert [move for move in some(table, "meld") if "-" in move] == runs
    table.play("meld 5h-7h")
    assert table.position()["hands"][0] == "2d **"


def test_9_13_a_pattern_that_names_a_suit_twice_takes_no_joker_for_it(place):
    options = {**WILD, "num_decks": 2}
    assert "meld 7c 7c 7d" not in melds_of(place, "7c 7d ** 2h", **options)


def test_4_min_naturals(place):
    assert melds_of(place, "7c ** ** 2h", num_jokers=2, joker_role="wild", min_naturals=2) == []
    one = melds_of(place, "9c ** **", num_jokers=2, joker_role="wild")
    assert one == [
        "meld 7c-9c", "meld 8c-Tc", "meld 9c 9d 9h", "meld 9c 9d 9s", "meld 9c 9h 9s",
        "meld 9c-Jc",
    ]  # fmt: skip
    none = melds_of(place, "** ** **", num_jokers=3, joker_role="wild", min_naturals=0)
    assert "meld 9c 9d 9h" in none
    assert "meld Qs-As" in none
    assert melds_of(place, "** ** **", num_jokers=3, joker_role="wild") == []


def test_edge_43_a_run_of_two_and_a_joker_names_the_end(place):
    assert [m for m in melds_of(place, "Qc Kc ** 2h", **WILD) if "-" in m] == [
        "meld Jc-Kc", "meld Qc-Ac",
    ]  # fmt: skip


def test_edge_41_joker_layoffs_name_the_face(place):
    table = place(["** 2d", "3h"], phase="play", options=WILD, melds=[("5h 6h 7h", 1)])
    assert some(table, "layoff") == ["layoff **=4h low", "layoff **=8h high"]
    table.play("layoff **=8h high")
    assert table.position()["melds"][0]["cards"] == "5h 6h 7h **=8h"
    assert table.position()["melds"][0]["values"] == [5, 6, 7, 15]


def test_9_13_suits_of_a_set_bind_only_under_set_distinct_suits(place):
    melds = [("7c 7d **=7h", 1)]
    table = place(["7h 2d", "3h"], phase="play", options=WILD, melds=melds)
    assert some(table, "layoff") == ["layoff 7h set"]
    options = {**WILD, "set_distinct_suits": True}
    table = place(["7h ** 2d", "3h"], phase="play", options=options, melds=melds)
    assert some(table, "layoff") == ["layoff **=7s set"]


def test_edge_42_joker_may_duplicate_a_card_on_the_table(place):
    melds = [("8h 8d 8s", 1), ("5h 6h 7h", 1)]
    for allowed, layoffs in ((True, ["layoff **=4h low", "layoff **=8h high"]),
                             (False, ["layoff **=4h low"])):  # fmt: skip
        options = {**WILD, "joker_may_duplicate": allowed, "set_max_size": 3}
        table = place(["** 2d", "3h"], phase="play", options=options, melds=melds)
        assert some(table, "layoff") == layoffs


def test_edge_67_natural_first(place):
    options = {**WILD, "joker_layoff": "natural_first"}
    melds = [("4h 5h 6h", 1), ("7c 7d 7s", 1)]
    table = place(["7h ** 2d", "3h"], phase="play", options=options, melds=melds)
    assert "layoff **=7h high" not in table.legal_moves()
    assert "layoff **=3h low" in table.legal_moves()
    table.play("layoff 7h set")
    assert "layoff **=7h high" in table.legal_moves()
    free = place(["7h ** 2d", "3h"], phase="play", options=WILD, melds=melds)
    assert "layoff **=7h high" in free.legal_moves()


def test_4_joker_values_represented(place):
    options = {**WILD, "joker_table_value": "represented"}
    table = place(["Qc Kc ** ** 2h", "3h"], phase="play", options=options)
    play_all(table, "meld Qc-Ac", "layoff **=Jc low")
    assert table.position()["melds"][0]["values"] == [10, 10, 10, 15]


def test_4_joker_hand_value(place):
    options = {**WILD, "joker_hand_value": 20, "max_deals": 1, "target_score": None}
    table = place(["3d", "** 2c"], phase="play", options=options)
    table.play("discard 3d")
    assert table.rounds[0]["scores"] == [0, -22]


def test_t_a_joker_is_used_by_a_meld_or_a_joker_layoff(place):
    table = place(["7c 7d 2h", "3h"], "** Kd", options=WILD)
    assert some(table, "dig") == ["dig **"]
    table.play("dig **")
    assert table.legal_moves() == ["meld 7c 7d 7h", "meld 7c 7d 7s"]
    table = place(["2h 9s", "3h"], "**", options=WILD, melds=[("5h 6h 7h", 1)])
    table.play("dig **")
    assert table.legal_moves() == ["layoff **=4h low", "layoff **=8h high"]


def test_dug_jokers_help_and_a_bridge_is_natural(place):
    table = place(["7c 2h", "3h"], "7d **", options=WILD)
    assert some(table, "dig") == ["dig 7d"]
    # a joker is no bridge; 7s 8s and the joker is a meld
    melds = [("4s 5s 6s", 1)]
    assert some(place(["** 2h", "3h"], "8s", options=WILD, melds=melds), "dig") == []
    options = {**WILD, "min_naturals": 2}
    assert some(place(["** 2h", "3h"], "8s", options=options, melds=melds), "dig") == []


def test_9_13_set_only_jokers(place):
    assert melds_of(place, "** ** ** ** 7c 7d", **SETS_ONLY) == [
        "meld ** ** **",
        "meld ** ** ** **",
    ]
    table = place(["** ** ** ** 7c", "3h"], phase="play", options=SETS_ONLY)
    play_all(table, "meld ** ** **", "layoff ** set")
    assert table.position()["melds"][0] == {
        "cards": "** ** ** **", "laid_by": [0] * 4, "values": [20] * 4,
    }  # fmt: skip
    assert some(place(["** ** 7c", "3h"], "** **", options=SETS_ONLY), "dig") == [
        "dig **", "dig **#2",
    ]  # fmt: skip
    assert some(place(["** 7c", "3h"], "**", options=SETS_ONLY), "dig") == []


def test_edge_40_four_at_once_multiplier(place):
    options = {**SETS_ONLY, "four_at_once_multiplier": 2}
    for moves, points in (
        (["meld ** ** ** **"], 160),
        (["meld ** ** **", "layoff ** set"], 80),
    ):
        table = place(["** ** ** ** 7c", "3h"], phase="play", options=options)
        assert play_all(table, *moves).position()["table_points"] == [points, 0]
    for moves, points in (
        (["meld 6c 6d 6h 6s"], 48),
        (["meld 6c 6d 6h", "layoff 6s set"], 24),
    ):
        table = place(["6c 6d 6h 6s 7c", "3h"], phase="play", options=options)
        assert play_all(table, *moves).position()["table_points"] == [points, 0]
    table = place(["5c 6c 7c 8c 2h", "3h"], phase="play", options=options)
    assert play_all(table, "meld 5c-8c").position()["table_points"] == [26, 0]


# The opening.


@pytest.mark.parametrize(
    ("hand", "melds"),
    [
        ("7c 8c 9c Qd", []),
        ("7c 8c 9c 2d 3d 4d Qd", ["meld 2d-4d", "meld 7c-9c"]),
        ("Kh Kd Kc 2s", ["meld Kc Kd Kh"]),
        ("As 2s 3s Kd", []),
    ],
)
def test_5_4_opening_of_thirty_with_flat_values(place, hand, melds):
    assert melds_of(place, hand, **OPEN_30) == melds


def test_edge_51_partial_opening_masks_the_discard(place):
    table = place(["7c 8c 9c 2d 3d 4d Qd", "3h"], phase="play", options=OPEN_30,
                  melds=[("5s 5h 5c", 1)])  # fmt: skip
    table.play("meld 7c-9c")
    assert table.legal_moves() == ["meld 2d-4d"]
    assert table.position()["opened"] == [False, True]
    table.play("meld 2d-4d")
    assert table.position()["opened"] == [True, True]
    assert table.legal_moves() == ["discard Qd"]


def test_edge_52_layoffs_are_barred_until_opened_and_do_not_count(place):
    melds = [("Qs Qh Qc", 1)]
    table = place(["Qd 7c 8c 9c 2d", "3h"], phase="play", options=OPEN_30, melds=melds)
    assert some(table, "layoff") == some(table, "meld") == []
    table = place(["Qd Kh Kd Kc 2d", "3h"], phase="play", options=OPEN_30, melds=melds)
    assert some(table, "layoff") == []
    table.play("meld Kc Kd Kh")
    assert some(table, "layoff") == ["layoff Qd set"]


def test_edge_50_opening_with_a_dig(place):
    options = {**OPEN_30, "dig_use": "new_meld"}
    assert some(place(["8c 9c Qd", "3h"], "7c", options=options), "dig") == []
    assert some(place(["8c 9c Qd 2d 3d 4d", "3h"], "7c", options=options), "dig") == ["dig 7c"]
    assert some(place(["Kc Kd Qd 2d", "3h"], "Kh", options=options), "dig") == ["dig Kh"]
    # T must be in a meld of the opening, the other melds may hold dug cards
    assert some(place(["Kc Kd Qd 8c 9c", "3h"], "7c Kh", options=options), "dig") == [
        "dig 7c", "dig Kh",
    ]  # fmt: skip
    table = place(["7d 7h 8c 9c Qd 2d", "3h"], "7c", options=options)
    assert some(table, "dig") == []  # the two melds share the seven


def test_9_11_completing_packing_leaves_what_must_discard_needs(place):
    options = {**OPEN_30, "must_discard_to_go_out": True}
    assert melds_of(place, "7c 8c 9c 2d 3d 4d", **options) == []
    assert melds_of(place, "7c 8c 9c 2d 3d 4d Qd", **options) == ["meld 2d-4d", "meld 7c-9c"]


def test_9_11_values_as_scored(place):
    options = {**OPEN_30, **WILD}
    assert "meld 7c 7d 7h" not in melds_of(place, "7c 7d ** 2h", **options)  # 5 + 5 + 15
    assert "meld 7c 7d 7h 7s" in melds_of(place, "7c 7d 7h ** 2h", **options)
    doubled = {**OPEN_30, "four_at_once_multiplier": 2}
    assert melds_of(place, "6c 6d 6h 6s 2c", **doubled) == ["meld 6c 6d 6h 6s"]


def test_4_first_meld_scope_game_and_round(place):
    for scope, opened in (("game", [True, False]), ("round", [False, False])):
        options = {**OPEN_30, "first_meld_scope": scope}
        table = place(["Kc Kd Kh 2c", "3h"], phase="play", options=options)
        play_all(table, "meld Kc Kd Kh", "discard 2c")
        assert table.round_number == 2
        assert table.position()["opened"] == opened


def test_5_4_on_board_scope_records_nothing_below_the_minimum(place):
    options = {"first_meld_min": 30, "first_meld_scope": "on_board"}
    recorded: list[int] = []
    opened = [False, False]
    for score in (25, -10, 40, 15):
        # a ten is left in hand; the run on the table makes up the rest
        run = {"cards": "7c 8c 9c", "laid_by": [1] * 3, "values": [score + 10, 0, 0]}
        table = place(["2h", "Td"], phase="play", options=options, opened=opened, melds=[run])
        table.play("discard 2h")
        recorded.append(table.rounds[0]["scores"][1])
        opened = table.position()["opened"]
    assert recorded == [0, 0, 40, 15]
    assert melds_of(place, "2c 3c 4c 9d", **options) == ["meld 2c-4c"]  # 9.11: masks nothing


def test_9_20_a_short_deck_has_no_run_longer_than_its_ranks(place):
    options = {"num_ranks": 5, "hand_size": 5, "num_jokers": 1, "joker_role": "wild"}
    table = place(["Ah 2h 3h 4h 5h ** Ac", "2c"], phase="play", options=options)
    runs = [move for move in some(table, "meld") if "-" in move]
    assert {"meld Ah-5h", "meld 2h-Ah"} <= set(runs)
    assert not any("+" in move for move in runs)
