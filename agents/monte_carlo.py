"""``mc:N``: flat Monte Carlo over ``N`` possible worlds.

It samples worlds that agree with its view, plays each of its moves in all of them, and lets a
compiled agent play the rounds to their end. The move after which it gains most over the others'
mean is made. All moves are tried in the same worlds, with the same chance: what differs is the
move alone. (For determinised search see Ginsberg, "GIB", JAIR 14, 2001; its weakness, that each
world is played as if it were seen, Frank and Basin, Artificial Intelligence 100, 1998.)

Settings: ``mc:64`` says how many worlds, ``mc:50ms`` how long it may take (such an agent is not
deterministic); ``rollout=NAME`` who plays on, ``greedy`` if nothing is said; ``belief=1`` samples
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
from agents.settings import Budget, as_budget, as_compiled, as_number

__all__ = ["MonteCarloAgent", "leads", "make_mc"]

TIMED_WORLDS = 8
"""Worlds at a time, when there is a time and no number."""


class MonteCarloAgent(RolloutAgent):
    """Flat Monte Carlo: greedy play to the end in possible worlds, the same for all moves.

    Args:
        budget: Possible worlds for each decision, or time for it.
        rollout: A compiled agent, or None for ``greedy``.
        belief: How much more often plausible worlds are sampled; 0: not.
    """

    def __init__(self, budget: Budget, rollout: Agent | None = None, belief: float = 0.0) -> None:
        super().__init__(rollout)
        self.budget, self.belief = budget, belief
        self.name = f"mc:{budget}"
        self.deterministic = budget.seconds is None  # type: ignore[misc]  # not of its class

    def best(self, view: npt.NDArray[Any], legal: npt.NDArray[np.intp]) -> int:
        """Return the move that gains most."""
        rng = np.random.default_rng(int(view["random"][0]))
        gains = np.zeros(len(legal))
        if self.budget.seconds is None:
            gains += self.gains(view, legal, self.budget.number or 1, rng)
        else:
            end = perf_counter() + self.budget.seconds
            while perf_counter() < end:
                gains += self.gains(view, legal, TIMED_WORLDS, rng)
        return int(legal[gains.argmax()])

    def gains(
        self,
        view: npt.NDArray[Any],
        legal: npt.NDArray[np.intp],
        count: int,
        rng: np.random.Generator,
    ) -> npt.NDArray[np.float64]:
        """Return what the viewer gains over the others' mean after each move, in points a round."""
        worlds = believed_worlds(view, count, self.rules, self.num_players, rng, self.belief)
        scores = worlds.outcomes(legal, self._policy, int(rng.integers(2**63)))
        return leads(scores, int(view["viewer"][0])).mean(axis=1)


def leads(scores: npt.NDArray[np.int32], seat: int) -> npt.NDArray[np.float64]:
    """Return what a seat has over the mean of the others, from scores ``(..., seats)``."""
    own = scores[..., seat].astype(np.float64)
    return own - (scores.sum(axis=-1) - own) / (scores.shape[-1] - 1)


def make_mc(budget: str = "64", rollout: str | None = None, belief: str = "0") -> MonteCarloAgent:
    """Return the agent; ``budget`` is a number of worlds, or a time such as ``50ms``."""
    compiled = as_compiled("rollout", rollout)
    return MonteCarloAgent(as_budget(budget, "worlds"), compiled, as_number("belief", belief))
