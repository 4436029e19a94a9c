"""Tens of thousands of random rounds on both engines (not run by default)."""

from __future__ import annotations

import random
from multiprocessing import get_context

import pytest

from rummy500_env import Game, Rules
from rummy500_env.presets import presets
from tests.differential.random_rules import random_rules
from tests.differential.twin import play_both

pytestmark = pytest.mark.soak

BLOCKS = 20
WORKERS = 2


def standard(block: int) -> int:
    """Play rounds of the standard game, most of them with few players."""
    chooser = random.Random(f"standard {block}")
    moves = 0
    for _ in range(600):
        num_players = chooser.choice((2, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8))
        seed = chooser.randrange(2**64)
        moves += play_both(Rules(), num_players, seed, rounds=1, every_view=20)
    return moves


def varied(block: int) -> int:
    """Play games of random rules, in all blocks together 28,000 with 100,000 rounds."""
    moves = 0
    for number in range(1400):
        chooser = random.Random(f"all options {300_000 + 1400 * block + number}")
        rules, num_players = random_rules(chooser)
        seed = chooser.randrange(2**64)
        single = chooser.random() < 0.3
        moves += play_both(
            rules,
            num_players,
            seed,
            rounds=1 if single else 6,
            single_round=single,
            max_moves=1000,
            every_view=100,
            every_position=50,
        )
    return moves


def preset_by_preset(block: int) -> int:
    """Play 200 rounds of every preset at each of its tables, in all blocks together."""
    moves = 0
    for name in presets():
        rules = Rules.preset(name)
        for num_players in rules.player_counts():
            for number in range(200 // BLOCKS):
                seed = random.Random(f"{name} {num_players} {block} {number}").randrange(2**64)
                moves += play_both(
                    rules,
                    num_players,
                    seed,
                    single_round=number % 2 == 0,
                    max_moves=1000,
                    every_view=40,
                    every_position=20,
                )
    return moves


@pytest.mark.parametrize("play", [standard, varied, preset_by_preset])
def test_rounds_in_blocks_of_seeds(play):
    Game().legal_moves()  # kernels are compiled before processes ask for them
    with get_context("spawn").Pool(WORKERS) as pool:
        moves = pool.map(play, range(BLOCKS), chunksize=1)
    assert len(moves) == BLOCKS
    assert min(moves) > 5000
