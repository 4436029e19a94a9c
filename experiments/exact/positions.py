"""Positions in which a strategy does what is telling: it leaves a dig, or keeps a meld back."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from experiments.errors import RunError
from experiments.exact.sequences import Numbers, TwoSeats
from experiments.exact.walks import walk_to
from rummy500_env.actions import Kind, action_space
from rummy500_env.view import PlayerView

__all__ = ["TELLING", "Position", "positions"]

TELLING: Final = {
    "digs": ((Kind.DIG,), (Kind.DIG,)),
    "leaves a dig": ((Kind.DIG,), (Kind.DRAW,)),
    "holds a meld back": ((Kind.SET, Kind.RUN), (Kind.DISCARD,)),
}
"""What is asked for: kinds of moves of which one must be legal, and those that are made."""

NEARLY_ALWAYS: Final = 0.99


class Position(NamedTuple):
    """An information set.

    Attributes:
        number: Its number in the tree.
        often: How often a round comes there.
        view: The view of the seat that decides.
        moves: Its legal moves and their probabilities.
    """

    number: int
    often: float
    view: PlayerView
    moves: dict[str, float]


def positions(game: TwoSeats, strategy: Numbers, what: str, count: int = 1) -> list[Position]:
    """Return the positions that come most often in which a strategy does something, nearly always.

    Args:
        game: The game.
        strategy: ``float64 (sequences,)``, of both seats.
        what: A key of :data:`TELLING`.
        count: How many.

    Raises:
        RunError: when it is none of what can be asked for.
    """
    if what not in TELLING:
        raise RunError(f"what={what!r} is not allowed: use {', '.join(map(repr, TELLING))}")
    tree = game.tree
    often = game.frequencies(strategy, strategy)[2:]
    sets, actions = tree.sequence_set[2:], tree.sequence_action[2:]
    kinds = action_space(tree.rules, 2).codes[actions, 0]
    could, does = (np.isin(kinds, of) for of in TELLING[what])
    share = np.bincount(sets, strategy[2:] * does, tree.num_sets)
    offered = np.bincount(sets, could, tree.num_sets) > 0
    visits = np.bincount(sets, often, tree.num_sets) * (offered & (share > NEARLY_ALWAYS))
    found = np.argsort(-visits, kind="stable")[:count]
    found = found[visits[found] > 0]
    walks, texts = walk_to(tree, found), action_space(tree.rules, 2).texts()
    told = []
    for row, number in enumerate(found.tolist()):
        first, size = int(tree.set_first[number]), int(tree.set_size[number])
        own = range(first, first + size)
        moves = {texts[int(tree.sequence_action[k])]: float(strategy[k]) for k in own}
        legal = np.flatnonzero(walks.masks[row])
        view = PlayerView(walks.views[row : row + 1], tree.rules, legal)
        told.append(Position(number, float(visits[number]), view, moves))
    return told
