"""The command that plays a tournament: what it prints and writes, and being interrupted."""

import json
import shlex
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest

from experiments import show
from experiments.cli import main
from experiments.schedule import Schedule
from experiments.tournament import tournament
from tests.test_experiments_tournament import First

FILES = {
    "games.parquet",
    "rounds.parquet",
    "seats.parquet",
    "timings.parquet",
    "leaderboard.csv",
    "pairs.csv",
    "ratings.csv",
    "manifest.json",
    "scores.png",
    "payoffs.png",
}


def test_it_prints_and_writes(capsys, tmp_path):
    out = tmp_path / "run"
    words = ["tournament", "--agents", "random,greedy", "--deals", "40", "--out", str(out)]
    assert main(words) == 0
    said = capsys.readouterr()
    assert not said.err
    assert {path.name for path in out.iterdir()} == FILES
    lines = said.out.splitlines()
    assert "2 agents at 2 seats, seed 0: 40 deals, 80 rounds" in lines
    assert any(line.startswith("greedy") and "±" in line for line in lines)
    gain = pd.read_csv(out / "pairs.csv")["pairing_gain"][0]
    assert f"variance of the differences with this pairing / without: {1 / gain:.2f}." in " ".join(
        said.out.split()
    )
    assert str(out) in said.out
    table = lines[: next(i for i, line in enumerate(lines) if line.startswith("- "))]
    assert max(map(len, table)) <= 80

    command = shlex.split(lines[-1])
    assert command[:2] == ["rummy500", "tournament"]
    again = tmp_path / "again"
    assert main([*command[1:], "--out", str(again), "--no-pictures"]) == 0
    assert not list(again.glob("*.png"))
    for name in ("games", "rounds", "seats"):
        path = f"{name}.parquet"
        assert (again / path).read_bytes() == (out / path).read_bytes()


def test_an_agent_may_play_itself(capsys, tmp_path):
    for names in ("random,random,greedy", "random,random#2,greedy"):
        words = ["tournament", "--agents", names, "--deals", "40", "--no-pictures"]
        assert main([*words, "--out", str(tmp_path)]) == 0
        said = capsys.readouterr().out
        assert "random#2" in said
        assert "--agents 'random,random#2,greedy'" in said.splitlines()[-1]
    assert set(pd.read_parquet(tmp_path / "seats.parquet")["agent"]) == set(names.split(","))


def test_what_was_played_with_objects_has_no_command(capsys):
    played = tournament([First(), "random"], deals=2)
    assert played.command is None
    show.show_tournament(show.console(), played)
    said = capsys.readouterr().out
    assert "It was played from Python" in said
    assert "The same again" not in said


def test_the_same_run_may_be_repeated_in_its_folder_and_another_is_refused(capsys, tmp_path):
    words = ["tournament", "--agents", "random,greedy", "--out", str(tmp_path), "--no-pictures"]
    assert main([*words, "--deals", "3"]) == 0
    assert main([*words, "--deals", "3"]) == 0
    assert main([*words, "--deals", "4"]) == 2
    assert "holds another run (tournament of random,greedy deals=3" in capsys.readouterr().err


def test_without_out_it_makes_a_folder(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert (
        main(["tournament", "-a", "random", "-a", "greedy", "--deals", "2", "--no-pictures"]) == 0
    )
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.startswith("tournament-")
    assert "from 30 deals on" in capsys.readouterr().out


@pytest.mark.parametrize(("number", "workers"), [(signal.SIGINT, 1), (signal.SIGTERM, 2)])
def test_what_was_finished_is_kept_when_it_is_interrupted(tmp_path, number, workers):
    out = tmp_path / "run"
    words = "tournament --agents random,greedy --deals 100000000 --no-pictures"
    command = [sys.executable, "-m", "experiments.cli", *words.split(), "--workers", str(workers)]
    with subprocess.Popen(
        [*command, "--out", str(out)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_for_rows(process, out / "journal" / "commits.jsonl")
        process.send_signal(number)
        said, complaint = ended(process)
    assert process.returncode == 130
    assert not said
    assert complaint.count("\n") == 1
    manifest = json.loads((out / "manifest.json").read_text())
    assert not manifest["complete"]
    deals = manifest["deals_played"]
    assert complaint == (
        f"rummy500: interrupted: {deals:,} of 100,000,000 deals are kept in {out}; the same "
        "command with this folder as --out goes on\n"
    )
    games, seats = (pd.read_parquet(out / f"{name}.parquet") for name in ("games", "seats"))
    assert len(games) == 2 * deals
    assert len(seats) == 4 * deals
    last = Schedule(("random", "greedy"), 2, deals, 0).block(deals - 1, deals)
    assert games["seed"].tolist()[-2:] == last.seeds.tolist()
    assert not list(out.glob("*.part"))


def ended(process):
    """Return what a process that was asked to stop has said; one that does not stop is killed."""
    try:
        return process.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


def wait_for_rows(process, path):
    """Wait until rows have been written; it takes a while where kernels are compiled."""
    while process.poll() is None:
        if path.exists() and path.stat().st_size > 0:
            return
        time.sleep(0.05)
    raise AssertionError(process.stderr.read())


def test_interrupted_before_anything_was_finished_it_leaves_nothing(tmp_path, monkeypatch, capsys):
    def interrupted(*_: object):
        raise KeyboardInterrupt

    monkeypatch.setattr("rummy500_env.arena.Arena.play", interrupted)
    out = tmp_path / "run"
    assert main(["tournament", "--agents", "random,greedy", "--out", str(out)]) == 130
    assert capsys.readouterr().err == "rummy500: interrupted: no deal was finished\n"
    assert not out.exists()
