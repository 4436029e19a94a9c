"""Studies of variants: what is played, skipped and refused, the tables, the command, the page."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import numpy as np
import pandas as pd
import pytest

from experiments.balance import summary
from experiments.balance.cells import CellSums, play_cell
from experiments.balance.figures import figure
from experiments.balance.study import balance, load_study
from experiments.balance.variants import Cell, Variant, grid_of, plan, variants
from experiments.cli import main
from experiments.errors import RunError
from experiments.report import Page, Section, write_report
from rummy500_env.errors import RulesError
from rummy500_env.presets import presets
from rummy500_env.rules import Rules

AGENTS = "random,greedy"
TINY = ["balance", "--rules", "rummy500", "--players", "2", "--agents", AGENTS]


def failure(capsys, *words: str):
    """The one line a command fails with."""
    assert main(words) == 2
    said = capsys.readouterr()
    assert not said.out
    assert said.err.count("\n") == 1
    assert said.err.startswith("rummy500: error: ")
    return said.err


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return balance(
        ["rummy500", "michigan_rum"],
        grid={"target_score": [100, 150]},
        players=[2],
        agents=["random", "greedy"],
        deals=40,
        seed=3,
        against="michigan_rum+target_score=100",
        out=tmp_path_factory.mktemp("study"),
    )


# --- what is played -------------------------------------------------------------------------------


def test_a_grid_has_all_combinations_and_values_may_hold_commas():
    grid = grid_of(['hand_size=7,{"2":10,"3":7}', "joker_role=none,wild"])
    assert grid == {"hand_size": [7, {"2": 10, "3": 7}], "joker_role": ["none", "wild"]}
    found, skipped = variants(["rummy500", "aces_15"], grid, strict=False)
    assert len(found) == 8
    assert not skipped
    assert found[1].name == "rummy500+hand_size=7+joker_role=wild"
    assert found[1].rules == Rules(hand_size=7, joker_role="wild")
    assert found[4].rules == Rules.preset("aces_15").replace(hand_size=7)


def test_contradictory_combinations_are_told_and_skipped_or_refused():
    grid = {"num_jokers": [0, 2], "joker_role": ["none", "wild"]}
    found, skipped = variants(["rummy500"], grid, strict=False)
    assert [one.name.partition("+")[2] for one in found] == [
        "num_jokers=0+joker_role=none",
        "num_jokers=0+joker_role=wild",
        "num_jokers=2+joker_role=wild",
    ]
    (told,) = skipped
    assert told.startswith("rummy500+num_jokers=2+joker_role=none: ")
    assert "jokers in the pack need a role" in told
    with pytest.raises(RulesError, match="need a role"):
        variants(["rummy500"], grid, strict=True)
    with pytest.raises(RulesError, match="need a role"):  # nothing else is left
        variants(["rummy500"], {"num_jokers": [2], "joker_role": ["none"]}, strict=False)


def test_all_presets_are_played_at_their_fewest_seats_and_at_four():
    found, _ = variants(["all"], {}, strict=True)
    assert [one.name for one in found] == presets()
    planned = plan(found, None, None, 0, strict=True, slow=False)
    seats = {
        name: [cell.num_players for cell in planned.cells if cell.variant.name == name]
        for name in ("rummy500", "mini", "partnership_500", "rummy500_two_packs", "rummy500_online")
    }
    assert seats == {
        "rummy500": [2, 4],
        "mini": [2],
        "partnership_500": [4],
        "rummy500_two_packs": [5],
        "rummy500_online": [2],
    }
    with_learned = {
        (cell.variant.name, cell.num_players) for cell in planned.cells if "learned" in cell.agents
    }
    assert {("rummy500", 2), ("rummy500", 4), ("rummy500_pagat", 2)} <= with_learned
    assert ("michigan_rum", 2) not in with_learned
    assert planned.cells[0].pairs == [("advisor", "greedy"), ("learned", "advisor")]


def test_what_a_variant_cannot_seat_or_an_agent_cannot_play_is_told():
    chosen = [Variant("mini", Rules.preset("mini")), Variant("rummy500", Rules())]
    planned = plan(chosen, [2, 3], ["greedy", "learned"], 0, strict=False, slow=False)
    played = [(cell.variant.name, cell.num_players, cell.agents) for cell in planned.cells]
    assert played == [
        ("mini", 2, ("greedy",)),
        ("rummy500", 2, ("greedy", "learned")),
        ("rummy500", 3, ("greedy", "learned")),
    ]
    assert planned.skipped[0].startswith("mini, 2 players: learned: no weights")
    assert planned.skipped[1].startswith("mini: num_players=3")
    with pytest.raises(RunError, match="no weights"):
        plan(chosen, [2], ["learned"], 0, strict=True, slow=False)


# --- the tables -----------------------------------------------------------------------------------


def test_the_table_is_tidy_and_has_each_figure_of_each_agent(study):
    rows = study.figures
    keys = ["variant", "players", "agent", "figure", "at"]
    assert list(rows.columns) == [*keys, "value", "low", "high", "unit", "deals", "sign_changes"]
    assert not rows.duplicated(keys).any()
    assert set(rows["agent"]) == {"random", "greedy", "greedy against random"}
    assert rows["variant"].nunique() == 4
    has_interval = rows["deals"] >= 30
    assert rows.loc[has_interval, "low"].le(rows.loc[has_interval, "value"]).all()
    assert rows.loc[~has_interval, "low"].isna().all()
    assert (rows["unit"] == [figure(name).unit for name in rows["figure"]]).all()
    shares = rows[rows["figure"].str.endswith("_share") & rows["figure"].ne("layoff_share")]
    sums = shares.groupby(["variant", "agent"])["value"].sum()
    assert sums.to_numpy() == pytest.approx(1)
    skill = rows[rows["figure"] == "strong_points"]
    assert (skill["low"] > 20).all()


def test_what_a_study_says_of_self_play_is_what_a_tournament_would_say(study):
    """The strong agent's margin is that of a tournament with the same seed."""
    from experiments.tournament import tournament

    rules = Rules(target_score=100)
    played = tournament(["greedy", "random"], rules, 2, 40, 3, episode="game")
    rows = study.figures
    mine = rows[(rows["variant"] == "rummy500+target_score=100") & (rows["players"] == 2)]
    points = mine[mine["figure"] == "strong_points"].iloc[0]
    assert points["value"] == pytest.approx(played.pairs["difference"][0])
    half = (points["high"] - points["low"]) / 2
    assert half == pytest.approx(played.pairs["half_width"][0], rel=0.05)
    wins = mine[mine["figure"] == "strong_wins"].iloc[0]
    assert wins["value"] == pytest.approx(played.pairs["win_share"][0] - 0.5)


