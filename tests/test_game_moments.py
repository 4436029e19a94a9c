"""Copies, positions and rules of the mask in every kind of moment."""

from __future__ import annotations

import json
import random

import pytest

import rummy500_env as r5
from rummy500_env import Game
from tests.support.games import playing, state_bytes
from tests.support.moments import MOMENTS, at_moment
from tests.support.playing import equal, legal, record, steps
from tests.test_env_copies import TWINS
from tests.test_game_copies import WAYS
from tests.test_game_invariants import accepts_exactly_its_mask, check
from tests.test_game_records import SPANS_THE_GAME, differing

SEEDS = range(3)


# -- positions -------------------------------------------------------------------------------------


@pytest.mark.boundscheck
@pytest.mark.parametrize("name", MOMENTS)
def test_a_position_of_every_moment_is_read_back_to_the_byte(name):
    for seed in range(6):
        game = at_moment(name, seed)
        position = json.loads(json.dumps(game.position()))
        again = Game.from_position(position)
        assert again.position() == game.position() == position
        assert set(differing(game._record, again._record)) <= SPANS_THE_GAME
        assert again.legal_moves() == game.legal_moves()


@pytest.mark.parametrize("name", MOMENTS)
def test_a_game_goes_on_from_a_position_of_every_moment(name):
    """The same moves lead through the same positions, into the next round."""
    for seed in SEEDS:
        game = at_moment(name, seed)
        again, rounds = Game.from_position(game.position()), len(game.rounds)
        for move in playing(game, random.Random(seed), 300):
            again.play(move)
            assert again.legal_moves() == game.legal_moves()
            assert again.scores == game.scores
            if len(game.rounds) > rounds:
                break
        if not game.is_over:
            assert again.position() == game.position()


@pytest.mark.parametrize("through", ["position", "world"])
def test_turns_are_told_alike_when_the_last_round_ends_in_final_layoffs(through):
    game = Game({"final_layoff": "any_meld"}, 3, seed=2, episode="round")
    for _ in playing(game, random.Random(2)):
        if game.phase == "final_layoff":
            break
    assert game.phase == "final_layoff"
    again = Game.from_position(game.position()) if through == "position" else game.determinize(0, 1)
    for table in (game, again):
        while not table.is_over:
            table.play("pass")
    assert again.position()["counters"] == game.position()["counters"]


# -- copies ----------------------------------------------------------------------------------------


def rest(game: Game) -> tuple[object, ...]:
    """Play a game on for a while, and say what came of it."""
    for _ in playing(game, random.Random(5), 40):
        pass
    return state_bytes(game), game.history, game.rounds, game.legal_actions(), game.events(0)


@pytest.mark.parametrize("name", MOMENTS)
def test_copies_of_every_moment_play_on_alike_and_alone(name):
    game = at_moment(name, 0)
    before = state_bytes(game)
    shown = []
    for way in WAYS.values():
        twin = way(game)
        assert twin == game
        shown.append(rest(twin))
        assert state_bytes(game) == before
    assert all(one == shown[0] for one in shown)


@pytest.mark.parametrize("name", MOMENTS)
def test_twins_of_an_environment_at_every_moment_play_on_alike_and_alone(name):
    position = at_moment(name, 1).position()
    rules, num_players = MOMENTS[name].rules, MOMENTS[name].num_players
    env = r5.env(rules, num_players, reward="points", max_decisions=60)
    env.reset(seed=3, options={"position": position})
    assert env.agent_selection == f"player_{position['seat']}"
    before, moves = record(env), legal(env)
    shown = []
    for twin_of in TWINS:
        twin = twin_of(env)
        assert (record(twin), legal(twin)) == (before, moves)
        shown.append([(step, dict(twin.rewards), twin.last()) for step in steps(twin, seed=7)])
        assert (record(env), legal(env)) == (before, moves)
    assert equal(shown[0], shown[1])
    assert equal(shown[0], [(s, dict(env.rewards), env.last()) for s in steps(env, seed=7)])


# -- masks -----------------------------------------------------------------------------------------


@pytest.mark.boundscheck
@pytest.mark.parametrize("name", MOMENTS)
def test_exactly_what_the_mask_shows_is_accepted_at_every_moment(name):
    for seed in range(2):
        game = at_moment(name, seed)
        check(game)
        accepts_exactly_its_mask(game)
        for action in game.legal_actions():
            twin = game.clone()
            twin.step(action)
            if not twin.is_over:
                check(twin)
