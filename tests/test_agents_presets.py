"""Every registered agent plays every variant that can be played, without an illegal move."""

from __future__ import annotations

import random

import numpy as np
import pytest

import agents
from agents.race import RaceError
from rummy500_env import Rules
from rummy500_env.networks import NetworkError
from rummy500_env.presets import presets
from tests.differential.random_rules import random_rules
from tests.support.asking import arena_of, deals, play
from tests.test_agents_rows import ALL


def _play(rules, num_players, num_games=12):
    """Rounds of all agents that play this among each other; all have to end.

    Agents that search take a thousand times as long: each plays one round, the fast ones beside it.
    """
    found = [one for one in map(agents.make, ALL) if _plays(one, rules, num_players)]
    fast = [k for k, one in enumerate(found) if getattr(one, "policy", None) is not None]
    slow = [k for k in range(len(found)) if k not in fast]
    arena = arena_of(rules, num_players, found)
    seating = np.random.default_rng(1).choice(fast, (num_games, num_players))
    for game, k in enumerate(slow):
        seating[game, game % num_players] = k
    result = play(arena, deals(num_games, num_players), seating)
    assert result.rounds.tolist() == [1] * num_games
    assert (result.decisions > 0).any(axis=1).all()


def _plays(agent, rules, num_players):
    """Whether an agent plays a variant; those that were trained play what they were trained on."""
    try:
        agent.reset(rules, num_players, 0)
    except (NetworkError, RaceError):
        return False
    return True


@pytest.mark.parametrize("preset", presets())
def test_presets(preset):
    rules = Rules.preset(preset)
    counts = rules.player_counts()
    for num_players in {counts[0], counts[len(counts) // 2], counts[-1]}:
        _play(rules, num_players)


@pytest.mark.boundscheck
@pytest.mark.parametrize("seed", range(30))
def test_random_rules(seed):
    rules, num_players = random_rules(random.Random(f"agents {seed}"))
    _play(rules, num_players)
