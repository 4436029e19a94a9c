"""The Gymnasium environment: one seat learns, opponents play the others."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from operator import attrgetter, methodcaller
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from rummy500_env.arguments import as_action, as_seed, view_key
from rummy500_env.engine.jit import overwrite
from rummy500_env.engine.learners import CUT_BY, GO_ON, LEARNS, MOST_BARREN, PLAY
from rummy500_env.envs.dealing import dealt
from rummy500_env.envs.spaces import LearnerDiscrete, learner_space
from rummy500_env.envs.tables import LearnerTables, TableSettings, checked_seat
from rummy500_env.errors import IllegalActionError, PositionError, Rummy500Error
from rummy500_env.render.screen import FRAMES_PER_SECOND, MODES, Screen
from rummy500_env.rules import Rules

__all__ = ["Rummy500Single"]


class Rummy500Single(gymnasium.Env[Any, Any]):
    """Rummy 500 for one learner, ``gymnasium.make("Rummy500-v0")``.

    A step plays the learner's action, then all that opponents do until the learner is to decide
    again. A turn is several decisions. An illegal action raises
    :class:`~rummy500_env.errors.IllegalActionError`; a step that raises, for that or for a fault
    of an opponent, has changed nothing at the table. All arrays handed out are the caller's.

    Observations are ``{"observation": vector, "action_mask": int8 (n,)}``, or the vector alone if
    ``flat``. The mask is in ``info["action_mask"]`` too, the learner's seat in ``info["seat"]``;
    at the end there are ``info["scores"]`` (totals by seat) and ``info["truncated_by"]``.

    Args:
        rules: Rules, the name of a preset, or a mapping of options.
        num_players: Seats.
        seat: Where the learner sits, or ``"random"``: drawn for each episode.
        opponents: Who plays the other seats: one for all, or a list with one for each, the seat
            after the learner's first. Each is a name, an agent, or a callable
            ``(view, legal) -> Move | int | str``.
        episode: ``"round"`` or ``"game"`` (rounds to the target).
        reward: ``"score"``, ``"points"``, ``"own_points"`` or ``"win"``, of the learner.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or None; see :meth:`render`.
        observation_dtype: ``"float32"`` or ``"int8"``.
        flat: Observe the vector alone; :meth:`action_masks` gives the mask.
        skip_forced: Play single legal actions at once, of all seats.
        max_decisions: Truncate an episode after this many decisions of all seats, but not before
            the learner has decided once.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (Gymnasium declares it so)
        "render_modes": MODES,
        "render_fps": FRAMES_PER_SECOND,
    }

    def __init__(
        self,
        rules: Rules | str | Mapping[str, Any] = "rummy500",
        num_players: int = 2,
        *,
        seat: int | str = 0,
        opponents: Any = "greedy",
        episode: str = "round",
        reward: str = "score",
        render_mode: str | None = None,
        observation_dtype: str = "float32",
        flat: bool = False,
        skip_forced: bool = False,
        max_decisions: int | None = None,
    ) -> None:
        self._screen = Screen(render_mode)
        self.render_mode = render_mode
        settings = TableSettings(
            rules, num_players, episode, reward, observation_dtype, skip_forced, max_decisions
        )
        self._tables = LearnerTables(settings, 1, opponents, autoreset=False)
        self.rules: Rules = self._tables.rules
        self.num_players: int = self._tables.num_players
        self._fixed_seat = checked_seat(seat, self.num_players)
        self._single_round = np.int64(episode == "round")
        self._flat = flat
        self._on = False
        observations, n = self._tables.observations, self._tables.actions.n
        self.observation_space = learner_space(observations, n, observation_dtype, flat)
        self._opening = 0  # the first legal action of the first decision
        self._first: int | None = None  # the same once that decision is past
        self.action_space = LearnerDiscrete(
            n, self, methodcaller("_legal_actions"), attrgetter("_first")
        )

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return int(self._tables.learners["seat"][0])

    @property
    def game_seed(self) -> int:
        """What all chance of this episode follows from. Privileged: it tells every hand."""
        return int(self._tables.states["seed"][0])

    def set_opponents(self, opponents: Any) -> None:
        """Let others play the other seats, from their next decision on."""
        self._tables.set_opponents(opponents)

    # -- the episode ---------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, and return what the learner sees at its first decision.

        An episode that ends before the learner has decided anything is passed over.

        Args:
            seed: All chance follows from it, and that of later resets without one.
            options: ``"opponents"``, ``"scores"`` (totals to begin with, by seat), ``"dealer"`` (a
                seat), or ``"position"`` (see :mod:`rummy500_env.position`), which says the latter
                two and may have a seed of its own; other keys are ignored.
        """
        word = None if seed is None else as_seed(seed)
        wanted = {} if options is None else dict(options)
        super().reset(seed=seed)
        with self._tables.all_or_nothing():
            if wanted.get("opponents") is not None:
                self.set_opponents(wanted["opponents"])
            if word is not None or not self._tables.started:
                word = int(self.np_random.integers(2**63)) if word is None else word
                self._tables.seed_opponents(word)
            for _ in range(int(MOST_BARREN)):
                word = int(self.np_random.integers(2**63)) if word is None else word
                self._begin(word, wanted)
                if self._tables.learners["status"][0] == LEARNS:
                    break
                if wanted.get("position") is not None:
                    raise PositionError(
                        f"nothing is left to decide at seat {self.seat} in the position"
                    )
                word = None
            else:
                raise Rummy500Error(
                    f"the learner has nothing to decide in {MOST_BARREN} episodes in a row"
                )
        self._on, self._first = True, None
        self._opening = int(self._tables.action_mask[0].argmax())
        if self._screen.is_live:
            self.render()
        return self._observation(), self._info()

    def _begin(self, seed: int, options: Mapping[str, Any]) -> None:
        """Deal, and let the opponents play until the learner is to decide, or the end."""
        tables = self._tables
        record = dealt(
            self.rules, self.num_players, tables.rules_record, self._single_round, seed, options
        )
        overwrite(tables.states, record)
        drawn = self._fixed_seat < 0
        seat = int(self.np_random.integers(self.num_players)) if drawn else self._fixed_seat
        tables.set_down(seat, view_key(int(record["seed"][0])))
        tables.run(_GO_ON, _NOTHING)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action, and what opponents do until the learner is to decide again, or the end.

        Returns:
            Observation, the reward since the last decision, whether the episode has ended,
            whether it was truncated, and info.

        Raises:
            IllegalActionError: when the action is illegal, or an opponent's is; it says why.
            AgentError: when an opponent fails; its cause is what that raised.
            Rummy500Error: when no episode is on.
        """
        if not self._on:
            raise Rummy500Error("reset() the environment before step(): no episode is on")
        number = as_action(action)
        if number is None:
            raise IllegalActionError(f"action {action!r} is no whole number")
        tables = self._tables
        with tables.all_or_nothing():
            tables.run(_PLAY, np.array([number], np.int64))
        self._first = self._opening
        if self._screen.is_live:
            self.render()
        learner = tables.learners
        reward, ended = float(learner["reward"][0]), int(learner["ended"][0])
        if not ended:
            return self._observation(), reward, False, False, self._info()
        self._on = False
        info = self._info()
        info["scores"] = tables.final_scores[0].copy()
        info["truncated_by"] = CUT_BY[int(learner["cut_by"][0])] or None
        return self._observation(), reward, ended == 1, ended == 2, info

    # -- what is seen --------------------------------------------------------------------------

    def _observation(self) -> Any:
        shown = self._tables.observation if self._on else self._tables.final_observation
        if self._flat:
            return shown[0].copy()
        return {"observation": shown[0].copy(), "action_mask": self.action_masks()}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "seat": self.seat}

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Return the learner's mask, ``int8 (n,)``; it is empty when no episode is on."""
        mask = self._tables.action_mask[0]
        return mask.copy() if self._on else np.zeros_like(mask)

    def _legal_actions(self) -> list[int]:
        return np.flatnonzero(self.action_masks()).tolist()

    def render(self) -> Any:
        """Return the table as text (``"ansi"``) or pixels (``"rgb_array"``), with all hands.

        With ``"human"`` a window shows it, after each step without being asked for.
        """
        if self.render_mode is None:
            return None
        if not self._tables.started:
            raise Rummy500Error("reset() the environment before render(): no episode is on")
        return self._screen.show(self._tables.states, self.rules)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._screen.close()

    # -- copies --------------------------------------------------------------------------------

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        space: Any = self.action_space
        space.belong(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Rummy500Single:
        """Return a twin that plays on identically."""
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        twin.__setstate__({name: copy.deepcopy(v, memo) for name, v in self.__dict__.items()})
        return twin


_GO_ON, _PLAY = np.array([GO_ON], np.int8), np.array([PLAY], np.int8)
_NOTHING = np.zeros(1, np.int64)
