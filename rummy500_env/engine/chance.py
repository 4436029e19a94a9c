"""All chance of a game, as a function of its seed: never of how play went.

A stream of 64-bit words is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014): the state grows by a constant, and a mixing function makes a word of it.
A key is folded from whole numbers by the same mixing function. A permutation is Fisher and Yates'
shuffle from the top down; a number below ``n`` is the high half of ``word * n`` over the upper 32
bits of the word, which for ``n`` up to 108 is biased by less than 3e-8.

The mapping from seeds to deals is fixed for all versions of the package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rummy500_env.engine.jit import JIT_DISABLED, kernel

__all__ = ["DEAL", "DEALER", "below", "chance_word", "fold", "permute", "refill_word"]

DEAL, DEALER = np.int64(1), np.int64(2)

_MASK = 0xFFFF_FFFF_FFFF_FFFF
_GAMMA = 0x9E37_79B9_7F4A_7C15
_M1 = 0xBF58_476D_1CE4_E5B9
_M2 = 0x94D0_49BB_1331_11EB

if TYPE_CHECKING or JIT_DISABLED:

    def fold(key: Any, value: Any) -> Any:
        """Return the key that follows from a key and a whole number."""
        word = (int(key) ^ (int(value) * _GAMMA)) + _GAMMA & _MASK
        word = (word ^ (word >> 30)) * _M1 & _MASK
        word = (word ^ (word >> 27)) * _M2 & _MASK
        return np.uint64(word ^ (word >> 31))

else:
    _G64, _M1_64, _M2_64 = np.uint64(_GAMMA), np.uint64(_M1), np.uint64(_M2)

    @kernel
    def fold(key: Any, value: Any) -> Any:
        """Return the key that follows from a key and a whole number."""
        word = (np.uint64(key) ^ (np.uint64(value) * _G64)) + _G64
        word = (word ^ (word >> np.uint64(30))) * _M1_64
        word = (word ^ (word >> np.uint64(27))) * _M2_64
        return word ^ (word >> np.uint64(31))


@kernel
def chance_word(seed: Any, round_index: Any) -> Any:
    """Return the word that all chance of a round follows from."""
    return fold(fold(seed, DEAL), round_index)


@kernel
def refill_word(chance: Any, refill: Any) -> Any:
    """Return the word of a round's ``refill``-th refill of the stock, counted from 0."""
    return fold(chance, np.int64(refill) + 1)


@kernel
def below(word: Any, bound: Any) -> Any:
    """Return a number from 0 to ``bound - 1`` from a word; ``bound`` is below 2**31."""
    return np.int64((np.uint64(word) >> np.uint64(32)) * np.uint64(bound) >> np.uint64(32))


@kernel
def permute(word: Any, cards: Any, count: Any) -> None:
    """Shuffle the first ``count`` cards in place."""
    for k in range(count - 1, 0, -1):
        other = below(fold(word, k), k + 1)
        card = cards[k]
        cards[k] = cards[other]
        cards[other] = card
