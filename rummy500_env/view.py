"""What one seat may know, with names and cards instead of numbers and bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import Move, action_space
from rummy500_env.arguments import as_move, as_seat
from rummy500_env.cards import JOKER, format_cards, text
from rummy500_env.errors import IllegalActionError
from rummy500_env.rules import Rules
from rummy500_env.view_reading import (
    MeldView,
    bits_of,
    columns,
    count_faces,
    deck_counts,
    faces_of,
    read_melds,
    read_throwers,
)
from rummy500_env.view_record import EFFECTS, FLAGS, JOKER_STATES, PHASES

__all__ = ["PlayerView", "provide_pictures", "provide_search"]


class SearchFace(Protocol):
    """What a view needs of the engine to look ahead; see :mod:`rummy500_env.search`."""

    def possible_world(self, view: PlayerView, rng: Any, weight: Any, tries: int) -> Any:
        """Return a possible world as a game."""
        ...

    def after(self, view: PlayerView, action: int) -> PlayerView:
        """Return the view after a legal move."""
        ...


_search: list[SearchFace] = []


def provide_search(face: SearchFace) -> None:
    """Give views the means to look ahead: the engine stands above them, and hands it down."""
    _search[:] = [face]


_pictures: list[Callable[..., str]] = []


def provide_pictures(draw: Callable[..., str]) -> None:
    """Give views the means to be drawn; see :mod:`rummy500_env.pictures`, which takes views."""
    _pictures[:] = [draw]


class PlayerView:
    """What one seat may know: its own cards and everything public.

    Args:
        record: Array of one view record; it is copied.
        rules: The rules of the game.
        legal: The legal actions of the viewer, when it is to move.
    """

    __slots__ = ("_legal", "_record", "_space", "rules")

    def __init__(
        self,
        record: npt.NDArray[Any],
        rules: Rules,
        legal: npt.NDArray[Any] | list[int] | None = None,
    ) -> None:
        self.rules = rules
        self._record = record[:1].copy()
        self._legal = [] if legal is None else [int(action) for action in legal]
        self._space = action_space(rules, int(record["num_players"][0]))

    # -- who and when --------------------------------------------------------------------------

    @property
    def record(self) -> npt.NDArray[Any]:
        """The view as an array of one record; see :mod:`rummy500_env.view_record`."""
        return self._record

    @property
    def seat(self) -> int:
        """The seat whose view this is."""
        return self._int("viewer")

    @property
    def table(self) -> int:
        """Number of the game among those played together."""
        return self._int("table")

    @property
    def decision(self) -> int:
        """How many decisions the viewer has made in this game."""
        return self._int("decision")

    @property
    def num_players(self) -> int:
        """Seats at the table."""
        return self._int("num_players")

    @property
    def current_seat(self) -> int:
        """The seat to move; -1 when the game is over."""
        return self._int("seat")

    @property
    def phase(self) -> str:
        """Phase of the turn: ``draw``, ``obliged`` (to place a dug card), ``play`` and so on."""
        return PHASES[self._int("phase")]

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return self._int("dealer")

    @property
    def round_number(self) -> int:
        """Number of the round, 1 for the first; when the game is over that of the last."""
        return self._int("round_index") + (self._int("phase") != 0)

    @property
    def random(self) -> int:
        """64 random bits for this decision: the same in every replay, known to this seat only."""
        return self._int("random")

    # -- cards ---------------------------------------------------------------------------------

    @property
    def hand(self) -> list[str]:
        """The own cards, in order of suits."""
        return self._cards("hand")

    @property
    def drawn(self) -> list[str]:
        """Own cards drawn from the stock this turn."""
        return self._cards("drawn")

    @property
    def banned(self) -> list[str]:
        """Own cards that may not be discarded this turn."""
        return self._cards("banned")

    @property
    def must_use(self) -> str | None:
        """The dug card that must be placed now, or None."""
        face = self._int("must_use")
        return text(face - 1) if face else None

    @property
    def discard_pile(self) -> list[str]:
        """The discard pile, bottom to top; its last card is the upcard."""
        return [text(f) for f in self._record["pile"][0, : self._int("pile_size")].tolist()]

    @property
    def discarded_by(self) -> list[int | None]:
        """Who threw each card of the pile; None for the card turned up at the deal."""
        return read_throwers(self._record)

    @property
    def melds(self) -> list[MeldView]:
        """The melds on the table, oldest first."""
        return read_melds(self._record)

    @property
    def hand_sizes(self) -> list[int]:
        """Cards in each hand, by seat."""
        return self._by_seat("hand_size")

    @property
    def stock_size(self) -> int:
        """Cards left in the stock."""
        return self._int("stock_size")

    def known(self, seat: int) -> list[str]:
        """Return the cards everybody knows to be in a hand: dug there and not yet played."""
        return [text(f) for f in faces_of(self._record["known"][0, self._checked(seat)])]

    def discards(self, seat: int) -> list[str]:
        """Return the faces a seat has discarded this round, whether or not they still lie there."""
        return [text(f) for f in faces_of(self._record["discards"][0, self._checked(seat)])]

    def passed(self, seat: int) -> list[str]:
        """Return the upcards a seat left when it drew from the stock this round."""
        return [
            text(min(f, JOKER)) for f in bits_of(self._record["passed"][0, self._checked(seat)])
        ]

    @property
    def unseen(self) -> list[str]:
        """The cards the viewer cannot locate: in the stock or, unknown, in other hands."""
        return [text(f) for f in np.flatnonzero(self.unseen_counts).repeat(self._copies()).tolist()]

    # -- counts for arithmetic -----------------------------------------------------------------

    @property
    def hand_counts(self) -> npt.NDArray[np.int8]:
        """The own cards as copies of each of the 53 faces, ``int8 (53,)``."""
        return count_faces(self._record["hand"][0])

    @property
    def unseen_counts(self) -> npt.NDArray[np.int8]:
        """The cards that cannot be located as copies of each of the 53 faces, ``int8 (53,)``."""
        record, num_players = self._record, self.num_players
        counts = deck_counts(self.rules, num_players)
        counts -= self.hand_counts + count_faces(record["pile_cards"][0])
        counts -= count_faces(record["out_of_play"][0])
        if record["stock_open"][0]:
            size = self.stock_size
            counts -= np.bincount(record["open_stock"][0, :size], minlength=JOKER + 1).astype(
                np.int8
            )
        for seat in range(num_players):
            counts -= count_faces(record["table_cards"][0, seat])
            if seat != self.seat:
                counts -= count_faces(record["known"][0, seat])
        return counts

    # -- points --------------------------------------------------------------------------------

    @property
    def scores(self) -> list[int]:
        """Totals over the finished rounds, by seat."""
        return self._by_seat("scores")

    @property
    def table_points(self) -> list[int]:
        """Points laid on the table this round, by seat."""
        return self._by_seat("table_points")

    @property
    def opening_points(self) -> int:
        """Points of new melds laid this turn by a seat that has still to open."""
        return self._int("opening_points")

    @property
    def opened(self) -> list[bool]:
        """Who has opened (``first_meld_min``), by seat."""
        return [bool(mark) for mark in self._by_seat("opened")]

    # -- out of turn, and the dealer's joker ----------------------------------------------------

    @property
    def window_opener(self) -> int | None:
        """The seat whose discard, or whose going out, others are asked about; None: no window."""
        opener = self._int("window_by")
        return opener - 1 if opener else None

    @property
    def waiting(self) -> list[int]:
        """The seats still to be asked in the window, in the order of play."""
        pending = bits_of(self._record["window_pending"][0])
        opener = self._int("window_by") - 1
        step = self.rules.direction
        return sorted(pending, key=lambda seat: step * (seat - opener) % self.num_players)

    @property
    def bound_by(self) -> list[str]:
        """What binds the seat to move beside the phase; see :data:`view_record.FLAGS`."""
        return [FLAGS[bit] for bit in bits_of(self._record["turn_flags"][0])]

    @property
    def joker_effect(self) -> str | None:
        """What the dealer made of all jokers of this round, ``wild`` or ``double``, or None."""
        return EFFECTS[self._int("joker_effect")]

    @property
    def dealers_joker(self) -> str | None:
        """The state of the dealer's joker: ``free``, ``used``, ``blocked``; None: there is none."""
        return JOKER_STATES[self._int("joker_state")]

    # -- looking ahead --------------------------------------------------------------------------

    def determinize(
        self,
        rng: np.random.Generator | int | None = None,
        weight: Callable[[Any], float] | None = None,
        tries: int = 16,
    ) -> Any:
        """Return a possible world as a :class:`~rummy500_env.game.Game`.

        It agrees with all that this seat knows. The cards that it cannot locate are dealt anew,
        each arrangement equally likely, and the world has chance of its own, so later deals are
        not the true ones.

        Args:
            rng: Where the world comes from: a generator, a seed, or None for a fresh one.
            weight: A belief: a function of a world that says how likely it is beside others. Of
                ``tries`` worlds one is then drawn in proportion to their weights.
            tries: Worlds to draw from, with a weight.
        """
        return _search[0].possible_world(self, rng, weight, tries)

    def after(self, move: Move | int | str) -> PlayerView:
        """Return this seat's view after one of its legal moves, before anybody else has moved.

        It is certain but for a card from the stock: after ``draw`` the hand is larger by a card
        that is not seen yet. After a move that ends the round the phase is ``over``, with nothing
        scored yet.

        Raises:
            IllegalActionError: when the move is none of :meth:`moves`.
        """
        action = as_move(move, self._space)
        if action is None or action not in self._legal:
            shown = ", ".join(map(repr, self.moves()[:12]))
            raise IllegalActionError(f"{move!r} is no legal move of this view; legal: {shown}")
        return _search[0].after(self, action)

    # -- moves ---------------------------------------------------------------------------------

    def moves(self) -> list[Move]:
        """Return the legal moves of the viewer; none when another seat is to move."""
        return [Move(self._space.to_text(action), action) for action in self._legal]

    def text(self) -> str:
        """Return the view as a few lines of text, 80 columns wide."""
        return columns(self.lines())

    __str__ = text

    def svg(self, names: Sequence[str] | None = None, last: Any = None) -> str:
        """Return the view as SVG; see :func:`rummy500_env.pictures.view_svg`.

        Args:
            names: Who sits at each seat.
            last: The last move, an :class:`~rummy500_env.events.Event`.
        """
        return _pictures[0](self, names, last)

    _repr_svg_ = svg  # what a notebook shows

    def __repr__(self) -> str:
        return f"PlayerView(seat={self.seat}, phase={self.phase!r}, hand={' '.join(self.hand)!r})"

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text, however wide; the last one shows the own hand."""
        target = self.rules.target_score
        yield (
            f"Round {self.round_number}  seat {self.seat} looks  {self._moves_or_ended()}  "
            f"dealer {self.dealer}  target {target}"
        )
        yield f"Scores {self.scores}  on the table {self.table_points}"
        yield f"Stock {self.stock_size}  hands {self.hand_sizes}"
        yield from self.table_lines()

    def table_lines(self) -> Iterator[str]:
        """Yield those of the lines that say what lies on the table, and what binds who moves."""
        yield f"Pile  {' '.join(self.discard_pile) or '-'}"
        for meld in self.melds:
            yield f"Meld  {meld}  (laid by {' '.join(map(str, meld.laid_by))})"
        for seat in range(self.num_players):
            if seat != self.seat and self.known(seat):
                yield f"Seat {seat} holds {' '.join(self.known(seat))}"
        if self.must_use:
            yield f"Must use {self.must_use}"
        if self.window_opener is not None:
            after = "going out" if self.phase == "final_layoff" else "discard"
            more = f", then {' '.join(map(str, self.waiting))}" if self.waiting else ""
            yield f"Asked after the {after} of seat {self.window_opener}{more}"
        if self.dealers_joker:
            yield f"Jokers {self.joker_effect or '-'}  the dealer's is {self.dealers_joker}"
        if self.opening_points:
            yield f"Opening {self.opening_points} of {self.rules.first_meld_min}"
        if self.bound_by:
            yield f"Bound by {', '.join(self.bound_by)}"
        yield f"Hand  {' '.join(self.hand)}"

    # -- inside --------------------------------------------------------------------------------

    def _moves_or_ended(self) -> str:
        """Who moves in which phase, or who has won."""
        if self.phase != "over":
            return f"seat {self.current_seat} moves: {self.phase}"
        winners = bits_of(self._record["winners"][0])
        many = "winner" if len(winners) == 1 else "winners"
        return f"game over, {many} {' '.join(map(str, winners)) or 'none'}"

    def _int(self, name: str) -> int:
        return int(self._record[name][0])

    def _by_seat(self, name: str) -> list[int]:
        return self._record[name][0, : self.num_players].tolist()

    def _cards(self, name: str) -> list[str]:
        return format_cards(faces_of(self._record[name][0])).split()

    def _copies(self) -> npt.NDArray[np.int8]:
        counts = self.unseen_counts
        return counts[counts > 0]

    def _checked(self, seat: int) -> int:
        return as_seat(seat, self.num_players)
