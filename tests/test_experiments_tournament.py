"""Tournaments: the same to the byte for any number of workers, and each game can be replayed."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import agents
from experiments import runner, tables
from experiments.errors import RunError
from experiments.run_folder import read_manifest
from experiments.runner import Conduct, Setup
from experiments.schedule import Schedule
from experiments.stats import ClusterSums, GameSums
from experiments.tournament import DEFAULT_AGENTS, load, replay, tournament
from rummy500_env import Game
from rummy500_env.errors import AgentError, RulesError
from rummy500_env.rules import Rules

FILES = (
    "games.parquet",
    "rounds.parquet",
    "seats.parquet",
    "leaderboard.csv",
    "pairs.csv",
    "ratings.csv",
)


class First(agents.TurnAgent):
    """Plays the first legal move."""

    name = "first"

    def choose(self, view, legal):
        return legal[0]


@pytest.fixture
def small_chunks(monkeypatch):
    """As if the machine were slow: many small chunks, all but the first played by workers."""
    monkeypatch.setattr(runner, "CHUNK_SECONDS", 1e-4)


def files(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


# --- the same for all ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "more"),
    [
        (["random", "greedy"], {"deals": 60}),
        (["random", "greedy"], {"deals": 8, "episode": "game"}),
        (["random", "greedy"], {"deals": 7, "num_players": 4, "seed": 3}),
    ],
    ids=["rounds", "games", "four seats"],
)
def test_files_are_equal_for_any_number_of_workers(tmp_path, small_chunks, names, more):
    for workers in (1, 2, 3):
        tournament(names, out=tmp_path / str(workers), workers=workers, **more)
    first = files(tmp_path / "1")
    assert files(tmp_path / "2") == first
    assert files(tmp_path / "3") == first


def test_so_they_are_for_an_agent_in_python_whose_workers_are_processes(tmp_path, small_chunks):
    for workers in (1, 2):
        tournament([First(), "greedy"], deals=5, out=tmp_path / str(workers), workers=workers)
    assert files(tmp_path / "2") == files(tmp_path / "1")
    seconds = tournament([First(), "greedy"], deals=5).seats["decide_seconds"].to_numpy()
    assert seconds.max() > 0


def chunk_after(num_deals, seconds):
    """Deals of the chunk after one of so many deals, which took so long."""
    chunks = runner._Chunks(Schedule(("random", "greedy"), 2, 10_000, 0, "auto"), 0, ())
    chunks.learn(num_deals, seconds)
    return chunks.num_deals


def test_chunks_take_the_same_time():
    assert chunk_after(1000, 0.5) == 500
    assert chunk_after(1000, 0.125) == 2000
    assert chunk_after(1000, 1e-9) == 8000
    assert chunk_after(1, 60) == 1


def test_small_chunks_grow_for_agents_that_decide_for_many_games_at_once():
    assert chunk_after(1, 0.5) == 2
    assert chunk_after(63, 0.9) == 126
    assert chunk_after(63, 1.1) == 14
    assert chunk_after(64, 0.5) == 32  # two games a deal


def test_files_do_not_hang_on_the_size_of_chunks(tmp_path, monkeypatch):
    for size in (2, 16_384):
        monkeypatch.setattr(runner, "MAX_CHUNK_GAMES", size)
        tournament(["random", "greedy"], deals=40, out=tmp_path / str(size))
    assert files(tmp_path / "2") == files(tmp_path / "16384")


def test_more_deals_begin_with_the_same_games():
    few, many = (tournament(["random", "greedy"], deals=deals).seats for deals in (5, 9))
    pd.testing.assert_frame_equal(few.drop(columns="decide_seconds"), many.iloc[: len(few), :-1])


def test_an_agent_against_itself_is_exactly_zero_in_each_deal():
    setup = Setup(Rules(), 2, ("greedy", "greedy"), "round", seed=1)
    schedule = Schedule(("greedy", "greedy"), 2, 100, seed=1)
    sums = ClusterSums(2, schedule.seats_held)
    for block, result in runner.play(setup, schedule):
        sums.add(GameSums.of(block, result))
    assert sums.sums().points.any()
    assert not sums.sums().margin.any()
    sides = Setup(Rules(), 2, ("random", "random"), "game", seed=1)
    schedule = Schedule(("random", "random"), 2, 10, seed=1)
    sums = ClusterSums(2, schedule.seats_held)
    for block, result in runner.play(sides, schedule):
        sums.add(GameSums.of(block, result))
    assert not sums.sums().margin.any()


# --- tables --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("played") / "run"
    return tournament(
        ["random", "greedy"], "rummy500", 3, deals=4, seed=8, episode="game", out=folder
    )


def test_tables_have_the_declared_columns(played):
    for name in ("games", "rounds", "seats"):
        frame = getattr(played, name)
        declared = [column.name for column in tables.columns(name, 3)]
        assert list(frame.columns)[: len(declared)] == declared
        stored = pq.read_schema(played.folder / f"{name}.parquet")
        assert stored.equals(tables.schema(name, 3), check_metadata=True)
    assert played.seats.columns[-1] == "decide_seconds"


def test_tables_agree_with_each_other(played):
    games, rounds, seats = played.games, played.rounds, played.seats
    assert len(games) == played.schedule.num_games == 4 * 2 * 3
    assert len(rounds) == games["rounds"].sum()
    assert len(seats) == 3 * len(games)
    totals = rounds.groupby("game_id")[["score_0", "score_1", "score_2"]].sum().to_numpy()
    np.testing.assert_array_equal(totals.ravel(), seats["score"])
    parts = seats["points_melded"] + seats["points_laid_off"] - seats["hand_penalty"]
    np.testing.assert_array_equal(parts, seats["score"])
    out = rounds[rounds["out_seat"] >= 0].groupby(["game_id", "out_seat"]).size()
    assert out.sum() == seats["went_out"].sum()
    assert (seats.groupby("game_id")["won"].sum().to_numpy() == games["winners"]).all()
    assert (seats.loc[seats["won"], "rank"] == 1).all()
    assert games["agents"].str.split(" | ", regex=False).explode().tolist() == list(seats["agent"])
    assert len(games[["deal", "seed"]].drop_duplicates()) == 4
    assert rounds.groupby("game_id")["round"].apply(lambda r: (np.diff(r) == 1).all()).all()


def test_the_leaderboard_agrees_with_the_tables(played):
    seats = played.seats
    board = played.leaderboard.set_index("agent")
    for name, own in seats.groupby("agent"):
        means = own.groupby("game_id")[["score", "rounds", "won"]].mean()
        expected = means["score"].sum() / means["rounds"].sum()
        assert board.loc[name, "points_per_round"] == pytest.approx(expected)
    assert board.index[0] == "greedy"
    assert played.payoffs.loc["greedy", "random"] > 0
    assert np.isnan(played.payoff_half_widths.loc["greedy", "random"])  # four deals


def test_every_game_can_be_replayed_from_its_row(played):
    for game_id in (0, 7, 23):
        block, result = replay(played.folder, game_id)
        row = played.games.iloc[game_id]
        assert int(block.seeds[0]) == row["seed"]
        assert result.rounds[0] == row["rounds"]
        own = played.seats[played.seats["game_id"] == game_id]
        assert result.scores[0].tolist() == own["score"].tolist()
        assert result.decisions[0].tolist() == own["decisions"].tolist()
    with pytest.raises(RunError, match="game_id=24 is not allowed: use 0 to 23"):
        replay(played.folder, 24)


def test_the_manifest_says_all_that_is_needed(played):
    manifest = read_manifest(played.folder)
    assert manifest["complete"]
    assert manifest["rules_digest"] == Rules().digest
    assert manifest["rows"]["games"] == 24
    assert manifest["settings"]["seed"] == 8
    assert manifest["reproduce"] == (
        "rummy500 tournament --agents random,greedy --rules rummy500 --players 3 --deals 4 "
        "--seed 8 --episode game"
    )
    assert {"versions", "machine", "command", "workers", "wall_seconds"} <= set(manifest)
    json.dumps(manifest)


def test_in_memory_it_is_the_same(played):
    again = tournament(["random", "greedy"], num_players=3, deals=4, seed=8, episode="game")
    assert again.folder is None
    pd.testing.assert_frame_equal(again.leaderboard, played.leaderboard)
    for name in ("games", "rounds"):
        pd.testing.assert_frame_equal(getattr(again, name), getattr(played, name))


def test_the_default_compares_at_least_three():
    assert len(DEFAULT_AGENTS) >= 3
    assert len(tournament(deals=2).leaderboard) == len(DEFAULT_AGENTS)


# --- being interrupted ---------------------------------------------------------------------------

SCRIPT = """
import sys
from multiprocessing import active_children
from experiments.tournament import tournament
from tests.test_experiments_tournament import First

