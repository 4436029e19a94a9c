"""The two engines behind one face, so that a clause of the rules is tested on both.

`place` puts a table into a position on the engine in turn; what it returns answers to the calls of
the reference table.
"""

from __future__ import annotations

from typing import Any, Protocol

from rummy500_env import Game, Rules
from tests.reference import Table

__all__ = ["EngineTable", "Place", "Placed", "placing_on", "play_all", "some"]


class Placed(Protocol):
    """A table on either engine."""

    @property
    def current_seat(self) -> int: ...
    @property
    def phase(self) -> str: ...
    @property
    def scores(self) -> list[int]: ...
    @property
    def round_number(self) -> int: ...
    @property
    def dealer(self) -> int: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def winners(self) -> list[int]: ...
    @property
    def truncated_by(self) -> str | None: ...
    @property
    def rounds(self) -> list[dict[str, Any]]: ...
    @property
    def chips(self) -> list[int]: ...
    def position(self) -> dict[str, Any]: ...
    def view(self, seat: int) -> dict[str, Any]: ...
    def copy(self) -> Placed: ...
    def legal_moves(self) -> list[str]: ...
    def play(self, text: str) -> None: ...


class Place(Protocol):
    """Puts a table into a position."""

    def __call__(
        self,
        hands: list[str],
        pile: str = "",
        *,
        melds: list[Any] | None = None,
        stock: str | None = None,
        options: dict[str, Any] | None = None,
        **more: Any,
    ) -> Placed:
        """A table by the cards of all hands; each meld as its cards and the seat that laid it.

        A meld may be a dictionary too, as positions have it.
        """
        ...


class EngineTable:
    """A game on the engine that answers like the reference table."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def current_seat(self) -> int:
        return self.game.current_seat

    @property
    def phase(self) -> str:
        return self.game.phase

    @property
    def scores(self) -> list[int]:
        return self.game.scores

    @property
    def round_number(self) -> int:
        return self.game.round_number

    @property
    def dealer(self) -> int:
        return self.game.dealer

    @property
    def is_over(self) -> bool:
        return self.game.is_over

    @property
    def winners(self) -> list[int]:
        return self.game.winners

    @property
    def truncated_by(self) -> str | None:
        return self.game.truncated_by

    @property
    def rounds(self) -> list[dict[str, Any]]:
        return [
            {"scores": list(r.scores), "went_out": r.went_out, "how": r.how}
            for r in self.game.rounds
        ]

    @property
    def chips(self) -> list[int]:
        return self.game.position()["chips"]

    def position(self) -> dict[str, Any]:
        """The position with the keys of the reference."""
        position = self.game.position()
        rules = self.game.rules
        for meld in position["melds"]:
            meld.pop("at_once")
            if rules.layoff_scope not in ("own", "team"):
                meld.pop("owner", None)
            if not rules.dealers_joker:
                meld.pop("doubled", None)
        return position

    def view(self, seat: int) -> dict[str, Any]:
        """The view in texts."""
        view = self.game.view(seat)
        return {
            "hand": " ".join(view.hand),
            "hand_sizes": view.hand_sizes,
            "stock_size": view.stock_size,
            "known": [" ".join(view.known(other)) for other in range(view.num_players)],
            "unseen": " ".join(view.unseen),
            "drawn": {
                "stock": " ".join(view.drawn),
                "dug": self.game.position()["drawn"]["dug"],
            },
        }

    def copy(self) -> EngineTable:
        return EngineTable(self.game.clone())

    def legal_moves(self) -> list[str]:
        return [str(move) for move in self.game.legal_moves()]

    def play(self, text: str) -> None:
        self.game.play(text)


def placing_on(engine: str) -> Place:
    """The function that puts tables of one engine into positions."""

    def place(
        hands: list[str],
        pile: str = "",
        *,
        melds: list[Any] | None = None,
        stock: str | None = None,
        options: dict[str, Any] | None = None,
        **more: Any,
    ) -> Placed:
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
        if engine == "reference":
            return Table.from_position(position)
        return _on_the_engine(position)

    return place


def _on_the_engine(position: dict[str, Any]) -> EngineTable:
    rules = Rules.from_dict(position["rules"])
    # Who dealt, when it is not told, is the seat before the one to move.
    seat, count = position.get("seat", 0), len(position["hands"])
    position = {"dealer": (seat - rules.direction) % count, **position, "rules": rules}
    return EngineTable(Game.from_position(position))


def some(table: Placed, word: str) -> list[str]:
    """The legal moves that begin with a word."""
    return [move for move in table.legal_moves() if move.split()[0] == word]


def play_all(table: Placed, *moves: str) -> Placed:
    """Play moves one after the other."""
    for move in moves:
        table.play(move)
    return table