def test_differences_are_those_of_the_figures_and_narrower_on_the_same_deals(study):
    rows, less = study.figures, study.differences
    assert set(less["variant"]) == set(rows["variant"]) - {"michigan_rum+target_score=100"}

    def row(table, variant, name, agent):
        mine = table[(table["variant"] == variant) & (table["figure"] == name)]
        return mine[mine["agent"] == agent].iloc[0]

    base, other = "michigan_rum+target_score=100", "michigan_rum+target_score=150"
    for name, agent in (("points_per_round", "greedy"), ("strong_wins", "greedy against random")):
        values = [row(rows, variant, name, agent) for variant in (other, base)]
        found = row(less, other, name, agent)
        assert found["value"] == pytest.approx(values[0]["value"] - values[1]["value"])
        halves = [(one["high"] - one["low"]) / 2 for one in values]
        assert (found["high"] - found["low"]) / 2 < np.hypot(*halves)
    # the first rounds are the same, so the shares of variance are
    same = row(less, other, "deal_share", "greedy against random")
    assert same["value"] == same["low"] == same["high"] == 0


def test_equal_seeds_give_equal_tables_with_any_number_of_workers(study, tmp_path):
    settings = study.manifest["settings"]
    again = balance(
        settings["rules"],
        grid=settings["grid"],
        players=[2],
        agents=settings["agents"],
        deals=40,
        seed=3,
        against=study.against,
        out=tmp_path,
        workers=2,
    )
    pd.testing.assert_frame_equal(again.figures, study.figures)
    for name in ("figures.csv", "figures.parquet", "differences.csv"):
        assert (tmp_path / name).read_bytes() == (study.folder / name).read_bytes()
    other = balance(players=[2], agents=["random"], deals=2, seed=4)
    assert not other.figures["value"].equals(
        balance(players=[2], agents=["random"], deals=2, seed=5).figures["value"]
    )


def test_a_study_that_was_cut_goes_on_with_what_is_there(tmp_path, monkeypatch):
    words: Any = {"players": [2], "agents": ["random", "greedy"], "deals": 3, "out": tmp_path}
    whole = balance(["mini", "small"], **words | {"out": None})
    calls = []

    def cut(cell, *rest: Any):
        calls.append(cell.variant.name)
        if cell.variant.name == "small":
            raise KeyboardInterrupt
        return play_cell(cell, *rest)

    monkeypatch.setattr("experiments.balance.study.play_cell", cut)
    with pytest.raises(KeyboardInterrupt):
        balance(["mini", "small"], **words)
    with pytest.raises(RunError, match="was not finished: rummy500 balance --rules mini,small"):
        load_study(tmp_path)
    monkeypatch.setattr("experiments.balance.study.play_cell", play_cell)
    found = balance(["mini", "small"], **words)
    assert calls == ["mini", "small"]
    pd.testing.assert_frame_equal(found.figures, whole.figures)
    pd.testing.assert_frame_equal(load_study(tmp_path).figures, whole.figures)
    (file,) = (tmp_path / "sums").glob(f"{Rules.preset('mini').digest}-2.npz")
    file.write_bytes(b"nothing")
    with pytest.raises(RunError, match="is damaged"):
        balance(["mini", "small"], **words)


