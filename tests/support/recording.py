"""Games as records in a file, and the file's lines to tamper with."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from rummy500_env import Game, records
from tests.support.games import playing

__all__ = ["lines_of", "played", "replayed", "write_lines"]


def played(game: Game, seed: int = 0, limit: int = 10**9) -> Game:
    """Return the game after random moves, to its end or so many."""
    for _ in playing(game, random.Random(seed), limit):
        pass
    return game


def replayed(path: Path) -> list[records.Replay]:
    """Return all games of a file, played again."""
    return list(records.replay(path))


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a file as JSON objects."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_lines(path: Path, lines: list[dict[str, Any]]) -> None:
    """Write JSON objects as the lines of a file."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
