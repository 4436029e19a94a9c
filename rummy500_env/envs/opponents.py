"""Who plays the seats that do not learn, and how each of them is asked."""

from __future__ import annotations

import copy
import hashlib
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import Move, action_space
from rummy500_env.arguments import as_action
from rummy500_env.engine.policies import policy_pointer
from rummy500_env.envs.naming import agent_named
from rummy500_env.errors import AgentError, IllegalActionError, Rummy500Error
from rummy500_env.rules import Rules
from rummy500_env.view import PlayerView

__all__ = ["Opponent", "agent_seed", "seat_opponents"]

_NEEDED = (
    "a name such as 'greedy', an object with a compiled policy or with act(views, action_masks), "
    "or a callable (view, legal) is needed"
)

Where = Callable[[int], str]
"""Says of a row of a question where it was asked."""


class Opponent:
    """One that plays seats beside a learner.

    Args:
        given: A name, an agent, or a callable ``(view, legal) -> Move | int | str``. An agent that
            has a ``reset`` is copied (not deeply), so that it can sit in several environments.
        place: What errors call it as an argument.

    Attributes:
        name: What errors call it in play.
        policy: Its compiled policy, or None.
        watches: Whether it wants to be told of moves.
    """

    def __init__(self, given: Any, place: str) -> None:
        self._spec = given if isinstance(given, str) else None
        agent = agent_named(given) if isinstance(given, str) else given
        if isinstance(agent, type):
            raise TypeError(f"{place}={agent!r} is a class: an instance of it is needed")
        self.policy: Any = getattr(agent, "policy", None)
        self._acts = callable(getattr(agent, "act", None))
        if self.policy is None and not self._acts and not callable(agent):
            raise TypeError(f"{place}={agent!r}: {_NEEDED}")
        plain = getattr(agent, "__name__", type(agent).__name__)
        self.name = str(getattr(agent, "name", plain))
        self.watches = bool(getattr(agent, "watches", False)) and self.policy is None
        self._forgets = callable(getattr(agent, "forget", None)) and self.policy is None
        self._resets = callable(getattr(agent, "reset", None))
        self._one_by_one = not self._acts or callable(getattr(agent, "choose", None))
        self.agent: Any = copy.copy(agent) if self._resets else agent

    @property
    def pointer(self) -> Any:
        """What kernels take for the compiled policy."""
        return policy_pointer(self.policy)

    def reset(self, rules: Rules, num_players: int, seed: int) -> None:
        """Tell it what is played, and that all earlier episodes are past."""
        self._rules, self._space = rules, action_space(rules, num_players)
        if self._resets:
            self.agent.reset(rules, num_players, seed)

    def forget(self, tables: list[int]) -> None:
        """Let it forget the games of some tables, where others have begun."""
        for table in tables if self._forgets else ():
            self.agent.forget(table)

    def choose(
        self, views: npt.NDArray[Any], masks: npt.NDArray[np.int8], where: Where
    ) -> npt.NDArray[np.int64]:
        """Return its actions for some views, whole numbers that may be illegal.

        Args:
            views: View records, one a row.
            masks: ``int8 (rows, n)``.
            where: Says of a row which decision it is, and what is legal there.

        Raises:
            IllegalActionError: when it returns no actions.
            AgentError: when it raises; that is its cause.
        """
        if not self._one_by_one:
            return self._many(views, masks, where)
        rows = [slice(row, row + 1) for row in range(len(views))]
        one = self._many if self._acts else self._one
        answers = [one(views[r], masks[r], lambda _, r=r: where(r.start)) for r in rows]
        return np.concatenate(answers)

    def _many(self, views: Any, masks: Any, where: Where) -> npt.NDArray[np.int64]:
        try:
            given = self.agent.act(views, masks)
        except Exception as error:
            raise self._failure(error, len(views), where) from error
        try:
            actions = np.asarray(given)
        except ValueError:  # lists of different lengths
            actions = np.empty(0, object)
        if actions.shape != (len(views),) or actions.dtype.kind not in "iu":
            said = repr(given) if len(repr(given)) < 60 else f"a {type(given).__name__}"
            raise IllegalActionError(
                f"opponent {self.name!r} returned {said}, of shape {actions.shape} and type "
                f"{actions.dtype}, {where(0)}; {len(views)} whole numbers are needed"
            )
        # Numbers out of an int64's range are as illegal as -1.
        return np.where(actions > np.iinfo(np.int64).max, -1, actions).astype(np.int64)

    def _one(self, views: Any, masks: Any, where: Where) -> npt.NDArray[np.int64]:
        view = PlayerView(views, self._rules, np.flatnonzero(masks[0]))
        try:
            choice = self.agent(view, view.moves())
        except Exception as error:
            raise self._failure(error, 1, where) from error
        if isinstance(choice, Move):
            choice = choice.index
        elif isinstance(choice, str):
            try:
                choice = self._space.from_text(choice)
            except ValueError as error:
                said = f"opponent {self.name!r} chose {choice!r} {where(0)}: {error}"
                raise IllegalActionError(said) from error
        action = as_action(choice)
        if action is None:
            said = f"opponent {self.name!r} chose {choice!r}, which is no move, {where(0)}"
            raise IllegalActionError(said)
        return np.array([action], np.int64)

    def _failure(self, error: Exception, rows: int, where: Where) -> Rummy500Error:
        """Return what an error of the agent is raised as."""
        asked = f", asked for {rows} decisions, the first" if rows > 1 else ""
        told = f"opponent {self.name!r} failed{asked} {where(0)}"
        if isinstance(error, Rummy500Error):
            kind = IllegalActionError if isinstance(error, ValueError) else AgentError
            return kind(f"{told}: {error}")
        last = traceback.extract_tb(error.__traceback__)[-1]
        text = ": ".join(filter(None, (type(error).__name__, str(error))))
        return AgentError(f"{told}: {text} ({Path(last.filename).name}, line {last.lineno})")

    def __getstate__(self) -> dict[str, Any]:
        """Leave out a compiled policy that the name can make again."""
        state = self.__dict__.copy()
        if self._spec is not None and self.policy is not None:
            state["agent"] = state["policy"] = None
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.agent is None and self._spec is not None:
            self.agent = agent_named(self._spec)
            self.policy = self.agent.policy

    def __deepcopy__(self, memo: dict[int, Any]) -> Opponent:
        """Return a twin; one with a compiled policy remembers nothing, and is shared."""
        if self.policy is not None:
            return self
        twin = object.__new__(Opponent)
        memo[id(self)] = twin
        for name, value in self.__dict__.items():
            shared = name in ("_rules", "_space")
            twin.__dict__[name] = value if shared else copy.deepcopy(value, memo)
        return twin


