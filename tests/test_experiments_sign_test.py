"""The exact sign test and Holm's correction, against numbers worked by hand and scipy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from experiments import stats
from experiments.sign_test import holm, sign_test
from tests.test_experiments_stats import sums_of


@pytest.mark.parametrize(
    ("won", "lost", "p"),
    [
        (8, 2, 2 * (1 + 10 + 45) / 2**10),
        (2, 8, 2 * (1 + 10 + 45) / 2**10),
        (17, 3, 2 * (1 + 20 + 190 + 1140) / 2**20),
        (5, 0, 2 / 2**5),
        (5, 5, 1.0),
        (1, 0, 1.0),
        (0, 0, 1.0),
    ],
)
def test_sign_test_by_hand(won, lost, p):
    assert sign_test(won, lost) == pytest.approx(p, rel=1e-12)


@given(st.integers(0, 400), st.integers(0, 400))
def test_it_is_the_binomial_test(won, lost):
    if won + lost:
        expected = scipy_stats.binomtest(won, won + lost).pvalue
        assert sign_test(won, lost) == pytest.approx(expected, rel=1e-9)


def test_it_is_exact_for_many_deals_too():
    tail = sum(math.comb(5000, k) for k in range(2401))
    assert sign_test(2400, 2600) == pytest.approx(2 * tail / 2**5000, rel=1e-8)


def test_it_rejects_as_often_as_it_says():
    won = np.random.default_rng(1).binomial(100, 0.5, 20_000)
    share = (sign_test(won, 100 - won) <= 0.05).mean()
    # 40 and fewer of 100 (or 60 and more): 5.7 %; 39 and fewer: 3.5 %, the largest below 5 %
    assert share == pytest.approx(0.0352, abs=0.004)


def test_holm_by_hand():
    # 0.005 * 4, 0.01 * 3, 0.03 * 2, 0.04 * 1 raised to the one before it
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])
    np.testing.assert_allclose(holm([0.6, 0.5]), [1.0, 1.0])
    np.testing.assert_allclose(holm([0.2]), [0.2])
    assert holm([]).tolist() == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_rejects_what_the_step_down_procedure_rejects(p_values):
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    rejected = set()
    for step, place in enumerate(order):
        if p_values[place] * (len(p_values) - step) > 0.05:
            break
        rejected.add(place)
    adjusted = holm(p_values)
    assert {i for i, p in enumerate(adjusted) if p <= 0.05} == rejected
    assert (adjusted >= np.array(p_values)).all()


def deals_of(differences, agents=(0, 1)):
    """A deal for each difference, played in both seatings."""
    rows = []
    for deal, difference in enumerate(differences):
        rows.append((deal, agents, (difference, 0), 1, (0, 0)))
        rows.append((deal, agents[::-1], (0, 0), 1, (0, 0)))
    return rows


def test_pairs_have_it_over_deals():
    rows = deals_of([5, 3, 1, -200, 0, 2, 9, 0])
    listed = stats.pairs("ab", sums_of(rows, 2)).set_index("agent")
    columns = ["deals_won", "deals_lost", "deals_tied"]
    assert listed.loc["a", columns].tolist() == [5, 1, 2]
    assert listed.loc["b", columns].tolist() == [1, 5, 2]
    p = 2 * (1 + 6) / 2**6
    assert listed["sign_p"].tolist() == pytest.approx([p, p])
    assert listed["sign_p_holm"].tolist() == pytest.approx([p, p])  # one pair: one test


def test_holm_counts_each_pair_once():
    rows = []
    for number, agents in enumerate([(0, 1), (0, 2), (1, 2)]):
        won = [8, 9, 10][number]
        rows += [(deal, agents, (1 if deal < won else -1, 0), 1, (0, 0)) for deal in range(10)]
    sums = sums_of(sorted(rows, key=lambda row: row[0]), 3)
    assert stats.num_tests(sums) == 3
    listed = stats.pairs("abc", sums).set_index(["agent", "opponent"])
    p = {8: 112 / 1024, 9: 22 / 1024, 10: 2 / 1024}
    for pair in (("b", "c"), ("c", "b")):
        assert listed.loc[pair, "sign_p_holm"] == pytest.approx(3 * p[10])
    for pair in (("a", "c"), ("c", "a")):
        assert listed.loc[pair, "sign_p_holm"] == pytest.approx(2 * p[9])
    for pair in (("a", "b"), ("b", "a")):
        assert listed.loc[pair, "sign_p_holm"] == pytest.approx(p[8])


def test_one_among_others_and_the_reverse_are_two_tests():
    rows = []
    for deal in range(6):
        rows.append((deal, (0, 1, 1), (5, 1, 2), 1, (0, 0, 0)))  # a alone wins every deal
        rows.append((deal, (1, 0, 0), (deal - 2, 0, 0), 1, (0, 0, 0)))  # b alone: 2 lost, 3 won
    sums = sums_of(rows, 2)
    assert stats.num_tests(sums) == 2
    listed = stats.pairs("ab", sums).set_index("agent")
    assert listed.loc["a", "sign_p_holm"] == pytest.approx(2 * 2 / 2**6)
    assert listed.loc["b", ["deals_won", "deals_lost", "deals_tied"]].tolist() == [3, 2, 1]
    assert listed.loc["b", "sign_p_holm"] == 1.0
