"""What can be chosen of a training: the saved record, and the options of the command line."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, fields
from typing import Any

__all__ = ["TDConfig", "described"]


@dataclass(frozen=True)
class TDConfig:
    """What is trained and how; the command line has the same names.

    Attributes:
        rules: Preset of the rules.
        players: Seats at the table.
        seed: Everything follows from it.
        rounds: Rounds to play, all in all.
        rounds_at_once: Rounds of an iteration.
        trace: Lambda of TD(lambda), 0 to 1.
        trying: How often a move is tried out instead of the best one, 0 to 1.
        learning_rate: Adam's, at the start; it falls with the square of what is left to play.
        last_rate: Where it ends.
        batch: Views of a step.
        pool: Share of the rounds in which one seat alone is the network's, and the others are a
            ladder agent's or an earlier network's.
        snapshots: Earlier networks that are kept for that.
        opponents: Ladder agents for that.
        judges: Agents that the network is measured against now and then; kept is the one that
            gains most over these and over the best one so far (if it plays with itself at all).
        deals: Deals of that, each played from all seats; agents that search play a tenth of them.
        start: File of a network to start from; empty: none.
    """

    rules: str = "rummy500"
    players: int = 2
    seed: int = 0
    rounds: int = 1_000_000
    rounds_at_once: int = 1000
    trace: float = 0.8
    trying: float = 0.03
    learning_rate: float = 1e-3
    last_rate: float = 3e-5
    batch: int = 2048
    pool: float = 0.1
    snapshots: int = 4
    opponents: tuple[str, ...] = ("greedy",)
    judges: tuple[str, ...] = ("greedy",)
    deals: int = 1000
    start: str = ""

    def __post_init__(self) -> None:
        """Refuse what cannot be, and name it."""
        from rummy500_env.rules import Rules  # noqa: PLC0415 (the command line reads this module)

        for name in ("rounds", "rounds_at_once", "batch", "deals"):
            self._check(name, getattr(self, name) >= 1, "1 or more")
        for name in ("trace", "trying", "pool"):
            self._check(name, 0 <= getattr(self, name) <= 1, "0 to 1")
        for name in ("learning_rate", "last_rate"):
            self._check(name, 0 < getattr(self, name) < 1, "more than 0 and less than 1")
        self._check("snapshots", self.snapshots >= 0, "0 or more")
        self._check("seed", 0 <= self.seed < 2**64, "0 to 2**64 - 1")
        for name in ("opponents", "judges"):
            named = getattr(self, name)
            self._check(name, bool(named) and all(named), "names of agents")
        Rules.preset(self.rules).check(self.players)

    @property
    def meets_itself(self) -> bool:
        """Whether the network plays with itself, as it is or as it was."""
        return self.pool < 1 or self.snapshots > 0

    def _check(self, name: str, is_right: bool, allowed: str) -> None:
        if not is_right:
            from experiments.errors import RunError  # noqa: PLC0415 (see above)

            raise RunError(f"{name}={getattr(self, name)!r} is not allowed: use {allowed}")


def described(config: type[Any]) -> dict[str, str]:
    """Return what the class says of each of its settings, in one line each."""
    text = inspect.getdoc(config) or ""
    found = {}
    for field in fields(config):
        said = re.search(rf"^ +{field.name}: ((?:.|\n(?! {{4}}\w|\n))*)", text, re.MULTILINE)
        if said is None:
            raise ValueError(f"{config.__name__} does not say what {field.name!r} is")
        found[field.name] = " ".join(said[1].split())
    return found
