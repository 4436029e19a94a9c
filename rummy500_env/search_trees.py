"""Information-set Monte Carlo tree search over possible worlds, as :mod:`.engine.trees` says it.

    tree = SearchTree(Worlds.of_view(view, 256, rng), policy, rng=rng)
    tree.grow(1000)
    found = tree.first_moves()
    found.action[found.visits.argmax()]

Over one table alone it is the search of somebody who sees all hands and the stock.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rummy500_env.arguments import as_count
from rummy500_env.engine.jit import allocate
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.engine.state import STATE, WORDS
from rummy500_env.engine.trees import NO_NODE, NODE, grow_tree
from rummy500_env.rollouts import Rng, pointer_of, policy_failed, random_word
from rummy500_env.search import Worlds
from rummy500_env.view_record import VIEW

__all__ = ["FirstMoves", "SearchTree"]

ROOM = 1 << 10
"""Nodes that there is room for at first."""


class FirstMoves(NamedTuple):
    """What a tree has found of the moves at its root, in the order of actions."""

    action: npt.NDArray[np.int64]
    visits: npt.NDArray[np.int64]
    lead: npt.NDArray[np.float64]
    """Mean points of the round that the seat to move has over the others' mean."""


class SearchTree:
    """A tree of moves from where one seat is to decide.

    Args:
        worlds: Possible worlds of its view, one or more; they are left as they are.
        policy: A compiled policy that plays the rounds to their end, or an agent that has one.
        depth: Moves that are in the tree at most, one after the other; the policy makes the rest.
        explore: Points that the upper confidence bound of a move adds for a chance of it not taken;
            about the spread of what a round brings.
        rng: Where all chance comes from.

    Raises:
        ValueError: when there are no worlds, or not of one decision, or depth or explore is none.
        TypeError: when the policy is no compiled one.
    """

    def __init__(
        self,
        worlds: Worlds,
        policy: Any,
        depth: int = 8,
        explore: float = 100.0,
        rng: Rng = None,
    ) -> None:
        self.worlds, self.policy = worlds, policy
        self.depth = as_count("depth", depth)
        if not 0 <= explore < np.inf:
            raise ValueError(f"explore={explore!r}: a number of points, 0 or more, is needed")
        self.explore = float(explore)
        legal = worlds.states["legal"]
        if not len(worlds) or not legal[0].any() or (legal != legal[0]).any():
            raise ValueError("worlds: one or more are needed in which the same moves are legal")
        self._rules = rules_record(worlds.rules, worlds.num_players)
        self._pointer, self._key = pointer_of(policy), random_word(rng)
        self._nodes, self._count = _empty(ROOM), np.ones(1, np.int64)
        self._table, self._view = allocate(1, STATE), allocate(1, VIEW)
        self._work = (np.zeros((1, WORDS), np.int64), np.zeros(WORDS, np.int64))
        self._path = np.zeros(self.depth, np.int64)

    def grow(self, iterations: int) -> None:
        """Grow the tree by some iterations, each of which adds a node at most.

        Raises:
            IllegalActionError: when the policy chooses an illegal action.
            AgentError: when it raises something.
        """
        wanted = int(self._count[0]) + as_count("iterations", iterations)
        if wanted > len(self._nodes):
            more = _empty(max(wanted, 2 * len(self._nodes)) - len(self._nodes))
            self._nodes = np.concatenate([self._nodes, more]).view(type(more))
        worlds, error = self.worlds, None
        try:
            wrong = grow_tree(
                self._nodes,
                self._count,
                worlds.states,
                self._rules,
                self._pointer,
                self._key,
                np.int64(self.depth),
                self.explore,
                np.int64(iterations),
                self._table,
                self._view,
                *self._work,
                self._path,
            )
        except Exception as raised:
            wrong, error = int(self._view["table"][0]), raised
        if wrong >= 0:
            where = (self._table, 0, int(wrong), self._rules, worlds.action_space)
            raise policy_failed(self.policy, error, *where) from error

    def first_moves(self) -> FirstMoves:
        """Return what has been found of the moves at the root, those that were tried."""
        found = self._nodes[self._children(0)]
        found = found[np.argsort(found["action"])]
        visits = found["visits"].astype(np.int64)
        return FirstMoves(found["action"].astype(np.int64), visits, found["total"] / visits)

    def _children(self, node: int) -> list[int]:
        children, child = [], self._nodes["first_child"][node]
        while child != NO_NODE:
            children.append(int(child))
            child = self._nodes["sibling"][child]
        return children


def _empty(count: int) -> npt.NDArray[Any]:
    """Return nodes without children."""
    nodes = allocate(count, NODE)
    nodes["first_child"] = NO_NODE
    return nodes
