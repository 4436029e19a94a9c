"""Files of records, written and read game by game."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final, Self, cast

from rummy500_env.errors import RecordError
from rummy500_env.game import Game
from rummy500_env.records.model import Header, Record, Round
from rummy500_env.records.parsing import parse_header, parse_round
from rummy500_env.records.played import record_of

__all__ = ["Writer", "read", "write"]

GZIP: Final = b"\x1f\x8b"
"""What a compressed file begins with."""


class Writer:
    """A file of records that is being written; a context manager.

    Args:
        path: The file, which is overwritten.
        compress: Whether it is compressed by gzip; None: when its name ends with ``.gz``.

    Attributes:
        num_games: Games written so far.
    """

    def __init__(self, path: str | Path, compress: bool | None = None) -> None:
        self.num_games = 0
        self._file = Path(path).open("wb")  # noqa: SIM115 (closed by close)
        self._text: IO[bytes] = self._file
        if compress or (compress is None and str(path).endswith(".gz")):
            # Neither name nor time: the bytes hang on the games only.
            zipped = gzip.GzipFile("", "wb", fileobj=self._file, mtime=0)
            self._text = cast("IO[bytes]", zipped)

    def add(
        self,
        game: Game | Record,
        players: Sequence[str] | None = None,
        game_id: int | None = None,
    ) -> None:
        """Write a game.

        Args:
            game: A game, finished or not, or a record.
            players: Name of the player at each seat; ``player_0`` and so on when left out.
            game_id: Its number; the number of games before it in the file when left out.

        Raises:
            RecordError: when it cannot be recorded.
        """
        if isinstance(game, Game):
            game = record_of(game, players, self.num_games if game_id is None else game_id)
        self._text.write(game.to_text().encode())
        self.num_games += 1

    def close(self) -> None:
        """Finish the file."""
        self._text.close()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def write(
    path: str | Path, games: Game | Iterable[Game], players: Sequence[str] | None = None
) -> None:
    """Write a game, or several of the same players, to a file."""
    with Writer(path) as file:
        for game in [games] if isinstance(games, Game) else games:
            file.add(game, players)


def read(path: str | Path) -> Iterator[Record]:
    """Yield the games of a file, as they are written there: nothing is played.

    Raises:
        RecordError: at the first line that is damaged, after all games before it.
        OSError: when the file cannot be read.
    """
    header: Header | None = None
    rounds: list[Round] = []
    number = 0
    for number, found in _objects(path):
        try:
            if header is not None:
                rounds.append(parse_round(found, header.num_players))
            else:
                header, rounds = parse_header(found), []
        except RecordError as error:
            raise RecordError(error.reason, str(path), number) from None
        if rounds and rounds[-1].is_last:
            yield Record(header, tuple(rounds), str(path), number - len(rounds))
            header = None
    if header is not None or number == 0:
        reason = "the file ends before the game does" if number else "the file is empty"
        raise RecordError(reason, str(path), number + 1)


def _objects(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number of each line, from 1, and the JSON object that it is."""
    number = 0
    with _opened(path) as lines:
        try:
            for line in lines:
                number += 1
                yield number, _object(line, str(path), number)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            fault = f"the compressed file is damaged or cut off here ({error})"
            raise RecordError(fault, str(path), number + 1) from None


def _opened(path: str | Path) -> IO[bytes]:
    file = Path(path).open("rb")  # noqa: SIM115 (closed by who asked for it)
    if file.peek(len(GZIP))[: len(GZIP)] != GZIP:
        return file
    file.close()
    return cast("IO[bytes]", gzip.open(path, "rb"))


def _object(line: bytes, path: str, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line.decode(), object_pairs_hook=_without_twins)
    except RecordError as error:
        raise RecordError(error.reason, path, number) from None
    except (ValueError, RecursionError) as error:
        if not line.endswith(b"\n"):
            raise RecordError("the last line is cut off", path, number) from None
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise RecordError(f"the line is no JSON ({reason})", path, number) from None
    if not isinstance(found, dict):
        raise RecordError(f"the line is no JSON object but {type(found).__name__}", path, number)
    return found


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise RecordError(f"the key {twice!r} is there twice")
    return found
