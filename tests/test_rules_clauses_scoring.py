"""Clauses of the rules, on both engines: scores of rounds, the game."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.engines import Place, Placed, play_all
from tests.support.rounds import ONE_ROUND, goes_out, stock_out

# Scoring.


def test_4_card_values_and_aces_in_hand_edge_44(place):
    assert goes_out(place, ["As 7d Kc"], card_values="five_ten_fifteen")["scores"] == [0, -30]
    assert goes_out(place, ["As 7d Kc"], ace_hand_value=1)["scores"] == [0, -18]


@pytest.mark.parametrize("value", [1, 5, 15, 25])
def test_4_ace_values(place, value):
    for cards, option in (
        ("Ac 2c 3c", "ace_low_value"), ("Qc Kc Ac", "ace_high_value"), ("Ac Ad Ah", "ace_set_value")
    ):  # fmt: skip
        table = place(["2s", "3s"], phase="play", options={option: value}, melds=[(cards, 0)])
        aces = [
            points
            for card, points in zip(
                cards.split(), table.position()["melds"][0]["values"], strict=True
            )
            if card[0] == "A"
        ]
        assert set(aces) == {value}


def test_9_9_four_aces_bonus(place):
    options: dict[str, Any] = {"four_aces_bonus": 40}
    aces = [("Ac Ad Ah As", 0)]
    assert goes_out(place, ["3d"], aces, **options)["scores"] == [100, -3]
    shared = [{"cards": "Ac Ad Ah As", "laid_by": [0, 0, 0, 1]}]
    assert goes_out(place, ["3d"], shared, **options)["scores"] == [45, 12]
    spread = [("Ac Ad Ah", 1), ("Qs Ks As", 1)]
    assert goes_out(place, ["3d"], spread, **options)["scores"] == [0, 45 + 35 + 40 - 3]
    eight = [("Ac Ad Ah As", 0), ("Ac Ad Ah As", 0)]
    assert goes_out(place, ["3d"], eight, num_decks=2, **options)["scores"] == [160, -3]


def test_5_3_winner_takes_hands(place):
    options = {"scoring_mode": "winner_takes_hands", "ace_hand_value": 1}
    laid = [("5c 5d 5h", 0)]
    assert goes_out(place, ["Kd 7d", "9c"], laid, **options)["scores"] == [26, 0, 0]
    assert stock_out(place, ["Kd 7d", "9c"], laid, **options)["scores"] == [0, 0]
    assert goes_out(place, ["Ad 5d"], [], **{**options, "ace_hand_value": 15})["scores"] == [20, 0]


def test_5_3_going_rummy_edge_60(place):
    options = {"scoring_mode": "winner_takes_hands", "going_rummy_multiplier": 2}
    assert goes_out(place, ["Kd 7d", "9c"], **options)["scores"] == [52, 0, 0]
    assert goes_out(place, ["Kd 7d", "9c"], [("5c 5d 5h", 0)], **options)["scores"] == [26, 0, 0]
    layoff = [{"cards": "5c 5d 5h 5s", "laid_by": [1, 1, 1, 0]}]
    assert goes_out(place, ["Kd 7d", "9c"], layoff, **options)["scores"] == [26, 0, 0]
    table = place(  # all in one turn, the final discard is allowed
        ["5c 5d 5h 2s", "Kd"], phase="play", options={**ONE_ROUND, **options}
    )
    play_all(table, "meld 5c 5d 5h", "discard 2s")
    assert table.rounds[0]["scores"] == [20, 0]


def test_5_4_masters_hand(place):
    for values, score in (("pip", 549), ("five_ten_fifteen", 540)):
        options = {"masters_hand_bonus": 500, "card_values": values, **ONE_ROUND}
        table = place(["4h 5h 6h 7h 8h 9h Th", "3d"], "Kc", stock="2c", options=options)
        play_all(table, "draw", "meld 4h-Th", "discard 2c")
        assert table.rounds[0]["scores"][0] == score
    # six and a layoff is no run of seven in one action
    table = place(["4h 5h 6h 7h 8h 9h Th", "3d"], "Kc", stock="2c", options=options)
    play_all(table, "draw", "meld 4h-9h", "layoff Th high", "discard 2c")
    assert table.rounds[0]["scores"][0] == 40
    # without the discard there is none either
    table = place(["4h 5h 6h 7h 8h 9h Th", "3d"], phase="play", options=options)
    table.play("meld 4h-Th")
    assert table.rounds[0]["scores"][0] == 40


def test_4_go_out_bonus(place):
    assert goes_out(place, ["3d"], go_out_bonus=25)["scores"] == [25, -3]
    assert stock_out(place, ["2h", "3d"], go_out_bonus=25)["scores"] == [-2, -3]


# The game.


def test_4_tie_break_went_out_edges_48_49(place):
    options = {"tie_break": "went_out"}

    def winners(hands: list[str], scores: list[int]) -> list[int]:
        table = place(hands, phase="play", scores=scores, options=options)
        table.play(f"discard {hands[0]}")
        return table.winners

    assert winners(["9d", "2c"], [500, 600]) == [0]
    assert winners(["9d", "2c"], [499, 600]) == [1]
    assert winners(["9d", "2c"], [600, 602]) == [0]
    table = place(["9d", "2c"], "Kc", stock="", scores=[509, 600], options=options)
    table.play("pass")
    assert table.winners == [1]


def test_4_max_deals_highest_total_and_a_shared_tie(place):
    assert place_and_end(place, [10, 13, 7], max_deals=1).winners == [1]
    tied = place_and_end(place, [10, 12, 7], max_deals=1, game_bonus=50)
    assert (tied.winners, tied.scores) == ([0, 1], [10, 10, 4])
    assert not place_and_end(place, [10, 13, 7], max_deals=2).is_over
    assert place_and_end(place, [10, 13, 7], max_deals=2, round_number=2).winners == [1]


def place_and_end(place: Place, scores: list[int], round_number: int = 1, **options: Any) -> Placed:
    """Seat 0 goes out, seat 1 loses 2, seat 2 loses 3."""
    table = place(
        ["9d", "2c", "3c"], phase="play", scores=scores, round_number=round_number,
        options={"target_score": None, **options},
    )  # fmt: skip
    table.play("discard 9d")
    return table


def test_4_game_bonus_goes_to_the_winner_once(place):
    table = place_and_end(place, [10, 13, 7], max_deals=1, game_bonus=50)
    assert (table.scores, table.winners) == ([10, 61, 4], [1])
    assert table.rounds[0]["scores"] == [0, -2, -3]
    assert place_and_end(place, [500, 0, 0], target_score=500, game_bonus=50).scores == [
        550,
        -2,
        -3,
    ]
