"""``oracle:N``: a search that sees all hands and the stock. It cheats, and every table says so.

It says how much there is to gain by knowing the cards: a bound for those that must guess. ``N``
times as many iterations as it has moves grow a tree of moves over the true table, as those of
``ismcts`` do over possible ones; below the tree a compiled agent plays the round to its end. So it
has as many rollouts as ``mc:N``. On one table a flat search would play the same rollouts again and
again; here all but the first of a move look further ahead.

Settings: ``depth=8`` moves that the tree is deep at most, ``explore=100`` points of its bound,
``rollout=NAME`` who plays on, ``greedy`` if nothing is said.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from agents.base import Agent
from agents.ismcts import most_tried
from agents.searching import RolloutAgent
from agents.settings import as_compiled, as_number, as_whole_number
from rummy500_env.errors import AgentError
from rummy500_env.search import Worlds
from rummy500_env.search_trees import SearchTree

__all__ = ["OracleAgent", "make_oracle"]


class OracleAgent(RolloutAgent):
    """Tree search over the true table: it sees all hands and the stock, and so cheats.

    Args:
        rollouts: Rollouts for each legal move of a decision.
        depth: Moves that the tree is deep at most.
        explore: Points of the upper confidence bound.
        rollout: A compiled agent, or None for ``greedy``.
    """

    cheats = True

    def __init__(
        self,
        rollouts: int = 16,
        depth: int = 8,
        explore: float = 100.0,
        rollout: Agent | None = None,
    ) -> None:
        super().__init__(rollout)
        self.rollouts, self.depth, self.explore = rollouts, depth, explore
        self.name = f"oracle:{rollouts}"

    def act(
        self, views: npt.NDArray[Any], action_masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.integer[Any]]:
        """Refuse to decide from views alone."""
        raise AgentError(f"{self.name!r} sees hidden cards: only an arena shows it its tables")

    def act_seeing(
        self,
        views: npt.NDArray[Any],
        action_masks: npt.NDArray[np.int8],
        tables: npt.NDArray[Any],
    ) -> npt.NDArray[np.integer[Any]]:
        """Return the best action at each table."""
        actions = np.empty(len(views), np.int64)
        for row in range(len(views)):
            legal = np.flatnonzero(action_masks[row])
            actions[row] = legal[0]
            if len(legal) > 1:
                rng = np.random.default_rng(int(views["random"][row]))
                table = Worlds(tables[row : row + 1].copy(), self.rules, self.num_players)
                tree = SearchTree(table, self._policy, self.depth, self.explore, rng)
                tree.grow(self.rollouts * len(legal))
                actions[row] = most_tried(tree)
        return actions


def make_oracle(
    rollouts: str = "16", depth: str = "8", explore: str = "100", rollout: str | None = None
) -> OracleAgent:
    """Return the agent; ``rollouts`` is the number of rollouts for each legal move."""
    return OracleAgent(
        as_whole_number("rollouts", rollouts),
        as_whole_number("depth", depth),
        as_number("explore", explore),
        as_compiled("rollout", rollout),
    )