def test_sums_are_read_as_they_were_written(tmp_path):
    at = Cell(Variant("mini", Rules.preset("mini")), 2, ("random", "greedy"))
    sums = play_cell(at, 3, 0, 1, lambda _: None)
    sums.write(tmp_path / "x.npz")
    found = CellSums.read(tmp_path / "x.npz", at)
    assert list(found.own) == ["random", "greedy"]
    assert list(found.duels) == [("greedy", "random")]
    for mine, theirs in zip(
        [*sums.own.values(), *sums.duels.values()],
        [*found.own.values(), *found.duels.values()],
        strict=True,
    ):
        assert mine.keys() == theirs.keys()
        assert all(np.array_equal(mine[name], theirs[name]) for name in mine)


# --- findings -------------------------------------------------------------------------------------


def table(*rows: Any):
    """Rows of a table of differences: variant, agent, figure, low, high."""
    names = ["variant", "agent", "figure", "low", "high"]
    found = pd.DataFrame([dict(zip(names, row, strict=True)) for row in rows])
    return found.assign(players=2, at="", value=(found["low"] + found["high"]) / 2)


def test_a_sign_that_changes_with_the_agent_is_marked():
    from experiments.balance.study import _sign_changes

    rows = table(
        ("a", "weak", "starter_points", 1, 3),
        ("a", "strong", "starter_points", -4, -1),
        ("b", "weak", "starter_points", 1, 3),
        ("b", "strong", "starter_points", -4, 1),
        ("c", "weak", "starter_points", np.nan, np.nan),
        ("c", "strong", "starter_points", -4, -1),
    )
    assert _sign_changes(rows).tolist() == [True, True, False, False, False, False]
    rows = rows.assign(sign_changes=_sign_changes(rows))
    (line, *_) = summary.lines(rows, ["starter_points"], "weak")
    assert line.text("starter_points") == "+2.0 ± 1.0 !"
    assert len(summary.sign_changes(rows)) == 2


def test_which_variants_are_shorter_without_more_luck():
    rows = table(
        ("short", "weak", "turns_per_game", -30, -20),
        ("short", "strong", "turns_per_game", -9, -5),
        ("short", "duel", "strong_wins", -0.1, 0.1),
        ("lucky", "weak", "turns_per_game", -30, -20),
        ("lucky", "strong", "turns_per_game", -30, -20),
        ("lucky", "duel", "strong_wins", -0.3, -0.1),
        ("unsure", "weak", "turns_per_game", -30, -20),
        ("unsure", "strong", "turns_per_game", -30, 1),
        ("unsure", "duel", "strong_wins", 0.1, 0.2),
    )
    (found,) = summary.shorter(rows).to_dict("records")
    assert (found["variant"], found["turns"], found["low"]) == ("short", -7, -0.1)


# --- the command and the page ---------------------------------------------------------------------


def test_the_command_prints_writes_and_can_be_repeated(capsys, tmp_path):
    out = tmp_path / "run"
    words = [*TINY, "--grid", "target_score=100", "--deals", "30", "--against", "rummy500"]
    assert main([*words, "--report", "--out", str(out)]) == 0
    said = capsys.readouterr()
    assert not said.err
    written = {path.name for path in out.iterdir()}
    assert {"figures.csv", "figures.parquet", "differences.csv", "differences.parquet"} <= written
    assert {"manifest.json", "report.html", "figures-2.png", "luck-2.png"} <= written
    assert {"comebacks-2.png", "differences-2.png", "skill-2.png"} <= written
    lines = said.out.splitlines()
    assert lines[0] == "2 variants, 2 tables, 30 deals, seed 0"
    rows = pd.read_csv(out / "figures.csv", keep_default_na=False)
    row = rows.query("variant == 'rummy500' and figure == 'rounds_per_game' and agent == 'greedy'")
    value, half = row["value"].iloc[0], (row["high"].astype(float) - row["value"]).iloc[0]
    start = lines.index("greedy with itself (± 95 % interval over deals)")
    assert f"{value:.1f} ± {half:.1f}" in lines[start + 2]
    tables_end = next(i for i, line in enumerate(lines) if line.startswith("- "))
    titles = [line for line in lines if "interval over deals" in line]
    assert max(len(line) for line in lines[:tables_end] if line not in titles) <= 80
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["complete"]
    assert manifest["variants"] == {
        "rummy500": {},
        "rummy500+target_score=100": {"target_score": 100},
    }

    again = tmp_path / "again"
    command = shlex.split(lines[-1])
    assert command[:2] == ["rummy500", "balance"]
    assert main([*command[1:], "--no-pictures", "--out", str(again)]) == 0
    assert (again / "figures.csv").read_bytes() == (out / "figures.csv").read_bytes()
    assert not list(again.glob("*.png"))

    assert main(["report", str(out)]) == 0
    assert_self_contained((out / "report.html").read_text(encoding="utf-8"))


