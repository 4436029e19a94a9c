"""A value network: what a view promises, and the move after which that is most.

The network is a sum of rows of a table, one for each feature that a view has, and two small
layers behind it, all ReLU: 64 ``NUM_WORDS`` features, ``FIRST`` and ``SECOND`` units, one value.
The moves of a view are compared by what they score at once and the value of the view after them.
These views differ in few features from the present one, so only those rows are added and taken
away (as Yu Nasu's NNUE does for shogi, 2018). All is worked out row by row and in one order: a
decision hangs on its view alone, to the last bit.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rummy500_env.engine.bits import lowest, next_bit, without_lowest
from rummy500_env.engine.dense import dense_layers, row_adder
from rummy500_env.engine.features import NUM_WORDS, write_features
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.scratch import scratch
from rummy500_env.engine.search import after_state
from rummy500_env.engine.state import STATE
from rummy500_env.view_record import VIEW

__all__ = [
    "FIRST",
    "NUM_FEATURES",
    "NUM_WEIGHTS",
    "SECOND",
    "best_move",
    "network_policy",
    "network_values",
    "value_after",
    "value_of",
]

FIRST: Final = 256
SECOND: Final = 32
NUM_FEATURES: Final = 64 * NUM_WORDS

AT_BIAS: Final = NUM_FEATURES * FIRST
AT_SECOND: Final = AT_BIAS + FIRST
AT_SECOND_BIAS: Final = AT_SECOND + FIRST * SECOND
AT_LAST: Final = AT_SECOND_BIAS + SECOND
NUM_WEIGHTS: Final = AT_LAST + SECOND + 1
"""Weights in one array of ``float32``: the table by feature, its bias, the second layer by unit of
the first, its bias, the last layer, its bias."""

_add_row: Final = row_adder(FIRST, 1)
_take_row: Final = row_adder(FIRST, -1)
_dense: Final = dense_layers(AT_SECOND, FIRST, SECOND)

PER_UNIT: Final = 100.0
"""Points that an output of one stands for."""


@kernel
def _sum_up(weights: Any, words: Any, sums: Any) -> None:
    """Write the first layer's sums for features."""
    for k in range(FIRST):
        sums[k] = weights[AT_BIAS + k]
    for k in range(NUM_WORDS):
        rest = np.int64(words[k])
        while rest != 0:
            _add_row(weights, FIRST * (64 * np.int64(k) + lowest(rest)), sums)
            rest = without_lowest(rest)


@kernel
def _change(weights: Any, words: Any, others: Any, sums: Any) -> None:
    """Turn the sums for features into those for others."""
    for k in range(NUM_WORDS):
        came, went = others[k] & ~words[k], words[k] & ~others[k]
        while came != 0:
            _add_row(weights, FIRST * (64 * np.int64(k) + lowest(came)), sums)
            came = without_lowest(came)
        while went != 0:
            _take_row(weights, FIRST * (64 * np.int64(k) + lowest(went)), sums)
            went = without_lowest(went)


@kernel
def _output(weights: Any, sums: Any) -> Any:
    """Return the value, in points, from the first layer's sums."""
    return np.float64(_dense(weights, sums)) * PER_UNIT


@kernel
def value_of(view: Any, r: Any, weights: Any, words: Any, room: Any) -> Any:
    """Return what a view promises its viewer, in points, as seen after an own move.

    Args:
        view: The view's record.
        r: The rules' record.
        weights: ``float32 (NUM_WEIGHTS,)``.
        words: ``int64 (NUM_WORDS,)``: the features, written here.
        room: ``float32 (rows, FIRST)`` to work in; row 0 is used.
    """
    write_features(view, r, words)
    _sum_up(weights, words, room[0])
    return _output(weights, room[0])


@kernel
def best_move(
    view: Any, bits: Any, r: Any, weights: Any, table: Any, after: Any, words: Any, room: Any
) -> Any:
    """Return the legal move after which most is scored and promised, and both, in points.

    Args:
        view: The view of a seat that is to move.
        bits: ``int64 (words,)``: its legal actions.
        r: The rules' record.
        weights: ``float32 (NUM_WEIGHTS,)``.
        table: A table to work in.
        after: A view to work in; afterwards that after the last move looked at.
        words: ``int64 (3, NUM_WORDS)``: the features of the view, and those after the best move
            in row 1.
        room: ``float32 (2, FIRST)`` to work in.
    """
    me, count = np.int64(view.viewer), np.int64(r.num_words)
    before = np.int64(view.table_points[me])
    write_features(view, r, words[0])
    _sum_up(weights, words[0], room[0])
    best, scored, promised = np.int64(-1), 0.0, 0.0
    action = next_bit(bits, np.int64(0), count)
    while action >= 0:
        after_state(view, r, action, table, after)
        write_features(after, r, words[2])
        for k in range(FIRST):
            room[1, k] = room[0, k]
        _change(weights, words[0], words[2], room[1])
        gain = np.float64(np.int64(after.table_points[me]) - before)
        value = _output(weights, room[1])
        if best < 0 or gain + value > scored + promised:
            best, scored, promised = action, gain, value
            for k in range(NUM_WORDS):
                words[1, k] = words[2, k]
        action = next_bit(bits, action + 1, count)
    return best, scored, promised


@kernel
def value_after(
    view: Any, action: Any, r: Any, weights: Any, table: Any, after: Any, words: Any, room: Any
) -> Any:
    """Return what a move scores and what the view after it promises, in points.

    Arguments are those of :func:`best_move`, and the move.
    """
    me = np.int64(view.viewer)
    before = np.int64(view.table_points[me])
    after_state(view, r, action, table, after)
    gain = np.float64(np.int64(after.table_points[me]) - before)
    return gain, value_of(after, r, weights, words[1], room)


_table, _after = scratch(STATE, 1), scratch(VIEW, 1)
_words, _room = scratch(np.int64, 3, NUM_WORDS), scratch(np.float32, 2, FIRST)


@kernel
def network_policy(views: Any, row: Any, legal: Any, rules: Any, weights: Any) -> Any:
    """Return the move after which a network sees most; a policy once it is given weights."""
    table, after, words, room = _table(), _after(), _words(), _room()
    action, _, _ = best_move(
        views[row], legal[row], rules[0], weights, table[0], after[0], words, room
    )
    return action


@kernel
def network_values(views: Any, rules: Any, weights: Any, values: Any) -> None:
    """Write what each view promises its viewer, in points, as seen after an own move."""
    words, room = _words(), _room()
    for row in range(len(views)):
        values[row] = value_of(views[row], rules[0], weights, words[0], room)
