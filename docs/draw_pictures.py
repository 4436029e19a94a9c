"""Draw the example of `pictures.md` anew: `python -m docs.draw_pictures`. A test compares it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from rummy500_env import Game

PICTURE: Final = Path(__file__).parent / "pictures" / "table.svg"
NAMES: Final = ("you", "learned", "advisor", "greedy")
POSITION: Final[dict[str, Any]] = {
    "rules": "rummy500_pagat",
    "num_players": 4,
    "hands": ["2c 9c 9d Th Jh Ks As", "8h Kd 4s 5c 5s", "3h Ac 2d 8s", "6s Td 9s"],
    "known": ["", "8h Kd", "", "9s"],
    "discard_pile": "4h 3d Qc 9h 6d",
    "discarded_by": [None, 0, 1, 2, 3],
    "melds": [
        {"cards": "7c 7d 7h 7s", "laid_by": [1, 1, 1, 0]},
        {"cards": "3c 4c **=5c 6c", "laid_by": [0, 0, 0, 3]},
        {"cards": "Jc Jd Js", "laid_by": [2, 2, 2]},
        {"cards": "Ts **=Js Qs", "laid_by": [0, 0, 0]},
        {"cards": "Qh Kh Ah", "laid_by": [3, 3, 2]},
    ],
    "scores": [165, 240, 95, -20],
    "dealer": 3,
    "seat": 0,
}


def picture() -> str:
    """Return the example: what the first seat sees, after it has dug."""
    game = Game.from_position(POSITION)
    game.play("dig 9h")
    return game.view(0).svg(NAMES) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
