"""Records of the games of a run, written game by game as they are played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rummy500_env.actions import action_space
from rummy500_env.engine.state import ENDINGS, TRUNCATIONS
from rummy500_env.records import Header, Record, Round, Writer
from rummy500_env.version import __version__

if TYPE_CHECKING:
    from experiments.runner import Setup
    from experiments.schedule import Block
    from rummy500_env.arena import ArenaResult

__all__ = ["RECORDS", "RecordFile", "records_of"]

RECORDS: Final = "records.r500.gz"
"""Name of the file in the folder of a run."""


class RecordFile:
    """The records of a run; the file has its name only when it is complete.

    Args:
        folder: The folder of the run.
        setup: What is the same for all games.
        names: Names of the agents, by number.
    """

    def __init__(self, folder: Path, setup: Setup, names: tuple[str, ...]) -> None:
        self.path = folder / RECORDS
        self._setup, self._names = setup, names
        self._part = folder / f"{RECORDS}.part"
        self._writer = Writer(self._part, compress=True)

    @property
    def num_games(self) -> int:
        """Games written so far."""
        return self._writer.num_games

    def add(self, block: Block, result: ArenaResult) -> None:
        """Write some games."""
        for record in records_of(self._setup, self._names, block, result):
            self._writer.add(record)

    def close(self) -> None:
        """Finish the file, and give it its name."""
        self._writer.close()
        self._part.replace(self.path)

    def discard(self) -> None:
        """Give up the file."""
        self._writer.close()
        self._part.unlink(missing_ok=True)


def records_of(
    setup: Setup, names: tuple[str, ...], block: Block, result: ArenaResult
) -> Iterator[Record]:
    """Yield the record of each game of a block, whose moves the result holds."""
    space = action_space(setup.rules, setup.num_players)
    moves = map(space.texts().__getitem__, result.moves.tolist())
    rounds = zip(
        result.round_decisions.tolist(),
        result.round_how.tolist(),
        result.round_out.tolist(),
        map(tuple, result.round_scores.tolist()),
        strict=True,
    )
    seated = [tuple(names[agent] for agent in row) for row in block.agents.tolist()]
    for game, (game_id, seed) in enumerate(
        zip(block.game_id.tolist(), block.seeds.tolist(), strict=True)
    ):
        found: list[Round] = []
        totals = (0,) * setup.num_players
        num_rounds = int(result.rounds[game])
        for number in range(1, num_rounds + 1):
            num_moves, how, goer, scores = next(rounds)
            played = tuple(next(moves) for _ in range(num_moves))
            totals = tuple(map(sum, zip(totals, scores, strict=True)))
            went_out = None if goer < 0 else goer
            found.append(Round(number, played, ENDINGS[how], went_out, scores, totals))
        found[-1] = found[-1]._replace(
            totals=tuple(result.scores[game].tolist()),  # with what is paid at a game's end
            winners=tuple(result.won[game].nonzero()[0].tolist()),
            truncated_by=TRUNCATIONS[result.truncated[game]] or None,
        )
        header = Header(
            setup.rules,
            setup.num_players,
            seed,
            setup.episode,
            seated[game],
            game_id,
            None,
            __version__,
        )
        yield Record(header, tuple(found))
