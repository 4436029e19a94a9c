"""The tables of a run, each column declared once: name, type, unit, meaning.

Schemas of the files, DataFrames and documentation are made from `TABLES`. Tables hold nothing that
two runs with the same seed could differ in; what is measured with a clock stands in ``timings``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from experiments.stats import GameSums
from rummy500_env.engine.state import ENDINGS, TRUNCATIONS

if TYPE_CHECKING:
    from experiments.schedule import Block
    from rummy500_env.arena import ArenaResult

__all__ = ["TABLES", "Column", "columns", "documentation", "game_sums", "of_games", "schema"]

FORMAT_VERSION: Final = 3
"""Grows when a column is added, renamed, removed or changes its meaning: a run that was cut cannot
go on with other columns."""

SEPARATOR: Final = " | "


class Column(NamedTuple):
    """A column of a table; `name` may hold ``{seat}``: then there is one for each seat."""

    name: str
    type: str
    """Type of Arrow by its alias, such as ``int32``."""
    unit: str
    doc: str


_GAME = Column("game_id", "int64", "", "number of the game in the run, from 0")
_DEAL = Column("deal", "int32", "", "number of the deal, from 0: the cluster of statistics")
_SEATING = Column("seating", "int16", "", "number of the seating within deal and lineup, from 0")
_SEAT = Column("seat", "int8", "", "number of the seat, from 0")

TABLES: Final[Mapping[str, tuple[Column, ...]]] = {
    "games": (
        _GAME,
        _DEAL,
        Column("lineup", "int32", "", "number of the set of agents at the table, from 0"),
        _SEATING,
        Column("seed", "uint64", "", "game seed: all cards and the first dealer follow from it"),
        Column("agents", "string", "", "names of the agents by seat, with ' | ' between them"),
        Column("rounds", "int32", "rounds", "rounds played to their scoring"),
        Column("winners", "int8", "seats", "seats that won"),
        Column(
            "truncated_by",
            "string",
            "",
            "limit of the environment that cut the game off: max_turns or max_rounds; empty: none",
        ),
        Column("forfeit_seat", "int8", "", "seat whose agent forfeited the game; -1: none"),
        Column(
            "forfeit_reason",
            "string",
            "",
            "what it did: what it raised, which illegal action it chose, which time it exceeded; "
            "empty: nothing",
        ),
    ),
    "rounds": (
        _GAME,
        _DEAL,
        Column("round", "int32", "", "number of the round in its game, from 1"),
        Column(
            "how",
            "string",
            "",
            "how it ended: out (somebody went out), exhausted (the stock), cut_off (a limit of "
            "the rules), clock (a seat's time ran out) or forfeit (an agent failed)",
        ),
        Column("out_seat", "int8", "", "seat that went out; -1: nobody"),
        Column("turns", "int32", "turns", "turns of all seats"),
        Column("score_{seat}", "int32", "points", "score of the seat in this round"),
    ),
    "seats": (
        _GAME,
        _DEAL,
        _SEATING,
        _SEAT,
        Column("agent", "string", "", "name of the agent at the seat, with its parameters"),
        Column("score", "int32", "points", "total at the end"),
        Column("rank", "int8", "", "1 + seats with a higher score"),
        Column("won", "bool", "", "whether the seat won (of several winners, each did)"),
        Column("rounds", "int32", "rounds", "rounds of the game"),
        Column("points_melded", "int32", "points", "values of cards laid in new melds"),
        Column("points_laid_off", "int32", "points", "values of cards laid off"),
        Column("hand_penalty", "int32", "points", "values of cards left in hand, subtracted"),
        Column("went_out", "int32", "rounds", "rounds in which the seat went out"),
        Column("digs", "int32", "moves", "times that the seat dug"),
        Column("dug_cards", "int32", "cards", "cards taken by digging"),
        Column("decisions", "int32", "moves", "decisions, also those with one legal action"),
        Column(
            "forfeits",
            "int32",
            "games",
            "1 if the agent forfeited the game, which then ends and is lost: it raised, chose an "
            "illegal action or took too long",
        ),
        Column("cheats", "bool", "", "whether the agent sees all hands and the stock"),
    ),
    "actions": (
        _GAME,
        Column("round", "int32", "", "number of the round in its game, from 1"),
        Column("number", "int32", "", "number of the decision in its game, from 0"),
        _SEAT,
        Column("action", "int16", "", "index of the action in the action space of the rules"),
        Column("move", "string", "", "the action as text"),
    ),
    "timings": (
        _GAME,
        _SEAT,
        Column(
            "decide_seconds",
            "float64",
            "s",
            "time the agent took for its decisions; 0 for compiled agents, which are not timed",
        ),
    ),
}


OPTIONAL: Final = ("actions",)
"""Tables that are written when they are asked for."""


def names(with_actions: bool) -> tuple[str, ...]:
    """The names of the tables of a run."""
    return tuple(name for name in TABLES if with_actions or name not in OPTIONAL)


def columns(table: str, num_players: int) -> tuple[Column, ...]:
    """The columns of a table at so many seats."""
    found: list[Column] = []
    for column in TABLES[table]:
        seats = range(num_players) if "{seat}" in column.name else [0]
        found += [column._replace(name=column.name.format(seat=seat)) for seat in seats]
    return tuple(found)


def schema(table: str, num_players: int) -> pa.Schema:
    """The schema of a table's file, with unit and meaning of each column in its metadata."""
    fields = [
        pa.field(
            column.name,
            pa.type_for_alias(column.type),
            nullable=False,
            metadata={"unit": column.unit, "doc": column.doc},
        )
        for column in columns(table, num_players)
    ]
    about = {"table": table, "format_version": str(FORMAT_VERSION)}
    return pa.schema(fields, metadata=about)


