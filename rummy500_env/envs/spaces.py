"""Spaces of the environments."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from rummy500_env.observations import ObservationSpace

__all__ = [
    "LearnerDiscrete",
    "LegalDiscrete",
    "LegalMultiDiscrete",
    "Owned",
    "learner_space",
    "observation_box",
]


class Owned(spaces.Space[Any]):
    """A space that asks the environment it belongs to what is legal there.

    It travels without: pickled alone, such as to a worker, it takes nothing along of what is hidden
    at the table, and draws like any other space of its kind. Copied, it asks the same environment;
    an environment that is copied or unpickled takes its spaces over (:meth:`belong`).
    """

    _owner: Any = None

    def belong(self, owner: Any) -> None:
        """Ask this environment from now on."""
        self._owner = owner

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_owner": None}

    def __deepcopy__(self, memo: dict[int, Any]) -> Owned:
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        for name, value in self.__dict__.items():
            mine = name == "_owner"
            twin.__dict__[name] = memo.get(id(value), value) if mine else deepcopy(value, memo)
        return twin


class LegalDiscrete(Owned, spaces.Discrete):
    """``Discrete(n)`` whose samples without a mask are legal in the present position.

    Args:
        n: Number of actions.
        owner: The environment.
        legal: Returns its legal actions; none when another seat is to move.
    """

    def __init__(self, n: int, owner: Any, legal: Callable[[Any], list[int]]) -> None:
        super().__init__(n)
        self._legal = legal
        self.belong(owner)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Return an action: one of the mask, or a legal one, or any when none is legal."""
        if mask is None and probability is None and self._owner is not None:
            legal = self._legal(self._owner)
            if legal:
                return np.int64(legal[int(self.np_random.integers(len(legal)))])
        # Older versions of Gymnasium know no probabilities.
        more = {} if probability is None else {"probability": probability}
        return super().sample(mask, **more)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, spaces.Discrete) and (self.n, self.start) == (other.n, other.start)

    __hash__ = None


class LearnerDiscrete(LegalDiscrete):
    """The same for one learner, whose samples suit Gymnasium's ``check_env`` too.

    That seeds the space in the middle of an episode, samples, resets, and plays the sample. So the
    first sample after ``seed(number)`` is, in the middle of an episode, one for the beginning.

    Args:
        n: Number of actions.
        owner: The environment.
        legal: Returns its legal actions; none when no episode is on.
        first: Returns the first action that was legal at the episode's first decision; None when
            that is the present one.
    """

    def __init__(
        self,
        n: int,
        owner: Any,
        legal: Callable[[Any], list[int]],
        first: Callable[[Any], int | None],
    ) -> None:
        super().__init__(n, owner, legal)
        self._first = first
        self._anew = False

    def seed(self, seed: int | None = None) -> Any:
        """Seed the samples."""
        self._anew = seed is not None
        return super().seed(seed)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Return an action: one of the mask, or a legal one, or any when none is legal."""
        anew = self._anew and self._owner is not None and mask is None and probability is None
        self._anew = False
        first = self._first(self._owner) if anew else None
        return super().sample(mask, probability) if first is None else np.int64(first)


class LegalMultiDiscrete(Owned, spaces.MultiDiscrete):
    """An action of ``Discrete(n)`` for each table; without a mask samples are legal there.

    Args:
        n: Number of actions.
        num_tables: Tables.
        owner: The environment.
        masks: Returns the masks of the learners to move, ``int8 (num_tables, n)``, or None.
    """

    def __init__(
        self,
        n: int,
        num_tables: int,
        owner: Any,
        masks: Callable[[Any], npt.NDArray[np.int8] | None],
    ) -> None:
        super().__init__(np.full(num_tables, n, np.int64))
        self._masks = masks
        self.belong(owner)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Return an action for each table, one of the mask or legal: ``int64 (num_tables,)``."""
        asks = mask is None and probability is None and self._owner is not None
        masks = self._masks(self._owner) if asks else None
        if masks is None:
            more = {} if probability is None else {"probability": probability}
            return super().sample(mask, **more)
        counts = masks.sum(axis=1, dtype=np.int64)
        chosen = self.np_random.integers(counts)  # a place among the legal actions of each table
        found = masks.view(np.bool_).ravel().nonzero()[0]  # several times faster on truth values
        legal = found % masks.shape[1]
        return legal[np.cumsum(counts) - counts + chosen]


def observation_box(space: ObservationSpace, dtype: npt.DTypeLike) -> spaces.Box:
    """Return the bounds of an observation: what an ``int8`` can hold, times the scale."""
    if np.dtype(dtype) == np.int8:
        return spaces.Box(-128, 127, (space.size,), np.int8)
    return spaces.Box(-128 * space.scale, 127 * space.scale, dtype=np.float32)


def learner_space(space: ObservationSpace, num_actions: int, dtype: str, flat: bool) -> Any:
    """Return the space of what a learner observes: with its mask, or the vector alone."""
    box = observation_box(space, dtype)
    mask = spaces.Box(0, 1, (num_actions,), np.int8)
    return box if flat else spaces.Dict(observation=box, action_mask=mask)
