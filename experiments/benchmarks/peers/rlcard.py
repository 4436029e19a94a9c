"""RLCard's gin rummy."""

from __future__ import annotations

import importlib
from typing import Final

import numpy as np

from experiments.benchmarks.harness import Target
from experiments.benchmarks.loops import Reader, reading
from experiments.benchmarks.peers.model import Comparison, Loop, Peer, sees

__all__ = ["GIN_RUMMY"]


def _gin_rummy(seed: int) -> Loop:
    env = importlib.import_module("rlcard").make("gin-rummy", config={"seed": seed})
    mask = np.zeros(env.num_actions, np.int8)
    reader = Reader(seed)

    def play(games: int) -> None:
        for _ in range(games):
            state, _ = env.reset()
            while not env.is_over():
                legal = list(state["legal_actions"])
                mask.fill(0)
                mask[legal] = 1
                state, _ = env.step(reader.choose(state["obs"], mask, legal))

    return Loop(reading("gin-rummy", reader, play), sees(env.reset()[0]["obs"], mask))


GIN_RUMMY: Final = Comparison(
    "RLCard",
    "rlcard",
    lambda: (
        Peer(
            "gin-rummy",
            "`env.step`; mask written in place from the legal actions of the state",
            {"batch": Target(">=", 60), "game": None},
            _gin_rummy,
        ),
    ),
)
