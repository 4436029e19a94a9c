"""What is measured: batches, single games, the PettingZoo environment, copies, games of agents.

Everything plays one preset in episodes of one round, at random unless it says otherwise. Decisions
of all seats are counted, forced ones too: nothing is skipped. Sampling an action is part of the
work and part of its floor.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import agents
from experiments.benchmarks.copies import copies
from experiments.benchmarks.faces import faces
from experiments.benchmarks.floors import EmptyAEC, EmptyGame, FloorBatch, note_rows, wrapped
from experiments.benchmarks.harness import Group, Ratio, Target, Work
from experiments.benchmarks.loops import Reader, play_aec, play_table, reading
from experiments.benchmarks.play import BenchError, Length, Tally, length_of
from rummy500_env.arena import Arena
from rummy500_env.batch import BatchGame
from rummy500_env.envs import aec
from rummy500_env.envs.selfplay import SelfPlayVector
from rummy500_env.game import Game
from rummy500_env.rules import Rules

__all__ = ["DECISIONS", "DOCUMENTED_SIZE", "PRESET", "Bench", "num_cores"]

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


class _Stepped:
    """What a vector environment returns, step by step, as a batch has it."""

    def __init__(self, vector: SelfPlayVector) -> None:
        self._vector = vector
        self.num_games = vector.num_envs
        self.sample_actions = vector.batch.sample_actions
        seen, _ = vector.reset()
        self.observation, self.action_mask = seen["observation"], seen["action_mask"]
        self.terminations = self.truncations = np.zeros(vector.num_envs, np.bool_)

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Step, and keep what is returned."""
        seen, _, self.terminations, self.truncations, _ = self._vector.step(actions)
        self.observation, self.action_mask = seen["observation"], seen["action_mask"]


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
        self.reader = Reader(seed)
        self._checksum = np.zeros(1)

    @property
    def num_groups(self) -> int:
        """How many groups there are."""
        return len(self.dtypes) * len(self.sizes) + 6 + len(AGENTS)

    def groups(self) -> Iterator[Group]:
        """All groups, each made when it is asked for."""
        for dtype in self.dtypes:
            for size in self.sizes:
                yield self.batch(size, dtype)
        yield faces(self, DOCUMENTED_SIZE)
        yield self.game()
        yield self.environment()
        yield from copies(self.new_game(), self.played_batch())
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

    def played_batch(self, dtype: str = "float32") -> BatchGame:
        """A batch of the documented size whose tables are in the midst of rounds."""
        batch = self.make_batch(DOCUMENTED_SIZE, dtype, 1)
        self._step(batch, SPIN_UP)
        return batch

    def vector_work(self, name: str) -> Work:
        """Random play of as many tables behind Gymnasium's names."""
        settings: dict[str, Any] = {"episode": "round", "skip_forced": False, "seed": self.seed}
        vector = SelfPlayVector(DOCUMENTED_SIZE, self.rules, self.num_players, **settings)
        return self.batch_work(name, _Stepped(vector))

    def batch_work(
        self,
        name: str,
        batch: BatchGame | _Stepped,
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

    def _step(
        self, batch: BatchGame | FloorBatch | _Stepped, steps: int, tally: Tally | None = None
    ) -> int:
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

    def new_game(self) -> Game:
        """A game before its first decision."""
        return Game(self.rules, self.num_players, self.seed)

    def game(self) -> Group:
        """A game with mask and observation at each decision, and its floor."""
        work = self.game_work()
        observation, mask = self.typical("float32")

        def play_nothing(games: int) -> None:
            for _ in range(games):
                play_table(EmptyGame(observation, mask, self.length), self.reader)

        floor = f"{work.name}: floor"
        works = [work, Work(floor, DECISIONS, reading(floor, self.reader, play_nothing))]
        return Group(works, [Ratio("  of its floor", work.name, floor)])

    def game_work(self) -> Work:
        """A game with mask and observation at each decision."""
        name = "Game: step, mask, observation"
        tally = self._tally(name)
        seeds = iter(range(self.seed, 2**63))

        def play(games: int) -> None:
            for _ in range(games):
                game = Game(self.rules, self.num_players, next(seeds), "round")
                play_table(game, self.reader)
                tally.rounds += len(game.rounds)

        return Work(name, DECISIONS, self._counted(reading(name, self.reader, play), tally))

    def _counted(self, run: Callable[[int], int], tally: Tally) -> Callable[[int], int]:
        """The same, with its decisions in the tally."""

        def counting(count: int) -> int:
            decisions = run(count)
            tally.decisions += decisions
            return decisions

        return counting

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
        work = self.environment_work()
        env = aec.env(self.rules, self.num_players, episode="round")
        empty = EmptyAEC(env, *self.typical("float32"), self.length)
        outer = wrapped(EmptyAEC(env, *self.typical("float32"), self.length))
        bare, inside = f"{work.name}: empty", f"{work.name}: empty, wrapped"
        works = [
            work,
            Work(bare, DECISIONS, self._aec_run(bare, empty)),
            Work(inside, DECISIONS, self._aec_run(inside, outer)),
        ]
        return Group(
            works,
            [
                Ratio("  of an empty environment", work.name, bare, Target(">=", 0.4)),
                Ratio("  to an empty one in three wrappers", work.name, inside, Target(">=", 3.0)),
            ],
        )

    def environment_work(self) -> Work:
        """The environment in PettingZoo's loop."""
        name = "AEC: agent_iter, last, step"
        tally = self._tally(name)
        env = aec.env(self.rules, self.num_players, episode="round")
        env.reset(seed=self.seed)
        run = self._counted(self._aec_run(name, env), tally)

        def play(episodes: int) -> int:
            tally.rounds += episodes
            return run(episodes)

        return Work(name, DECISIONS, play)

    def _aec_run(self, name: str, env: Any) -> Callable[[int], int]:
        def play(episodes: int) -> None:
            play_aec(env, episodes, self.reader)

        return reading(name, self.reader, play)

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
