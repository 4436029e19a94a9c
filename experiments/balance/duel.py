"""The figures of a strong agent and a weak one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from experiments.balance.jackknife import Arrays, Floats
from experiments.balance.kinds import PERCENT, Figure, Make, column, ratio, sum_of
from experiments.balance.luck import SHARES, components

if TYPE_CHECKING:
    from experiments.balance.variants import Cell

__all__ = ["DUEL"]


def _share_of_variance(place: int) -> Make:
    def make(sums: Arrays, _: Cell) -> Floats:
        found = components(sums)
        return column(found[:, place] / found.sum(axis=1))

    return make


def _result_deviation(sums: Arrays, _: Cell) -> Floats:
    return column(np.sqrt(components(sums).sum(axis=1)))


DUEL: Final[Sequence[Figure]] = (
    ratio(
        "strong_points",
        "points a round",
        "score of one strong agent (or side) among weak ones less the mean of theirs",
        "margin",
        "rounds",
        digits=1,
    ),
    ratio(
        "strong_round_wins",
        "share of rounds",
        "rounds in which it scores highest, more than its share of all",
        lambda sums, cell: sums["best"][:, None] - column(sums["rounds"]) / cell.num_sides,
        "rounds",
        **PERCENT,
    ),
    ratio(
        "strong_wins",
        "share of games",
        "decided games that it wins, more than its share of all",
        lambda sums, cell: sums["wins"][:, None] - column(sums["decided"]) / cell.num_sides,
        "decided",
        **PERCENT,
    ),
    *(
        Figure(
            f"{source}_share",
            "share of variance",
            doc,
            _share_of_variance(place),
            sum_of("deals"),
            is_corrected=True,
            **PERCENT,
        )
        for place, (source, doc) in enumerate(
            zip(
                SHARES,
                (
                    "of the variance of a round's result, what the deal explains: luck with the "
                    "cards",
                    "what the place in the order of play explains",
                    "what the agents explain: skill, as far as these two differ in it",
                    "the rest: what becomes of the deal in play",
                ),
                strict=True,
            )
        )
    ),
    Figure(
        "result_deviation",
        "points",
        "standard deviation of a round's result",
        _result_deviation,
        sum_of("deals"),
        digits=1,
    ),
)
"""Figures of a strong agent and a weak one."""
