"""What copies cost, each beside a copy of as many bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from experiments.benchmarks.harness import Group, Ratio, Target, Work
from rummy500_env.batch import BatchGame
from rummy500_env.game import Game
from rummy500_env.view_record import VIEW

__all__ = ["batch_bytes", "clone_batch_work", "clone_work", "copies", "repeat"]


def copies(game: Game, batch: BatchGame) -> list[Group]:
    """A copy of a game, of a table of a batch, and of what a seat may know."""
    return [
        _beside_bytes(clone_work(game), game._record.nbytes),
        _beside_bytes(clone_batch_work(batch), batch_bytes(batch), batch.num_games),
        _beside_bytes(_view_work(game), VIEW.itemsize),
    ]


def clone_work(game: Game) -> Work:
    """A copy of a game."""
    about = {"bytes": game._record.nbytes}
    return Work("Game.clone", "µs/clone", lambda count: repeat(game.clone, count), about)


def clone_batch_work(batch: BatchGame) -> Work:
    """A copy of a batch over another one, for each of its tables."""
    twin, size = batch.clone(), batch.num_games
    return Work(
        f"BatchGame.clone, a table of {size}",
        "µs/table",
        lambda count: repeat(lambda: batch.clone(twin), count) * size,
        {"bytes": batch_bytes(batch) / size, "num_games": size},
        Target("<", 1.0),
    )


def _view_work(game: Game) -> Work:
    """What a seat may know, as an object for an agent."""
    seat, about = game.current_seat, {"bytes": VIEW.itemsize}
    return Work("Game.view", "µs/view", lambda count: repeat(lambda: game.view(seat), count), about)


def _beside_bytes(work: Work, size: int, units: int = 1) -> Group:
    """A work beside a copy of so many bytes into new memory, which counts as so many units."""
    source = np.ones(size, np.uint8)
    floor = f"{work.name.split(',')[0]}: as many bytes"
    copy = Work(floor, work.unit, lambda count: repeat(source.copy, count) * units, work.about)
    return Group([work, copy], [Ratio("  times the bytes alone", work.name, floor)])


def batch_bytes(batch: BatchGame) -> int:
    """The bytes of a batch that a clone has of its own."""
    arrays = [value for value in vars(batch).values() if isinstance(value, np.ndarray)]
    return sum(array.nbytes for array in arrays) + sum(view.nbytes for view in batch._views)


def repeat(call: Callable[[], Any], count: int) -> int:
    """Call so many times; returns the count."""
    for _ in range(count):
        call()
    return count
