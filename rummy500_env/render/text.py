"""A table as text, 80 columns wide, with every hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.cards import format_cards
from rummy500_env.engine.jit import allocate
from rummy500_env.engine.tables import view_table
from rummy500_env.rules import Rules
from rummy500_env.view import PlayerView
from rummy500_env.view_reading import columns, faces_of
from rummy500_env.view_record import VIEW

__all__ = ["table_text"]


def table_text(record: npt.NDArray[Any], rules: Rules) -> str:
    """Return the first record of an array of tables as text. It shows hidden cards."""
    seat = max(int(record["seat"][0]), 0)
    views = allocate(1, VIEW)
    view_table(record, 0, seat, np.uint64(0), np.int64(0), views, 0)
    *lines, _ = PlayerView(views, rules).lines()
    hands = record["hands"][0, : int(record["num_players"][0])]
    for number, hand in enumerate(hands):
        mark = ">" if number == seat else " "
        lines.append(f"Hand {mark} {number}  {format_cards(faces_of(hand))}")
    return columns(lines)
