"""Rounds as games of OpenSpiel: they are what the engine's own tree says, and its tools run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rummy500_env import Game, Rules

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: .[openspiel]")
openspiel = pytest.importorskip("rummy500_env.envs.openspiel")


def counted(game):
    counts = {"histories": 0, "chance_nodes": 0, "decision_nodes": 0, "terminals": 0}
    seen = set()
    states = [game.new_initial_state()]
    while states:
        state = states.pop()
        counts["histories"] += 1
        if state.is_terminal():
            counts["terminals"] += 1
            continue
        if state.is_chance_node():
            counts["chance_nodes"] += 1
            options = [face for face, _ in state.chance_outcomes()]
        else:
            counts["decision_nodes"] += 1
            seen.add(state.information_state_string())
            options = state.legal_actions()
        states += [state.child(option) for option in options]
    return {**counts, "information_sets": len(seen)}


def test_mini_has_as_many_nodes_as_the_engine_finds():
    from experiments.exact.tree import grow_tree

    found = counted(openspiel.make("mini"))
    tree = grow_tree(Rules.preset("mini"))
    assert found == {name: tree.counts[name] for name in found}


@pytest.mark.parametrize(
    ("rules", "num_players"),
    [
        ("mini", 2),
        ("small", 2),
        ("rummy500", 2),
        ("rummy500", 3),
        ("rummy500_pagat", 4),
        ("basic_rummy", 2),
        ("opening_discard", 3),
        ("dealers_joker", 3),
        ("partnership_500", 4),
        ("michigan_rum", 3),
        ("boathouse_rum_draw2", 2),
    ],
)
def test_openspiels_own_random_simulations(rules, num_players):
    game = openspiel.make(rules, num_players)
    pyspiel.random_sim_test(game, 1, False, False)


def test_openspiels_own_random_simulations_with_serialization():
    pyspiel.random_sim_test(openspiel.make("mini"), 5, True, False)


def test_a_game_is_loaded_by_its_text():
    rules = Rules.preset("mini").replace(ace_rank="low")
    game = openspiel.make(rules)
    again = pyspiel.load_game(str(game))
    assert counted(again) == counted(game)
    assert counted(game)["histories"] < counted(openspiel.make("mini"))["histories"]


def test_the_nominating_dealer_has_seen_no_hand():
    state = openspiel.make("dealers_joker", 3).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    dealer = state.current_player()
    before = state.information_state_string(dealer).split("; ")
    state.apply_action(state.legal_actions()[0])
    after = state.information_state_string(dealer).split("; ")
    hand = Rules.preset("dealers_joker").hand(3)
    assert (len(before), len(after)) == (2, 2 + 1 + hand)  # the upcard; then nomination and hand


def test_the_game_pays_the_difference_of_the_scores():
    state = openspiel.make("mini").new_initial_state()
    while not state.is_terminal():
        options = [f for f, _ in state.chance_outcomes()] if state.is_chance_node() else None
        state.apply_action((options or state.legal_actions())[-1])
    game = Game.from_state(state.table.copy(), Rules.preset("mini"), 2)
    scores = game._record["round_scores"][0, :2].astype(float)
    assert state.returns() == [scores[0] - scores[1], scores[1] - scores[0]]


def test_openspiels_cfr_runs_on_mini_as_the_page_has_it(capsys):
    page = (Path(__file__).parents[1] / "docs" / "exact.md").read_text(encoding="utf-8")
    [block] = re.findall(r"^```py\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    exec(compile(block, "<docs/exact.md>", "exec"), {"__name__": "docs_exact_openspiel"})
    assert 0 < float(capsys.readouterr().out) < 0.5  # of 12.1, where play is at random


def test_openspiels_alpha_rank_finds_the_equilibrium_of_three_strategies():
    from open_spiel.python import policy
    from open_spiel.python.algorithms import cfr, expected_game_score
    from open_spiel.python.egt import alpharank

    game = openspiel.make("mini")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    players = [policy.UniformRandomPolicy(game), policy.FirstActionPolicy(game)]
    players.append(solver.average_policy())
    root = game.new_initial_state()
    first = np.array(
        [[expected_game_score.policy_value(root, [a, b])[0] for b in players] for a in players]
    )
    _, _, mass, _, _ = alpharank.compute([first, -first], m=10, alpha=1)
    shares = mass.reshape(3, 3)
    assert shares.sum() == pytest.approx(1.0)
    best = (first == first.max(axis=0)) & (first == first.min(axis=1, keepdims=True))
    assert best.sum() == 1  # where neither seat would rather play another of the three
    assert shares[best] > 0.9


def test_openspiels_exploitability_and_cfr_agree_with_ours():
    from open_spiel.python import policy
    from open_spiel.python.algorithms import expected_game_score, exploitability

    from experiments.exact.cfr import Solver
    from experiments.exact.sequences import two_seats
    from experiments.exact.tree import grow_tree

    rules = Rules.preset("mini").replace(ace_rank="low", stock_exhausted="end_after_turn")
    game, ours = openspiel.make(rules), two_seats(grow_tree(rules))
    uniform = policy.UniformRandomPolicy(game)
    mine = ours.exploitability(ours.uniform())
    root = game.new_initial_state()
    value = expected_game_score.policy_value(root, [uniform, uniform])
    assert value[0] == pytest.approx(mine.value)
    assert exploitability.nash_conv(game, uniform) == pytest.approx(mine.nash_conv)
    from open_spiel.python.algorithms import cfr

    theirs, solver = cfr.CFRPlusSolver(game), Solver(ours)
    for _ in range(10):
        theirs.evaluate_and_update_policy()
    solver.run(500)
    average = theirs.average_policy()
    gap: Any = exploitability.nash_conv(game, average)
    assert 0 < gap < 1 < mine.nash_conv
    solved = ours.exploitability(solver.average())
    assert solved.nash_conv < 1e-4
    value = expected_game_score.policy_value(root, [average, average])
    assert abs(value[0] - solved.value) <= gap + 1e-4
