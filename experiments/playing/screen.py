"""What a person sees of a table: text of 80 columns, in colour on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Final

from experiments.playing.hints import Hint
from rummy500_env.game import Game
from rummy500_env.render.colour import for_stream
from rummy500_env.view import PlayerView
from rummy500_env.view_reading import columns

__all__ = ["WIDTH", "end_text", "hint_text", "moves_text", "result_text", "table_text", "write"]

WIDTH: Final = 80
NAME: Final = 24
SHOWN: Final = 8
"""So many moves of a hint are shown, and no more."""


def write(text: str) -> None:
    """Print text, its cards in colour where the output is a terminal that has some."""
    sys.stdout.write(for_stream(text, sys.stdout) + "\n")
    sys.stdout.flush()


def table_text(view: PlayerView, names: Sequence[str], hands: Iterable[str] = ()) -> str:
    """Return what a person may know.

    Args:
        view: The person's view.
        names: Who sits at each seat.
        hands: The hands of all seats, where they lie open.
    """
    target = view.rules.target_score
    goal = "" if target is None or view.record["single_round"][0] else f"  to {target}"
    lines = [
        f"Round {view.round_number}{goal}  stock {view.stock_size}",
        f"  seat {'player':{NAME}} total  table  hand",
    ]
    for seat, name in enumerate(names):
        points = (
            f"{view.scores[seat]:>5}  {view.table_points[seat]:>+5}  {view.hand_sizes[seat]:>4}"
        )
        marks = ["to move"] * (seat == view.current_seat) + ["dealer"] * (seat == view.dealer)
        lines.append(
            f"  {seat:>4} {_short(name, NAME):{NAME}} {points}  {', '.join(marks)}".rstrip()
        )
    lines += view.table_lines()
    if view.drawn:
        lines.append(f"Drawn {' '.join(view.drawn)}")
    lines += [f"Open hand of {seat}  {cards}" for seat, cards in enumerate(hands)]
    return columns(lines)


def moves_text(moves: Sequence[str]) -> str:
    """Return the moves with their numbers, in as many columns as there is room for."""
    digits = len(str(len(moves)))
    cells = [f"{number:>{digits}} {move}" for number, move in enumerate(moves, 1)]
    wide = max(map(len, cells), default=0) + 2
    across = max(1, (WIDTH + 2) // wide)
    rows = [cells[k : k + across] for k in range(0, len(cells), across)]
    return "\n".join("".join(f"{cell:{wide}}" for cell in row).rstrip() for row in rows)


def hint_text(name: str, hint: Hint, moves: Sequence[str]) -> str:
    """Return what an agent says, its best moves with their numbers in the list."""
    lines = [f"{_short(name, 40)} would play: {hint.move}"]
    for move, value in hint.values[:SHOWN]:
        lines.append(f"{moves.index(move) + 1:>5} {move:<32} {value:+8.1f} points")
    return "\n".join(lines)


def result_text(game: Game, names: Sequence[str]) -> str:
    """Return what the last finished round of a game came to."""
    scores, went_out, how = game.rounds[-1]
    goer = "" if went_out is None else f", {names[went_out]} went out"
    points = ", ".join(
        f"{name} {score:+} ({total})"
        for name, score, total in zip(names, scores, game.scores, strict=True)
    )
    return columns([f"Round {len(game.rounds)} ended: {how}{goer}", f"Points (totals): {points}"])


def end_text(game: Game, names: Sequence[str]) -> str:
    """Return how a game ended."""
    if game.truncated_by:
        return f"The game was cut off by {game.truncated_by}."
    winners = " and ".join(names[seat] for seat in game.winners)
    return columns([f"The game is over. Winner: {winners or 'nobody'}."])


def _short(name: str, width: int) -> str:
    return name if len(name) <= width else name[: width - 3] + "..."
