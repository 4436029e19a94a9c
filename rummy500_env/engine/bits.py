"""Bits: counting them, sets of cards as pairs of words, strings of bits.

All shifts of the engine that could overflow stand here. Words are signed 64-bit integers: sets of
cards use bits 0 to 55 only, so that no operation ever meets the sign; strings of bits (the legal
actions) use all 64 and are read through the functions below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rummy500_env.cards import JOKER
from rummy500_env.engine.jit import JIT_DISABLED, kernel

__all__ = [
    "FACES",
    "ONE",
    "ZERO",
    "add_face",
    "bits_to_bytes",
    "clear_bits",
    "copy_bytes",
    "count_bits",
    "count_face",
    "flip_bit",
    "has_bit",
    "is_legal",
    "lowest",
    "next_bit",
    "num_cards",
    "or_bits",
    "popcount",
    "remove_face",
    "select_bit",
    "without_lowest",
]

FACES = (1 << 52) - 1
"""All faces but the joker, as a word."""

ZERO, ONE = np.int64(0), np.int64(1)

if TYPE_CHECKING or JIT_DISABLED:

    def popcount(word: Any) -> Any:
        """Return the number of bits that are set."""
        return np.int64((int(word) & 0xFFFF_FFFF_FFFF_FFFF).bit_count())

    def lowest(word: Any) -> Any:
        """Return the index of the lowest bit that is set; the word is not zero."""
        unsigned = int(word) & 0xFFFF_FFFF_FFFF_FFFF
        return np.int64((unsigned & -unsigned).bit_length() - 1)

    def without_lowest(word: Any) -> Any:
        """Return the word with its lowest bit cleared; it is not zero."""
        unsigned = int(word) & 0xFFFF_FFFF_FFFF_FFFF
        return np.uint64(unsigned & unsigned - 1).astype(np.int64)

    def copy_bytes(target: Any, source: Any, count: Any) -> None:
        """Copy the first ``count`` bytes of a record over those of another."""
        content = np.frombuffer(source.data, np.uint8)[:count]
        target.setfield(content, np.dtype((np.uint8, (int(count),))))

else:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    @intrinsic
    def popcount(typing_context: Any, word: Any) -> Any:
        """Return the number of bits that are set."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), build

    @intrinsic
    def lowest(typing_context: Any, word: Any) -> Any:
        """Return the index of the lowest bit that is set; the word is not zero."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), build

    @kernel
    def without_lowest(word: Any) -> Any:
        """Return the word with its lowest bit cleared; it is not zero."""
        return word & (word - 1)

    @intrinsic
    def copy_bytes(typing_context: Any, target: Any, source: Any, count: Any) -> Any:
        """Copy the first ``count`` bytes of a record over those of another."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            to, origin, number = arguments
            byte = ir.IntType(8).as_pointer()
            cgutils.raw_memcpy(
                builder, builder.bitcast(to, byte), builder.bitcast(origin, byte), number, 1
            )
            return context.get_dummy_value()

        return types.void(target, source, types.int64), build


# -- sets of cards: pairs of words -----------------------------------------------------------


@kernel
def num_cards(cards: Any) -> Any:
    """Return the number of cards in a set."""
    return popcount(cards[0]) + popcount(cards[1])


@kernel
def count_face(cards: Any, face: Any) -> Any:
    """Return the copies of a face in a set."""
    if face == JOKER:
        return popcount(cards[0] >> JOKER)
    return ((cards[0] >> face) & 1) + ((cards[1] >> face) & 1)


@kernel
def add_face(cards: Any, face: Any) -> None:
    """Put one copy of a face into a set; it holds at most two, and four jokers."""
    if face == JOKER:
        jokers = popcount(cards[0] >> JOKER)
        if jokers < 4:
            cards[0] |= np.int64(1) << (JOKER + jokers)
        return
    bit = np.int64(1) << face
    cards[1] |= cards[0] & bit
    cards[0] |= bit


@kernel
def remove_face(cards: Any, face: Any) -> None:
    """Take one copy of a face out of a set; nothing happens when there is none."""
    if face == JOKER:
        jokers = popcount(cards[0] >> JOKER)
        if jokers > 0:
            cards[0] &= ~(np.int64(1) << (JOKER + jokers - 1))
        return
    bit = np.int64(1) << face
    if cards[1] & bit:
        cards[1] &= ~bit
    else:
        cards[0] &= ~bit


# -- strings of bits -------------------------------------------------------------------------


@kernel
def clear_bits(words: Any, count: Any) -> None:
    """Clear the first ``count`` words."""
    for k in range(count):
        words[k] = 0


@kernel
def has_bit(words: Any, index: Any) -> Any:
    """Return whether a bit of a string is set."""
    return (words[index >> 6] >> (index & 63)) & 1 != 0


@kernel
def is_legal(st: Any, r: Any, action: Any) -> Any:
    """Return whether a number, whatever it is, is a legal action of a table."""
    return 0 <= action < r.num_actions and has_bit(st.legal, action)


@kernel
def flip_bit(words: Any, index: Any) -> None:
    """Turn one bit of a string over."""
    words[index >> 6] ^= np.int64(1) << np.int64(index & 63)


@kernel
def or_bits(words: Any, index: Any, bits: Any) -> None:
    """Set the bits of a word (at most 56) in a string, its bit 0 at ``index``."""
    shift = index & 63
    words[index >> 6] |= np.int64(bits) << shift
    if shift > 8:
        high = np.int64(bits) >> (64 - shift)
        if high != 0:
            words[(index >> 6) + 1] |= high


@kernel
def count_bits(words: Any, count: Any) -> Any:
    """Return the number of bits set in the first ``count`` words."""
    total = np.int64(0)
    for k in range(count):
        total += popcount(words[k])
    return total


@kernel
def select_bit(words: Any, nth: Any) -> Any:
    """Return the index of the ``nth`` bit that is set, counted from 0; there must be one."""
    k = np.int64(0)
    rest = np.int64(nth)
    here = popcount(words[0])
    while rest >= here:
        rest -= here
        k += 1
        here = popcount(words[k])
    word = np.int64(words[k])
    for _ in range(rest):
        word = without_lowest(word)
    return k * 64 + lowest(word)


@kernel
def next_bit(words: Any, index: Any, count: Any) -> Any:
    """Return the first bit from ``index`` on that is set within ``count`` words; -1: none is."""
    word = index >> 6
    if word < count:
        rest = np.int64(words[word]) >> (index & 63)
        # The shift repeats the sign: a word whose last bit is set shows it above, never below.
        if rest != 0:
            return index + lowest(rest)
    for k in range(word + 1, count):
        if words[k] != 0:
            return 64 * k + lowest(np.int64(words[k]))
    return np.int64(-1)


@kernel
def bits_to_bytes(words: Any, size: Any, target: Any) -> None:
    """Write a string of bits as ``size`` bytes of 0 and 1."""
    for k in range(size):
        target[k] = 0
    for k in range((size + 63) >> 6):
        word = np.int64(words[k])
        while word != 0:
            target[k * 64 + lowest(word)] = 1
            word = without_lowest(word)
