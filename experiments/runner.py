"""Plays a schedule, on one core or several, in the order of the schedule.

Games are played in chunks of whole deals. A chunk takes a fraction of a second: its size follows
the speed measured so far, so that progress is seen, an interruption loses little, and slow and
fast agents are served alike. What a game gives hangs on its row of the schedule only, so neither
the size of the chunks nor the number of workers can be seen in the results.
"""

from __future__ import annotations

import bisect
import math
import multiprocessing
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import agents
from experiments.errors import RunError
from experiments.making import made
from experiments.schedule import agent_seed
from rummy500_env.arena import Arena
from rummy500_env.errors import Rummy500Error
from rummy500_env.faults import method_failed

if TYPE_CHECKING:
    from experiments.schedule import Block, Schedule
    from rummy500_env.arena import ArenaResult
    from rummy500_env.rules import Rules

__all__ = ["Conduct", "Episode", "Played", "Setup", "play"]

Episode: TypeAlias = Literal["round", "game"]

CHUNK_SECONDS: Final = 0.25
"""Time that a chunk is to take."""
FEW_GAMES: Final = 128
"""Games up to which a chunk grows though it takes longer: an agent that decides for many games at
once, such as a network, takes hardly longer for them than for one."""
MOST_SECONDS: Final = 1.0
"""Time up to which such a chunk grows."""
MAX_CHUNK_GAMES: Final = 16_384
"""Games in a chunk at most, which bounds the memory it takes."""
PATIENCE: Final = 60.0
"""Seconds after which an agent in a process of its own counts as one that never answers."""
MAX_GROWTH: Final = 8
"""How many times larger than the last one a chunk may be."""


