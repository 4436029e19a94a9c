"""The race to the target: a seat's chance to win the game, from the points that are still to go.

A table says it for two seats between rounds: for the seat that deals next, by what it and the other
have still to score. It hangs on points to go alone, so one table serves every target. The package
has one for some variants (``agents/chances``); ``python -m experiments.race`` makes them.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from rummy500_env.errors import Rummy500Error
from rummy500_env.networks import told_differences
from rummy500_env.rules import Rules
from rummy500_env.view import PlayerView

__all__ = ["ANY_TARGET", "RaceError", "WinChances", "fitting"]

FOLDER: Final = Path(__file__).parent / "chances"
FORMAT_VERSION: Final = 1

ANY_TARGET: Final = frozenset({"target_score", "max_rounds", "game_bonus"})
"""Options that a table does not hang on."""


class RaceError(Rummy500Error, ValueError):
    """There is no table of win chances for what is played, or a file holds none."""


@dataclass(frozen=True)
class WinChances:
    """Chances to win the game, between rounds, of two seats that play alike.

    Args:
        table: ``float64 (S, S)``: the chance of the seat that deals next. Row ``i``: it has
            ``1 + i * step`` points still to go; column ``j``: the other one has ``1 + j * step``.
        step: Points between two rows.
        rules: The rules; their target does not matter.
        about: How it was made: plain data.
    """

    table: npt.NDArray[np.float64]
    step: int
    rules: Rules
    about: dict[str, Any] = field(default_factory=dict)

    def of(
        self, own: npt.ArrayLike, other: npt.ArrayLike, deals: bool | npt.ArrayLike = True
    ) -> npt.NDArray[np.float64]:
        """Return the chance of a seat to win, by points still to go.

        Args:
            own: The seat's own points to go, any shape; 0 or less: it has reached the target.
            other: Those of the other seat.
            deals: Whether the seat deals next.

        Returns:
            The chances. Where the target is reached, the higher total has won, and equal ones
            play on, with a half each. Who has more to go than the table's last row is taken to
            stand there; between rows it is linear.
        """
        mine, theirs = np.broadcast_arrays(np.asarray(own), np.asarray(other))
        is_dealer = np.asarray(deals, np.bool_)
        dealers = np.where(is_dealer, mine, theirs)
        chance = self._between(dealers, np.where(is_dealer, theirs, mine))
        chance = np.where(is_dealer, chance, 1.0 - chance)
        decided = 0.5 + 0.5 * np.sign(theirs - mine)
        return np.where(np.minimum(mine, theirs) > 0, chance, decided)

    def _between(self, row: npt.NDArray[Any], column: npt.NDArray[Any]) -> Any:
        """Return the table's values between its rows and columns."""
        last = len(self.table) - 1
        places = [np.clip((x - 1) / self.step, 0, last) for x in (row, column)]
        (i, j) = (np.minimum(place.astype(np.int64), last - 1) for place in places)
        a, b = places[0] - i, places[1] - j
        upper = (1 - b) * self.table[i, j] + b * self.table[i, j + 1]
        lower = (1 - b) * self.table[i + 1, j] + b * self.table[i + 1, j + 1]
        return (1 - a) * upper + a * lower

    def after_round(
        self, view: PlayerView, scores: npt.NDArray[np.integer[Any]]
    ) -> npt.NDArray[np.float64]:
        """Return a viewer's chances to win the game, by what the seats score in its round.

        Args:
            view: The view, of rules that this table is for.
            scores: ``(..., 2)``: possible scores of the round.
        """
        seat = view.seat
        totals = np.asarray(view.scores) + scores
        if view.record["single_round"][0] or view.rules.target_score is None:
            return 0.5 + 0.5 * np.sign(totals[..., seat] - totals[..., 1 - seat])
        left = view.rules.target_score - totals
        return self.of(left[..., seat], left[..., 1 - seat], view.dealer != seat)

    def check(self, rules: Rules, num_players: int) -> None:
        """Raise `RaceError` when it is for other rules or players."""
        if num_players != 2:
            raise RaceError(f"win chances are for 2 players, not for {num_players}")
        differences = self.rules.differences(rules)
        differ = {name: values for name, values in differences.items() if name not in ANY_TARGET}
        if differ:
            told = told_differences(differ, "the table's")
            raise RaceError(f"the win chances are of other rules: {told}")

    def save(self, path: str | Path) -> None:
        """Write a file."""
        about = {"format_version": FORMAT_VERSION, "rules": self.rules.to_dict(full=False)}
        written = json.dumps(about | {"step": self.step} | self.about, sort_keys=True)
        np.savez_compressed(path, chances=self.table.astype(np.float32), about=np.array(written))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a file.

        Raises:
            RaceError: when it holds no win chances, or those of another version.
        """
        name = str(path)
        if Path(path).is_file() and not zipfile.is_zipfile(path):  # NumPy offers to unpickle
            raise RaceError(f"{name!r} holds no win chances: it is no .npz file")
        try:
            with np.load(path, allow_pickle=False) as file:
                table, about = file["chances"].astype(np.float64), json.loads(str(file["about"]))
            version, step = about.pop("format_version"), int(about.pop("step"))
            rules = Rules.from_dict(about.pop("rules"))
        except FileNotFoundError:
            raise RaceError(f"{name!r}: there is no such file") from None
        except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
            raise RaceError(f"{name!r} holds no win chances: {error}") from None
        if version != FORMAT_VERSION:
            raise RaceError(f"{name!r} is of version {version!r}, this is {FORMAT_VERSION}")
        return cls(table, step, rules, about)


@lru_cache(maxsize=8)
def _loaded(path: Path) -> WinChances:
    return WinChances.load(path)


def fitting(rules: Rules, num_players: int) -> WinChances:
    """Return the win chances of the package for a variant; `RaceError` when there are none."""
    reasons = []
    for path in sorted(FOLDER.glob("*.npz")):
        found = _loaded(path)
        try:
            found.check(rules, num_players)
        except RaceError as error:
            reasons.append(f"{path.stem}: {error}")
        else:
            return found
    raise RaceError("no win chances for this game come with the package; " + "; ".join(reasons))
