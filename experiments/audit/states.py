"""Decisions whose moves have been valued: a frozen file, so that all agents are asked the same.

A file holds views of seats that had a choice, their legal moves, and what each move leads to. The
views are of one variant, in the layout of one version: others are refused.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from experiments.errors import RunError
from rummy500_env.actions import action_space
from rummy500_env.datasets.npz import NpzFile
from rummy500_env.networks import told_differences
from rummy500_env.rules import Rules
from rummy500_env.view_record import VIEW

__all__ = ["SHIPPED", "ValuedStates"]

FORMAT: Final = "rummy500 valued states"
FORMAT_VERSION: Final = 1
SHIPPED: Final = Path(__file__).parent / "rummy500-2.npz"
"""The states that come with the package: ``rummy500``, two players."""

_ARRAYS: Final = ("views", "counts", "actions", "points", "errors", "worlds")
_REAL: Final = ("points", "errors")


@dataclass(frozen=True)
class ValuedStates:
    """``N`` decisions with ``K`` legal moves in all, and the values of these.

    Attributes:
        views: ``VIEW (N,)``: what the seats to move saw.
        counts: ``int64 (N,)``: legal moves of each, two or more.
        actions: ``int64 (K,)``: the moves, view after view, in growing order.
        points: ``float64 (K, 2)``: points of the round that the seat scores over the others' mean
            after each move, estimated twice, from the even and from the odd worlds.
        errors: ``float64 (K,)``: standard error of how far a move is behind the best one of its
            view, from the worlds that both were played in; 0 for the best one.
        worlds: ``int64 (K,)``: in how many worlds the move was played.
        rules: The rules.
        num_players: Seats at the table.
        about: How it was made: plain data.
    """

    views: npt.NDArray[Any]
    counts: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    points: npt.NDArray[np.float64]
    errors: npt.NDArray[np.float64]
    worlds: npt.NDArray[np.int64]
    rules: Rules
    num_players: int
    about: dict[str, Any]

    def __len__(self) -> int:
        return len(self.views)

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """``int64 (N,)``: where the moves of each view begin."""
        return np.cumsum(self.counts) - self.counts

    @cached_property
    def rows(self) -> npt.NDArray[np.int64]:
        """``int64 (K,)``: which view each move belongs to."""
        return np.repeat(np.arange(len(self)), self.counts)

    def masks(self) -> npt.NDArray[np.int8]:
        """The action masks of the views, ``int8 (N, n)``."""
        found = np.zeros((len(self), action_space(self.rules, self.num_players).n), np.int8)
        found[self.rows, self.actions] = 1
        return found

    def check(self, rules: Rules, num_players: int) -> None:
        """Raise `RunError` when they are of other rules or players."""
        if num_players != self.num_players:
            raise RunError(f"the states are of {self.num_players} players, not of {num_players}")
        differ = self.rules.differences(rules)
        if differ:
            told = told_differences(differ, "the states'")
            raise RunError(f"the states are of other rules: {told}")

    def save(self, path: str | Path) -> None:
        """Write a file."""
        about = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "rules": self.rules.to_dict(full=False),
            "num_players": self.num_players,
            "actions": action_space(self.rules, self.num_players).id,
            **self.about,
        }
        with NpzFile(path) as file:
            file.put("views", self.views)
            for name in _ARRAYS[1:]:
                small = np.float32 if name in _REAL else np.int32
                file.put(name, getattr(self, name).astype(small))
            file.put("about", np.array(json.dumps(about, sort_keys=True)))

    @classmethod
    def load(cls, path: str | Path = SHIPPED) -> Self:
        """Read a file.

        Raises:
            RunError: when it holds no such states, or those of another version or layout.
        """
        name = str(path)
        if Path(path).is_file() and not zipfile.is_zipfile(path):  # NumPy offers to unpickle
            raise RunError(f"{name!r} holds no valued states: it is no .npz file")
        try:
            with np.load(path, allow_pickle=False) as file:
                about = json.loads(str(file["about"]))
                found = {one: file[one] for one in _ARRAYS}
        except FileNotFoundError:
            raise RunError(f"{name!r}: there is no such file") from None
        except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
            raise RunError(f"{name!r} holds no valued states: {error}") from None
        if (about.get("format"), about.get("format_version")) != (FORMAT, FORMAT_VERSION):
            raise RunError(
                f"{name!r} holds {about.get('format')!r} of version "
                f"{about.get('format_version')!r}: {FORMAT!r} of version {FORMAT_VERSION} is needed"
            )
        rules, num_players = Rules.from_dict(about["rules"]), int(about["num_players"])
        actions = action_space(rules, num_players).id
        if found["views"].dtype != VIEW or about["actions"] != actions:
            raise RunError(
                f"{name!r} has another layout of views or actions than this version: it has to be "
                "built anew (python -m experiments.audit.build)"
            )
        for one in _ARRAYS[1:]:
            found[one] = found[one].astype(np.float64 if one in _REAL else np.int64)
        return cls(**found, rules=rules, num_players=num_players, about=about)
