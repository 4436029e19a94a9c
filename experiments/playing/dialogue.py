"""The talk between a person and the table: lines typed, lines shown."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from experiments.playing import screen
from experiments.playing.hints import Hints
from experiments.playing.table import PlayTable
from experiments.playing.words import matching_moves, normal_form
from rummy500_env.actions import Move
from rummy500_env.errors import IllegalActionError, Rummy500Error, UnknownNameError
from rummy500_env.view_reading import columns

__all__ = ["Dialogue"]

HELP: Final = """\
A number of the list   plays that move; so does Enter where there is but one
a move                 draw, dig 7c, meld 7c 7d 7h, meld 5h-8h, layoff 8h high,
                       discard Kh; what is clear can be shorter: dis kh, kh
?                      a hint; ? NAME asks another agent: ? greedy
undo                   takes back a move of this turn that has shown no card
table                  shows the table again
quit                   stops"""


class Dialogue:
    """A game as a person plays it in a terminal, or by text from a file.

    Args:
        table: The table.
        names: Who sits at each seat.
        hint: The agent that ``?`` asks; None: the strongest that can play these rules.
        is_open: Whether all hands are shown.
    """

    def __init__(
        self, table: PlayTable, names: Sequence[str], hint: str | None, is_open: bool
    ) -> None:
        self.table, self.names = table, names
        self._hint, self._is_open = hint, is_open
        self._hints = Hints(table.game)
        self._rounds = 0

    def run(self) -> None:
        """Play to the end of the game, or until the person quits.

        Raises:
            EOFError: when there is nothing more to read.
            Rummy500Error: when an agent fails.
        """
        while True:
            self._others()
            if self.table.game.is_over:
                screen.write(screen.end_text(self.table.game, self.names))
                return
            if not self._turn():
                return

    def _others(self) -> None:
        """Let the agents play, and show what they do, a line for each of their turns."""
        mover, moves = -1, list[str]()
        for seat, move in self.table.others_play():
            if moves and seat != mover:
                self._told(mover, moves)
                moves = []
            mover = seat
            moves.append(move)
            if len(self.table.game.rounds) > self._rounds:
                self._told(mover, moves)
                moves = []
                self._round_ended()
        if moves:
            self._told(mover, moves)

    def _told(self, seat: int, moves: Sequence[str]) -> None:
        screen.write(columns([f"{seat} {self.names[seat]}: {', '.join(moves)}"]))

    def _round_ended(self) -> None:
        self._rounds = len(self.table.game.rounds)
        screen.write("\n" + screen.result_text(self.table.game, self.names) + "\n")

    def _turn(self) -> bool:
        """Let the person make one move; return whether the game goes on."""
        moves = self.table.view.moves()
        if moves == ["pass"]:
            screen.write("You can only pass.")
            return self._play(moves[0])
        self._show(moves)
        while True:
            text = _asked(f"{self.table.game.phase}> ")
            word, _, rest = text.strip().partition(" ")
            if word in ("quit", "q"):
                return False
            if word in ("help", "h"):
                screen.write(HELP)
            elif word.startswith("?"):
                self._give_hint(text.strip()[1:].strip(), moves)
            elif word == "table":
                self._show(moves)
            elif word == "undo" and not rest:
                if self.table.can_undo:
                    self.table.undo()
                    return True
                screen.write("Nothing to undo: what has shown a card, or ended a turn, stands.")
            elif (move := self._meant(text, moves)) is not None:
                return self._play(move)

    def _show(self, moves: Sequence[Move]) -> None:
        hands = self.table.game.position()["hands"] if self._is_open else ()
        text = screen.table_text(self.table.view, self.names, hands)
        screen.write(f"\n{text}\n{screen.moves_text(moves)}")

    def _play(self, move: Move) -> bool:
        self.table.play(move)
        if len(self.table.game.rounds) > self._rounds:
            self._round_ended()
        return True

    def _meant(self, text: str, moves: Sequence[Move]) -> Move | None:
        """Return the move that is meant; None, and a word about it, when it is not clear."""
        if not text.strip():
            if len(moves) == 1:
                return moves[0]
            screen.write(f"Type a move or its number, 1 to {len(moves)}; help says more.")
            return None
        found = matching_moves(text, moves, self.table.game.rules.num_ranks)
        if len(found) == 1:
            return found[0]
        if found:
            screen.write(columns([f"That can mean {', '.join(found)}."]))
        else:
            screen.write(columns([self._why_not(text, len(moves))]))
        return None

    def _why_not(self, text: str, count: int) -> str:
        """Say why what was typed is no move now."""
        if normal_form(text).isdecimal():
            return f"There is no move {text.strip()}: the list has 1 to {count}."
        try:
            self.table.game.clone().play(normal_form(text))
        except (IllegalActionError, UnknownNameError) as error:
            return f"No: {error}"
        raise AssertionError(f"{text!r} is legal and was not found")

    def _give_hint(self, name: str, moves: Sequence[Move]) -> None:
        try:
            name = name or self._hint or self._hints.first_choice()
            hint = self._hints.ask(name, self.table.game)
        except (Rummy500Error, ValueError) as error:
            screen.write(columns([f"No hint: {' '.join(str(error).split())}"]))
            return
        screen.write(screen.hint_text(name, hint, moves))


def _asked(prompt: str) -> str:
    """Return a line that was typed; one that comes from a file is shown after the prompt."""
    if sys.stdin.isatty():
        return input(prompt)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    screen.write(prompt + line.rstrip("\n"))
    return line
