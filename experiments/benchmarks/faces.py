"""Gymnasium's faces beside the batch that they are made of."""

from __future__ import annotations

from typing import Any, Final

import gymnasium
import numpy as np

import agents
from experiments.benchmarks.harness import Group, Ratio, Target, Work
from rummy500_env.arena import Arena

__all__ = ["faces"]

OPPONENT: Final = "greedy"
ROUNDS: Final = 4000
"""Rounds from which the share of the learner's decisions is taken."""

SPIN_UP: Final = 50


def faces(bench: Any, size: int) -> Group:
    """Self-play, and learners against an agent, beside a batch of as many tables."""
    batch = bench.batch_work(f"BatchGame {size} float32", bench.make_batch(size, "float32", 1))
    self_play = bench.vector_work(f"SelfPlayVector {size}")
    against = _against(bench, size)
    return Group(
        [batch, self_play, against],
        [
            Ratio("  self-play to the batch", self_play.name, batch.name, Target(">=", 0.9)),
            Ratio("  learners to the batch", against.name, batch.name, Target(">=", 0.5)),
        ],
    )


def _against(bench: Any, size: int) -> Work:
    """Learners that play at random, counted with what their opponents decide."""
    envs = gymnasium.make_vec(
        "Rummy500-v0",
        num_envs=size,
        rules=bench.rules,
        num_players=bench.num_players,
        opponents=OPPONENT,
    )
    envs.reset(seed=bench.seed)
    each = _decisions_to_one(bench)

    def run(steps: int) -> int:
        for _ in range(steps):
            envs.step(envs.action_space.sample())
        return round(steps * size * each)

    run(SPIN_UP)
    return Work(f"make_vec {size}, against {OPPONENT}", "decisions/s", run)


def _decisions_to_one(bench: Any) -> float:
    """Decisions of all seats for each one of a learner that plays at random in seat 0."""
    playing = [agents.make("random"), agents.make(OPPONENT)]
    for agent in playing:
        agent.reset(bench.rules, bench.num_players, bench.seed)
    words = np.random.default_rng(bench.seed)
    seats = np.ones((ROUNDS, bench.num_players), np.int64)
    seats[:, 0] = 0
    result = Arena(bench.rules, bench.num_players, playing).play(
        words.integers(2**64, size=ROUNDS, dtype=np.uint64),
        seats,
        words.integers(2**64, size=seats.shape, dtype=np.uint64),
    )
    return float(result.decisions.sum() / result.decisions[:, 0].sum())
