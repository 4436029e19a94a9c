"""``mc:N``: flat Monte Carlo over ``N`` possible worlds.

It samples worlds that agree with its view, plays each of its moves in all of them, and lets a
compiled agent play the rounds to their end. The move after which it gains most over the others'
mean is made. All moves are tried in the same worlds, with the same chance: what differs is the
move alone. (For determinised search see Ginsberg, "GIB", JAIR 14, 2001; its weakness, that each
world is played as if it were seen, Frank and Basin, Artificial Intelligence 100, 1998.)

Settings: ``mc:64`` says how many worlds, ``mc:50ms`` how long it may take (such an agent is not
deterministic); ``rollout=NAME`` who plays on, ``greedy`` if nothing is said; ``belief=1`` samples
plausible worlds more often (:mod:`agents.beliefs`); ``goal=win`` counts the chance to win the game
after each rollout (:mod:`agents.race`) instead of the points.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.base import Agent
from agents.beliefs import believed_worlds
from agents.leads import leads
from agents.race import WinChances, fitting
from agents.searching import RolloutAgent
from agents.settings import Budget, as_budget, as_compiled, as_number
from rummy500_env.rules import Rules
from rummy500_env.view import PlayerView

__all__ = ["MonteCarloAgent", "make_mc"]

TIMED_WORLDS = 8
"""Worlds at a time, when there is a time and no number."""
A_POINT: Final = 1e-6
"""What a point counts beside the chance to win: it tells moves of equal chances apart. Near the end
of a game these are many, since most worlds are won or lost."""


class MonteCarloAgent(RolloutAgent):
    """Flat Monte Carlo: greedy play to the end in possible worlds, the same for all moves.

    Args:
        budget: Possible worlds for each decision, or time for it.
        rollout: A compiled agent, or None for ``greedy``.
        belief: How much more often plausible worlds are sampled; 0: not.
        for_win: Whether the chance to win the game is what counts, and not the points.
    """

    def __init__(
        self,
        budget: Budget,
        rollout: Agent | None = None,
        belief: float = 0.0,
        for_win: bool = False,
    ) -> None:
        super().__init__(rollout)
        self.budget, self.belief, self.for_win = budget, belief, for_win
        self.chances: WinChances | None = None
        self.name = f"mc:{budget}"
        self.deterministic = budget.seconds is None  # type: ignore[misc]  # not of its class

    def reset(self, rules: Rules, num_players: int, seed: int) -> None:
        """Get ready for games of one variant; ``RaceError`` when no win chances fit."""
        super().reset(rules, num_players, seed)
        self.chances = fitting(rules, num_players) if self.for_win else None

    def best(self, view: npt.NDArray[Any], legal: npt.NDArray[np.intp]) -> int:
        """Return the move that gains most."""
        return int(legal[self.move_values(view, legal).argmax()])

    def move_values(
        self, view: npt.NDArray[Any], actions: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.float64]:
        """Return what each of the viewer's moves is worth, see :meth:`gains`.

        Args:
            view: Array of one view of a seat that is to move.
            actions: ``(k,)``: its legal actions.
        """
        rng = np.random.default_rng(int(view["random"][0]))
        if self.budget.seconds is None:
            return self.gains(view, actions, self.budget.number or 1, rng)
        gains, samples = np.zeros(len(actions)), 0
        end = perf_counter() + self.budget.seconds
        while samples == 0 or perf_counter() < end:
            gains += self.gains(view, actions, TIMED_WORLDS, rng)
            samples += 1
        return gains / samples

    def gains(
        self,
        view: npt.NDArray[Any],
        legal: npt.NDArray[np.intp],
        count: int,
        rng: np.random.Generator,
    ) -> npt.NDArray[np.float64]:
        """Return what each move is worth: points over the others' mean, or a chance to win."""
        worlds = believed_worlds(view, count, self.rules, self.num_players, rng, self.belief)
        scores = worlds.outcomes(legal, self._policy, int(rng.integers(2**63)))
        ahead = leads(scores, int(view["viewer"][0]))
        if self.chances is not None:
            seen = PlayerView(view, self.rules, legal)
            ahead = self.chances.after_round(seen, scores) + A_POINT * ahead
        return ahead.mean(axis=1)


def make_mc(
    budget: str = "64", rollout: str | None = None, belief: str = "0", goal: str = "points"
) -> MonteCarloAgent:
    """Return the agent; ``budget`` is a number of worlds, or a time such as ``50ms``."""
    if goal not in ("points", "win"):
        raise ValueError(f"goal={goal!r}: allowed are points and win")
    compiled = as_compiled("rollout", rollout)
    weight = as_number("belief", belief)
    return MonteCarloAgent(as_budget(budget, "worlds"), compiled, weight, goal == "win")
