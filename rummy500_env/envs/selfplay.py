"""All seats of many tables, for self-play: a thin layer over batches."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from operator import methodcaller
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from rummy500_env.arguments import as_count
from rummy500_env.batch import BatchGame
from rummy500_env.envs.spaces import LegalMultiDiscrete, learner_space
from rummy500_env.rules import Rules

__all__ = ["SelfPlayVector"]


class SelfPlayVector(VectorEnv[Any, Any, Any]):
    """Many tables whose seats are all played by the caller.

    Each step takes one action a table, for its seat to move (:attr:`current_seat`), and pays every
    seat: rewards are ``float32 (num_envs, num_players)``. Apart from that it keeps to Gymnasium's
    interface of vector environments. A finished table begins its next episode in the same step;
    rewards, terminations and truncations speak of the episode that ended, and its last observation
    is not shown, since no seat is to move there. All arrays are live buffers, overwritten by the
    next step and never read back.

    Args:
        num_envs: Tables.
        rules: Rules, the name of a preset, or a mapping of options.
        num_players: Seats at each table.
        buffers: Arrays to write into, by name, in place of own ones:
            :data:`~rummy500_env.batch.BUFFERS`.
        flat: Observe the vectors alone; masks are in infos all the same.
        observation_dtype: ``"float32"`` or ``"int8"``.
        **settings: What else :class:`~rummy500_env.batch.BatchGame` takes: ``seed``, ``episode``,
            ``reward``, ``skip_forced``, ``max_decisions``, ``threads``.

    Raises:
        ValueError: when a buffer is of the wrong shape or type, cannot be written, or shares memory
            with another; it says what is needed.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (Gymnasium declares it so)
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }
    autoreset_mode = AutoresetMode.SAME_STEP  # where Gymnasium's own have it, and TorchRL looks

    def __init__(
        self,
        num_envs: int = 1024,
        rules: Rules | str | Mapping[str, Any] = "rummy500",
        num_players: int = 2,
        *,
        buffers: Mapping[str, npt.NDArray[Any]] | None = None,
        flat: bool = False,
        observation_dtype: str = "float32",
        **settings: Any,
    ) -> None:
        super().__init__()
        self.batch = BatchGame(
            rules,
            num_players,
            as_count("num_envs", num_envs),
            observation_dtype=observation_dtype,
            buffers=buffers,
            **settings,
        )
        self.num_envs, self.num_players = self.batch.num_games, num_players
        self._flat = flat
        n = self.batch.action_space.n
        space = learner_space(self.batch.observation_space, n, observation_dtype, flat)
        self.single_observation_space = space
        self.observation_space = batch_space(space, self.num_envs)
        self.single_action_space = Discrete(n)
        self.action_space = LegalMultiDiscrete(n, self.num_envs, self, methodcaller("_masks"))

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.batch.rules

    @property
    def current_seat(self) -> npt.NDArray[np.int8]:
        """The seat to move at each table, ``int8 (num_envs,)``."""
        return self.batch.current_seat

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all tables anew: with a new seed when one is given, else as they began before."""
        if seed is not None:
            super().reset(seed=seed)
        self.batch.reset(seed)
        return self._observations(), self._infos()

    def step(self, actions: npt.ArrayLike) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play one action at each table, ``(num_envs,)``, for its seat to move.

        Returns:
            Observations, rewards ``float32 (num_envs, num_players)``, terminations and truncations
            ``bool (num_envs,)``, infos.

        Raises:
            IllegalActionError: when one is illegal; no table has changed then.
            ValueError: when shape or type is wrong.
        """
        batch = self.batch
        batch.step(actions)
        return (
            self._observations(),
            batch.rewards,
            batch.terminations,
            batch.truncations,
            self._infos(),
        )

    def _observations(self) -> Any:
        batch = self.batch
        if self._flat:
            return batch.observation
        return {"observation": batch.observation, "action_mask": batch.action_mask}

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.batch.action_mask, "current_seat": self.batch.current_seat}

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Return the masks of the seats to move, ``int8 (num_envs, n)``, the caller's to keep."""
        return self.batch.action_mask.copy()

    def _masks(self) -> npt.NDArray[np.int8]:
        return self.batch.action_mask

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        space: Any = self.action_space
        space.belong(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> SelfPlayVector:
        """Return a twin that plays on identically."""
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        twin.__setstate__({name: copy.deepcopy(v, memo) for name, v in self.__dict__.items()})
        return twin
