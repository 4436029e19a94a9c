"""Which hidden hands are plausible: a weight for each possible world, by what everybody has seen.

A seat plays what it can, most of the time. So hands are less likely that hold

* a meld, or a card that the table takes: the seat would have laid it down;
* two cards that make a meld with an upcard it has left: it would have dug that;
* cards that go with one it has thrown: it would have kept that.

Each such case in a world takes a part off the logarithm of its weight; :data:`COSTS` says how much.
Seats that have still to open are not judged by what they could lay.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.greedy import best_meld, partners
from rummy500_env.arrays import checked_views
from rummy500_env.engine.bits import FACES, lowest, popcount
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.melds import accepted, line_of
from rummy500_env.engine.opening import must_open
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.rules import Rules
from rummy500_env.search import Worlds

__all__ = ["CASES", "COSTS", "believed_worlds", "count_cases", "log_weights"]

CASES: Final = ("melds", "layoffs", "left", "thrown")
"""What is counted over the other hands: whether one holds a meld, cards that the table takes,
upcards that it left and could have melded, pairs of a card it threw and a partner of it."""

COSTS: Final = np.array([1.9, 1.0, 0.7, 0.1])
"""What each case takes off the logarithm of a world's weight.

Under these the true hands were most likely among 63 sampled ones, over 1143 decisions each of
`greedy`, `learned` and `advisor` in `rummy500` of two players (conditional logit, rounded). What
was thrown says little: it speaks against its partners where `greedy` threw it, and for them where
`advisor` did, which keeps others of them.
"""

TRIES: Final = 8
"""Worlds of which one is drawn."""


def believed_worlds(
    view: npt.NDArray[Any],
    count: int,
    rules: Rules,
    num_players: int,
    rng: np.random.Generator,
    strength: float = 0.0,
) -> Worlds:
    """Return possible worlds of a view, the plausible ones more often.

    Each is drawn from `TRIES` that are equally likely, in proportion to their weights.

    Args:
        view: Array of one view record.
        count: How many.
        rules: The rules.
        num_players: Seats at the table.
        rng: Where they come from.
        strength: What the costs are multiplied with; 0: all worlds are equally likely.
    """
    if strength == 0:
        return Worlds.of_views(view, np.zeros(count, np.int64), rules, num_players, rng)
    many = Worlds.of_views(view, np.zeros(TRIES * count, np.int64), rules, num_players, rng)
    # The largest of the logarithms, each with a number of Gumbel's distribution added, is a draw.
    drawn = strength * log_weights(view, many) + rng.gumbel(size=len(many))
    first = np.arange(0, len(many), TRIES)
    return many.take(first + drawn.reshape(count, TRIES).argmax(axis=1))


def log_weights(view: npt.NDArray[Any], worlds: Worlds) -> npt.NDArray[np.float64]:
    """Return the logarithm of each world's weight, 0 or less."""
    cases = np.zeros((len(worlds), len(CASES)), np.int64)
    views = checked_views(view, worlds.num_players)
    count_cases(views, rules_record(worlds.rules, worlds.num_players), worlds.states, cases)
    return -(cases.astype(np.float64) @ COSTS)


@kernel
def count_cases(views: Any, rules: Any, states: Any, cases: Any) -> None:
    """Count what speaks against each world of a view, ``int64 (worlds, CASES)``."""
    view, r = views[0], rules[0]
    for k in range(len(states)):
        st = states[k]
        for case in range(cases.shape[1]):
            cases[k, case] = 0
        for seat in range(np.int64(r.num_players)):
            if seat != np.int64(view.viewer):
                _count_hand(view, r, st, np.int64(seat), cases[k])


@kernel
def _count_hand(view: Any, r: Any, st: Any, seat: Any, cases: Any) -> None:
    hand = np.int64(st.hands[seat, 0]) & FACES
    hidden = hand & ~np.int64(view.known[seat, 0])
    if not must_open(st, r, seat):
        value, _ = best_meld(r, hand)
        cases[0] += np.int64(value > 0)
        on_set, low, high = accepted(st, r, seat)
        cases[1] += popcount((on_set | low | high) & hidden)
    left = np.int64(view.passed[seat]) & FACES
    while left != 0:
        cases[2] += np.int64(_completes(r, lowest(left), hand))
        left &= left - 1
    thrown = np.int64(view.discards[seat, 0]) & FACES
    while thrown != 0:
        cases[3] += popcount(partners(r, lowest(thrown)) & hidden)
        thrown &= thrown - 1


@kernel
def _completes(r: Any, face: Any, hand: Any) -> Any:
    """Return whether a hand holds two cards that make a meld with a face."""
    others = hand & ~(np.int64(1) << face)
    column = np.int64(1 | 1 << 13 | 1 << 26 | 1 << 39) << (face % 13)
    if popcount(others & column) >= 2:
        return True
    line = line_of(r, others | np.int64(1) << face, face // 13)
    runs = line & line >> 1 & line >> 2
    runs |= runs << 1 | runs << 2
    return runs & ~line_of(r, others, face // 13) != 0
