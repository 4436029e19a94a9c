"""An agent that decides from observations: the way from a trained network to a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from agents.base import Agent
from rummy500_env.search import observe

__all__ = ["ObservingAgent"]


class ObservingAgent(Agent):
    """An agent of a function of observations and masks, such as a network's prediction.

    It is marked as not deterministic, since a matrix product may give other last bits in another
    batch, and so another action in a near tie.

    Args:
        name: What it is called in every table.
        decide: Called with observations ``(k, size)`` and masks ``int8 (k, n)`` of ``k``
            decisions; returns a legal action for each, whole numbers ``(k,)``, as anything that
            NumPy can read.
        observation_dtype: ``"float32"`` or ``"int8"``.
    """

    deterministic: ClassVar[bool] = False

    def __init__(
        self,
        name: str,
        decide: Callable[[npt.NDArray[Any], npt.NDArray[np.int8]], Any],
        observation_dtype: str = "float32",
    ) -> None:
        self.name, self.decide = name, decide
        self.observation_dtype = observation_dtype

    def act(
        self, views: npt.NDArray[Any], action_masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.integer[Any]]:
        """Return what the function decides for each view."""
        seen = observe(views, self.rules, self.num_players, self.observation_dtype)
        return np.asarray(self.decide(seen, action_masks))
