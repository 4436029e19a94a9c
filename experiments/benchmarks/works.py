"""What is measured: batches, single games, the PettingZoo environment, copies, games of agents.

Everything plays one preset in episodes of one round, at random unless it says otherwise. Decisions
of all seats are counted, forced ones too: nothing is skipped. Sampling an action is part of the
work and part of its floor.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import agents
from experiments.benchmarks.floors import EmptyAEC, EmptyGame, FloorBatch, note_rows, wrapped
from experiments.benchmarks.harness import Group, Ratio, Target, Work
from experiments.benchmarks.play import BenchError, Length, Tally, length_of
from rummy500_env.arena import Arena
from rummy500_env.batch import BatchGame
from rummy500_env.envs import aec
from rummy500_env.game import Game
from rummy500_env.rules import Rules
from rummy500_env.view_record import VIEW

__all__ = ["Bench", "num_cores"]

DECISIONS: Final = "decisions/s"
ROUNDS: Final = "rounds/s"
PRESET: Final = "rummy500"

DOCUMENTED_SIZE: Final = 1024
SHARED_SIZE: Final = 4096  # waking a second thread takes a tenth of a step of 1,024 tables
"""Tables of a batch that the targets speak of."""

SPIN_UP: Final = 100
"""Steps before a batch is measured: tables leave the deal, which has few legal actions."""

AGENTS: Final = ("random", "greedy")
"""Agents whose rounds are timed."""

GAMES: Final = 512
"""Rounds that agents play at a time and core."""


def num_cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Bench:
    """Makes the works for one number of players, and keeps count of what they play.

    Args:
        num_players: Seats at each table.
        seed: All play follows from it.
        sizes: Tables of the batches.
        dtypes: Types of observations in batches.
        preset: The rules.
        length: The length of a round of these, unless it is that of ``rummy500``.

    Attributes:
        tallies: What was played, by work.
    """

    def __init__(
        self,
        num_players: int,
        seed: int = 0,
        sizes: tuple[int, ...] = (DOCUMENTED_SIZE,),
        dtypes: tuple[str, ...] = ("float32", "int8"),
        preset: str = PRESET,
        length: Length | None = None,
    ) -> None:
        self.num_players, self.seed = num_players, seed
        self.sizes, self.dtypes = sizes, dtypes
        self.preset, self.rules = preset, Rules.preset(preset)
        self.known = length or length_of(num_players)
        self.length = round(self.known.mean)
        self.cores = num_cores()
        self.tallies: list[Tally] = []
        self._random = random.Random(seed)
        self._checksum = np.zeros(1)

    @property
    def num_groups(self) -> int:
        """How many groups there are."""
        return len(self.dtypes) * len(self.sizes) + 5 + len(AGENTS)

    def groups(self) -> Iterator[Group]:
        """All groups, each made when it is asked for."""
        for dtype in self.dtypes:
            for size in self.sizes:
                yield self.batch(size, dtype)
        yield self.game()
        yield self.environment()
        yield self.clone()
        yield self.clone_batch()
        yield self.view()
        for name in AGENTS:
            yield self.arena(name)

    # -- batches -------------------------------------------------------------------------------

    def batch(self, size: int, dtype: str) -> Group:
        """A batch on one core and on all, and its floor."""
        name = f"BatchGame {size} {dtype}"
        about = {"num_games": size, "observation_dtype": dtype}
        one = self.make_batch(size, dtype, 1)
        aims = dtype == "float32" and size == DOCUMENTED_SIZE
        works = [
            self.batch_work(f"{name}, one core", one, {**about, "threads": 1}),
            self.floor_work(f"{name}: floor", FloorBatch(one), {**about, "threads": 1}),
        ]
        share = Target(">=", 0.30) if aims else None
        ratios = [Ratio("  of its floor", works[0].name, works[1].name, share)]
        if self.cores > 1 and len((many := self.make_batch(size, dtype, self.cores))._slices) > 1:
            found = {**about, "threads": self.cores}
            works.append(self.batch_work(f"{name}, {self.cores} cores", many, found))
            gain = Target(">=", 1.7) if dtype == "float32" and size == SHARED_SIZE else None
            ratios.append(Ratio("  all cores to one", works[2].name, works[0].name, gain))
        return Group(works, ratios)

    def make_batch(
        self, size: int, dtype: str, threads: int, rules: Rules | None = None
    ) -> BatchGame:
        """Make a batch; of other rules than the preset's, if they are given."""
        return BatchGame(
            rules or self.rules,
            self.num_players,
            size,
            self.seed,
            episode="round",
            observation_dtype=dtype,
            skip_forced=False,
            threads=threads,
        )

    def batch_work(
        self,
        name: str,
        batch: BatchGame,
        about: dict[str, Any] | None = None,
        counted: bool = True,
    ) -> Work:
        """Random play of a batch; ``counted`` if its rounds have the known length."""
        tally = self._tally(name, tables=batch.num_games) if counted else None

        def run(steps: int) -> int:
            units = self._step(batch, steps, tally)
            if not (batch.action_mask.any(axis=1).all() and batch.observation.any(axis=1).all()):
                raise BenchError(f"{name}: a row of the masks or observations is empty")
            return units

        self._step(batch, SPIN_UP, tally)
        return Work(name, DECISIONS, run, about or {})

    def floor_work(self, name: str, floor: FloorBatch, about: dict[str, Any] | None = None) -> Work:
        """The floor of a batch."""
        return Work(name, DECISIONS, lambda steps: self._step(floor, steps), about or {})

    def _step(self, batch: BatchGame | FloorBatch, steps: int, tally: Tally | None = None) -> int:
        """Play legal actions at random, and look at what came out after each step."""
        rounds = 0
        for step in range(steps):
            batch.step(batch.sample_actions())
            rounds += note_rows(
                batch.observation,
                batch.action_mask,
                batch.terminations,
                batch.truncations,
                step,
                self._checksum,
            )
        if tally is not None:
            tally.decisions += steps * batch.num_games
            tally.rounds += rounds
        return steps * batch.num_games

    # -- one table -----------------------------------------------------------------------------

    def game(self) -> Group:
        """A game with mask and observation at each decision, and its floor."""
        name = "Game: step, mask, observation"
        tally = self._tally(name)
        seeds = iter(range(self.seed, 2**63))
        observation, mask = self.typical("float32")

        def play(games: int) -> int:
            decisions = 0
            for _ in range(games):
                game = Game(self.rules, self.num_players, next(seeds), "round")
                decisions += self._play(game)
                tally.rounds += len(game.rounds)
            tally.decisions += decisions
            return decisions

        def play_nothing(games: int) -> int:
            return sum(self._play(EmptyGame(observation, mask, self.length)) for _ in range(games))

        floor = f"{name}: floor"
        works = [Work(name, DECISIONS, play), Work(floor, DECISIONS, play_nothing)]
        return Group(works, [Ratio("  of its floor", name, floor)])

    def _play(self, game: Game | EmptyGame) -> int:
        decisions = 0
        while not game.is_over:
            mask = game.action_mask()
            observation = game.observe(game.current_seat)
            self._checksum[0] += observation[decisions % len(observation)]
            game.step(self._pick(mask))
            decisions += 1
        return decisions

    def _pick(self, mask: npt.NDArray[np.int8]) -> int:
        """Draw a legal action; nonzero is several times faster on truth values."""
        legal = mask.view(np.bool_).nonzero()[0]
        return int(legal[int(self._random.random() * len(legal))])

    def typical(self, dtype: str) -> tuple[npt.NDArray[Any], npt.NDArray[np.int8]]:
        """An observation and a mask with about as many ones as masks have on average."""
        batch = self.make_batch(256, dtype, 1)
        self._step(batch, SPIN_UP)
        ones = batch.action_mask.sum(axis=1)
        row = int(np.abs(ones - ones.mean()).argmin())
        return batch.observation[row].copy(), batch.action_mask[row].copy()

    # -- PettingZoo ----------------------------------------------------------------------------

    def environment(self) -> Group:
        """The environment, and empty ones: bare, and inside PettingZoo's wrappers."""
        name = "AEC: agent_iter, last, step"
        tally = self._tally(name)
        env = aec.env(self.rules, self.num_players, episode="round")
        env.reset(seed=self.seed)
        empty = EmptyAEC(env, *self.typical("float32"), self.length)
        outer = wrapped(EmptyAEC(env, *self.typical("float32"), self.length))

        def play(episodes: int) -> int:
            decisions = self._iterate(env, episodes)
            tally.decisions += decisions
            tally.rounds += episodes
            return decisions

        bare, inside = f"{name}: empty", f"{name}: empty, wrapped"
        works = [
            Work(name, DECISIONS, play),
            Work(bare, DECISIONS, lambda episodes: self._iterate(empty, episodes)),
            Work(inside, DECISIONS, lambda episodes: self._iterate(outer, episodes)),
        ]
        return Group(
            works,
            [
                Ratio("  of an empty environment", name, bare, Target(">=", 0.4)),
                Ratio("  to an empty one in three wrappers", name, inside, Target(">=", 3.0)),
            ],
        )

    def _iterate(self, env: Any, episodes: int) -> int:
        """Play episodes in PettingZoo's loop; the steps of agents that are done count nothing."""
        decisions = 0
        for _ in range(episodes):
            env.reset()
            for _agent in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                    continue
                vector = observation["observation"]
                self._checksum[0] += vector[decisions % len(vector)]
                env.step(self._pick(observation["action_mask"]))
                decisions += 1
        return decisions

    # -- copies --------------------------------------------------------------------------------

    def clone(self) -> Group:
        """A copy of a game, and of as many bytes."""
        game = Game(self.rules, self.num_players, self.seed)
        about = {"bytes": game._record.nbytes}
        name, copy = "Game.clone", "Game.clone: as many bytes"
        works = [
            Work(name, "µs/clone", lambda count: _repeat(game.clone, count), about),
            Work(copy, "µs/clone", _copying(game._record.nbytes, 1), about),
        ]
        return Group(works, [Ratio("  times the bytes alone", name, copy)])

    def clone_batch(self) -> Group:
        """A copy of a batch over another one, and of as many bytes, for each of its tables."""
        batch = self.make_batch(DOCUMENTED_SIZE, "float32", 1)
        self._step(batch, SPIN_UP)
        twin = batch.clone()
        size = batch_bytes(batch)
        about = {"bytes": size / DOCUMENTED_SIZE, "num_games": DOCUMENTED_SIZE}
        name = f"BatchGame.clone, a table of {DOCUMENTED_SIZE}"
        copy = "BatchGame.clone: as many bytes"
        works = [
            Work(
                name,
                "µs/table",
                lambda count: _repeat(lambda: batch.clone(twin), count) * DOCUMENTED_SIZE,
                about,
                Target("<", 1.0),
            ),
            Work(copy, "µs/table", _copying(size, DOCUMENTED_SIZE), about),
        ]
        return Group(works, [Ratio("  times the bytes alone", name, copy)])

    def view(self) -> Group:
        """What a seat may know, as an object for an agent, and a copy of as many bytes."""
        game = Game(self.rules, self.num_players, self.seed)
        seat, name = game.current_seat, "Game.view"
        copy = f"{name}: as many bytes"
        about = {"bytes": VIEW.itemsize}
        works = [
            Work(name, "µs/view", lambda count: _repeat(lambda: game.view(seat), count), about),
            Work(copy, "µs/view", _copying(VIEW.itemsize, 1), about),
        ]
        return Group(works, [Ratio("  times the bytes alone", name, copy)])

    # -- agents --------------------------------------------------------------------------------

    def arena(self, name: str) -> Group:
        """Rounds of an agent against itself, on one core and on all."""
        agent = agents.make(name)
        agent.reset(self.rules, self.num_players, self.seed)
        arena = Arena(self.rules, self.num_players, [agent], episode="round")
        words = np.random.default_rng(self.seed)
        against = "-".join([name] * 2) if self.num_players == 2 else f"{name} at all seats"

        def work(label: str, threads: int) -> Work:
            tally = self._tally(label) if name == "random" else None
            size = (GAMES * threads, self.num_players)

            def run(count: int) -> int:
                for _ in range(count):
                    seeds = words.integers(2**64, size=size[0], dtype=np.uint64)
                    keys = words.integers(2**64, size=size, dtype=np.uint64)
                    result = arena.play(seeds, np.zeros(size, np.int64), keys, threads)
                    if tally is not None:
                        tally.decisions += int(result.decisions.sum())
                        tally.rounds += len(result.round_how)
                return count * size[0]

            return Work(label, ROUNDS, run, {"threads": threads})

        works = [work(f"Arena {against}, one core", 1)]
        if self.cores == 1:
            return Group(works)
        works.append(work(f"Arena {against}, {self.cores} cores", self.cores))
        return Group(works, [Ratio("  all cores to one", works[1].name, works[0].name)])

    # -- inside --------------------------------------------------------------------------------

    def _tally(self, name: str, tables: int = 0) -> Tally:
        self.tallies.append(Tally(name, self.num_players, tables, known=self.known))
        return self.tallies[-1]


def batch_bytes(batch: BatchGame) -> int:
    """The bytes of a batch that a clone has of its own."""
    arrays = [value for value in vars(batch).values() if isinstance(value, np.ndarray)]
    return sum(array.nbytes for array in arrays) + sum(view.nbytes for view in batch._views)


def _repeat(call: Any, count: int) -> int:
    for _ in range(count):
        call()
    return count


def _copying(size: int, units: int) -> Any:
    """Copy bytes into new memory; it counts as so many units."""
    source = np.ones(size, np.uint8)
    return lambda count: _repeat(source.copy, count) * units
