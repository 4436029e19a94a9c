"""All chance of a game follows from its seed: not from other games, nor from global generators."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys

import numpy as np
import pytest

from rummy500_env import Game, Rules
from tests.support.games import playing, state_bytes


def digest_of_a_game(num_players: int, seed: int) -> str:
    """Return a digest of all that every seat sees in a game, the moves chosen by arithmetic."""
    game = Game("rummy500", num_players, seed, episode="round")
    digest = hashlib.sha256()
    step = 0
    while not game.is_over:
        legal = game.legal_actions()
        for seat in range(num_players):
            digest.update(game.observe(seat).tobytes() + game.view_record(seat).tobytes())
        digest.update(game.action_mask().tobytes() + str(game.position()).encode())
        game.step(legal[step * 7919 % len(legal)])
        step += 1
    digest.update(repr((game.history, game.scores, game.rounds, game.events(0))).encode())
    return digest.hexdigest()


@pytest.mark.nojit
def test_equal_seeds_give_equal_games():
    assert digest_of_a_game(2, 5) == digest_of_a_game(2, 5)
    assert digest_of_a_game(2, 5) != digest_of_a_game(2, 6)


def test_equal_seeds_give_equal_games_in_processes_with_other_hashes():
    code = (
        "from tests.test_game_determinism import digest_of_a_game as digest\n"
        "print(digest(2, 5), digest(4, 9))"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for hash_seed in ("1", "2")
    ]
    assert printed[0] == printed[1] == [digest_of_a_game(2, 5), digest_of_a_game(4, 9)]


def test_games_side_by_side_and_global_seeds_change_nothing():
    def played(seed: int, disturb: bool) -> bytes:
        game, other = Game("rummy500", 3, seed), Game("rummy500_two_packs", 6, seed)
        chooser = random.Random(seed)
        other_chooser = random.Random(seed + 1)
        for _ in playing(game, chooser, 200):
            if disturb:
                np.random.seed(1)  # noqa: NPY002
                random.seed(1)
                other.play(other_chooser.choice(other.legal_moves()))
                other.observe(0)
                game.determinize(0, 3)
        return state_bytes(game) + game.observe(1).tobytes() + game.view_record(2).tobytes()

    for seed in range(4):
        assert played(seed, disturb=False) == played(seed, disturb=True)


def test_a_game_leaves_global_generators_alone():
    numbers = repr(np.random.get_state())  # noqa: NPY002 (the global generator is what is tested)
    state = random.getstate()
    game = Game("rummy500", 3, seed=4)
    for _ in playing(game, random.Random(4), 300):
        game.observe(0)
    game.determinize(1)
    Game()
    assert random.getstate() == state
    assert repr(np.random.get_state()) == numbers  # noqa: NPY002


@pytest.mark.parametrize("num_players", [2, 3, 6])
def test_later_deals_do_not_depend_on_how_play_went(num_players):
    for seed in range(5):
        hands = []
        for chooser in (random.Random(1), random.Random(2)):
            game = Game(Rules(), num_players, seed)
            rounds = []
            for _ in playing(game, chooser, 5000):
                if len(game.rounds) > len(rounds) and not game.is_over:
                    position = game.position()
                    rounds.append((position["hands"], position["stock"], game.dealer))
                    if len(rounds) == 2:
                        break
            hands.append(rounds)
        assert hands[0] == hands[1]
        assert hands[0][0] != hands[0][1]


def test_the_same_seat_gets_the_same_cards_whoever_deals():
    deals = {}
    for seed in range(40):
        game = Game(Rules(dealer_rotation="winner"), 3, seed)
        other = Game(Rules(dealer_rotation="loser"), 3, seed)
        for one in (game, other):
            for _ in playing(one, random.Random(seed), 3000):
                if one.rounds:
                    break
        if game.dealer != other.dealer and not game.is_over and not other.is_over:
            assert game.position()["hands"] == other.position()["hands"]
            deals[seed] = True
    assert len(deals) > 5


def test_without_a_seed_one_is_drawn_and_told():
    games = [Game() for _ in range(3)]
    assert len({game.seed for game in games}) == 3
    for game in games:
        again = Game(seed=game.seed)
        assert state_bytes(again) == state_bytes(game)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "7", True, [1]])
def test_seeds_are_whole_numbers_below_2_64(seed):
    with pytest.raises(ValueError, match="a seed is None or a whole number"):
        Game(seed=seed)


def test_every_dealer_comes_first_equally_often():
    dealers = [Game("rummy500", 4, seed).dealer for seed in range(2000)]
    counts = np.bincount(dealers, minlength=4)
    assert ((counts - 500) ** 2 / 500).sum() < 21.1  # chi-square, 3 degrees of freedom, p = 1e-4