def documentation() -> str:
    """All tables and columns as Markdown."""
    parts: list[str] = []
    for table, declared in TABLES.items():
        rows = [
            f"| `{column.name}` | {column.type} | {column.unit or '-'} | {column.doc} |"
            for column in declared
        ]
        heads = ["| column | type | unit | meaning |", "| --- | --- | --- | --- |"]
        parts.append("\n".join([f"## `{table}`", "", *heads, *rows]))
    return "\n\n".join(parts) + "\n"


def of_games(
    agents: tuple[str, ...],
    block: Block,
    result: ArenaResult,
    moves: Sequence[str] | None = None,
    cheats: Collection[str] = (),
) -> dict[str, pa.Table]:
    """The rows of some games, for each table.

    Args:
        agents: names of the agents.
        block: the games.
        result: how they went.
        moves: texts of all actions, for the table of actions; None: there is none.
        cheats: names of the agents that see hidden cards.
    """
    num_games, num_players = block.agents.shape
    every = np.repeat(np.arange(num_games), num_players)
    seat = np.tile(np.arange(num_players), num_games)
    by_seat = pa.array(list(agents)).take(pa.array(block.agents.ravel()))
    cheating = np.array([name in cheats for name in agents])[block.agents]
    scores = np.asarray(result.scores)
    forfeits = np.asarray(result.forfeit_seat)[:, None] == np.arange(num_players)
    values: dict[str, dict[str, Any]] = {
        "games": {
            "game_id": block.game_id,
            "deal": block.deal,
            "lineup": block.lineup,
            "seating": block.seating,
            "seed": block.seeds,
            "agents": _seated(agents, block.agents),
            "rounds": result.rounds,
            "winners": np.asarray(result.won).sum(axis=1),
            "truncated_by": _words(TRUNCATIONS, result.truncated),
            "forfeit_seat": result.forfeit_seat,
            "forfeit_reason": pa.array(result.forfeit_reason, pa.string()),
        },
        "rounds": {
            "game_id": block.game_id[result.round_game],
            "deal": block.deal[result.round_game],
            "round": np.asarray(result.round_index) + 1,
            "how": _words(ENDINGS, result.round_how),
            "out_seat": result.round_out,
            "turns": result.round_turns,
        }
        | {f"score_{s}": result.round_scores[:, s] for s in range(num_players)},
        "seats": {
            "game_id": block.game_id[every],
            "deal": block.deal[every],
            "seating": block.seating[every],
            "seat": seat,
            "agent": by_seat,
            "score": scores,
            "rank": (scores[:, None, :] > scores[:, :, None]).sum(axis=2) + 1,
            "won": result.won,
            "rounds": np.asarray(result.rounds)[every],
            "points_melded": result.points_melded,
            "points_laid_off": result.points_laid_off,
            "hand_penalty": result.hand_penalty,
            "went_out": result.went_out,
            "digs": result.digs,
            "dug_cards": result.dug_cards,
            "decisions": result.decisions,
            "forfeits": forfeits,
            "cheats": cheating,
        },
        "timings": {
            "game_id": block.game_id[every],
            "seat": seat,
            "decide_seconds": result.decide_seconds,
        },
    }
    if moves is not None:
        values["actions"] = _moves(block, result, moves)
    return {table: _table(table, num_players, found) for table, found in values.items()}


def _moves(block: Block, result: ArenaResult, texts: Sequence[str]) -> dict[str, Any]:
    """The columns of the table of actions."""
    count = np.asarray(result.round_decisions)
    game = np.repeat(result.round_game, count)
    starts = np.flatnonzero(np.diff(game, prepend=-1))
    first = np.repeat(starts, np.diff(starts, append=len(game)))
    return {
        "game_id": block.game_id[game],
        "round": np.repeat(np.asarray(result.round_index) + 1, count),
        "number": np.arange(len(game)) - first,
        "seat": result.move_seats,
        "action": result.moves,
        "move": _words(texts, result.moves),
    }


def game_sums(names: Sequence[str], num_players: int, seats: pa.Table) -> GameSums:
    """What is summed of games, from their rows of the table ``seats``: all games of some deals."""

    def by_game(column: str) -> np.ndarray:
        return seats[column].to_numpy().reshape(-1, num_players)

    said = seats["agent"].combine_chunks().dictionary_encode()
    numbers = np.array([names.index(name) for name in said.dictionary.to_pylist()], np.int16)
    return GameSums(
        by_game("deal")[:, 0],
        numbers[said.indices.to_numpy()].reshape(-1, num_players),
        by_game("score"),
        by_game("won"),
        by_game("rounds")[:, 0],
        by_game("went_out"),
    )


def _seated(names: tuple[str, ...], agents: np.ndarray) -> pa.Array:
    """The names of the agents of each table in one text."""
    join = pc.binary_join_element_wise  # pyright: ignore[reportAttributeAccessIssue]  made at import
    return join(*(_words(names, seat) for seat in agents.T), SEPARATOR)


def _words(words: Sequence[str], codes: np.ndarray) -> pa.Array:
    return pa.array(list(words)).take(pa.array(np.asarray(codes)))


def _table(table: str, num_players: int, values: Mapping[str, Any]) -> pa.Table:
    shape = schema(table, num_players)
    arrays: list[pa.Array] = []
    for field in shape:
        found = values[field.name]
        if not isinstance(found, pa.Array):
            found = pa.array(np.ravel(found))
        arrays.append(found.cast(field.type))  # refuses values that do not fit
    return pa.Table.from_arrays(arrays, schema=shape)
