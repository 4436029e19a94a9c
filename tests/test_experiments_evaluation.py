"""Margins of one agent over others, and a curve of them."""

from __future__ import annotations

import re

import numpy as np
import pytest

import agents
from experiments.errors import RunError
from experiments.evaluation import LearningCurve, evaluate
from experiments.tournament import tournament
from rummy500_env.errors import AgentError


def test_margins_are_those_of_tournaments():
    found = evaluate("greedy", ["random", "greedy:digs=never"], deals=40, seed=5)
    assert found["agent"].tolist() == ["greedy", "greedy"]
    assert found["opponent"].tolist() == ["random", "greedy:digs=never"]
    assert found["deals"].tolist() == [40, 40]
    assert found["rounds"].tolist() == [80, 80]
    for row in found.to_dict("records"):
        played = tournament(["greedy", row["opponent"]], deals=40, seed=5)
        half_width = played.pairs["half_width"][0]
        assert row["difference"] == played.pairs["difference"][0]
        assert row["high"] - row["low"] == pytest.approx(2 * half_width)
        assert row["low"] < row["difference"] < row["high"]


def test_it_is_played_by_the_rules_and_at_the_seats_that_are_asked_for():
    found = evaluate("greedy", rules="basic_rummy", num_players=3, deals=6, seed=1)
    played = tournament(["greedy", "random"], "basic_rummy", 3, 6, seed=1, design="gauntlet")
    (row,) = found.to_dict("records")
    assert row["difference"] == played.pairs["difference"][0]
    assert (row["deals"], row["rounds"]) == (6, played.pairs["rounds"][0])
    assert np.isnan(row["low"])  # too few deals for an interval


class Broken(agents.Agent):
    name = "broken"

    def act(self, views, action_masks):
        raise RuntimeError("no weights")


def test_an_agent_that_fails_is_no_bad_agent():
    with pytest.raises(AgentError, match="no weights"):
        evaluate(Broken(), deals=1)


@pytest.mark.parametrize("opponents", ["random", [], ()])
def test_opponents_are_a_list(opponents):
    with pytest.raises(RunError, match=r"opponents=.* is not allowed: use a list"):
        evaluate("greedy", opponents)


class Learner(agents.ObservingAgent):
    """Plays its first legal action, and the last one as soon as it has learned."""

    def __init__(self) -> None:
        super().__init__("learner", self.decide_so_far)
        self.has_learned = False

    def decide_so_far(self, observations, action_masks):
        if not self.has_learned:
            return action_masks.argmax(axis=1)
        return action_masks.shape[1] - 1 - action_masks[:, ::-1].argmax(axis=1)


def test_a_curve_measures_the_agent_as_it_is_by_then():
    learner = Learner()
    curve = LearningCurve(learner, deals=30, seed=3)
    before = curve.measure(0)
    learner.has_learned = True
    after = curve.measure(12_000)
    assert [point["steps"] for point in curve.points] == [0, 12_000]
    assert curve.points[0]["difference"] != curve.points[1]["difference"]
    assert curve.points[1]["difference"] == evaluate(learner, deals=30, seed=3)["difference"][0]
    assert 0 <= curve.points[0]["seconds"] <= curve.points[1]["seconds"]
    for line, point in zip((before, after), curve.points, strict=True):
        shown = re.fullmatch(
            r" +([\d,]+) steps +(\d+) s  ([+-][\d.]+) ± ([\d.]+) a round against random", line
        )
        assert shown is not None
        assert int(shown[1].replace(",", "")) == point["steps"]
        assert float(shown[3]) == pytest.approx(point["difference"], abs=0.05)
        assert float(shown[4]) == pytest.approx((point["high"] - point["low"]) / 2, abs=0.05)
