"""A recorded game as a value, and the lines of text that it is written as."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple, NoReturn

from rummy500_env.errors import RecordError
from rummy500_env.game import Game
from rummy500_env.rules import Rules

__all__ = ["FORMAT_VERSION", "SAID_BY_HEADER", "Header", "Record", "Round"]

FORMAT_VERSION: Final = 1
"""Grows when a key is renamed, removed or changes its meaning."""

SAID_BY_HEADER: Final = ("rules", "num_players", "seed", "single_round")
"""Keys of a position that the header says itself."""


@dataclass(frozen=True)
class Header:
    """What a game began with, and who played it.

    Attributes:
        rules: The rules.
        num_players: Seats at the table.
        seed: All chance of the game follows from it.
        episode: ``"game"`` or ``"round"``.
        players: Name of the player at each seat.
        game_id: Number of the game, in a run or in its file.
        position: Where it began, if not with the deal of its seed: a position
            (:mod:`rummy500_env.position`) without what stands in the header itself.
        package_version: The version of the package that wrote it.
    """

    rules: Rules
    num_players: int
    seed: int
    episode: str
    players: tuple[str, ...]
    game_id: int
    position: Mapping[str, Any] | None
    package_version: str

    def begin(self) -> Game:
        """Return the game before its first move.

        Raises:
            PositionError: when the position is impossible.
        """
        if self.position is None:
            return Game(self.rules, self.num_players, self.seed, self.episode)
        own = (self.rules, self.num_players, self.seed, self.episode == "round")
        return Game.from_position({**self.position, **dict(zip(SAID_BY_HEADER, own, strict=True))})

    def to_line(self) -> str:
        """Return the line of text, without its end."""
        options, digest = _rules_as_json(self.rules)
        found = {
            "format_version": FORMAT_VERSION,
            "package_version": self.package_version,
            "game_id": self.game_id,
            "rules": options,
            "rules_digest": digest,
            "num_players": self.num_players,
            "episode": self.episode,
            "seed": self.seed,
            "players": self.players,
        }
        if self.position is not None:
            found["position"] = dict(self.position)
        return json.dumps(found)


class Round(NamedTuple):
    """A round as it was played, or the part of the last one that was played.

    Attributes:
        round: Number of the round, 1 for a game's first.
        moves: Its moves in order, as texts.
        how: How it ended, as in :class:`~rummy500_env.events.RoundResult`; None: it has not.
        went_out: The seat that went out, or None.
        scores: Score of each seat in this round; None when it has not ended.
        totals: Totals of the seats after it.
        winners: Seats that won the game, if it ended with this round, else None.
        truncated_by: The limit that cut the game off, or None.
    """

    round: int
    moves: tuple[str, ...]
    how: str | None
    went_out: int | None
    scores: tuple[int, ...] | None
    totals: tuple[int, ...]
    winners: tuple[int, ...] | None = None
    truncated_by: str | None = None

    @property
    def ends_game(self) -> bool:
        """Whether the game ended with this round."""
        return self.winners is not None

    @property
    def is_last(self) -> bool:
        """Whether no round can follow: the game has ended, or this round has not."""
        return self.ends_game or self.how is None

    def to_line(self) -> str:
        """Return the line of text, without its end."""
        found = self._asdict()
        if not self.ends_game:
            del found["winners"], found["truncated_by"]
        return json.dumps(found)


@dataclass(frozen=True)
class Record:
    """A recorded game.

    Attributes:
        header: What it began with.
        rounds: Its rounds; the last one may not have ended.
        path: The file that it stands in, None for one in memory.
        line: The line of its header there, from 1; those of its rounds follow.
    """

    header: Header
    rounds: tuple[Round, ...]
    path: str | None = None
    line: int | None = None

    @property
    def num_moves(self) -> int:
        """Moves of all rounds."""
        return sum(len(each.moves) for each in self.rounds)

    def to_text(self) -> str:
        """Return the lines of text, each with its end."""
        return "".join(line.to_line() + "\n" for line in (self.header, *self.rounds))

    def fail(self, reason: str, place: int = 0) -> NoReturn:
        """Raise the error for what is wrong in a line, 0 for the header, then the rounds."""
        line = None if self.line is None else self.line + place
        raise RecordError(reason, self.path, line) from None


@lru_cache(maxsize=8)
def _rules_as_json(rules: Rules) -> tuple[dict[str, Any], str]:
    return rules.to_dict(full=False), rules.digest
