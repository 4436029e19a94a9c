"""The command that makes data sets of recorded games."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from experiments.cli import main
from experiments.tournament import tournament
from rummy500_env import records


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The folder of a run with four recorded games."""
    found = tmp_path_factory.mktemp("run")
    tournament(["random", "greedy"], deals=2, out=found, records=True)
    return found


def test_a_run_becomes_a_file_of_arrays(folder, tmp_path, capsys):
    out = tmp_path / "data.npz"
    words = ["replay", str(folder), "--export", str(out)]
    assert main([*words, "--reward", "points", "--observations", "int8"]) == 0
    said = capsys.readouterr()
    moves = sum(len(again) for again in records.replay(folder / "records.r500.gz"))
    assert said.out == f"{moves:,} decisions of 4 games are in {out}\n"
    assert not said.err
    with np.load(out) as data:
        assert data["observations"].dtype == np.int8
        assert '"reward": "points"' in str(data["about"])
        assert data["players"].tolist() == [["random", "greedy"], ["greedy", "random"]] * 2
    assert main([*words, "--game", "2"]) == 0
    assert "1 games are in" in capsys.readouterr().out
    with np.load(out) as data:
        assert data["game_ids"].tolist() == [2]


def test_a_run_becomes_a_minari_data_set(folder, tmp_path, capsys, monkeypatch):
    minari = pytest.importorskip("minari")
    pytest.importorskip("h5py")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    words = ["replay", str(folder), "--minari", "rummy500/run-v0", "--game", "1"]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert re.fullmatch(
        r"\d+ decisions of 2 seats are in the Minari data set rummy500/run-v0\n", said
    )
    assert minari.load_dataset("rummy500/run-v0").total_episodes == 2
    assert main(words) == 2
    assert "already exists" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--reward", "money"], "reward='money': allowed are score, points, own_points, win"),
        (["--observations", "float64"], "observation dtype float64: allowed are float32 and int8"),
        (["--game", "9"], "there is no game to export (game_id=9)"),
        (["--round", "1"], "--round has no meaning with --export or --minari"),
        (["--all"], "--all has no meaning with --export or --minari"),
    ],
)
def test_faults_are_one_line(folder, tmp_path, capsys, words, said):
    out = tmp_path / "data.npz"
    assert main(["replay", str(folder), "--export", str(out), *words]) == 2
    assert capsys.readouterr().err == f"rummy500: error: {said}\n"
    assert not list(tmp_path.iterdir())


def test_words_about_a_data_set_need_one(folder, capsys):
    assert main(["replay", str(folder), "--reward", "win"]) == 2
    said = "rummy500: error: --reward has no meaning without --export or --minari\n"
    assert capsys.readouterr().err == said
