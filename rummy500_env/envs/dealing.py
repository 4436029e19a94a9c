"""The table that an episode begins with, as the options of a reset say it."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.engine.jit import allocate
from rummy500_env.engine.state import STATE
from rummy500_env.engine.tables import new_table
from rummy500_env.engine.turns import set_deal
from rummy500_env.errors import PositionError
from rummy500_env.position import read_position
from rummy500_env.rules import Rules

__all__ = ["dealt"]


def dealt(
    rules: Rules,
    num_players: int,
    rules_record: npt.NDArray[Any],
    single_round: np.int64,
    seed: int,
    options: Mapping[str, Any],
) -> npt.NDArray[Any]:
    """Return a table, as an array of one record.

    Args:
        rules: The rules.
        num_players: Seats at the table.
        rules_record: The record of both.
        single_round: Whether the episode is one round.
        seed: All chance follows from it, unless a position has a seed of its own.
        options: ``"scores"`` (totals, by seat), ``"dealer"`` (a seat) or ``"position"``.

    Raises:
        PositionError: when the position is impossible or of other rules.
        ValueError: when scores or dealer do not fit the table.
    """
    position = options.get("position")
    if position is not None:
        record, found = read_position({"rules": rules, "seed": seed, **position})
        if found != rules or int(record["num_players"][0]) != num_players:
            raise PositionError("the position is of other rules or another number of players")
        record["single_round"] = single_round
        return record
    record = allocate(1, STATE)
    new_table(record, 0, rules_record, np.uint64(seed), single_round)
    if options.get("scores") is not None:
        scores = [operator.index(score) for score in options["scores"]]
        if len(scores) != num_players:
            raise ValueError(f"scores {scores}: {num_players} numbers are needed")
        record["scores"][0, :num_players] = scores
    if options.get("dealer") is not None:
        dealer = operator.index(options["dealer"])
        if not 0 <= dealer < num_players:
            raise ValueError(f"dealer {dealer} is outside 0..{num_players - 1}")
        set_deal(record, rules_record, np.int64(dealer))
    return record
