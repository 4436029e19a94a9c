"""Recorded games played again: every move and every number is compared with what is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rummy500_env.errors import IllegalActionError, PositionError, UnknownNameError
from rummy500_env.game import Game
from rummy500_env.records.files import read
from rummy500_env.records.model import Header, Record, Round
from rummy500_env.records.played import round_of

__all__ = ["Replay", "Step", "replay", "verify"]


class Step(NamedTuple):
    """A move of a recorded game.

    Attributes:
        number: Moves before it in the game.
        round: Number of its round, as in the record.
        seat: Who moved.
        move: The move, as text.
        game: The game before the move. The next step plays on in it: a ``clone()`` stays.
    """

    number: int
    round: int
    seat: int
    move: str
    game: Game


@dataclass(frozen=True)
class Replay:
    """A recorded game that was played again and is as it is written.

    Attributes:
        record: What is written.
        game: The game after its last move, with ``history`` and ``rounds``.
    """

    record: Record
    game: Game

    @property
    def header(self) -> Header:
        """What the game began with, and who played it."""
        return self.record.header

    def __len__(self) -> int:
        """Return the number of moves."""
        return len(self.game.history)

    def at(self, num_moves: int) -> Game:
        """Return the game after so many moves; ``IndexError`` when there were not as many."""
        if not 0 <= num_moves <= len(self):
            raise IndexError(f"{num_moves} moves: the game has 0 to {len(self)}")
        game = self.game.start()
        for action in self.game.history[:num_moves]:
            game.step(action)
        return game

    def steps(self) -> Iterator[Step]:
        """Yield each move with the game before it; the game after all of them is :attr:`game`."""
        game, texts = self.game.start(), self.game.action_space.texts()
        for number, action in enumerate(self.game.history):
            yield Step(number, game.round_number, game.current_seat, texts[action], game)
            game.step(action)


def replay(path: str | Path, game_id: int | None = None) -> Iterator[Replay]:
    """Play the games of a file again, and yield each when it is found to be as it is written.

    Args:
        path: The file.
        game_id: Play only games of this number.

    Raises:
        RecordError: at the first thing that is not as it should be, after all games before it.
        OSError: when the file cannot be read.
    """
    for record in read(path):
        if game_id is None or record.header.game_id == game_id:
            yield verify(record)


def verify(record: Record) -> Replay:
    """Play a recorded game again.

    Raises:
        RecordError: when a move is illegal, or anything is not as it is written.
    """
    try:
        game = record.header.begin()
    except PositionError as error:
        record.fail(f"position: {error}")
    *others, last = record.rounds or record.fail("the game has no rounds")
    if any(each.is_last for each in others) or not last.is_last:
        record.fail("the game's last round has not ended it, or more rounds follow that one")
    for place, given in enumerate(record.rounds, 1):
        _compare(record, place, given, _played(record, place, game))
    return Replay(record, game)


def _played(record: Record, place: int, game: Game) -> Round:
    """Play the moves of a round, and return what they come to."""
    number, finished = game.round_number, len(game.rounds)
    moves = record.rounds[place - 1].moves
    for count, move in enumerate(moves, 1):
        if len(game.rounds) > finished:
            record.fail(f"round {number} ended with move {count - 1} of {len(moves)}", place)
        try:
            game.play(move)
        except (IllegalActionError, UnknownNameError) as error:
            record.fail(f"round {number}, move {count} {move!r}: {error}", place)
    return round_of(game, number, moves, len(game.rounds) > finished)


def _compare(record: Record, place: int, given: Round, played: Round) -> None:
    for name, here, there in zip(Round._fields, given, played, strict=True):
        if here != there:
            record.fail(f"{name} is {_shown(here)}, but the moves give {_shown(there)}", place)


def _shown(value: object) -> str:
    return str(list(value)) if isinstance(value, tuple) else repr(value)
