"""``mc:N``: flat Monte Carlo over ``N`` possible worlds.

It samples worlds that agree with its view, plays each of its moves in all of them, and lets a
compiled agent play the rounds to their end. The move after which it gains most over the others'
mean is made. All moves are tried in the same worlds, with the same chance: what differs is the
move alone. (For determinised search see Ginsberg, "GIB", JAIR 14, 2001; its weakness, that each
world is played as if it were seen, Frank and Basin, Artificial Intelligence 100, 1998.)

Settings: ``mc:64`` says how many worlds, ``mc:50ms`` how long it may take (such an agent is not
deterministic); ``rollout=NAME`` who plays on, ``greedy`` if nothing is said.
"""

from __future__ import annotations

import re
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.base import Agent
from agents.greedy import greedy_policy
from agents.searching import SearchAgent
from rummy500_env.envs.naming import agent_named
from rummy500_env.rules import Rules
from rummy500_env.search import Worlds
from rummy500_env.view import PlayerView

__all__ = ["MonteCarloAgent", "leads", "make_mc"]

TIMED_WORLDS = 8
"""Worlds at a time, when there is a time and no number."""


class MonteCarloAgent(SearchAgent):
    """Flat Monte Carlo: greedy play to the end in possible worlds, the same for all moves.

    Args:
        worlds: Possible worlds for each decision; None: as many as fit into ``seconds``.
        seconds: Time for a decision.
        rollout: A compiled agent, or None for ``greedy``.
    """

    def __init__(
        self, worlds: int | None = 64, seconds: float | None = None, rollout: Agent | None = None
    ) -> None:
        self.worlds, self.seconds, self.rollout = worlds, seconds, rollout
        self.name = f"mc:{worlds}" if seconds is None else f"mc:{1000 * seconds:g}ms"
        self.deterministic = seconds is None  # type: ignore[misc]  # of this one, not of its class

    def reset(self, rules: Rules, num_players: int, seed: int) -> None:
        """Get ready for games of one variant."""
        super().reset(rules, num_players, seed)
        if self.rollout is not None:
            self.rollout.reset(rules, num_players, seed)
        self._policy: Any = greedy_policy if self.rollout is None else self.rollout

    def best(self, view: npt.NDArray[Any], legal: npt.NDArray[np.intp]) -> int:
        """Return the move that gains most."""
        return int(legal[self.move_values(view, legal).argmax()])

    def move_values(
        self, view: npt.NDArray[Any], actions: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.float64]:
        """Return what the viewer gains over the others' mean after each of its moves, in points.

        Args:
            view: Array of one view of a seat that is to move.
            actions: ``(k,)``: its legal actions.
        """
        seen = PlayerView(view, self.rules, actions)
        rng = np.random.default_rng(int(view["random"][0]))
        if self.seconds is None:
            return self.gains(seen, actions, self.worlds or 1, rng)
        gains, samples = np.zeros(len(actions)), 0
        end = perf_counter() + self.seconds
        while samples == 0 or perf_counter() < end:
            gains += self.gains(seen, actions, TIMED_WORLDS, rng)
            samples += 1
        return gains / samples

    def gains(
        self, view: PlayerView, legal: npt.NDArray[np.intp], worlds: int, rng: np.random.Generator
    ) -> npt.NDArray[np.float64]:
        """Return what the viewer gains over the others' mean after each move, in points a round."""
        sampled = Worlds.of_view(view, worlds, rng)
        word = int(rng.integers(2**63))
        ends = [sampled.clone().play(int(move)).rollout(self._policy, word) for move in legal]
        return np.array([leads(scores, view.seat).mean() for scores in ends])


def leads(scores: npt.NDArray[np.int32], seat: int) -> npt.NDArray[np.float64]:
    """Return what a seat has over the mean of the others, from scores ``(rows, seats)``."""
    own = scores[:, seat].astype(np.float64)
    return own - (scores.sum(axis=1) - own) / (scores.shape[1] - 1)


def make_mc(budget: str = "64", rollout: str | None = None) -> MonteCarloAgent:
    """Return the agent; ``budget`` is a number of worlds, or a time such as ``50ms``."""
    found = re.fullmatch(r"([1-9]\d{0,6})(ms)?", budget)
    if found is None:
        raise ValueError(f"{budget!r}: allowed are a number of worlds (64) and a time (50ms)")
    other = None if rollout is None else agent_named(rollout)
    if found[2]:
        return MonteCarloAgent(None, int(found[1]) / 1000, other)
    return MonteCarloAgent(int(found[1]), None, other)
