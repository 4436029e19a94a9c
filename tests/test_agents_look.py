"""Looking ahead over the own turn: what it says of a draw is what playing the turn comes to."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import rummy500_env as r5
from rummy500_env.view import PlayerView
from tests.support.asking import views_of

ALL = 52


def _at_draws(count):
    """Views of seats that may dig, with their masks."""
    views, masks = views_of(agents.make("greedy"), 2, 6, r5.Rules())
    at = np.flatnonzero((views["phase"] == views["phase"][0]) & (masks.sum(axis=1) > 1))
    at = at[:: len(at) // count][:count]
    return views[at], masks[at]


def _ready(spec):
    agent = agents.make(spec)
    agent.reset(r5.Rules(), 2, 0)
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


@pytest.mark.parametrize("row", range(4))
def test_a_draw_is_worth_the_mean_of_the_turns_it_leads_to(row):
    views, masks = _at_draws(4)
    learned = _ready("learned")
    view, legal = views[row : row + 1], np.flatnonzero(masks[row])
    seen = PlayerView(view, r5.Rules(), legal)
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
    chosen = int(_ready(f"learned:look={ALL}").act(view, masks[row : row + 1])[0])
    assert values[chosen] == pytest.approx(max(values.values()), abs=1e-3)
