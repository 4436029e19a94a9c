"""What agents that search have in common: they are asked row by row, where there is a choice."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from agents.base import Agent

__all__ = ["SearchAgent"]


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
