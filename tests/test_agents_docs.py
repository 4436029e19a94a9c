"""The page about agents: its code runs, and its words have the numbers of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import agents
from agents import greedy, registry

PAGE = (Path(__file__).parents[1] / "docs" / "agents.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_the_code_runs_from_top_to_bottom(monkeypatch, capsys):
    monkeypatch.setattr(registry, "_makers", dict(registry._makers))
    names = {"__name__": "docs_agents"}
    for block in BLOCKS:
        exec(compile(block, "<docs/agents.md>", "exec"), names)  # no file: nothing is cached
    printed = capsys.readouterr().out
    assert "[1 1 1 1 1 1]" in printed  # each game was one round
    assert str(agents.names()[:2])[1:-1] in printed
    assert printed.splitlines()[-1] == "5"


@pytest.mark.nojit
def test_all_agents_are_on_the_page():
    for name in ("random", "greedy", "greedy:digs=never"):
        assert f"| `{name}` |" in PAGE
        assert agents.make(name).name == name


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("words", "tenths"),
    [
        ("unless that loses {} points or more", -greedy.MARGIN),
        ("{} for each point of the card's value", greedy.WEIGHT),
        ("less {} points for each other suit of its rank", greedy.TWIN),
        ("less {} points for each card in hand next to it", greedy.NEXT),
        ("less {} points for each card in hand two places away", greedy.GAP),
        ("less {} points for each card that goes with it", greedy.HELPS_NEXT),
        ("less {} points for each point left over", greedy.LEFT_OVER),
    ],
)
def test_the_rule_of_greedy_has_its_numbers(words, tenths):
    assert words.format(f"{tenths / 10:g}") in re.sub(r"\s+", " ", PAGE)
