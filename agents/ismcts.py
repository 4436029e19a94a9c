"""``ismcts:N``: information-set Monte Carlo tree search of ``N`` iterations.

Each iteration samples a possible world, goes down one tree of moves that all worlds share, adds a
node to it, and lets a compiled agent play the round to its end. So its own later moves, and the
others', are searched too, and are the same in all worlds that it cannot tell apart: unlike ``mc:N``
it does not plan as if it saw them. The move that was tried most often is made. See
:mod:`rummy500_env.engine.trees`.

Settings: ``ismcts:500`` says how many iterations, ``ismcts:50ms`` how long it may take (such an
agent is not deterministic); ``depth=8`` moves that the tree is deep at most, ``explore=100`` points
of its bound, ``rollout=NAME`` who plays on, ``greedy`` if nothing is said; ``belief=1`` samples
plausible worlds more often (:mod:`agents.beliefs`).
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.base import Agent
from agents.beliefs import believed_worlds
from agents.searching import RolloutAgent
from agents.settings import Budget, as_budget, as_compiled, as_number, as_whole_number
from rummy500_env.search_trees import SearchTree

__all__ = ["IsmctsAgent", "make_ismcts", "most_tried"]

MOST_WORLDS = 1024
"""Worlds that are sampled for a decision at most; further trials of a move go through them again,
with other random bits."""
TIMED_WORLDS = 256
TIMED_ITERATIONS = 32
"""Iterations at a time, when there is a time and no number."""


class IsmctsAgent(RolloutAgent):
    """Information-set Monte Carlo tree search, with greedy play to the end below the tree.

    Args:
        budget: Iterations for each decision, or time for it.
        depth: Moves that the tree is deep at most.
        explore: Points of the upper confidence bound.
        rollout: A compiled agent, or None for ``greedy``.
        belief: How much more often plausible worlds are sampled; 0: not.
    """

    def __init__(
        self,
        budget: Budget,
        depth: int = 8,
        explore: float = 100.0,
        rollout: Agent | None = None,
        belief: float = 0.0,
    ) -> None:
        super().__init__(rollout)
        self.budget, self.depth, self.explore, self.belief = budget, depth, explore, belief
        self.name = f"ismcts:{budget}"
        self.deterministic = budget.seconds is None  # type: ignore[misc]  # not of its class

    def best(self, view: npt.NDArray[Any], legal: npt.NDArray[np.intp]) -> int:
        """Return the move that was tried most often."""
        start, number = perf_counter(), self.budget.number
        rng = np.random.default_rng(int(view["random"][0]))
        count = TIMED_WORLDS if number is None else min(number, MOST_WORLDS)
        worlds = believed_worlds(view, count, self.rules, self.num_players, rng, self.belief)
        tree = SearchTree(worlds, self._policy, self.depth, self.explore, rng)
        if number is not None:
            tree.grow(number)
        else:
            end = start + (self.budget.seconds or 0)
            tree.grow(TIMED_ITERATIONS)
            while perf_counter() < end:
                tree.grow(TIMED_ITERATIONS)
        return most_tried(tree)


def most_tried(tree: SearchTree) -> int:
    """Return the first move that was tried most often, of several the one that led to most."""
    found = tree.first_moves()
    return int(found.action[np.lexsort((-found.lead, -found.visits))[0]])


def make_ismcts(
    budget: str = "500",
    depth: str = "8",
    explore: str = "100",
    rollout: str | None = None,
    belief: str = "0",
) -> IsmctsAgent:
    """Return the agent; ``budget`` is a number of iterations, or a time such as ``50ms``."""
    return IsmctsAgent(
        as_budget(budget, "iterations"),
        as_whole_number("depth", depth),
        as_number("explore", explore),
        as_compiled("rollout", rollout),
        as_number("belief", belief),
    )
