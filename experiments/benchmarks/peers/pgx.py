"""Pgx's sparrow mahjong, the nearest to rummy of its games, in batches on the CPU."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from experiments.benchmarks.harness import Target
from experiments.benchmarks.peers.model import Comparison, Loop, Peer, PeerError, sees, with_version
from experiments.benchmarks.works import DOCUMENTED_SIZE

__all__ = ["SPARROW_MAHJONG"]

XLA: Final = {
    "JAX_PLATFORMS": "cpu",
    "NPROC": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}
"""What JAX reads when it starts: work on the CPU, on one core."""


@contextmanager
def _told(settings: dict[str, str]) -> Iterator[None]:
    """Environment variables for as long as it takes, and as they were afterwards."""
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _sparrow_mahjong(seed: int) -> Loop:
    with _told(XLA):
        jax: Any = importlib.import_module("jax")
        jax.devices("cpu")  # starts it: now the settings are read
    env: Any = importlib.import_module("pgx").make("sparrow_mahjong")
    auto_reset: Any = importlib.import_module("pgx.experimental").auto_reset
    play_on = auto_reset(env.step, env.init)

    def play_one(state: Any, key: Any) -> tuple[Any, Any]:
        choice, chance = jax.random.split(key)
        scores = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        action = jax.random.categorical(choice, scores)
        return play_on(state, action, chance), action

    @jax.jit
    def play(state: Any, key: Any) -> tuple[Any, Any, Any]:
        key, now = jax.random.split(key)
        state, actions = jax.vmap(play_one)(state, jax.random.split(now, DOCUMENTED_SIZE))
        return state, actions, key

    first, key = jax.random.split(jax.random.PRNGKey(seed))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(first, DOCUMENTED_SIZE))
    jax.block_until_ready(state)
    rows, total = np.arange(DOCUMENTED_SIZE), 0.0

    def run(steps: int) -> int:
        """Step, and look at an entry of each observation and mask after each step."""
        nonlocal state, key, total
        for step in range(steps):
            masks = np.asarray(state.legal_action_mask)
            state, actions, key = play(state, key)
            jax.block_until_ready(state)
            if not masks[rows, np.asarray(actions)].all():
                raise PeerError("an action was drawn that the mask does not allow")
            observation = np.asarray(state.observation).reshape(DOCUMENTED_SIZE, -1)
            total += float(observation[:, step % observation.shape[1]].sum())
        return steps * DOCUMENTED_SIZE

    shown = np.asarray(state.observation)[0], np.asarray(state.legal_action_mask)[0]
    about = {"num_games": DOCUMENTED_SIZE, "with": with_version("jax")}
    return Loop(run, {**sees(*shown), **about})


SPARROW_MAHJONG: Final = Comparison(
    "pgx",
    "pgx",
    lambda: (
        Peer(
            "sparrow_mahjong 1024, CPU",
            "`jit` and `vmap` over 1,024 tables, legal actions drawn inside, `auto_reset`, "
            "`block_until_ready`; compiled before",
            {"batch": Target(">=", 10, aim=25), "vector": None},
            _sparrow_mahjong,
        ),
    ),
)
