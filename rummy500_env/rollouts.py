"""Possible worlds of views, and rounds played to their end by one policy, as arrays of tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.engine.jit import allocate
from rummy500_env.engine.policies import policy_pointer
from rummy500_env.engine.search import roll_out, sample_worlds
from rummy500_env.engine.state import STATE, WORDS
from rummy500_env.errors import Rummy500Error
from rummy500_env.view_record import VIEW

__all__ = ["Rng", "random_word", "roll_out_tables", "world_tables"]

Rng = np.random.Generator | int | None


def random_word(rng: Rng) -> np.uint64:
    """Draw 64 bits from a generator, a seed, or a fresh generator."""
    return np.random.default_rng(rng).integers(2**64, dtype=np.uint64)


def world_tables(
    views: npt.NDArray[Any],
    rows: npt.NDArray[np.int64],
    rules_record: npt.NDArray[Any],
    rng: Rng,
) -> npt.NDArray[Any]:
    """Return a possible world of ``views[rows[k]]`` for each ``k``, as an array of tables.

    Raises:
        Rummy500Error: when no world was found in which the seat to move can move.
    """
    tables = allocate(len(rows), STATE)
    missing = sample_worlds(views, rows, rules_record, random_word(rng), tables, 0, len(rows))
    if missing >= 0:
        raise Rummy500Error(f"row {rows[missing]}: no possible world was found")
    return tables


def roll_out_tables(
    states: npt.NDArray[Any],
    rules_record: npt.NDArray[Any],
    policy: Any,
    num_players: int,
    rng: Rng,
) -> tuple[npt.NDArray[np.int32], int]:
    """Play the round at each table to its end; the tables are changed.

    Args:
        states: Array of tables.
        rules_record: The rules' array of one record.
        policy: A compiled policy, or an agent that has one as its ``policy``.
        num_players: Seats at each table.
        rng: Where the random bits of the views come from.

    Returns:
        ``int32 (tables, seats)``: scores of the rounds; and -1, or the table at which the policy
        chose an illegal action.
    """
    scores = np.zeros((len(states), num_players), np.int32)
    wrong = roll_out(
        states,
        rules_record,
        policy_pointer(getattr(policy, "policy", policy)),
        random_word(rng),
        allocate(1, VIEW),
        np.zeros((1, WORDS), np.int64),
        scores,
        0,
        len(states),
    )
    return scores, int(wrong)
