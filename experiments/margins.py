"""Points of one agent over another, deal by deal."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from agents.base import Agent
from agents.leads import leads
from rummy500_env.arena import Arena
from rummy500_env.rules import Rules

__all__ = ["margins"]


def margins(
    first: Agent, second: Agent, rules: Rules, num_players: int, deals: int, seed: Any
) -> npt.NDArray[np.float64]:
    """Return by how many points a round the first scores more, ``float64 (deals,)``.

    One seat is the first agent's, the others the second's; each deal is played in every seating.
    """
    for agent in (first, second):
        agent.reset(rules, num_players, 0)
    rng = np.random.default_rng(seed)
    games, rows = deals * num_players, np.arange(deals * num_players)
    seeds = np.repeat(rng.integers(2**63, size=deals, dtype=np.uint64), num_players)
    keys = rng.integers(2**63, size=(games, num_players), dtype=np.uint64)
    seating = np.ones((games, num_players), np.int64)
    seating[rows, rows % num_players] = 0
    scores = Arena(rules, num_players, [first, second]).play(seeds, seating, keys).scores
    return leads(scores, rows % num_players).reshape(deals, num_players).mean(axis=1)
