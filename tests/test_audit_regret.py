"""``rummy500 audit --regret``: how moves are valued, and what is said of an agent's moves."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import agents
from agents.leads import leads
from experiments.audit.build import FIRST_WORLDS, build, value_moves
from experiments.audit.regret import by_phase, choices, decisions
from experiments.audit.states import SHIPPED, ValuedStates
from experiments.cli import main
from experiments.errors import RunError
from rummy500_env import Rules
from rummy500_env.search import Worlds, afterstates

RULES = Rules()


@pytest.fixture(scope="module")
def states() -> ValuedStates:
    """A few decisions, valued by a fast agent."""
    return build(("greedy", "random"), "greedy", states=60, worlds=512, seed=5)


def _ready(spec):
    agent = agents.make(spec)
    agent.reset(RULES, 2, 0)
    return agent


class _By(agents.Agent):
    """Makes the move of the highest, or of the lowest, value."""

    def __init__(self, states: ValuedStates, sign: int) -> None:
        self.worth = sign * states.points.mean(axis=1)
        self.states = states

    def act(self, views: Any, action_masks: Any) -> Any:
        made = []
        for number in views["table"]:
            at = slice(self.states.starts[number], None)
            moves = self.states.actions[at][: self.states.counts[number]]
            made.append(moves[self.worth[at][: len(moves)].argmax()])
        return np.array(made)


def test_what_is_built_hangs_on_the_seed_alone():
    settings: dict[str, Any] = {
        "names": ("greedy",),
        "rollout": "greedy",
        "states": 6,
        "worlds": 64,
    }
    one, again = build(**settings, workers=1), build(**settings, workers=3)
    assert one.views.tobytes() == again.views.tobytes()
    assert one.points.tolist() == again.points.tolist()
    assert build(**settings, seed=1).views.tobytes() != one.views.tobytes()


def test_the_decisions_have_a_choice_and_all_legal_moves_of_it(states):
    assert (states.counts >= 2).all()
    assert len(states.actions) == states.counts.sum() == len(states.points)
    after = afterstates(states.views, states.masks(), RULES, 2)  # raises if one is illegal
    assert after.action.tolist() == states.actions.tolist()
    for row in range(0, len(states), 7):
        world = Worlds.of_views(states.views, [row], RULES, 2, 0)[0]
        found = states.actions[states.starts[row] :][: states.counts[row]]
        assert found.tolist() == world.legal_actions()
    assert {"draw", "play"} <= set(decisions(states, states.starts)["phase"])


def test_moves_are_valued_in_the_same_worlds_in_two_halves(states):
    row, greedy = int(states.counts.argmax()), _ready("greedy")
    view = states.views[row : row + 1]
    legal = states.actions[states.starts[row] :][: states.counts[row]].tolist()
    found = value_moves(view, legal, RULES, 2, greedy, FIRST_WORLDS, np.random.default_rng(1))
    rng = np.random.default_rng(1)
    worlds = Worlds.of_views(view, np.zeros(FIRST_WORLDS, np.int64), RULES, 2, rng)
    word, seat = int(rng.integers(2**63)), int(view["viewer"][0])
    ends = [worlds.clone().play(action).rollout(greedy, word) for action in legal]
    gained = np.array([leads(scores, seat) for scores in ends])
    for half in range(2):
        assert found.points[:, half] == pytest.approx(gained[:, half::2].mean(axis=1))
    behind = gained[gained.mean(axis=1).argmax()] - gained
    assert found.errors == pytest.approx(behind.std(axis=1, ddof=1) / FIRST_WORLDS**0.5)
    assert found.worlds.tolist() == [FIRST_WORLDS] * len(legal)


def test_moves_that_are_far_behind_are_left_early(states):
    ends = np.maximum.reduceat(states.worlds, states.starts)
    assert states.worlds.min() == FIRST_WORLDS
    best = np.maximum.reduceat(states.points.mean(axis=1), states.starts)[states.rows]
    behind = best - states.points.mean(axis=1)
    left = states.worlds < ends[states.rows]
    assert left.sum() > 50
    # By the worlds in which it was played, which the best one of all worlds shares with it.
    assert (behind[left] > 0).all()


def test_what_is_lost_is_found_in_one_half_and_measured_in_the_other(states):
    small = replace(
        states,
        views=states.views[:2],
        counts=np.array([2, 3]),
        actions=states.actions[:5],
        points=np.array([[10, 0], [8, 6], [5, 1], [4, 9], [-7, 2]], float),
        errors=np.array([2.0, 0.0, 1.0, 0.0, 6.0]),
        worlds=np.full(5, 100),
    )
    rows = decisions(small, np.array([0, 4]))
    # First: the even half prefers move 0, which is made, the odd one move 1: (0 + 8 - 10) / 2.
    # Second: of moves 2, 3 and 4 the halves prefer 2 and 3; made is 4: (1 - 2 + 4 + 7) / 2.
    assert rows["lost"].tolist() == [-1.0, 5.0]
    assert rows["behind"].tolist() == [2.0, 9.0]
    assert rows["clearly_worse"].tolist() == [False, False]
    assert decisions(replace(small, errors=small.errors / 2), np.array([0, 4]))[
        "clearly_worse"
    ].tolist() == [False, True]


def test_the_report_adds_up(states):
    rows = decisions(states, choices(_ready("random"), states))
    report: Any = by_phase(rows).set_index("phase")
    assert report["decisions"].drop("all").sum() == report.loc["all", "decisions"] == len(states)
    for column in ("lost", "best_share"):
        parts = report[column] * report["decisions"] / len(states)
        assert parts.drop("all").sum() == pytest.approx(report.loc["all", column])
    lost = rows["lost"]
    assert report.loc["all", "lost_half_width"] == pytest.approx(
        2.0 * lost.std() / len(lost) ** 0.5, rel=0.01
    )
    few = report["decisions"] < 30
    assert report.loc[few, "lost_half_width"].isna().all()


def test_better_agents_lose_less(states):
    def lost(agent):
        found = by_phase(decisions(states, choices(agent, states))).iloc[-1]
        assert found["lost"] <= found["at_most"]
        return found["lost"], found["best_share"]

    best, worst = lost(_By(states, 1)), lost(_By(states, -1))
    assert best[1] == 1.0
    assert best[0] <= 0
    assert worst[0] > 5
    searching, wild = lost(_ready("mc:32")), lost(_ready("random"))
    assert searching[0] < wild[0] < worst[0]


def test_an_illegal_choice_is_named(states):
    class Broken(agents.Agent):
        name = "broken"

        def act(self, views: Any, action_masks: Any) -> Any:
            return action_masks.argmin(axis=1)

    with pytest.raises(RunError, match=r"agent 'broken' chose action \d+ at decision 0, where it"):
        choices(Broken(), states)


def test_a_file_holds_all_of_it(states, tmp_path):
    states.save(tmp_path / "some.npz")
    found = ValuedStates.load(tmp_path / "some.npz")
    assert found.views.tobytes() == states.views.tobytes()
    assert found.points == pytest.approx(states.points, rel=1e-6)
    for name in ("counts", "actions", "worlds"):
        assert getattr(found, name).tolist() == getattr(states, name).tolist()
    assert found.about["rollout"] == "greedy"
    again = tmp_path / "again.npz"
    states.save(again)
    assert again.read_bytes() == (tmp_path / "some.npz").read_bytes()


def test_states_of_other_games_and_versions_are_refused(states, tmp_path, monkeypatch):
    with pytest.raises(RunError, match="of 2 players, not of 3"):
        states.check(RULES, 3)
    with pytest.raises(RunError, match=r"target_score=300 \(the states': 500\)"):
        states.check(RULES.replace(target_score=300), 2)
    path = tmp_path / "some.npz"
    states.save(path)
    monkeypatch.setattr("experiments.audit.states.FORMAT_VERSION", 2)
    with pytest.raises(RunError, match="of version 1: 'rummy500 valued states' of version 2"):
        ValuedStates.load(path)
    monkeypatch.undo()
    monkeypatch.setattr("experiments.audit.states.VIEW", np.dtype([("hand", "i8")]))
    with pytest.raises(RunError, match="another layout"):
        ValuedStates.load(path)
    for content, told in ((b"PK no zip", "no .npz file"), (path.read_bytes()[:999], "no .npz")):
        (tmp_path / "bad.npz").write_bytes(content)
        with pytest.raises(RunError, match=f"holds no valued states: it is {told}"):
            ValuedStates.load(tmp_path / "bad.npz")
    np.savez(tmp_path / "other.npz", about=np.array("{}"))
    with pytest.raises(RunError, match="holds no valued states"):
        ValuedStates.load(tmp_path / "other.npz")


def test_numbers_that_cannot_be_are_refused():
    for name in ("states", "worlds", "workers"):
        wrong: Any = {name: 0}
        with pytest.raises(RunError, match=f"{name}=0 is not allowed"):
            build(**wrong)
    with pytest.raises(RunError, match="'mc' is not compiled"):
        build(rollout="mc")


def test_the_states_of_the_package_fit_this_version():
    found = ValuedStates.load()
    found.check(Rules.preset("rummy500"), 2)
    assert len(found) == 1000
    assert SHIPPED.stat().st_size < 1_000_000
    after = afterstates(found.views, found.masks(), found.rules, 2)
    assert after.action.tolist() == found.actions.tolist()
    rows: Any = decisions(found, choices(_ready("greedy"), found))
    wild: Any = decisions(found, choices(_ready("random"), found))
    assert 0 < rows["lost"].mean() < wild["lost"].mean()


def test_the_command(states, tmp_path, capsys):
    states.save(tmp_path / "some.npz")
    words = ["audit", "greedy", "--regret", "--states", str(tmp_path / "some.npz")]
    assert main([*words, "--out", str(tmp_path / "out")]) == 0
    told = capsys.readouterr().out
    assert "greedy: points lost a decision" in told
    assert "by play of greedy afterwards" in told
    result = json.loads((tmp_path / "out" / "audit.json").read_text())
    assert result["states"]["seed"] == 5
    assert result["phases"][-1]["decisions"] == 60
    assert f"{result['phases'][-1]['lost']:.2f}" in told
    assert (tmp_path / "out" / "decisions.csv").read_text().count("\n") == 61
