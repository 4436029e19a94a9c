"""Damaged and forged records: each fault is one line that names file, line and reason."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy500_env import Game, RecordError, Rules, records
from rummy500_env.errors import Rummy500Error
from tests.support.recording import lines_of, played, replayed, write_lines

FINISHED = records.record_of(played(Game("rummy500", 3, seed=1, episode="game"), 1))
BROKEN_OFF = records.record_of(played(Game("michigan_rum", 2, seed=2, episode="game"), 2, 60))


@pytest.fixture
def path(tmp_path) -> Path:
    """A file of two games: one of some rounds, and one that was broken off."""
    found = tmp_path / "games.r500"
    write_games(found)
    return found


def write_games(path: Path) -> None:
    with records.Writer(path) as file:
        file.add(FINISHED)
        file.add(BROKEN_OFF)


def fault(path: Path) -> str:
    """Return what is said of a file; it names the file, and is one line."""
    with pytest.raises(RecordError) as caught:
        replayed(path)
    error = caught.value
    assert isinstance(error, Rummy500Error)
    assert isinstance(error, ValueError)
    assert error.path == str(path)
    assert str(error) == f"{path}, line {error.line}: {error.reason}"
    assert "\n" not in str(error)
    copied = pickle.loads(pickle.dumps(error))
    assert (str(copied), copied.line) == (str(error), error.line)
    return str(error).removeprefix(f"{path}, ")


SECOND = 1 + len(FINISHED.rounds)
"""The line, from 0, of the second header."""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format_version": 2}, "format_version is 2; this version of the package reads 1"),
        ({"format_version": True}, "format_version is True; this version of the package reads 1"),
        ({"rules": {"target_score": 300}}, "rules than the header's: target_score was 500, is 300"),
        ({"rules": "rummy_500"}, "unknown preset 'rummy_500'. Did you mean "),
        ({"rules": "basic_rummy"}, "is that of 'rummy500', other rules than the header's: "),
        ({"rules": {"target": 1}}, "there is no option 'target'"),
        ({"rules": {"hand_size": 99}}, "hand_size=99 is not allowed: use "),
        ({"rules": 3}, "rules are a mapping of options, not int"),
        ({"rules_digest": "0123"}, "'0123', but the header's rules (the standard game) have "),
        ({"num_players": 9}, "num_players: 9 is no whole number from 2 to 8"),
        ({"num_players": 2}, "players: ['player_0', 'player_1', 'player_2'] is not a list of 2"),
        ({"seed": -1}, "seed: -1 is no whole number from 0 to 18446744073709551615"),
        ({"seed": 1.5}, "seed: 1.5 is no whole number from"),
        ({"episode": "match"}, "episode: 'match' is not allowed: use game or round"),
        ({"players": ["a", "b", 3]}, "players: 3 is no text"),
        ({"game_id": "0"}, "game_id: '0' is no whole number"),
        ({"package_version": 1}, "package_version: 1 is no text"),
        ({"position": []}, "position: list is no mapping"),
        ({"position": {"seed": 3}}, "position: seed stand in the header already"),
        ({"position": {"hands": ["7c"]}}, "position: 1 hands for 3 players"),
        ({"comment": "x", "by": 1}, "unknown keys comment, by; allowed: format_version, "),
        ({"seed": None, "players": None}, "seed: None is no whole number"),
    ],
)  # fmt: skip
def test_faults_of_a_header(path, changes, said):
    lines = lines_of(path)
    lines[0] |= changes
    write_lines(path, lines)
    assert said in fault(path)
    assert fault(path).startswith("line 1: ")


@pytest.mark.parametrize(
    ("number", "keys"),
    [(0, ["rules", "players"]), (SECOND, ["rules_digest"]), (2, ["moves"]), (2, ["how", "totals"])],
)
def test_missing_keys_are_named(path, number, keys):
    lines = lines_of(path)
    for key in keys:
        del lines[number][key]
    write_lines(path, lines)
    assert fault(path) == f"line {number + 1}: missing keys {', '.join(keys)}"


def test_seats_that_the_rules_do_not_have(path):
    lines = lines_of(path)
    rules = Rules.preset("partnership_500")
    lines[0] |= {"rules": rules.to_dict(full=False), "rules_digest": rules.digest}
    write_lines(path, lines)
    assert "3" in fault(path)
    assert "player" in fault(path)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"moves": "draw"}, "moves: 'draw' is not a list"),
        ({"moves": [3]}, "moves: 3 is no text"),
        ({"round": 0}, "round: 0 is no whole number from 1"),
        ({"round": 2}, "round is 2, but the moves give 1"),
        ({"how": 1}, "how: 1 is no text"),
        ({"went_out": 9}, "went_out: 9 is no whole number from 0 to 7"),
        ({"scores": [1, 2]}, "scores: [1, 2] is not a list of 3"),
        ({"scores": [1, 2, True]}, "scores: True is no whole number"),
        ({"totals": [1, 2, 3]}, "totals is [1, 2, 3], but the moves give ["),
        ({"winners": [9]}, "missing keys truncated_by"),
        ({"winners": [9], "truncated_by": None}, "winners: 9 is no whole number from 0 to 7"),
        ({"note": 1}, "unknown keys note; allowed: round, moves, how, went_out, scores, totals"),
    ],
)
def test_faults_of_a_round(path, changes, said):
    lines = lines_of(path)
    lines[1] |= changes
    write_lines(path, lines)
    assert fault(path).startswith("line 2: ")
    assert said in fault(path)


def test_illegal_and_unknown_moves_are_named_with_the_reason(path):
    lines = lines_of(path)
    lines[1]["moves"][2:2] = ["draw"]
    lines[1]["moves"][0] = "discard 9d"
    write_lines(path, lines)
    assert re.match(r"line 2: round 1, move 1 'discard 9d': .*draw", fault(path))
    lines[1]["moves"][0] = "disacrd 9d"
    write_lines(path, lines)
    assert re.match(
        r"line 2: round 1, move 1 'disacrd 9d': unknown move .*'discard 9d'", fault(path)
    )


def test_rounds_with_too_few_or_too_many_moves(path):
    lines = lines_of(path)
    more = json.loads(json.dumps(lines))
    more[1]["moves"].append("draw")
    write_lines(path, more)
    count = len(lines[1]["moves"])
    assert fault(path) == f"line 2: round 1 ended with move {count} of {count + 1}"
    lines[1]["moves"].pop()
    write_lines(path, lines)
    assert fault(path) == f"line 2: how is {lines[1]['how']!r}, but the moves give None"


def test_lines_that_are_missing_doubled_or_mixed_up(path):
    lines = lines_of(path)
    no_header = "no header (format_version is missing), where a game should begin"
    a_header = "a header, where more rounds of the game before should follow"
    cases = {
        "line 1: the file is empty": [],
        f"line 1: {no_header}": lines[1:],
        f"line {SECOND}: {a_header}": lines[: SECOND - 1] + lines[SECOND:],
        f"line {SECOND}: the file ends before the game does": lines[: SECOND - 1],
        f"line {SECOND + 1}: {no_header}": lines[:SECOND] + lines[SECOND - 1 :],
    }
    for said, found in cases.items():
        write_lines(path, found)
        assert fault(path) == said
    swapped = [lines[0], lines[2], lines[1], *lines[3:]]
    write_lines(path, swapped)
    assert fault(path).startswith("line 2: round 1, move ")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{]\n", r"the line is no JSON \(.+\)"),
        (b"\n", r"the line is no JSON \(.+\)"),
        (b"[1]\n", "the line is no JSON object but list"),
        (b"\xff\xfe\n", r"the line is no JSON \('utf-8' codec can't decode byte 0xff .*\)"),
        (b"[" * 100_000 + b"\n", r"the line is no JSON \(.*recursion.*\)"),
        (b'{"round": 1, "round": 1}\n', "the key 'round' is there twice"),
        (b'{"round": 1', "the last line is cut off"),
    ],
)
def test_lines_that_are_no_json(path, line, said):
    first = path.read_bytes().splitlines(True)[0]
    path.write_bytes(first + line)
    assert re.fullmatch(f"line 2: {said}", fault(path))


@given(end=st.integers(0, 10**6))
def test_a_file_that_is_cut_off_anywhere_is_refused(end, tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "games.r500"
    write_games(path)
    whole = path.read_bytes()
    games = [len(b"".join(whole.splitlines(True)[:count])) for count in (SECOND, None)]
    end %= len(whole)
    path.write_bytes(whole[:end])
    if end in (games[0], games[0] - 1, len(whole) - 1):
        assert len(replayed(path)) == (2 if end == len(whole) - 1 else 1)
        return
    assert re.fullmatch(
        r"line \d+: the (last line is cut off|file ends before the game does|file is empty)",
        fault(path),
    )


def test_compressed_files_that_are_damaged(tmp_path):
    path = tmp_path / "games.r500.gz"
    write_games(path)
    whole = path.read_bytes()
    damaged = [whole[:-20], whole[: len(whole) // 2], whole + b"more", whole[:-5] + b"12345"]
    damaged.append(whole[:200] + bytes(100) + whole[300:])
    for found in damaged:
        path.write_bytes(found)
        assert re.search(r"^line \d+: (the compressed file is damaged|the l)", fault(path))


def test_what_is_no_file_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        replayed(tmp_path / "none.r500")


# --- tampering -----------------------------------------------------------------------------------


def told(path: Path) -> list[Any]:
    """Return all that the replay of a file shows."""
    return [
        (again.header, again.record.rounds, again.game.history, again.game.rounds)
        for again in replayed(path)
    ]


@given(data=st.data())
def test_no_move_can_be_changed_unseen(data, tmp_path_factory):
    """Another move is refused, or is a game that could be, and then shown as what it is."""
    path = tmp_path_factory.mktemp("records") / "games.r500"
    write_games(path)
    before, lines = told(path), lines_of(path)
    number = data.draw(st.sampled_from([n for n, line in enumerate(lines) if line.get("moves")]))
    moves = lines[number]["moves"]
    place = data.draw(st.integers(0, len(moves) - 1))
    kind = data.draw(st.sampled_from(["change", "drop", "double", "swap"]))
    if kind == "change":
        texts = (FINISHED if number < SECOND else BROKEN_OFF).header.begin().action_space.texts()
        moves[place] = data.draw(st.sampled_from([text for text in texts if text != moves[place]]))
    elif kind == "drop":
        del moves[place]
    elif kind == "double":
        moves.insert(place, moves[place])
    else:
        other = data.draw(st.integers(0, len(moves) - 1))
        moves[place], moves[other] = moves[other], moves[place]
    unchanged = lines == lines_of(path)
    write_lines(path, lines)
    try:
        after = told(path)
    except RecordError:
        assert int(re.findall(r"^line (\d+)", fault(path))[0]) > number
        assert not unchanged
    else:
        assert (after == before) == unchanged


@given(data=st.data())
def test_no_number_can_be_changed_at_all(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "games.r500"
    write_games(path)
    lines = lines_of(path)
    number = data.draw(st.sampled_from([n for n, line in enumerate(lines) if "round" in line]))
    line = lines[number]
    keys = [key for key in line if key != "moves" and line[key] is not None]
    key = data.draw(st.sampled_from(keys))
    value = line[key]
    changed = st.integers(-(10**6), 10**6)
    if isinstance(value, list) and value:
        place = data.draw(st.integers(0, len(value) - 1))
        value[place] = data.draw(changed.filter(lambda new: new != value[place]))
    elif isinstance(value, str):
        words = ("out", "exhausted", "cut_off", "clock", "", None)
        line[key] = data.draw(st.sampled_from([word for word in words if word != value]))
    else:
        line[key] = data.draw((st.none() | changed).filter(lambda new: new != value))
    write_lines(path, lines)
    assert fault(path).startswith(f"line {number + 1}: ")


@given(data=st.data())
def test_another_seed_is_another_game(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "games.r500"
    write_games(path)
    lines = lines_of(path)
    own = lines[0]["seed"]
    lines[0]["seed"] = data.draw(st.integers(0, 2**64 - 1).filter(lambda seed: seed != own))
    write_lines(path, lines)
    assert fault(path).startswith("line 2: ")


def test_records_in_memory_are_verified_too():
    assert records.verify(FINISHED).record is FINISHED
    wrong = records.Record(FINISHED.header, FINISHED.rounds[:-1])
    with pytest.raises(RecordError, match=r"^the game's last round has not ended it") as caught:
        records.verify(wrong)
    assert caught.value.path is caught.value.line is None
    with pytest.raises(RecordError, match=r"^the game has no rounds$"):
        records.verify(records.Record(FINISHED.header, ()))
    twice = records.Record(FINISHED.header, FINISHED.rounds + FINISHED.rounds[-1:])
    with pytest.raises(RecordError, match="more rounds follow that one"):
        records.verify(twice)
