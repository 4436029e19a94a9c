"""An agent in a process of its own: whatever it does there, who asks gets an answer or an error.

It may raise, never answer, or take its process down with it. A process that has not answered in
time is killed, and the next question starts another one: what the agent remembered is lost, so one
that remembers is to be asked for one game at a time.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.base import Agent
from agents.registry import make
from rummy500_env.errors import AgentError
from rummy500_env.rules import Rules

__all__ = ["AgentDiedError", "AgentTimeoutError", "IsolatedAgent"]


class AgentTimeoutError(AgentError):
    """An agent has not answered in time; its text says how long it was given."""


class AgentDiedError(AgentError):
    """The process of an agent has ended while it was asked."""


class IsolatedAgent(Agent):
    """Another agent, asked across a pipe.

    Args:
        agent: Its name, or the agent itself, which has to be one that pickle can copy.

    Attributes:
        isolated: True: it is to be asked for one decision of one game at a time.

    Raises:
        AgentError: when it cannot be sent to another process.
    """

    isolated = True

    def __init__(self, agent: str | Agent) -> None:
        self._agent = agent
        made = make(agent) if isinstance(agent, str) else agent
        self.name = made.name
        self.watches = bool(getattr(made, "watches", False))
        self.cheats = bool(getattr(made, "cheats", False))  # type: ignore[misc]  # as that does
        try:
            self._content = pickle.dumps(agent)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise AgentError(
                f"agent {self.name!r} cannot be sent to a process of its own ({error}); name it, "
                "such as ./my_agent.py:MyAgent"
            ) from None
        self._process: Any = None
        self._pipe: Connection | None = None
        self._moves: list[Any] = []

    def reset(self, rules: Rules, num_players: int, seed: int) -> None:
        """Get ready for games of one variant, in a new process."""
        super().reset(rules, num_players, seed)
        self._seed = seed
        self.stop()
        self._ask(None)

    def note_moves(self, table: int, seat: int, moves: list[tuple[int, int]]) -> None:
        """Keep moves (seat, action) of a game until the agent at a seat of it chooses."""
        self._moves.append((table, seat, moves))

    def act(
        self, views: npt.NDArray[Any], action_masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.integer[Any]]:
        """Return the agent's actions, however long it takes."""
        return self.act_within(views, action_masks, None)

    def act_within(
        self,
        views: npt.NDArray[Any],
        action_masks: npt.NDArray[np.int8],
        seconds: float | None,
        tables: npt.NDArray[Any] | None = None,
    ) -> npt.NDArray[np.integer[Any]]:
        """Return the agent's actions.

        Args:
            views: Array of view records.
            action_masks: ``int8 (len(views), n)``.
            seconds: Time after which its process is killed; None: never.
            tables: Array of tables, for one that cheats.

        Raises:
            AgentTimeoutError: when it has not answered by then.
            AgentDiedError: when its process has ended.
            AgentError: when it has raised; the text says what.
        """
        moves, self._moves = self._moves, []
        return self._ask((moves, views, action_masks, tables), seconds)

    def stop(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        self._moves = []

    def _ask(self, question: Any, seconds: float | None = None) -> Any:
        pipe = self._pipe if self._pipe is not None else self._started()
        if question is None:
            return None
        try:
            pipe.send(question)
            if not pipe.poll(seconds):
                self.stop()
                raise AgentTimeoutError(f"no answer within {seconds:g} s")
            worked, answer = pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            code = self._process.exitcode
            self.stop()
            raise AgentDiedError(f"its process ended ({_ending(code)})") from None
        if not worked:
            raise AgentError(answer)
        return answer

    def _started(self) -> Connection:
        """Start the process, and wait until the agent in it is ready."""
        context: Any = multiprocessing.get_context(_method())
        mine, theirs = context.Pipe()
        self._pipe = mine
        ready = (self._content, self.name, self.rules, self.num_players, self._seed)
        self._process = context.Process(target=_serve, args=(theirs, *ready), daemon=True)
        self._process.start()
        theirs.close()
        try:
            worked, told = mine.recv()
        except (EOFError, OSError):
            worked, told = False, "its process ended"
        if not worked:
            self.stop()
            raise AgentError(f"agent {self.name!r} failed in reset(): {told}")
        return mine

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self._process.kill()


def _method() -> str:
    """How processes are started: a server that has loaded everything makes them in no time."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return "spawn"
    multiprocessing.set_forkserver_preload([__name__])
    return "forkserver"


def _ending(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit status {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _serve(
    pipe: Connection, content: bytes, name: str, rules: Rules, num_players: int, seed: int
) -> None:
    """Answer questions until the other side has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks decides when to stop
    try:
        agent: Any = pickle.loads(content)
        agent = make(agent) if isinstance(agent, str) else agent
        agent.name = name
        agent.reset(rules, num_players, seed)
        pipe.send((True, None))
    except Exception as error:
        pipe.send((False, _told(error)))
        return
    while True:
        try:
            moves, views, masks, tables = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            for one in moves:
                agent.note_moves(*one)
            if tables is None:
                actions = agent.act(views, masks)
            else:
                actions = agent.act_seeing(views, masks, tables)
            pipe.send((True, np.asarray(actions)))
        except Exception as error:
            pipe.send((False, _told(error)))


def _told(error: Exception) -> str:
    return ": ".join(filter(None, (type(error).__name__, str(error))))
