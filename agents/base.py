"""What an agent is: three ways to write one.

:class:`Agent` decides for many views at once, as arrays; :class:`TurnAgent` for one at a time,
with names and cards; :class:`PolicyAgent` wraps a compiled function that kernels call directly.
"""

from __future__ import annotations

import copy
import reprlib
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import Move, action_space
from rummy500_env.arguments import as_move
from rummy500_env.engine.policies import decide_rows, policy_pointer
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.errors import IllegalActionError
from rummy500_env.game import Event
from rummy500_env.rules import Rules
from rummy500_env.view import PlayerView

__all__ = ["Agent", "PolicyAgent", "TurnAgent"]


class Agent:
    """A strategy. Subclasses write :meth:`act`.

    Attributes:
        name: What it is called in every table: the text it was made from.
        deterministic: False when a decision depends on more than its view, such as on time.
        cheats: True when it is to see the tables, all hands and the stock. An arena then asks it
            by :meth:`act_seeing`, and all tables of results mark it. No other face shows it one.
    """

    name: str = "agent"
    deterministic: ClassVar[bool] = True
    cheats: ClassVar[bool] = False
    rules: Rules
    num_players: int

    def reset(self, rules: Rules, num_players: int, seed: int) -> None:
        """Get ready for games of one variant.

        Args:
            rules: The rules.
            num_players: Seats at the table.
            seed: From a stream of its own; no deal can be computed from it.
        """
        self.rules, self.num_players = rules, num_players

    def act(
        self, views: npt.NDArray[Any], action_masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.integer[Any]]:
        """Return a legal action for each view.

        A decision must depend on its own row alone: then results do not depend on how games are
        grouped. A view holds random bits for agents that want some.

        Args:
            views: Array of view records (:mod:`rummy500_env.view_record`), one a decision.
            action_masks: ``int8 (len(views), n)``: 1 where an action is legal.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say how it acts")

    def act_seeing(
        self,
        views: npt.NDArray[Any],
        action_masks: npt.NDArray[np.int8],
        tables: npt.NDArray[Any],
    ) -> npt.NDArray[np.integer[Any]]:
        """Return a legal action for each view, as one who sees the tables: for those that cheat.

        Args:
            views: As for :meth:`act`.
            action_masks: As for :meth:`act`.
            tables: Array of tables (:mod:`rummy500_env.engine.state`), copies of the true ones.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say how it acts seeing tables")

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


class PolicyAgent(Agent):
    """An agent whose strategy is a compiled policy; games between such agents run in one kernel.

    Attributes:
        policy: The policy, see :mod:`rummy500_env.engine.policies`.
    """

    def __init__(self, name: str, policy: Any) -> None:
        self.name = name
        self.policy = policy

    def act(
        self, views: npt.NDArray[Any], action_masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.integer[Any]]:
        """Return the policy's action for each view."""
        actions = np.empty(len(views), np.int64)
        record = rules_record(self.rules, self.num_players)
        decide_rows(policy_pointer(self.policy), views, action_masks, record, actions)
        return actions


class TurnAgent(Agent):
    """An agent that decides one move at a time. Subclasses write :meth:`choose`.

    It may remember things: every seat of every game is played by an instance of its own, a deep
    copy of the one that was set up, so that no seat learns what another has noted. What is large
    and never changes, such as a table of numbers, belongs to the class.
    """

    def __init__(self) -> None:
        self._players: dict[tuple[int, int], TurnAgent] = {}
        self._untold: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def choose(self, view: PlayerView, legal: list[Move]) -> Move | int | str:
        """Return one of the legal moves, as itself, as its index or as its text."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it chooses")

    def see(self, event: Event) -> None:
        """Take note of a move, one's own or another's. Subclasses may write it.

        Before it chooses, an agent sees all moves made since it last chose in this game, in
        order; the cards of its own draws with them. After its last choice it sees no more.
        """

    @property
    def watches(self) -> bool:
        """Whether the agent wants to see moves: whether its class has written :meth:`see`."""
        return type(self).see is not TurnAgent.see

    def note_moves(self, table: int, seat: int, moves: list[tuple[int, int]]) -> None:
        """Keep moves (seat, action) of a game until the agent at a seat of it chooses."""
        self._untold.setdefault((table, seat), []).extend(moves)

    def forget(self, table: int) -> None:
        """Forget the game of a table: another one begins there.

        Whoever plays games one after the other under one number says so. Where nobody does, a
        seat's first decision tells it, unless that is skipped since there is no choice.
        """
        for seat in range(self.num_players):
            self._players.pop((table, seat), None)
            self._untold.pop((table, seat), None)

    def reset(self, rules: Rules, num_players: int, seed: int) -> None:
        """Get ready for games of one variant; forget all earlier games."""
        super().reset(rules, num_players, seed)
        self._players = {}
        self._untold = {}

    def act(
        self, views: npt.NDArray[Any], action_masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.integer[Any]]:
        """Return the choice for each view, made by the instance of its game and seat."""
        actions = np.empty(len(views), np.int64)
        for row in range(len(views)):
            legal = np.flatnonzero(action_masks[row])
            view = PlayerView(views[row : row + 1], self.rules, legal)
            player = self._player(view)
            for event in self._events(view):
                player.see(event)
            actions[row] = self._index(player.choose(view, view.moves()))
        return actions

    def _events(self, view: PlayerView) -> list[Event]:
        """Return what the viewer has not been shown yet."""
        texts = action_space(self.rules, self.num_players).texts()
        events = []
        for mover, action in self._untold.pop((view.table, view.seat), ()):
            # An own draw is seen at the next choice, which stands in the same turn.
            own_draw = mover == view.seat and texts[action] == "draw"
            shown = tuple(view.drawn) if own_draw else ()
            events.append(Event(mover, texts[action], shown))
        return events

    def _player(self, view: PlayerView) -> TurnAgent:
        """Return the instance that plays a seat of a game; a new game gets a new one."""
        place = (view.table, view.seat)
        if view.decision == 0 or place not in self._players:
            shared = {id(self.rules): self.rules, id(self._players): {}, id(self._untold): {}}
            self._players[place] = copy.deepcopy(self, shared)
        return self._players[place]

    def _index(self, choice: Any) -> int:
        action = as_move(choice, action_space(self.rules, self.num_players))
        if action is None:
            raise IllegalActionError(f"{reprlib.repr(choice)} is no move")
        return action
