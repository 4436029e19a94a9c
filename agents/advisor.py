"""``advisor``: plays by seven tips, each of them a number that was tuned.

A linear count of features decides in each phase of a turn, see :mod:`agents.advice.weights` for
what is counted.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.advice.discarding import choose_discard
from agents.advice.drawing import choose_draw
from agents.advice.playing import choose_play
from agents.advice.weights import TIPS, WEIGHTS, vector
from agents.base import PolicyAgent
from agents.greedy import allowed, choose_call
from rummy500_env.engine.bits import select_bit
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.policies import bound_policy
from rummy500_env.engine.state import CALL, DRAW

__all__ = ["make_advisor", "make_variable_advisor"]


@kernel
def _choose(views: Any, row: Any, legal: Any, rules: Any, w: Any) -> Any:
    view, r, bits = views[row], rules[0], legal[row]
    if view.phase == DRAW:
        return choose_draw(view, r, bits, w)
    if view.phase == CALL:
        return choose_call(view, r, bits)
    action = choose_play(view, r, bits, w)
    if action >= 0:
        is_meld = np.int64(action < r.at_layoff_set)
        return np.int64(r.at_double) if is_meld and allowed(bits, r.at_double) else action
    action = choose_discard(view, r, bits, w)
    if not allowed(bits, action):  # a nomination, a prefix, a block, a play that was held back
        action = select_bit(bits, np.int64(0))
    return action


def make_advisor(**settings: str) -> PolicyAgent:
    """Return the agent.

    Args:
        **settings: Numbers as texts: weights by name, or the share of a tip that is followed,
            0 for not at all.

    Raises:
        ValueError: when a setting is unknown or no finite number.
    """
    known = [*TIPS, *(weight.name for weight in WEIGHTS)]
    numbers: dict[str, float] = {}
    for name, text in settings.items():
        if name not in known:
            raise ValueError(f"{name!r} is no setting; allowed are {', '.join(known)}")
        try:
            numbers[name] = float(text)
        except ValueError:
            numbers[name] = np.nan
        if not np.isfinite(numbers[name]):
            raise ValueError(f"{name}={text!r}: a number is needed")
    two, more = vector(numbers, 2), vector(numbers, 3)
    return PolicyAgent("advisor", _policy(tuple(two.tolist()), tuple(more.tolist())))


@lru_cache(maxsize=64)
def _policy(two: tuple[float, ...], more: tuple[float, ...]) -> Any:
    """Return the policy of some weights, at tables of two and at larger ones; compiled once."""
    weights, others = np.array(two), np.array(more)

    @kernel
    def advisor_policy(views: Any, row: Any, legal: Any, rules: Any) -> Any:
        if rules[0].num_players == 2:
            return _choose(views, row, legal, rules, weights)
        return _choose(views, row, legal, rules, others)

    return advisor_policy


def make_variable_advisor(weights: npt.NDArray[np.float64]) -> PolicyAgent:
    """Return an agent that reads its weights anew at each decision; for tuning.

    Args:
        weights: ``float64 (len(WEIGHTS),)``, in one piece.
    """
    return PolicyAgent("variable advisor", bound_policy(_choose, weights))
