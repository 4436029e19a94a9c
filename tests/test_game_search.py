"""Digs and obligations against searches that try everything."""

from __future__ import annotations

import random

import pytest

from rummy500_env import Game, Rules
from tests.support.games import playing
from tests.support.search import dead_ends, legal_digs

VARIED = [
    {},
    {"must_discard_to_go_out": True},
    {"dig_use": "new_meld"},
    {"dig_layoff_bridge": False},
    {"dig_support": "hand_only"},
    {"dig_support": "hand_only", "must_discard_to_go_out": True},
]


@pytest.mark.parametrize("options", VARIED, ids=str)
@pytest.mark.parametrize("num_players", [2, 3, 5, 8])
def test_digs_are_those_that_a_search_over_melds_and_bridges_finds(num_players, options):
    rules = Rules(**options)
    checked = deeper = 0
    for seed in range(6):
        game = Game(rules, num_players, seed, episode="round")
        for _ in playing(game, random.Random(seed)):
            if game.phase != "draw":
                continue
            digs = sorted(str(move) for move in game.legal_moves() if move.startswith("dig"))
            assert digs == legal_digs(game), game.position()
            checked += len(game.view(0).discard_pile)
            deeper += sum("#2" in dig for dig in digs)
    assert checked > 400
    assert (deeper > 0) == (num_players >= 5)


@pytest.mark.parametrize("options", VARIED, ids=str)
@pytest.mark.parametrize("num_players", [2, 5])
def test_no_way_through_an_obligation_gets_stuck(num_players, options):
    rules = Rules(**options)
    obligations = 0
    for seed in range(10):
        game = Game(rules, num_players, seed, episode="round")
        for _ in playing(game, random.Random(seed)):
            if game.phase != "draw":
                continue
            for move in game.legal_moves():
                if move.startswith("dig"):
                    after = game.clone()
                    after.play(move)
                    assert after.phase == "obliged"
                    assert dead_ends(after) == []
                    obligations += 1
    assert obligations > 100


@pytest.mark.parametrize("ban", ["top_taken", "dug_all", "all_drawn"])
def test_every_turn_can_be_ended_under_every_ban(ban):
    """From each position of a turn some row of moves ends it."""
    for must in (False, True):
        rules = Rules(drawn_discard_ban=ban, must_discard_to_go_out=must, hand_size=3)
        for seed in range(15):
            game = Game(rules, 2, seed, episode="round")
            for _ in playing(game, random.Random(seed)):
                if game.phase in ("obliged", "play"):
                    assert _can_end(game.clone(), 40)


def _can_end(game: Game, patience: int) -> bool:
    """Whether discards, passes or else the first laying moves end the turn."""
    seat, turns = game.current_seat, game.position()["turns_taken"]
    for _ in range(patience):
        moves = [str(move) for move in game.legal_moves()]
        ends = [move for move in moves if move.startswith(("discard", "pass"))]
        game.play((ends or moves)[0])
        if game.is_over or game.current_seat != seat or game.position()["turns_taken"] != turns:
            return True
    return False
