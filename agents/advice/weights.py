"""The weights of `advisor`, and the tips that they belong to.

A weight is a number that anybody may set, ``advisor:twin=3``. A tip is a share of its weights:
``advisor:watch=0`` plays as if there were no such tip (each of its weights is `without`),
``advisor:watch=0.5`` goes half of the way. Tables of two and larger ones have their own defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["TIPS", "WEIGHTS", "Weight", "place", "vector"]


class Weight(NamedTuple):
    """One number of the agent.

    Attributes:
        name: As in a setting.
        default: What it was tuned to at tables of two.
        more: What it was tuned to at larger ones.
        step: Size of a change worth trying, for tuning.
        tip: The tip it belongs to, or "" for what the agent does in any case.
        without: What it is without the tip.
        doc: What it counts, in points unless said otherwise.
    """

    name: str
    default: float
    more: float
    step: float
    tip: str
    without: float
    doc: str


TIPS: Final[Mapping[str, str]] = {
    "watch": "watch the pile: what a discard opens to the next seat",
    "early": "lay high melds early",
    "dig": "dig deep only for enough points",
    "layoff": "lay off high cards at once",
    "out": "go out when it pays",
    "defend": "defend when somebody is down to three cards",
    "memory": "remember what others took, threw and left lying",
}

WEIGHTS: Final[tuple[Weight, ...]] = (
    # Discards: the card of the highest count is thrown.
    Weight("value", -1.49, -3.24, 0.3, "", 0.0, "throwing, for each point of the card"),
    Weight(
        "late_value",
        -0.14,
        -0.11,
        0.3,
        "",
        0.0,
        "the same, times the share of the stock that is gone",
    ),
    Weight(
        "twin",
        -2.59,
        4.52,
        2.0,
        "",
        0.0,
        "keeping, for each card of its rank, if a third is to come",
    ),
    Weight(
        "next", -3.14, 2.02, 2.0, "", 0.0, "keeping, for a card next to it, if a third is to come"
    ),
    Weight(
        "gap", 2.16, -1.53, 2.0, "", 0.0, "keeping, for a card two places away, if that between is"
    ),
    Weight(
        "outs", 3.14, 4.02, 1.0, "", 0.0, "keeping, for each unseen card that would make a meld"
    ),
    Weight("pile_outs", 0.85, 1.69, 1.0, "", 0.0, "the same, for each such card in the pile"),
    Weight(
        "out_value", 0.27, 0.39, 0.1, "", 0.0, "keeping, for each point of a card with such outs"
    ),
    Weight(
        "bridge",
        0.64,
        6.65,
        1.0,
        "",
        0.0,
        "keeping, for a card one place short of a run on the table",
    ),
    Weight(
        "pile_pair",
        8.82,
        6.95,
        1.0,
        "watch",
        0.0,
        "keeping, for each card of the pile it goes with",
    ),
    Weight(
        "pile_value", -0.53, -0.57, 0.1, "watch", 0.0, "the same, for each point of its own value"
    ),
    Weight(
        "pile_meld",
        1.34,
        0.66,
        0.3,
        "watch",
        0.0,
        "keeping, by value, a card that melds with the pile",
    ),
    Weight(
        "near_known",
        0.26,
        5.67,
        1.0,
        "memory",
        0.0,
        "keeping, for each known card of the next seat",
    ),
    Weight(
        "safe", -1.23, -0.76, 0.5, "memory", 0.0, "throwing, for each like card the next seat threw"
    ),
    Weight(
        "passed",
        -0.8,
        0.55,
        0.5,
        "memory",
        0.0,
        "throwing, for each like card the next seat left",
    ),
    Weight(
        "far_known", 2.6, -1.17, 0.5, "memory", 0.0, "keeping, for each known card of other seats"
    ),
    Weight(
        "value_own", -0.09, 3.26, 1.0, "", 0.0, "throwing, by value, over the cards of the own hand"
    ),
    Weight("ace", 4.86, 1.43, 3.0, "", 0.0, "throwing an ace"),
    Weight(
        "late_promise",
        2.06,
        -1.18,
        0.3,
        "",
        0.0,
        "what is promised less, by the share of stock gone",
    ),
    Weight(
        "threat",
        8.68,
        2.27,
        2.0,
        "watch",
        0.0,
        "keeping, for each meld of three the next may make",
    ),
    Weight("threat_value", 4.24, 5.55, 0.3, "watch", 0.0, "the same, for each point of the card"),
    Weight("known_threat", 3.96, 1.94, 0.3, "memory", 0.0, "the same, for melds with a known card"),
    Weight(
        "pressed_value",
        1.49,
        4.44,
        0.5,
        "defend",
        0.0,
        "throwing, by value, over the smallest hand",
    ),
    Weight(
        "danger_value",
        0.2,
        -0.47,
        0.3,
        "defend",
        0.0,
        "throwing, by value, when one is close to out",
    ),
    # Draws: the dig of the highest count is made, if that is more than the stock's.
    Weight("dig_margin", 13.2, -13.18, 3.0, "", 0.0, "what a dig has to bring"),
    Weight("dig_left", -0.89, -0.52, 0.2, "dig", 0.0, "cost, for each point that is left in hand"),
    Weight("dig_card", -7.46, 6.84, 1.0, "dig", 0.0, "cost, for each card that is left in hand"),
    Weight(
        "dig_late",
        0.22,
        -2.28,
        0.3,
        "dig",
        0.0,
        "cost, by value left, times the stock's share gone",
    ),
    Weight("dig_promise", -0.04, 0.18, 0.2, "", 0.0, "gain, for what the cards left promise"),
    Weight(
        "dig_deny", 3.27, 1.0, 0.5, "watch", 0.0, "gain, for each pair of pile cards taken away"
    ),
    Weight(
        "pressed_left",
        2.33,
        1.48,
        0.5,
        "defend",
        0.0,
        "cost, by value left, over the smallest hand",
    ),
    Weight(
        "danger_left",
        -0.13,
        0.36,
        0.3,
        "defend",
        0.0,
        "cost, by value left, when one is close to out",
    ),
    # Plays.
    Weight("rest", -1.51, 0.21, 0.2, "", 0.0, "gain, for what the cards left after a meld promise"),
    Weight(
        "meld_min", 30.0, 0.0, 5.0, "early", 1000.0, "points of a meld that is laid in any case"
    ),
    Weight(
        "layoff_min",
        10.0,
        0.0,
        5.0,
        "layoff",
        1000.0,
        "points of a layoff that is made in any case",
    ),
    Weight(
        "hold_stock", 3.0, 3.0, 3.0, "", 0.0, "cards of the stock from which on nothing is held"
    ),
    Weight(
        "hurry",
        -1.27,
        -1.06,
        0.3,
        "out",
        0.0,
        "what is promised less, by 100 points others hold more",
    ),
    Weight(
        "hurry_left",
        -0.09,
        -0.09,
        0.2,
        "out",
        0.0,
        "cost of a dig, by value left, for those points",
    ),
    Weight(
        "out_gain", 1.67, 3.04, 0.3, "out", 0.0, "gain of a dig that goes out, for those points"
    ),
)

_PLACES: Final = {weight.name: number for number, weight in enumerate(WEIGHTS)}


def place(name: str) -> int:
    """Return where a weight stands."""
    return _PLACES[name]


def vector(settings: Mapping[str, float], num_players: int = 2) -> npt.NDArray[np.float64]:
    """Return the weights with some of them, or shares of tips, set; ``float64 (len(WEIGHTS),)``."""
    return np.array([_value(weight, settings, num_players) for weight in WEIGHTS])


def _value(weight: Weight, settings: Mapping[str, float], num_players: int) -> float:
    value = settings.get(weight.name, weight.default if num_players == 2 else weight.more)
    share = settings.get(weight.tip, 1.0)
    return weight.without + share * (value - weight.without)
