"""A learner's episode played by hand: a game, and agents that play its other seats."""

from __future__ import annotations

from typing import Any

import numpy as np

import agents
from rummy500_env import Game, Rules
from tests.support.playing import Beside

__all__ = ["ByHand", "snapshot"]


class ByHand:
    """What a learner should meet in one episode, from a game that is stepped move by move.

    Args:
        game: The game as it begins.
        seat: The learner's seat.
        opponents: Names of agents, that of the seat after the learner's first.
        reward: What is paid.

    Attributes:
        earned: What the learner has earned since :meth:`collect` was called.
        decisions: Decisions of all seats.
    """

    def __init__(self, game: Game, seat: int, opponents: list[str], reward: str) -> None:
        n = game.num_players
        self.beside, self.seat = Beside(game, reward), seat
        self.agents = {}
        for slot, name in enumerate(opponents):
            agent = agents.make(name)
            agent.reset(game.rules, n, 0)
            self.agents[(seat + 1 + slot) % n] = agent
        self.earned, self.decisions = 0.0, 0
        self.go_on()

    @property
    def game(self) -> Game:
        """The game."""
        return self.beside.game

    def step(self, action: int) -> None:
        """Play the learner's action, and what follows until it is to decide again."""
        self._play(action)
        self.go_on()

    def go_on(self) -> None:
        """Let the others play until the learner is to decide, or the end."""
        game = self.game
        while not game.is_over and game.current_seat != self.seat:
            mover = game.current_seat
            views, masks = game.view_record(mover), game.action_mask()[None]
            self._play(int(self.agents[mover].act(views, masks)[0]))

    def _play(self, action: int) -> None:
        self.earned += self.beside.step(action)[self.seat]
        self.decisions += 1

    def collect(self) -> float:
        """Return what has been earned since the last call."""
        earned, self.earned = self.earned, 0.0
        return earned


def snapshot(env: Any) -> bytes:
    """Everything the tables of a Gymnasium environment hold."""
    tables = env.unwrapped._tables
    kept = (tables.states, tables.learners, tables._owed, tables.observation, tables.action_mask)
    return b"".join(np.ascontiguousarray(array).tobytes() for array in kept)


SHORT = Rules(target_score=250)
"""Games of a few rounds."""
