"""Possible worlds of views, and rounds played to their end by one policy, as arrays of tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import ActionSpace
from rummy500_env.engine.jit import allocate, duplicate, overwrite
from rummy500_env.engine.policies import policy_pointer
from rummy500_env.engine.search import roll_out, sample_worlds, try_moves
from rummy500_env.engine.state import STATE, WORDS
from rummy500_env.errors import AgentError, IllegalActionError, Rummy500Error
from rummy500_env.faults import agent_chose, agent_failed, decision_at, legal_at
from rummy500_env.view_record import VIEW

__all__ = [
    "Rng",
    "pointer_of",
    "policy_failed",
    "random_word",
    "roll_out_tables",
    "try_moves_on_tables",
    "world_tables",
]

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
    pointer, key = pointer_of(policy), random_word(rng)
    before, view = duplicate(states), allocate(1, VIEW)
    scores = np.zeros((len(states), num_players), np.int32)
    if ended is None:
        ended = np.zeros(len(states), np.bool_)
    work = (view, np.zeros((1, WORDS), np.int64), ended, scores)
    wrong, error = -1, None
    try:
        wrong = roll_out(states, rules_record, pointer, key, *work, 0, len(states))
    except Exception as raised:
        wrong, error = int(view["table"][0]), raised
    if wrong >= 0:
        told = policy_failed(policy, error, states, int(wrong), int(wrong), rules_record, space)
        overwrite(states, before)
        raise told from error
    return scores


def try_moves_on_tables(
    worlds: npt.NDArray[Any],
    rules_record: npt.NDArray[Any],
    actions: npt.NDArray[np.int64],
    policy: Any,
    space: ActionSpace,
    num_players: int,
    rng: Rng,
) -> npt.NDArray[np.int32]:
    """Play each of some actions at each table, then the round to its end; no table is changed.

    Args:
        worlds: Array of tables at which all actions are legal.
        rules_record: The rules' array of one record.
        actions: The actions, one or more.
        policy: A compiled policy, or an agent that has one as its ``policy``.
        space: The action space.
        num_players: Seats at each table.
        rng: Where the random bits of the views come from, the same for all actions.

    Returns:
        ``int32 (actions, tables, seats)``: scores of the rounds.

    Raises:
        TypeError: when it is no compiled policy.
        IllegalActionError: when an action is illegal, or one that the policy chooses.
        AgentError: when the policy raises something.
    """
    pointer, key = pointer_of(policy), random_word(rng)
    table, view = allocate(1, STATE), allocate(1, VIEW)
    scores = np.zeros((len(actions), len(worlds), num_players), np.int32)
    work = (table, view, np.zeros((1, WORDS), np.int64), scores)
    try:
        wrong = int(try_moves(worlds, rules_record, actions, pointer, key, *work))
    except Exception as error:
        number = int(view["table"][0])
        raise policy_failed(policy, error, table, 0, number, rules_record, space) from error
    if wrong >= 0:
        move, number = divmod(wrong, len(worlds))
        legal = legal_at(worlds, number, rules_record)
        if int(actions[move]) not in legal:
            texts = ", ".join(repr(space.to_text(action)) for action in legal[:12])
            raise IllegalActionError(
                f"action {actions[move]} is illegal at table {number}; legal: {texts}"
            )
        raise policy_failed(policy, None, table, 0, number, rules_record, space)
    return scores


def pointer_of(policy: Any) -> Any:
    """Return what kernels take for a policy, or for an agent that has one."""
    return policy_pointer(getattr(policy, "policy", policy))


def policy_failed(
    policy: Any,
    error: Exception | None,
    states: npt.NDArray[Any],
    place: int,
    number: int,
    rules_record: npt.NDArray[Any],
    space: ActionSpace,
) -> AgentError | IllegalActionError:
    """Return the error of a policy that chose an illegal action, or raised something.

    Args:
        policy: The policy, or the agent.
        error: What it raised; None: it chose an illegal action.
        states: Array of tables.
        place: That at which it was asked.
        number: What the error calls the table.
        rules_record: The rules' array of one record.
        space: The action space.
    """
    compiled = getattr(policy, "policy", policy)
    who = f"policy {getattr(policy, 'name', getattr(compiled, '__name__', 'policy'))!r}"
    where = decision_at(states, place, rules_record, space, f"table {number}")
    if error is not None:
        return agent_failed(who, error, where)
    return agent_chose(who, "an illegal action", where)
