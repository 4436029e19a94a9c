"""Tables with a learner at each, the core of both Gymnasium environments."""

from __future__ import annotations

import copy
import operator
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import action_space
from rummy500_env.arguments import as_action, as_count, as_rules
from rummy500_env.engine.jit import allocate
from rummy500_env.engine.learners import (
    ASKS,
    BARREN,
    FULL,
    GO_ON,
    LEARNER,
    LEARNS,
    LEAVE,
    PLAY,
    SETTINGS,
    WRONG,
    first_policy,
    gather_asked,
    look_learners,
    play_learners,
)
from rummy500_env.engine.policies import policy_pointer
from rummy500_env.engine.rewards import reward_code
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.engine.state import STATE, WORDS
from rummy500_env.envs.opponents import Opponent, agent_seed, seat_opponents
from rummy500_env.errors import IllegalActionError, Rummy500Error
from rummy500_env.explain import explain
from rummy500_env.faults import agent_chose, agent_failed, decision_at, legal_at
from rummy500_env.move_log import MoveLog
from rummy500_env.observations import observation_space
from rummy500_env.rules import Rules
from rummy500_env.view_record import VIEW

__all__ = ["LearnerTables", "TableSettings", "checked_seat"]


class TableSettings(NamedTuple):
    """What is played, as the environments' arguments say it."""

    rules: Rules | str | Mapping[str, Any]
    num_players: int
    episode: str
    reward: str
    observation_dtype: str
    skip_forced: bool
    max_decisions: int | None


