"""Looking ahead over the own turn: what it says of a draw is what playing the turn comes to."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import rummy500_env as r5
from rummy500_env.engine.network import NUM_WEIGHTS
from rummy500_env.networks import ValueNetwork
from rummy500_env.view import PlayerView
from tests.support.asking import views_of

ALL = 52


def _at_draws(rules, chosen, count=4):
    """Some of the views of seats that may dig, with their masks."""
    views, masks = views_of(agents.make("greedy"), 2, 60, rules)
    is_draw = views["phase"] == views["phase"][0]
    at = np.flatnonzero(is_draw & (masks.sum(axis=1) > 1) & chosen(views))
    at = at[:: len(at) // count][:count]
    return views[at], masks[at]


def _ready(spec, rules):
    agent = agents.make(spec)
    agent.reset(rules, 2, 0)
    return agent


def _top(game):
    """The card that the stock gives next."""
    state = game.state()
    return int(state["stock"][0, state["stock_size"][0] - 1])


def _turn(game, action, learned):
    """What a move and the network's best ones to the end of the turn score, and then promise."""
    seat, before = game.current_seat, game.table_points[game.current_seat]
    while True:
        value = learned.move_values(game.view_record(seat), np.array([action]))[0]
        found = game.table_points[seat] - before + value
        game.step(action)
        if game.is_over or game.current_seat != seat or game.phase == "draw":
            return found
        action = int(learned.act(game.view_record(seat), game.action_mask()[None])[0])


def _check(view, mask, rules, weights):
    """The move that it makes is worth most, by the mean of the turns that each move leads to."""
    learned = _ready(f"learned{':' * bool(weights)}{weights}", rules)
    looking = _ready(f"learned:{weights},look={ALL}".replace(":,", ":"), rules)
    seen = PlayerView(view, rules, np.flatnonzero(mask[0]))
    worlds: dict[int, r5.Game] = {}
    for seed in range(3000):  # one for each card that may be on top
        world = seen.determinize(seed)
        worlds.setdefault(_top(world), world)
        if len(worlds) == len(seen.unseen):
            break
    values = {}
    for move in seen.moves():
        tried = list(worlds.values())[: None if move == "draw" else 1]
        values[move.index] = np.mean([_turn(one.clone(), move.index, learned) for one in tried])
    chosen = int(looking.act(view, mask)[0])
    assert values[chosen] == pytest.approx(max(values.values()), abs=1e-3)


@pytest.mark.parametrize("row", range(4))
def test_a_draw_is_worth_the_mean_of_the_turns_it_leads_to(row):
    rules = r5.Rules()
    views, masks = _at_draws(rules, lambda views: views["viewer"] >= 0)
    _check(views[row : row + 1], masks[row : row + 1], rules, "")


def test_a_turn_ends_where_the_clock_runs_out(tmp_path):
    rules, path = r5.Rules(clock_budget=14), tmp_path / "net.safetensors"
    weights = np.random.default_rng(3).normal(0, 0.05, NUM_WEIGHTS).astype(np.float32)
    ValueNetwork(weights, rules, 2).save(path)
    views, masks = _at_draws(
        rules, lambda views: views["clocks"][np.arange(len(views)), views["viewer"]] <= 3, 12
    )
    for row in range(12):
        _check(views[row : row + 1], masks[row : row + 1], rules, f"weights={path}")
