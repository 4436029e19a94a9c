"""The PettingZoo environment."""

from __future__ import annotations

import copy
import operator
import random
from collections.abc import Mapping
from operator import methodcaller
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from rummy500_env.actions import action_space
from rummy500_env.arguments import as_count, as_rules, as_seed
from rummy500_env.engine.jit import allocate
from rummy500_env.engine.rewards import reward_code
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.engine.state import STATE, TRUNCATIONS
from rummy500_env.engine.tables import list_legal
from rummy500_env.engine.turns import (
    PAID,
    TERMINATED,
    TRUNCATED,
    env_step,
    observe_env,
    play_forced_first,
)
from rummy500_env.envs.dealing import dealt
from rummy500_env.envs.spaces import LegalDiscrete, learner_space, observation_box
from rummy500_env.envs.specification import specification
from rummy500_env.errors import IllegalActionError, Rummy500Error
from rummy500_env.explain import explain
from rummy500_env.observations import observation_space
from rummy500_env.render.screen import FRAMES_PER_SECOND, MODES, Screen
from rummy500_env.rules import Rules
from rummy500_env.view_record import VIEW

__all__ = ["Rummy500AEC", "env", "raw_env"]

__doc__ = specification()

_MASK_ROOM = 2048


class Rummy500AEC(AECEnv[str, Any, Any]):
    """Rummy 500 as a PettingZoo AEC environment.

    It needs none of PettingZoo's wrappers: order, bounds and legality of actions are checked here,
    and an illegal action raises :class:`~rummy500_env.errors.IllegalActionError` and changes
    nothing. All arrays handed out are the caller's.

    Args:
        rules: Rules, the name of a preset, or a mapping of options.
        num_players: Seats; ``player_0`` is seat 0.
        episode: ``"game"`` (rounds to the target) or ``"round"``.
        reward: ``"score"``, ``"points"``, ``"own_points"`` or ``"win"``.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or None; see :meth:`render`.
        observation_dtype: ``"float32"`` or ``"int8"``.
        flat: Observe the vector alone; the mask is then in ``infos`` and :meth:`action_masks`.
        skip_forced: Play single legal actions at once. Then who is asked shows that there was a
            choice, which players at a table could not tell.
        max_decisions: Truncate an episode after this many decisions of all seats.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (PettingZoo declares it so)
        "name": "rummy500_v0",
        "render_modes": MODES,
        "is_parallelizable": False,
        "render_fps": FRAMES_PER_SECOND,
    }

    def __init__(
        self,
        rules: Rules | str | Mapping[str, Any] = "rummy500",
        num_players: int = 2,
        *,
        episode: str = "game",
        reward: str = "score",
        render_mode: str | None = None,
        observation_dtype: str = "float32",
        flat: bool = False,
        skip_forced: bool = False,
        max_decisions: int | None = None,
    ) -> None:
        super().__init__()
        self._screen = Screen(render_mode)
        if episode not in ("game", "round"):
            raise ValueError(f"episode={episode!r}: allowed are 'game' and 'round'")
        limit = 0 if max_decisions is None else as_count("max_decisions", max_decisions)
        self.rules: Rules = as_rules(rules)
        self.num_players: int = operator.index(num_players)
        self.render_mode: str | None = render_mode
        self.seed: int | None = None
        self._single_round = np.int64(episode == "round")
        self._reward = reward_code(reward)
        self._skip_forced = np.int64(skip_forced)
        self._max_decisions = np.int64(limit)
        self._flat = flat
        self._rules_record = rules_record(self.rules, self.num_players)
        self._actions = action_space(self.rules, self.num_players)
        self._observations = observation_space(self.rules, self.num_players)
        self._form = self._observations.form(observation_dtype)
        self._dtype = np.dtype(observation_dtype)
        self._record = allocate(1, STATE)
        self._work = allocate(1, VIEW)
        self._paid = np.zeros((1, self.num_players))
        self._ended = True

        self.possible_agents: list[str] = [f"player_{seat}" for seat in range(self.num_players)]
        self._seats: dict[str, int] = {name: s for s, name in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self.observation_spaces: dict[str, Any] = {
            name: learner_space(self._observations, self._actions.n, observation_dtype, flat)
            for name in self.possible_agents
        }
        self.action_spaces: dict[str, Any] = {
            name: LegalDiscrete(self._actions.n, self, methodcaller("_legal_of", seat))
            for name, seat in self._seats.items()
        }

    # -- spaces --------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> LegalDiscrete:
        """Return the space of an agent's actions; sampled without a mask it gives legal ones."""
        return self.action_spaces[agent]

    @property
    def state_space(self) -> spaces.Box:
        """The space of :meth:`state`."""
        box = observation_box(self._observations, self._dtype)
        n = self.num_players
        return spaces.Box(np.tile(box.low, n), np.tile(box.high, n), dtype=self._dtype.type)

    # -- the episode ---------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: All chance follows from it. None draws one: after a seeded reset from a stream
                that follows from that seed.
            options: ``"scores"`` (totals to begin with, by seat), ``"dealer"`` (a seat), or
                ``"position"`` (see :mod:`rummy500_env.position`), which says both and may have
                a seed of its own; other keys are ignored.
        """
        if seed is not None:
            self._stream = random.Random(as_seed(seed))
        elif not hasattr(self, "_stream"):
            self._stream = random.Random()
        word = as_seed(seed) if seed is not None else self._stream.getrandbits(63)
        self._record = self._dealt(word, {} if options is None else dict(options))
        self.seed = int(self._record["seed"][0])
        self._ended = False
        self.agents = self.possible_agents.copy()
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: self._idle_info() for name in self.agents}
        self._skip_agent_selection = None
        self._unpaid = True
        self._shown: tuple[Any, npt.NDArray[np.int8]] | None = None
        seat = int(self._record["seat"][0])
        self.agent_selection = self.possible_agents[seat]
        self._show(seat)
        if self._screen.is_live:
            self.render()

    def _dealt(self, seed: int, options: dict[str, Any]) -> npt.NDArray[Any]:
        """Return the table that an episode begins with, as an array of one record."""
        record = dealt(
            self.rules, self.num_players, self._rules_record, self._single_round, seed, options
        )
        if self._skip_forced and options.get("position") is None:
            play_forced_first(record, self._rules_record)
        return record

    def step(self, action: Any) -> None:
        """Play an action of the agent to move, or None for one whose episode has ended.

        Raises:
            IllegalActionError: when the action is illegal; it says why, and nothing has changed.
            Rummy500Error: before the first reset.
        """
        try:
            agent = self.agent_selection
            if self.terminations[agent] or self.truncations[agent]:
                self._was_dead_step(action)
                return
        except (AttributeError, KeyError):
            raise Rummy500Error("reset() the environment before step(): no episode is on") from None
        if isinstance(action, bool | np.bool_):
            raise IllegalActionError(f"action {action!r} is no whole number")
        try:
            result = env_step(
                self._record,
                self._rules_record,
                operator.index(action),
                self._reward,
                self._skip_forced,
                self._max_decisions,
                self._paid,
            )
        except (TypeError, OverflowError):
            raise IllegalActionError(f"action {action!r} is no whole number in range") from None
        if result < 0:
            raise IllegalActionError(self._why_not(operator.index(action)))
        self._cumulative_rewards[agent] = 0.0
        if result & PAID:
            paid = self._paid[0].tolist()
            for name, amount in zip(self.possible_agents, paid, strict=True):
                self.rewards[name] = amount
                self._cumulative_rewards[name] += amount
            self._unpaid = False
        elif not self._unpaid:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._unpaid = True
        if self._screen.is_live:
            self.render()
        if result & (TERMINATED | TRUNCATED):
            self._end(bool(result & TERMINATED))
            return
        seat = result & 15
        mover = self.possible_agents[seat]
        if mover is not agent:
            self.infos[agent] = self._idle_info()
            self.agent_selection = mover
        self._show(seat)

    def _end(self, terminated: bool) -> None:
        self._ended = True
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, not terminated)
        why = None
        if not terminated:
            why = TRUNCATIONS[self._record["truncated"][0]] or "max_decisions"
        self.infos = {name: {**self._idle_info(), "truncated_by": why} for name in self.agents}
        self._shown = None
        self._deads_step_first()

    # -- what is seen --------------------------------------------------------------------------

    def observe(self, agent: str) -> Any:
        """Return what an agent observes now, whoever is to move; its mask is empty if it is not."""
        self._require_episode("observe")
        observation, mask = self._look(self._seats[agent])
        if self.terminations.get(agent):  # also by a wrapper, of which the table knows nothing
            mask[:] = 0
        return observation if self._flat else {"observation": observation, "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last action, and the like, of the agent to move."""
        self._require_episode("last")
        agent = self.agent_selection
        observation = None
        if observe:
            shown, self._shown = self._shown, None
            if shown is None:
                observation = self.observe(agent)
            elif self._flat:
                observation = shown[0]
            else:
                observation = {"observation": shown[0], "action_mask": shown[1]}
        return (
            observation,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Return the mask of the agent to move, ``int8 (n,)``."""
        self._require_episode("action_masks")
        return self._look(self._seats[self.agent_selection])[1]

    def state(self) -> npt.NDArray[Any]:
        """Return the observations of all seats in one vector. Privileged: it shows every hand."""
        self._require_episode("state")
        return np.concatenate([self._look(seat)[0] for seat in range(self.num_players)])

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the table as text (``"ansi"``) or pixels (``"rgb_array"``), with all hands.

        With ``"human"`` a window shows it, after each step without being asked for.
        """
        if self.render_mode is None:
            return None
        self._require_episode("render")
        return self._screen.show(self._record, self.rules)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._screen.close()

    # -- inside --------------------------------------------------------------------------------

    def _require_episode(self, method: str) -> None:
        """Raise when no episode has begun."""
        if not hasattr(self, "agent_selection"):
            raise Rummy500Error(f"reset() the environment before {method}(): no episode is on")

    def _look(self, seat: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.int8]]:
        observation = np.empty(self._observations.size, self._dtype)
        mask = np.empty(self._actions.n, np.int8)
        observe_env(
            self._record,
            self._rules_record,
            seat,
            self._work,
            *self._form,
            observation,
            mask,
        )
        if self._ended:  # by max_decisions, the table itself knows of no end
            mask[:] = 0
        return observation, mask

    def _show(self, seat: int) -> None:
        """Look for the seat to move once, for its info and for :meth:`last`."""
        self._shown = self._look(seat)
        self.infos[self.agent_selection] = {"action_mask": self._shown[1].copy()}

    def _idle_info(self) -> dict[str, Any]:
        return {"action_mask": np.zeros(self._actions.n, np.int8)}

    def _legal(self) -> list[int]:
        room = np.empty(_MASK_ROOM, np.int64)
        return room[: list_legal(self._record, 0, self._rules_record, room)].tolist()

    def _legal_of(self, seat: int) -> list[int]:
        """Return the legal actions of a seat; none when another one is to move."""
        to_move = not self._ended and int(self._record["seat"][0]) == seat
        return self._legal() if to_move else []

    def _why_not(self, action: int) -> str:
        return explain(self._record, self.rules, self._actions, action, self._legal())

    def __deepcopy__(self, memo: dict[int, Any]) -> Rummy500AEC:
        """Return a twin that plays on identically; what never changes is shared."""
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        shared = ("rules", "_rules_record", "_actions", "_observations", "_form")
        twin.__setstate__(
            {
                name: value if name in shared else copy.deepcopy(value, memo)
                for name, value in self.__dict__.items()
            }
        )
        return twin

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for space in self.action_spaces.values():
            space.belong(self)


env = raw_env = Rummy500AEC
"""The environment under PettingZoo's two names; it needs no wrapper."""
