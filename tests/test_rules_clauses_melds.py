"""Clauses of the rules, on both engines: melds and layoffs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.engines import Place, play_all, some


def melds_of(place: Place, hand: str, **options: Any) -> list[str]:
    """All melds of a hand, by text; a second seat holds a card of no use."""
    return some(place([hand, ""], phase="play", options=options), "meld")


# Sets and runs.


def test_4_set_max_size_three_and_five(place):
    assert melds_of(place, "7c 7d 7h 7s 2c", set_max_size=3) == [
        "meld 7c 7d 7h", "meld 7c 7d 7s", "meld 7c 7h 7s", "meld 7d 7h 7s",
    ]  # fmt: skip
    options = {"set_max_size": 5, "num_decks": 2}
    table = place(["7c 7d 2c", "3d"], phase="play", options=options, melds=[("7c 7d 7h 7s", 1)])
    assert some(table, "layoff") == ["layoff 7c set", "layoff 7d set"]
    table.play("layoff 7c set")  # 9.7: a new set has at most 4 cards, more are laid off
    assert some(table, "layoff") == []


def test_9_7_a_new_set_has_at_most_four_cards(place):
    assert max(len(m.split()) for m in melds_of(place, "7c 7c 7d 7d 7h 7s 2c", set_max_size=8,
                                                num_decks=2)) == 5  # fmt: skip


def test_4_set_distinct_suits_binds_layoffs(place):
    melds = [("7c 7d 7h", 1)]
    options = {"num_decks": 2, "set_distinct_suits": True}
    table = place(["7c 7s 2c", "3d"], phase="play", options=options, melds=melds)
    assert some(table, "layoff") == ["layoff 7s set"]


def test_4_run_min_len_four_single_layoffs_stay_legal(place):
    assert melds_of(place, "5c 6c 7c 2d", run_min_len=4) == []
    assert melds_of(place, "5c 6c 7c 8c 2d", run_min_len=4) == ["meld 5c-8c"]
    options = {"run_min_len": 4}
    table = place(["9c 2d", "3d"], phase="play", options=options, melds=[("5c 6c 7c 8c", 1)])
    assert some(table, "layoff") == ["layoff 9c high"]


@pytest.mark.parametrize(
    ("ace_rank", "melds"),
    [
        ("low", ["meld Ac-3c"]),
        ("high", ["meld Qc-Ac"]),
        ("high_or_low", ["meld Ac-3c", "meld Qc-Ac"]),
        (
            "round_the_corner",
            [
                "meld Ac-3c",
                "meld Kc-2c",
                "meld Kc-3c",
                "meld Qc-2c",
                "meld Qc-3c",
                "meld Qc-Ac",
            ],
        ),
    ],
)
def test_4_ace_rank_edges_26_66(place, ace_rank, melds):
    assert melds_of(place, "Ac 2c 3c Qc Kc 9d", ace_rank=ace_rank) == melds


def test_4_ace_rank_bounds_layoffs(place):
    melds = [("2c 3c 4c", 1), ("Jd Qd Kd", 1)]
    wanted = {
        "low": ["layoff Ac low"],
        "high": ["layoff Ad high"],
        "high_or_low": ["layoff Ac low", "layoff Ad high"],
        "round_the_corner": ["layoff Ac low", "layoff Ad high"],
    }
    for ace_rank, layoffs in wanted.items():
        options = {"ace_rank": ace_rank}
        table = place(["Ac Ad 9h", "3h"], phase="play", options=options, melds=melds)
        assert some(table, "layoff") == layoffs


def test_edge_32_corner_values_of_the_ace(place):
    options = {"ace_rank": "round_the_corner"}
    table = place(["Ac 2c 3c Kc 9d", "3h"], phase="play", options=options)
    play_all(table, "meld Ac-3c", "layoff Kc low")
    assert table.position()["melds"][0] == {
        "cards": "Kc Ac 2c 3c", "laid_by": [0] * 4, "values": [10, 1, 2, 3],
    }  # fmt: skip
    table = place(["Ac 2c 3c Kc 9d", "3h"], phase="play", options=options)
    play_all(table, "meld Kc-3c")
    assert table.position()["melds"][0]["values"] == [10, 15, 2, 3]


def test_9_7_a_corner_run_closes_at_thirteen_and_with_twelve_both_ends_fit(place):
    options = {"ace_rank": "round_the_corner", "num_decks": 2}
    twelve = "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"
    table = place(["Ac Ac 9d", "3h"], phase="play", options=options, melds=[(twelve, 1)])
    assert some(table, "layoff") == ["layoff Ac high", "layoff Ac low"]
    low = play_all(table.copy(), "layoff Ac low")
    assert low.position()["melds"][0]["values"][0] == 1
    assert some(low, "layoff") == []
    high = play_all(table.copy(), "layoff Ac high")
    assert high.position()["melds"][0]["values"][-1] == 15
    whole = melds_of(place, "Ac " + twelve + " 9d", **options)
    assert {"meld Ac-Kc", "meld 2c-Ac", "meld 3c-2c", "meld Kc-Qc"} <= set(whole)
    assert len([move for move in whole if move[5] == "3"]) == 11


# Layoffs.


def test_4_layoff_scope(place):
    melds = [("7c 7d 7h", 1), ("9c Tc Jc", 0)]
    wanted = {
        "any": ["layoff 7s set", "layoff Qc high"],
        "own": ["layoff Qc high"],
        "none": [],
    }
    for scope, layoffs in wanted.items():
        options = {"layoff_scope": scope}
        table = place(["7s Qc 2d", "3h"], phase="play", options=options, melds=melds)
        assert some(table, "layoff") == layoffs