FAULTS = {
    "balance --rules rumy500": ["'rumy500'", "'rummy500'"],
    "balance --rules rummy500,rummy500": ["'rummy500'", "twice"],
    "balance --grid hand_size": ["--grid 'hand_size'", "option=value,value"],
    "balance --grid hand_size=": ["--grid 'hand_size='", "option=value,value"],
    "balance --grid hand_size=7,": ["--grid 'hand_size=7,'", "option=value,value"],
    "balance --grid hand_size=7,7": ["a value is there twice"],
    "balance --grid hand_size=7 --grid hand_size=8": ["hand_size is there twice"],
    "balance --grid hand_sise=7": ["'hand_sise'", "hand_size"],
    "balance --grid hand_size=7,99": ["99", "1 to 53"],
    "balance --grid hand_size={7": ["no JSON"],
    "balance --strict --grid num_jokers=0,2": ["num_jokers=2", "need a role"],
    "balance --players 2,x": ["'x'", "whole number"],
    "balance --players 9": ["num_players=9", "2 to 8"],
    "balance --strict --players 2,9": ["num_players=9"],
    "balance --agents gredy": ["'gredy'", "'greedy'"],
    "balance --agents greedy:digs=often": ["'gain' and 'never'"],
    "balance --agents greedy,mc": ["'mc'", "not compiled", "--slow"],
    "balance --rules mini --agents learned": ["no weights"],
    "balance --deals 0": ["deals=0", "1 or more"],
    "balance --deals many": ["'many'", "whole number"],
    "balance --seed -1": ["seed=-1"],
    "balance --workers 0": ["workers=0"],
    "balance --against nobody": ["against='nobody'", "rummy500"],
    "report": ["FOLDER"],
    "report nowhere": ["nowhere", "No such file"],
}


@pytest.mark.parametrize("command", FAULTS)
def test_a_fault_is_one_line(capsys, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    told = failure(capsys, *command.split())
    for part in FAULTS[command]:
        assert part in told
    assert not (tmp_path / "runs").exists()


def test_an_interruption_says_what_is_kept(tmp_path, monkeypatch, capsys):
    def cut(*_: object):
        raise KeyboardInterrupt

    monkeypatch.setattr("experiments.balance.study.play_cell", cut)
    assert main([*TINY, "--deals", "2", "--out", str(tmp_path / "run")]) == 130
    assert capsys.readouterr().err == "rummy500: interrupted: no table was finished\n"


def assert_self_contained(page: str):
    """That a page needs nothing from anywhere, and runs nothing."""
    rest, embedded = re.subn(r'src="data:image/png;base64,[A-Za-z0-9+/=]+"', "", page)
    assert embedded == page.count("<img ")
    for word in ("http", "src=", "href", "url(", "@import", "<script", "<link", "<iframe"):
        assert word not in rest.lower()


def test_the_page_of_a_tournament_escapes_names(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = "evil<b>&"
    (tmp_path / f"{name}.py").write_text(
        "import agents\nMine = lambda: agents.make('greedy')\n", encoding="utf-8"
    )
    agent = f"./{name}.py:Mine"
    out = tmp_path / "run"
    words = ["tournament", "--agents", f"{agent},random", "--deals", "30", "--out", str(out)]
    assert main([*words, "--report"]) == 0
    assert "report.html" in capsys.readouterr().out
    page = (out / "report.html").read_text(encoding="utf-8")
    assert name not in page
    assert "evil&lt;b&gt;&amp;" in page
    assert "<h2>Leaderboard" in page
    assert page.count("data:image/png;base64,") == 2
    assert_self_contained(page)
    before = page
    assert main(["report", str(out)]) == 0
    assert (out / "report.html").read_text(encoding="utf-8") == before


def test_every_text_of_a_page_is_escaped(tmp_path):
    bad = "<script>alert('x')</script>&\"$title"
    page = Page(bad, [Section(bad, [bad], [[bad]], [bad])])
    text = page.html([], {"a": bad})
    assert "<script" not in text
    assert text.count("&lt;script&gt;") == 7  # twice the title
    assert text.count("$title") == 7


def test_there_is_no_page_of_other_runs(tmp_path):
    (tmp_path / "manifest.json").write_text('{"kind": "train"}', encoding="utf-8")
    with pytest.raises(RunError, match="of the kind 'train'"):
        write_report(tmp_path)
