"""Records of the games of a run.

A game that was forfeited is recorded up to there, as one whose last round has not ended: a forfeit
is no move, and the tables say who did it and why.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from rummy500_env.actions import action_space
from rummy500_env.engine.state import ENDINGS, FORFEIT, TRUNCATIONS
from rummy500_env.records import Header, Record, Round
from rummy500_env.version import __version__

if TYPE_CHECKING:
    from experiments.runner import Setup
    from experiments.schedule import Block
    from rummy500_env.arena import ArenaResult

__all__ = ["RECORDS", "record_rows", "records_of", "write_records"]

RECORDS: Final = "records.r500.gz"
"""Name of the file in the folder of a run."""


def write_records(folder: Path, parts: Iterable[pa.Table]) -> None:
    """Write the file of records of a run; it has its name only when it is complete.

    Args:
        folder: The folder of the run.
        parts: Rows as :func:`record_rows` makes them.
    """
    part = folder / f"{RECORDS}.part"
    try:
        # Neither name nor time: the bytes hang on the games only.
        with part.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as lines:
            for rows in parts:
                for text in rows["text"].to_pylist():
                    lines.write(text.encode())
        part.replace(folder / RECORDS)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def record_rows(
    setup: Setup, names: tuple[str, ...], block: Block, result: ArenaResult
) -> pa.Table:
    """The record of each game of a block as one text, a row for each game."""
    texts = [record.to_text() for record in records_of(setup, names, block, result)]
    return pa.table({"text": pa.array(texts, pa.large_string())})


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
            if how == FORFEIT:
                found.append(Round(number, played, None, None, None, totals))
                break
            totals = tuple(map(sum, zip(totals, scores, strict=True)))
            went_out = None if goer < 0 else goer
            found.append(Round(number, played, ENDINGS[how], went_out, scores, totals))
        else:
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
