"""Trees of legal moves, counted: the numbers are pinned, and both engines find them.

A position's numbers are how many rows of 1, 2, 3 … moves are legal from it. The stock is given, so
that nothing is left to chance but what the next deal would be; rounds that end count once.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.engines import Placed, placing_on
from tests.support.perft import rows_of_moves

ROUND = {"max_deals": 1, "target_score": None}

POSITIONS: dict[str, tuple[dict[str, Any], list[int]]] = {
    "a few cards each": (
        {"hands": ["7c 8c 9c 2d", "7d 7h Kd"], "pile": "Ts Tc 7s", "stock": "4h 5h 6h"},
        [2, 8, 19, 45, 120, 279],
    ),
    "many melds": (
        {"hands": ["7c 7d 7h 7s 8c 9c", "2d 3d"], "phase": "play", "stock": "4h Kh"},
        [12, 29, 47, 99, 326],
    ),
    "obligations with bridges": (
        {
            "hands": ["6s 7s 9s 9h", "Jd Qd 2c"],
            "pile": "8s 8h 8c",
            "stock": "5d 4d",
            "melds": [("3s 4s 5s", 1), ("Ts Js Qs", 0)],
        },
        [2, 13, 52, 130, 333],
    ),
    "an empty stock": (
        {"hands": ["Kc Kd 3c 9s", "4c 4d 5h 3h"], "pile": "4h 9h Kh", "stock": ""},
        [2, 1, 2, 4, 4, 16, 16, 0],
    ),
    "two decks": (
        {
            "hands": ["7c 7c 7d 9s", "8h 8h 2d"],
            "pile": "8d 7h 8d",
            "stock": "7h 9s",
            "options": {"num_decks": 2},
        },
        [2, 7, 20, 50, 137, 283],
    ),
    "a card to keep": (
        {
            "hands": ["7c 7d 9c", "4c 5c"],
            "pile": "6c 7h",
            "stock": "8c Ts",
            "melds": [("9d 9h 9s", 1)],
            "options": {"must_discard_to_go_out": True},
        },
        [2, 6, 13, 25, 68, 89, 225],
    ),
    "new melds only": (
        {
            "hands": ["7c 7d 8h", "9c 9d Tc"],
            "pile": "7h 9h 6c",
            "stock": "2s 3s",
            "melds": [("3c 4c 5c", 0)],
            "options": {"dig_use": "new_meld"},
        },
        [2, 6, 17, 33, 84, 110, 387],
    ),
    "runs round the corner": (
        {
            "hands": ["Qh Kh Ah 2h 3h", "4h Jh"],
            "pile": "Jc",
            "stock": "9d 8d",
            "options": {"ace_rank": "round_the_corner"},
        },
        [1, 12, 26, 51, 112, 271],
    ),
    "every drawn card is banned": (
        {
            "hands": ["8s 8c", "3d 4d 5d"],
            "pile": "8h 9h",
            "stock": "2c 6d",
            "options": {"drawn_discard_ban": "all_drawn"},
        },
        [2, 3, 3, 7, 17, 11, 9, 14, 10],
    ),
    "a free top card": (
        {
            "hands": ["2c 2d", "3c 3d"],
            "pile": "2h 3h",
            "stock": "4s",
            "options": {"top_discard_free": True, "no_progress_limit": 2},
        },
        [3, 6, 14, 19, 35, 32, 46, 64, 46],
    ),
    "three hands": (
        {
            "hands": ["5c 6c Kd", "7c 8c Qd", "9c Jd Td"],
            "pile": "4c 9d",
            "stock": "2s 3s 4s",
        },
        [2, 5, 7, 19, 48, 116, 283],
    ),
    "a short deck": (
        {
            "hands": ["Ac 2c 3d", "4c 5c Ad"],
            "pile": "3c",
            "stock": "2d 4d 5d",
            "options": {
                "num_ranks": 5,
                "num_suits": 2,
                "hand_size": 3,
                "set_min_len": 2,
                "run_min_len": 2,
            },
        },
        [2, 8, 19, 54, 190, 532],
    ),
    "wild jokers": (
        {
            "hands": ["7c 8c ** 2d", "9h 9d Kd"],
            "pile": "9c",
            "stock": "** 4h",
            "options": {"num_jokers": 2, "joker_role": "wild"},
        },
        [2, 11, 24, 57, 151, 420],
    ),
}


def start(engine: str, name: str) -> Placed:
    given = POSITIONS[name][0]
    options = {**ROUND, **given.get("options", {})}
    return placing_on(engine)(**{**given, "options": options})


@pytest.mark.parametrize("engine", ["reference", "engine"])
@pytest.mark.parametrize("name", POSITIONS)
def test_rows_of_legal_moves(name, engine):
    counts = POSITIONS[name][1]
    assert rows_of_moves(start(engine, name), len(counts)) == counts
