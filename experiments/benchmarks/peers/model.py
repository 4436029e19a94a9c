"""What is compared: loops of another library, each with those of ours it is held against."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.benchmarks.harness import Figure, Target
from experiments.benchmarks.works import DECISIONS
from experiments.errors import RunError

__all__ = ["Absent", "Compared", "Comparison", "Loop", "Peer", "PeerError", "sees", "with_version"]


class PeerError(RunError):
    """A loop of another library cannot be measured here; its text is the reason, in words."""


class Loop(NamedTuple):
    """A loop that is ready to be measured.

    Attributes:
        run: Plays so many games or steps, and returns the decisions or copies that these were.
        about: What else is to be said of it in JSON, see :func:`sees`; ``"with"`` names another
            package that takes part, with its version.
    """

    run: Callable[[int], int]
    about: dict[str, Any]


@dataclass(frozen=True)
class Peer:
    """A loop of another library.

    Args:
        name: What it is called in tables.
        does: What is done in it, in words.
        against: Our works it is held against, by their names in `ours.OURS`, with what is asked
            of the ratio: how many times as fast ours is.
        make: Imports the library and makes the loop, from a seed.
    """

    name: str
    does: str
    against: Mapping[str, Target | None]
    make: Callable[[int], Loop]


@dataclass(frozen=True)
class Comparison:
    """Loops of one library that are measured in turn with ours.

    Args:
        title: The library.
        package: What it is installed as.
        peers: Its loops; called only when it is installed.
        unit: What is measured.
    """

    title: str
    package: str
    peers: Callable[[], Sequence[Peer]]
    unit: str = DECISIONS


class Absent(NamedTuple):
    """What was not measured, and why; without a name it is all of a library."""

    name: str
    reason: str


@dataclass(frozen=True)
class Compared:
    """What came out of a comparison.

    Attributes:
        title: See :class:`Comparison`.
        package: See :class:`Comparison`.
        version: Version of the library; None when it is not installed.
        figures: Rates of ours, then those of the library, each with its ratios behind it.
        does: What the loops of the library do, by name.
        absent: What was not measured.
    """

    title: str
    package: str
    version: str | None
    figures: tuple[Figure, ...] = ()
    does: Mapping[str, str] = field(default_factory=dict)
    absent: tuple[Absent, ...] = ()


def with_version(package: str) -> str:
    """A package that does the work of another one, with its version."""
    return f"{package} {version(package)}"


def sees(observation: npt.NDArray[Any], mask: npt.NDArray[Any]) -> dict[str, Any]:
    """What is read at a decision, for JSON: type and shape of the observation, actions."""
    return {
        "observation_dtype": str(observation.dtype),
        "observation_shape": list(np.shape(observation)),
        "num_actions": len(mask),
    }
