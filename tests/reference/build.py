"""Short ways to put a table into a position, for tests."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.reference.table import Table


def shuffle_of(seed: int) -> Callable[[int, int, int], list[int]]:
    """A shuffle that depends on a seed, the round and the refill only."""

    def shuffle(round_index: int, refill: int, num_cards: int) -> list[int]:
        order = list(range(num_cards))
        Random(f"{seed} {round_index} {refill}").shuffle(order)
        return order

    return shuffle


def place(
    hands: list[str],
    pile: str = "",
    *,
    melds: list[Any] | None = None,
    stock: str | None = None,
    options: dict[str, Any] | None = None,
    **more: Any,
) -> Table:
    """A table by the cards of all hands; each meld as its cards and the seat that laid it.

    A meld may be a dictionary too, as positions have it.
    """
    position: dict[str, Any] = {
        "rules": options or {},
        "hands": hands,
        "discard_pile": pile,
        "melds": [
            {"cards": meld[0], "laid_by": [meld[1]] * len(meld[0].split())}
            if isinstance(meld, tuple)
            else meld
            for meld in melds or []
        ],
        **more,
    }
    if stock is not None:
        position["stock"] = stock
    return Table.from_position(position)


def some(table: Table, word: str) -> list[str]:
    """The legal moves that begin with a word."""
    return [move for move in table.legal_moves() if move.split()[0] == word]


def play_all(table: Table, *moves: str) -> Table:
    """Play moves one after the other."""
    for move in moves:
        table.play(move)
    return table


def play_randomly(table: Table, seed: int, limit: int = 100_000) -> Table:
    """Play random legal moves to the end of the game."""
    rng = Random(seed)
    for _ in range(limit):
        if table.is_over:
            break
        table.play(rng.choice(table.legal_moves()))
    return table
