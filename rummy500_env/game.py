"""One table: a game played move by move, by index or by text."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import ActionSpace, Move, action_space
from rummy500_env.arguments import as_action, as_rules, as_seat, as_seed, view_key
from rummy500_env.cards import text
from rummy500_env.engine.jit import allocate, duplicate
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.engine.state import STATE, TRUNCATIONS
from rummy500_env.engine.tables import (
    list_legal,
    new_table,
    observe_table,
    seat_key,
    step_table,
    view_table,
    write_mask,
)
from rummy500_env.errors import IllegalActionError, LayoutError, RulesError, UnknownNameError
from rummy500_env.events import Event, RoundResult, round_result
from rummy500_env.explain import explain
from rummy500_env.layouts import check_layout
from rummy500_env.observations import ObservationSpace, observation_space
from rummy500_env.pictures import table_svg
from rummy500_env.position import read_position, write_position
from rummy500_env.rollouts import roll_out_tables, world_tables
from rummy500_env.rules import Rules
from rummy500_env.view import PlayerView
from rummy500_env.view_reading import bits_of, columns, faces_of
from rummy500_env.view_record import PHASES, VIEW

__all__ = ["Event", "Game", "RoundResult"]


class Game:
    """A game of Rummy 500.

    Args:
        rules: Rules, the name of a preset, or a mapping of options.
        num_players: Seats at the table.
        seed: All chance of the game follows from it; None draws one (see :attr:`seed`).
        episode: ``"game"`` for rounds to the target, ``"round"`` for a single round.

    Raises:
        RulesError: when the rules are contradictory or cannot seat that many players.
        ValueError: when the seed or the episode is none.
    """

    def __init__(
        self,
        rules: Rules | str | Mapping[str, Any] = "rummy500",
        num_players: int = 2,
        seed: int | None = None,
        episode: str = "game",
    ) -> None:
        record = allocate(1, STATE)
        rules = as_rules(rules)
        if isinstance(num_players, bool) or not hasattr(num_players, "__index__"):
            raise RulesError(f"num_players={num_players!r} is no whole number")
        if episode not in ("game", "round"):
            raise ValueError(f"episode={episode!r}: allowed are 'game' and 'round'")
        self._setup(record, rules, int(num_players))
        seed = as_seed(seed)
        new_table(record, 0, self._rules_record, np.uint64(seed), np.int64(episode == "round"))
        self._begin(view_key(seed))

    def _setup(self, record: npt.NDArray[Any], rules: Rules, num_players: int) -> None:
        self._rules_record = rules_record(rules, num_players)
        self._record = record
        self.rules: Rules = rules
        self.num_players: int = num_players
        self.action_space: ActionSpace = action_space(rules, num_players)
        self.observation_space: ObservationSpace = observation_space(rules, num_players)
        self._form = self.observation_space.form(np.float32)

    def _begin(self, key: int) -> None:
        self._start = duplicate(self._record)
        self._key = np.uint64(key)
        self.history: list[int] = []
        self.rounds: list[RoundResult] = []

    # -- the state of play ---------------------------------------------------------------------

    @property
    def seed(self) -> int:
        """The seed that all chance of this game follows from."""
        return int(self._record["seed"][0])

    @property
    def current_seat(self) -> int:
        """The seat to move; -1 when the game is over."""
        return int(self._record["seat"][0])

    @property
    def phase(self) -> str:
        """What the seat to move is to do, one of :data:`~rummy500_env.view_record.PHASES`.

        A turn goes through ``draw``, ``obliged`` (a dug card waits to be placed) and ``play``.
        ``nominate`` and ``opening`` come before the first turn, ``call`` and ``window`` after a
        discard, ``final_layoff`` after a player has gone out, ``over`` at the end.
        """
        return PHASES[self._record["phase"][0]]

    @property
    def scores(self) -> list[int]:
        """Totals over the finished rounds, by seat."""
        return self._record["scores"][0, : self.num_players].tolist()

    @property
    def table_points(self) -> list[int]:
        """Points laid on the table in this round, by seat."""
        return self._record["table_points"][0, : self.num_players].tolist()

    @property
    def dealer(self) -> int:
        """The seat that dealt this round."""
        return int(self._record["dealer"][0])

    @property
    def round_number(self) -> int:
        """Number of the round, 1 for the first; when the game is over that of the last."""
        return int(self._record["round_index"][0]) + (0 if self.is_over else 1)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._record["phase"][0] == 0)

    @property
    def winners(self) -> list[int]:
        """The seats that have won; none before the end and after a truncation."""
        return bits_of(self._record["winners"][0])

    @property
    def truncated_by(self) -> str | None:
        """The limit that cut the game off, ``max_turns`` or ``max_rounds``, or None."""
        return TRUNCATIONS[self._record["truncated"][0]] or None

    # -- moves ---------------------------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """Return the legal actions of the seat to move, in order; none when the game is over."""
        count = list_legal(self._record, 0, self._rules_record, _LEGAL)
        return _LEGAL[:count].tolist()

    def action_mask(self) -> npt.NDArray[np.int8]:
        """Return the mask of the seat to move, ``int8 (n,)``: 1 where the action is legal."""
        mask = np.empty(self.action_space.n, np.int8)
        write_mask(self._record, 0, self._rules_record, mask)
        return mask

    def legal_moves(self) -> list[Move]:
        """Return the texts of the legal actions, sorted; each knows its ``.index``."""
        texts = self.action_space.texts()
        return sorted(Move(texts[action], action) for action in self.legal_actions())

    def step(self, action: int) -> None:
        """Play an action of the seat to move.

        Raises:
            IllegalActionError: when it is illegal; it says why, and nothing has changed.
        """
        number = as_action(action)
        if number is None or not step_table(self._record, 0, self._rules_record, number):
            raise IllegalActionError(self._why_not(action))
        self.history.append(number)
        if self._record["how"][0]:
            self.rounds.append(round_result(self._record, self.num_players))

    def play(self, move: str) -> None:
        """Play a move given as text, such as ``"dig 8h"``.

        Raises:
            UnknownNameError: when no action has this text.
            IllegalActionError: when it is illegal.
        """
        if not isinstance(move, str):
            examples = ("draw", "meld 5h-9h", "discard 9d")
            raise UnknownNameError("move", move, examples, "step() takes indices.")
        self.step(self.action_space.from_text(move))

    # -- views ---------------------------------------------------------------------------------

    def view(self, seat: int) -> PlayerView:
        """Return what a seat may know, with its legal moves when it is to move."""
        legal = self.legal_actions() if seat == self.current_seat else None
        return PlayerView(self.view_record(seat), self.rules, legal)

    def view_record(self, seat: int) -> npt.NDArray[Any]:
        """Return what a seat may know as an array of one view record."""
        views, seat = allocate(1, VIEW), self._checked(seat)
        key = np.uint64(seat_key(self._key, seat))
        view_table(self._record, 0, seat, key, np.int64(0), views, 0)
        return views

    def observe(self, seat: int) -> npt.NDArray[np.float32]:
        """Return the observation of a seat, ``float32 (size,)``."""
        template, scale = self._form
        vector, seat = np.empty(len(scale), np.float32), self._checked(seat)
        table = (self._record, 0, self._rules_record)
        observe_table(*table, seat, _WORK, template, scale, vector)
        return vector

    def events(self, seat: int) -> list[Event]:
        """Return all moves so far as a seat saw them.

        Stock draws show their cards to the seat that drew only.
        """
        seat, events = self._checked(seat), []
        replay = self.start()
        for action in self.history:
            mover = replay.current_seat
            before = replay._drawn() if mover == seat else None
            replay.step(action)
            drawn: tuple[str, ...] = ()
            move = self.action_space.to_text(action)
            if before is not None and move == "draw":
                drawn = tuple(text(face) for face in replay._drawn())
            events.append(Event(mover, move, drawn))
        return events

    # -- copies --------------------------------------------------------------------------------

    def start(self) -> Game:
        """Return the game as it was before the first move of its history."""
        return self._from(duplicate(self._start), self._key)

    def clone(self) -> Game:
        """Return a twin that plays on identically and independently."""
        twin = object.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin._record = duplicate(self._record)
        twin.history = self.history.copy()
        twin.rounds = self.rounds.copy()
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        rules = self.rules.to_dict(full=False), self.num_players
        tables = self._record.tobytes(), self._start.tobytes()
        return _restore, (_LAYOUT, *rules, *tables, int(self._key), self.history, self.rounds)

    def __eq__(self, other: object) -> bool:
        """Games are equal when their rules and all bytes of their tables are."""
        if not isinstance(other, Game):
            return NotImplemented
        return self.rules == other.rules and self._record.tobytes() == other._record.tobytes()

    __hash__ = None  # type: ignore[assignment]

    def determinize(self, seat: int, rng: np.random.Generator | int | None = None) -> Game:
        """Return a possible world for a seat; see :meth:`PlayerView.determinize`."""
        table = world_tables(self.view_record(seat), _FIRST, self._rules_record, rng)
        return self._from(table, np.uint64(view_key(int(table["seed"][0]))))

    def rollout(
        self, policy: Any, rng: np.random.Generator | int | None = None
    ) -> npt.NDArray[np.int32]:
        """Play the round to its end on a copy, all seats by one compiled policy.

        The policy is compiled (:mod:`rummy500_env.engine.policies`), or an agent's that has one.

        Returns:
            ``int32 (seats,)``: what each seat scores; many tables at once: :mod:`.search`.

        Raises:
            IllegalActionError: when the policy chooses an illegal action.
            AgentError: when it raises something.
        """
        tables, space = duplicate(self._record), self.action_space
        return roll_out_tables(tables, self._rules_record, policy, space, self.num_players, rng)[0]

    def state(self) -> npt.NDArray[Any]:
        """Return a copy of the table, an array of one record; see :meth:`from_state`."""
        return duplicate(self._record)

    def to_bytes(self) -> bytes:
        """Return the bytes of the table, all of its state; see :meth:`from_bytes`."""
        return self._record.tobytes()

    @classmethod
    def from_bytes(cls, state: bytes, rules: Rules, num_players: int) -> Game:
        """Return a game from the bytes of a table; they hold for this version of the package only.

        Raises:
            LayoutError: when there are not as many as a table has.
        """
        if len(state) != STATE.itemsize:
            raise LayoutError("a table", [f"{len(state)} bytes, not {STATE.itemsize}"])
        record = allocate(1, STATE)
        record[:] = np.frombuffer(state, STATE)
        return cls.from_state(record, rules, num_players)

    @classmethod
    def from_state(cls, record: npt.NDArray[Any], rules: Rules, num_players: int) -> Game:
        """Return a game on a table, an array of one record, which it takes and does not copy."""
        game = object.__new__(cls)
        game._setup(record, rules, num_players)
        game._begin(view_key(int(record["seed"][0])))
        return game

    # -- positions and text --------------------------------------------------------------------

    def position(self) -> dict[str, Any]:
        """Return everything on and around the table, hidden cards included, as plain data."""
        return write_position(self._record, self.rules)

    @classmethod
    def from_position(cls, position: Mapping[str, Any]) -> Game:
        """Return a game in a position; ``PositionError`` names the fault of an impossible one."""
        record, rules = read_position(position)
        return cls.from_state(record, rules, int(record["num_players"][0]))

    def __str__(self) -> str:
        """Return the table as text, with all hands."""
        seat = max(self.current_seat, 0)
        *lines, _ = self.view(seat).lines()
        hands = self.position()["hands"]
        return columns(lines + [f"Hand {s}  {cards}" for s, cards in enumerate(hands)])

    def svg(self, names: Sequence[str] | None = None) -> str:
        """Return the table as SVG, with all hands; see :meth:`PlayerView.svg` for one seat's."""
        last = self.events(0)[-1]._replace(drawn=()) if self.history else None
        return table_svg(self._record, self.rules, names, last)

    _repr_svg_ = svg  # what a notebook shows

    def __repr__(self) -> str:
        return (
            f"Game(num_players={self.num_players}, seed={self.seed}, round={self.round_number}, "
            f"phase={self.phase!r}, seat={self.current_seat}, scores={self.scores})"
        )

    # -- inside --------------------------------------------------------------------------------

    def _from(self, record: npt.NDArray[Any], key: Any) -> Game:
        """Return a game of the same rules on another table."""
        game = object.__new__(Game)
        game.__dict__.update(self.__dict__)
        game._record = record
        game._begin(key)
        return game

    def _drawn(self) -> list[int]:
        return faces_of(self._record["drawn"][0])

    def _checked(self, seat: int) -> int:
        return as_seat(seat, self.num_players)

    def _why_not(self, action: Any) -> str:
        if isinstance(action, str):
            return f"action {action!r} is no whole number; play() takes texts"
        if as_action(action) is None:
            return f"action {action!r} is no whole number"
        number, legal = operator.index(action), self.legal_actions()
        return explain(self._record, self.rules, self.action_space, number, legal)


_LEGAL = np.zeros(2048, np.int64)
_WORK = allocate(1, VIEW)
_FIRST = np.zeros(1, np.int64)
_LAYOUT = {name: f"{STATE[name].base.str}{STATE[name].shape}" for name in STATE.names or ()}
"""What the bytes of a pickled game mean."""


def _restore(
    layout: Mapping[str, str],
    options: dict[str, Any],
    num_players: int,
    record: bytes,
    start: bytes,
    key: int,
    history: list[int],
    rounds: list[RoundResult],
) -> Game:
    """Rebuild a pickled game; raise a :class:`LayoutError` when its bytes are of other fields."""
    check_layout("a pickled game", layout, _LAYOUT)
    game = object.__new__(Game)
    here, there = allocate(1, STATE), allocate(1, STATE)
    here[:] = np.frombuffer(record, STATE)
    there[:] = np.frombuffer(start, STATE)
    game._setup(here, Rules.from_dict(options), num_players)
    game._begin(key)
    game._start, game.history, game.rounds = there, history, rounds
    return game
