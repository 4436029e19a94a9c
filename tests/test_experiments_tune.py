"""Tuning: it finds what was spoiled, is repeatable, and refuses what it cannot do."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import agents
from agents import tuning
from experiments.cli import main
from experiments.errors import RunError
from experiments.margins import margins
from experiments.tune import tune
from rummy500_env import Rules, UnknownNameError


def test_it_finds_a_number_that_was_spoiled(monkeypatch, tmp_path):
    found = tuning.tunable("advisor")
    start = found.start.copy()
    start[found.names.index("value")] = 6.0  # throws its high cards first
    monkeypatch.setattr("experiments.tune.tunable", lambda *_: found._replace(start=start))
    settings: dict[str, Any] = {
        "only": ["value"],
        "generations": 8,
        "deals": 60,
        "final_deals": 400,
    }
    lines: list[dict[str, float]] = []
    out = tmp_path / "found.json"
    tuned = tune("advisor", seed=1, out=out, progress=lines.append, **settings)
    assert tuned.gain - tuned.gain_before > tuned.half_width
    assert tuned.weights["value"] < 6
    assert [line["generation"] for line in lines] == list(range(1, 9))
    assert json.loads(out.read_text()) == {"weights": tuned.weights, "history": lines}
    again = tune("advisor", seed=1, **settings)
    assert again == tuned


def test_margins_are_those_of_duplicated_deals():
    rules, one, twin = Rules(), agents.make("greedy"), agents.make("greedy")
    twin.name = "twin"
    assert not margins(one, twin, rules, 2, 50, 1).any()
    other = agents.make("random")
    ahead, behind = (margins(*pair, rules, 2, 50, 1) for pair in ((one, other), (other, one)))
    assert np.mean(ahead) > 40
    assert len(ahead) == len(behind) == 50
    assert np.mean(behind) < -40


def test_the_command(capsys, tmp_path):
    out = tmp_path / "found.json"
    words = ["tune", "advisor", "--only", "twin,next", "--generations", "2", "--deals", "10"]
    assert main([*words, "--final-deals", "20", "--out", str(out)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].endswith("points a round against the opponents, mean of them")
    assert said[1].endswith("more than it began with, over 20 other deals")
    assert said[2].startswith("advisor:")
    agents.make(said[2])
    assert len(json.loads(out.read_text())["history"]) == 2


@pytest.mark.nojit
def test_what_it_refuses():
    with pytest.raises(UnknownNameError, match="greedy"):
        tune("greedy")
    with pytest.raises(RunError, match="'hope' is no setting of advisor: use value, "):
        tune("advisor", only=["hope"])
    wrong: dict[str, Any]
    for wrong in ({"generations": 0}, {"deals": 0}, {"renew": 0}, {"population": 2}):
        ((name, value),) = wrong.items()
        with pytest.raises(RunError, match=f"{name}={value} is not allowed: use "):
            tune("advisor", **wrong)
    with pytest.raises(RunError, match="final_deals=1 is not allowed"):
        tune("advisor", final_deals=1)
