"""Floors: what must be done in any case, so how fast anything could be on this machine.

Each floor does the work that is left when there is no game: it writes as many bytes, calls as many
compiled functions, draws from as many legal actions. What is measured is reported as a share of it.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from rummy500_env.batch import BatchGame
from rummy500_env.engine.bits import bits_to_bytes, count_bits, select_bit
from rummy500_env.engine.chance import below, fold
from rummy500_env.engine.jit import kernel

__all__ = ["EmptyAEC", "EmptyGame", "FloorBatch", "mask_words", "note_rows", "wrapped"]


@kernel
def note_rows(
    observation: Any, masks: Any, terminations: Any, truncations: Any, column: Any, total: Any
) -> Any:
    """Add an entry of each row to a checksum, and return how many episodes have ended."""
    at, bit = column % observation.shape[1], column % masks.shape[1]
    ended = np.int64(0)
    for i in range(len(observation)):
        total[0] += observation[i, at]
        total[0] += masks[i, bit]
        if terminations[i] or truncations[i]:
            ended += 1
    return ended


@kernel
def _sample_rows(legal: Any, shift: Any, key: Any, actions: Any) -> None:
    """Draw a legal action for each table, all equally likely, as the engine does."""
    words = np.int64(legal.shape[1])
    for i in range(len(actions)):
        row = legal[(i + shift) % len(legal)]
        actions[i] = select_bit(row, below(fold(key, np.int64(i)), count_bits(row, words)))


@kernel(vectorize=True)
def _write_rows(template: Any, legal: Any, shift: Any, observation: Any, masks: Any) -> None:
    """Write a row of observations and one of masks for each table."""
    size = np.int64(masks.shape[1])
    for i in range(len(observation)):
        row = observation[i]
        for k in range(len(template)):
            row[k] = template[k]
        bits_to_bytes(legal[(i + shift) % len(legal)], size, masks[i])


@kernel(vectorize=True)
def _write_row(template: Any, target: Any) -> None:
    """Write one row."""
    for k in range(len(template)):
        target[k] = template[k]


@kernel
def _accept(mask: Any, action: Any) -> Any:
    """Look whether an action is legal."""
    return mask[action] != 0


def mask_words(masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """Masks as strings of bits, ``int64 (rows, words)``."""
    packed = np.packbits(masks.view(np.uint8), axis=1, bitorder="little")
    words = np.zeros((len(masks), -(-packed.shape[1] // 8) * 8), np.uint8)
    words[:, : packed.shape[1]] = packed
    return words.view(np.int64)


class FloorBatch:
    """The floor of a :class:`~rummy500_env.batch.BatchGame` on one core.

    It writes observations and masks of the same size, the masks with as many ones (they are those
    of the batch at this moment, shifted by a table with each step), and samples legal actions.

    Args:
        batch: What it is the floor of; it is left as it is.
    """

    def __init__(self, batch: BatchGame) -> None:
        self.num_games = batch.num_games
        self.observation = np.zeros_like(batch.observation)
        self.action_mask = np.zeros_like(batch.action_mask)
        self.terminations = np.zeros(batch.num_games, np.bool_)
        self.truncations = np.zeros(batch.num_games, np.bool_)
        self._template = batch.observation[0].copy()
        self._legal = mask_words(batch.action_mask)
        self._steps = 0
        self._write()

    def sample_actions(self) -> npt.NDArray[np.int64]:
        """Return a legal action for each table."""
        actions = np.empty(self.num_games, np.int64)
        _sample_rows(self._legal, self._steps, np.uint64(self._steps), actions)
        return actions

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Write all rows."""
        self._steps += 1
        self._write()

    def _write(self) -> None:
        _write_rows(self._template, self._legal, self._steps, self.observation, self.action_mask)


class EmptyGame:
    """The floor of a :class:`~rummy500_env.game.Game`: as many compiled calls and bytes, no game.

    Args:
        observation: What is observed.
        mask: What is legal.
        length: Decisions until it is over.
    """

    def __init__(
        self, observation: npt.NDArray[Any], mask: npt.NDArray[np.int8], length: int
    ) -> None:
        self._observation, self._mask, self._left = observation, mask, length
        self.current_seat = 0

    @property
    def is_over(self) -> bool:
        """Whether the last decision was made."""
        return self._left <= 0

    def action_mask(self) -> npt.NDArray[np.int8]:
        """Return a new mask."""
        mask = np.empty(len(self._mask), np.int8)
        _write_row(self._mask, mask)
        return mask

    def observe(self, seat: int) -> npt.NDArray[Any]:
        """Return a new observation."""
        vector = np.empty(len(self._observation), self._observation.dtype)
        _write_row(self._observation, vector)
        return vector

    def step(self, action: int) -> None:
        """Make a decision."""
        if not _accept(self._mask, action):
            raise ValueError(f"action {action} is illegal")
        self._left -= 1


class EmptyAEC(AECEnv[str, dict[str, npt.NDArray[Any]], Any]):
    """The floor of the PettingZoo environment: agents take turns, and there is no game.

    It has the same spaces, and copies an observation and a mask of the same size at each step.

    Args:
        like: The environment it is the floor of.
        observation: What is observed.
        mask: What is legal.
        length: Decisions until all agents are done.
    """

    metadata: ClassVar[dict[str, Any]] = {  # pyright: ignore[reportIncompatibleVariableOverride]
        "name": "empty_v0",
        "render_modes": [],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        like: AECEnv[Any, Any, Any],
        observation: npt.NDArray[Any],
        mask: npt.NDArray[np.int8],
        length: int,
    ) -> None:
        super().__init__()
        self.render_mode = None
        self.possible_agents = list(like.possible_agents)
        self.agents = []
        self.observation_spaces = {
            agent: like.observation_space(agent) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(len(mask)) for agent in self.possible_agents}
        turned = self.possible_agents[1:] + self.possible_agents[:1]
        self._next = dict(zip(self.possible_agents, turned, strict=True))
        self._observation, self._mask, self._length = observation, mask, length

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begin an episode."""
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None
        self._left = self._length

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """Return copies."""
        return {"observation": self._observation.copy(), "action_mask": self._mask.copy()}

    def step(self, action: Any) -> None:
        """Let the next agent move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.agent_selection = self._next[agent]
        self._left -= 1
        if self._left == 0:
            self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> None:
        """There is nothing to be seen."""

    def close(self) -> None:
        """Nothing has to be closed."""


def wrapped(env: AECEnv[Any, Any, Any]) -> AECEnv[Any, Any, Any]:
    """An environment inside the three wrappers that PettingZoo's classic games come in."""
    checked = AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=-1))
    return OrderEnforcingWrapper(checked)
