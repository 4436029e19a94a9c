"""Agents whose numbers can be tuned: which numbers, and how to try others without compiling."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from agents.advice.weights import WEIGHTS, vector
from agents.advisor import make_variable_advisor
from agents.base import Agent
from rummy500_env.errors import UnknownNameError

__all__ = ["Tunable", "tunable"]


class Tunable(NamedTuple):
    """The numbers of an agent.

    Attributes:
        names: Settings, as in ``name:setting=value``.
        start: Their defaults, ``float64 (len(names),)``.
        steps: A change worth trying of each, ``float64 (len(names),)``.
        make: Returns an agent that reads its numbers anew from the array it was given.
    """

    names: tuple[str, ...]
    start: npt.NDArray[np.float64]
    steps: npt.NDArray[np.float64]
    make: Callable[[npt.NDArray[np.float64]], Agent]


def _advisor(num_players: int) -> Tunable:
    return Tunable(
        tuple(weight.name for weight in WEIGHTS),
        vector({}, num_players),
        np.array([weight.step for weight in WEIGHTS]),
        make_variable_advisor,
    )


_TUNABLE: Final[Mapping[str, Callable[[int], Tunable]]] = {"advisor": _advisor}


def tunable(name: str, num_players: int = 2) -> Tunable:
    """Return the numbers of an agent at such tables; ``UnknownNameError`` when it has none."""
    if name not in _TUNABLE:
        raise UnknownNameError("tunable agent", name, list(_TUNABLE))
    return _TUNABLE[name](num_players)
