"""The strategy of an agent, asked of it at every information set of a tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from agents import Agent, TurnAgent
from agents.base import PolicyAgent
from agents.tabular import PolicyTable, TabularAgent
from agents.uniform import random_policy
from experiments.errors import RunError
from experiments.exact.sequences import Numbers
from experiments.exact.tree import GameTree
from experiments.exact.walks import Walks, memories, walk_to

__all__ = ["DRAWS", "Asked", "policy_of", "policy_table"]

DRAWS: Final = 64
"""Times that an agent is asked at each information set, each time with other random bits."""

CHUNK: Final = 4096
"""Information sets asked at once."""


class Asked(NamedTuple):
    """What an agent plays.

    Attributes:
        strategy: ``float64 (sequences,)``: the probability of each action at its set.
        how: In words, how exact that is.
        is_exact: False where probabilities are shares of a number of random draws.
    """

    strategy: Numbers
    how: str
    is_exact: bool


def policy_of(
    agent: Agent,
    tree: GameTree,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Asked:
    """Ask an agent for its action at every information set.

    Of ``random`` and of tables the probabilities are known, and an agent that has a method
    ``probabilities(views, action_masks)`` is asked for them. Every other agent is asked ``draws``
    times with different random bits in its view; one that always answers alike is deterministic.
    What an agent that remembers has seen before is shown to it first, and its earlier decisions
    are asked of it too.

    Args:
        agent: The agent.
        tree: The tree, of two seats.
        draws: How often it is asked at each set.
        seed: What it is told at its reset, and what the random bits follow from.
        progress: Called with the number of sets that are done and of all.

    Raises:
        RunError: when it answers with an illegal action, or ``draws`` is not positive.
    """
    if draws < 1:
        raise RunError(f"draws={draws} is not allowed: use 1 or more")
    agent.reset(tree.rules, tree.num_players, seed)
    sequences = np.zeros(tree.num_sequences)
    sequences[: tree.num_players] = 1.0
    if isinstance(agent, PolicyAgent) and agent.policy is random_policy:
        sequences[tree.num_players :] = np.repeat(1.0 / tree.set_size, tree.set_size)
        return Asked(sequences, "exact: all legal actions are equally likely", True)
    if isinstance(agent, TabularAgent):
        return Asked(_of_table(agent.table, tree), "exact: the probabilities of its table", True)
    if hasattr(agent, "probabilities"):
        told = _probabilities(agent, tree, progress)
        return Asked(told, "exact: the probabilities that it says", True)
    words = np.random.default_rng([seed, 0x7461]).integers(0, 2**64, draws, np.uint64)
    remembers = isinstance(agent, TurnAgent)
    for begin in range(0, tree.num_sets, CHUNK):
        sets = np.arange(begin, min(begin + CHUNK, tree.num_sets))
        walks = walk_to(tree, sets, every=remembers)
        for word in words:
            walks.views["random"] = _spread(word, walks)
            actions = _told(agent, walks) if remembers else agent.act(walks.views, walks.masks)
            _count(tree, agent, walks, np.asarray(actions), sequences)
        if progress is not None:
            progress(int(sets[-1]) + 1, tree.num_sets)
    sequences[tree.num_players :] /= draws
    chosen = sequences[tree.num_players :]
    if ((chosen == 0) | (chosen == 1)).all():
        return Asked(sequences, f"deterministic: {draws} draws of random bits agree", True)
    how = f"estimated: shares of {draws} draws of its random bits at each information set"
    return Asked(sequences, how, False)


def _probabilities(
    agent: Any, tree: GameTree, progress: Callable[[int, int], None] | None
) -> Numbers:
    """Return what an agent says its probabilities are."""
    sequences = np.ones(tree.num_sequences)
    for begin in range(0, tree.num_sets, CHUNK):
        sets = np.arange(begin, min(begin + CHUNK, tree.num_sets))
        walks, size = walk_to(tree, sets), tree.set_size[sets]
        chances = np.asarray(agent.probabilities(walks.views, walks.masks))
        first = int(tree.set_first[sets[0]])  # sequences stand in the order of their sets
        rows, part = np.repeat(np.arange(len(sets)), size), slice(first, first + int(size.sum()))
        sequences[part] = chances[rows, tree.sequence_action[part]]
        sums = np.add.reduceat(sequences[part], np.cumsum(size) - size)
        if (sequences[part] < 0).any() or not np.allclose(sums, 1.0):
            raise RunError(f"agent {agent.name!r}: its probabilities of legal actions are none")
        if progress is not None:
            progress(int(sets[-1]) + 1, tree.num_sets)
    return sequences


def _spread(word: Any, walks: Walks) -> npt.NDArray[np.uint64]:
    """Return random bits for each view: equal ones for equal sets whatever the chunk."""
    last = np.repeat(walks.sets, np.diff(walks.rows)).astype(np.uint64)
    depth = (np.arange(len(last)) - np.repeat(walks.rows[:-1], np.diff(walks.rows))).astype(
        np.uint64
    )
    bits = (last * np.uint64(64) + depth + np.uint64(1)) * np.uint64(0x9E37_79B9_7F4A_7C15) ^ word
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58_476D_1CE4_E5B9)
    return bits ^ (bits >> np.uint64(27))


def _told(agent: TurnAgent, walks: Walks) -> npt.NDArray[np.int64]:
    """Return the last action of each way, asked of an agent that has lived through all of it."""
    first, last = walks.rows[:-1], walks.rows[1:] - 1
    actions = np.zeros(len(first), np.int64)
    # Moves are listed way after way, so those before a first view begin where the last way ended.
    for place in range(len(first)):
        agent.forget(int(walks.views["table"][last[place]]))
    for step in range(int((last - first).max()) + 1):
        here = np.flatnonzero(first + step <= last)
        rows = first[here] + step
        if agent.watches:
            for place, row in zip(here, rows, strict=True):
                begin = walks.move_ends[row - 1] if step else walks.way_starts[place]
                moves = range(int(begin), int(walks.move_ends[row]))
                told = [(int(walks.movers[m]), int(walks.moves[m])) for m in moves]
                view = walks.views[row]
                agent.note_moves(int(view["table"]), int(view["viewer"]), told)
        answers = np.asarray(agent.act(walks.views[rows], walks.masks[rows]))
        ends = rows == last[here]
        actions[here[ends]] = answers[ends]
    return actions


def _count(tree: GameTree, agent: Agent, walks: Walks, actions: Any, sequences: Numbers) -> None:
    """Add one to the sequence of each answer."""
    first = tree.set_first[walks.sets].astype(np.int64)
    size = tree.set_size[walks.sets]
    found = np.full(len(actions), -1, np.int64)
    for place in range(int(size.max())):
        at = np.minimum(first + place, tree.num_sequences - 1)
        matches = (place < size) & (tree.sequence_action[at] == actions)
        found[matches] = at[matches]
    if (found < 0).any():
        wrong = int(np.flatnonzero(found < 0)[0])
        raise RunError(f"agent {agent.name!r} answered {int(actions[wrong])}, which is illegal")
    sequences[found] += 1


def _of_table(table: PolicyTable, tree: GameTree) -> Numbers:
    if table.rules != tree.rules:
        raise RunError(f"the table is for the rules {table.rules.digest}, not {tree.rules.digest}")
    seen, starts = memories(tree)
    strategy = np.ones(tree.num_sequences)
    for number in range(tree.num_sets):
        _, chances = table.find(
            int(tree.set_seat[number]), seen[starts[number] : starts[number + 1]]
        )
        begin = tree.set_first[number]
        strategy[begin : begin + tree.set_size[number]] = chances
    return strategy


def policy_table(tree: GameTree, strategy: Numbers) -> PolicyTable:
    """Return a strategy as the table of an agent."""
    seen, starts = memories(tree)
    n = tree.num_players
    return PolicyTable(
        tree.rules,
        seen,
        starts,
        tree.sequence_action[n:],
        np.concatenate([[0], np.cumsum(tree.set_size, dtype=np.int64)]),
        strategy[n:].copy(),
        tree.set_seat,
    )
