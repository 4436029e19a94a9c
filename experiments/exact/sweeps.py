"""Compiled sweeps over strategies in sequence form.

A *realization plan* gives each sequence of a seat the product of the probabilities of its actions.
Worths are of sequences too: what a seat gets at the ends it leads to, weighted by chance and by the
other's plan.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.engine.jit import kernel

__all__ = ["best_replies", "match_regrets", "multiply", "plan_of", "spread_up", "update_regrets"]


@kernel
def multiply(starts: Any, columns: Any, values: Any, plan: Any, worth: Any) -> None:
    """Write a sparse matrix times a plan: for each row, from ``starts``, its columns and values."""
    for row in range(len(starts) - 1):
        total = 0.0
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * plan[columns[k]]
        worth[row] = total


@kernel
def plan_of(order: Any, first: Any, size: Any, parent: Any, strategy: Any, plan: Any) -> None:
    """Write the realization plan of a strategy; that of the empty sequence is there already.

    Args:
        order: The seat's information sets, earlier ones first.
        first: The first sequence of each information set.
        size: Its actions.
        parent: The sequence that leads to it.
        strategy: ``float64 (sequences,)``: the probability of each action at its set.
        plan: ``float64 (sequences,)``, overwritten.
    """
    for k in range(len(order)):
        here = order[k]
        reach = plan[parent[here]]
        for sequence in range(first[here], first[here] + size[here]):
            plan[sequence] = reach * strategy[sequence]


@kernel
def best_replies(order: Any, first: Any, size: Any, parent: Any, worth: Any, strategy: Any) -> None:
    """Choose the best action at each information set, the later sets first.

    Args:
        order: The seat's information sets, earlier ones first.
        first: The first sequence of each information set.
        size: Its actions.
        parent: The sequence that leads to it.
        worth: ``float64 (sequences,)``: what is won at the ends right behind each sequence; what
            is won later is added.
        strategy: ``float64 (sequences,)``, overwritten with 0 and 1.
    """
    for k in range(len(order) - 1, -1, -1):
        here = order[k]
        best = np.int64(first[here])
        for sequence in range(first[here], first[here] + size[here]):
            strategy[sequence] = 0.0
            if worth[sequence] > worth[best]:
                best = np.int64(sequence)
        strategy[best] = 1.0
        worth[parent[here]] += worth[best]


@kernel
def spread_up(order: Any, first: Any, size: Any, parent: Any, worth: Any) -> None:
    """Add to each sequence what later ones hold: from how often it is last, how often played."""
    for k in range(len(order) - 1, -1, -1):
        here = order[k]
        for sequence in range(first[here], first[here] + size[here]):
            worth[parent[here]] += worth[sequence]


@kernel
def match_regrets(
    order: Any, first: Any, size: Any, regrets: Any, foreseen: Any, strategy: Any
) -> None:
    """Write the strategy that plays in proportion to positive regrets (regret matching).

    ``foreseen`` is added to them first: what the next regrets are expected to be, or zeros.
    """
    for k in range(len(order)):
        here = order[k]
        begin, end = first[here], first[here] + size[here]
        total = 0.0
        for sequence in range(begin, end):
            total += max(regrets[sequence] + foreseen[sequence], 0.0)
        for sequence in range(begin, end):
            if total > 0.0:
                strategy[sequence] = max(regrets[sequence] + foreseen[sequence], 0.0) / total
            else:
                strategy[sequence] = 1.0 / size[here]


@kernel
def update_regrets(
    order: Any,
    first: Any,
    size: Any,
    parent: Any,
    worth: Any,
    strategy: Any,
    regrets: Any,
    foreseen: Any,
    predict: Any,
    keep_positive: Any,
    keep_negative: Any,
) -> None:
    """Add the counterfactual regrets of a strategy, the later sets first.

    Args:
        order: The seat's information sets, earlier ones first.
        first: The first sequence of each information set.
        size: Its actions.
        parent: The sequence that leads to it.
        worth: ``float64 (sequences,)``: counterfactual worth of the ends right behind each
            sequence; that of what comes later is added.
        strategy: What was played.
        regrets: Updated.
        foreseen: Overwritten with this update's regrets if ``predict``.
        predict: Whether to keep them.
        keep_positive: What a positive regret is multiplied with first.
        keep_negative: What a negative one is; 0 forgets it, as regret matching+ does.
    """
    for k in range(len(order) - 1, -1, -1):
        here = order[k]
        begin, end = first[here], first[here] + size[here]
        mean = 0.0
        for sequence in range(begin, end):
            mean += strategy[sequence] * worth[sequence]
        worth[parent[here]] += mean
        for sequence in range(begin, end):
            old = regrets[sequence]
            old *= keep_positive if old > 0.0 else keep_negative
            regret = worth[sequence] - mean
            regrets[sequence] = old + regret
            if keep_negative == 0.0:
                regrets[sequence] = max(regrets[sequence], 0.0)
            if predict:
                foreseen[sequence] = regret
