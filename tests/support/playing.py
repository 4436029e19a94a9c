"""Random play of environments, what they hold, and a game beside them for what they should pay."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from rummy500_env import BatchGame, Game
from rummy500_env.envs.aec import Rummy500AEC

__all__ = ["BATCH_ARRAYS", "Beside", "arrays", "equal", "finish", "legal", "record", "steps"]


def legal(env: Rummy500AEC) -> list[int]:
    """The legal actions of the agent to move, as its info has them."""
    return np.flatnonzero(env.infos[env.agent_selection]["action_mask"]).tolist()


def record(env: Rummy500AEC) -> bytes:
    """Everything the environment's table holds."""
    return env._record.tobytes()


BATCH_ARRAYS = (
    "observation",
    "action_mask",
    "current_seat",
    "rewards",
    "terminations",
    "truncations",
    "episodes",
)


def arrays(batch: BatchGame, tables: slice = slice(None)) -> dict[str, str]:
    """Digests of all that a batch shows, and of its tables."""
    shown = {name: getattr(batch, name)[tables] for name in BATCH_ARRAYS}
    shown["tables"] = batch._states[tables]
    return {name: hashlib.sha256(array.tobytes()).hexdigest() for name, array in shown.items()}


def steps(env: Rummy500AEC, seed: int, limit: int = 10**9) -> Iterator[tuple[str, int]]:
    """Play random legal actions until the episode ends; yield agent and action after each."""
    chooser = random.Random(seed)
    for _ in range(limit):
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            return
        action = chooser.choice(legal(env))
        env.step(action)
        yield agent, action


def finish(env: Rummy500AEC, seed: int = 0) -> dict[str, float]:
    """Play an episode with random actions, the last steps of all agents included.

    Returns what :meth:`last` showed each agent in sum.
    """
    chooser = random.Random(seed)
    shown = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last(observe=False)
        shown[agent] += reward
        if terminated or truncated:
            env.step(None)
        else:
            env.step(chooser.choice(np.flatnonzero(info["action_mask"]).tolist()))
    return shown


class Beside:
    """A game played by the same actions, which tells what each should pay each seat.

    Points are those of the game's totals and of the table; this code shares nothing with the
    engine's rewards.
    """

    def __init__(self, game: Game, reward: str) -> None:
        self.game = game
        self.reward = reward
        self.settled = game.scores

    def step(self, action: int) -> list[float]:
        """Play the action and return what it should pay, by seat."""
        game, n = self.game, self.game.num_players
        before, num_rounds = _points(game), len(game.rounds)
        sides = 2 if game.rules.teams != "none" else n
        game.step(action)
        if self.reward == "win":
            if not game.winners:
                return [0.0] * n
            share = n / sides / len(game.winners)
            return [(sides * share * (seat in game.winners) - 1) / (sides - 1) for seat in range(n)]
        if self.reward == "points":
            gained = [now - then for now, then in zip(_points(game), before, strict=True)]
        elif len(game.rounds) == num_rounds:
            return [0.0] * n
        else:
            gained = [now - then for now, then in zip(game.scores, self.settled, strict=True)]
            self.settled = game.scores
        if self.reward == "own_points":
            return [own / 100 for own in gained]
        total = sum(gained[:sides])  # seats 0 and 1 stand for both sides
        return [(own - (total - own) / (sides - 1)) / 100 for own in gained]


def _points(game: Game) -> list[int]:
    """Return the total of each seat's side, and what that has on the table."""
    laid = game.table_points
    if game.rules.teams != "none":
        laid = [laid[seat] + laid[(seat + 2) % 4] for seat in range(4)]
    return [a + b for a, b in zip(game.scores, laid, strict=True)]


def equal(one: Any, other: Any) -> bool:
    """Whether two nested values are equal, arrays by content and type."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, np.ndarray) and one.dtype == object:
        return equal(one.tolist(), other.tolist())
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return type(one) is type(other) and one == other
