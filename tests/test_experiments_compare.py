"""Comparisons: the games of a tournament, played until it is decided."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import agents
from experiments import runner, stats
from experiments.compare import compare
from experiments.errors import RunError
from experiments.run_folder import read_manifest
from experiments.runner import Setup
from experiments.schedule import Schedule
from experiments.sequential import interval
from experiments.tournament import replay, tournament
from rummy500_env.errors import UnknownNameError
from rummy500_env.rules import Rules
from tests.test_experiments_tournament import First

GAMES = ("games.parquet", "rounds.parquet", "seats.parquet")


@pytest.fixture
def small_chunks(monkeypatch):
    """As if the machine were slow: many small chunks, all but the first played by workers."""
    monkeypatch.setattr(runner, "CHUNK_SECONDS", 1e-4)


def compared(*given: Any, **more: Any) -> Any:
    """A comparison, with DataFrames of no type."""
    return compare(*given, **more)


# --- what it decides -----------------------------------------------------------------------------


def test_a_clear_case_is_decided_at_the_first_look():
    found = compared("greedy", "random", seed=2)
    assert (found.decision, found.deals) == ("better", 100)
    assert (found.first, found.second) == ("greedy", "random")
    row = found.intervals.iloc[0]
    assert row["low"] > 0
    pair = found.played.pairs.iloc[0]
    assert (pair["agent"], row["alone"]) == ("greedy", "greedy")
    assert row["difference"] == pair["difference"]
    assert row["high"] - row["difference"] > 1.5 * pair["half_width"]  # the price of looking

    against = compared("random", "greedy", seed=2)
    assert against.decision == "not better"
    assert against.intervals["high"][0] < 0


def test_a_close_case_takes_many_looks():
    found = compared("random", "random#2", seed=1, delta=8)
    assert found.decision == "not better"
    assert found.deals > 100
    path = found.path
    assert path["deals"].tolist() == list(found.rule.looks[: len(path)])
    assert (path["high"][:-1] >= 8).all()
    assert path["high"].iloc[-1] < 8
    assert (path["low"] <= path["difference"]).all()
    margin = found.played.sums.margin[:, 0, 1] / 2
    for _, row in path.iterrows():
        deals = int(row["deals"])
        error = margin[:deals].std(ddof=1) / np.sqrt(deals)
        assert row["difference"] == pytest.approx(margin[:deals].mean())
        assert [row["low"], row["high"]] == pytest.approx(
            interval(deals, margin[:deals].mean(), error)
        )
    assert found.deviations == pytest.approx([margin.std(ddof=1)])


def test_at_the_cap_it_is_undecided():
    found = compared("random", "random#2", seed=1, delta=0.5, max_deals=150)
    assert (found.decision, found.deals) == ("undecided", 150)
    assert found.path["deals"].tolist() == [100, 111, 123, 136, 150]


def test_equal_play_is_never_decided():
    found = compared("greedy", "greedy#2", max_deals=300)
    assert found.decision == "undecided"
    assert (found.path["difference"] == 0).all()
    assert found.path[["low", "high"]].isna().all(axis=None)


def test_at_three_seats_there_are_two_directions():
    found = compared("greedy", "random", num_players=3)
    assert found.decision == "better"
    assert found.intervals["alone"].tolist() == ["greedy", "random"]
    margins = stats.margins(found.played.sums).value
    expected = [margins[0, 1], -margins[1, 0]]
    assert found.intervals["difference"].tolist() == pytest.approx(expected)
    assert expected[0] > 0 < expected[1]
    assert (found.intervals["low"] > 0).all()


def test_teams_are_two_sides():
    found = compared("greedy", "random", "partnership_500", num_players=4)
    assert found.decision == "better"
    assert found.intervals["alone"].tolist() == ["greedy"]
    margin = found.played.sums.margin[:, 0, 1] / found.played.sums.scale
    rounds = found.played.sums.rounds[:, 0, 1]
    assert found.intervals["difference"][0] == pytest.approx(margin.sum() / rounds.sum())


def test_games_are_compared_by_points_a_round():
    found = compared("greedy", "random", episode="game")
    assert found.decision == "better"
    seats = found.played.seats
    own, other = (seats[seats["agent"] == name] for name in ("greedy", "random"))
    expected = (own["score"].sum() - other["score"].sum()) / own["rounds"].sum()
    assert found.intervals["difference"][0] == pytest.approx(expected)


# --- the games -----------------------------------------------------------------------------------


def test_the_games_are_those_of_a_tournament_with_the_same_seed(tmp_path):
    found = compared("random", "random#2", seed=1, delta=8, out=tmp_path / "compare")
    tournament(["random", "random#2"], deals=found.deals, seed=1, out=tmp_path / "tournament")
    for name in GAMES:
        one, other = ((tmp_path / kind / name) for kind in ("compare", "tournament"))
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("seats", [2, 3])
def test_neither_workers_nor_chunks_can_be_seen(tmp_path, small_chunks, seats):
    for workers in (1, 2):
        compared(
            "random", "random#2", num_players=seats, delta=15, seed=4,
            workers=workers, out=tmp_path / str(workers),
        )  # fmt: skip
    for name in (*GAMES, "comparison.csv"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


def test_an_agent_may_be_an_object():
    mine = agents.make("greedy")
    mine.name = "mine"
    found = compared(mine, "random", seed=2)
    assert found.first == "mine"
    assert found.command is None
    named = compared("greedy", "random", seed=2)
    assert found.intervals["low"].tolist() == named.intervals["low"].tolist()


def test_a_folder_holds_all_of_it(tmp_path):
    out = tmp_path / "run"
    told = []
    found = compared(
        "greedy", "random", {"hand_size": 10}, seed=5, out=out, alpha=0.05, max_deals=400,
        progress=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    manifest = read_manifest(out)
    assert manifest["kind"] == "compare"
    assert manifest["complete"]
    assert manifest["deals_played"] == found.deals == 100
    assert manifest["decision"] == "better"
    settings = manifest["settings"]
    assert (settings["alpha"], settings["delta"], settings["deals"]) == (0.05, 3.0, 400)
    assert manifest["reproduce"] == found.command
    assert found.command == (
        "rummy500 compare greedy random --rules rummy500 --set hand_size=10 --players 2 --seed 5 "
        "--episode round --delta 3.0 --alpha 0.05 --beta 0.025 --max-deals 400"
    )
    assert told[-1] == (100, 400)
    pd.testing.assert_frame_equal(pd.read_csv(out / "comparison.csv"), found.path)
    assert found.played.games["deal"].max() == 99
    assert not (out / "pairs.csv").exists()  # its intervals would not be valid
    block, result = replay(out, 150)
    row = found.played.games.iloc[150]
    assert (int(block.seeds[0]), result.rounds[0]) == (row["seed"], row["rounds"])
    json.dumps(manifest)


def test_another_question_is_another_run(tmp_path):
    compared("greedy", "random", out=tmp_path)
    compared("greedy", "random", out=tmp_path)
    with pytest.raises(RunError, match="holds another run"):
        compared("greedy", "random", out=tmp_path, delta=4)
    with pytest.raises(RunError, match="holds another run"):
        tournament(["greedy", "random"], deals=20_000, out=tmp_path)


SCRIPT = """
import sys
from experiments.compare import compare

