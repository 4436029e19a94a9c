"""Loops over one table: see, draw a legal action, step, until it is over.

What is compared runs the same loop with the same reader: games, floors, other libraries. The reader
reads an entry of the observation, and the mask's entry of the action that it draws; a loop that
hands out no mask, or that of another decision, is noticed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from experiments.benchmarks.play import BenchError

__all__ = ["Reader", "Table", "play_aec", "play_table", "reading"]


class Table(Protocol):
    """What a loop needs of a game."""

    @property
    def is_over(self) -> bool:
        """Whether the last decision was made."""
        ...

    @property
    def current_seat(self) -> int:
        """The seat to move."""
        ...

    def action_mask(self) -> npt.NDArray[np.int8]:
        """The mask of the seat to move."""
        ...

    def observe(self, seat: int) -> npt.NDArray[Any]:
        """What a seat observes."""
        ...

    def step(self, action: int) -> Any:
        """Make a decision."""
        ...


class Reader:
    """Reads what it is shown, and draws legal actions, all equally likely.

    Args:
        seed: All draws follow from it.

    Attributes:
        decisions: How many actions were drawn.
        allowed: How many of them the masks allowed.
        checksum: A sum of what was read.
    """

    def __init__(self, seed: int = 0) -> None:
        self._uniform = random.Random(seed).random
        self.decisions = 0
        self.allowed = 0
        self.checksum = 0.0

    def choose(
        self, observation: npt.NDArray[Any], mask: npt.NDArray[Any], legal: Any = None
    ) -> int:
        """Read both and draw an action.

        Args:
            observation: Of any shape and type.
            mask: One byte for each action.
            legal: The legal actions, where a library lists them: that saves looking them up.

        Returns:
            A legal action.
        """
        if legal is None:
            legal = mask.view(np.bool_).nonzero()[0]  # several times faster on truth values
        action = int(self.draw(legal))
        self.checksum += observation.item(self.decisions % observation.size)
        self.allowed += mask.item(action)
        self.decisions += 1
        return action

    def draw(self, among: Sequence[int]) -> int:
        """Draw one, all equally likely; no decision is counted."""
        return among[int(self._uniform() * len(among))]

    def check(self, name: str) -> None:
        """Raise :class:`BenchError` when a mask did not allow what was drawn."""
        if self.allowed != self.decisions:
            raise BenchError(
                f"{name}: {self.decisions:,} actions were drawn, and masks allowed {self.allowed:,}"
            )


def reading(name: str, reader: Reader, play: Callable[[int], Any]) -> Callable[[int], int]:
    """What plays so many games, as a :class:`Work` runs it: it returns the reader's decisions."""

    def run(games: int) -> int:
        before = reader.decisions
        play(games)
        reader.check(name)
        return reader.decisions - before

    return run


def play_table(table: Table, reader: Reader) -> None:
    """Play a game to its end, with mask and observation at each decision."""
    while not table.is_over:
        mask = table.action_mask()
        observation = table.observe(table.current_seat)
        table.step(reader.choose(observation, mask))


def play_aec(env: Any, episodes: int, reader: Reader) -> None:
    """Play episodes in PettingZoo's loop; the steps of agents that are done count nothing."""
    for _ in range(episodes):
        env.reset()
        for _agent in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
            else:
                env.step(reader.choose(observation["observation"], observation["action_mask"]))
