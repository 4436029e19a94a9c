"""The compiled walk over a whole game tree, which it never stores.

What a seat has seen is a path in a tree of its own, its memory: dealt and drawn cards of its own,
and all moves. Nodes of memory are found through a table of (node, what was seen next), so two
histories are in one information set exactly when the seat to move has seen the same things.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rummy500_env.engine.bits import copy_bytes, next_bit, popcount
from rummy500_env.engine.chance import below, fold
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.lazy import (
    CHANCE,
    DECISION,
    TERMINAL,
    follow,
    list_chance,
    node_kind,
    seen_by,
)
from rummy500_env.engine.state import STATE

__all__ = [
    "CARD",
    "COUNTERS",
    "FULL",
    "HISTORIES_FULL",
    "MAX_DEPTH",
    "grow",
    "probe",
]

MAX_DEPTH: Final = 400
"""Most nodes from the root to an end that are followed."""

CARD: Final = 1 << 14
"""Added to a face where a step of a path is chance's."""

COUNTERS: Final = (
    "histories",
    "chance_nodes",
    "decision_nodes",
    "terminals",
    "memories",
    "information_sets",
    "sequences",
    "path_length",
    "depth",
)
HISTORIES, CHANCES, DECISIONS, TERMINALS, MEMORIES, SETS, SEQUENCES, PATHS, DEPTH = range(9)

FULL, HISTORIES_FULL = np.int64(1), np.int64(2)
"""Why a walk stopped early: an array was too small; more histories than were allowed."""

STATE_BYTES = STATE.itemsize
SPREAD = np.uint64(20)
"""Bits of a word that are left out of a place: the high ones are mixed best."""


@kernel
def _remember(keys: Any, values: Any, memory: Any, seen: Any, counters: Any, last: Any) -> Any:
    """Return the memory that follows from one when something is seen; -1 when there is no room.

    A new memory takes over the last own sequence of the old one.
    """
    key = (memory << 16) | seen
    mask = np.int64(len(keys) - 1)
    place = np.int64(fold(np.uint64(memory), seen) >> SPREAD) & mask
    while keys[place] != -1:
        if keys[place] == key:
            return np.int64(values[place])
        place = (place + 1) & mask
    new = np.int64(counters[MEMORIES])
    if new >= len(last):
        return np.int64(-1)
    counters[MEMORIES] += 1
    keys[place] = key
    values[place] = new
    last[new] = last[memory]
    return new


@kernel
def _see(
    tables: Any,
    d: Any,
    rules: Any,
    drawing: Any,
    option: Any,
    memory: Any,
    keys: Any,
    values: Any,
    counters: Any,
    last: Any,
) -> Any:
    """Write what all seats remember after a step from node ``d``; False when there is no room."""
    n = np.int64(rules[0].num_players)
    viewer, seen = seen_by(tables[d], rules[0], drawing, np.int64(option))
    for seat in range(n):
        memory[d + 1, seat] = memory[d, seat]
        if viewer < 0 or viewer == seat:
            after = _remember(keys, values, np.int64(memory[d, seat]), seen, counters, last)
            if after < 0:
                return False
            memory[d + 1, seat] = after
    return True


