"""The advisor: its settings, its tips, and that it sees nothing hidden."""

from __future__ import annotations

import random

import numpy as np
import pytest

import agents
from agents.advice.weights import TIPS, WEIGHTS, place, vector
from agents.advisor import make_variable_advisor
from experiments.evaluation import evaluate
from rummy500_env import Rules
from tests.support.asking import views_of
from tests.support.games import middle_game
from tests.support.worlds import other_world


@pytest.fixture(scope="module")
def asked():
    """Decisions of two players, as the advisor comes to them."""
    return views_of(agents.make("advisor"), 2, 60, Rules())


@pytest.fixture(scope="module")
def variable():
    """Weights and an agent that reads them."""
    weights = vector({})
    agent = make_variable_advisor(weights)
    agent.reset(Rules(), 2, 0)
    return weights, agent


@pytest.mark.parametrize("tip", TIPS)
def test_each_tip_changes_one_decision_in_a_hundred(tip, asked, variable):
    weights, agent = variable
    weights[:] = vector({})
    followed = agent.act(*asked)
    weights[:] = vector({tip: 0})
    assert (agent.act(*asked) != followed).mean() >= 0.01


def test_weights_that_are_baked_in_play_as_those_that_are_read(asked, variable):
    weights, agent = variable
    weights[:] = vector({"watch": 0.5, "twin": 3})
    baked = agents.make("advisor:watch=0.5,twin=3")
    baked.reset(Rules(), 2, 0)
    assert baked.act(*asked).tolist() == agent.act(*asked).tolist()


@pytest.mark.nojit
def test_a_share_of_a_tip_is_one_of_all_its_weights():
    whole, none, half = vector({}), vector({"defend": 0}), vector({"defend": 0.5})
    for weight in WEIGHTS:
        k = place(weight.name)
        assert whole[k] == weight.default
        if weight.tip == "defend":
            assert (none[k], half[k]) == (weight.without, (weight.default + weight.without) / 2)
        else:
            assert none[k] == half[k] == whole[k]
    assert {weight.tip for weight in WEIGHTS} - {""} == set(TIPS)
    assert vector({"twin": 7.5})[place("twin")] == 7.5


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("hope=1", "'hope' is no setting; allowed are watch, early, "),
        ("twin=many", "twin='many': a number is needed"),
        ("twin=nan", "twin='nan': a number is needed"),
        ("watch=inf", "watch='inf': a number is needed"),
    ],
)
def test_settings_that_are_none_are_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        agents.make(f"advisor:{settings}")


@pytest.mark.parametrize("num_players", [2, 4])
def test_it_decides_the_same_in_worlds_that_its_seat_cannot_tell_apart(num_players):
    chooser = random.Random(num_players)
    agent = agents.make("advisor")
    agent.reset(Rules(), num_players, 0)
    compared = 0
    for seed in range(40):
        game = middle_game(num_players, seed, min_moves=4 * seed)
        seat = game.current_seat
        pair = other_world(game, seat, chooser)
        if pair is not None and pair[0].position() != pair[1].position():
            chosen = [
                agent.act(world.view_record(seat), world.action_mask()[None]).tolist()
                for world in pair
            ]
            assert chosen[0] == chosen[1]
            compared += 1
    assert compared > 20


def test_it_beats_greedy():
    found = evaluate("advisor", ["greedy"], deals=500, seed=5).iloc[0]
    assert found["low"] > 15


@pytest.mark.parametrize("num_players", [3, 4])
def test_it_beats_greedy_at_larger_tables(num_players):
    found = evaluate("advisor", ["greedy"], num_players=num_players, deals=300, seed=5).iloc[0]
    assert found["low"] > 0


@pytest.mark.nojit
def test_no_two_weights_have_one_name():
    names = [*TIPS, *(weight.name for weight in WEIGHTS)]
    assert len(set(names)) == len(names)
    assert np.isfinite(vector({})).all()
    assert all(weight.step > 0 for weight in WEIGHTS)
