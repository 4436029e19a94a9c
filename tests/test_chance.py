"""The engine's chance against plain Python, and its evenness."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from rummy500_env.engine.chance import below, chance_word, fold, permute, refill_word
from tests.golden import plain

words = st.integers(0, 2**64 - 1)
P = 1e-4


def engine_order(word: int, count: int) -> list[int]:
    """Return numbers shuffled by the engine."""
    order = np.arange(count, dtype=np.uint8)
    permute(np.uint64(word), order, np.int64(count))
    return order.tolist()


@pytest.mark.nojit
@given(words, st.integers(0, 2**31))
def test_keys_are_folded_as_in_plain_python(key, value):
    assert int(fold(np.uint64(key), np.int64(value))) == plain.fold(key, value)


@pytest.mark.nojit
@given(words, st.integers(1, 2**31 - 1))
def test_bounded_numbers_are_those_of_plain_python(word, bound):
    number = int(below(np.uint64(word), np.int64(bound)))
    assert number == plain.below(word, bound)
    assert 0 <= number < bound


@pytest.mark.nojit
@given(words, st.integers(0, 1000), st.integers(0, 50))
def test_words_of_rounds_and_refills_are_those_of_plain_python(seed, round_index, refill):
    chance = plain.chance_word(seed, round_index)
    assert int(chance_word(np.uint64(seed), np.int64(round_index))) == chance
    assert int(refill_word(np.uint64(chance), np.int64(refill))) == plain.refill_word(
        chance, refill
    )


@pytest.mark.nojit
@given(words, st.integers(0, 108))
def test_shuffles_are_those_of_plain_python(word, count):
    cards = [str(number) for number in range(count)]
    assert [str(number) for number in engine_order(word, count)] == plain.shuffled(word, cards)


def test_all_orders_of_five_cards_are_equally_frequent():
    number = 24_000
    counts = Counter(tuple(engine_order(plain.fold(99, k), 5)) for k in range(number))
    assert set(counts) == set(permutations(range(5)))
    expected = number / 120
    assert sum((n - expected) ** 2 / expected for n in counts.values()) < chi2.isf(P, 119)


def test_every_card_comes_to_every_place_equally_often():
    number = 20_000
    counts = np.zeros((52, 52))
    for seed in range(number):
        counts[np.arange(52), engine_order(plain.chance_word(seed, 0), 52)] += 1
    expected = number / 52
    assert ((counts - expected) ** 2 / expected).sum() < chi2.isf(P, 51 * 51)


def test_words_of_neighbouring_seeds_rounds_and_refills_differ():
    found = set()
    for seed in range(50):
        for round_index in range(10):
            chance = plain.chance_word(seed, round_index)
            found |= {chance, *(plain.refill_word(chance, refill) for refill in range(5))}
    assert len(found) == 50 * 10 * 6
