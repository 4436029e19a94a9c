"""The pinned game of each preset is replayed move by move."""

from __future__ import annotations

from pathlib import Path

import pytest

from rummy500_env import Game, Rules
from rummy500_env.presets import presets
from tests.golden.write import GAMES

WRITTEN = sorted(path.stem for path in GAMES.glob("*.txt"))


def test_every_preset_has_a_pinned_game():
    missing = set(presets()) - set(WRITTEN)
    assert not missing, f"write them: python -m tests.golden.write {' '.join(sorted(missing))}"


@pytest.mark.parametrize("name", WRITTEN)
def test_game(name):
    replay(GAMES / f"{name}.txt")


@pytest.mark.nojit
def test_game_without_the_compiler():
    replay(GAMES / "rummy500.txt")


def replay(path: Path) -> None:
    """Play the moves of a text, and check all that it says."""
    lines = [line for line in path.read_text().splitlines() if line]
    header = dict(line.split(" ", 1) for line in lines[:4])
    rules = Rules.preset(header["preset"])
    assert rules.digest == header["digest"]
    game = Game(rules, int(header["players"]), int(header["seed"]))
    for number, line in enumerate(lines[4:], 5):
        assert _agrees(game, line), f"{path.name}, line {number} that is not empty: {line}"


def _agrees(game: Game, line: str) -> bool:
    """Check a line that tells something, or play it when it is a move."""
    word, *rest = line.split()
    position = game.position()
    match word:
        case "round":
            return rest == [str(game.round_number), "dealer", str(game.dealer)]
        case "hand":
            return rest[1:] == position["hands"][int(rest[0])].split()
        case "upcard":
            return rest == [position["discard_pile"]]
        case "scores":
            at = rest.index("totals")
            last = game.rounds[-1]
            return (list(map(int, rest[:at])), list(map(int, rest[at + 1 :]))) == (
                list(last.scores),
                game.scores,
            )
        case "ended":
            last = game.rounds[-1]
            by = [] if last.went_out is None else ["by", str(last.went_out)]
            return rest == [last.how, *by]
        case "winners":
            return game.is_over and rest == ([str(s) for s in game.winners] or ["-"])
        case _:
            return _played(game, line)


def _played(game: Game, line: str) -> bool:
    """Play the move of a line, when the line says rightly who moves."""
    seat, phase, legal, *move = line.split()
    told = (int(seat), phase, int(legal))
    if told != (game.current_seat, game.phase, len(game.legal_actions())):
        return False
    game.play(" ".join(move))
    return True
