"""Many tables at once, in arrays that each step writes in place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import action_space
from rummy500_env.arguments import as_count, as_rules, as_seed
from rummy500_env.arrays import checked_buffers, whole_numbers
from rummy500_env.engine.batches import (
    first_illegal,
    list_slice,
    look_slice,
    reset_slice,
    sample_slice,
    step_slice,
    widest,
)
from rummy500_env.engine.chance import fold
from rummy500_env.engine.jit import allocate, duplicate, overwrite
from rummy500_env.engine.rewards import reward_code
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.engine.state import STATE
from rummy500_env.engine.tables import list_legal
from rummy500_env.errors import IllegalActionError
from rummy500_env.explain import explain
from rummy500_env.observations import observation_space
from rummy500_env.rules import Rules
from rummy500_env.view_record import VIEW

__all__ = ["BUFFERS", "BatchGame"]

BUFFERS = (
    "observation",
    "action_mask",
    "current_seat",
    "rewards",
    "terminations",
    "truncations",
)
"""The arrays that each step writes."""

MIN_SLICE = 256
"""Fewer tables than this are not worth a thread."""


class BatchGame:
    """Many games of one variant, stepped together.

    The arrays are live buffers: each step overwrites them, and the engine never reads them back.
    A finished table is reset in the same step: its rewards, termination and truncation speak of
    the episode that ended, its observation, mask and seat of the next one. Table ``i``, episode
    ``k`` has a seed that depends on ``seed``, ``i`` and ``k`` alone.

    Args:
        rules: Rules, the name of a preset, or a mapping of options.
        num_players: Seats at each table.
        num_games: Tables.
        seed: All chance follows from it; None draws one.
        episode: ``"round"`` or ``"game"``.
        reward: ``"score"``, ``"points"``, ``"own_points"`` or ``"win"``.
        observation_dtype: ``"float32"``, or ``"int8"`` for the compact form.
        skip_forced: Play single legal actions at once; so a mover shows that it has a choice.
        max_decisions: Truncate an episode after this many decisions of all seats.
        threads: Threads that share the tables; results do not depend on it.
        buffers: Arrays to write into, by name, in place of own ones: any of the attributes below.

    Attributes:
        observation: ``float32`` or ``int8 (num_games, size)``, of the seat to move.
        action_mask: ``int8 (num_games, n)``, of the seat to move.
        current_seat: ``int8 (num_games,)``.
        rewards: ``float32 (num_games, num_players)``: what the last step paid each seat.
        terminations, truncations: ``bool (num_games,)``: the last step ended the episode.

    Raises:
        ValueError: when a setting is wrong, or a buffer is of another shape or type, cannot be
            written, or shares memory with another.
    """

    observation: npt.NDArray[Any]
    action_mask: npt.NDArray[np.int8]
    current_seat: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    terminations: npt.NDArray[np.bool_]
    truncations: npt.NDArray[np.bool_]

    def __init__(
        self,
        rules: Rules | str | Mapping[str, Any] = "rummy500",
        num_players: int = 2,
        num_games: int = 1024,
        seed: int | None = None,
        *,
        episode: str = "round",
        reward: str = "score",
        observation_dtype: str = "float32",
        skip_forced: bool = False,
        max_decisions: int | None = None,
        threads: int = 1,
        buffers: Mapping[str, npt.NDArray[Any]] | None = None,
    ) -> None:
        num_games, threads = as_count("num_games", num_games), as_count("threads", threads)
        limit = 0 if max_decisions is None else as_count("max_decisions", max_decisions)
        if episode not in ("game", "round"):
            raise ValueError(f"episode={episode!r}: allowed are 'game' and 'round'")
        self.rules: Rules = as_rules(rules)
        self.num_players: int = num_players
        self.num_games: int = num_games
        self.seed: int = as_seed(seed)
        self.action_space = action_space(self.rules, num_players)
        self.observation_space = observation_space(self.rules, num_players)
        self._rules_record = rules_record(self.rules, num_players)
        self._form = self.observation_space.form(observation_dtype)
        self._settings: Any = (np.int64(episode == "round"), np.int64(skip_forced))
        self._max_decisions = np.int64(limit)
        self._reward = reward_code(reward)
        self._slices = _split(num_games, threads)
        self._pool = _pool(self._slices)
        self._blank = allocate(1, STATE)
        self._states = allocate(num_games, STATE)
        self._views = [allocate(1, VIEW) for _ in self._slices]
        self._samples = 0

        own: dict[str, npt.NDArray[Any]] = {
            "observation": np.zeros((num_games, self.observation_space.size), observation_dtype),
            "action_mask": np.zeros((num_games, self.action_space.n), np.int8),
            "current_seat": np.zeros(num_games, np.int8),
            "rewards": np.zeros((num_games, num_players), np.float32),
            "terminations": np.zeros(num_games, np.bool_),
            "truncations": np.zeros(num_games, np.bool_),
        }
        self.__dict__.update(own if buffers is None else own | checked_buffers(buffers, own))
        self._episodes = np.zeros(num_games, np.int64)
        self.reset()

    @property
    def episodes(self) -> npt.NDArray[np.int64]:
        """Finished episodes of each table, ``int64 (num_games,)``; read-only."""
        shown = self._episodes.view()
        shown.flags.writeable = False
        return shown

    def reset(self, seed: int | None = None) -> None:
        """Begin all tables anew, with a new seed when one is given."""
        if seed is not None:
            self.seed = as_seed(seed)
        self._episodes[:] = 0
        self.rewards[:] = 0
        self.terminations[:] = self.truncations[:] = False
        self._samples = 0
        self._each(self._reset_slice)
        self._each(self._look_slice)

    def step(self, actions: npt.ArrayLike) -> None:
        """Play one action at each table.

        Args:
            actions: Whole numbers, ``(num_games,)``.

        Raises:
            IllegalActionError: when one is illegal; no table has changed then.
            ValueError: when the shape or the type is wrong.
        """
        chosen = whole_numbers(actions, "actions", self.num_games)
        wrong = self._first_illegal(chosen)
        if wrong >= 0:
            raise IllegalActionError(f"table {wrong}: {self._why_not(wrong, int(chosen[wrong]))}")
        self._each(lambda part: self._step_slice(part, chosen))

    def sample_actions(self) -> npt.NDArray[np.int64]:
        """Return a legal action for each table, all equally likely: ``int64 (num_games,)``."""
        actions = np.empty(self.num_games, np.int64)
        key = np.uint64(fold(np.uint64(self.seed), np.int64(-1 - self._samples)))
        self._samples += 1
        self._each(lambda part: self._run(sample_slice, part, self._rules_record, key, actions))
        return actions

    def legal_actions(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int64]]:
        """Return the legal actions as lists padded with -1, and their numbers.

        About ten of several hundred actions are legal: ``int16 (num_games, most)`` and
        ``int64 (num_games,)``.
        """
        width = widest(self._states, self._rules_record)
        lists = np.empty((self.num_games, width), np.int16)
        counts = np.empty(self.num_games, np.int64)
        list_slice(self._states, self._rules_record, lists, counts, 0, self.num_games)
        return lists, counts

    def clone(self, into: BatchGame | None = None) -> BatchGame:
        """Return a twin with arrays of its own that plays on identically.

        Args:
            into: A batch of the same shape to overwrite and return, in place of a new one: most
                of a clone's time goes into new memory.

        Raises:
            ValueError: when ``into`` is of another shape.
            TypeError: when it is no batch.
        """
        if into is not None:
            return self._overwrite(into)
        twin = object.__new__(BatchGame)
        copies = {name: getattr(self, name).copy() for name in _ARRAYS}
        twin.__dict__.update(self.__dict__ | copies)
        twin._states = duplicate(self._states)
        twin._views = [duplicate(view) for view in self._views]
        twin._pool = _pool(self._slices)
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> BatchGame:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the threads, which are started anew."""
        return {name: value for name, value in self.__dict__.items() if name != "_pool"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _pool=_pool(state["_slices"]))

    def __setattr__(self, name: str, value: Any) -> None:
        """Keep the arrays that are written in place."""
        if name in BUFFERS:
            raise AttributeError(f"{name} is written in place; buffers={{{name!r}: …}} replaces it")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return (
            f"BatchGame(num_players={self.num_players}, num_games={self.num_games}, "
            f"seed={self.seed}, episodes={int(self._episodes.sum())})"
        )

    # -- inside --------------------------------------------------------------------------------

    def _overwrite(self, twin: Any) -> BatchGame:
        if not isinstance(twin, BatchGame):
            raise TypeError(f"into={twin!r} is no batch")
        shapes = [
            (batch.rules, batch.num_players, batch.num_games, batch.observation.dtype)
            for batch in (self, twin)
        ]
        if shapes[0] != shapes[1]:
            raise ValueError("a batch is cloned into one of the same rules, players, games, dtype")
        kept = {name: twin.__dict__[name] for name in (*_ARRAYS, *_OWN)}
        for name in _ARRAYS:
            np.copyto(kept[name], getattr(self, name))
        overwrite(twin._states, self._states)
        twin.__dict__.update(self.__dict__ | kept)
        return twin

    def _each(self, work: Callable[[int], None]) -> None:
        """Do a work for each slice of the tables, the first one in the caller's own thread."""
        others = range(1, len(self._slices))
        started = [self._pool.submit(work, part) for part in others] if self._pool else []
        work(0)
        for future in started:
            future.result()

    def _reset_slice(self, part: int) -> None:
        beginning = (self._rules_record, np.uint64(self.seed), self._episodes, *self._settings)
        self._run(reset_slice, part, self._blank, *beginning)

    def _step_slice(self, part: int, actions: npt.NDArray[np.int64]) -> None:
        self._run(
            step_slice,
            part,
            self._blank,
            self._rules_record,
            actions,
            np.uint64(self.seed),
            self._episodes,
            *self._settings,
            self._max_decisions,
            self._reward,
            self.rewards,
            self.terminations,
            self.truncations,
            *self._shown(part),
        )

    def _look_slice(self, part: int) -> None:
        self._run(look_slice, part, self._rules_record, *self._shown(part))

    def _run(self, kernel: Any, part: int, *arguments: Any) -> None:
        """Run a kernel over a slice of the tables."""
        kernel(self._states, *arguments, *self._slices[part])

    def _shown(self, part: int) -> tuple[npt.NDArray[Any], ...]:
        """Return what a kernel needs to write what the seats to move see."""
        arrays = (self.observation, self.action_mask, self.current_seat)
        return (self._views[part], *self._form, *arrays)

    def _first_illegal(self, actions: npt.NDArray[np.int64]) -> int:
        return first_illegal(self._states, self._rules_record, actions, 0, self.num_games)

    def _why_not(self, table: int, action: int) -> str:
        legal = np.zeros(self.action_space.n, np.int64)
        count = list_legal(self._states, table, self._rules_record, legal)
        record = self._states[table : table + 1]
        return explain(record, self.rules, self.action_space, action, legal[:count].tolist())


_OWN = ("_states", "_views", "_slices", "_pool")
_ARRAYS = (*BUFFERS, "_episodes")


def _pool(slices: list[tuple[int, int]]) -> ThreadPoolExecutor | None:
    """Return threads for all slices of the tables but the first."""
    return ThreadPoolExecutor(len(slices) - 1) if len(slices) > 1 else None


def _split(count: int, threads: int) -> list[tuple[int, int]]:
    parts = max(1, min(threads, count // MIN_SLICE))
    edges = [count * part // parts for part in range(parts + 1)]
    return list(pairwise(edges))
