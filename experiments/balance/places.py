"""Who begins: places in the order of play, from the seat that has the first turn of a round."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.engine.chance import DEALER, below, fold
from rummy500_env.rules import Rules

__all__ = ["first_dealers", "seats_by_place", "starters"]

Ints = npt.NDArray[np.integer[Any]]


def first_dealers(seeds: npt.NDArray[np.uint64], num_players: int) -> npt.NDArray[np.int64]:
    """The dealer of the first round of each game, as the engine draws it: ``(G,)``."""
    number = np.int64(num_players)
    words = (np.uint64(fold(seed, DEALER)) for seed in seeds)
    return np.array([below(word, number) for word in words], np.int64)


def starters(
    rules: Rules,
    seeds: npt.NDArray[np.uint64],
    round_game: Ints,
    round_index: Ints,
    round_out: Ints,
    round_scores: Ints,
) -> npt.NDArray[np.int64]:
    """The seat that has the first turn of each round.

    Args:
        rules: the rules; who deals next is an option of them.
        seeds: ``uint64 (G,)``: game seeds.
        round_game: ``(R,)``: game of each round, rounds in order of game and index.
        round_index: ``(R,)``: number of the round in its game, from 0.
        round_out: ``(R,)``: who went out, or -1.
        round_scores: ``(R, n)``.

    Returns:
        ``int64 (R,)``.
    """
    num_players = round_scores.shape[1]
    first = first_dealers(seeds, num_players)[round_game]
    if rules.dealer_rotation == "left":
        return (first + (np.asarray(round_index, np.int64) + 1) * rules.direction) % num_players
    dealer = first.copy()
    for index in range(1, int(round_index.max(initial=0)) + 1):
        now = np.flatnonzero(round_index == index)
        before = now - 1  # the round before of the same game
        dealer[now] = _next_dealers(rules, dealer[before], round_out[before], round_scores[before])
    return (dealer + rules.direction) % num_players


def _next_dealers(rules: Rules, dealers: Ints, out: Ints, scores: Ints) -> Ints:
    """Winner or loser of the round deals next, the one who went out among equals.

    The first in order of play is next among equals who did not go out; after a round in which
    nobody did, the deal passes on.
    """
    rows = np.arange(len(dealers))
    left = (dealers + rules.direction) % scores.shape[1]
    seats = seats_by_place(rules, left, scores.shape[1])
    sign = 1 if rules.dealer_rotation == "winner" else -1
    best = sign * np.take_along_axis(scores, seats, axis=1).astype(np.int64)
    chosen = seats[rows, best.argmax(axis=1)]
    goer = np.maximum(out, 0)
    chosen = np.where(sign * scores[rows, goer] == best.max(axis=1), goer, chosen)
    return np.where(out < 0, left, chosen)


def seats_by_place(rules: Rules, starter: Ints, num_players: int) -> npt.NDArray[np.int64]:
    """The seats in order of play: ``(R, n)``, the starter at place 0."""
    turn = np.arange(num_players, dtype=np.int64) * rules.direction
    return (np.asarray(starter, np.int64)[:, None] + turn) % num_players
