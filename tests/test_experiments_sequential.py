"""Confidence sequences and the rule of `compare`, by simulations whose truth is known."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import optimize, special

from experiments.errors import RunError
from experiments.operating import operating_curve
from experiments.sequential import (
    BETTER,
    GOES_ON,
    MIN_DIFFERING,
    NOT_BETTER,
    Rule,
    factor,
    interval,
    known_error,
)
from experiments.tournament import tournament

# --- the bound -----------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [0.0125, 0.025, 0.2])
@pytest.mark.parametrize("deals", [100, 1000, 30_000])
def test_the_bound_is_that_of_the_mixture_to_a_few_per_cent(deals, error):
    # Robbins' mixture over a half-normal slope of variance 1/r, solved without the closed form
    r = 121.8

    def mixture(total):
        scaled = total / math.sqrt(deals + r)
        grown = math.sqrt(r / (deals + r)) * math.exp(scaled**2 / 2)
        return 2 * grown * special.ndtr(scaled) - 1 / error

    exact = optimize.root_scalar(mixture, bracket=(0, 10 * math.sqrt(deals + r))).root
    exact /= math.sqrt(deals)
    assert exact <= factor(deals, error) <= 1.1 * exact


def test_it_is_tightest_at_a_thousand_deals():
    deals = np.arange(100, 20_000)
    assert deals[factor(deals, 0.025).argmin()] == pytest.approx(1000, rel=0.05)
    assert factor(1000, 0.025) == pytest.approx(3.04, abs=0.01)
    assert factor([300, 10_000], 0.025).max() < 1.07 * factor(1000, 0.025)


def test_a_mean_ever_strays_farther_as_seldom_as_it_says():
    rng = np.random.default_rng(1)
    deals = np.arange(1, 5001)
    for error in (0.025, 0.2):
        means = rng.normal(0, 1, (1000, 5000)).cumsum(axis=1) / deals
        share = (means * np.sqrt(deals) > factor(deals, error)).any(axis=1).mean()
        assert error / 5 < share <= error
    low, high = interval(400, np.array(2.0), np.array(0.5))
    assert (low, high) == pytest.approx(
        (2 - 0.5 * factor(400, 0.025), 2 + 0.5 * factor(400, 0.025))
    )


# --- the rule ------------------------------------------------------------------------------------


def test_looks_grow_from_100_to_the_cap():
    looks = Rule().looks
    assert (looks[0], looks[1], looks[-1]) == (100, 111, 20_000)
    assert (np.diff(looks) > 0).all()
    assert max(np.divide(looks[1:], looks[:-1])) < 1.12
    assert Rule(max_deals=100).looks == (100,)
    assert Rule(max_deals=101).looks == (100, 101)
    assert Rule(max_deals=111).looks == (100, 111)


def test_what_a_look_says():
    rule = Rule(delta=3)
    z = float(factor(100, 0.025))
    cases = {
        (z + 0.01, 1.0): BETTER,
        (z - 0.01, 1.0): GOES_ON,
        (3 - z - 0.01, 1.0): NOT_BETTER,
        (3 - z + 0.01, 1.0): GOES_ON,
        (1.0, 0.01): BETTER,  # between 0 and delta: it is better
        (0.0, 0.0): NOT_BETTER,
        (50.0, math.inf): GOES_ON,
    }
    for (value, error), said in cases.items():
        assert rule.decide(100, np.array([value]), np.array([error])) == said


def test_errors_have_bounds_of_their_own():
    value, error = np.array([3.1]), np.array([1.0])
    assert Rule(alpha=0.025).decide(1000, value, error) == BETTER
    assert Rule(alpha=0.02).decide(1000, value, error) == GOES_ON
    value = np.array([-0.1])
    assert Rule(beta=0.025).decide(1000, value, error) == NOT_BETTER
    assert Rule(beta=0.02).decide(1000, value, error) == GOES_ON


def test_two_directions_have_to_agree_on_better_and_one_is_enough_against_it():
    rule = Rule(num_directions=2)
    errors = np.array([1.0, 1.0])
    for values, said in {
        (9.0, 9.0): BETTER,
        (9.0, 1.0): GOES_ON,
        (9.0, -9.0): NOT_BETTER,
        (-9.0, 9.0): NOT_BETTER,
    }.items():
        assert rule.decide(1000, np.array(values), errors) == said
    assert rule.decide(1000, np.array([9.0, 3 - 3.1]), errors) == GOES_ON  # an error of beta / 2


def test_with_few_differing_deals_nothing_is_known():
    found = known_error(np.array([1.0, 1.0]), np.array([MIN_DIFFERING - 1, MIN_DIFFERING]))
    assert found.tolist() == [math.inf, 1.0]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"delta": 0}, "delta=0 is not allowed: use points per round above 0"),
        ({"delta": -3}, "delta=-3 is not allowed"),
        ({"delta": math.inf}, "delta=inf is not allowed"),
        ({"alpha": 0}, "alpha=0 is not allowed: use a chance between 0 and 1"),
        ({"alpha": 1}, "alpha=1 is not allowed"),
        ({"beta": -0.1}, "beta=-0.1 is not allowed"),
        ({"beta": math.nan}, "beta=nan is not allowed"),
        ({"max_deals": 99}, "max_deals=99 is not allowed: use 100 or more"),
    ],
)
def test_rules_that_cannot_be_are_refused(given, said):
    with pytest.raises(RunError, match=said):
        Rule(**given)


# --- in the long run -----------------------------------------------------------------------------


def simulated(*given: Any, **more: Any) -> Any:
    """An operating curve, by true difference."""
    return operating_curve(*given, **more).set_index("difference")


RUNS = 2000
LUCK = 3 * math.sqrt(0.025 * 0.975 / RUNS)
"""Three standard deviations of a simulated share of 2.5 %."""


@pytest.fixture(scope="module")
def real():
    """Differences of 1,500 deals of three pairs, by what they look like."""
    played = tournament(["random", "greedy", "greedy:digs=never"], deals=1500, seed=3)
    margin = played.sums.margin / 2
    return {"narrow": margin[:, 0, 1], "wide": margin[:, 0, 2]}


def test_errors_with_the_spread_of_real_deals(real):
    for pool in real.values():
        curve = simulated(pool, [0.0, 3.0], runs=RUNS)
        assert curve.loc[0.0, "better"] <= 0.025
        assert curve.loc[3.0, "not_better"] <= 0.025
        assert curve.loc[3.0, "better"] >= 0.975  # the cap is far enough
        assert curve["covered"].min() >= 0.95
        assert curve["mean_deals"].max() < 4000


def test_the_interval_after_stopping_holds_the_truth_whatever_it_is(real):
    curve = simulated(real["wide"], [-6.0, 1.0, 1.5, 2.0, 8.0], runs=RUNS)
    assert curve["covered"].min() >= 0.95
    assert (np.diff(curve["better"]) > 0).all()
    assert (curve[["better", "not_better", "undecided"]].sum(axis=1) == 1).all()
    assert curve.loc[1.5, "mean_deals"] > 2 * curve.loc[8.0, "mean_deals"]


@pytest.mark.parametrize(("alpha", "beta"), [(0.1, 0.025), (0.025, 0.2), (0.05, 0.05)])
def test_each_error_has_its_bound(real, alpha, beta):
    rule = Rule(alpha=alpha, beta=beta)
    curve = simulated(real["narrow"], [0.0, 3.0], rule, RUNS)
    assert 0 < curve.loc[0.0, "better"] <= alpha
    assert 0 < curve.loc[3.0, "not_better"] <= beta
    assert curve["covered"].min() >= 0.95  # the interval is one of 95 % whatever the errors are


@pytest.mark.parametrize("kind", ["heavy tails", "skewed", "seldom"])
def test_errors_with_other_spreads(kind):
    rng = np.random.default_rng(4)
    pool = {
        "heavy tails": lambda: 30 * rng.standard_t(3, 20_000),
        "skewed": lambda: 25 * rng.gamma(4, 1, 20_000),
        "seldom": lambda: rng.choice([0] * 97 + [-90, 60, 200], 20_000).astype(float),
    }[kind]()
    curve = simulated(pool, [0.0, 3.0], runs=RUNS)
    assert curve.loc[0.0, "better"] <= 0.025 + LUCK
    assert curve.loc[3.0, "not_better"] <= 0.025 + LUCK
    assert curve["covered"].min() >= 0.95


def test_a_cap_leaves_it_undecided(real):
    curve = simulated(real["wide"], [1.5], Rule(max_deals=200), runs=500)
    assert curve.loc[1.5, "undecided"] > 0.9
    assert curve.loc[1.5, "mean_deals"] > 190


def test_in_two_directions_the_errors_hold_too():
    rng = np.random.default_rng(6)
    rule = Rule(num_directions=2)
    looks = np.array(rule.looks)
    steps = np.diff(looks, prepend=0)
    for true, wrong in (((0.0, 9.0), BETTER), ((3.0, 3.0), NOT_BETTER)):
        noise = rng.normal(0, 40, (RUNS, len(looks), 2)) * np.sqrt(steps)[:, None]
        means = noise.cumsum(axis=1) / looks[:, None] + np.array(true)
        said = np.stack(
            [
                rule.decide(int(look), means[:, place], np.full(2, 40 / math.sqrt(look)))
                for place, look in enumerate(looks)
            ]
        )
        first = (said != GOES_ON).argmax(axis=0)
        assert (said[first, np.arange(RUNS)] == wrong).mean() <= 0.025


def test_simulations_that_cannot_be_are_refused():
    with pytest.raises(RunError, match=r"clusters of shape \(1,\)"):
        operating_curve([1.0], [0.0])
    with pytest.raises(RunError, match="runs=0 is not allowed"):
        operating_curve([1.0, 2.0], [0.0], runs=0)
