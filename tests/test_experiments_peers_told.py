"""Other libraries beside ours: the command, its tables, its JSON, the page made of it."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path

import numpy as np
import pytest

from docs import run_readme, write_performance
from experiments import bench
from experiments.benchmarks.harness import Figure, Target, Work
from experiments.benchmarks.peers import compare, pettingzoo, report
from experiments.benchmarks.peers.model import Compared, Comparison, PeerError, sees
from experiments.benchmarks.peers.ours import OURS, Own
from experiments.cli import main
from tests.support.peers import AIM, MISSING, failing, fake, peer, replace_ours, steady, tick

ROOT = Path(__file__).parents[1]
PAGE = write_performance.PAGE.read_text(encoding="utf-8")


@pytest.fixture
def fakes(monkeypatch):
    """The command measures these instead."""
    replace_ours(monkeypatch)
    made = (
        fake(peer("fast", steady, batch=AIM), peer("b", steady, game=None)),
        Comparison("Other", MISSING, list),
        fake(peer("old", failing(PeerError("it is [gone]")), batch=None)),
        fake(peer("copies", steady, clone=Target(">=", 0)), unit="µs/clone"),
    )
    monkeypatch.setattr(bench, "COMPARISONS", made)
    return made


def test_the_command_tells_all(fakes, capsys):
    assert main(["bench", "--peers", "--quick", "--seconds", "0.001"]) == 0
    said = capsys.readouterr().out
    assert f"Decisions a second, Fake {np.__version__}" in said
    assert ">= 1e+12 (aim 1e+13) MISSED" in said
    assert ">= 0.00 met" in said
    assert "- fast: does fast" in said
    assert said.split("Not measured\n")[1].splitlines()[:2] == [
        "- Other: not installed",
        "- Fake old: it is [gone]",
    ]


@pytest.mark.parametrize("check", [False, True])
def test_json_and_status(fakes, capsys, check):
    words = ["--peers", "--json", "--quick", "--seconds", "0.001", *(["--check"] if check else [])]
    assert main(["bench", *words]) == int(check)
    found = json.loads(capsys.readouterr().out)
    assert found["machine"]["cpu"]
    assert {"load_average", "load_average_after"} <= found["machine"].keys()
    assert found["settings"]["turns"] == 3
    assert "core" in found["settings"]
    assert [one["title"] for one in found["comparisons"]] == ["Fake", "Other", "Fake", "Fake"]
    assert [one["version"] for one in found["comparisons"]][:2] == [np.__version__, None]
    first = found["comparisons"][0]
    assert [figure["name"] for figure in first["figures"]] == [
        *("many", "one", "fast", "Batch to it", "b", "Game to it"),
    ]
    assert first["figures"][2]["num_actions"] == 110
    assert first["figures"][3]["target"] == {"is": ">=", "value": 1e12, "aim": 1e13}
    assert first["does"] == {"fast": "does `fast`", "b": "does `b`"}
    assert found["comparisons"][1]["absent"] == [{"name": "", "reason": "not installed"}]


def test_ours_is_checked_while_others_are_measured(monkeypatch, capsys):
    tick(monkeypatch)

    def broken(bench):
        bench._tally("ours").decisions = 100_000
        return Work("ours", "decisions/s", lambda count: count)

    monkeypatch.setattr(compare, "OURS", {"batch": Own("ours", broken)})
    monkeypatch.setattr(bench, "COMPARISONS", (fake(peer("a", steady, batch=None)),))
    assert main(["bench", "--peers", "--quick", "--seconds", "0.001"]) == 1
    said = capsys.readouterr()
    assert said.err.startswith("rummy500: error: ours: 0 rounds in 100,000 decisions")
    assert not said.out


@pytest.mark.parametrize("words", [["--players", "3"], ["--rules", "booting"]])
def test_other_tables_are_refused(capsys, words):
    assert main(["bench", "--peers", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "leave out --rules, --players" in line


def everything():
    """All loops that there are, with figures as wide as they come."""
    for one in compare.COMPARISONS:
        figures = []
        for found in one.peers():
            figures.append(Figure(found.name, one.unit, (123_456.7, 133_456.7)))
            for key, target in found.against.items():
                name = f"  {OURS[key].label} to it"
                pair = (key, found.name)
                figures.append(Figure(name, "ratio", (100.3, 200.3), pair, target=target))
        does = {found.name: found.does for found in one.peers()}
        yield Compared(one.title, one.package, "22.22.22", tuple(figures), does)


def test_tables_have_80_columns(capsys):
    report.show(bench.console(), list(everything()))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(" to it " in line for line in lines) == sum(
        len(found.against) for one in compare.COMPARISONS for found in one.peers()
    )


def test_a_page_has_a_row_for_each_ratio(fakes, capsys):
    main(["bench", "--peers", "--json", "--quick", "--seconds", "0.001"])
    found = json.loads(capsys.readouterr().out)
    page = "before\n<!-- peers:start -->\nold\n<!-- peers:end -->\nafter\n"
    text = write_performance.written(page, found)
    assert text.startswith("before\n<!-- peers:start -->\n")
    assert text.endswith("<!-- peers:end -->\nafter\n")
    assert "\nold\n" not in text
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    version = np.__version__
    assert [row[0] for row in rows] == [
        "measured",
        f"Fake {version} fast",
        f"Fake {version} b",
        "Other",
        f"Fake {version} old",
        "measured",
        f"Fake {version} copies",
    ]
    assert {len(row) for row in rows} == {6}
    assert rows[1][2] == "many"
    assert rows[1][5] == "≥ 1e+12, aim 1e+13: missed"
    assert rows[3][1:] == ["not installed", "", "", "", ""]
    assert rows[6][5] == "≥ 0: met"
    assert "- Fake fast: does `fast`." in text
    assert write_performance.written(text, found) == text


def test_what_is_seen_is_told():
    found = sees(np.zeros((4, 52), np.int8), np.zeros(110, np.int8))
    assert found == {
        "observation_dtype": "int8",
        "observation_shape": [4, 52],
        "num_actions": 110,
    }


# -- the page ----------------------------------------------------------------------------------


def test_the_page_has_what_was_measured():
    """Made anew by `python docs/write_performance.py`."""
    measured = json.loads(write_performance.MEASURED.read_text(encoding="utf-8"))
    assert write_performance.written(PAGE, measured) == PAGE
    for one in compare.COMPARISONS:
        rows = [found for found in measured["comparisons"] if found["package"] == one.package]
        assert all(found["version"] and not found["absent"] for found in rows)


def test_the_extra_has_all_that_is_measured():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = project["optional-dependencies"]["peers"]
    names = {re.split(r"[\[<>=]", one)[0] for one in extra}
    assert {one.package for one in compare.COMPARISONS} <= names
    assert f"'pettingzoo[classic]=={pettingzoo.LAST_WITH_IT}'" in PAGE


@pytest.mark.parametrize("words", run_readme.commands(PAGE), ids=shlex.join)
def test_the_commands_of_the_page_can_be_given(words, monkeypatch):
    given = []
    monkeypatch.setattr(bench, "_run_peers", lambda found, plan, *more: given.append(plan) or 0)
    if words[0].endswith("/rummy500"):
        assert main([word for word in words[1:] if word not in (">", "docs/peers.json")]) == 0
        assert len(given) == 1
    elif words[0].endswith("/python"):
        assert (ROOT / words[1]).exists()
    else:
        assert words[0] == "python3" or words[0].endswith("/pip")
