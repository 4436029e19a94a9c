"""The Gymnasium environment many times at once: one learner at each table."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from operator import methodcaller
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from rummy500_env.arguments import as_count, as_seed, view_key
from rummy500_env.arrays import whole_numbers
from rummy500_env.engine.chance import fold
from rummy500_env.engine.learners import BEGIN, CUT_BY, LEAVE, PLAY
from rummy500_env.envs.spaces import LegalMultiDiscrete, learner_space
from rummy500_env.envs.tables import LearnerTables, TableSettings, checked_seat
from rummy500_env.errors import Rummy500Error
from rummy500_env.render.screen import FRAMES_PER_SECOND, MANY_MODES, Screen
from rummy500_env.rules import Rules

__all__ = ["Rummy500Vector"]


class Rummy500Vector(VectorEnv[Any, Any, Any]):
    """Many learners at tables of their own, ``gymnasium.make_vec("Rummy500-v0", num_envs=1024)``.

    All is as in :class:`~rummy500_env.envs.single.Rummy500Single`, but for what follows.

    *Autoreset in the same step.* Where an episode ended, reward, termination and truncation speak
    of it, observation, mask and seat of the next one. ``infos["final_obs"]`` has what its learner
    saw last, ``infos["final_info"]`` its info; ``infos["_final_obs"]`` marks these tables.

    *Live buffers.* Observations and masks are overwritten by the next step, unless ``copy``; what
    else is returned is the caller's.

    *Chance.* Table ``i``, episode ``k`` has a seed that depends on the seed, ``i`` and ``k`` alone.

    *All or nothing.* A step that raises has changed no table.

    Args:
        num_envs: Tables.
        rules: Rules, the name of a preset, or a mapping of options.
        num_players: Seats at each table.
        seat: Where the learners sit, ``"random"``, or a sequence with a seat for each table.
        opponents: Who plays the other seats, at all tables.
        episode: ``"round"`` or ``"game"``.
        reward: ``"score"``, ``"points"``, ``"own_points"`` or ``"win"``.
        render_mode: ``"ansi"``, ``"rgb_array"`` or None; see :meth:`render`.
        observation_dtype: ``"float32"`` or ``"int8"``.
        flat: Observe the vectors alone.
        skip_forced: Play single legal actions at once.
        max_decisions: Truncate an episode after this many decisions of all seats.
        copy: Return copies of observations and masks.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (Gymnasium declares it so)
        "render_modes": MANY_MODES,
        "render_fps": FRAMES_PER_SECOND,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }
    autoreset_mode = AutoresetMode.SAME_STEP  # where Gymnasium's own have it, and TorchRL looks

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str | Mapping[str, Any] = "rummy500",
        num_players: int = 2,
        *,
        seat: int | str | Sequence[int] = 0,
        opponents: Any = "greedy",
        episode: str = "round",
        reward: str = "score",
        render_mode: str | None = None,
        observation_dtype: str = "float32",
        flat: bool = False,
        skip_forced: bool = False,
        max_decisions: int | None = None,
        copy: bool = False,
    ) -> None:
        super().__init__()
        self._screen = Screen(render_mode, MANY_MODES)
        self.num_envs, self.render_mode = as_count("num_envs", num_envs), render_mode
        settings = TableSettings(
            rules, num_players, episode, reward, observation_dtype, skip_forced, max_decisions
        )
        self._tables = LearnerTables(settings, self.num_envs, opponents, autoreset=True)
        self.rules: Rules = self._tables.rules
        self.num_players: int = self._tables.num_players
        self._tables.learners["fixed_seat"] = self._seats(seat)
        self._flat, self._copy = flat, copy
        observations, n = self._tables.observations, self._tables.actions.n
        self.single_observation_space = learner_space(observations, n, observation_dtype, flat)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.single_action_space = Discrete(n)
        self.action_space = LegalMultiDiscrete(n, self.num_envs, self, methodcaller("_masks"))

    def _seats(self, seat: Any) -> Any:
        if isinstance(seat, str) or not isinstance(seat, Sequence | np.ndarray):
            return checked_seat(seat, self.num_players)
        if len(seat) != self.num_envs:
            raise ValueError(f"{len(seat)} seats: one or {self.num_envs} are needed")
        return [checked_seat(one, self.num_players) for one in seat]

    @property
    def seats(self) -> npt.NDArray[np.int8]:
        """The learners' seats, ``int8 (num_envs,)``."""
        return self._tables.learners["seat"].copy()

    @property
    def episodes(self) -> npt.NDArray[np.int64]:
        """Number of the episode at each table, 0 for the first, ``int64 (num_envs,)``."""
        return self._tables.learners["episode"].copy()

    def set_opponents(self, opponents: Any) -> None:
        """Let others play, at all tables, from their next decision on."""
        self._tables.set_opponents(opponents)

    # -- episodes ------------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode at all tables, or at some.

        Args:
            seed: All chance follows from it; a sequence has one for each table. Without one each
                table goes on to its next episode.
            options: ``"reset_mask"`` (``bool (num_envs,)``: where to begin anew; the other tables
                play on) and ``"opponents"``; other keys are ignored.
        """
        wanted = {} if options is None else dict(options)
        which = self._reset_mask(wanted.get("reset_mask"))
        for name in ("dealer", "scores", "position"):
            if wanted.get(name) is not None:
                raise ValueError(f"option {name!r} is for one table: gymnasium.make has it")
        tables = self._tables
        if not which.all() and not tables.started:
            raise Rummy500Error("reset() all tables before some of them: no episode is on")
        if seed is None and not tables.started:
            seed = int(self.np_random.integers(2**63))
        words = None if seed is None else self._words(seed)
        if isinstance(seed, int):
            super().reset(seed=seed)
        with tables.all_or_nothing():
            if wanted.get("opponents") is not None:
                self.set_opponents(wanted["opponents"])
            learners = tables.learners
            if words is None:
                learners["episode"][which] += 1
            else:
                learners["word"][which], learners["secret"][which] = (
                    words[0][which],
                    words[1][which],
                )
                learners["episode"][which] = 0
                if which.all():
                    tables.seed_opponents(int(words[0][0]))
            orders = np.where(which, BEGIN, LEAVE).astype(np.int8)
            tables.run(orders, np.zeros(self.num_envs, np.int64))
        return self._observations(), self._infos(which)

    def _reset_mask(self, mask: Any) -> npt.NDArray[np.bool_]:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            kind = getattr(mask, "dtype", type(mask).__name__)
            raise TypeError(f"reset_mask of type {kind}: an array of bool is needed")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(
                f"reset_mask of shape {mask.shape} with {np.count_nonzero(mask)} set: shape "
                f"({self.num_envs},) and at least one are needed"
            )
        return mask

    def _words(self, seed: Any) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
        """Return what the seeds of each table's episodes follow from, and its views' random bits.

        The second cannot be turned into the first.
        """
        tables = range(self.num_envs)
        if isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.num_envs:
                raise ValueError(f"{len(seed)} seeds: one or {self.num_envs} are needed")
            seeds = [as_seed(one) for one in seed]
            return np.array(seeds, np.uint64), np.array([view_key(s) for s in seeds], np.uint64)
        word = as_seed(seed)
        secret = np.uint64(view_key(word))
        words = [fold(np.uint64(word), np.int64(table)) for table in tables]
        secrets = [fold(secret, np.int64(table)) for table in tables]
        return np.array(words, np.uint64), np.array(secrets, np.uint64)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play an action at each table, and what opponents do until the learners are to decide.

        Args:
            actions: Whole numbers, ``(num_envs,)``.

        Returns:
            Observations, rewards ``float64 (num_envs,)``, terminations and truncations
            ``bool (num_envs,)``, infos.

        Raises:
            IllegalActionError: when an action is illegal, or one of an opponent's is.
            AgentError: when an opponent fails; its cause is what that raised.
            ValueError: when shape or type of the actions is wrong.
            Rummy500Error: before the first reset.
        """
        tables = self._tables
        if not tables.started:
            raise Rummy500Error("reset() the environment before step(): no episode is on")
        chosen = whole_numbers(actions, "actions", self.num_envs)
        with tables.all_or_nothing():
            tables.run(np.full(self.num_envs, PLAY, np.int8), chosen)
        rewards, ended = tables.learners["reward"].copy(), tables.learners["ended"]
        infos = self._infos(np.ones(self.num_envs, np.bool_))
        over = ended > 0
        if over.any():
            self._add_finals(infos, over)
        return self._observations(), rewards, ended == 1, ended == 2, infos

    # -- what is seen --------------------------------------------------------------------------

    def _observations(self) -> Any:
        observation, masks = self._tables.observation, self._tables.action_mask
        if self._copy:
            observation, masks = observation.copy(), masks.copy()
        return observation if self._flat else {"observation": observation, "action_mask": masks}

    def _infos(self, which: npt.NDArray[np.bool_]) -> dict[str, Any]:
        masks = self._tables.action_mask
        return {
            "action_mask": masks.copy() if self._copy else masks,
            "_action_mask": which.copy(),
            "seat": self.seats,
            "_seat": which.copy(),
        }

    def _add_finals(self, infos: dict[str, Any], over: npt.NDArray[np.bool_]) -> None:
        """Add observation and info of the episodes that ended, as Gymnasium lays them out."""
        tables, n = self._tables, self._tables.actions.n
        final_obs = np.full(self.num_envs, None, object)
        truncated_by = np.full(self.num_envs, None, object)
        cut_by = tables.learners["cut_by"]
        for i in np.flatnonzero(over).tolist():
            shown = tables.final_observation[i].copy()
            no_move = np.zeros(n, np.int8)
            final_obs[i] = shown if self._flat else {"observation": shown, "action_mask": no_move}
            truncated_by[i] = CUT_BY[cut_by[i]] or None
        infos["final_obs"], infos["_final_obs"] = final_obs, over.copy()
        found = {
            "action_mask": np.zeros((self.num_envs, n), np.int8),
            "seat": np.where(over, tables.learners["final_seat"], 0),
            "scores": np.where(over[:, None], tables.final_scores, 0),
            "truncated_by": truncated_by,
        }
        marks = {f"_{name}": over.copy() for name in found}
        infos["final_info"], infos["_final_info"] = found | marks, over.copy()

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Return the learners' masks, ``int8 (num_envs, n)``, the caller's to keep."""
        return self._tables.action_mask.copy()

    def _masks(self) -> npt.NDArray[np.int8] | None:
        return self._tables.action_mask if self._tables.started else None

    def render(self) -> tuple[Any, ...] | None:
        """Return each table as text (``"ansi"``) or pixels (``"rgb_array"``), with all hands."""
        if self.render_mode is None:
            return None
        states = self._tables.states
        return tuple(self._screen.show(states[i : i + 1], self.rules) for i in range(self.num_envs))

    # -- copies --------------------------------------------------------------------------------

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        space: Any = self.action_space
        space.belong(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Rummy500Vector:
        """Return a twin that plays on identically."""
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        twin.__setstate__({name: copy.deepcopy(v, memo) for name, v in self.__dict__.items()})
        return twin
