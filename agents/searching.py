"""What agents that search have in common: they are asked row by row, where there is a choice."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from agents.base import Agent
from agents.greedy import greedy_policy
from rummy500_env.rules import Rules

__all__ = ["RolloutAgent", "SearchAgent"]


class SearchAgent(Agent):
    """An agent that thinks about one view at a time. Subclasses write :meth:`best`."""

    def best(self, view: npt.NDArray[Any], legal: npt.NDArray[np.intp]) -> int:
        """Return the action to take.

        Args:
            view: Array of one view record.
            legal: The legal actions, two or more.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what is best")

    def act(
        self, views: npt.NDArray[Any], action_masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.integer[Any]]:
        """Return the best action of each view."""
        actions = np.empty(len(views), np.int64)
        for row in range(len(views)):
            legal = np.flatnonzero(action_masks[row])
            actions[row] = legal[0] if len(legal) == 1 else self.best(views[row : row + 1], legal)
        return actions


class RolloutAgent(SearchAgent):
    """An agent that lets a compiled agent play rounds to their end.

    Args:
        rollout: The compiled agent, or None for ``greedy``.
    """

    def __init__(self, rollout: Agent | None = None) -> None:
        self.rollout = rollout

    def reset(self, rules: Rules, num_players: int, seed: int) -> None:
        """Get ready for games of one variant."""
        super().reset(rules, num_players, seed)
        if self.rollout is not None:
            self.rollout.reset(rules, num_players, seed)
        self._policy: Any = greedy_policy if self.rollout is None else self.rollout
