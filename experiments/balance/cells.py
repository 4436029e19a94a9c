"""Plays a cell of a study, a variant at so many seats, and keeps its sums in a file."""

from __future__ import annotations

import contextlib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from experiments import runner
from experiments.balance.luck import luck_sums
from experiments.balance.sums import Arrays, duel_sums, joined, self_sums
from experiments.balance.variants import Cell
from experiments.errors import RunError
from experiments.interrupts import uninterrupted
from experiments.runner import Setup
from experiments.schedule import SELF, Schedule
from rummy500_env.datasets.npz import NpzFile

__all__ = ["CellSums", "num_games", "play_cell", "sums_path"]

FOLDER: Final = "sums"
"""Folder of the sums within that of a run."""
OWN, PAIR = "self", "duel"

Played = Callable[[int], None]
"""Called with the games that have been played since it was last called."""


class CellSums(NamedTuple):
    """The sums of a cell: of each agent with itself, and of each pair of strong and weak."""

    own: dict[str, Arrays]
    duels: dict[tuple[str, str], Arrays]

    def write(self, path: Path) -> None:
        """Write them into a file, all or nothing."""
        with uninterrupted(), NpzFile(path) as file:
            for kind, every in ((OWN, self.own.values()), (PAIR, self.duels.values())):
                for place, sums in enumerate(every):
                    for name, values in sums.items():
                        file.put(f"{kind}/{place}/{name}", values)

    @classmethod
    def read(cls, path: Path, cell: Cell) -> CellSums:
        """Read what `write` has written."""
        found: dict[str, dict[str, Any]] = {}
        try:
            with np.load(path) as arrays:
                for key in arrays.files:
                    kind, place, name = key.split("/")
                    found.setdefault(f"{kind}/{place}", {})[name] = arrays[key]
        except (OSError, ValueError, zipfile.BadZipFile) as error:
            raise RunError(f"{str(path)!r} is damaged: {error}") from None
        return cls(
            {agent: found[f"{OWN}/{place}"] for place, agent in enumerate(cell.agents)},
            {pair: found[f"{PAIR}/{place}"] for place, pair in enumerate(cell.pairs)},
        )


def sums_path(folder: Path, cell: Cell) -> Path:
    """The file of a cell: equal rules at as many seats are played once, whatever their names."""
    return folder / FOLDER / f"{cell.variant.rules.digest}-{cell.num_players}.npz"


def num_games(cell: Cell, deals: int, seed: int) -> int:
    """Games that a cell takes."""
    schedules = [schedule for _, schedule in _duels(cell, deals, seed)]
    return sum(one.num_games for one in (_self_play(cell, deals, seed), *schedules))


def _self_play(cell: Cell, deals: int, seed: int) -> Schedule:
    return Schedule(cell.agents, cell.num_players, deals, seed, SELF, cell.in_teams)


def _duels(cell: Cell, deals: int, seed: int) -> list[tuple[Cell, Schedule]]:
    """Each pair, strong one first, as a cell of its own, and its games."""
    design = "teams" if cell.in_teams else "pairs"
    return [
        (
            Cell(cell.variant, cell.num_players, pair),
            Schedule(pair, cell.num_players, deals, seed, design, cell.in_teams),
        )
        for pair in cell.pairs
    ]


def play_cell(cell: Cell, deals: int, seed: int, workers: int, played: Played) -> CellSums:
    """Play all games of a cell."""
    own = _own(cell, cell.setup(seed), _self_play(cell, deals, seed), workers, played)
    duels: dict[tuple[str, str], Arrays] = {}
    for duel, schedule in _duels(cell, deals, seed):
        strong, weak = duel.agents
        sums = _sums(duel, duel.setup(seed), schedule, workers, played)
        results = sums.pop("first")
        for number, agent in enumerate((strong, weak)):
            results[:, :, number, number] = own[agent]["first_margin"][:, : cell.num_sides]
        duels[strong, weak] = sums | luck_sums(results)
    for sums in own.values():
        del sums["first_margin"]
    return CellSums(dict(own), dict(duels))


def _own(
    cell: Cell, setup: Setup, schedule: Schedule, workers: int, played: Played
) -> dict[str, dict[str, Any]]:
    parts: dict[str, list[Arrays]] = {agent: [] for agent in cell.agents}
    with contextlib.closing(runner.play(setup, schedule, workers)) as games:
        for block, result in games:
            found = self_sums(cell, block, result)
            for number, agent in enumerate(cell.agents):
                mine = block.lineup == number
                parts[agent].append({name: values[mine] for name, values in found.items()})
            played(len(block.seeds))
    return {agent: joined(mine) for agent, mine in parts.items()}


def _sums(
    cell: Cell, setup: Setup, schedule: Schedule, workers: int, played: Played
) -> dict[str, Any]:
    parts: list[Arrays] = []
    with contextlib.closing(runner.play(setup, schedule, workers)) as games:
        for block, result in games:
            parts.append(duel_sums(cell, block, result))
            played(len(block.seeds))
    return joined(parts)
