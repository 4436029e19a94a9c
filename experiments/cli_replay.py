"""The command `rummy500 replay`: recorded games position by position."""

from __future__ import annotations

import itertools
import shlex
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from experiments import show
from experiments.errors import RunError
from experiments.recording import RECORDS
from experiments.settings import words_from_rules
from rummy500_env.game import Game
from rummy500_env.records import Replay, Round, replay
from rummy500_env.rules import Rules

__all__ = ["record_file", "run"]

PROMPT: Final = "Enter: next, b: back, q: quit > "


def run(path: str, game_id: int | None, round_number: int | None, everything: bool) -> None:
    """Show games: one position after the other on a terminal, else all at once."""
    file = record_file(path)
    games = _chosen(file, game_id)
    shown = (_Pages(played, round_number) for played in games)
    if everything or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for number, pages in enumerate(shown):
            show.write(("\n" if number else "") + pages.title)
            for page in pages.all():
                show.write("\n" + page)
        return
    for pages in shown:
        if not _leaf_through(pages):
            return


def record_file(path: str) -> Path:
    """The file of records that a path names: itself, or that of a run's folder."""
    found = Path(path)
    if not found.is_dir():
        return found
    if not (found / RECORDS).exists():
        raise RunError(f"{path!r} holds no {RECORDS}: rummy500 tournament --records writes one")
    return found / RECORDS


def _chosen(file: Path, game_id: int | None) -> Iterator[Replay]:
    """The games to show, at least one."""
    games = replay(file, game_id)
    first = next(games, None)
    if first is None:
        raise RunError(f"{str(file)!r} holds no game {game_id}")
    return itertools.chain([first], games)


def _leaf_through(pages: _Pages) -> bool:
    """Show the pages of a game as the user asks for them; return whether to go on after them."""
    place = 0
    show.write(pages.title)
    while place < len(pages):
        show.write("\n" + pages.page(place))
        try:
            answer = input(PROMPT).strip().lower()
        except EOFError:
            return False
        if answer in ("q", "quit"):
            return False
        place = max(0, place - 1) if answer in ("b", "back") else place + (answer == "")
    return True


class _Stretch(NamedTuple):
    """A round, and the numbers of its moves in the game, from ``first`` to before ``stop``."""

    round: Round
    first: int
    stop: int


class _Pages:
    """What is shown of a game: the position before each move, and the one it stands at.

    Args:
        played: The game.
        round_number: Show this round only.
    """

    def __init__(self, played: Replay, round_number: int | None) -> None:
        self._played = played
        self._stretches = list(_stretches(played))
        self._first, self._stop = 0, len(played) + 1
        if round_number is None:
            return
        rounds = [stretch.round.round for stretch in self._stretches]
        if round_number not in rounds:
            raise RunError(
                f"game {played.header.game_id} has no round {round_number}: use {rounds[0]} to "
                f"{rounds[-1]}"
            )
        chosen = self._stretches[rounds.index(round_number)]
        is_last = chosen is self._stretches[-1]
        self._first, self._stop = chosen.first, chosen.stop + is_last

    def __len__(self) -> int:
        return self._stop - self._first

    @property
    def title(self) -> str:
        """What the game began with, in a line or two."""
        header = self._played.header
        players = ", ".join(f"{seat} {name}" for seat, name in enumerate(header.players))
        return (
            f"Game {header.game_id}  seed {header.seed}  players {players}\n"
            f"Rules  {_rules_in_words(header.rules)}"
        )

    def page(self, place: int) -> str:
        """A page by its number."""
        number = self._first + place
        return self._text(number, self._played.at(number))

    def all(self) -> Iterator[str]:
        """All pages in order."""
        for step in self._played.steps():
            if self._first <= step.number < self._stop:
                yield self._text(step.number, step.game)
        if self._stop > len(self._played):
            yield self._text(len(self._played), self._played.game)

    def _text(self, number: int, game: Game) -> str:
        """The position after so many moves, the move that is made in it, what that ends."""
        if number == len(self._played):
            return f"{game}\n{self._end()}"
        place = next(p for p, each in enumerate(self._stretches) if number < each.stop)
        stretch = self._stretches[place]
        count = f"{number - stretch.first + 1} of {stretch.stop - stretch.first}"
        move = stretch.round.moves[number - stretch.first]
        lines = [str(game), f"Move   {count}: {self._seat(game.current_seat)} plays {move}"]
        if number == stretch.stop - 1 and stretch.round.scores is not None:
            lines.append(self._result(stretch.round))
        return "\n".join(lines)

    def _seat(self, seat: int) -> str:
        return f"seat {seat} ({self._played.header.players[seat]})"

    def _result(self, found: Round) -> str:
        goer = "" if found.went_out is None else f", {self._seat(found.went_out)} went out"
        return (
            f"Round {found.round} ended: {found.how}{goer}; "
            f"scores {list(found.scores or ())}, totals {list(found.totals)}"
        )

    def _end(self) -> str:
        last = self._stretches[-1].round
        if last.winners is None:
            return "The record ends here; the game has not ended."
        if last.truncated_by:
            return f"The game was cut off by {last.truncated_by}."
        return f"The game is won by {' and '.join(map(self._seat, last.winners))}."


def _stretches(played: Replay) -> Iterator[_Stretch]:
    first = 0
    for found in played.record.rounds:
        yield _Stretch(found, first, first + len(found.moves))
        first += len(found.moves)


@lru_cache(maxsize=8)
def _rules_in_words(rules: Rules) -> str:
    return shlex.join(words_from_rules(rules)).removeprefix("--rules ")
