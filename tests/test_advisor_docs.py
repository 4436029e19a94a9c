"""The page about `advisor`: its tables are those of the code."""

from __future__ import annotations

import re

import pytest

import agents
from agents.advice.weights import TIPS
from docs import run_advisor

PAGE = run_advisor.PAGE.read_text(encoding="utf-8")


def table(name: str) -> str:
    (found,) = re.findall(rf"<!-- {name}:start -->\n(.*)<!-- {name}:end -->", PAGE, re.DOTALL)
    return found


@pytest.mark.nojit
def test_weights_are_those_of_the_code():
    assert table("weights") == run_advisor.weights_table()


@pytest.mark.nojit
def test_every_tip_is_told_and_measured():
    told = PAGE.split("## The tips")[1].split("##")[0]
    assert re.findall(r"^\| `(\w+)` \|", told, re.MULTILINE) == list(TIPS)
    measured = r"^\| `(\w+)` (?:\| [+-]\d+\.\d ± \d+\.\d ){3}\|$"
    assert re.findall(measured, table("tips"), re.MULTILINE) == list(TIPS)
    assert f"{run_advisor.DEALS:,} duplicated deals" in table("tips")


@pytest.mark.nojit
def test_every_game_is_measured():
    measured = r"^\| `(\w+)` \| (\d) (?:\| [+-]\d+\.\d ± \d+\.\d ){2}\|$"
    rows = re.findall(measured, table("games"), re.MULTILINE)
    assert rows == [(name, str(players)) for name, _, players in run_advisor.games()]
    assert len(rows) == 4


def test_the_code_of_the_page_runs():
    (block,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    exec(compile(block, "<docs/advisor.md>", "exec"), {"__name__": "docs_advisor"})
    assert agents.make("advisor").name == "advisor"
