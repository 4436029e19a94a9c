"""Possible worlds of views, and rounds played to their end by one policy, as arrays of tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import ActionSpace
from rummy500_env.engine.jit import allocate, duplicate, overwrite
from rummy500_env.engine.policies import policy_pointer
from rummy500_env.engine.search import roll_out, sample_worlds
from rummy500_env.engine.state import STATE, WORDS
from rummy500_env.errors import Rummy500Error
from rummy500_env.faults import agent_chose, agent_failed, decision_at
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
    space: ActionSpace,
    num_players: int,
    rng: Rng,
    ended: npt.NDArray[np.bool_] | None = None,
) -> npt.NDArray[np.int32]:
    """Play the round at each table to its end; the tables are changed.

    Args:
        states: Array of tables.
        rules_record: The rules' array of one record.
        policy: A compiled policy, or an agent that has one as its ``policy``.
        space: The action space.
        num_players: Seats at each table.
        rng: Where the random bits of the views come from.
        ended: ``bool (tables,)``: tables whose round has just ended, to be left alone.

    Returns:
        ``int32 (tables, seats)``: scores of the rounds.

    Raises:
        TypeError: when it is no compiled policy.
        IllegalActionError: when the policy chooses an illegal action; no table has changed then.
        AgentError: when it raises something; the same.
    """
    compiled = getattr(policy, "policy", policy)
    pointer, key = policy_pointer(compiled), random_word(rng)
    before, view = duplicate(states), allocate(1, VIEW)
    scores = np.zeros((len(states), num_players), np.int32)
    name = getattr(policy, "name", getattr(compiled, "__name__", "policy"))
    who, legal = f"policy {name!r}", np.zeros((1, WORDS), np.int64)

    def where(table: int) -> str:
        return decision_at(states, table, rules_record, space, f"table {table}")

    if ended is None:
        ended = np.zeros(len(states), np.bool_)
    work = (view, legal, ended, scores)
    try:
        wrong = roll_out(states, rules_record, pointer, key, *work, 0, len(states))
    except Exception as error:
        told = agent_failed(who, error, where(int(view["table"][0])))
        overwrite(states, before)
        raise told from error
    if wrong >= 0:
        told = agent_chose(who, "an illegal action", where(int(wrong)))
        overwrite(states, before)
        raise told
    return scores
