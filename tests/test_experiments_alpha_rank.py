"""Alpha-rank: small cases by hand, OpenSpiel where it is installed, and samples of deals."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest

from experiments import stats
from experiments.alpha_rank import POPULATION, alpha_rank, alpha_sweep, stationary
from experiments.errors import RunError
from experiments.stats import ClusterSums
from experiments.tournament import tournament
from tests.test_experiments_stats import games, sums_of

CYCLE = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def matrix(values, names="abcdefg"):
    size = len(values)
    return pd.DataFrame(values, list(names[:size]), list(names[:size]))


def test_of_two_agents_the_masses_are_as_their_chances_to_take_over():
    payoffs = np.array([[0.0, 0.3], [-0.3, 0.0]])
    mass = stationary(payoffs, 0.1)
    u = 0.1 * 0.6
    chance = (1 - math.exp(-u)) / (1 - math.exp(-POPULATION * u))
    other = (1 - math.exp(u)) / (1 - math.exp(POPULATION * u))
    assert mass.tolist() == pytest.approx([chance / (chance + other), other / (chance + other)])
    assert mass[0] / mass[1] == pytest.approx(math.exp((POPULATION - 1) * u))


def test_equals_and_cycles_share_alike():
    for alpha in (1e-3, 1.0, 1e6):
        assert stationary(np.zeros((4, 4)), alpha).tolist() == pytest.approx([1 / 4] * 4)
        assert stationary(CYCLE, alpha).tolist() == pytest.approx([1 / 3] * 3)


def test_one_that_beats_all_has_all_and_a_cycle_below_gets_nothing():
    payoffs = np.zeros((4, 4))
    payoffs[:3, :3] = CYCLE
    payoffs[3, :3], payoffs[:3, 3] = 0.1, -0.1
    settled = alpha_sweep(matrix(payoffs)).iloc[-1]
    assert settled[list("abcd")].tolist() == pytest.approx([0, 0, 0, 1])
    payoffs[3], payoffs[:, 3] = -payoffs[3], -payoffs[:, 3]  # now it loses to all
    settled = alpha_sweep(matrix(payoffs)).iloc[-1]
    assert settled[list("abcd")].tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_settled_chains_by_hand():
    # A settled population goes to each agent that beats the one it plays, equally often: so what
    # goes into an agent, from those it beats, is what goes out, to those that beat it.
    beats = {"a": "bc", "b": "cd", "c": "d", "d": "a"}
    payoffs = matrix(np.zeros((4, 4)))
    for winner, losers in beats.items():
        for loser in losers:
            payoffs.loc[winner, loser], payoffs.loc[loser, winner] = 7.0, -7.0
    mass = alpha_sweep(payoffs).iloc[-1]
    for agent in "abcd":
        out = mass[agent] * sum(agent in losers for losers in beats.values())
        into = sum(mass[loser] for loser in beats[agent])
        assert out == pytest.approx(into)
    assert mass[list("abcd")].sum() == pytest.approx(1)


@pytest.mark.parametrize("size", [2, 3, 6])
def test_it_is_the_alpha_rank_of_open_spiel(size):
    theirs = pytest.importorskip("open_spiel.python.egt.alpharank", exc_type=ImportError)
    rng = np.random.default_rng(size)
    for symmetric in (False, True):
        payoffs = rng.normal(0, 5, (size, size))
        if symmetric:
            payoffs = payoffs - payoffs.T
        for alpha in (1e-3, 1e-2, 0.1, 1.0):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # theirs overflows, to 0
                found = theirs.compute(
                    [payoffs], m=POPULATION, alpha=alpha, use_local_selection_model=True
                )
            np.testing.assert_allclose(stationary(payoffs, alpha), found[2], atol=1e-12)


def test_a_sweep_goes_from_equal_to_settled():
    rng = np.random.default_rng(3)
    payoffs = rng.normal(0, 30, (5, 5))
    sweep = alpha_sweep(matrix(payoffs - payoffs.T))
    masses = sweep[list("abcde")].to_numpy()
    assert (np.diff(sweep["alpha"]) > 0).all()
    np.testing.assert_allclose(masses.sum(axis=1), 1)
    np.testing.assert_allclose(masses[0], 0.2, atol=0.01)
    np.testing.assert_allclose(masses[-1], masses[-4], atol=1e-9)  # settled
    assert np.abs(masses[0] - masses[-1]).max() > 0.1


def test_settled_only_who_beats_whom_counts():
    rng = np.random.default_rng(4)
    signs = np.triu(rng.choice([-1.0, 1.0], (5, 5)), 1)
    one = signs * rng.uniform(0.1, 50, (5, 5))
    other = signs * rng.uniform(0.1, 50, (5, 5))
    settled = [alpha_sweep(matrix(found - found.T)).iloc[-1, 1:] for found in (one, other)]
    np.testing.assert_allclose(settled[0], settled[1], atol=1e-9)


# --- tournaments ---------------------------------------------------------------------------------


def test_of_a_tournament():
    played = tournament(["random", "greedy", "greedy:digs=never"], deals=40)
    found = alpha_rank(played.agents, played.sums, 50).set_index("agent")
    assert found.loc["greedy"].tolist() == pytest.approx([1, 1, 1])
    board = played.ratings.set_index("agent")
    assert board["alpha_rank"].to_dict() == found["mass"].to_dict()
    last = alpha_sweep(played.payoffs).iloc[-1]
    assert last["greedy"] == pytest.approx(1)


def close_deals(num_deals, seed):
    rng = np.random.default_rng(seed)
    return [
        (deal, table, rng.integers(-100, 100, 2), 1, (0, 0))
        for deal in range(num_deals)
        for table in ((0, 1), (1, 0))
    ]


def test_where_it_is_open_who_is_better_the_interval_is_all():
    found = alpha_rank(["a", "b"], sums_of(close_deals(60, 1), 2))
    assert found["low"].tolist() == pytest.approx([0, 0], abs=1e-9)
    assert found["high"].tolist() == pytest.approx([1, 1])
    few = alpha_rank(["a", "b"], sums_of(close_deals(20, 1), 2))
    assert few[["low", "high"]].isna().to_numpy().all()


def test_no_order_of_games_can_be_seen():
    rows = close_deals(60, 2)
    turned = [rows[i + 1 - 2 * (i % 2)] for i in range(len(rows))]  # within the deals
    parts = ClusterSums(2, (1,))
    for k in range(0, len(turned), 10):
        parts.add(games(turned[k : k + 10]))
    one, other = sums_of(rows, 2), parts.sums()
    pd.testing.assert_frame_equal(
        alpha_rank("ab", one, 50), alpha_rank("ab", other, 50), check_exact=True
    )


def test_what_has_no_alpha_rank_is_refused():
    apart = sums_of([(0, (0, 1), (1, 2), 1, (0, 0)), (0, (2, 3), (1, 2), 1, (0, 0))], 4)
    with pytest.raises(RunError, match="a never met c"):
        alpha_rank("abcd", apart)
    with pytest.raises(RunError, match="a never met c"):
        alpha_sweep(stats.payoffs("abcd", apart)[0])
    three = sums_of([(0, (0, 1, 2), (1, 2, 3), 1, (0, 0, 0))], 3)
    with pytest.raises(RunError, match="for two seats: these tables have 3"):
        alpha_rank("abc", three)
    with pytest.raises(RunError, match="a never met b"):
        alpha_rank("ab", ClusterSums(2, (1,)).sums())
    with pytest.raises(RunError, match="two agents or more"):
        alpha_sweep(matrix(np.zeros((1, 1))))
