"""The figures of an agent with itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from experiments.balance.jackknife import Arrays, Floats
from experiments.balance.kinds import PERCENT, Figure, column, ratio, sum_of
from experiments.balance.sums import MOMENTS, deficits

if TYPE_CHECKING:
    from experiments.balance.variants import Cell

__all__ = ["SELF"]


def _seat_rounds(sums: Arrays, cell: Cell) -> Floats:
    return column(sums["rounds"] * cell.num_players)


def _places(cell: Cell) -> list[str]:
    return [f"place {place + 1}" for place in range(cell.num_players)]


def _place_advantage(sums: Arrays, cell: Cell) -> Floats:
    """Points of each place less those of the other sides, summed over rounds."""
    score = sums["place_score"]
    side = cell.num_players // cell.num_sides
    whole = score.sum(axis=1, keepdims=True)
    return score - (whole - side * score) / (cell.num_players - side)


def _place_wins(sums: Arrays, cell: Cell) -> Floats:
    """Games won by each place more than its share of all."""
    return sums["place_wins"] - column(sums["decided"]) / cell.num_sides


def _place_best(sums: Arrays, cell: Cell) -> Floats:
    return sums["place_best"] - column(sums["rounds"]) / cell.num_sides


def _deviation(sums: Arrays, cell: Cell) -> Floats:
    count = sums["rounds"] * cell.num_players
    mean = sums["score"] / count
    return column(np.sqrt(np.maximum(sums["score_squared"] / count - mean**2, 0)))


def _from_behind(sums: Arrays, _: Cell) -> Floats:
    return sums["behind_wins"].reshape(len(sums["behind_wins"]), -1)


def _seats_behind(sums: Arrays, _: Cell) -> Floats:
    return sums["behind"].reshape(len(sums["behind"]), -1)


def _standings(cell: Cell) -> list[str]:
    """Labels such as ``half: 25-49 behind`` and ``round 2: leading``."""

    def told(low: int, high: int | None) -> str:
        if high == 0:
            return "leading"
        return f"{low}+ behind" if high is None else f"{low}-{high} behind"

    when = ["half" if moment == "half" else f"round {moment}" for moment in MOMENTS]
    bins = [told(low, high) for low, high in deficits(cell.variant.rules.target_score)]
    return [f"{moment}: {deficit}" for moment in when for deficit in bins]


def _overturned(sums: Arrays, _: Cell) -> Floats:
    return column(sums["half"] - sums["half_won_by_leader"])


def _layoffs(sums: Arrays, _: Cell) -> Floats:
    return column(sums["points_laid_off"])


def _laid(sums: Arrays, _: Cell) -> Floats:
    return column(sums["points_melded"] + sums["points_laid_off"])


SELF: Final[Sequence[Figure]] = (
    ratio(
        "rounds_per_game",
        "rounds",
        "rounds of a game; one that was cut off counts with those it had",
        "rounds",
        "games",
        digits=1,
    ),
    ratio("turns_per_game", "turns", "turns of all seats in a game", "turns", "games", digits=0),
    ratio(
        "decisions_per_game",
        "decisions",
        "decisions of all seats in a game, also those with one legal action",
        "decisions",
        "games",
        digits=0,
    ),
    ratio("turns_per_round", "turns", "turns of all seats in a round", "turns", "rounds", digits=1),
    ratio(
        "decisions_per_round",
        "decisions",
        "decisions of all seats in a round",
        "decisions",
        "rounds",
        digits=1,
    ),
    Figure(
        "undecided_games",
        "share of games",
        "games that a limit (max_rounds, max_turns) cut off, without a winner",
        lambda sums, _: column(1 - sums["decided"] / sums["games"]),
        sum_of("games"),
        **PERCENT,
    ),
    ratio(
        "tied_games",
        "share of games",
        "games with several winners (of several sides)",
        "tied",
        "games",
        **PERCENT,
    ),
    ratio(
        "final_range",
        "points",
        "highest less lowest total at the end of a decided game",
        "range",
        "decided",
        digits=0,
    ),
    ratio(
        "starter_points",
        "points a round",
        "score of the seat with the first turn of the round less the mean of the others (between "
        "teams: of the other side)",
        lambda sums, cell: _place_advantage(sums, cell)[:, :1],
        "rounds",
        zero=True,
        digits=1,
    ),
    ratio(
        "starter_wins",
        "share of games",
        "decided games won by the seat (side) with the first turn of the game, more than its "
        "share of all",
        lambda sums, cell: _place_wins(sums, cell)[:, :1],
        "decided",
        zero=True,
        **PERCENT,
    ),
    ratio(
        "place_points",
        "points a round",
        "score of each place less the mean of the others, places in the order of play of the round",
        _place_advantage,
        "rounds",
        _places,
        zero=True,
        digits=1,
    ),
    ratio(
        "place_round_wins",
        "share of rounds",
        "rounds in which each place scores highest, more than its share of all",
        _place_best,
        "rounds",
        _places,
        zero=True,
        **PERCENT,
    ),
    ratio(
        "place_wins",
        "share of games",
        "decided games won by each place, more than its share of all; places in the order of play "
        "of the first round",
        _place_wins,
        "decided",
        _places,
        zero=True,
        **PERCENT,
    ),
    ratio("points_per_round", "points", "score of a seat in a round", "score", _seat_rounds),
    Figure(
        "score_deviation",
        "points",
        "standard deviation of the score of a seat in a round",
        _deviation,
        sum_of("rounds"),
        digits=1,
    ),
    ratio(
        "negative_scores",
        "share of scores",
        "scores of a seat in a round that are below 0",
        "negative",
        _seat_rounds,
        **PERCENT,
    ),
    ratio(
        "rounds_gone_out",
        "share of rounds",
        "rounds that end because somebody goes out",
        "out",
        "rounds",
        **PERCENT,
    ),
    ratio(
        "rounds_exhausted",
        "share of rounds",
        "rounds that end because the stock has run out",
        "exhausted",
        "rounds",
        **PERCENT,
    ),
    ratio(
        "rounds_cut_off",
        "share of rounds",
        "rounds that a limit of the rules ends",
        "cut_off",
        "rounds",
        **PERCENT,
    ),
    ratio(
        "place_goes_out",
        "share of rounds",
        "rounds in which each place goes out, places in the order of play",
        "place_out",
        "rounds",
        _places,
        **PERCENT,
    ),
    ratio("digs_per_round", "digs", "digs of all seats in a round", "digs", "rounds"),
    ratio("cards_per_dig", "cards", "cards taken by a dig: its depth", "dug_cards", "digs"),
    ratio(
        "melded_points",
        "points",
        "values of cards that a seat lays in new melds in a round",
        "points_melded",
        _seat_rounds,
        digits=1,
    ),
    ratio(
        "layoff_points",
        "points",
        "values of cards that a seat lays off in a round",
        "points_laid_off",
        _seat_rounds,
        digits=1,
    ),
    ratio(
        "layoff_share",
        "share of points",
        "values of cards laid off, of those of all cards laid",
        _layoffs,
        _laid,
        **PERCENT,
    ),
    ratio(
        "hand_points",
        "points",
        "values of cards that a seat has left in hand in a round, as far as they are subtracted",
        "hand_penalty",
        _seat_rounds,
        digits=1,
    ),
    ratio(
        "lead_overturned",
        "share of games",
        "decided games that a seat wins which did not lead when the leader first had half of the "
        "target (where there is no target: when half of the deals had been played)",
        _overturned,
        "half",
        **PERCENT,
    ),
    ratio(
        "win_from_behind",
        "chance",
        "chance that a seat wins which is so many points behind the leader at that moment "
        "(half: as above; round 2: after two rounds), in decided games that were not over by then",
        _from_behind,
        _seats_behind,
        _standings,
        **PERCENT,
    ),
)
"""Figures of an agent with itself."""
