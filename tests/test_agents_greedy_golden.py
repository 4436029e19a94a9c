"""Greedy's choices in a thousand pinned decisions: the yardstick stays what it is."""

from __future__ import annotations

import numpy as np
import pytest

import agents
from rummy500_env import Game, Rules
from tests.golden.write_greedy import FILE, read, written


def _choices(players_and_seed, decisions):
    """The pinned choices and today's, line by line."""
    num_players, seed = players_and_seed
    agent = agents.make("greedy")
    agent.reset(Rules(), num_players, 0)
    game = Game(Rules(), num_players, seed)
    views, masks = [], []
    for decision in decisions:
        assert (game.current_seat, game.phase) == (decision.seat, decision.phase)
        views.append(game.view_record(decision.seat))
        masks.append(game.action_mask())
        game.play(decision.played)
    actions = agent.act(np.concatenate(views), np.stack(masks)).tolist()
    pinned = [f"{k} {decision.choice}" for k, decision in enumerate(decisions)]
    return pinned, [f"{k} {game.action_space.to_text(a)}" for k, a in enumerate(actions)]


@pytest.mark.parametrize(("game", "decisions"), read().items(), ids=lambda x: str(x)[:6])
def test_greedy_chooses_as_it_always_did(game, decisions):
    pinned, today = _choices(game, decisions)
    assert today == pinned


@pytest.mark.nojit
def test_the_first_choices_are_those_of_the_file():
    (game, decisions), *_ = read().items()
    pinned, today = _choices(game, decisions[:40])
    assert today == pinned


def test_the_file_is_what_is_written_anew():
    assert written() == FILE.read_text()


@pytest.mark.nojit
def test_the_decisions_are_of_every_kind():
    decisions = [decision for game in read().values() for decision in game]
    assert len(decisions) == 1000
    kinds = {decision.choice.split()[0] for decision in decisions}
    assert kinds == {"draw", "dig", "meld", "layoff", "discard"}
    assert {decision.phase for decision in decisions} == {"draw", "obliged", "play"}
    assert 150 < sum(decision.choice != decision.played for decision in decisions) < 250
