"""The command `rummy500 replay --export`: recorded games as a data set."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from experiments import show
from experiments.cli_replay import record_file
from experiments.errors import RunError
from experiments.progress import Bar
from rummy500_env import datasets
from rummy500_env.errors import Rummy500Error

__all__ = ["refuse", "run"]


def refuse(how: str, given: Mapping[str, object]) -> None:
    """Refuse options that have no meaning with, or without, a data set to make."""
    for name, value in given.items():
        if value is not None:
            raise RunError(f"{name} has no meaning {how} --export or --minari")


def run(
    path: str,
    game_id: int | None,
    out: str | None,
    minari_id: str | None,
    reward: str,
    observation_dtype: str,
) -> None:
    """Write a file of arrays, a Minari data set, or both, and say what is in them."""
    file = record_file(path)
    try:
        if out is not None:
            with Bar("games") as bar:
                done = datasets.export(file, out, reward, observation_dtype, game_id, bar)
            told = f"{done.num_decisions:,} decisions of {done.num_episodes:,} games"
            show.write(f"{told} are in {Path(out)}")
        if minari_id is not None:
            with Bar("episodes") as bar:
                made = datasets.export_minari(
                    file,
                    minari_id,
                    reward=reward,
                    observation_dtype=observation_dtype,
                    game_id=game_id,
                    progress=bar,
                )
            told = f"{int(made.total_steps):,} decisions of {int(made.total_episodes):,} seats"
            show.write(f"{told} are in the Minari data set {minari_id}")
    except Rummy500Error:
        raise
    except ValueError as error:  # of a word on the command line, or of Minari
        raise RunError(str(error)) from None
