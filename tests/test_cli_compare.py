"""The command that compares two agents, and what a tournament says about control and power."""

import shlex

import numpy as np
import pandas as pd
import pytest

import agents
from experiments import show_statistics
from experiments.cli import main
from experiments.compare import compare
from experiments.power import deals_needed
from experiments.show import console

FILES = {
    "comparison.csv",
    "comparison.png",
    "games.parquet",
    "manifest.json",
    "rounds.parquet",
    "seats.parquet",
    "timings.parquet",
}


def test_it_prints_and_writes(capsys, tmp_path):
    out = tmp_path / "run"
    words = ["compare", "greedy", "random", "--seed", "3", "--detect", "2", "--out", str(out)]
    assert main(words) == 0
    said = capsys.readouterr()
    assert not said.err
    assert {path.name for path in out.iterdir()} == FILES
    lines = said.out.splitlines()
    row = pd.read_csv(out / "comparison.csv").iloc[-1]
    assert lines[0] == "greedy is better than random (2 seats, 100 deals, 200 rounds, seed 3)."
    assert lines[1] == (
        f"{row['difference']:+.1f} points a round, 95 % confidence sequence "
        f"{row['low']:+.1f} to {row['high']:+.1f}."
    )
    found = compare("greedy", "random", seed=3)
    needed = deals_needed(found.deviations[0], 2)
    assert f"finds 2 points with {needed:,} deals" in said.out
    assert str(out) in said.out

    again = tmp_path / "again"
    command = shlex.split(lines[-1])
    assert command[:2] == ["rummy500", "compare"]
    assert main([*command[1:], "--no-pictures", "--out", str(again)]) == 0
    for name in FILES - {"comparison.png", "manifest.json", "timings.parquet"}:
        assert (again / name).read_bytes() == (out / name).read_bytes()
    assert not list(again.glob("*.png"))


SAID = {
    "compare random greedy": [
        "random is not better than greedy by 3 points a round (2 seats",
        "All of it is below 0: greedy is better than random.",
    ],
    "compare random random#2 --delta 0.5 --max-deals 100": [
        "Undecided at the cap whether random is better than random#2 (2 seats, 100 deals"
    ],
    "compare greedy greedy#2 --max-deals 100": ["no interval: too few deals show a difference"],
    "compare greedy random --players 3": [
        "greedy is better than random (3 seats",
        "One greedy among random: +",
        "One random among greedy: +",
    ],
    "compare greedy random --episode game": ["games, seed 0)"],
}


@pytest.mark.parametrize("command", SAID)
def test_what_it_says(capsys, tmp_path, command):
    assert main([*command.split(), "--no-pictures", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    for part in SAID[command]:
        assert part in said


def test_without_out_it_makes_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["compare", "greedy", "random", "--no-pictures"]) == 0
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.startswith("compare-")


def test_objects_have_no_command(capsys):
    greedy = agents.make("greedy")
    greedy.name = "mine"
    found = compare(greedy, "random", max_deals=100)
    show_statistics.show_comparison(console(), found)
    assert "It was played from Python" in capsys.readouterr().out


def test_interrupted_it_says_what_is_kept(tmp_path, monkeypatch, capsys):
    def interrupted(*_: object):
        raise KeyboardInterrupt

    monkeypatch.setattr("rummy500_env.arena.Arena.play", interrupted)
    out = tmp_path / "run"
    assert main(["compare", "random", "greedy", "--out", str(out)]) == 130
    assert capsys.readouterr().err == "rummy500: interrupted: no deal was finished\n"
    assert not out.exists()


# --- tournaments ---------------------------------------------------------------------------------


def test_a_tournament_with_control_and_power(capsys, tmp_path):
    out = tmp_path / "run"
    words = ["tournament", "--agents", "random,greedy", "--deals", "100", "--no-pictures"]
    words += ["--control", "greedy,random", "--detect", "2.5", "--out", str(out)]
    assert main(words) == 0
    said = capsys.readouterr().out
    controlled = pd.read_csv(out / "controlled.csv").set_index("agent").loc["greedy"]
    lines = said.splitlines()
    start = next(i for i, line in enumerate(lines) if "corrected by greedy, random" in line)
    assert lines[start + 2].split() == [
        "greedy",
        "random",
        *(f"{controlled['difference']:+.1f} ± {controlled['half_width']:.1f}").split(),
        *(f"{controlled['controlled']:+.1f} ± {controlled['controlled_half_width']:.1f}").split(),
        f"{controlled['narrowing']:.2f}x",
    ]
    assert "Deals that find 2.5 points per round (5 % and 80 % power)" in said
    assert max(map(len, lines[: next(i for i, x in enumerate(lines) if x.startswith("- "))])) <= 80
    assert lines[-1].endswith("--control greedy,random --detect 2.5")

    again = tmp_path / "again"
    assert main([*shlex.split(lines[-1])[1:], "--no-pictures", "--out", str(again)]) == 0
    assert (again / "controlled.csv").read_bytes() == (out / "controlled.csv").read_bytes()


def test_a_tournament_shows_ratings_and_the_sign_test(capsys, tmp_path):
    words = ["tournament", "--agents", "random,random#2,greedy", "--deals", "40", "--no-pictures"]
    assert main([*words, "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    ratings = pd.read_csv(tmp_path / "ratings.csv").to_dict("list")
    assert ratings["agent"][0] == "greedy"
    assert f"{ratings['rating'][0]:+.0f}" in said
    assert "Bradley-Terry" in said
    assert "Sign test over deals, Holm over 3 pairs: not told apart at 5 %: random" in said
    words = ["tournament", "--agents", "random,greedy", "--deals", "40", "--players", "4"]
    assert main([*words, "--no-pictures", "--out", str(tmp_path / "four")]) == 0
    said = capsys.readouterr().out
    assert "Plackett-Luce" in said
    assert "Sign test over deals, Holm over 2 pairs: all pairs differ at 5 %." in said


def test_an_agent_that_always_loses_has_a_rating_without_an_interval(capsys, tmp_path):
    words = ["tournament", "--agents", "random,greedy", "--deals", "5", "--no-pictures"]
    words += ["--episode", "game", "--out", str(tmp_path)]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "Some lost every game to all others" in said
    ratings = pd.read_csv(tmp_path / "ratings.csv").to_dict("list")
    assert ratings["group"] == [1, 2]
    assert np.isnan(ratings["low"]).all()
