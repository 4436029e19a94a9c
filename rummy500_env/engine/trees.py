"""Information-set Monte Carlo tree search: a tree of moves, grown over possible worlds.

A node stands for the moves that lead to it from where one seat is to decide. Each iteration goes
down the tree in one world: of the moves that are legal there it takes one that has not been tried,
else that of the highest upper confidence bound; a new move ends the way down, and a policy plays
the round to its end. Every node keeps what that brought the seat whose move leads to it.

Where hands differ from world to world, a move is at hand in some of them only. So the bound counts
how often a move was there to be taken, not how often its parent was visited (Cowling, Powley and
Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2), 2012: SO-ISMCTS). The card
that a draw brings is no branch: what it makes possible is.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from rummy500_env.engine.bits import (
    copy_bytes,
    count_bits,
    flip_bit,
    has_bit,
    select_bit,
)
from rummy500_env.engine.chance import below, fold
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.play import play_action
from rummy500_env.engine.search import TABLE_BYTES, play_out
from rummy500_env.engine.table_lead import lead_of

__all__ = ["NODE", "NO_NODE", "grow_tree"]

NODE: Final = np.dtype(
    [
        ("total", "f8"),  # points over the others' mean of the seat whose move leads here, summed
        ("visits", "i8"),  # iterations that went through
        ("available", "i8"),  # visits of the parent in which the move was legal
        ("action", "i8"),  # the move that leads here
        ("seat", "i8"),  # who made it: who is asked out of turn hangs on hands
        ("first_child", "i8"),  # the newest of the next nodes, or NO_NODE
        ("sibling", "i8"),  # the next older one, or NO_NODE
    ]
)
"""A node of a tree."""

NO_NODE: Final = np.int64(-1)
ROOT = np.int64(0)


@kernel
def grow_tree(
    nodes: Any,
    count: Any,
    worlds: Any,
    rules: Any,
    policy: Any,
    key: Any,
    depth: Any,
    explore: Any,
    iterations: Any,
    table: Any,
    views: Any,
    legal: Any,
    untried: Any,
    path: Any,
) -> Any:
    """Grow a tree by some iterations.

    The first move, whose legality hangs on no world, is chosen before the world: the n-th trial of
    each is played in the same world with the same random bits, so that what differs is the move.

    Args:
        nodes: Array of nodes; the first one is the root.
        count: ``int64 (1,)``: nodes in use. When there is room for no more, none is added.
        worlds: Array of possible tables of one view whose seat is to move.
        rules: The rules' array of one record.
        policy: The policy that plays on.
        key: Word that all chance follows from.
        depth: Moves that a way down the tree has at most, from 1.
        explore: Points that the bound adds where a move was tried as often as the square root of
            the logarithm of its chances.
        iterations: How many.
        table: Array of one table to work in; where the policy's action is illegal, it shows where.
        views: One view record to work in.
        legal: ``int64 (1, words)`` to work in.
        untried: ``int64 (words,)`` to work in.
        path: ``int64 (depth,)`` to work in.

    Returns:
        -1; or the number of the world in which the policy returned an illegal action.
    """
    st, r = table[0], rules[0]
    n = np.int64(r.num_players)
    for _ in range(iterations):
        node = _choose(nodes, count, ROOT, worlds[0], r, explore, key, untried)
        trial = np.int64(nodes[node].visits)
        word, k = fold(key, trial), np.int64(trial % len(worlds))
        copy_bytes(st, worlds[k], TABLE_BYTES)
        length = np.int64(0)
        while True:
            path[length] = node
            length += 1
            play_action(st, r, np.int64(nodes[node].action))
            if st.how != 0 or nodes[node].visits == 0 or length == depth:
                break
            node = _choose(nodes, count, node, st, r, explore, fold(word, n + length), untried)
            if node == NO_NODE:  # no room for the only moves that are legal here
                break
        if st.how == 0 and not play_out(st, rules, policy, word, k, views, legal):
            return k
        nodes[ROOT].visits += 1
        for step in range(length):
            node = path[step]
            nodes[node].visits += 1
            nodes[node].total += lead_of(st.round_scores, n, np.int64(nodes[node].seat))
    return np.int64(-1)


@kernel
def _choose(
    nodes: Any, count: Any, node: Any, st: Any, r: Any, explore: Any, word: Any, untried: Any
) -> Any:
    """Return the next node: a new one for a move not tried yet, else that of the highest bound.

    Args:
        nodes: Array of nodes.
        count: ``int64 (1,)``: nodes in use.
        node: Where the way has come to.
        st: The table there; its legal actions are read, and who is to move.
        r: The rules' record.
        explore: As for :func:`grow_tree`.
        word: Word by which one of the untried moves is drawn.
        untried: ``int64 (words,)`` to work in.

    Returns:
        Its number; ``NO_NODE`` where no move was tried and there is room for none.
    """
    num_words = np.int64(r.num_words)
    for k in range(num_words):
        untried[k] = st.legal[k]
    best, most = NO_NODE, -math.inf
    child = np.int64(nodes[node].first_child)
    while child != NO_NODE:
        one = nodes[child]
        if one.seat == st.seat and has_bit(st.legal, np.int64(one.action)):
            one.available += 1
            flip_bit(untried, np.int64(one.action))
            spread = math.sqrt(math.log(np.float64(one.available)) / np.float64(one.visits))
            bound = one.total / np.float64(one.visits) + explore * spread
            if bound > most:
                best, most = child, bound
        child = np.int64(one.sibling)
    left = count_bits(untried, num_words)
    new = np.int64(count[0])
    if left == 0 or new == len(nodes):
        return best
    count[0] = new + 1
    one = nodes[new]
    one.total = 0.0
    one.visits = 0
    one.available = 1
    one.action = select_bit(untried, below(word, left))
    one.seat = st.seat
    one.first_child = NO_NODE
    one.sibling = nodes[node].first_child
    nodes[node].first_child = new
    return new
