"""The command that shows recorded games: all at once, or page by page on a terminal."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.cli import main
from experiments.tournament import tournament
from rummy500_env import Game, Rules, records
from tests.support.recording import lines_of, played, write_lines

RULES = Rules(target_score=250)


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> Path:
    """A file of three games: over after some rounds, broken off, cut off by a limit."""
    found = tmp_path_factory.mktemp("records") / "games.r500"
    limited = RULES.replace(max_rounds=1)
    with records.Writer(found) as file:
        file.add(played(Game(RULES, 2, seed=1), 1), ["me", "greedy"])
        file.add(played(Game("michigan_rum", 3, seed=2), 2, 25))
        file.add(played(Game(limited, 2, seed=3), 3), game_id=9)
    return found


def said(capsys, *words: str) -> str:
    """Run the command, which succeeds, and return what it prints."""
    assert main(["replay", *words]) == 0
    found = capsys.readouterr()
    assert not found.err
    return found.out


def test_every_position_is_printed_with_its_move(path, capsys):
    found = said(capsys, str(path))
    for again in records.replay(path):
        for step in again.steps():
            assert f"{step.game}\nMove   " in found
        assert str(again.game) in found
    moves = re.findall(
        r"^Move   (\d+) of (\d+): seat (\d) \((.+)\) plays (.+)$", found, re.MULTILINE
    )
    assert [move for *_, move in moves] == [
        move
        for again in records.replay(path)
        for each in again.record.rounds
        for move in each.moves
    ]
    assert moves[0][2:4] in {("0", "me"), ("1", "greedy")}


def test_rounds_and_games_tell_how_they_ended(path, capsys):
    found = said(capsys, str(path))
    games = list(records.replay(path))
    for each in games[0].record.rounds:
        assert f"Round {each.round} ended: {each.how}" in found
        assert f"scores {list(each.scores or ())}, totals {list(each.totals)}" in found
    winner = games[0].game.winners[0]
    assert f"The game is won by seat {winner} ({('me', 'greedy')[winner]})." in found
    assert "The record ends here; the game has not ended." in found
    assert found.endswith("The game was cut off by max_rounds.\n")


def test_titles_say_what_is_played(path, capsys):
    lines = said(capsys, str(path)).splitlines()
    assert lines[0] == "Game 0  seed 1  players 0 me, 1 greedy"
    assert lines[1] == "Rules  rummy500 --set target_score=250"
    assert "Game 1  seed 2  players 0 player_0, 1 player_1, 2 player_2" in lines
    assert "Rules  michigan_rum" in lines


def test_games_and_rounds_are_chosen(path, capsys):
    whole = said(capsys, str(path))
    parts = [said(capsys, str(path), "--game", str(number)) for number in (0, 1, 9)]
    assert "\n".join(parts) == whole
    first = next(records.replay(path)).record.rounds
    assert len(first) > 1
    rounds = [
        said(capsys, str(path), "--game", "0", "--round", str(n + 1)) for n in range(len(first))
    ]
    title, body = parts[0].split("\n\n", 1)
    assert (
        title + "\n\n" + "\n".join(r.split("\n\n", 1)[1] for r in rounds) == title + "\n\n" + body
    )
    assert all(
        f"Move   1 of {len(each.moves)}: " in r for each, r in zip(first, rounds, strict=True)
    )


def test_the_folder_of_a_run_will_do(tmp_path, capsys):
    run = tournament(["random", "greedy"], deals=2, out=tmp_path, records=True)
    found = said(capsys, str(tmp_path), "--game", "3", "--all")
    row = run.games.iloc[3]
    names = row["agents"].split(" | ")
    assert found.startswith(f"Game 3  seed {row['seed']}  players 0 {names[0]}, 1 {names[1]}\n")
    assert found == said(capsys, str(tmp_path / "records.r500.gz"), "--game", "3")


# --- page by page --------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """Text that says it comes from a terminal."""

    def isatty(self) -> bool:
        return True


def leafed(monkeypatch, path: Path, typed: str, *words: str) -> list[str]:
    """Return the pages that are shown for what is typed."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    monkeypatch.setattr(sys, "stdout", screen)
    assert main(["replay", str(path), *words]) == 0
    return screen.getvalue().split("Enter: next, b: back, q: quit > ")


