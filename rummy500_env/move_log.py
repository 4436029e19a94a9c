"""The moves of games played side by side, for agents that watch them and for records."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["MoveLog"]

ROOM = 512
"""Moves of a game that a kernel can note before they are read."""


class MoveLog:
    """What has been played in each game, and how much of it each seat has been told.

    Args:
        num_games: Games side by side.
        num_players: Seats of each.
        watched: Whether anybody wants to know; if not, nothing is noted.

    Attributes:
        actions, seats: ``(num_games, room)``: moves that kernels have noted; no room if unwatched.
        sizes: ``int32 (num_games,)``: how many.
    """

    def __init__(self, num_games: int, num_players: int, watched: bool) -> None:
        room = ROOM if watched else 0
        self.watched = watched
        self.actions = np.zeros((num_games, room), np.int16)
        self.seats = np.zeros((num_games, room), np.int8)
        self.sizes = np.zeros(num_games, np.int32)
        self._moves: list[list[tuple[int, int]]] = [[] for _ in range(num_games)]
        self._told = np.zeros((num_games, num_players), np.int64)

    def collect(self) -> None:
        """Take over what kernels have noted."""
        for table in np.flatnonzero(self.sizes).tolist() if self.watched else ():
            size = int(self.sizes[table])
            seats, actions = self.seats[table, :size].tolist(), self.actions[table, :size].tolist()
            self._moves[table] += zip(seats, actions, strict=True)
        self.sizes[:] = 0

    def note(self, tables: Any, seats: Any, actions: Any) -> None:
        """Note one more move in each of some games."""
        if self.watched:
            for table, *move in zip(tables.tolist(), seats.tolist(), actions.tolist(), strict=True):
                self._moves[table].append((move[0], move[1]))

    def actions_so_far(self) -> npt.NDArray[np.int16]:
        """Return all moves of all games, one game after the other: ``int16 (moves,)``."""
        actions = (action for moves in self._moves for _, action in moves)
        return np.fromiter(actions, np.int16)

    def untold(self, table: int, seat: int) -> list[tuple[int, int]]:
        """Return the moves (seat, action) of a game that a seat has not been told of yet."""
        moves = self._moves[table]
        start, self._told[table, seat] = int(self._told[table, seat]), len(moves)
        return moves[start:]

    def forget(self, tables: Any) -> None:
        """Begin some games anew: nothing has been played there yet."""
        for table in tables.tolist() if self.watched else ():
            self._moves[table] = []
            self._told[table] = 0
