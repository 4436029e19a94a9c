"""Rows of legal moves, counted: what makes a tree of moves comparable between engines."""

from __future__ import annotations

from collections import Counter

from tests.support.engines import Placed

__all__ = ["rows_of_moves", "whole_tree"]


def rows_of_moves(table: Placed, depth: int) -> list[int]:
    """Return the number of rows of 1, 2, … ``depth`` moves."""
    counts = []
    level = [table]
    for _ in range(depth):
        level = _followers(level)
        counts.append(len(level))
    return counts


def whole_tree(table: Placed) -> tuple[list[int], dict[str, int]]:
    """Return the number of rows of each length to the end, and how many end how.

    The table is one of a single round, so that each row ends.
    """
    counts = []
    endings = Counter[str]()
    level = [table]
    while level:
        endings.update(end.rounds[0]["how"] for end in level if end.is_over)
        level = _followers(level)
        counts.append(len(level))
    return counts[:-1], dict(sorted(endings.items()))


def _followers(level: list[Placed]) -> list[Placed]:
    """The tables after each legal move of each table."""
    following = []
    for before in level:
        for move in before.legal_moves():
            after = before.copy()
            after.play(move)
            following.append(after)
    return following
