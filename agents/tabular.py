"""An agent out of a table: for all that a seat may have seen, how likely each action is.

Tables are made by solving a tiny game; they are for one variant and for rounds. What a seat has
seen is a row of numbers, as :mod:`rummy500_env.engine.lazy` has them: the cards dealt to it in the
order of faces, the first discard, then all moves, each own draw followed by its cards.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from agents.base import TurnAgent
from rummy500_env.actions import Move, action_space
from rummy500_env.cards import face as face_of
from rummy500_env.engine.lazy import SEEN_CARD, UPCARD
from rummy500_env.errors import AgentError
from rummy500_env.game import Event
from rummy500_env.rules import Rules
from rummy500_env.view import PlayerView

__all__ = ["PolicyTable", "TabularAgent"]

FORMAT = 1


class PolicyTable:
    """A strategy of both seats, as a table.

    Args:
        rules: The rules it is for.
        seen: ``int16``: what was seen before each decision, one after the other.
        seen_starts: ``int64 (decisions + 1,)``: where that of each begins.
        actions: ``int16``: the legal actions of each decision, one after the other.
        action_starts: ``int64 (decisions + 1,)``: where those of each begin.
        chances: ``float64``: the probability of each action.
        seats: ``int8 (decisions,)``: who decides; 0 is the first to turn.
    """

    def __init__(
        self,
        rules: Rules,
        seen: npt.NDArray[np.int16],
        seen_starts: npt.NDArray[np.int64],
        actions: npt.NDArray[np.int16],
        action_starts: npt.NDArray[np.int64],
        chances: npt.NDArray[np.float64],
        seats: npt.NDArray[np.int8],
    ) -> None:
        self.rules = rules
        self.arrays = {
            "seen": seen,
            "seen_starts": seen_starts,
            "actions": actions,
            "action_starts": action_starts,
            "chances": chances,
            "seats": seats,
        }
        self._rows: dict[bytes, int] = {}
        for row, (begin, end) in enumerate(pairwise(seen_starts)):
            self._rows[_key(int(seats[row]), seen[begin:end])] = row

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # it never changes, and each seat of each game is played by a copy of an agent

    def __len__(self) -> int:
        return len(self._rows)

    def find(self, seat: int, seen: npt.ArrayLike) -> tuple[Any, Any]:
        """Return the actions of a decision and their probabilities; ``KeyError``: unknown.

        Args:
            seat: Who decides, 0 is the first to turn.
            seen: What it has seen.
        """
        row = self._rows[_key(seat, np.asarray(seen, np.int16))]
        begin, end = self.arrays["action_starts"][row : row + 2]
        return self.arrays["actions"][begin:end], self.arrays["chances"][begin:end]

    def save(self, path: Path) -> None:
        """Write the table into a file, ``.npz``."""
        about = {"format": FORMAT, "rules": self.rules.to_dict(full=False)}
        np.savez_compressed(path, about=np.array(json.dumps(about)), **self.arrays)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the table of a file.

        Raises:
            ValueError: when it is none.
        """
        try:
            with np.load(path, allow_pickle=False) as file:
                about = json.loads(str(file["about"]))
                arrays = {name: file[name] for name in file.files if name != "about"}
            if about["format"] != FORMAT:
                raise ValueError(f"its format is {about['format']}, not {FORMAT}")
            return cls(Rules.from_dict(about["rules"]), **arrays)
        except OSError as error:
            raise ValueError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{str(path)!r} holds no table of a strategy: {error}") from error


class TabularAgent(TurnAgent):
    """Plays a table, drawing its actions with the random bits of its views.

    Args:
        table: The table, or the file it lies in.
    """

    def __init__(self, table: PolicyTable | str | Path) -> None:
        super().__init__()
        self.table = table if isinstance(table, PolicyTable) else PolicyTable.load(table)
        self.name = "tabular"
        self._seen: list[int] = []
        self._noted: list[Event] = []

    def reset(self, rules: Rules, num_players: int, seed: int) -> None:
        """Get ready for games; ``AgentError`` when the table is for other rules."""
        if rules != self.table.rules or num_players != 2:
            raise AgentError(
                f"a table for the rules {self.table.rules.digest} and 2 players cannot play "
                f"{rules.digest} with {num_players}"
            )
        super().reset(rules, num_players, seed)

    def see(self, event: Event) -> None:
        """Take note of a move."""
        self._noted.append(event)

    def choose(self, view: PlayerView, legal: list[Move]) -> int:
        """Draw an action of the table."""
        actions, chances = self.chances(view)
        place = np.searchsorted(np.cumsum(chances), view.random / 2**64, side="right")
        return int(actions[min(int(place), len(actions) - 1)])

    def chances(self, view: PlayerView) -> tuple[Any, Any]:
        """Return the actions of a decision and their probabilities."""
        if view.decision == 0:
            self._seen = self._dealt(view)
        texts = action_space(self.rules, self.num_players)
        for event in self._noted:
            self._seen.append(texts.from_text(event.move))
            self._seen += [int(SEEN_CARD) + face_of(card) for card in event.drawn]
        self._noted = []
        seat = (view.seat - view.dealer - 1) % self.num_players
        try:
            return self.table.find(seat, self._seen)
        except KeyError:
            raise AgentError(f"the table has no decision after {self._seen}") from None

    def _dealt(self, view: PlayerView) -> list[int]:
        """Return what was seen before the first move: the hand and the first discard."""
        first = self._noted[0].move if self._noted else ""
        card = first.split()[1] if first.startswith("dig ") else view.discard_pile[0]
        hand = sorted(face_of(held) for held in view.hand)
        return [int(SEEN_CARD) + face for face in hand] + [int(UPCARD) + face_of(card)]


def _key(seat: int, seen: npt.NDArray[np.int16]) -> bytes:
    return bytes([seat]) + np.ascontiguousarray(seen).tobytes()
