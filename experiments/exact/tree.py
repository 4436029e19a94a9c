"""The whole tree of one round, in the form that solvers need.

The *sequence form* (Koller, Megiddo and von Stengel, "Efficient computation of equilibria for
extensive two-person games", 1996) keeps of a tree only what a strategy can decide. A *sequence* is
a row of actions of one seat: numbers 0 to seats - 1 are the empty ones, each action at an
information set is one more. What two seats' last sequences are at an end, how likely chance makes
it and what it pays is all that is left of the histories.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from experiments.errors import RunError
from experiments.exact import grow
from experiments.exact.size import estimate_size, root_table, too_large
from rummy500_env.engine.jit import allocate
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.engine.state import STATE
from rummy500_env.rules import Rules

__all__ = ["DEFAULT_LIMIT", "GameTree", "grow_tree"]

DEFAULT_LIMIT: Final = 30_000_000
"""Histories that are enumerated unless more are asked for: about a minute, some GB."""

FAR_TOO_LARGE: Final = 1000
"""An estimate of so many times the limit is believed without a try."""


@dataclass(frozen=True)
class GameTree:
    """One round of some rules, all of it; seat 0 is the first to turn.

    Attributes:
        rules: The rules.
        num_players: Seats.
        counts: Numbers of ``histories`` (all nodes), ``chance_nodes``, ``decision_nodes``,
            ``terminals``, ``information_sets``, ``sequences``, and the ``depth``.
        set_seat: ``int8 (sets,)``: who decides at each information set. A set comes after all
            that lead to it.
        set_first: ``int32 (sets,)``: the sequence of its first action; the others follow it.
        set_size: ``int16 (sets,)``: legal actions.
        set_parent: ``int32 (sets,)``: the own sequence that leads there.
        set_path: ``int64 (sets + 1,)``: where in `paths` the path to one of its histories lies.
        paths: ``int16``: steps from the root: actions, or faces with 2**14 added.
        sequence_action: ``int16 (sequences,)``: the action; -1 for the empty ones.
        ends: ``int32 (terminals, seats)``: the last sequence of each seat.
        end_chance: ``float64 (terminals,)``: what chance makes of the probability; sums to 1 over
            all ends that a pure strategy of all seats can reach.
        end_points: ``int32 (terminals, seats)``: scores of the round.
    """

    rules: Rules
    num_players: int
    counts: dict[str, int]
    set_seat: npt.NDArray[np.int8]
    set_first: npt.NDArray[np.int32]
    set_size: npt.NDArray[np.int16]
    set_parent: npt.NDArray[np.int32]
    set_path: npt.NDArray[np.int64]
    paths: npt.NDArray[np.int16]
    sequence_action: npt.NDArray[np.int16]
    ends: npt.NDArray[np.int32]
    end_chance: npt.NDArray[np.float64]
    end_points: npt.NDArray[np.int32]

    @property
    def num_sets(self) -> int:
        """Number of information sets, of all seats."""
        return len(self.set_seat)

    @property
    def num_sequences(self) -> int:
        """Number of sequences, of all seats."""
        return len(self.sequence_action)

    @cached_property
    def sequence_set(self) -> npt.NDArray[np.int32]:
        """``int32 (sequences,)``: the information set of each sequence; -1 for the empty ones."""
        found = np.full(self.num_sequences, -1, np.int32)
        found[self.num_players :] = np.repeat(np.arange(self.num_sets), self.set_size)
        return found

    def path(self, number: int) -> list[int]:
        """Return the steps from the root to the first history of an information set."""
        return self.paths[self.set_path[number] : self.set_path[number + 1]].tolist()


def grow_tree(rules: Rules, num_players: int = 2, limit: int = DEFAULT_LIMIT) -> GameTree:
    """Enumerate one round.

    Args:
        rules: The rules.
        num_players: Seats.
        limit: Most histories.

    Raises:
        RulesError: when the rules cannot seat that many players.
        RunError: when the tree is larger; it says how large it is about, and what makes it
            smaller. Also for rules in which a seat decides before it sees its hand.
    """
    record = rules_record(rules, num_players)
    if rules.dealers_joker:
        raise RunError(
            "dealers_joker=True is not enumerated: the dealer decides before the hands are seen; "
            "use dealers_joker=False"
        )
    if estimate_size(rules, num_players, probes=100)[0] > FAR_TOO_LARGE * limit:
        raise too_large(rules, num_players, limit)
    room = 1 << 14
    while True:
        found = _grow_within(rules, record, num_players, limit, room)
        if isinstance(found, GameTree):
            return found
        if found == grow.HISTORIES_FULL:
            raise too_large(rules, num_players, limit)
        room *= 4


def _grow_within(rules: Rules, record: Any, n: int, limit: int, room: int) -> GameTree | int:
    """Return the tree, or why it does not fit into arrays for that many memories."""
    depth = grow.MAX_DEPTH
    tables = allocate(depth, STATE)
    root_table(tables, record)
    keys = np.full(4 * room, -1, np.int64)
    values = np.zeros(4 * room, np.int32)
    last = np.zeros(room, np.int32)
    set_of = np.full(room, -1, np.int32)
    set_seat = np.zeros(room, np.int8)
    set_first = np.zeros(room, np.int32)
    set_size = np.zeros(room, np.int16)
    set_parent = np.zeros(room, np.int32)
    set_path = np.zeros(room + 1, np.int64)
    sequence_action = np.zeros(2 * room, np.int16)
    paths = np.zeros(16 * room, np.int16)
    ends = np.zeros((4 * room, n), np.int32)
    end_chance = np.zeros(4 * room)
    end_points = np.zeros((4 * room, n), np.int32)
    counters = np.zeros(len(grow.COUNTERS), np.int64)
    stopped = grow.grow(
        tables,
        record,
        np.int64(limit),
        keys,
        values,
        last,
        set_of,
        set_seat,
        set_first,
        set_size,
        set_parent,
        set_path,
        sequence_action,
        paths,
        ends,
        end_chance,
        end_points,
        counters,
        np.zeros((depth, n), np.int64),
        np.zeros(depth, np.int16),
        np.zeros((depth, 53), np.int64),
        np.zeros((depth, 53)),
        np.zeros(depth),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
    )
    if stopped:
        return int(stopped)
    counts: dict[str, int] = dict(zip(grow.COUNTERS, counters.tolist(), strict=True))
    sets, sequences = counts["information_sets"], counts["sequences"]
    terminals = counts["terminals"]
    return GameTree(
        rules,
        n,
        counts,
        set_seat[:sets].copy(),
        set_first[:sets].copy(),
        set_size[:sets].copy(),
        set_parent[:sets].copy(),
        set_path[: sets + 1].copy(),
        paths[: counts["path_length"]].copy(),
        sequence_action[:sequences].copy(),
        ends[:terminals].copy(),
        end_chance[:terminals].copy(),
        end_points[:terminals].copy(),
    )
