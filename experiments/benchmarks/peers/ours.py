"""What of ours others are held against, all on one core."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from experiments.benchmarks.copies import clone_batch_work, clone_work
from experiments.benchmarks.harness import Work
from experiments.benchmarks.peers.model import sees
from experiments.benchmarks.works import DOCUMENTED_SIZE, Bench

__all__ = ["OURS", "Own"]


class Own(NamedTuple):
    """A work of ours.

    Attributes:
        label: What it is called where a ratio to it is told.
        make: Makes it.
    """

    label: str
    make: Callable[[Bench], Work]


def _batch(bench: Bench) -> Work:
    batch = bench.make_batch(DOCUMENTED_SIZE, "float32", 1)
    about = sees(batch.observation[0], batch.action_mask[0])
    return bench.batch_work(f"BatchGame {DOCUMENTED_SIZE} float32", batch, about)


def _vector(bench: Bench) -> Work:
    return bench.vector_work(f"SelfPlayVector {DOCUMENTED_SIZE} float32")


def _clone_batch(bench: Bench) -> Work:
    return replace(clone_batch_work(bench.played_batch()), target=None)


OURS: Final[Mapping[str, Own]] = {
    "batch": Own("BatchGame", _batch),
    "vector": Own("SelfPlayVector", _vector),
    "game": Own("Game", Bench.game_work),
    "aec": Own("our AEC", Bench.environment_work),
    "clone_batch": Own("BatchGame.clone(into)", _clone_batch),
    "clone_game": Own("Game.clone", lambda bench: clone_work(bench.new_game())),
}
"""By the names that peers are held against."""
