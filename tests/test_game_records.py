"""The record of a table: unused slots are zero, and a position holds all of it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from rummy500_env import Game, Rules
from rummy500_env.engine.state import FIELDS, STATE
from rummy500_env.view_record import VIEW
from tests.support.games import middle_game, playing

SPANS_THE_GAME = {
    "decisions",
    "points_melded",
    "points_laid_off",
    "hand_penalties",
    "digs",
    "dug_cards",
    "outs",
    "round_turns",
    "points_before",
    "round_scores",
    "went_out",
    "how",
    "opened_game",
}
"""Fields that tell of moves and rounds before a position, which a position leaves out."""


def differing(one: np.ndarray, other: np.ndarray) -> list[str]:
    """Return the fields in which two records differ."""
    assert one.dtype == other.dtype
    return [name for name in names(one.dtype) if (one[name] != other[name]).any()]


def names(dtype: np.dtype) -> tuple[str, ...]:
    """Return the fields of a record's type."""
    assert dtype.names is not None
    return dtype.names


@pytest.mark.boundscheck
@pytest.mark.parametrize("num_players", range(2, 9))
def test_the_record_reached_by_play_is_the_one_read_back(num_players):
    for seed in range(12):
        game = middle_game(num_players, seed, min_moves=40 * (seed % 4) * num_players)
        again = Game.from_position(game.position())
        assert set(differing(game._record, again._record)) <= SPANS_THE_GAME
        for name in SPANS_THE_GAME - {"opened_game"}:
            if name not in ("round_scores", "went_out", "how"):
                assert not again._record[name].any()


def test_slots_of_absent_seats_melds_and_cards_are_zero():
    for seed in range(20):
        game = middle_game(3, seed, min_moves=200)
        record = game._record
        for name, field in FIELDS.items():
            if field.shape[:1] == (8,):
                assert not record[name][0, 3:].any(), name
            if name.startswith("meld_"):
                assert not record[name][0, int(record["num_melds"][0]) :].any(), name
        for name in ("pile", "pile_by", "stock"):
            size = int(record[f"{name.removesuffix('_by')}_size"][0])
            assert not record[name][0, size:].any(), name
        for meld in range(int(record["num_melds"][0])):
            size = int(record["meld_size"][0, meld])
            for name in ("meld_faces", "meld_by", "meld_values"):
                assert not record[name][0, meld, size:].any(), name


def test_spare_bytes_are_zero_and_there_is_no_hidden_padding():
    for dtype in (STATE, VIEW):
        assert sum(dtype[name].itemsize for name in names(dtype)) == dtype.itemsize
        assert dtype.itemsize % 8 == 0
    game = middle_game(2, 1)
    for name in names(STATE):
        if name.startswith("spare"):
            assert not game._record[name].any()


def test_a_new_round_starts_from_a_clean_record():
    """The record at the start of a round is that of a fresh game dealt the same."""
    for seed in range(6):
        game = Game(Rules(), 4, seed)
        for _ in playing(game, random.Random(seed)):
            if game.rounds:
                break
        again = Game.from_position(game.position())
        assert set(differing(game._record, again._record)) <= SPANS_THE_GAME
        position = game.position()
        assert (position["melds"], position["known"]) == ([], [""] * 4)
        assert (position["discards"], position["passed"]) == ([""] * 4, [""] * 4)
        assert position["opened"] == position["laid_before"] == [False] * 4
        assert position["turns_taken"] == [0] * 4
        assert set(position["counters"].values()) == {0}


def test_equal_tables_have_equal_bytes_whatever_was_cloned_when():
    game = Game("rummy500", 2, seed=9)
    twin = game.clone()
    for _ in playing(game, random.Random(9), 150):
        twin.step(game.history[-1])
        assert twin._record.tobytes() == game._record.tobytes()
        twin = twin.clone()
