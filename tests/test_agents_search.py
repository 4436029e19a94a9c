"""Agents that search: what they choose is what their worlds say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agents
import rummy500_env as r5
from agents.leads import leads
from rummy500_env.search import Worlds
from tests.support.asking import views_of


def _asked(count):
    views, masks = views_of(agents.make("greedy"), 2, 3, r5.Rules())
    choices = np.flatnonzero(masks.sum(axis=1) > 2)[:count]
    return views[choices], masks[choices]


def _ready(spec):
    agent = agents.make(spec)
    agent.reset(r5.Rules(), 2, 0)
    return agent


def test_flat_search_makes_the_move_that_gains_most_in_its_worlds():
    views, masks = _asked(8)
    actions = _ready("mc:24").act(views, masks)
    greedy = agents.make("greedy")
    for row in range(len(views)):
        legal = np.flatnonzero(masks[row])
        view = r5.view.PlayerView(views[row : row + 1], r5.Rules(), legal)
        rng = np.random.default_rng(int(views["random"][row]))
        worlds = Worlds.of_view(view, 24, rng)
        word = int(rng.integers(2**63))
        gains = []
        for action in legal:
            scores = worlds.clone().play(int(action)).rollout(greedy, word)
            gains.append(leads(scores, view.seat).mean())
        assert actions[row] == legal[int(np.argmax(gains))]


def test_leads_are_over_the_mean_of_the_others():
    scores = np.array([[10, 40, 20], [0, -30, 60]], np.int32)
    assert leads(scores, 0).tolist() == [-20.0, -15.0]
    assert leads(scores[:, :2], 1).tolist() == [30.0, -30.0]


def test_other_agents_play_on():
    views, masks = _asked(30)
    found = {
        spec: _ready(spec).act(views, masks).tolist()
        for spec in ("mc:16", "mc:16,rollout=random", "mc:16,rollout=learned")
    }
    assert len({tuple(actions) for actions in found.values()}) == 3


def test_a_time_is_kept_and_said_to_be_one():
    agent = _ready("mc:1ms")
    assert not agent.deterministic
    assert _ready("mc:1").deterministic
    views, masks = _asked(3)
    actions = agent.act(views, masks)
    assert (masks[np.arange(3), actions] == 1).all()


def test_search_over_a_network_looks_at_its_best_moves_only():
    views, masks = _asked(20)
    learned: Any = _ready("learned")
    one = _ready("learned+search:moves=1,worlds=1").act(views, masks)
    assert one.tolist() == learned.act(views, masks).tolist()
    three = _ready("learned+search:moves=3,worlds=4").act(views, masks)
    for row in range(len(views)):
        legal = np.flatnonzero(masks[row])
        values = learned.move_values(views[row : row + 1], legal)
        assert three[row] in legal[np.argsort(-values)[:3]]
    assert three.tolist() != one.tolist()


@pytest.mark.parametrize(("spec", "games"), [("mc:16", 120), ("learned", 400)])
def test_they_beat_greedy(spec, games):
    """The lower end of the 95 % interval is above zero, over duplicated deals."""
    from experiments.tournament import tournament

    played = tournament([spec, "greedy"], deals=games, seed=1)
    pair = played.pairs.iloc[0]
    assert pair["difference"] - pair["half_width"] > 0
