"""What a picture shows, as plain values: nothing but what is drawn gets as far as the drawing."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Card", "Meld", "Scene", "Seat"]


class Card(NamedTuple):
    """A card that lies face up.

    Attributes:
        face: ``7h``, ``**`` for a joker, ``**=7h`` for one that stands for another card.
        seat: Who threw it or laid it off, where it is to be said.
        is_marked: Whether it is marked: it was drawn or laid in this turn, or has to be used.
    """

    face: str
    seat: int | None = None
    is_marked: bool = False


class Meld(NamedTuple):
    """A meld: its cards low to high, and what is said of it besides, such as ``x2``."""

    cards: tuple[Card, ...]
    badge: str


class Seat(NamedTuple):
    """A seat and what belongs to it.

    Attributes:
        number: Its number.
        name: Who sits there.
        total: Points of the finished rounds.
        table_points: Points laid on the table in this round.
        cards: Cards of the hand that are seen.
        num_hidden: Further cards of the hand.
        melds: The melds that it laid down.
        notes: What is said of it besides.
        is_to_move: Whether it is to move.
    """

    number: int
    name: str
    total: int
    table_points: int
    cards: tuple[Card, ...]
    num_hidden: int
    melds: tuple[Meld, ...]
    notes: tuple[str, ...]
    is_to_move: bool


class Scene(NamedTuple):
    """A table.

    Attributes:
        title: What is played.
        status: Who is to do what.
        last: What was done last.
        notes: What is said of the table besides.
        seats: All seats in order of play; the first one sits at the bottom.
        pile: The discard pile, bottom to top.
        num_stock: Cards in the stock.
        dealers_joker: What is said of the dealer's joker; None: there is none.
    """

    title: str
    status: str
    last: str
    notes: str
    seats: tuple[Seat, ...]
    pile: tuple[Card, ...]
    num_stock: int
    dealers_joker: str | None
