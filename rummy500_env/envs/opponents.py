"""Who plays the seats that do not learn, and how each of them is asked."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import action_space
from rummy500_env.arguments import as_move
from rummy500_env.engine.policies import policy_pointer
from rummy500_env.envs.naming import agent_named
from rummy500_env.errors import UnknownNameError
from rummy500_env.faults import agent_answers, agent_chose, agent_failed, method_failed
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
        if getattr(agent, "cheats", False):
            raise TypeError(f"{place}={agent!r} sees hidden cards: it plays in arenas only")
        plain = getattr(agent, "__name__", type(agent).__name__)
        self.name = str(getattr(agent, "name", plain))
        self.watches = bool(getattr(agent, "watches", False)) and self.policy is None
        if self.watches and not callable(getattr(agent, "note_moves", None)):
            raise TypeError(f"{place}={agent!r} watches, and has no note_moves(table, seat, moves)")
        self._forgets = callable(getattr(agent, "forget", None)) and self.policy is None
        self._resets = callable(getattr(agent, "reset", None))
        self._one_by_one = not self._acts or callable(getattr(agent, "choose", None))
        self.agent: Any = copy.copy(agent) if self._resets else agent

    @property
    def told(self) -> str:
        """What errors call it."""
        return f"opponent {self.name!r}"

    @property
    def pointer(self) -> Any:
        """What kernels take for the compiled policy."""
        return policy_pointer(self.policy)

    def reset(self, rules: Rules, num_players: int, seed: int) -> None:
        """Tell it what is played, and that all earlier episodes are past."""
        self._rules, self._space = rules, action_space(rules, num_players)
        if self._resets:
            self._call("reset", rules, num_players, seed)

    def forget(self, tables: list[int]) -> None:
        """Let it forget the games of some tables, where others have begun."""
        for table in tables if self._forgets else ():
            self._call("forget", table)

    def note_moves(self, table: int, seat: int, moves: list[tuple[int, int]]) -> None:
        """Tell it of moves at a table, since its seat there last decided."""
        self._call("note_moves", table, seat, moves)

    def _call(self, method: str, *arguments: Any) -> None:
        """Call a method of the agent that decides nothing; what it raises names the opponent."""
        try:
            getattr(self.agent, method)(*arguments)
        except Exception as error:
            raise method_failed(self.told, method, error) from error

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
        return agent_answers(
            lambda: self.agent.act(views, masks), len(views), self.told, lambda: where(0)
        )

    def _one(self, views: Any, masks: Any, where: Where) -> npt.NDArray[np.int64]:
        view = PlayerView(views, self._rules, np.flatnonzero(masks[0]))
        try:
            choice = self.agent(view, view.moves())
        except Exception as error:
            raise agent_failed(self.told, error, where(0)) from error
        try:
            action = as_move(choice, self._space)
        except UnknownNameError as error:
            raise agent_chose(self.told, repr(choice), where(0), str(error)) from error
        if action is None:
            raise agent_chose(self.told, choice, where(0))
        return np.array([action], np.int64)

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
