"""What is played in a round, exactly: how often cards are drawn, dug, laid; what is held back."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from experiments.exact.sequences import Numbers, TwoSeats
from rummy500_env.actions import Kind, action_space

__all__ = ["play_shares"]

_GROUPS: Final = {
    "draws": (Kind.DRAW,),
    "digs": (Kind.DIG,),
    "sets": (Kind.SET,),
    "runs": (Kind.RUN,),
    "layoffs": (Kind.LAYOFF,),
    "discards": (Kind.DISCARD,),
}


def play_shares(game: TwoSeats, first: Numbers, second: Numbers) -> dict[str, float]:
    """Return what is played in a round on average when seat 0 plays ``first``, seat 1 ``second``.

    Returns:
        ``draws``, ``digs``, ``sets``, ``runs``, ``layoffs``, ``discards``: how many of them both
        seats make in a round; ``decisions``: all moves; ``choices``: those with more than one legal
        action; ``mixed``: those where the strategy plays two actions with more than 5 % each;
        ``dig_share``: of the draws where a dig was allowed, those that dug; ``held_back``: of the
        turns that ended by a discard, those in which a meld could have been laid instead.
    """
    tree = game.tree
    often = game.frequencies(first, second)[2:]
    actions, sets = tree.sequence_action[2:], tree.sequence_set[2:]
    kinds = action_space(tree.rules, 2).codes[actions, 0]
    found = {name: float(often[np.isin(kinds, of)].sum()) for name, of in _GROUPS.items()}
    found["decisions"] = float(often.sum())
    found["choices"] = float(often[tree.set_size[sets] > 1].sum())
    strategy = np.where(tree.set_seat[sets] == 0, first[2:], second[2:])
    several = np.bincount(sets, strategy > 0.05, tree.num_sets) > 1
    found["mixed"] = float(often[several[sets]].sum())
    could_dig = _anywhere(sets, kinds == Kind.DIG, tree.num_sets)
    found["dig_share"] = _share(often, kinds == Kind.DIG, could_dig)
    meld = (kinds == Kind.SET) | (kinds == Kind.RUN)
    could_meld = _anywhere(sets, meld, tree.num_sets)
    found["held_back"] = _share(often, could_meld & (kinds == Kind.DISCARD), kinds == Kind.DISCARD)
    return found


def _anywhere(sets: npt.NDArray[np.int32], marks: npt.NDArray[np.bool_], size: int) -> np.ndarray:
    """Return of each sequence whether its set has one that is marked."""
    return (np.bincount(sets, marks, size) > 0)[sets]


def _share(often: Numbers, part: npt.NDArray[np.bool_], whole: npt.NDArray[np.bool_]) -> float:
    total = float(often[whole].sum())
    return float(often[part].sum()) / total if total > 0 else 0.0
