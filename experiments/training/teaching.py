"""Decisions to learn from: of an agent that plays for it, or out of records of games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from agents.base import Agent
from agents.leads import leads
from experiments.errors import RunError
from experiments.making import made
from experiments.training.config import ImitateConfig
from rummy500_env.actions import action_space
from rummy500_env.arena import Arena
from rummy500_env.engine.jit import allocate
from rummy500_env.networks import round_differences
from rummy500_env.records import Record, read, verify
from rummy500_env.rules import Rules
from rummy500_env.view_record import VIEW

__all__ = ["Decisions", "Played", "Recorded", "lessons_of"]


class Decisions(NamedTuple):
    """``N`` decisions where there was a choice, of rounds that were played to their end.

    Attributes:
        views: Array of views.
        masks: ``int8 (N, n)``: what was legal.
        actions: ``int64 (N,)``: what was done.
        ends: ``float64 (N,)``: points of the round that the viewer came to have over the others'
            mean.
    """

    views: npt.NDArray[Any]
    masks: npt.NDArray[np.int8]
    actions: npt.NDArray[np.int64]
    ends: npt.NDArray[np.float64]


class _Noting(Agent):
    """Plays as its teacher does and notes all it was asked.

    Attributes:
        noted: Views, masks and actions of each call.
    """

    def __init__(self, teacher: Agent) -> None:
        self.name, self._teacher = teacher.name, teacher
        self.noted: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        """Be told of moves (``watches``, ``note_moves``) where the teacher wants to be."""
        if name not in ("watches", "note_moves"):
            raise AttributeError(name)
        return getattr(self._teacher, name)

    def act(
        self, views: npt.NDArray[Any], action_masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.integer[Any]]:
        """Return the teacher's action for each view."""
        actions = np.asarray(self._teacher.act(views, action_masks))
        kept = action_masks.sum(axis=1) > 1
        self.noted.append((views[kept], action_masks[kept], actions[kept]))
        return actions


class Played:
    """Decisions of an agent that plays rounds against itself."""

    def __init__(self, config: ImitateConfig, rules: Rules) -> None:
        self._config, self._rules = config, rules
        self._teacher = made(config.teacher)

    def held_out(self) -> Decisions:
        """Return decisions that are not learned from."""
        return self._play([self._config.seed, 2], self._config.held_out)

    def lessons(self, iteration: int) -> Decisions:
        """Return what is learned from in an iteration."""
        return self._play([self._config.seed, 1, iteration], self._config.rounds_at_once)

    def _play(self, seed: list[int], rounds: int) -> Decisions:
        num_players, rng = self._config.players, np.random.default_rng(seed)
        self._teacher.reset(self._rules, num_players, int(rng.integers(2**63)))
        noting = _Noting(self._teacher)
        seeds = rng.integers(2**64, size=rounds, dtype=np.uint64)
        keys = rng.integers(2**64, size=(rounds, num_players), dtype=np.uint64)
        arena = Arena(self._rules, num_players, [noting])
        scores = arena.play(seeds, np.zeros((rounds, num_players), np.int64), keys).scores
        views, masks, actions = (np.concatenate(x) for x in zip(*noting.noted, strict=True))
        ends = leads(scores[views["table"]], views["viewer"])
        return Decisions(views, masks, actions.astype(np.int64), ends)


class Recorded:
    """Decisions out of records, game by game, in another order each time through.

    Raises:
        RunError: when there are no such decisions, too few games, or games of other rules.
        RecordError: when a file is damaged.
    """

    def __init__(self, config: ImitateConfig, rules: Rules) -> None:
        self._config, self._rules = config, rules
        found = [record for path in config.records for record in read(path)]
        records = [record for record in found if _ended(record) and self._has_named(record)]
        for record in records:
            self._check(record)
        order = np.random.default_rng([config.seed, 2]).permutation(len(records))
        shuffled = iter([records[k] for k in order])
        self._held = _so_many(shuffled, config.held_out)
        self._learned = list(shuffled)
        if not self._learned:
            raise RunError(
                f"records hold {sum(map(_ended, records))} rounds to learn from in {len(records)} "
                f"games: held_out={config.held_out} leaves none; give more games or hold out less"
            )
        self._plan = self._planned()

    def held_out(self) -> Decisions:
        """Return decisions that are not learned from."""
        return self._decisions(self._held)

    def lessons(self, iteration: int) -> Decisions:
        """Return what is learned from in an iteration."""
        return self._decisions(self._plan[iteration])

    def _has_named(self, record: Record) -> bool:
        names = self._config.names
        return not names or not set(names).isdisjoint(record.header.players)

    def _check(self, record: Record) -> None:
        header = record.header
        if header.num_players != self._config.players:
            record.fail(f"played by {header.num_players}, not by players={self._config.players}")
        if differ := round_differences(self._rules, header.rules):
            record.fail(f"played by other rules than {self._config.rules!r}: {', '.join(differ)}")

    def _planned(self) -> list[list[Record]]:
        """Return the games of each iteration."""
        plan: list[list[Record]] = []
        rng = np.random.default_rng([self._config.seed, 1])
        coming: list[Record] = []
        while len(plan) < self._config.iterations:
            coming += [self._learned[k] for k in rng.permutation(len(self._learned))]
            while sum(map(_ended, coming)) >= self._config.rounds_at_once:
                left = iter(coming)
                plan.append(_so_many(left, self._config.rounds_at_once))
                coming = list(left)
        return plan

    def _decisions(self, records: Iterable[Record]) -> Decisions:
        views, masks, actions, ends = [], [], [], []
        for record in records:
            names, replay = record.header.players, verify(record)
            scores = {one.round: one.scores for one in record.rounds}
            for step in replay.steps():
                seat, points, mask = step.seat, scores[step.round], step.game.action_mask()
                named = not self._config.names or names[seat] in self._config.names
                if points is not None and named and mask.sum() > 1:
                    views.append(step.game.view_record(seat))
                    masks.append(mask)
                    actions.append(replay.game.history[step.number])
                    ends.append(float(leads(np.array(points), seat)))
        n = action_space(self._rules, self._config.players).n
        return Decisions(
            np.concatenate([allocate(0, VIEW), *views]),
            np.array(masks, np.int8).reshape(-1, n),
            np.array(actions, np.int64),
            np.array(ends, np.float64),
        )


def lessons_of(config: ImitateConfig, rules: Rules) -> Played | Recorded:
    """Return where decisions come from."""
    return Recorded(config, rules) if config.records else Played(config, rules)


def _ended(record: Record) -> int:
    """Return how many rounds of a game were played to their end."""
    return sum(one.scores is not None for one in record.rounds)


def _so_many(records: Iterable[Record], rounds: int) -> list[Record]:
    """Take games until there are so many rounds of them."""
    taken, count = [], 0
    for record in records:
        taken.append(record)
        count += _ended(record)
        if count >= rounds:
            break
    return taken
