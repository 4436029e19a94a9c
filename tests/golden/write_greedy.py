"""Write `greedy_choices.txt`: `python -m tests.golden.write_greedy`.

That is right only when the rules were wrong: greedy's own rule does not change.

Each line is a decision of a game: seat, phase, and what greedy chooses there. Where another move
was played, which is so in a fifth of all decisions, it stands behind an arrow; so the decisions
are rebuilt from the text and the seeds alone, whatever greedy plays today.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import NamedTuple

import agents
from rummy500_env import Game, Rules

__all__ = ["FILE", "Decision", "read", "written"]

FILE = Path(__file__).parent / "greedy_choices.txt"
GAMES = ((2, range(5), 80), (3, range(3), 100), (5, range(2), 150))
"""Players, seeds, and decisions of each game."""
HEAD = "Greedy's choices in games of the standard rules; behind an arrow what was played instead."
LINE = re.compile(r"  (?P<seat>\d) (?P<phase>\w+) +(?P<choice>[^>]+?)(?: -> (?P<other>.+))?")


class Decision(NamedTuple):
    """A line of the file: who was to move, greedy's choice there, and what was played."""

    seat: int
    phase: str
    choice: str
    played: str


def read() -> dict[tuple[int, int], list[Decision]]:
    """Return the decisions of each game by players and seed."""
    games: dict[tuple[int, int], list[Decision]] = {}
    decisions: list[Decision] = []
    for line in FILE.read_text().splitlines()[1:]:
        if head := re.fullmatch(r"(\d) players, seed (\d+)", line):
            decisions = games[int(head[1]), int(head[2])] = []
        elif found := LINE.fullmatch(line):
            choice = found["choice"]
            decision = Decision(
                int(found["seat"]), found["phase"], choice, found["other"] or choice
            )
            decisions.append(decision)
        elif line:
            raise ValueError(f"not understood: {line!r}")
    return games


def written() -> str:
    """Return the text, made anew."""
    lines = [HEAD]
    for num_players, seeds, count in GAMES:
        agent = agents.make("greedy")
        agent.reset(Rules(), num_players, 0)
        for seed in seeds:
            lines += ["", f"{num_players} players, seed {seed}"]
            game = Game(Rules(), num_players, seed)
            chooser = random.Random(seed)
            for _ in range(count):
                seat = game.current_seat
                views, mask = game.view_record(seat), game.action_mask()
                choice = game.action_space.to_text(int(agent.act(views, mask[None])[0]))
                line = f"  {seat} {game.phase:<8} {choice}"
                legal = game.legal_moves()
                other = legal[int(chooser.random() * len(legal))]
                if chooser.random() < 0.4 and other != choice:
                    line += f" -> {other}"
                    choice = other
                lines.append(line)
                game.play(choice)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(written())