class LearnerTables:
    """Some tables, at each of which one seat learns and opponents play the others.

    Args:
        settings: What is played.
        num_tables: How many.
        opponents: Who plays the other seats.
        autoreset: Whether the next episode begins in the step that ended one.

    Attributes:
        learners: A record for each table, see :data:`~rummy500_env.engine.learners.LEARNER`.
        states: The tables' records.
        observation: ``float32`` or ``int8 (tables, size)``, of the learners.
        action_mask: ``int8 (tables, n)``, of the learners.
        final_observation: The same at the end of an episode, where one ended in the last step.
        final_scores: ``int32 (tables, seats)``: totals there.
    """

    def __init__(
        self, settings: TableSettings, num_tables: int, opponents: Any, autoreset: bool
    ) -> None:
        episode, limit = settings.episode, settings.max_decisions
        if episode not in ("game", "round"):
            raise ValueError(f"episode={episode!r}: allowed are 'game' and 'round'")
        if limit is not None:
            limit = as_count("max_decisions", limit)
        self.rules = as_rules(settings.rules)
        self.num_players = n = operator.index(settings.num_players)
        self.num_tables = num_tables
        self.rules_record = rules_record(self.rules, n)
        self.actions = action_space(self.rules, n)
        self.observations = observation_space(self.rules, n)
        self.learners = allocate(num_tables, LEARNER)
        self.states = allocate(num_tables, STATE)
        self._blank = allocate(1, STATE)
        self._settings = allocate(1, SETTINGS)
        self._settings["single_round"] = episode == "round"
        self._settings["skip_forced"] = bool(settings.skip_forced)
        self._settings["max_decisions"] = limit or 0
        self._settings["reward"] = reward_code(settings.reward)
        self._settings["autoreset"] = autoreset
        self._owed = np.zeros((num_tables, n))
        self._view, self._legal = allocate(1, VIEW), np.zeros((1, WORDS), np.int64)
        self._form = self.observations.form(settings.observation_dtype)
        size = (num_tables, self.observations.size)
        self.observation = np.zeros(size, settings.observation_dtype)
        self.final_observation = np.zeros(size, settings.observation_dtype)
        self.action_mask = np.zeros((num_tables, self.actions.n), np.int8)
        self.final_scores = np.zeros((num_tables, n), np.int32)
        self.started = False
        self._wire()
        self._seed = 0
        self.set_opponents(opponents)

    # -- opponents -----------------------------------------------------------------------------

    def set_opponents(self, opponents: Any) -> None:
        """Let others play from the next decision on; nothing changes when they cannot."""
        seated = seat_opponents(opponents, self.num_players)
        self.opponents: list[Opponent] = seated
        self._fresh = False
        self._log = MoveLog(self.num_tables, self.num_players, any(o.watches for o in seated))
        self._policies = _pointers(seated)
        self._asking = len(self._policies) != 1 or any(o.policy is None for o in seated)

    def seed_opponents(self, seed: int | None = None) -> None:
        """Set up the opponents, and forget what they remember, when a seed is given or is due."""
        if seed is None and self._fresh:
            return
        self._seed = self._seed if seed is None else seed
        for slot, one in enumerate(self.opponents):
            if one not in self.opponents[:slot]:
                one.reset(self.rules, self.num_players, agent_seed(self._seed, slot))
        self._fresh = True

    # -- play ----------------------------------------------------------------------------------

    def set_down(self, seat: int, key: int) -> None:
        """Let an episode begin with the record of the only table as it is.

        Args:
            seat: The learner's seat.
            key: Word that the random bits of views follow from.
        """
        learner = self.learners
        learner["seat"], learner["key"], learner["begun"] = seat, key, 1
        for name in ("acted", "ended", "barren"):
            learner[name] = 0
        self._owed[:] = 0
        self._log.sizes[:] = 0

    def run(self, orders: npt.NDArray[np.int8], actions: npt.NDArray[np.int64]) -> None:
        """Carry out an order at each table, and play on to the learner's next decision.

        Args:
            orders: ``int8 (tables,)``, see :func:`~rummy500_env.engine.learners.play_learners`.
            actions: ``int64 (tables,)``, the learners' where they are ordered to be played.

        Raises:
            IllegalActionError: when an action is illegal, the learner's or an opponent's.
            AgentError: when an opponent fails.
            Rummy500Error: when no learner's decision is met in many episodes.
        """
        self.seed_opponents()
        turn = 0
        while self._play(turn, orders, actions):
            turn, orders, actions = self._orders()

    def _play(self, turn: int, orders: Any, actions: Any) -> bool:
        """Run the kernel with one of the policies; return whether tables wait for another."""
        pointer, bits = self._policies[turn]
        self._settings["played"] = bits
        try:
            wrong = play_learners(
                self.states,
                self._blank,
                self.rules_record,
                self.learners,
                self._settings,
                self._owed,
                pointer,
                self._view,
                self._legal,
                self._log.actions,
                self._log.seats,
                self._log.sizes,
                *self._form,
                self.observation,
                self.action_mask,
                self.final_observation,
                self.final_scores,
                orders,
                actions,
                0,
                self.num_tables,
            )
        except Exception as error:
            table = int(self._view["table"][0])
            who = self.opponents[int(self.learners["slot"][table])].told
            raise agent_failed(who, error, self._where(table)) from error
        if wrong >= 0:
            self._refuse(wrong, int(actions[wrong]))
        if not self._asking:
            return False
        begun = np.flatnonzero(self.learners["begun"])
        self.learners["begun"] = 0
        for one in dict.fromkeys(self.opponents) if len(begun) else ():
            one.forget(begun.tolist())
        if self._log.watched:
            self._log.forget(begun)
            self._log.collect()
        status = self.learners["status"]
        return bool(((status == ASKS) | (status == FULL)).any())

    def _orders(self) -> tuple[int, npt.NDArray[np.int8], npt.NDArray[np.int64]]:
        """Return the policy that plays next, orders and actions, for tables that wait."""
        status, slots = self.learners["status"], self.learners["slot"]
        orders = np.full(self.num_tables, LEAVE, np.int8)
        actions = np.zeros(self.num_tables, np.int64)
        orders[status == FULL] = GO_ON
        asked = np.flatnonzero(status == ASKS)
        for turn, (_, bits) in enumerate(self._policies):
            played = asked[bits >> slots[asked] & 1 == 1]
            if len(played):
                orders[played] = GO_ON
                return turn, orders, actions
        for one in dict.fromkeys(self.opponents):
            own = [slot for slot, other in enumerate(self.opponents) if other is one]
            tables = asked[np.isin(slots[asked], own)]
            if len(tables):
                orders[tables] = PLAY
                actions[tables] = self._answers(one, tables)
        return 0, orders, actions

    def _answers(self, one: Opponent, tables: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return what an opponent does at some tables."""
        views = allocate(len(tables), VIEW)
        masks = np.zeros((len(tables), self.actions.n), np.int8)
        gather_asked(self.states, self.rules_record, self.learners, tables, views, masks)
        for table in tables.tolist() if one.watches else ():
            seat = int(self.states["seat"][table])
            one.note_moves(table, seat, self._log.untold(table, seat))
        return one.choose(views, masks, lambda row: self._where(int(tables[row])))

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Put all tables back when anything is raised, and their opponents."""
        for array, saved in self._pairs:
            np.copyto(saved, array)
        seated = {name: self.__dict__[name] for name in _SEATED}
        log = copy.deepcopy(self._log) if self._log.watched else self._log
        try:
            yield
        except BaseException:
            for array, saved in self._pairs:
                np.copyto(array, saved)
            self.__dict__.update(seated, _log=log)
            if self.started:
                self.look()
            raise
        self.started = True

    def _wire(self) -> None:
        """Lay out room to save what a failure has to put back, as bytes."""
        arrays = (self.states, self.learners, self._owed, self.final_scores)
        raw = [array.view(np.dtype((np.void, array.strides[0]))) for array in arrays]
        self._pairs = [(array, array.copy()) for array in raw]

    def look(self) -> None:
        """Write anew what each learner sees."""
        look_learners(
            self.states,
            self.rules_record,
            self.learners,
            self._view,
            *self._form,
            self.observation,
            self.action_mask,
        )

    # -- words ---------------------------------------------------------------------------------

    def _refuse(self, table: int, action: int) -> None:
        """Raise the error for what the kernel met at a table."""
        learner = self.learners[table : table + 1]
        status, record = int(learner["status"][0]), self.states[table : table + 1]
        at = f"table {table}: " if self.num_tables > 1 else ""
        if status == BARREN:
            raise Rummy500Error(
                f"{at}the learner's seat {int(learner['seat'][0])} has nothing to "
                f"decide in {int(learner['barren'][0])} episodes in a row"
            )
        if status == LEARNS:
            legal = legal_at(self.states, table, self.rules_record)
            why = explain(record, self.rules, self.actions, action, legal)
            raise IllegalActionError(f"{at}{why}")
        wrong = int(learner["wrong"][0]) if status == WRONG else action
        text = f" ({self.actions.to_text(wrong)!r})" if 0 <= wrong < self.actions.n else ""
        who = self.opponents[int(learner["slot"][0])].told
        raise agent_chose(who, f"action {wrong}{text}", self._where(table))

    def _where(self, table: int) -> str:
        """Say which decision of which seat waits at a table, and what is legal there."""
        place = f"table {table}" if self.num_tables > 1 else ""
        return decision_at(self.states, table, self.rules_record, self.actions, place)

    # -- copies --------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        """Leave out pointers to machine code and views of arrays."""
        left_out = ("_policies", "_pairs")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._policies = _pointers(self.opponents)
        self._wire()

    def __deepcopy__(self, memo: dict[int, Any]) -> LearnerTables:
        """Return a twin that plays on identically; what never changes is shared."""
        twin = object.__new__(LearnerTables)
        memo[id(self)] = twin
        twin.__setstate__(
            {
                name: value if name in _SHARED else copy.deepcopy(value, memo)
                for name, value in self.__getstate__().items()
            }
        )
        return twin


_SEATED = ("opponents", "_fresh", "_policies", "_asking")
_SHARED = ("rules", "rules_record", "actions", "observations", "_form")


def checked_seat(seat: Any, num_players: int) -> int:
    """Return a learner's seat, -1 for ``"random"``; ``ValueError`` when it is none."""
    if isinstance(seat, str) and seat == "random":
        return -1
    number = as_action(seat)
    if number is None or not 0 <= number < num_players:
        raise ValueError(f"seat={seat!r}: allowed are 0..{num_players - 1} and 'random'")
    return number


def _pointers(seated: list[Opponent]) -> list[tuple[Any, int]]:
    """Return each compiled policy with the slots it plays, a bit each; at least a stand-in."""
    found = []
    for one in dict.fromkeys(seated):
        if one.policy is not None:
            bits = sum(1 << slot for slot, other in enumerate(seated) if other is one)
            found.append((one.pointer, bits))
    return found or [(policy_pointer(first_policy), 0)]
