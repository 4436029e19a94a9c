"""The command that lets a person play, by scripted text."""

from __future__ import annotations

import io
import random
import re
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

import rummy500_env as r5
from experiments.cli import main
from experiments.playing.dialogue import Dialogue
from experiments.playing.hints import Hints
from experiments.playing.screen import moves_text
from experiments.playing.table import PlayTable
from experiments.playing.words import matching_moves, meld_cards, normal_form
from rummy500_env.actions import Move
from rummy500_env.envs.opponents import seat_opponents
from rummy500_env.presets import presets


@pytest.fixture(autouse=True)
def _signals_as_before():
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def play(monkeypatch, capsys, typed: str, *words: str) -> str:
    """Run the command with typed lines; it succeeds. Return what it prints."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    status = main(["play", *words])
    said = capsys.readouterr()
    assert (status, said.err) == (0, "")
    return said.out


def seated(game: r5.Game, *names: str, seat: int = 0) -> PlayTable:
    return PlayTable(game, seat, seat_opponents(list(names) or ["random"], game.num_players))


# -- whole games -----------------------------------------------------------------------------------


def test_a_round_is_played_by_text_and_recorded(monkeypatch, capsys, tmp_path):
    path = tmp_path / "game.r500"
    words = ["--opponents", "advisor", "--episode", "round", "--seed", "5", "--record", str(path)]
    said = play(monkeypatch, capsys, "1\n" * 400, *words)
    assert re.search(r"^Round 1 ended: \w+", said, re.MULTILINE)
    assert re.search(r"^The game is over\. Winner: (you|advisor)\.$", said, re.MULTILINE)
    assert said.endswith(f"Record: {path}\n")
    assert max(map(len, said.splitlines())) <= 80 + len(str(path))
    (played,) = r5.records.replay(path)
    assert played.header.players == ("human", "advisor")
    assert (played.header.seed, played.header.episode) == (5, "round")
    assert played.game.is_over
    # Numbers stand for the moves of the list: the first legal one each time, passes by themselves.
    first = [
        (step.move, str(step.game.view(0).moves()[0])) for step in played.steps() if step.seat == 0
    ]
    assert all(move == listed for move, listed in first)
    typed = len(re.findall(r"^\w+> 1$", said, re.MULTILINE))
    assert typed == len(first) - said.count("You can only pass.")


def test_a_game_goes_on_over_rounds(monkeypatch, capsys):
    words = ["-o", "greedy", "--seed", "2", "--set", "target_score=200"]
    said = play(monkeypatch, capsys, "1\n" * 3000, *words)
    rounds = re.findall(r"^Round (\d+) ended", said, re.MULTILINE)
    assert rounds == [str(k + 1) for k in range(len(rounds))]
    assert len(rounds) > 1
    assert said.endswith(("Winner: you.\n", "Winner: greedy.\n"))


@pytest.mark.parametrize("name", presets())
def test_every_preset_can_be_played_by_text(name, monkeypatch, capsys):
    rules = r5.Rules.preset(name)
    game = r5.Game(rules, rules.player_counts()[0], seed=4, episode="round")
    table = seated(game)
    chooser = random.Random(name)

    def typed(prompt: str) -> str:
        assert prompt == f"{table.game.phase}> "
        return chooser.choice(table.view.moves()[:12])

    monkeypatch.setattr("experiments.playing.dialogue._asked", _at_most(40, typed))
    names = [f"player {seat}" for seat in range(game.num_players)]
    with suppress(EOFError):  # after forty moves, if it has not ended before
        Dialogue(table, names, None, False).run()
    assert table.game.history
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def _at_most(count: int, answer):
    left = iter(range(count))

    def asked(prompt: str) -> str:
        if next(left, None) is None:
            raise EOFError
        return answer(prompt)

    return asked


def test_seats_names_and_open_hands(monkeypatch, capsys):
    words = ["-o", "greedy,random", "--seat", "1", "--seed", "3", "--view", "all"]
    said = play(monkeypatch, capsys, "", *words)
    assert re.search(r"^ +0 random ", said, re.MULTILINE)
    assert re.search(r"^ +1 you ", said, re.MULTILINE)
    assert re.search(r"^ +2 greedy ", said, re.MULTILINE)
    assert len(re.findall(r"^Open hand of \d  (\w\w ?){7}", said, re.MULTILINE)) == 3
    assert said.endswith("The input has ended.\n")
    hidden = play(monkeypatch, capsys, "", *words[:-2])
    assert "Open hand" not in hidden


# -- undo ------------------------------------------------------------------------------------------

HANDS = ["7c 8c 9d 9h Kh 2s", "3c 4d Jh 5s Qd"]


def digging() -> PlayTable:
    return seated(
        r5.Game.from_position(
            {"hands": HANDS, "discard_pile": "9c 2d", "stock": "Ks Qs Js Ts", "dealer": 1}
        )
    )


def moves_of(table: PlayTable) -> dict[str, Move]:
    return {str(move): move for move in table.view.moves()}


def test_moves_that_show_nothing_are_taken_back_one_by_one():
    table = digging()
    positions = [table.game.position()]
    for move in ("dig 9c", "meld 9c 9d 9h"):
        table.play(moves_of(table)[move])
        positions.append(table.game.position())
    assert table.game.view(0).unseen == r5.Game.from_position(positions[0]).view(0).unseen
    for position in reversed(positions[:-1]):
        assert table.can_undo
        table.undo()
        assert table.game.position() == position
    assert not table.can_undo
    assert table.game.history == []


def test_a_draw_and_an_ended_turn_stand():
    table = digging()
    table.play(moves_of(table)["draw"])
    assert not table.can_undo
    table.play(moves_of(table)["discard Kh"])
    assert not table.can_undo
    with pytest.raises(IndexError):
        table.undo()


def test_looking_at_the_hand_stands():
    table = seated(r5.Game("dealers_joker", 3, seed=5), "random", seat=0)
    while not table.is_persons_turn or table.game.phase != "nominate":
        table = seated(r5.Game("dealers_joker", 3, seed=table.game.seed + 1), "random")
    table.play(table.view.moves()[0])
    assert not table.can_undo


class Listener:
    """An agent that notes all it is told, and plays the first move."""

    watches = True
    told: list[tuple[int, int]]

    def __init__(self) -> None:
        self.told = []

    def note_moves(self, table: int, seat: int, moves: list[tuple[int, int]]) -> None:
        self.told += moves

    def act(self, views, action_masks):
        return action_masks.argmax(axis=1)


def test_agents_are_told_what_stands_and_nothing_else():
    listener = Listener()
    game = digging().game
    table = PlayTable(game, 0, seat_opponents([listener], 2))
    table.play(moves_of(table)["dig 9c"])
    table.undo()
    table.play(moves_of(table)["draw"])
    table.play(moves_of(table)["discard Kh"])
    moves = [move for _, move in table.others_play()]
    texts = game.action_space.texts()
    told = [(seat, texts[action]) for seat, action in listener.told]
    assert told[:2] == [(0, "draw"), (0, "discard Kh")]
    assert [move for _, move in told[2:]] == moves[:-1]
    assert all(seat == 1 for seat, _ in told[2:])


def test_undo_is_a_word(monkeypatch, capsys):
    table = digging()
    typed = iter(["undo", "dig 9c", "undo", "draw", "undo", "quit"])
    monkeypatch.setattr("experiments.playing.dialogue._asked", lambda _: next(typed))
    Dialogue(table, ["you", "random"], None, False).run()
    said = capsys.readouterr().out
    assert said.count("Nothing to undo") == 2
    assert said.count("\nDrawn Ts\n") == 1
    assert said.count("Pile  9c 2d") == 3  # at first, after the undo, after the draw
    assert [table.game.action_space.to_text(a) for a in table.game.history] == ["draw"]


# -- words -----------------------------------------------------------------------------------------


def moves(*texts: str) -> list[Move]:
    return [Move(text, number) for number, text in enumerate(texts)]


LEGAL = moves(
    "draw",
    "dig 7c",
    "dig 7c#2",
    "dig **",
    "meld 7c 7d 7h",
    "meld 5h-8h",
    "meld Qs-As",
    "layoff 8h set",
    "layoff 8h high",
    "layoff **=9h high",
    "discard Kh",
    "discard Th",
    "discard 8h",
    "double",
    "pass",
)
MEANT = {
    "1": ["draw"],
    "DRAW": ["draw"],
    " dig   7C ": ["dig 7c"],
    "dig 7♣": ["dig 7c"],
    "dig joker": ["dig **"],
    "meld 7h 7c 7d": ["meld 7c 7d 7h"],
    "meld 5h 6h 7h 8h": ["meld 5h-8h"],
    "5h 6h ** 8h": ["meld 5h-8h"],
    "as ks qs": ["meld Qs-As"],
    "meld 5h 6h 7h": [],
    "lay off 8h set": ["layoff 8h set"],
    "layoff 8h": ["layoff 8h set", "layoff 8h high"],
    "kh": ["discard Kh"],
    "dis 10h": ["discard Th"],
    "8h": ["layoff 8h set", "layoff 8h high", "discard 8h"],
    "d": [
        "draw",
        "dig 7c",
        "dig 7c#2",
        "dig **",
        "discard Kh",
        "discard Th",
        "discard 8h",
        "double",
    ],
    "pass": ["pass"],
    "0": [],
    "16": [],
    "15": ["pass"],
    "fold": [],
    "": [],
}


@pytest.mark.parametrize("typed", MEANT)
def test_what_is_typed_means(typed):
    assert [str(move) for move in matching_moves(typed, LEGAL)] == MEANT[typed]


def test_every_move_of_every_layout_means_itself():
    for name in ("rummy500_pagat", "round_the_corner", "dealers_joker", "persian_s0", "mini"):
        rules = r5.Rules.preset(name)
        space = r5.ActionSpace(rules, rules.player_counts()[-1])
        for action, text in enumerate(space.texts()):
            if "+" not in text:
                assert normal_form(text.upper()) == text
                only = [Move(text, action)]
                assert matching_moves(text.lower(), only, rules.num_ranks) == only


def test_the_cards_of_melds():
    assert meld_cards("meld 7c 7d 7h") == ["7c", "7d", "7h"]
    assert meld_cards("meld Qs-As") == ["Qs", "Ks", "As"]
    assert meld_cards("meld Ks-2s") == ["Ks", "As", "2s"]
    assert len(meld_cards("meld Ac-Kc")) == 13
    assert meld_cards("meld 5c-Ac", 6) == ["5c", "6c", "Ac"]


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("99", "There is no move 99: the list has 1 to"),
        ("fold", "No: unknown move 'fold'"),
        ("discard Kh", "No: 'discard Kh'"),
        ("d", "That can mean draw, dig 9c."),
        ("", "Type a move or its number, 1 to 2; help says more."),
        ("help", "takes back a move of this turn"),
    ],
)
def test_what_is_no_move_is_answered_and_changes_nothing(typed, answer, monkeypatch, capsys):
    table = digging()
    before = table.game.position()
    lines = iter([typed, "quit"])
    monkeypatch.setattr("experiments.playing.dialogue._asked", lambda _: next(lines))
    Dialogue(table, ["you", "random"], None, False).run()
    assert answer in capsys.readouterr().out
    assert table.game.position() == before


def test_lists_of_moves_are_numbered_in_columns():
    assert moves_text(["draw", "dig 7c"]) == "1 draw    2 dig 7c"
    text = moves_text([f"discard {k}" for k in range(30)])
    assert max(map(len, text.splitlines())) <= 80
    assert re.findall(r"(\d+) discard", text) == [str(k + 1) for k in range(30)]


# -- hints -----------------------------------------------------------------------------------------


def test_hints_are_what_the_agents_choose_and_their_values():
    table = digging()
    hints = Hints(table.game)
    assert hints.first_choice() == "learned"
    hint = hints.ask("learned", table.game)
    assert hint.move == hint.values[0][0]
    assert sorted(move for move, _ in hint.values) == sorted(table.view.moves())
    numbers = [value for _, value in hint.values]
    assert numbers == sorted(numbers, reverse=True)
    assert hints.ask("greedy", table.game) == ("dig 9c", ())
    searched = hints.ask("mc:8", table.game)
    assert searched.move == searched.values[0][0]


def test_rules_without_a_network_are_advised_by_another_agent():
    assert Hints(r5.Game("persian_s0", 4, seed=1)).first_choice() == "advisor"


def test_hints_are_words(monkeypatch, capsys):
    lines = iter(["?", "? greedy", "? gredy", "? learned:weights=none", "quit"])
    monkeypatch.setattr("experiments.playing.dialogue._asked", lambda _: next(lines))
    Dialogue(digging(), ["you", "random"], "advisor", False).run()
    said = capsys.readouterr().out
    assert "advisor would play: d" in said
    assert "greedy would play: dig 9c" in said
    assert "No hint: unknown agent 'gredy'" in said
    assert said.count("No hint: ") == 2


# -- faults and interruptions ----------------------------------------------------------------------

FAULTS = {
    "--opponents gredy": ["'gredy'", "'greedy'"],
    "--opponents advisor,": ["comma too many"],
    "--opponents greedy,greedy --players 4": ["2 opponents", "one for all other seats or 3"],
    "--players 9": ["9", "2 to 8"],
    "--players many": ["'many'", "whole number"],
    "--seat 2": ["seat=2", "0 to 1"],
    "--seed -1": ["seed=-1", "2**64 - 1"],
    "--rules zzz": ["'zzz'"],
    "--set hand_sise=3": ["'hand_sise'"],
    "--episode set": ["'set'", "'round'"],
    "--view none": ["view='none'", "'own' and 'all'"],
    "--hint gredy": ["'gredy'", "'greedy'"],
    "--opponents learned --rules persian_s0 --players 4": ["learned", "no weights"],
    "--record /no/such/folder/a.r500": ["/no/such/folder"],
}


@pytest.mark.parametrize("words", FAULTS)
def test_a_fault_is_one_line(words, capsys):
    assert main(["play", *words.split()]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert said.err.count("\n") == 1
    assert said.err.startswith("rummy500: error: ")
    for part in FAULTS[words]:
        assert part in said.err


def test_a_record_is_not_overwritten(capsys, tmp_path):
    path = tmp_path / "game.r500"
    path.write_text("mine")
    assert main(["play", "--record", str(path)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert path.read_text() == "mine"


def test_where_the_input_ends_the_game_is_kept(monkeypatch, capsys, tmp_path):
    path = tmp_path / "game.r500.gz"
    said = play(monkeypatch, capsys, "draw\n", "--seed", "1", "--record", str(path))
    assert "The input has ended." in said
    (played,) = r5.records.replay(path)
    assert not played.game.is_over
    assert [step.move for step in played.steps() if step.seat == 0] == ["draw"]


def test_at_ctrl_c_the_game_is_kept(tmp_path):
    path = tmp_path / "game.r500"
    command = [
        sys.executable,
        "-m",
        "experiments.cli",
        "play",
        "--seed",
        "1",
        "--record",
        str(path),
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("draw\n")
        process.stdin.flush()
        shown = iter(process.stdout)
        assert any(line.startswith("draw> draw") for line in shown)
        assert any(re.match(r" *1 \w+", line) for line in shown)  # the list of what comes next
        process.send_signal(signal.SIGINT)
        _, told = process.communicate()
    assert process.returncode == 130
    told_first = told.splitlines()[0]  # llvmlite may complain after it, when Python goes down
    assert told_first == f"rummy500: interrupted: the game up to here is in {str(path)!r}"
    (played,) = r5.records.replay(path)
    assert "draw" in [step.move for step in played.steps() if step.seat == 0]


def test_at_ctrl_c_without_a_record_nothing_is_said_of_one(monkeypatch, capsys):
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("experiments.playing.dialogue._asked", interrupted)
    assert main(["play", "--seed", "1"]) == 130
    assert capsys.readouterr().err == "rummy500: interrupted\n"


def test_an_agent_that_fails_is_named_and_the_game_is_kept(monkeypatch, capsys, tmp_path):
    agent = tmp_path / "broken.py"
    agent.write_text(
        "from agents.base import Agent\n\n\nclass Broken(Agent):\n"
        "    def act(self, views, action_masks):\n        raise RuntimeError('no idea')\n"
    )
    path = tmp_path / "game.r500"
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * 9))
    assert main(["play", "-o", f"{agent}:Broken", "--seed", "1", "--record", str(path)]) == 2
    said = capsys.readouterr().err
    assert "no idea" in said
    assert said.count("\n") == 1
    assert len(list(r5.records.replay(path))) == 1