@kernel
def grow(
    tables: Any,
    rules: Any,
    limit: Any,
    keys: Any,
    values: Any,
    last: Any,
    set_of: Any,
    set_seat: Any,
    set_first: Any,
    set_size: Any,
    set_parent: Any,
    set_path: Any,
    sequence_action: Any,
    paths: Any,
    ends: Any,
    end_chance: Any,
    end_points: Any,
    counters: Any,
    memory: Any,
    path: Any,
    faces: Any,
    chances: Any,
    reach: Any,
    cursor: Any,
    drawing: Any,
    options: Any,
) -> Any:
    """Walk over the whole tree below table 0, whose cards are still to be dealt.

    Args:
        tables: Array of tables, one for each depth.
        rules: The rules' array of one record.
        limit: Most histories.
        keys: ``int64``, a power of two of them, all -1: the table of memories.
        values: ``int32``, as many.
        last: ``int32 (memories,)``: the last own sequence of each memory.
        set_of: ``int32 (memories,)``, all -1: the information set of each memory.
        set_seat: ``int8 (sets,)``: who decides.
        set_first: ``int32 (sets,)``: the sequence of its first action, the others follow.
        set_size: ``int16 (sets,)``: legal actions.
        set_parent: ``int32 (sets,)``: the own sequence that leads there.
        set_path: ``int64 (sets + 1,)``: where in `paths` the path of its first history begins.
        sequence_action: ``int16 (sequences,)``: the action of each sequence.
        paths: ``int16``: steps, faces with `CARD` added.
        ends: ``int32 (terminals, seats)``: the last sequence of each seat.
        end_chance: ``float64 (terminals,)``: chance's share of the probability.
        end_points: ``int32 (terminals, seats)``: the scores of the round.
        counters: ``int64``, zero: `COUNTERS`.
        memory: ``int64 (depth, seats)`` to work in, as are the others.
        path: ``int16 (depth,)``.
        faces: ``int64 (depth, 53)``.
        chances: ``float64 (depth, 53)``.
        reach: ``float64 (depth,)``.
        cursor: ``int64 (depth,)``.
        drawing: ``int64 (depth,)``.
        options: ``int64 (depth,)``.

    Returns:
        0; or why it stopped.
    """
    n, words = np.int64(rules[0].num_players), np.int64(rules[0].num_words)
    for seat in range(n):
        memory[0, seat] = seat
        last[seat] = seat
        sequence_action[seat] = -1
    counters[MEMORIES] = n
    counters[SEQUENCES] = n
    reach[0] = 1.0
    drawing[0] = 0
    d, entering = np.int64(0), True
    while d >= 0:
        st = tables[d]
        kind = node_kind(st, drawing[d])
        if entering:
            counters[HISTORIES] += 1
            counters[DEPTH] = max(counters[DEPTH], d)
            if counters[HISTORIES] > limit:
                return HISTORIES_FULL
            if d + 1 >= len(tables):
                return FULL
            cursor[d] = 0
            if kind == TERMINAL:
                at = np.int64(counters[TERMINALS])
                if at >= len(end_chance):
                    return FULL
                for seat in range(n):
                    ends[at, seat] = last[memory[d, seat]]
                    end_points[at, seat] = st.round_scores[seat]
                end_chance[at] = reach[d]
                counters[TERMINALS] += 1
            elif kind == CHANCE:
                counters[CHANCES] += 1
                options[d] = list_chance(tables, d, rules, drawing[d], faces[d], chances[d])
            else:
                counters[DECISIONS] += 1
                mine = np.int64(memory[d, st.seat])
                if set_of[mine] < 0:
                    new, first = np.int64(counters[SETS]), np.int64(counters[SEQUENCES])
                    size = np.int64(0)
                    for word in range(words):
                        size += popcount(np.int64(st.legal[word]))
                    begin = np.int64(counters[PATHS])
                    if new + 1 >= len(set_path) or first + size > len(sequence_action):
                        return FULL
                    if begin + d > len(paths):
                        return FULL
                    set_of[mine] = new
                    set_seat[new] = st.seat
                    set_first[new] = first
                    set_size[new] = size
                    set_parent[new] = last[mine]
                    set_path[new] = begin
                    for k in range(d):
                        paths[begin + k] = path[k]
                    counters[PATHS] += d
                    set_path[new + 1] = begin + d
                    action = next_bit(st.legal, np.int64(0), words)
                    for k in range(size):
                        sequence_action[first + k] = action
                        action = next_bit(st.legal, action + 1, words)
                    counters[SETS] += 1
                    counters[SEQUENCES] += size
                options[d] = -1
        option = np.int64(-1)
        chance = 1.0
        if kind == CHANCE and cursor[d] < options[d]:
            option, chance = faces[d, cursor[d]], chances[d, cursor[d]]
            cursor[d] += 1
            path[d] = CARD + option
        elif kind == DECISION and cursor[d] >= 0:
            option = next_bit(st.legal, cursor[d], words)
            cursor[d] = option + 1 if option >= 0 else -1
            path[d] = option
        if option < 0:
            d -= 1
            entering = False
            continue
        if not _see(tables, d, rules, drawing[d], option, memory, keys, values, counters, last):
            return FULL
        if kind == DECISION:
            seat = np.int64(st.seat)
            own = np.int64(set_of[memory[d, seat]])
            place = np.int64(set_first[own])
            while sequence_action[place] != option:
                place += 1
            last[memory[d + 1, seat]] = place
        copy_bytes(tables[d + 1], st, STATE_BYTES)
        drawing[d + 1] = follow(tables, d + 1, rules, drawing[d], option)
        reach[d + 1] = reach[d] * chance
        d += 1
        entering = True
    return np.int64(0)


@kernel
def probe(
    tables: Any, rules: Any, key: Any, steps: Any, faces: Any, chances: Any, sizes: Any
) -> None:
    """Estimate the number of histories by random paths (Knuth, 1975).

    On each path every option is equally likely. The product of the numbers of options so far is an
    unbiased estimate of the number of histories at that depth, so their sum is one of them all.

    Args:
        tables: Array of two tables; the first is the root.
        rules: The rules' array of one record.
        key: ``uint64``: word that the paths follow from.
        steps: Most steps of a path.
        faces: ``int64 (53,)`` to work in.
        chances: ``float64 (53,)`` to work in.
        sizes: ``float64 (paths,)``, overwritten with the estimates.
    """
    count = np.int64(rules[0].num_words)
    for row in range(len(sizes)):
        copy_bytes(tables[1], tables[0], STATE_BYTES)
        total, here, drawing = 1.0, 1.0, np.int64(0)
        st = tables[1]
        word = fold(key, np.int64(row))
        for step in range(steps):
            kind = node_kind(st, drawing)
            if kind == TERMINAL:
                break
            number = np.int64(0)
            if kind == CHANCE:
                number = list_chance(tables, np.int64(1), rules, drawing, faces, chances)
            else:
                for k in range(count):
                    number += popcount(np.int64(st.legal[k]))
            chosen = below(fold(word, np.int64(step)), number)
            option = np.int64(faces[chosen]) if kind == CHANCE else np.int64(-1)
            if kind == DECISION:
                for _ in range(chosen + 1):
                    option = next_bit(st.legal, option + 1, count)
            drawing = follow(tables, np.int64(1), rules, drawing, option)
            here *= number
            total += here
        sizes[row] = total
