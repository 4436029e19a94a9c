"""Clauses of the rules, on both engines: the dealer's joker."""

from __future__ import annotations

from typing import Any

from tests.support.engines import Place, Placed, play_all, some

BASE: dict[str, Any] = {
    "num_jokers": 3,
    "dealers_joker": True,
    "joker_role": "nominated",
    "joker_table_value": 0,
    "joker_hand_value": 0,
    "direction": -1,
}


def seated(place: Place, hands: list[str], effect: str, *, dealer: int = 0, **more: Any) -> Placed:
    """A table whose dealer's joker lies unused; seat 0 is to play unless told."""
    more.setdefault("phase", "play")
    options = {**BASE, **more.pop("options", {})}
    joker = {"effect": effect, "state": more.pop("joker", "free")}
    return place(hands, dealer=dealer, options=options, dealers_joker=joker, **more)


def test_9_14_wild_the_own_joker_fills_a_place_and_counts_0(place):
    table = seated(place, ["7c 7d 2h", "3d"], "wild")
    assert some(table, "meld") == ["meld 7c 7d 7h", "meld 7c 7d 7s"]
    table.play("meld 7c 7d 7h")
    position = table.position()
    assert position["melds"][0]["values"] == [7, 7, 0]
    assert position["dealers_joker"] == {"effect": "wild", "state": "used"}
    assert position["hands"][0] == "2h"


def test_5_1_only_the_dealer_uses_it(place):
    table = seated(place, ["7c 7d 2h", "3d"], "wild", dealer=1)
    assert table.legal_moves() == ["discard 2h", "discard 7c", "discard 7d"]


def test_9_14_own_names_whose_joker_goes_first(place):
    table = seated(place, ["7c 7d ** 2h", "3d"], "wild")
    held = play_all(table.copy(), "meld 7c 7d 7h")
    assert held.position()["hands"][0] == "2h"
    assert held.position()["dealers_joker"]["state"] == "free"
    table.play("own")
    assert all(move.startswith("meld") for move in table.legal_moves())
    table.play("meld 7c 7d 7h")
    assert table.position()["hands"][0] == "2h **"
    assert table.position()["dealers_joker"]["state"] == "used"
    assert "own" not in table.legal_moves()


def test_9_14_own_is_legal_iff_a_completing_move_exists(place):
    table = seated(place, ["7c 9d 2h", "3d"], "wild", melds=[])
    assert "own" not in table.legal_moves()
    table = seated(place, ["7c 9d 2h", "3d"], "wild", melds=[("4s 5s 6s", 1)])
    assert "own" in table.legal_moves()
    table.play("own")
    assert table.legal_moves() == ["layoff **=3s low", "layoff **=7s high"]


def test_5_1_own_joker_supports_a_dig(place):
    table = seated(place, ["7c 9s", "3d"], "wild", phase="draw", stock="Kd")
    assert some(table, "dig") == []
    table = place(
        ["7c 9s", "3d"], "7d", stock="Kd", dealer=0, options=BASE,
        dealers_joker={"effect": "wild", "state": "free"},
    )  # fmt: skip
    assert some(table, "dig") == ["dig 7d"]
    table.play("dig 7d")
    assert table.legal_moves() == ["meld 7c 7d 7h", "meld 7c 7d 7s", "own"]
    used = place(
        ["7c 9s", "3d"], "7d", stock="Kd", dealer=0, options=BASE,
        dealers_joker={"effect": "wild", "state": "blocked"},
    )  # fmt: skip
    assert some(used, "dig") == []


