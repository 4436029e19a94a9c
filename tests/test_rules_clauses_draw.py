"""Clauses of the rules, on both engines: setup, draw and discard options."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.engines import Place, play_all, some

ONE_ROUND = {"max_deals": 1, "target_score": None}


def end_round(place: Place, scores: dict[str, Any], dealer: int = 0) -> int:
    """The next dealer after seat 0 went out with nothing, others holding what is given."""
    table = place(["9d", *scores["hands"]], phase="play", dealer=dealer, options=scores["options"])
    table.play("discard 9d")
    assert table.round_number == 2
    return table.dealer


def test_9_17_winner_and_loser_deal(place):
    hands = ["2c", "Kd", "Kc"]  # scores 0, -2, -10, -10
    winner = {"hands": hands, "options": {"dealer_rotation": "winner"}}
    loser = {"hands": hands, "options": {"dealer_rotation": "loser"}}
    assert end_round(place, winner) == 0
    assert end_round(place, loser, dealer=0) == 2  # tied: the nearest to the dealer's left
    assert end_round(place, loser, dealer=2) == 3
    assert end_round(place, {"hands": hands, "options": {}}, dealer=2) == 3


def test_9_17_tied_best_the_goer_deals(place):
    table = place(
        ["9d", "2c"], phase="play", dealer=0, options={"dealer_rotation": "winner"},
        melds=[("2d 3d 4d 5d", 1), ("3c 4c 5c", 0)], seat=0,
    )  # fmt: skip
    table.play("discard 9d")
    assert table.rounds[0]["scores"] == [12, 12]
    assert table.dealer == 0


def test_edge_64_winner_deals_after_a_stock_out_the_deal_passes_left(place):
    table = place(
        ["9d", "2c", "3c"], "Kd", stock="", dealer=2, options={"dealer_rotation": "winner"}
    )
    table.play("pass")
    assert (table.rounds[0]["how"], table.dealer) == ("exhausted", 0)


# Draw.


def test_4_discard_take_top_only(place):
    hands, pile = ["8s 8d 5c Kc Ks", "3d"], "8h Kd"
    assert some(place(hands, pile), "dig") == ["dig 8h", "dig Kd"]
    options = {"discard_take": "top_only"}
    assert some(place(hands, pile, options=options), "dig") == ["dig Kd"]
    assert some(place(["8s 8d 5c", "3d"], pile, options=options), "dig") == []


def test_4_top_discard_free_has_no_obligation(place):
    table = place(["2c 9d", "3d"], "8h Kc", options={"top_discard_free": True})
    assert some(table, "dig") == ["dig Kc"]
    table.play("dig Kc")
    position = table.position()
    assert (table.phase, position["must_use"], position["known"]) == ("play", None, ["Kc", ""])
    # auto is top_taken where a free take exists
    assert table.legal_moves() == ["discard 2c", "discard 9d"]


def test_4_dig_support_hand_only_with_equal_faces(place):
    options = {"dig_support": "hand_only", "num_decks": 2}
    assert some(place(["7d 9s 4c", "3d"], "7c 7h", options=options), "dig") == []
    assert "dig 7c" in some(place(["7d 7s 4c", "3d"], "7c 7h", options=options), "dig")
    table = place(["7d 7h 4c", "3d"], "7c 7h", options=options)
    table.play("dig 7c")
    assert table.legal_moves() == ["meld 7c 7d 7h"]  # not both sevens of hearts
    table.play("meld 7c 7d 7h")
    assert "layoff 7h set" in table.legal_moves()


def test_9_6_hand_only_bridges_are_not_by_dug_cards(place):
    melds = [("4s 5s 6s", 1)]
    assert some(place(["2d 9h", "3d"], "8s 7s", melds=melds), "dig") == ["dig 7s", "dig 8s"]
    strict = place(["2d 9h", "3d"], "8s 7s", melds=melds, options={"dig_support": "hand_only"})
    assert some(strict, "dig") == ["dig 7s"]


@pytest.mark.parametrize(
    ("ban", "after_draw", "after_dig"),
    [
        ("none", "2c 8d Kd", "2c 9h Kd"),
        ("top_taken", "2c 8d Kd", "2c 9h Kd"),
        ("dug_all", "2c 8d Kd", "2c Kd"),
        ("all_drawn", "2c Kd", "2c Kd"),
    ],
)
def test_4_drawn_discard_ban(place, ban, after_draw, after_dig):
    options = {"drawn_discard_ban": ban}
    table = place(["2c Kd", "3d"], "Kc", stock="8d", options=options)
    play_all(table, "draw")
    assert some(table, "discard") == [f"discard {card}" for card in after_draw.split()]
    table = place(["2c Kd 8s 8c", "3d"], "8h 9h", options=options)
    play_all(table, "dig 8h", "meld 8c 8h 8s")
    assert sorted(some(table, "discard")) == [f"discard {card}" for card in after_dig.split()]


def test_9_2_a_face_may_be_discarded_if_more_copies_are_held_than_banned(place):
    options = {"num_decks": 2, "drawn_discard_ban": "all_drawn"}
    table = place(["8d Kd", "3d"], "Kc", stock="8d", options=options)
    table.play("draw")
    assert some(table, "discard") == ["discard 8d", "discard Kd"]


def test_9_2_a_play_uses_banned_copies_first(place):
    options = {"num_decks": 2, "drawn_discard_ban": "all_drawn"}
    table = place(["8d 2c", "3d"], "Kc", stock="8d", options=options, melds=[("8c 8h 8s", 1)])
    play_all(table, "draw", "layoff 8d set")
    assert some(table, "discard") == ["discard 2c", "discard 8d"]


def test_edge_10_all_banned_after_an_obligation_pass_ends_the_turn(place):
    options = {"drawn_discard_ban": "all_drawn"}
    table = place(["8s 8c", "3d 4d"], "8h 9h", stock="2c 2d", options=options)
    play_all(table, "dig 8h", "meld 8c 8h 8s")  # 9.12: not masked in OBLIGED
    assert table.legal_moves() == ["pass"]
    table.play("pass")
    assert (table.current_seat, table.phase) == (1, "draw")
    assert table.position()["hands"][0] == "9h"
    assert table.position()["turns_taken"] == [1, 0]


def test_9_12_in_play_no_play_leaves_only_banned_cards_edge_11(place):
    melds = [("7c 7d 7h", 1), ("9c Tc Jc", 1)]
    table = place(["7s", "3d"], "Kc", melds=melds, options={"top_discard_free": True})
    table.play("dig Kc")
    assert table.legal_moves() == ["discard 7s"]
    table = place(["7s", "3d"], "Qc", melds=melds, options={"top_discard_free": True})
    table.play("dig Qc")
    assert table.legal_moves() == ["discard 7s", "layoff Qc high"]


def test_edge_24_stock_draw_count_two_and_one_left(place):
    options = {"stock_draw_count": 2}
    table = play_all(place(["2c", "3d"], "Kc", stock="8d 9d Td", options=options), "draw")
    assert sorted(table.position()["drawn"]["stock"].split()) == ["9d", "Td"]
    assert table.position()["stock"] == "8d"
    play_all(table, "discard 2c")
    play_all(table, "draw")
    assert table.position()["hands"][1] == "3d 8d"


# Booting.


def test_5_4_booting_scores_73(place):
    options = {"skip_first_draw": True, "boot_bonus": 25, **ONE_ROUND}
    table = place(["5h 6h 7h Kd Ks Kc 2s", "3d 4d"], "9c", options=options)
    assert "pass" in table.legal_moves()
    play_all(table, "pass")
    assert table.legal_moves() == ["meld 5h-7h", "meld Kc Kd Ks"]  # no discard yet
    play_all(table, "meld 5h-7h", "meld Kc Kd Ks")
    assert table.legal_moves() == ["discard 2s"]
    play_all(table, "discard 2s")
    assert table.rounds[0] == {"scores": [73, -7], "went_out": 0, "how": "out"}


def test_edge_61_booting_is_not_offered_without_a_full_play(place):
    options = {"skip_first_draw": True}
    hand = "5h 6h 7h Kd Ks Kc 2s"
    assert "pass" not in place([hand + " 3s", "3d"], "9c", options=options).legal_moves()
    later = place([hand, "3d"], "9c", options=options, turns_taken=[1, 0])
    assert "pass" not in later.legal_moves()


def test_9_18_booting_masks_what_does_not_lead_out(place):
    options = {"skip_first_draw": True}
    table = place(["5h 6h 7h 7c 7d 8h 2s", "3d"], "9c", options=options)
    assert "pass" not in table.legal_moves()
    table = place(["5h 6h 7h 7c 7d 7s 8h", "3d"], "9c", options=options)
    play_all(table, "pass")
    # 5h 6h 7h and the sevens c d s, 8h laid off or thrown; or 5h-8h and the three sevens
    assert table.legal_moves() == ["meld 5h-7h", "meld 5h-8h", "meld 6h-8h", "meld 7c 7d 7s"]


def test_9_18_booting_lays_off_on_new_melds_and_on_the_table(place):
    options = {"skip_first_draw": True}
    table = place(["5h 6h 7h 8h 9h 2s 3s", "3d"], "9c", options=options, melds=[("4s 5s 6s", 1)])
    play_all(table, "pass", "meld 5h-7h", "layoff 8h high", "layoff 9h high")
    # both spades go down, or one stays for the discard
    assert table.legal_moves() == ["layoff 3s low"]
    play_all(table, "layoff 3s low")
    assert table.legal_moves() == ["discard 2s", "layoff 2s low"]


def test_9_18_booting_with_must_discard_needs_exactly_one_discard(place):
    options = {"skip_first_draw": True, "must_discard_to_go_out": True}
    assert "pass" not in place(["5h 6h 7h", "3d"], "9c", options=options).legal_moves()
    assert "pass" in place(["5h 6h 7h 8h", "3d"], "9c", options=options).legal_moves()