def test_pages_are_turned_forth_and_back(path, monkeypatch, capsys):
    *_, all_pages = said(capsys, str(path), "--game", "0").split("players 0 me, 1 greedy\n")
    pages = [page.strip("\n") for page in all_pages.split("\n\n")[1:]]
    found = leafed(monkeypatch, path, "b\n\n\nB\nwhat?\n\nq\n", "--game", "0")
    shown = [page.split("\n\n", 1)[-1].strip("\n") for page in found]
    assert shown[:-1] == [pages[n] for n in (0, 0, 1, 2, 1, 1, 2)]
    assert shown[-1] == ""
    assert "Game 0  seed 1" in found[0]


def test_the_next_game_follows_the_last_page(path, monkeypatch):
    first, second, _ = (len(again) for again in records.replay(path))
    found = leafed(monkeypatch, path, "\n" * 2000)
    assert len(found) == sum(len(again) + 1 for again in records.replay(path)) + 1
    assert "Game 1  seed 2" in found[first + 1]
    assert "Game 9  seed 3" in found[first + second + 2]
    assert "cut off by max_rounds" in found[-2]


def test_the_end_of_what_is_typed_stops_it(path, monkeypatch):
    assert len(leafed(monkeypatch, path, "\n\n")) == 4


def test_a_round_is_leafed_through_alone(path, monkeypatch):
    again = next(records.replay(path))
    moves = again.record.rounds[1].moves
    found = leafed(monkeypatch, path, "\n" * 2000, "--game", "0", "--round", "2")
    assert len(found) == len(moves) + 1 + (len(again.record.rounds) == 2)
    assert "b\n" not in found[0]


def test_all_asks_nothing_on_a_terminal(path, monkeypatch):
    assert len(leafed(monkeypatch, path, "", "--all")) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")
def test_on_a_terminal_it_waits_for_keys(path):
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "experiments.cli", "replay", str(path), "--game", "1"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        os.write(ours, b"\nb\n\nq\n")
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # how Linux says that the other end is closed
                break
            if not part:
                break
            shown += part
    os.close(ours)
    assert process.returncode == 0
    moves = re.findall(r"Move   (\d+) of 25", shown.decode())
    assert moves == ["1", "2", "1", "2"]


# --- faults --------------------------------------------------------------------------------------


def complaint(capsys, *words: str) -> str:
    """Run the command, which fails, and return the line that it says so in."""
    assert main(["replay", *words]) == 2
    found = capsys.readouterr().err
    assert found.count("\n") == 1
    return found.removeprefix("rummy500: error: ").rstrip()


def test_damaged_files_are_one_line(path, tmp_path, capsys):
    wrong = tmp_path / "wrong.r500"
    lines = lines_of(path)
    lines[1]["scores"][0] += 5
    write_lines(wrong, lines)
    assert complaint(capsys, str(wrong)).startswith(f"{wrong}, line 2: scores is [")
    assert complaint(capsys, str(wrong), "--all", "--game", "0").startswith(f"{wrong}, line 2: ")
    wrong.write_bytes(path.read_bytes()[:-9])
    assert complaint(capsys, str(wrong)).endswith("the last line is cut off")
    wrong.write_bytes(bytes(range(256)))
    assert "the line is no JSON" in complaint(capsys, str(wrong))
    wrong.write_bytes(b"\x1f\x8b" + bytes(99))
    assert f"{wrong}, line 1: the compressed file is damaged" in complaint(capsys, str(wrong))


def test_what_is_not_there_is_named(path, tmp_path, capsys):
    assert complaint(capsys, str(path), "--game", "4") == f"'{path}' holds no game 4"
    last = len(next(records.replay(path)).record.rounds)
    wrong = complaint(capsys, str(path), "--game", "0", "--round", "99")
    assert wrong == f"game 0 has no round 99: use 1 to {last}"
    assert (
        complaint(capsys, str(tmp_path / "none")) == f"'{tmp_path}/none': No such file or directory"
    )
    assert complaint(capsys, str(tmp_path)).startswith(f"'{tmp_path}' holds no records.r500.gz: ")
    assert complaint(capsys, str(path), "--game", "x").endswith("'x' is no whole number")
