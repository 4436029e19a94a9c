"""Copies of a game, by all ways of copying, play on identically and independently."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from multiprocessing import get_context

import pytest

from rummy500_env import Game, Rules
from tests.support.games import middle_game, playing, state_bytes

WAYS: dict[str, Callable[[Game], Game]] = {
    "clone": Game.clone,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
    "old pickle": lambda game: pickle.loads(pickle.dumps(game, protocol=2)),
}


def obliged(seed: int, num_players: int = 2) -> Game:
    """Return a game in the middle of a dig, some rounds into it."""
    return middle_game(num_players, seed, phase="obliged", min_moves=150)


def play_out(game: Game) -> tuple[bytes, list[int], list[tuple[int, ...]], bytes]:
    """Play a game to the end of its round and say all about it."""
    chooser = random.Random(1)
    rounds = len(game.rounds)
    seen = b""
    for _ in playing(game, chooser):
        seen = game.view_record(0).tobytes() + game.observe(1).tobytes()
        if len(game.rounds) > rounds:
            break
    return state_bytes(game), game.history, [r.scores for r in game.rounds], seen


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_plays_on_identically(way):
    for seed in range(3):
        game = obliged(seed)
        twin = WAYS[way](game)
        assert twin == game
        assert twin is not game
        assert twin.rules == game.rules
        assert twin.seed == game.seed
        assert twin.history == game.history
        assert twin.rounds == game.rounds
        assert twin.legal_actions() == game.legal_actions()
        assert twin.events(1) == game.events(1)
        assert play_out(twin) == play_out(game)


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_is_independent(way):
    game = obliged(7)
    before, history = pickle.dumps(game), game.history.copy()
    twin = WAYS[way](game)
    play_out(twin)
    assert pickle.dumps(game) == before
    assert game.history == history
    assert twin != game


def test_a_copy_plays_on_identically_in_another_process():
    games = [obliged(seed, num_players) for seed, num_players in ((1, 2), (2, 3), (3, 5))]
    with get_context("spawn").Pool(1) as pool:
        there = pool.map(play_out, games)
    assert there == [play_out(game) for game in games]


@pytest.mark.nojit
@pytest.mark.parametrize("way", ["clone", "pickle"])
def test_a_copy_of_a_short_game(way):
    game = middle_game(2, 1, phase="obliged")
    twin = WAYS[way](game)
    assert twin == game
    for action in game.legal_actions()[:1]:
        game.step(action)
        twin.step(action)
    assert state_bytes(twin) == state_bytes(game)


def test_rules_of_all_kinds_survive_pickling():
    rules = Rules(hand_size={2: 10, 3: 7}, stock_exhausted="reshuffle", max_reshuffles=None)
    game = Game(rules, 3, seed=1, episode="round")
    twin = pickle.loads(pickle.dumps(game))
    assert (twin.rules, twin.num_players) == (rules, 3)
    assert twin.position() == game.position()


def test_games_differ_by_rules_and_by_tables():
    game = Game("rummy500", 2, seed=1)
    assert game == Game("rummy500", 2, seed=1)
    assert game != Game("rummy500", 2, seed=2)
    assert game != Game("target_300", 2, seed=1)
    assert game != Game("rummy500", 3, seed=1)
    assert game != "game"
    with pytest.raises(TypeError):
        hash(game)


def test_events_are_what_a_seat_saw():
    game = middle_game(3, 4, min_moves=100)
    for seat in range(3):
        events = game.events(seat)
        assert [event.move for event in events] == [
            game.action_space.to_text(action) for action in game.history
        ]
        for event in events:
            shown = event.seat == seat and event.move == "draw"
            assert len(event.drawn) == int(shown)
    drawn = [event.drawn for event in game.events(0) if event.seat == 0 and event.move == "draw"]
    assert drawn
