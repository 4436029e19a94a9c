"""Plays a schedule, on one core or several, in the order of the schedule.

Games are played in chunks of whole deals. A chunk takes a fraction of a second: its size follows
the speed measured so far, so that progress is seen, an interruption loses little, and slow and
fast agents are served alike. What a game gives hangs on its row of the schedule only, so neither
the size of the chunks nor the number of workers can be seen in the results.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Generator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import agents
from experiments.errors import RunError
from experiments.schedule import agent_seed
from rummy500_env.arena import Arena
from rummy500_env.errors import Rummy500Error
from rummy500_env.faults import method_failed

if TYPE_CHECKING:
    from experiments.schedule import Block, Schedule
    from rummy500_env.arena import ArenaResult
    from rummy500_env.rules import Rules

__all__ = ["Episode", "Played", "Setup", "play"]

Episode: TypeAlias = Literal["round", "game"]

CHUNK_SECONDS: Final = 0.25
"""Time that a chunk is to take."""
MAX_CHUNK_GAMES: Final = 16_384
"""Games in a chunk at most, which bounds the memory it takes."""
MAX_GROWTH: Final = 8
"""How many times larger than the last one a chunk may be."""


@dataclass(frozen=True)
class Setup:
    """What is the same for all games of a run; can be sent to another process.

    Args:
        rules: rules of the game.
        num_players: seats at each table.
        agents: the agents, each by its name (made anew in every worker) or as an object.
        episode: whether a game is one round or goes on to the target.
        seed: seed of the run.
    """

    rules: Rules
    num_players: int
    agents: tuple[str | agents.Agent, ...]
    episode: Episode
    seed: int

    def make_agents(self) -> list[agents.Agent]:
        """The agents as objects, ready to play."""
        found = [
            self._named(one) if isinstance(one, str) else _checked(one, place)
            for place, one in enumerate(self.agents)
        ]
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
        first, mark, number = name.rpartition("#")
        if not (mark and number.isdecimal() and first in self.agents):
            return self._made(name)
        agent = self._named(first)
        agent.name = name
        return agent

    @staticmethod
    def _made(name: str) -> agents.Agent:
        try:
            return agents.make(name)
        except Rummy500Error:
            raise
        except ValueError as error:  # of a setting
            raise RunError(str(error)) from None

    def make_arena(self) -> Arena:
        """An arena with these agents."""
        return Arena(self.rules, self.num_players, self.make_agents(), episode=self.episode)


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

    def __init__(self, schedule: Schedule, first_deal: int) -> None:
        self.schedule = schedule
        self.next_deal = first_deal
        self.num_deals = 1
        games = schedule.num_games / schedule.num_deals
        self.max_deals = max(1, int(MAX_CHUNK_GAMES / games))

    @property
    def is_done(self) -> bool:
        return self.next_deal >= self.schedule.num_deals

    def take(self) -> Block:
        first = self.next_deal
        self.next_deal = min(first + self.num_deals, self.schedule.num_deals)
        return self.schedule.block(first, self.next_deal)

    def learn(self, num_deals: int, seconds: float) -> None:
        """Fit the next chunks to the time that one took."""
        wanted = int(num_deals * CHUNK_SECONDS / max(seconds, 1e-6))
        self.num_deals = max(1, min(wanted, MAX_GROWTH * num_deals, self.max_deals))


def play(
    setup: Setup, schedule: Schedule, workers: int = 1, first_deal: int = 0
) -> Generator[Played, None, None]:
    """Play a schedule from a deal on; yields the games in order, whole deals at a time.

    Faults in what was asked for are raised at once, before the first game is asked for.

    With several workers, compiled agents play in threads, and others in processes that are
    started anew (so a script that calls this guards its start with ``if __name__ ==
    "__main__"``).
    """
    if workers < 1:
        raise RunError(f"workers={workers} is not allowed: use 1 or more")
    return _play(setup, setup.make_arena(), _Chunks(schedule, first_deal), workers)


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
