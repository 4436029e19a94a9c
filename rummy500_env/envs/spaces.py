"""Spaces of the environments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from rummy500_env.observations import ObservationSpace

__all__ = ["LegalDiscrete", "observation_box"]


class LegalDiscrete(spaces.Discrete):
    """``Discrete(n)`` whose samples without a mask are legal in the present position.

    Args:
        n: Number of actions.
        legal: Returns the legal actions; none when another seat is to move.
    """

    def __init__(self, n: int, legal: Callable[[], list[int]]) -> None:
        super().__init__(n)
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Return an action: one of the mask, or a legal one, or any when none is legal."""
        if mask is None and probability is None:
            legal = self._legal()
            if legal:
                return np.int64(legal[int(self.np_random.integers(len(legal)))])
        if probability is None:
            return super().sample(mask)
        return super().sample(mask, probability)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, spaces.Discrete) and (self.n, self.start) == (other.n, other.start)

    __hash__ = None


def observation_box(space: ObservationSpace, dtype: npt.DTypeLike) -> spaces.Box:
    """Return the bounds of an observation: what an ``int8`` can hold, times the scale."""
    if np.dtype(dtype) == np.int8:
        return spaces.Box(-128, 127, (space.size,), np.int8)
    return spaces.Box(-128 * space.scale, 127 * space.scale, dtype=np.float32)