def progress(done, total):
    if active_children():
        print("workers play", flush=True)

if __name__ == "__main__":
    agents = [First(), "greedy"]
    try:
        tournament(agents, deals=10**7, out=sys.argv[1], workers=2, progress=progress)
    except KeyboardInterrupt:
        print("interrupted", len(active_children()))
"""


def test_processes_end_with_the_run_and_what_was_finished_is_kept(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    out = tmp_path / "run"
    with subprocess.Popen(
        [sys.executable, script, out], stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "workers play\n"
        process.send_signal(signal.SIGINT)
        try:
            said, _ = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    assert said.splitlines()[-1] == "interrupted 0"
    manifest = read_manifest(out)
    assert not manifest["complete"]
    assert len(pd.read_parquet(out / "games.parquet")) == 2 * manifest["deals_played"] > 0


# --- faults --------------------------------------------------------------------------------------


def test_faults_leave_no_folder(tmp_path):
    out = tmp_path / "run"
    with pytest.raises(RunError, match="use a list of names or objects"):
        tournament("random,greedy", out=out)
    with pytest.raises(RulesError):
        tournament(["random", "greedy"], {"hand_size": 13}, num_players=4, out=out)
    with pytest.raises(RunError, match="workers=0"):
        tournament(["random", "greedy"], workers=0, out=out)

    with pytest.raises(AgentError):
        tournament(["random", Broken()], deals=3, out=out, conduct=Conduct(strict=True))
    assert not out.exists()


class Broken(First):
    """Fails in its second game."""

    name = "broken"

    def choose(self, view, legal):
        if view.table == 1 and view.decision == 2:
            raise ZeroDivisionError("too small")
        return legal[0]


def test_an_agent_that_fails_is_named_with_seat_game_and_decision(small_chunks):
    said = r"^agent 'broken' failed in decision 2 at seat 0 of game 1 \(legal: .*\): "
    said += r"ZeroDivisionError: too small \(test_experiments_tournament.py, line \d+\)$"
    strict = Conduct(strict=True)
    for workers in (1, 2):
        with pytest.raises(AgentError, match=said) as caught:
            tournament(["random", Broken()], deals=9, workers=workers, conduct=strict)
        assert isinstance(caught.value.__cause__, ZeroDivisionError)

    class Many(agents.Agent):
        name = "many"

        def act(self, views, action_masks):
            if len(views) > 1:
                raise ValueError
            return action_masks.argmax(axis=1)

    said = (
        r"'many' failed in \d+ decisions asked at once, the first decision \d+ at seat \d of "
        r"game \d+ \(legal: .*\): ValueError \(test_exp"
    )
    with pytest.raises(AgentError, match=said):
        tournament([Many(), "random"], deals=9, conduct=strict)


def test_objects_that_are_no_agents_are_refused():
    class Silent:
        name = "silent"

    class Late(First):
        name = "late"

        def reset(self, rules, num_players, seed):
            raise KeyError("weights")

    cases: list[tuple[Any, str]] = [
        (First, r"agents\[1\] is the class First: use an object, First\(\)"),
        (Silent(), r"agents\[1\] is no agent: Silent lacks act\(\) or a policy and reset\(\)"),
        (None, r"agents\[1\] is no agent: NoneType lacks a name and act\(\) or a policy and reset"),
    ]
    for wrong, said in cases:
        with pytest.raises(RunError, match=said):
            tournament(["random", wrong])
    with pytest.raises(AgentError, match=r"agent 'late' failed in reset\(\): KeyError: 'weights'"):
        tournament(["random", Late()])
    with pytest.raises(RunError, match="use a list of names or objects"):
        tournament(cast(Any, First()))
    with pytest.raises(RunError, match="two agents are named 'first'"):
        tournament([First(), First()])


def test_an_agent_that_cannot_be_sent_to_a_process_is_refused(small_chunks):
    class Local(First):
        name = "local"

    with pytest.raises(RunError, match="workers=2 is not allowed: an agent cannot be sent"):
        tournament(["random", Local()], deals=9, workers=2)


# --- every move ----------------------------------------------------------------------------------


def test_the_table_of_actions_replays_every_game(tmp_path):
    played = tournament(
        ["random", "greedy"], deals=4, seed=3, episode="game", out=tmp_path, actions=True
    )
    assert played.actions.equals(load(tmp_path).actions)
    moves: Any = played.actions
    for row in played.games.to_dict("records"):
        game = Game("rummy500", 2, seed=int(row["seed"]))
        of_game = moves[moves["game_id"] == row["game_id"]].to_dict("records")
        for number, move in enumerate(of_game):
            now = (number, game.current_seat, game.round_number)
            assert (move["number"], move["seat"], move["round"]) == now
            assert game.action_space.to_text(move["action"]) == move["move"]
            game.step(move["action"])
        assert game.is_over
        scores = played.seats.query(f"game_id == {row['game_id']}")["score"]
        assert game.scores == scores.tolist()


def test_without_a_table_of_actions_there_is_none(tmp_path):
    played = tournament(["random", "greedy"], deals=1, out=tmp_path)
    assert not (tmp_path / "actions.parquet").exists()
    with pytest.raises(RunError, match="were not kept: play it with actions=True"):
        _ = played.actions
