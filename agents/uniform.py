"""``random``: every legal action is equally likely."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.base import PolicyAgent
from rummy500_env.engine.bits import count_bits, select_bit
from rummy500_env.engine.chance import below
from rummy500_env.engine.jit import kernel

__all__ = ["make_random", "random_policy"]


@kernel
def random_policy(views: Any, row: Any, legal: Any, rules: Any) -> Any:
    """Draw a legal action with the view's random bits."""
    bits = legal[row]
    count = count_bits(bits, np.int64(rules[0].num_words))
    return select_bit(bits, below(views[row].random, count))


def make_random() -> PolicyAgent:
    """Return the agent."""
    return PolicyAgent("random", random_policy)