def progress(done, total):
    print("playing", flush=True)

try:
    compare("random", "random#2", delta=0.01, max_deals=10**8, out=sys.argv[1], progress=progress)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_what_was_finished_is_kept_when_it_is_interrupted(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    with subprocess.Popen(
        [sys.executable, script, tmp_path / "run"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path.cwd(),
    ) as process:
        assert process.stdout is not None
        for _ in range(3):
            assert process.stdout.readline() == "playing\n"
        process.send_signal(signal.SIGINT)
        try:
            said, _ = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    assert said.splitlines()[-1] == "interrupted"
    manifest = read_manifest(tmp_path / "run")
    assert not manifest["complete"]
    assert "decision" not in manifest
    games = pd.read_parquet(tmp_path / "run" / "games.parquet")
    assert len(games) == 2 * manifest["deals_played"] > 0


# --- cut and gone on with ------------------------------------------------------------------------


def test_deals_before_and_after_an_edge_do_not_come_together():
    setup = Setup(Rules(), 2, ("random", "greedy"), "round", seed=1)
    schedule = Schedule(("random", "greedy"), 2, 1000, seed=1)
    blocks = [played.block for played in runner.play(setup, schedule, 1, 5, (100, 101, 777))]
    starts = [block.first_deal for block in blocks]
    assert {5, 100, 101, 777} <= set(starts)
    assert starts == [5, *(block.first_deal + block.num_deals for block in blocks[:-1])]


def test_a_comparison_that_was_cut_ends_as_if_it_had_not_been(tmp_path, monkeypatch):
    asked: Any = {"seed": 5, "delta": 0.1, "max_deals": 300}
    whole = compare("random", "random#2", out=tmp_path / "whole", **asked)
    assert whole.deals > 200
    monkeypatch.setattr("experiments.storage.COMMIT_ROWS", 200)

    def cut_at(deals):
        def tell(done, cap):
            if done >= deals:
                raise KeyboardInterrupt

        return tell

    for deals in (120, 170, whole.deals):
        with pytest.raises(KeyboardInterrupt):
            compare("random", "random#2", out=tmp_path / "cut", progress=cut_at(deals), **asked)
    again = compare("random", "random#2", out=tmp_path / "cut", **asked)
    read = compare("random", "random#2", out=tmp_path / "cut", **asked)
    for found in (again, read):
        assert found.decision == whole.decision
        pd.testing.assert_frame_equal(found.path, whole.path)
    for name in ("games", "rounds", "seats"):
        paths = [tmp_path / where / f"{name}.parquet" for where in ("whole", "cut")]
        assert paths[0].read_bytes() == paths[1].read_bytes()


# --- faults --------------------------------------------------------------------------------------


def test_faults_leave_no_folder(tmp_path):
    out = tmp_path / "run"
    cases = [
        (("greedy", "greedy"), {}, RunError, "two different agents: both are 'greedy'"),
        ((one := First(), one), {}, RunError, "two different agents: both are 'first'"),
        (("greedy", First), {}, RunError, "is the class First"),
        (("greedy", "gredy"), {}, UnknownNameError, "gredy"),
        (("greedy", "random"), {"delta": 0}, RunError, "delta=0"),
        (("greedy", "random"), {"delta": -1}, RunError, "delta=-1"),
        (("greedy", "random"), {"max_deals": 99}, RunError, "max_deals=99"),
        (("greedy", "random"), {"alpha": 1.0}, RunError, "alpha=1.0"),
        (("greedy", "random"), {"beta": 0}, RunError, "beta=0"),
        (("greedy", "random"), {"num_players": 9}, RunError, "players=9"),
        (("greedy", "random"), {"workers": 0}, RunError, "workers=0"),
        (("greedy", "random"), {"episode": "set"}, RunError, "episode='set'"),
    ]
    for pair, more, error, said in cases:
        with pytest.raises(error, match=said):
            compare(*pair, out=out, **more)
    assert not out.exists()