def seat_opponents(given: Any, num_players: int) -> list[Opponent]:
    """Return the opponent of each slot; slot 0 is the seat after the learner's.

    Args:
        given: One opponent for all seats, or a list or tuple with one for all or one for each.
        num_players: Seats at the table.

    Raises:
        ValueError: when there are too many or too few.
        TypeError: when one of them cannot play.
    """
    count = num_players - 1
    if not isinstance(given, list | tuple):
        return [Opponent(given, "opponents")] * count
    if len(given) not in (1, count):
        raise ValueError(
            f"{len(given)} opponents: one for all other seats or {count}, one for each, are needed"
        )
    made: dict[Any, Opponent] = {}
    for k, one in enumerate(given):
        key = one if isinstance(one, str) else id(one)
        if key not in made:
            made[key] = Opponent(one, f"opponents[{k}]")
    seated = [made[one if isinstance(one, str) else id(one)] for one in given]
    return seated * count if len(given) == 1 else seated


def agent_seed(seed: int, slot: int) -> int:
    """Return the seed of the opponent of a slot; no deal can be computed from it."""
    told = seed.to_bytes(8, "little") + slot.to_bytes(1, "little")
    digest = hashlib.blake2b(told, digest_size=8, person=b"r500-opponents")
    return int.from_bytes(digest.digest(), "little")
