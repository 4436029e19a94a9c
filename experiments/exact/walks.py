"""What the seats see on the way to information sets: views, legal actions, memories."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.exact.grow import CARD
from experiments.exact.size import root_table
from experiments.exact.tree import GameTree
from rummy500_env.engine.bits import bits_to_bytes, copy_bytes
from rummy500_env.engine.jit import allocate, kernel
from rummy500_env.engine.lazy import DECISION, follow, node_kind, seen_by
from rummy500_env.engine.look import view_of
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.engine.state import STATE
from rummy500_env.view_record import VIEW

__all__ = ["Walks", "memories", "walk_to"]

STATE_BYTES = STATE.itemsize


@kernel
def _walk(
    tables: Any,
    rules: Any,
    paths: Any,
    starts: Any,
    seats: Any,
    every: Any,
    views: Any,
    masks: Any,
    rows: Any,
    way_starts: Any,
    moves: Any,
    movers: Any,
    move_ends: Any,
) -> Any:
    """Go to each information set from the root, and write the views of the seat that decides.

    Returns:
        The number of moves written.
    """
    row, move = np.int64(0), np.int64(0)
    r = rules[0]
    for k in range(len(seats)):
        copy_bytes(tables[1], tables[0], STATE_BYTES)
        st, drawing, seat = tables[1], np.int64(0), np.int64(seats[k])
        end = np.int64(starts[k + 1])
        rows[k] = row
        way_starts[k] = move
        for at in range(np.int64(starts[k]), end + 1):
            decides = node_kind(st, drawing) == DECISION
            if decides and st.seat == seat and (every or at == end):
                view_of(st, seat, np.uint64(0), k, views[row])
                bits_to_bytes(st.legal, np.int64(r.num_actions), masks[row])
                move_ends[row] = move
                row += 1
            if at < end:
                option = np.int64(paths[at])
                if decides:
                    moves[move] = option
                    movers[move] = st.seat
                    move += 1
                else:
                    option -= CARD
                drawing = follow(tables, np.int64(1), rules, drawing, option)
    rows[len(seats)] = row
    return move


@kernel
def _seen(
    tables: Any, rules: Any, paths: Any, starts: Any, seats: Any, seen: Any, ends: Any
) -> None:
    """Write what the seat that decides has seen on the way to each information set."""
    count = np.int64(0)
    for k in range(len(seats)):
        copy_bytes(tables[1], tables[0], STATE_BYTES)
        st, drawing = tables[1], np.int64(0)
        for at in range(np.int64(starts[k]), np.int64(starts[k + 1])):
            option = np.int64(paths[at])
            if node_kind(st, drawing) != DECISION:
                option -= CARD
            viewer, what = seen_by(st, rules[0], drawing, option)
            if viewer < 0 or viewer == np.int64(seats[k]):
                seen[count] = what
                count += 1
            drawing = follow(tables, np.int64(1), rules, drawing, option)
        ends[k + 1] = count


class Walks:
    """Walks from the root to some information sets of a tree.

    Attributes:
        sets: Their numbers.
        views: Array of view records, ``table`` the place of the set in `sets`: of each the
            decision itself, or with ``every`` all own decisions on the way, in order.
        masks: ``int8 (views, n)``: legal actions.
        rows: ``int64 (sets + 1,)``: where the views of each begin.
        way_starts: ``int64 (sets,)``: where the moves of each begin.
        moves: ``int64``: all moves on the ways, one way after the other.
        movers: ``int64``: who made them.
        move_ends: ``int64 (views,)``: how many moves stand before each view, those of earlier
            ways among them.
    """

    def __init__(self, tree: GameTree, sets: npt.NDArray[np.integer[Any]], every: bool) -> None:
        record = rules_record(tree.rules, tree.num_players)
        tables = allocate(2, STATE)
        root_table(tables, record)
        starts, paths = _ways(tree, sets)
        size = len(paths) + len(sets) if every else len(sets)
        views = allocate(size, VIEW)
        masks = np.zeros((size, int(record["num_actions"][0])), np.int8)
        rows = np.zeros(len(sets) + 1, np.int64)
        moves, movers = np.zeros(len(paths), np.int64), np.zeros(len(paths), np.int64)
        move_ends = np.zeros(size, np.int64)
        seats = tree.set_seat[sets]
        way_starts = np.zeros(len(sets), np.int64)
        told = (views, masks, rows, way_starts, moves, movers, move_ends)
        count = int(_walk(tables, record, paths, starts, seats, every, *told))
        self.sets, self.rows, self.way_starts = sets, rows, way_starts
        used = int(rows[-1])
        self.views, self.masks, self.move_ends = views[:used], masks[:used], move_ends[:used]
        self.moves, self.movers = moves[:count], movers[:count]


def walk_to(tree: GameTree, sets: npt.NDArray[np.integer[Any]], every: bool = False) -> Walks:
    """Return the walks to some information sets; see :class:`Walks`."""
    return Walks(tree, sets, every)


def memories(tree: GameTree) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int64]]:
    """Return what the seat that decides has seen at each information set.

    Returns:
        All of it one after the other, as numbers of :mod:`rummy500_env.engine.lazy`, and
        ``int64 (sets + 1,)``: where that of each set begins.
    """
    record = rules_record(tree.rules, tree.num_players)
    tables = allocate(2, STATE)
    root_table(tables, record)
    starts, paths = _ways(tree, np.arange(tree.num_sets))
    seen, ends = np.zeros(len(paths), np.int16), np.zeros(tree.num_sets + 1, np.int64)
    _seen(tables, record, paths, starts, tree.set_seat, seen, ends)
    return seen[: ends[-1]].copy(), ends


def _ways(tree: GameTree, sets: npt.NDArray[Any]) -> tuple[Any, Any]:
    """Return where the path to each set begins, and all of the paths."""
    begin, end = tree.set_path[sets], tree.set_path[sets + 1]
    starts = np.zeros(len(sets) + 1, np.int64)
    np.cumsum(end - begin, out=starts[1:])
    place = np.arange(starts[-1]) + np.repeat(begin - starts[:-1], end - begin)
    return starts, tree.paths[place]
