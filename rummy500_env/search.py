"""Looking ahead: possible worlds, after-states and rollouts, singly and by thousands.

An agent that searches starts from its view, never from the table. From one view it samples
:class:`Worlds`, plays a move in all of them, and lets a compiled policy play the rounds to their
end; all of it runs in the engine:

    worlds = Worlds.of_view(view, 64, rng)
    for move in view.moves():
        scores = worlds.clone().play(move).rollout(policy, rng)   # int32 (64, seats)

An agent that values positions compares :func:`afterstates`: its own view after each of its moves.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import ActionSpace, Move, action_space
from rummy500_env.arguments import as_count, as_move, as_whole
from rummy500_env.arrays import checked_buffer, checked_tables, checked_views, whole_numbers
from rummy500_env.engine.features import NUM_WORDS
from rummy500_env.engine.jit import allocate, duplicate, picked
from rummy500_env.engine.leaf import look_to_leaves
from rummy500_env.engine.network import FIRST
from rummy500_env.engine.policies import mask_bits, policy_pointer
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.engine.search import (
    after_states,
    observe_views,
    play_on_all,
)
from rummy500_env.engine.state import STATE, WORDS
from rummy500_env.errors import IllegalActionError
from rummy500_env.game import Game
from rummy500_env.networks import ValueNetwork
from rummy500_env.observations import observation_space
from rummy500_env.rollouts import (
    Rng,
    random_word,
    roll_out_tables,
    try_moves_on_tables,
    world_tables,
)
from rummy500_env.rules import Rules
from rummy500_env.view import PlayerView, provide_search
from rummy500_env.view_record import VIEW

__all__ = ["AfterStates", "Worlds", "afterstates", "observe"]


class Worlds:
    """Many tables of one variant that a search plays on.

    Args:
        states: Array of tables; it is taken, not copied.
        rules: The rules.
        num_players: Seats at each table.

    Raises:
        ValueError: when it is no array of tables of that many seats.
    """

    def __init__(self, states: npt.NDArray[Any], rules: Rules, num_players: int) -> None:
        self.rules, self.num_players = rules, num_players
        self._states = checked_tables(states, num_players)
        self._rules_record = rules_record(rules, num_players)
        self._ended = np.zeros(len(self._states), np.bool_)

    @classmethod
    def of_view(cls, view: PlayerView, count: int, rng: Rng = None) -> Worlds:
        """Sample possible worlds of a view, each arrangement of hidden cards equally likely."""
        rows = np.zeros(as_count("count", count, least=0), np.int64)
        return cls.of_views(view.record, rows, view.rules, view.num_players, rng)

    @classmethod
    def of_views(
        cls,
        views: npt.NDArray[Any],
        rows: npt.ArrayLike,
        rules: Rules,
        num_players: int,
        rng: Rng = None,
    ) -> Worlds:
        """Sample a possible world of ``views[rows[k]]`` for each ``k``.

        Raises:
            ValueError: when views or rows are something else.
            IndexError: when a row is outside the views.
            Rummy500Error: when no world was found in which the seat to move can move.
        """
        seen, which = checked_views(views, num_players), whole_numbers(rows, "rows", None)
        if len(which) and not 0 <= which.min() <= which.max() < len(seen):
            raise IndexError(f"rows from {which.min()} to {which.max()} of {len(seen)} views")
        tables = world_tables(seen, which, rules_record(rules, num_players), rng)
        return cls(tables, rules, num_players)

    def __len__(self) -> int:
        return len(self._states)

    @property
    def action_space(self) -> ActionSpace:
        """The action space of the tables."""
        return action_space(self.rules, self.num_players)

    @property
    def states(self) -> npt.NDArray[Any]:
        """The tables themselves, an array of records (:mod:`rummy500_env.engine.state`)."""
        return self._states

    def __getitem__(self, index: int) -> Game:
        """Return a table as a game of its own."""
        number = as_whole(index)
        if number is None or not -len(self) <= number < len(self):
            raise IndexError(f"table {index!r} of {len(self)}")
        at = number % len(self)
        return Game.from_state(duplicate(self._states[at : at + 1]), self.rules, self.num_players)

    def clone(self) -> Worlds:
        """Return twins of all tables."""
        twins = Worlds(duplicate(self._states), self.rules, self.num_players)
        twins._ended = self._ended.copy()
        return twins

    def take(self, numbers: npt.ArrayLike) -> Worlds:
        """Return twins of some tables, in the order of their numbers; one may be there twice."""
        rows = whole_numbers(numbers, "numbers", None)
        if len(rows) and not 0 <= rows.min() <= rows.max() < len(self):
            raise IndexError(f"numbers from {rows.min()} to {rows.max()} of {len(self)} tables")
        twins = Worlds(picked(self._states, rows), self.rules, self.num_players)
        twins._ended = self._ended[rows]
        return twins

    def play(self, move: Move | int | str) -> Worlds:
        """Play one move on all tables, and return them.

        Raises:
            IllegalActionError: when it is illegal on one of them; none has changed then.
        """
        action = as_move(move, self.action_space)
        if action is None:
            raise IllegalActionError(f"{move!r} is no move")
        wrong = play_on_all(self._states, self._rules_record, np.int64(action), 0, len(self))
        if wrong >= 0:
            legal = ", ".join(map(repr, self[wrong].legal_moves()[:12]))
            raise IllegalActionError(f"{move!r} is illegal at table {wrong}; legal: {legal}")
        self._ended = np.asarray(self._states["how"] != 0)
        return self

    def rollout(self, policy: Any, rng: Rng = None) -> npt.NDArray[np.int32]:
        """Play the round at each table to its end, all seats by one compiled policy.

        Where the last move ended a round, that is the round: the next one is not played.

        Args:
            policy: A compiled policy (:mod:`rummy500_env.engine.policies`), or an agent that has
                one as its ``policy``.
            rng: Where the random bits of the views come from.

        Returns:
            ``int32 (tables, seats)``: what each seat scored in the round.

        Raises:
            TypeError: when the policy is none.
            IllegalActionError: when it chooses an illegal action; no table has changed then.
            AgentError: when it raises something; the same.
        """
        states, record, space = self._states, self._rules_record, self.action_space
        return roll_out_tables(states, record, policy, space, self.num_players, rng, self._ended)

    def outcomes(self, moves: npt.ArrayLike, policy: Any, rng: Rng = None) -> npt.NDArray[np.int32]:
        """Play each of some moves at each table, then the round to its end by one compiled policy.

        ``outcomes([a, b], policy, 7)[1]`` is ``clone().play(b).rollout(policy, 7)``, for all moves
        in one call. The tables are left as they are.

        Args:
            moves: Indices of actions, legal at all tables.
            policy: As for :meth:`rollout`.
            rng: Where the random bits of the views come from, the same for all moves.

        Returns:
            ``int32 (moves, tables, seats)``: what each seat scored in the round.

        Raises:
            TypeError: when the policy is none.
            ValueError: when the moves are no whole numbers.
            IllegalActionError: when a move is illegal at a table, or one that the policy chooses.
            AgentError: when the policy raises something.
        """
        actions, space = whole_numbers(moves, "moves", None), self.action_space
        states, record = self._states, self._rules_record
        return try_moves_on_tables(states, record, actions, policy, space, self.num_players, rng)

    def leaf_leads(
        self, network: ValueNetwork, seat: int, policy: Any, rng: Rng = None
    ) -> npt.NDArray[np.float64]:
        """Play each table on until a seat is to draw again, and value it there by a network.

        The seat itself plays by the network. Where its round ends before, the value is what came
        out; where the last move ended it, the next round is not played. The tables are changed.

        Args:
            network: A network for these rules and seats.
            seat: The seat.
            policy: A compiled policy for the other seats, or an agent that has one.
            rng: Where the random bits of the views come from.

        Returns:
            ``float64 (tables,)``: points of the round over the mean of the others.

        Raises:
            NetworkError: when the network is for something else.
            IllegalActionError: when the policy chooses an illegal action.
        """
        network.check(self.rules, self.num_players)
        compiled = getattr(policy, "policy", policy)
        leads = np.zeros(len(self), np.float64)
        wrong = look_to_leaves(
            self._states,
            self._rules_record,
            network.weights,
            policy_pointer(compiled),
            np.int64(seat),
            random_word(rng),
            allocate(2, VIEW),
            np.zeros((1, WORDS), np.int64),
            allocate(1, STATE),
            np.zeros((3, NUM_WORDS), np.int64),
            np.zeros((2, FIRST), np.float32),
            self._ended,
            leads,
        )
        if wrong >= 0:
            raise IllegalActionError(f"the policy chose an illegal action at table {wrong}")
        return leads


class AfterStates(NamedTuple):
    """Views after moves: ``views[k]`` comes from row ``row[k]`` by ``action[k]``."""

    views: npt.NDArray[Any]
    row: npt.NDArray[np.int64]
    action: npt.NDArray[np.int64]


def afterstates(
    views: npt.NDArray[Any], action_masks: npt.ArrayLike, rules: Rules, num_players: int
) -> AfterStates:
    """Return the mover's view after each legal move of each view.

    They are certain but for cards from the stock; see :meth:`PlayerView.after`.

    Args:
        views: Array of views of seats that are to move.
        action_masks: ``(len(views), n)``: some or all of their legal moves, 1 or true.
        rules: The rules.
        num_players: Seats at the table.

    Raises:
        ValueError: when views or masks are something else.
        IllegalActionError: when a mask has a move that is not legal.
    """
    seen, space = checked_views(views, num_players), action_space(rules, num_players)
    given = np.asarray(action_masks)
    if given.shape != (len(seen), space.n) or given.dtype.kind not in "biu":
        raise ValueError(
            f"action_masks of shape {given.shape} and type {given.dtype}: ({len(seen)}, {space.n}) "
            "of whole numbers or bool are needed"
        )
    masks = np.array(given != 0, np.int8, order="C")
    count = int(masks.sum(dtype=np.int64))
    found = AfterStates(allocate(count, VIEW), np.empty(count, np.int64), np.empty(count, np.int64))
    record, work = rules_record(rules, num_players), allocate(1, STATE)
    wrong = after_states(seen, mask_bits(masks), record, work, *found)
    if wrong >= 0:
        raise IllegalActionError(f"action_masks: row {wrong} has a move that is not legal there")
    return found


def observe(
    views: npt.NDArray[Any],
    rules: Rules,
    num_players: int,
    dtype: npt.DTypeLike = np.float32,
    out: npt.NDArray[Any] | None = None,
) -> npt.NDArray[Any]:
    """Return the observation of each view, ``(len(views), size)``, in ``out`` if that is given.

    Raises:
        ValueError: when the views are none, or ``out`` is of another shape or type, cannot be
            written, or shares memory with the views.
    """
    space = observation_space(rules, num_players)
    template, scale = space.form(dtype)
    seen = checked_views(views, num_players)
    shape = (len(seen), space.size)
    out = np.empty(shape, scale.dtype) if out is None else out
    checked_buffer("out", out, shape, scale.dtype)
    if np.may_share_memory(out, seen):
        raise ValueError("buffer 'out' shares memory with the views")
    record = rules_record(rules, num_players)
    observe_views(seen, record, template, scale, out, 0, len(seen))
    return out


class _Search:
    """What views are given."""

    def possible_world(
        self, view: PlayerView, rng: Rng, weight: Callable[[Game], float] | None, tries: int
    ) -> Game:
        generator = np.random.default_rng(rng)
        if weight is None:
            return Worlds.of_view(view, 1, generator)[0]
        worlds = Worlds.of_view(view, as_count("tries", tries), generator)
        return worlds[_chosen([weight(worlds[k]) for k in range(len(worlds))], generator)]

    def after(self, view: PlayerView, action: int) -> PlayerView:
        mask = np.zeros((1, action_space(view.rules, view.num_players).n), np.int8)
        mask[0, action] = 1
        return PlayerView(
            afterstates(view.record, mask, view.rules, view.num_players).views, view.rules
        )


def _chosen(weights: Sequence[Any], generator: np.random.Generator) -> int:
    """Draw an index in proportion to weights."""
    try:
        shares = np.array([float(one) if np.ndim(one) == 0 else np.nan for one in weights])
    except (TypeError, ValueError):  # no number at all
        shares = np.array([np.nan])
    if not np.isfinite(shares).all() or (shares < 0).any() or not shares.any():
        raise ValueError(
            f"weights {reprlib.repr(weights)}: they must be finite, not negative, and not all 0"
        )
    shares /= shares.max()  # so that the largest ones do not add up to infinity
    return int(generator.choice(len(shares), p=shares / shares.sum()))


provide_search(_Search())
