"""Statistics against numbers computed by hand, scipy, and a simulation whose truth is known."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from experiments import stats
from experiments.stats import MIN_DEALS, ClusterSums, GameSums, ratio_estimate


def games(rows) -> Any:
    """Block and result from rows (deal, agents by seat, scores by seat, rounds, seats out)."""
    deal, agents, scores, rounds, out = map(np.array, zip(*rows, strict=True))
    best = scores == scores.max(axis=1, keepdims=True)
    return GameSums(deal, agents, scores, best, rounds, out)


def seats_held(num_players):
    return sorted({1, num_players - 1})


def sums_of(rows, num_agents):
    played = games(rows)
    found = ClusterSums(num_agents, seats_held(played.agents.shape[1]))
    found.add(played)
    return found.sums()


# --- ratios --------------------------------------------------------------------------------------


def test_with_equal_units_it_is_the_mean_with_its_usual_interval():
    values = np.random.default_rng(1).normal(3, 10, 200)
    found = ratio_estimate(values * 2, np.full(200, 2))
    assert found.value == pytest.approx(values.mean())
    error = scipy_stats.sem(values)
    assert found.standard_error == pytest.approx(error)
    assert found.half_width == pytest.approx(scipy_stats.t.ppf(0.975, 199) * error)
    assert found.deviation == pytest.approx(values.std(ddof=1))
    assert found.num_deals == 200


def test_a_ratio_by_hand():
    totals, units = np.tile([6.0, 2.0, 10.0], 10), np.tile([1, 2, 3], 10)
    found = ratio_estimate(totals, units)
    assert found.value == pytest.approx(3.0)  # 180 points in 60 rounds
    # rests 3, -4, 1: squares 26 in three deals, 260 in all
    assert found.standard_error == pytest.approx(np.sqrt(30 / 29 * 260 / 60**2))
    assert found.half_width == pytest.approx(2.0452 * found.standard_error, rel=1e-4)


def test_deals_that_were_not_played_do_not_count():
    totals, units = np.arange(40.0), np.ones(40)
    padded = ratio_estimate(np.append(totals, [0, 0]), np.append(units, [0, 0]))
    plain = ratio_estimate(totals, units)
    np.testing.assert_allclose(padded, plain)
    assert padded.half_width == pytest.approx(plain.half_width)
    assert padded.num_deals == 40


def test_few_deals_have_no_interval():
    few, enough = (ratio_estimate(np.arange(n) % 2, np.ones(n)) for n in (MIN_DEALS - 1, MIN_DEALS))
    assert np.isnan(few.half_width)
    assert few.value == pytest.approx(14 / 29)
    assert enough.half_width > 0
    nothing = ratio_estimate(np.zeros(0), np.zeros(0))
    assert np.isnan(nothing.value)


def simulated(kind, num_deals, runs):
    """Totals and units of deals (num_deals, runs) whose mean per unit is 5."""
    rng = np.random.default_rng(7)
    shape = (num_deals, runs)
    if kind == "ratio":  # games of unequal length; a deal's luck is shared by all of its rounds
        units = rng.integers(4, 12, shape)
        luck = rng.normal(0, 20, shape)
        return units * (5 + luck) + np.sqrt(units) * rng.normal(0, 60, shape), units
    units = np.full(shape, 2)
    noise = {
        "normal": lambda: rng.normal(0, 50, shape),
        "heavy tails": lambda: 30 * rng.standard_t(4, shape),
        "skewed": lambda: 25 * (rng.gamma(4, 1, shape) - 4),  # a skewness of 1; that of play is 0.2
    }[kind]()
    return units * (5 + noise), units


@pytest.mark.parametrize("kind", ["normal", "heavy tails", "skewed", "ratio"])
@pytest.mark.parametrize("num_deals", [MIN_DEALS, 100, 400])
def test_intervals_hold_the_truth_as_often_as_they_say(kind, num_deals):
    totals, units = simulated(kind, num_deals, 5_000)
    found = ratio_estimate(totals, units)
    coverage = (np.abs(found.value - 5.0) <= found.half_width).mean()
    assert 0.94 < coverage < 0.96


# --- sums ----------------------------------------------------------------------------------------

TWO = [
    # deal, agents, scores, rounds, went out
    (0, (0, 1), (100, 40), 2, (1, 1)),
    (0, (1, 0), (70, 80), 2, (1, 0)),
    (1, (0, 1), (10, 30), 1, (0, 1)),
    (1, (1, 0), (55, 55), 1, (0, 0)),
]


def test_two_seats_by_hand():
    sums = sums_of(TWO, 2)
    margins = stats.margins(sums).value
    assert margins[0, 1] == pytest.approx((60 + 10 - 20 + 0) / 6)
    assert margins[1, 0] == -margins[0, 1]
    assert margins[0, 0] == margins[0, 1]  # the only opponent is the field
    board = stats.leaderboard(["a", "b"], sums).set_index("agent")
    assert list(board.index) == ["a", "b"]
    assert board.loc["a", "points_per_round"] == pytest.approx((100 + 80 + 10 + 55) / 6)
    assert board.loc["a", "win_share"] == pytest.approx((1 + 1 + 0 + 0.5) / 4)
    assert board.loc["b", "win_share"] == pytest.approx(1 - 2.5 / 4)
    assert board.loc["a", "went_out_share"] == pytest.approx(1 / 6)
    assert board.loc["b", "went_out_share"] == pytest.approx(3 / 6)
    assert board.loc["a", ["deals", "games", "rounds"]].tolist() == [2, 4, 6]


def test_one_among_three_by_hand():
    rows = [
        (0, (0, 1, 1, 1), (90, 10, 20, 30), 1, (1, 0, 0, 0)),
        (0, (1, 0, 0, 0), (50, 20, 30, 60), 1, (0, 0, 0, 1)),
    ]
    sums = sums_of(rows, 2)
    margins = stats.margins(sums).value
    assert margins[0, 1] == pytest.approx(90 - 20)  # the one 0 against the 1s
    assert margins[1, 0] == pytest.approx(50 - 110 / 3)  # the one 1 against the 0s
    assert margins[0, 0] == pytest.approx((70 + 110 / 3 - 50) / 2)  # each game once
    board = stats.leaderboard(["a", "b"], sums).set_index("agent")
    assert board.loc["a", "points_per_round"] == pytest.approx((90 + 110 / 3) / 2)
    assert board.loc["a", "win_share"] == pytest.approx((1 + 1 / 3) / 2)
    assert board.loc["a", "went_out_share"] == pytest.approx((1 + 1 / 3) / 2)


def test_tables_of_three_agents_by_hand():
    rows = [(0, (0, 1, 2), (30, 20, 60), 2, (0, 0, 1)), (0, (1, 2, 3), (9, 8, 7), 1, (1, 0, 0))]
    sums = sums_of(rows, 4)
    margins = stats.margins(sums).value
    assert margins[0, 2] == pytest.approx(-30 / 2)
    assert margins[1, 2] == pytest.approx((-40 + 1) / 3)
    assert margins[1, 1] == pytest.approx((20 - 45 + 9 - 7.5) / 3)
    assert np.isnan(margins[0, 3])
    means, halves = stats.payoffs("abcd", sums)
    assert means.loc["b", "c"] == pytest.approx(-13.0)
    assert np.isnan(means.loc["a", "a"])
    assert np.isnan(halves.loc["b", "c"])  # one deal
    listed = stats.pairs("abcd", sums).set_index(["agent", "opponent"])
    assert len(listed) == 10
    assert ("a", "d") not in listed.index
    assert listed.loc[("b", "c"), ["games", "rounds"]].tolist() == [2, 3]


def test_an_agent_holds_one_seat_or_all_but_one():
    with pytest.raises(ValueError, match="an agent holds 1 or 3 seats"):
        sums_of([(0, (0, 0, 1, 1), (1, 2, 3, 4), 1, (0, 0, 0, 0))], 2)


@given(st.data())
def test_it_does_not_matter_in_which_parts_games_are_added(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    rows = [
        (deal, rng.permutation(3), rng.integers(-200, 300, 3), rng.integers(1, 9), (0, 1, 0))
        for deal in range(8)
        for _ in range(2)
    ]
    whole = sums_of(rows, 3)
    cut = data.draw(st.integers(1, 7))
    parts = ClusterSums(3, seats_held(3))
    for chunk in (rows[: 2 * cut], rows[2 * cut :]):
        parts.add(games(chunk))
    for name in ("points", "went_out", "rounds", "games", "margin", "wins", "squares"):
        np.testing.assert_array_equal(getattr(parts.sums(), name), getattr(whole, name))


def test_nothing_played_gives_nothing():
    board = stats.leaderboard(["a", "b"], ClusterSums(2, (1,)).sums())
    assert board["rounds"].tolist() == [0, 0]
    assert np.isnan(board["vs_field"]).tolist() == [True, True]


# --- pairing -------------------------------------------------------------------------------------


def played_twice(num_deals, luck, noise):
    """Two equal agents; a deal favours the first seat by `luck`; each game adds `noise`."""
    rng = np.random.default_rng(3)
    rows = []
    for deal in range(num_deals):
        seat = rng.normal(0, luck)
        for table in ((0, 1), (1, 0)):
            scores = np.rint(rng.normal((seat, 0), noise)).astype(int)
            rows.append((deal, table, scores, 1, (0, 0)))
    return sums_of(rows, 2)


def test_pairing_shrinks_the_variance_by_what_the_seats_share():
    assert stats.pairing_gain(played_twice(3000, 0, 50))[0, 1] == pytest.approx(1, abs=0.1)
    # variance of one game: luck² + 2 noise²; of a pair's mean: noise²
    gain = stats.pairing_gain(played_twice(3000, 100, 50))[0, 1]
    assert gain == pytest.approx((100**2 + 2 * 50**2) / 2 / 50**2, rel=0.1)


def test_an_agent_against_itself_is_exactly_zero_in_each_deal():
    rng = np.random.default_rng(4)
    rows = []
    for deal in range(50):
        scores = rng.integers(-100, 200, 2)
        rows += [(deal, table, scores, 1, (0, 0)) for table in ((0, 1), (1, 0))]
    sums = sums_of(rows, 2)
    assert not sums.margin.any()
    listed = stats.pairs(["a", "b"], sums)
    assert listed["difference"].tolist() == [0, 0]
    assert listed["half_width"].tolist() == [0, 0]
    assert listed["win_share"].tolist() == [0.5, 0.5]
    assert np.isnan(listed["pairing_gain"]).tolist() == [True, True]
