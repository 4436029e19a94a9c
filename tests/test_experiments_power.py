"""How many deals a difference takes: by hand, and by simulated tournaments that find it."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats

from experiments import power, stats
from experiments.errors import RunError
from experiments.power import deals_needed, detectable, power_curve, power_table
from experiments.stats import ClusterSums, ratio_estimate
from experiments.tournament import tournament
from tests.test_experiments_stats import sums_of


def test_by_hand():
    # (1.9600 + 0.8416)² * 40² / 2² = 3139.6; Student's quantiles add about two
    assert 3139 < deals_needed(40, 2) <= 3143
    assert deals_needed(40, 2, alpha=0.01, power=0.9) == pytest.approx(
        (2.5758 + 1.2816) ** 2 * 400, rel=2e-3
    )
    assert detectable(40, 3142) == pytest.approx(2, rel=1e-3)
    assert deals_needed(0, 2) == 2


@pytest.mark.parametrize("deviation", [3.0, 17.5, 80.0])
def test_it_is_the_first_number_of_deals_that_does(deviation):
    needed = deals_needed(deviation, 2.5)
    assert detectable(deviation, needed) <= 2.5
    assert needed == 2 or detectable(deviation, needed - 1) > 2.5


@pytest.mark.parametrize(("deviation", "difference"), [(45.0, 9.0), (45.0, 5.0)])
def test_tournaments_of_that_length_find_it_as_often_as_said(deviation, difference):
    deals, runs = deals_needed(deviation, difference), 4000
    assert deals >= stats.MIN_DEALS
    rng = np.random.default_rng(1)
    totals = 2 * rng.normal(difference, deviation, (deals, runs))
    found = ratio_estimate(totals, np.full((deals, runs), 2))
    share = (found.value - found.half_width > 0).mean()
    assert share == pytest.approx(0.8, abs=0.02)
    # as scipy's noncentral t has it
    limit = scipy_stats.t.ppf(0.975, deals - 1)
    exact = scipy_stats.nct.sf(limit, deals - 1, difference / deviation * np.sqrt(deals))
    assert exact == pytest.approx(0.8, abs=0.01)


def test_a_table_for_all_pairs_from_the_spread_of_their_deals():
    played = tournament(["random", "greedy", "greedy:digs=never"], deals=60)
    table = power_table(played.agents, played.sums, 2.0).to_dict("list")
    margin = played.sums.margin[:, 0, 1] / 2
    assert table["deviation"][0] == pytest.approx(margin.std(ddof=1))
    assert table["deals_needed"][0] == deals_needed(margin.std(ddof=1), 2.0)
    assert table["detectable"][0] == pytest.approx(detectable(margin.std(ddof=1), 60))
    assert table["deals"] == [60] * 6


def test_a_curve():
    curve = power_curve(45.0, [100, 1000])
    pd.testing.assert_frame_equal(
        curve,
        pd.DataFrame(
            {"deals": [100, 1000], "detectable": [detectable(45, 100), detectable(45, 1000)]}
        ),
    )


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: deals_needed(40, 0), "detect=0 is not allowed: use points per round above 0"),
        (lambda: deals_needed(40, -2), "detect=-2 is not allowed"),
        (lambda: deals_needed(40, float("nan")), "detect=nan is not allowed"),
        (lambda: deals_needed(40, 1e-12), "no number of deals would do"),
        (lambda: deals_needed(float("nan"), 2), "at least 2 deals to know it"),
        (lambda: deals_needed(40, 2, alpha=1), "alpha=1 is not allowed"),
        (lambda: deals_needed(40, 2, alpha=0), "alpha=0 is not allowed"),
        (lambda: deals_needed(40, 2, power=0.01), "power=0.01 is not allowed"),
        (lambda: deals_needed(40, 2, power=1), "power=1 is not allowed"),
        (lambda: detectable(40, 1), "deals=1 is not allowed: use 2 or more"),
    ],
)
def test_questions_without_an_answer_are_refused(call, said):
    with pytest.raises(RunError, match=said):
        call()


def test_the_spread_is_not_known_from_one_deal_or_none():
    one = sums_of([(0, (0, 1), (5, 2), 1, (0, 0)), (0, (1, 0), (5, 2), 1, (0, 0))], 2)
    for sums in (one, ClusterSums(2, (1,)).sums()):
        with pytest.raises(RunError, match="play 2 deals or more"):
            power_table("ab", sums, 2.0)
    assert power.ALPHA == 0.05
