"""Exact values of tiny games: solvers, agents asked everywhere, and what tournaments measure."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import agents
from agents import TurnAgent
from agents.tabular import PolicyTable, TabularAgent
from experiments.cli import main
from experiments.errors import RunError
from experiments.exact.cfr import VARIANTS, Solver
from experiments.exact.policies import policy_of
from experiments.exact.positions import positions
from experiments.exact.sequences import two_seats
from experiments.exact.shares import play_shares
from experiments.exact.solving import solve
from experiments.exact.tree import grow_tree
from experiments.tournament import tournament
from rummy500_env import Rules
from rummy500_env.errors import AgentError


@pytest.fixture(scope="module")
def mini():
    return two_seats(grow_tree(Rules.preset("mini")))


@pytest.fixture(scope="module")
def solved():
    return solve("mini", 300)


@pytest.mark.parametrize("variant", VARIANTS)
def test_solvers_reach_an_equilibrium_of_mini(mini, variant):
    solver = Solver(mini, variant)
    solver.run(200)
    found = mini.exploitability(solver.average())
    assert -1e-9 < found.exploitability < 2e-3
    assert min(found.gains) > -1e-9
    assert found.value == pytest.approx(34.2111, abs=0.01)


def test_small_is_solved_to_less_than_a_point():
    game = two_seats(grow_tree(Rules.preset("small")))
    solver = Solver(game)
    solver.run(20)
    assert game.exploitability(solver.average()).exploitability < 0.1


def test_a_best_reply_wins_what_it_says_and_nothing_wins_more(mini):
    strategy = policy_of(agents.make("greedy"), mini.tree, 2).strategy
    best, reply = mini.best_reply(0, strategy)
    assert mini.value(reply, strategy) == pytest.approx(best)
    rng = np.random.default_rng(1)
    for _ in range(20):
        other = reply.copy()
        number = rng.choice(mini.orders[0])
        begin, size = mini.tree.set_first[number], mini.tree.set_size[number]
        other[begin : begin + size] = 1 / size
        assert mini.value(other, strategy) <= best + 1e-9


def test_agents_have_their_exact_exploitability(mini):
    for name, expected in (("random", 12.11875), ("greedy", 2.4722222222)):
        asked = policy_of(agents.make(name), mini.tree)
        assert asked.is_exact
        assert mini.exploitability(asked.strategy).exploitability == pytest.approx(expected)


def test_tournaments_agree_with_the_exact_values(mini, solved):
    strategies = {
        "random": mini.uniform(),
        "greedy": policy_of(agents.make("greedy"), mini.tree, 2).strategy,
        "solved": solved.strategy,
    }
    played = tournament(["greedy", "random", solved.agent()], "mini", 2, 300, 11)
    for _, row in played.pairs.iterrows():
        one, other = strategies[str(row["agent"])], strategies[str(row["opponent"])]
        exact = (mini.value(one, other) - mini.value(other, one)) / 2
        half = (row["high"] - row["low"]) / 2
        middle = (row["high"] + row["low"]) / 2
        assert abs(middle - exact) < 1.5 * half  # 3 standard errors


def test_an_equilibrium_loses_to_nobody(mini, solved):
    for name in ("random", "greedy", "greedy:digs=never"):
        other = policy_of(agents.make(name), mini.tree, 2).strategy
        ours, theirs = solved.strategy, other
        assert mini.value(ours, theirs) - mini.value(theirs, ours) > -1e-3


def test_a_solved_strategy_is_asked_as_it_was_written(mini, solved, tmp_path):
    solved.write(tmp_path, {"random": 12.1})
    table = PolicyTable.load(tmp_path / "policy.npz")
    assert len(table) == mini.tree.num_sets
    asked = policy_of(TabularAgent(table), mini.tree)
    assert np.array_equal(asked.strategy, solved.strategy)
    agent = agents.make(f"{tmp_path}/agent.py:solved")
    assert np.array_equal(policy_of(agent, mini.tree).strategy, solved.strategy)
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["value_of_first_seat"] == pytest.approx(34.2111, abs=0.01)
    assert (tmp_path / "exploitability.png").stat().st_size > 5000


def test_tables_are_refused_where_they_do_not_fit(solved, tmp_path):
    with pytest.raises(AgentError, match="a table for the rules"):
        solved.agent().reset(Rules.preset("small"), 2, 0)
    (tmp_path / "no.npz").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="holds no table of a strategy"):
        TabularAgent(tmp_path / "no.npz")
    with pytest.raises(ValueError, match="cannot read"):
        TabularAgent(tmp_path / "missing.npz")


class Counting(TurnAgent):
    """Remembers: plays its first legal move, after two moves of the other its last."""

    def __init__(self) -> None:
        super().__init__()
        self.others = 0

    def see(self, event):
        self.others += event.move.startswith("discard")

    def choose(self, view, legal):
        return legal[-1] if self.others >= 2 else legal[0]


def test_an_agent_that_remembers_is_shown_what_it_would_have_seen(mini):
    asked = policy_of(Counting(), mini.tree, 2)
    assert asked.is_exact
    exact = mini.value(asked.strategy, mini.uniform())
    exact -= mini.value(mini.uniform(), asked.strategy)
    agent = Counting()
    agent.name = "counting"
    row = tournament([agent, "random"], "mini", 2, 800, 3).pairs.iloc[0]
    half = (row["high"] - row["low"]) / 2
    assert abs((row["high"] + row["low"]) / 2 - exact / 2) < 1.5 * half


class Coin(TurnAgent):
    def choose(self, view, legal):
        return legal[0] if view.random >> 63 else legal[-1]


def test_an_agent_of_random_bits_is_estimated(mini):
    asked = policy_of(Coin(), mini.tree, 4)
    assert not asked.is_exact
    assert asked.how.startswith("estimated: shares of 4 draws")
    sets = mini.tree.set_first[mini.tree.set_size > 1]
    assert asked.strategy[sets].mean() == pytest.approx(0.5, abs=0.05)


def test_shares_add_up(mini, solved):
    shares = play_shares(mini, solved.strategy, solved.strategy)
    assert shares["draws"] + shares["digs"] > 0.99
    assert 0.4 < shares["dig_share"] < 0.5
    assert shares["layoffs"] == pytest.approx(0.26, abs=0.01)
    assert shares["choices"] < shares["decisions"]


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["exploitability", "nobody"], "unknown agent 'nobody'"),
        (["exploitability", "greedy", "--rules", "rummy500"], "too large to enumerate"),
        (["exploitability", "greedy", "--draws", "0"], "draws=0 is not allowed"),
        (["solve", "mini", "--variant", "mccfr"], "variant='mccfr': allowed are pcfr+"),
        (["solve", "mini", "--iterations", "0"], "iterations=0 is not allowed"),
        (["solve", "minni"], "unknown preset 'minni'. Did you mean 'mini'"),
    ],
)
def test_faults_are_one_line(words, fault, capsys):
    assert main(words) == 2
    told = capsys.readouterr().err
    assert fault in told
    assert told.count("\n") == 1


def test_the_commands_say_what_is_found(tmp_path, capsys):
    assert main(["solve", "mini", "--iterations", "50", "--out", str(tmp_path / "run")]) == 0
    told = capsys.readouterr().out
    assert "value of the first seat: +34.2" in told
    assert main(["exploitability", "greedy", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["exploitability"] == pytest.approx(2.4722222)
    assert found["exact"]


def test_variants_are_checked(mini):
    with pytest.raises(RunError, match="variant='cfr'"):
        Solver(mini, "cfr")


def test_nothing_of_it_needs_the_compiler():
    code = (
        "from experiments.exact.tree import grow_tree\n"
        "from experiments.exact.sequences import two_seats\n"
        "from experiments.exact.cfr import Solver\n"
        "from rummy500_env import Rules\n"
        "rules = Rules.preset('mini').replace(stock_exhausted='end_after_turn', ace_rank='low')\n"
        "game = two_seats(grow_tree(rules)); solver = Solver(game); solver.run(10)\n"
        "print(game.tree.counts['histories'], game.exploitability(solver.average()).nash_conv < 1)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"NUMBA_DISABLE_JIT": "1", "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == ["491", "True"]


def test_telling_positions_are_reached_and_nearly_always_so():
    found = solve("mini", iterations=200)
    assert positions(found.game, found.strategy, "holds a meld back") == []  # never in mini
    for what in ("digs", "leaves a dig"):
        several = positions(found.game, found.strategy, what, 5)
        assert [one.often for one in several] == sorted((x.often for x in several), reverse=True)
        for one in several:
            assert sum(one.moves.values()) == pytest.approx(1.0)
            assert one.view.moves() == list(one.moves)
            digs = sum(p for move, p in one.moves.items() if move.startswith("dig"))
            assert (digs > 0.99) == (what == "digs")
            assert any(move.startswith("dig") for move in one.moves)
    with pytest.raises(RunError, match="what='wins' is not allowed: use 'digs'"):
        positions(found.game, found.strategy, "wins")
