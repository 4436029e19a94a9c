"""How likely a discard is to be melded by the next seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.engine.jit import kernel

__all__ = ["threats"]


@kernel
def threats(r: Any, face: Any, pile: Any, near: Any, unseen: Any, chance: Any) -> Any:
    """Return how many melds of three with a face the next seat may make, in the mean.

    Two numbers: of those made of the pile and cards that are not seen, and of those with a card
    that is known to be in its hand.

    Args:
        r: The rules' record.
        face: The card that may be thrown.
        pile: Faces of the pile, as a word.
        near: Faces known to be in the next seat's hand.
        unseen: Faces that the viewer cannot locate.
        chance: That one of them is in the next seat's hand.
    """
    rank, suit = face % 13, face // 13
    lying, known = 0.0, 0.0
    for one in range(4):
        for other in range(one):
            if suit not in (one, other):
                a, b = 13 * one + rank, 13 * other + rank
                likely = _at_hand(a, pile, near, unseen, chance)
                likely *= _at_hand(b, pile, near, unseen, chance)
                if (near >> a | near >> b) & 1:
                    known += likely
                else:
                    lying += likely
    ranks = np.int64(r.num_ranks)
    for position in (rank, rank + ranks):
        if position > r.high_position or position < r.low_position:
            continue
        for start in range(max(position - 2, np.int64(r.low_position)), position + 1):
            if start + 2 > r.high_position:
                continue
            likely, is_known = 1.0, np.int64(0)
            for place in range(start, start + 3):
                if place != position:
                    a = 13 * suit + place % ranks
                    likely *= _at_hand(a, pile, near, unseen, chance)
                    is_known |= near >> a & 1
            if is_known:
                known += likely
            else:
                lying += likely
    return lying, known


@kernel
def _at_hand(face: Any, pile: Any, near: Any, unseen: Any, chance: Any) -> Any:
    """Return how likely the next seat has a card, or takes it with the pile."""
    if (pile | near) >> face & 1:
        return 1.0
    return chance if unseen >> face & 1 else 0.0