def test_9_14_double_scores_the_meld_of_the_action_twice(place):
    table = seated(place, ["7c 7d 7h 7s ** 2h", "3d"], "double", dealer=1)
    assert {"block", "double", "discard **"} <= set(table.legal_moves())
    assert "own" not in table.legal_moves()
    table.play("double")
    assert table.position()["hands"][0] == "7c 7d 2h 7h 7s **"  # paid with the meld
    assert all(move.startswith("meld") for move in table.legal_moves())
    table.play("meld 7c 7d 7h")
    position = table.position()
    assert position["melds"][0]["values"] == [14, 14, 14]
    assert position["hands"][0] == "2h 7s"
    assert "double" not in table.legal_moves()
    table.play("layoff 7s set")  # later layoffs are not doubled
    assert table.position()["melds"][0]["values"] == [14, 14, 14, 7]


def test_9_14_own_then_double(place):
    table = seated(place, ["7c 7d 7h ** 2h", "3d"], "double")
    play_all(table, "own")
    assert table.legal_moves() == ["double"]
    play_all(table, "double")
    assert table.legal_moves() == ["meld 7c 7d 7h"]
    play_all(table, "meld 7c 7d 7h")
    assert table.position()["hands"][0] == "2h **"
    assert table.position()["dealers_joker"]["state"] == "used"


def test_9_14_in_a_double_round_a_joker_is_no_card_of_a_meld_and_no_target(place):
    table = seated(place, ["7c 7d ** 2h", "3d"], "double")
    assert some(table, "meld") == some(table, "layoff") == []
    table = place(
        ["7c 7d 7h 2h", "3d"], "** 7s", dealer=1, options=BASE,
        dealers_joker={"effect": "double", "state": "free"},
    )  # fmt: skip
    assert some(table, "dig") == ["dig 7s"]


def test_9_14_block(place):
    table = seated(place, ["** 2h 9c", "7c 7d 3d"], "wild", dealer=1, stock="Kd Kh")
    assert "block" in table.legal_moves()
    play_all(table, "block")
    position = table.position()
    assert position["dealers_joker"]["state"] == "blocked"
    assert position["hands"][0] == "9c 2h"
    assert "block" not in table.legal_moves()
    play_all(table, "discard 9c", "draw")
    assert some(table, "meld") == []


def test_edge_68_a_used_joker_cannot_be_blocked_nor_the_dealer_block(place):
    assert (
        "block" not in seated(place, ["** 2h", "3d"], "wild", dealer=1, joker="used").legal_moves()
    )
    assert "block" not in seated(place, ["** 2h", "3d"], "wild", dealer=0).legal_moves()


def test_5_1_a_block_that_empties_the_hand_goes_out(place):
    options = {"max_deals": 1, "target_score": None}
    table = seated(place, ["**", "3d"], "wild", dealer=1, options=options)
    table.play("block")
    assert table.rounds[0] == {"scores": [0, -3], "went_out": 0, "how": "out"}
    options["must_discard_to_go_out"] = True
    assert (
        "block" not in seated(place, ["**", "3d"], "wild", dealer=1, options=options).legal_moves()
    )


def test_5_1_jokers_in_hand_count_0(place):
    options = {"max_deals": 1, "target_score": None}
    table = seated(place, ["9c", "** 3d"], "wild", options=options)
    table.play("discard 9c")
    assert table.rounds[0]["scores"] == [0, -3]


def test_9_11_doubled_melds_count_as_they_score_to_the_opening(place):
    options = {"first_meld_min": 30, "card_values": "five_ten_fifteen"}
    table = seated(place, ["7c 7d 7h ** 2h", "3d"], "double", dealer=1, options=options)
    assert some(table, "meld") == []
    play_all(table, "double", "meld 7c 7d 7h")
    assert table.position()["opened"][0]
    table = seated(place, ["7c 7d 2h 9s", "3d"], "wild", options=options)
    assert some(table, "meld") == []  # jokers count 0


def test_9_14_no_own_joker_in_a_window(place):
    options = {"final_layoff": "any_meld", "max_deals": 1, "target_score": None}
    table = seated(
        place, ["9c", "2h 8d"], "wild", dealer=1, melds=[("4s 5s 6s", 1)], options=options
    )
    table.play("discard 9c")
    assert (table.phase, table.legal_moves()) == ("final_layoff", ["pass"])
