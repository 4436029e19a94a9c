"""Records of a tournament: the games that its tables tell of, for any agents and workers."""

from __future__ import annotations

import itertools
from typing import Any

import pandas as pd
import pytest

from experiments import runner
from experiments.cli import main
from experiments.errors import RunError
from experiments.run_folder import read_manifest
from experiments.tournament import Tournament, tournament
from rummy500_env import records
from rummy500_env.presets import presets
from rummy500_env.rules import Rules
from tests.support.recording import replayed
from tests.test_experiments_tournament import Broken, First

VARIANTS = {
    "rounds": ({"target_score": 500}, "round", 2),
    "games": ({"target_score": 200}, "game", 3),
    "bonus": ({"target_score": 200, "game_bonus": 250}, "game", 2),
    "clocks": ({"clock_budget": 40}, "game", 3),
    "windows": ({"out_of_turn_play": "meld_and_layoff", "final_layoff": "any_meld"}, "round", 3),
    "cut off": ({"target_score": 1000, "max_rounds": 2}, "game", 2),
    "turns": ({"stock_exhausted": "reshuffle", "max_turns": 20}, "round", 2),
    "dealer's joker": (
        {"num_jokers": 3, "joker_role": "nominated", "dealers_joker": True},
        "round",
        2,
    ),
}


def compare(played: Tournament) -> None:
    """Compare all records of a tournament, replayed, with its tables."""
    assert played.records is not None
    rounds = played.rounds.groupby("game_id")
    seats = played.seats.groupby("game_id")
    games = replayed(played.records)
    assert [again.header.game_id for again in games] == played.games["game_id"].tolist()
    for again, row in zip(games, played.games.to_dict("records"), strict=True):
        game, header = again.game, again.header
        own, by_seat = rounds.get_group(row["game_id"]), seats.get_group(row["game_id"])
        assert (header.seed, " | ".join(header.players)) == (row["seed"], row["agents"])
        assert (game.truncated_by or "") == row["truncated_by"]
        assert len(game.rounds) == row["rounds"]
        assert [each.how for each in game.rounds] == own["how"].tolist()
        columns = [f"score_{seat}" for seat in range(game.num_players)]
        assert [list(each.scores) for each in game.rounds] == pd.DataFrame(
            own[columns]
        ).to_numpy().tolist()
        assert game.scores == by_seat["score"].tolist()
        assert game.winners == by_seat.loc[by_seat["won"], "seat"].tolist()
        assert len(again) == by_seat["decisions"].sum()


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("opponent", ["greedy", First()], ids=["compiled", "in Python"])
def test_records_are_what_the_tables_tell_of(name, opponent, tmp_path):
    options, episode, num_players = VARIANTS[name]
    played = tournament(
        ["random", opponent],
        Rules(**options),
        num_players,
        deals=4,
        out=tmp_path,
        episode=episode,
        records=True,
    )
    compare(played)
    truncated = {"cut off": {"max_rounds"}, "turns": {"max_turns"}}.get(name, {""})
    assert truncated <= set(played.games["truncated_by"])


@pytest.mark.parametrize("name", [name for name in presets() if Rules.preset(name).teams == "none"])
def test_so_they_are_in_every_preset_without_teams(name, tmp_path):
    num_players = Rules.preset(name).player_counts()[0]
    compare(
        tournament(
            ["random", "greedy"], name, num_players, deals=2, seed=4, out=tmp_path, records=True
        )
    )


@pytest.mark.parametrize(
    ("opponent", "counts"), [("greedy", (1, 2, 3)), (First(), (1, 2))], ids=["threads", "processes"]
)
def test_they_are_equal_for_any_number_of_workers(opponent, counts, tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "CHUNK_SECONDS", 1e-4)  # workers play all chunks but the first
    for workers in counts:
        out = tmp_path / str(workers)
        tournament(["random", opponent], deals=12, out=out, workers=workers, records=True)
    first, *others = [(tmp_path / str(w) / "records.r500.gz").read_bytes() for w in counts]
    assert all(other == first for other in others)


def test_a_game_is_found_from_its_row(tmp_path):
    played = tournament(["random", "greedy"], deals=30, out=tmp_path, records=True)
    row = played.games.iloc[41]
    (again,) = records.replay(played.records or "", game_id=int(row["game_id"]))
    assert again.header.seed == row["seed"]
    assert again.header.players == tuple(row["agents"].split(" | "))


def test_they_are_written_only_when_they_are_wanted(tmp_path):
    played = tournament(["random", "greedy"], deals=3, out=tmp_path)
    assert played.records is None
    assert not list(tmp_path.glob("*.r500*"))
    assert tournament(["random", "greedy"], deals=3).records is None
    with pytest.raises(RunError, match="records=True needs a folder"):
        tournament(["random", "greedy"], deals=3, records=True)


def test_tables_are_the_same_with_and_without_them(tmp_path):
    played = tournament(["random", "greedy"], deals=5, out=tmp_path / "with", records=True)
    tournament(["random", "greedy"], deals=5, out=tmp_path / "plain")
    compare(played)
    for name in ("games", "rounds", "seats"):
        parts = [tmp_path / folder / f"{name}.parquet" for folder in ("with", "plain")]
        assert parts[0].read_bytes() == parts[1].read_bytes()
    with pytest.raises(RunError, match="records was False, is True"):
        tournament(["random", "greedy"], deals=5, out=tmp_path / "plain", records=True)


def test_a_game_that_was_forfeited_is_recorded_up_to_there(tmp_path):
    played = tournament(["random", Broken()], deals=4, out=tmp_path, records=True)
    given_up = set(played.forfeits["game_id"])
    assert given_up
    for game in replayed(tmp_path / "records.r500.gz"):
        assert game.game.is_over == (game.header.game_id not in given_up)


def test_what_was_finished_is_kept_when_it_is_interrupted(tmp_path):
    calls = itertools.count(1)

    def stop(done: int, total: int) -> None:
        if next(calls) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tournament(["random", First()], deals=10**6, out=tmp_path, progress=stop, records=True)
    manifest = read_manifest(tmp_path)
    games = replayed(tmp_path / "records.r500.gz")
    assert len(games) == 2 * manifest["deals_played"] > 0
    assert not list(tmp_path.glob("*.part"))


def test_a_run_that_fails_leaves_nothing(tmp_path):
    strict = runner.Conduct(strict=True)
    out = tmp_path / "run"
    with pytest.raises(Exception, match="broken"):
        tournament(["random", Broken()], deals=9, out=out, records=True, conduct=strict)
    assert not (tmp_path / "run").exists()


def test_the_command_writes_them(capsys, tmp_path):
    words = ["tournament", "--agents", "random,greedy", "--deals", "3", "--no-pictures"]
    assert main([*words, "--out", str(tmp_path), "--records"]) == 0
    said = capsys.readouterr().out
    assert "records.r500.gz" in said
    assert said.splitlines()[-1].endswith(" --records")
    assert len(replayed(tmp_path / "records.r500.gz")) == 6


def test_a_run_that_is_gone_on_with_has_the_same_records(tmp_path):
    def stop(done: int, total: int) -> None:
        if done >= 3:
            raise KeyboardInterrupt

    settings: Any = {"deals": 8, "records": True, "actions": True}
    with pytest.raises(KeyboardInterrupt):
        tournament(["random", First()], out=tmp_path / "cut", progress=stop, **settings)
    for name in ("cut", "whole"):
        tournament(["random", First()], out=tmp_path / name, **settings)
    for file in ("records.r500.gz", "actions.parquet", "games.parquet"):
        assert (tmp_path / "cut" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()
