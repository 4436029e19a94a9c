"""Trees of moves over possible worlds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agents
from agents.greedy import greedy_policy, stock_policy
from rummy500_env import Game, Worlds
from rummy500_env.search_trees import SearchTree
from tests.support.games import middle_game


def _worlds(count=16, phase="play", seed=3):
    game = middle_game(3, seed, phase=phase)
    return Worlds.of_view(game.view(game.current_seat), count, seed)


def _tree(worlds, **settings: Any):
    return SearchTree(worlds, greedy_policy, rng=1, **settings)


def test_each_iteration_tries_one_first_move():
    worlds = _worlds()
    tree = _tree(worlds)
    legal = worlds[0].legal_actions()
    for done in range(1, 40):
        tree.grow(1)
        found = tree.first_moves()
        assert found.visits.sum() == done
        assert len(found.action) == min(done, len(legal))  # each is tried once before any twice
    assert tree.first_moves().action.tolist() == legal


def test_it_is_the_same_however_it_is_grown():
    one, many = _tree(_worlds()), _tree(_worlds())
    one.grow(2500)
    for part in (1, 700, 1799):
        many.grow(part)
    for here, there in zip(one.first_moves(), many.first_moves(), strict=True):
        assert here.tolist() == there.tolist()
    other = SearchTree(_worlds(), greedy_policy, rng=2)
    other.grow(2500)
    assert other.first_moves().visits.tolist() != one.first_moves().visits.tolist()


def test_a_tree_of_one_move_tries_moves_as_rollouts_do():
    """A first trial of each is a rollout in the first world, and the worlds stay as they were."""
    worlds = _worlds()
    before = worlds.states.tobytes()
    legal = worlds[0].legal_actions()
    tree = _tree(worlds, depth=1)
    tree.grow(len(legal))
    assert worlds.states.tobytes() == before
    seat = worlds[0].current_seat
    for action, lead in zip(legal, tree.first_moves().lead, strict=True):
        scores = worlds[0].clone()
        scores.step(action)
        out = scores.rounds[0].scores if scores.rounds else scores.rollout(greedy_policy, 0)
        others = [points for other, points in enumerate(out) if other != seat]
        assert lead == pytest.approx(out[seat] - np.mean(others))


@pytest.mark.nojit
def test_going_out_at_once_is_found():
    """Three kings lie on the pile's top card; the other hand is full of aces."""
    hands = ["Kc Kd 7h", "Ac Ad As 4c 9d 5h Js"]
    game = Game.from_position({"hands": hands, "discard_pile": "2s Kh", "stock": "6c 8s Td 3h 9c"})
    for spec in ("ismcts:40", "ismcts:40,depth=1", "ismcts:40,belief=1"):
        agent = agents.make(spec)
        agent.reset(game.rules, 2, 0)
        playing = game.clone()
        for move in ("dig Kh", "meld Kc Kd Kh"):
            masks = playing.action_mask()[None]
            action = int(agent.act(playing.view_record(0), masks)[0])
            assert playing.action_space.to_text(action) == move
            playing.step(action)


def test_what_another_would_do_is_searched_too():
    """Below the tree nobody digs, so a nine looks best to throw; in it, the other digs the nine."""
    hands = ["2c 9h 4d", "9c 9d Kh"]
    position = {"hands": hands, "discard_pile": "6s", "stock": "Jd 8c 5s Qh", "phase": "play"}
    game = Game.from_position(position)
    chosen = {}
    for depth in (1, 2, 4):
        worlds = Worlds(game.state(), game.rules, 2)
        tree = SearchTree(worlds, stock_policy, depth=depth, explore=50.0, rng=1)
        tree.grow(600)
        found = tree.first_moves()
        order = found.action[np.argsort(-found.visits)]
        chosen[depth] = [game.action_space.to_text(int(action)) for action in order]
    assert chosen[1][0] == "discard 9h"
    assert chosen[2][-1] == chosen[4][-1] == "discard 9h"


def test_mistakes_are_told():
    worlds = _worlds()
    with pytest.raises(ValueError, match="depth=0: a whole number from 1 on"):
        _tree(worlds, depth=0)
    with pytest.raises(ValueError, match="explore=-1: a number of points, 0 or more"):
        _tree(worlds, explore=-1)
    with pytest.raises(ValueError, match="iterations=0"):
        _tree(worlds).grow(0)
    with pytest.raises(ValueError, match="in which the same moves are legal"):
        _tree(worlds.take([]))
    mixed = np.concatenate([worlds.states, _worlds(phase="draw").states])
    with pytest.raises(ValueError, match="in which the same moves are legal"):
        _tree(Worlds(mixed, worlds.rules, 3))
    with pytest.raises(TypeError, match="under @kernel"):
        SearchTree(worlds, "greedy")
