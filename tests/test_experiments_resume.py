"""A run that is cut goes on without a lost or a doubled game."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents import TurnAgent
from experiments import storage
from experiments.errors import RunError
from experiments.journal import Journal
from experiments.run_folder import MANIFEST, read_manifest
from experiments.tournament import load, tournament

TABLES = ("games", "rounds", "seats")

# --- the journal ---------------------------------------------------------------------------------


def part(deal):
    return {
        "a": pa.table({"deal": [deal], "x": [deal * 10]}),
        "b": pa.table({"deal": [deal] * 3, "y": [0.5, 1.5, 2.5]}),
    }


def deals(journal, name):
    return [deal for rows in journal.rows(name) for deal in rows["deal"].to_pylist()]


def written(folder, count):
    journal = Journal(folder, ("a", "b"))
    for deal in range(journal.num_deals, count):
        journal.add(part(deal), deal + 1)
    journal.close()


@given(st.data())
def test_whatever_is_cut_off_what_is_left_is_whole_deals(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("cut")
    written(folder, 5)
    for name in data.draw(st.lists(st.sampled_from(["a.arrows", "b.arrows", "commits.jsonl"]))):
        path = folder / "journal" / name
        os.truncate(path, data.draw(st.integers(0, path.stat().st_size)))
    journal = Journal(folder, ("a", "b"))
    found = journal.num_deals
    assert deals(journal, "a") == list(range(found))
    assert deals(journal, "b") == [deal for deal in range(found) for _ in range(3)]
    journal.close()
    written(folder, 7)
    whole = Journal(folder, ("a", "b"))
    assert deals(whole, "a") == list(range(7))
    whole.close()


def test_a_commit_without_its_newline_is_none(tmp_path):
    written(tmp_path, 5)
    commits = tmp_path / "journal" / "commits.jsonl"
    os.truncate(commits, commits.stat().st_size - 1)
    written(tmp_path, 7)
    whole = Journal(tmp_path, ("a", "b"))
    assert deals(whole, "a") == list(range(7))
    whole.close()


@given(junk=st.binary(max_size=40))
def test_a_half_written_commit_is_none(tmp_path_factory, junk):
    folder = tmp_path_factory.mktemp("half")
    written(folder, 2)
    for name in ("a.arrows", "commits.jsonl"):
        with (folder / "journal" / name).open("ab") as file:
            file.write(junk)
    journal = Journal(folder, ("a", "b"))
    assert journal.num_deals == 2
    assert deals(journal, "a") == [0, 1]
    journal.close()


def test_two_processes_do_not_write_to_one_folder(tmp_path):
    journal = Journal(tmp_path, ("a",))
    with pytest.raises(RunError, match="is being written by another process"):
        Journal(tmp_path, ("a",))
    journal.close()
    Journal(tmp_path, ("a",)).close()


# --- a tournament that is killed -----------------------------------------------------------------

CHILD = """
import sys
from experiments import storage
from experiments.tournament import tournament
storage.COMMIT_ROWS = 500
tournament(["random", "greedy"], deals=int(sys.argv[2]), seed=3, out=sys.argv[1])
"""


def same_tables(one, two):
    return all(
        (one / f"{t}.parquet").read_bytes() == (two / f"{t}.parquet").read_bytes() for t in TABLES
    )


def killed_at_random(folder, num_deals, draw):
    """Play in a process of its own and kill it at some moment; returns whether it was done."""
    command = [sys.executable, "-c", CHILD, str(folder), str(num_deals)]
    child = subprocess.Popen(command)
    while child.poll() is None and not (folder / "journal" / "commits.jsonl").exists():
        time.sleep(0.01)
    time.sleep(draw.uniform(0, 0.5))
    child.send_signal(signal.SIGKILL)
    return child.wait() == 0


def test_killed_at_ten_random_moments_it_ends_with_the_same_bytes(tmp_path):
    num_deals = 20_000
    whole = tournament(["random", "greedy"], deals=num_deals, seed=3, out=tmp_path / "whole")
    draw, got = random.Random(8), []
    for _ in range(10):
        if killed_at_random(tmp_path / "cut", num_deals, draw):
            break
        commits = (tmp_path / "cut" / "journal" / "commits.jsonl").read_bytes().splitlines()
        got.append(json.loads(commits[-1])["deals"] if commits else 0)
    assert got == sorted(got)
    resumed = tournament(["random", "greedy"], deals=num_deals, seed=3, out=tmp_path / "cut")
    assert same_tables(tmp_path / "whole", tmp_path / "cut")
    assert resumed.leaderboard.equals(whole.leaderboard)
    assert not (tmp_path / "cut" / "journal").exists()


class Stops(TurnAgent):
    """Plays its first legal move, and stops the run at a deal."""

    name = "stops"
    calls = 0
    most = 10**9

    def choose(self, view, legal):
        type(self).calls += 1
        if type(self).calls > self.most:
            raise KeyboardInterrupt
        return legal[0]


def test_an_interrupted_run_shows_what_it_has_and_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(Stops, "calls", 0)
    whole = tournament([Stops(), "random"], deals=8, seed=1, out=tmp_path / "whole")
    for most in (60, 120):
        monkeypatch.setattr(Stops, "calls", 0)
        monkeypatch.setattr(Stops, "most", most)
        with pytest.raises(KeyboardInterrupt):
            tournament([Stops(), "random"], deals=8, seed=1, out=tmp_path / "cut")
    shown = load(tmp_path / "cut")
    done = read_manifest(tmp_path / "cut")["deals_played"]
    assert 0 < done < 8
    assert len(shown.games) == 2 * done
    monkeypatch.setattr(Stops, "most", 10**9)
    again = tournament([Stops(), "random"], deals=8, seed=1, out=tmp_path / "cut")
    assert same_tables(tmp_path / "whole", tmp_path / "cut")
    assert again.pairs.equals(whole.pairs)


def test_a_complete_run_is_read_and_not_played_again(tmp_path, monkeypatch):
    first = tournament(["random", "greedy"], deals=40, seed=1, out=tmp_path)
    monkeypatch.setattr("experiments.runner.play", None)
    second = tournament(["random", "greedy"], deals=40, seed=1, out=tmp_path)
    assert second.leaderboard.equals(first.leaderboard)
    assert second.seats.equals(first.seats)
    assert load(tmp_path).payoffs.equals(first.payoffs)


def test_a_full_disk_keeps_what_is_finished(tmp_path, monkeypatch):
    monkeypatch.setattr(storage, "COMMIT_ROWS", 100)
    room = 2
    add = Journal.add

    def nearly_full(journal, rows, num_deals):
        nonlocal room
        room -= 1
        if room < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        add(journal, rows, num_deals)

    monkeypatch.setattr(Journal, "add", nearly_full)
    with pytest.raises(RunError, match=r"No space left on device; \d+ deals are kept there"):
        tournament(["random", "greedy"], deals=2000, seed=3, out=tmp_path / "cut")
    monkeypatch.setattr(Journal, "add", add)
    tournament(["random", "greedy"], deals=2000, seed=3, out=tmp_path / "cut")
    tournament(["random", "greedy"], deals=2000, seed=3, out=tmp_path / "whole")
    assert same_tables(tmp_path / "whole", tmp_path / "cut")


@pytest.mark.parametrize("damage", [b"", b"PAR1 nonsense", None])
def test_a_damaged_table_is_named(tmp_path, damage):
    tournament(["random", "greedy"], deals=5, seed=1, out=tmp_path)
    path = tmp_path / "seats.parquet"
    if damage is None:
        path.unlink()
    else:
        path.write_bytes(damage)
    with pytest.raises(RunError, match=r"seats\.parquet' is (damaged|missing)"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"agents": ["random", "greedy:digs=never"]}, "agents"),
        ({"rules": "basic_rummy"}, "rules."),
        ({"seed": 2}, "seed was 1, is 2"),
        ({"episode": "game"}, "episode"),
    ],
)
def test_another_run_is_not_mixed_in(tmp_path, changed, told):
    asked = {"agents": ["random", "greedy"], "deals": 5, "seed": 1, "out": tmp_path}
    tournament(**asked)
    before = (tmp_path / MANIFEST).read_bytes()
    with pytest.raises(RunError, match="holds another run") as caught:
        tournament(**asked | changed)
    assert told in str(caught.value)
    assert (tmp_path / MANIFEST).read_bytes() == before


def test_another_version_is_not_mixed_in(tmp_path, monkeypatch):
    tournament(["random", "greedy"], deals=5, seed=1, out=tmp_path)
    monkeypatch.setattr("experiments.tournament.__version__", "99.0")
    with pytest.raises(RunError, match=r"version was .*, is 99\.0"):
        tournament(["random", "greedy"], deals=5, seed=1, out=tmp_path)


def test_a_file_of_an_agent_that_has_changed_is_not_mixed_in(tmp_path):
    file = tmp_path / "mine.py"
    text = "from agents import TurnAgent\n\nclass Mine(TurnAgent):\n"
    file.write_text(text + "    def choose(self, view, legal):\n        return legal[0]\n")
    names = [f"{file}:Mine", "random"]
    tournament(names, deals=3, seed=1, out=tmp_path / "run")
    file.write_text(text + "    def choose(self, view, legal):\n        return legal[-1]\n")
    with pytest.raises(RunError, match=r"holds another run .*files"):
        tournament(names, deals=3, seed=1, out=tmp_path / "run")
