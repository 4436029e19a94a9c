"""What is said of an agent that goes wrong: who it is, at which decision, and what was legal.

All faces of the package that ask agents say it in these words.
"""

from __future__ import annotations

import reprlib
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import ActionSpace
from rummy500_env.arrays import as_array, whole_numbers
from rummy500_env.engine.state import WORDS
from rummy500_env.engine.tables import list_legal
from rummy500_env.errors import AgentError, IllegalActionError, Rummy500Error

__all__ = [
    "agent_answers",
    "agent_chose",
    "agent_failed",
    "decision_at",
    "legal_at",
    "method_failed",
    "too_slow",
]

_SHOWN = 12
"""So many legal moves are listed, and no more."""


def legal_at(states: npt.NDArray[Any], table: int, rules_record: npt.NDArray[Any]) -> list[int]:
    """Return the legal actions of the seat to move at a table."""
    room = np.empty(64 * WORDS, np.int64)
    return room[: list_legal(states, table, rules_record, room)].tolist()


def decision_at(
    states: npt.NDArray[Any],
    table: int,
    rules_record: npt.NDArray[Any],
    space: ActionSpace,
    place: str = "",
) -> str:
    """Say which decision of which seat waits at a table, and what is legal there.

    Args:
        states: Array of tables.
        table: Which of them.
        rules_record: The rules' array of one record.
        space: The action space.
        place: What the table is called, such as ``"game 7"``; nothing where there is but one.
    """
    seat = int(states["seat"][table])
    decision = int(states["decisions"][table, seat])
    legal = [repr(space.to_text(action)) for action in legal_at(states, table, rules_record)]
    more = f" and {len(legal) - _SHOWN} more" if len(legal) > _SHOWN else ""
    at = f" of {place}" if place else ""
    return f"decision {decision} at seat {seat}{at} (legal: {', '.join(legal[:_SHOWN])}{more})"


def agent_answers(
    ask: Callable[[], Any], count: int, who: str, where: Callable[[], str]
) -> npt.NDArray[np.int64]:
    """Return an agent's actions for some views asked at once, ``int64 (count,)``, legal or not.

    Args:
        ask: Asks the agent.
        count: How many views it is asked for.
        who: The agent, such as ``"opponent 'greedy'"``.
        where: Says what the first of its decisions is, see :func:`decision_at`.

    Raises:
        AgentError: when it raises something; that is the cause.
        IllegalActionError: when it returns no actions.
    """
    try:
        given = as_array(ask())
    except Exception as error:
        raise agent_failed(who, error, where(), count) from error
    try:
        return whole_numbers(given, "actions", count)
    except ValueError as error:
        raise agent_chose(who, str(error), where()) from None


def agent_chose(who: str, what: Any, where: str, why: str = "") -> IllegalActionError:
    """Return the error for what an agent returned.

    Args:
        who: The agent, such as ``"opponent 'greedy'"``.
        what: What it returned, in words, or as it is.
        where: The decision, see :func:`decision_at`.
        why: What is wrong with it, where that is not plain.
    """
    said = what if isinstance(what, str) else f"{reprlib.repr(what)}, which is no move,"
    found = IllegalActionError(f"{who} chose {said} in {where}" + (f": {why}" if why else ""))
    found.reason = f"chose {said.rstrip(',')}" + (f": {why}" if why else "")
    return found


def agent_failed(
    who: str, error: Exception, where: str, rows: int = 1
) -> AgentError | IllegalActionError:
    """Return the error for what an agent raised; that is to be its cause.

    Args:
        who: The agent.
        error: What it raised.
        where: The first decision that it was asked for.
        rows: For how many it was asked at once.
    """
    many = f"{rows} decisions asked at once, the first " if rows > 1 else ""
    return _failure(f"{who} failed in {many}{where}", error)


def method_failed(who: str, method: str, error: Exception) -> AgentError | IllegalActionError:
    """Return the error for what a method of an agent raised that decides nothing."""
    return _failure(f"{who} failed in {method}()", error)


def too_slow(who: str, seconds: float, what: str, where: str) -> AgentError:
    """Return the error for an agent that took longer than it may.

    Args:
        who: The agent.
        seconds: What it may take.
        what: For what: ``"a decision"``.
        where: The decision, see :func:`decision_at`.
    """
    reason = f"took more than {seconds:g} s for {what}"
    found = AgentError(f"{who} {reason} in {where}")
    found.reason = reason
    return found


def _failure(told: str, error: Exception) -> AgentError | IllegalActionError:
    if isinstance(error, Rummy500Error):
        kind = IllegalActionError if isinstance(error, ValueError) else AgentError
        reason = str(error)
    else:
        text = ": ".join(filter(None, (type(error).__name__, str(error))))
        frames = traceback.extract_tb(error.__traceback__)
        last = frames[-1] if frames else None
        place = f" ({Path(last.filename).name}, line {last.lineno})" if last else ""
        kind, reason = AgentError, f"{text}{place}"
    found = kind(f"{told}: {reason}")
    found.reason = " ".join(reason.split())
    return found