@dataclass(frozen=True)
class Conduct:
    """What becomes of agents that fail, and what counts as failing.

    Args:
        strict: whether an agent that raises or chooses an illegal action stops the run; if not, it
            forfeits the game.
        isolate: whether agents that are not compiled are asked in a process of their own, which is
            killed when they do not answer in time.
        decision_seconds: time an agent may take for a decision; None: any, or `PATIENCE` for one
            that is isolated.
        game_seconds: time it may take for all decisions of a seat in a game; None: any.
    """

    strict: bool = False
    isolate: bool = False
    decision_seconds: float | None = None
    game_seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("decision_seconds", "game_seconds"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise RunError(f"{name}={value!r} is not allowed: use a number above 0")

    @property
    def words(self) -> list[object]:
        """The words of a command that ask for it."""
        found: list[object] = ["--strict"] if self.strict else []
        found += ["--isolate"] if self.isolate else []
        for name in ("decision_seconds", "game_seconds"):
            value = getattr(self, name)
            found += [] if value is None else ["--" + name.replace("_", "-"), value]
        return found

    @property
    def patience(self) -> float | None:
        """Time for a decision, in any case."""
        if self.decision_seconds is None and self.isolate:
            return PATIENCE
        return self.decision_seconds


@dataclass(frozen=True)
class Setup:
    """What is the same for all games of a run; can be sent to another process.

    Args:
        rules: rules of the game.
        num_players: seats at each table.
        agents: the agents, each by its name (made anew in every worker) or as an object.
        episode: whether a game is one round or goes on to the target.
        seed: seed of the run.
        conduct: what becomes of an agent that fails.
        keep_moves: whether all moves are kept.
        records: whether results hold the moves of all games.
        cheats: names of the agents that see hidden cards.
    """

    rules: Rules
    num_players: int
    agents: tuple[str | agents.Agent, ...]
    episode: Episode
    seed: int
    conduct: Conduct = Conduct()
    keep_moves: bool = False
    records: bool = False
    cheats: tuple[str, ...] = ()

    def make_agents(self) -> list[agents.Agent]:
        """The agents as objects, ready to play."""
        found = [
            self._named(one) if isinstance(one, str) else _checked(one, place)
            for place, one in enumerate(self.agents)
        ]
        if self.conduct.isolate:
            pairs = zip(self.agents, found, strict=True)
            found = [self._isolated(one, agent) for one, agent in pairs]
        for agent in found:
            seed = agent_seed(self.seed, agent.name)
            try:
                agent.reset(self.rules, self.num_players, seed)
            except Rummy500Error:
                raise
            except Exception as error:
                raise method_failed(f"agent {agent.name!r}", "reset", error) from error
        return found

    def _named(self, name: str) -> agents.Agent:
        """The agent of a name; ``random#2`` is another ``random`` beside one of that name."""
        agent = made(self._kind(name))
        agent.name = name
        return agent

    def _kind(self, name: str) -> str:
        """The name of an agent without its number."""
        first, mark, number = name.rpartition("#")
        return first if mark and number.isdecimal() and first in self.agents else name

    def _isolated(self, one: str | agents.Agent, agent: agents.Agent) -> agents.Agent:
        """An agent in a process of its own, unless it is compiled."""
        if getattr(agent, "policy", None) is not None:
            return agent
        apart = agents.IsolatedAgent(self._kind(one) if isinstance(one, str) else agent)
        apart.name = agent.name
        return apart

    def make_arena(self) -> Arena:
        """An arena with these agents."""
        return Arena(
            self.rules,
            self.num_players,
            self.make_agents(),
            episode=self.episode,
            keep_moves=self.keep_moves or self.records,
            forfeits=not self.conduct.strict,
            decision_seconds=self.conduct.patience,
            game_seconds=self.conduct.game_seconds,
        )


def _checked(agent: Any, place: int) -> agents.Agent:
    """An object that can play, or an error that says what it lacks."""
    where = f"agents[{place}]"
    if isinstance(agent, type):
        raise RunError(f"{where} is the class {agent.__name__}: use an object, {agent.__name__}()")
    lacks = [] if isinstance(getattr(agent, "name", None), str) else ["a name"]
    if getattr(agent, "policy", None) is None and not callable(getattr(agent, "act", None)):
        lacks.append("act() or a policy")
    if not callable(getattr(agent, "reset", None)):
        lacks.append("reset()")
    if lacks:
        raise RunError(
            f"{where} is no agent: {type(agent).__name__} lacks {' and '.join(lacks)}; use a name, "
            "or an object of a subclass of agents.Agent or agents.TurnAgent"
        )
    return agent


class Played(NamedTuple):
    """Games and how they went."""

    block: Block
    result: ArenaResult


class _Timed(NamedTuple):
    result: ArenaResult
    seconds: float


_worker = threading.local()  # each thread of each process plays in an arena of its own


def _start_worker(setup: Setup, is_process: bool) -> None:
    if is_process:  # the process that started it decides when to stop
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker.arena = setup.make_arena()


def _play_in_worker(block: Block) -> _Timed:
    return _play_block(_worker.arena, block)


def _play_block(arena: Arena, block: Block) -> _Timed:
    start = time.perf_counter()
    result = arena.play(block.seeds, block.agents, block.keys, 1, block.game_id)
    return _Timed(result, time.perf_counter() - start)


class _Chunks:
    """Cuts the deals of a schedule into chunks, larger or smaller by the speed measured."""

    def __init__(self, schedule: Schedule, first_deal: int, edges: Sequence[int]) -> None:
        self.schedule = schedule
        self.edges = [*edges, schedule.num_deals]
        self.next_deal = first_deal
        self.num_deals = 1
        games = schedule.num_games / schedule.num_deals
        self.max_deals = max(1, int(MAX_CHUNK_GAMES / games))
        self.few_deals = FEW_GAMES / games

    @property
    def is_done(self) -> bool:
        return self.next_deal >= self.schedule.num_deals

    def take(self) -> Block:
        first = self.next_deal
        edge = self.edges[bisect.bisect_right(self.edges, first)]
        self.next_deal = min(first + self.num_deals, edge)
        return self.schedule.block(first, self.next_deal)

    def learn(self, num_deals: int, seconds: float) -> None:
        """Fit the next chunks to the time that one took."""
        wanted = int(num_deals * CHUNK_SECONDS / max(seconds, 1e-6))
        if num_deals < self.few_deals and seconds < MOST_SECONDS:
            wanted = max(wanted, 2 * num_deals)
        self.num_deals = max(1, min(wanted, MAX_GROWTH * num_deals, self.max_deals))


def check_workers(workers: int) -> None:
    """Refuse a number of workers that cannot be."""
    if workers < 1:
        raise RunError(f"workers={workers} is not allowed: use 1 or more")


def play(
    setup: Setup,
    schedule: Schedule,
    workers: int = 1,
    first_deal: int = 0,
    edges: Sequence[int] = (),
) -> Generator[Played, None, None]:
    """Play a schedule from a deal on; yields the games in order, whole deals at a time.

    Deals from before and from after one of the ``edges``, numbers of deals in order, do not come
    together.

    Faults in what was asked for are raised at once, before the first game is asked for.

    With several workers, compiled agents play in threads, and others in processes that are
    started anew (so a script that calls this guards its start with ``if __name__ ==
    "__main__"``).
    """
    check_workers(workers)
    return _play(setup, setup.make_arena(), _Chunks(schedule, first_deal, edges), workers)


def _play(
    setup: Setup, arena: Arena, chunks: _Chunks, workers: int
) -> Generator[Played, None, None]:
    # The first chunks are played here in any case: kernels are compiled once and not by several
    # workers at a time, faults show before any is started, and a short run needs none.
    spent = 0.0
    while not chunks.is_done and (workers == 1 or spent < CHUNK_SECONDS):
        block = chunks.take()
        timed = _play_block(arena, block)
        chunks.learn(block.num_deals, timed.seconds)
        spent += timed.seconds
        yield Played(block, timed.result)
    if chunks.is_done:
        return
    before = set(multiprocessing.active_children())
    executor = _executor(setup, arena, workers)
    try:
        yield from _play_on(executor, chunks, workers)
    except BrokenProcessPool:
        raise RunError(
            "a worker process ended unexpectedly (out of memory, or a script without "
            'if __name__ == "__main__")'
        ) from None
    except BaseException:  # also when the caller wants no more
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _executor(setup: Setup, arena: Arena, workers: int) -> Executor:
    if all(getattr(agent, "policy", None) is not None for agent in arena.agents):
        return ThreadPoolExecutor(workers, initializer=_start_worker, initargs=(setup, False))
    try:
        pickle.dumps(setup)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise RunError(
            f"workers={workers} is not allowed: an agent cannot be sent to another process "
            f"({error}); use 1, or name the agents"
        ) from None
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, context, _start_worker, (setup, True))


def _play_on(executor: Executor, chunks: _Chunks, workers: int) -> Generator[Played, None, None]:
    """Keep all workers busy, and yield what they have played in the order of the schedule."""
    waiting: deque[tuple[Block, Future[_Timed]]] = deque()
    while waiting or not chunks.is_done:
        while len(waiting) < 2 * workers and not chunks.is_done:
            block = chunks.take()
            waiting.append((block, executor.submit(_play_in_worker, block)))
        block, future = waiting.popleft()
        timed = future.result()
        chunks.learn(block.num_deals, timed.seconds)
        yield Played(block, timed.result)
