"""Control variates: unbiased, with true intervals, and as much narrower as they say."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats

from experiments import stats
from experiments.control import controlled_pairs, controlled_ratio
from experiments.errors import RunError
from experiments.tournament import tournament

TRUE = 5.0


def deals(rng, num_deals, further, strength, kind="linear"):
    """Totals and units of deals with mean 5 per unit, their controls, those of further deals."""
    luck = rng.normal(0, 1, (num_deals + further, 2))
    own = luck[:num_deals]
    x = own[:, 0]
    shared = x if kind == "linear" else (x + (x**2 - 1) / np.sqrt(2)) / np.sqrt(2)
    noise = rng.standard_t(5, num_deals) / np.sqrt(5 / 3)
    units = np.full(num_deals, 2)
    totals = units * (TRUE + 10 * (strength * shared + np.sqrt(1 - strength**2) * noise))
    return totals, units, own, luck[num_deals:]


@pytest.mark.parametrize(("strength", "kind"), [(0.0, "linear"), (0.9, "linear"), (0.9, "bent")])
def test_it_is_unbiased_and_its_intervals_hold_the_truth(strength, kind):
    rng = np.random.default_rng(3)
    found = [controlled_ratio(*deals(rng, 100, 1000, strength, kind)) for _ in range(1000)]
    values = np.array([one.value for one in found])
    error = values.std() / np.sqrt(len(values))
    assert abs(values.mean() - TRUE) < 3 * error
    assert error < 0.04  # a bias of a tenth of the interval would be seen
    halves = np.array([one.half_width for one in found])
    assert 0.93 < (np.abs(values - TRUE) <= halves).mean() < 0.97


def test_it_narrows_the_interval_by_what_deals_share():
    rng = np.random.default_rng(5)
    for strength in (0.0, 0.6, 0.9):
        totals, units, own, further = deals(rng, 4000, 40_000, strength)
        plain = stats.ratio_estimate(totals, units)
        found = controlled_ratio(totals, units, own, further)
        expected = 1 / np.sqrt(
            1 - strength**2 * (1 - 1 / 10)
        )  # a tenth is the further deals' error
        assert plain.half_width / found.half_width == pytest.approx(expected, rel=0.03)


def test_the_error_of_the_further_deals_counts():
    rng = np.random.default_rng(6)
    widths = [
        controlled_ratio(*deals(rng, 2000, further, 0.95)).standard_error
        for further in (500, 200_000)
    ]
    # variance of the mean: 100 / 2000 * (0.0975 + 0.9025 * 2000 / further)
    few = controlled_ratio(*deals(rng, 100, 1000, 0.5))
    assert few.half_width == pytest.approx(scipy_stats.t.ppf(0.975, 97) * few.standard_error)
    assert widths[0] == pytest.approx(np.sqrt(0.05 * (0.0975 + 0.9025 * 4)), rel=0.08)
    assert widths[1] == pytest.approx(np.sqrt(0.05 * (0.0975 + 0.9025 / 100)), rel=0.08)


def test_ratios_of_deals_of_unequal_length():
    rng = np.random.default_rng(8)
    inside = []
    for _ in range(1000):
        luck = rng.normal(0, 1, (1100, 1))
        units = rng.integers(4, 12, 100)
        totals = units * (TRUE + rng.normal(0, 5, 100)) + 60 * luck[:100, 0]
        found = controlled_ratio(totals, units, luck[:100], luck[100:])
        inside.append(abs(found.value - TRUE) <= found.half_width)
    assert 0.93 < np.mean(inside) < 0.97


def test_controls_that_say_nothing_change_nothing():
    totals, units = np.arange(200.0), np.full(200, 2)
    found = controlled_ratio(totals, units, np.ones((200, 3)), np.ones((1000, 3)))
    plain = stats.ratio_estimate(totals, units)
    assert (found.value, found.num_controls) == (pytest.approx(float(plain.value)), 0)
    assert found.half_width == pytest.approx(float(plain.half_width))


def test_deals_without_a_game_of_the_pair_are_left_out():
    rng = np.random.default_rng(9)
    totals, units, own, further = deals(rng, 200, 1000, 0.8)
    gaps = np.insert(units, [3, 50], 0)
    padded = controlled_ratio(
        np.insert(totals, [3, 50], 0.0), gaps, np.insert(own, [3, 50], 9.0, axis=0), further
    )
    assert padded == pytest.approx(controlled_ratio(totals, units, own, further))


# --- tournaments ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played():
    return tournament(["random", "greedy", "greedy:digs=never"], deals=200, seed=4)


def test_a_baseline_against_itself(played):
    found = controlled_pairs(played, "greedy", further_deals=600)
    assert len(found) == 6
    plain = played.pairs
    for name in ("agent", "opponent", "difference", "half_width"):
        assert found[name].tolist() == plain[name].tolist()
    mirrored = found.set_index(["agent", "opponent"])
    one, other = (mirrored.loc[pair] for pair in (("random", "greedy"), ("greedy", "random")))
    assert one["controlled"] == pytest.approx(-other["controlled"])
    assert found["narrowing"].between(0.95, 1.2).all()  # honest: it hardly helps
    np.testing.assert_allclose(found["controlled"], found["difference"], atol=2)
    np.testing.assert_allclose(found["low"] + found["high"], 2 * found["controlled"])


def test_two_baselines_that_are_the_pair_give_the_mean_of_the_further_deals(played):
    found = controlled_pairs(played, ["greedy", "random"], further_deals=2000)
    row = found.set_index(["agent", "opponent"]).loc[("greedy", "random")]
    more = tournament(["greedy", "random"], deals=2200, seed=4).sums.margin[200:, 0, 1] / 2
    assert row["controlled"] == pytest.approx(more.mean(), abs=0.1)
    assert row["narrowing"] == pytest.approx(np.sqrt(10), rel=0.1)


def test_workers_and_objects_do_not_change_it(played):
    one = controlled_pairs(played, ["greedy", "random"], further_deals=300)
    two = controlled_pairs(played, ["greedy", "random"], further_deals=300, workers=2)
    pd.testing.assert_frame_equal(one, two, check_exact=True)


@pytest.mark.parametrize(
    ("rules", "seats", "episode"),
    [("rummy500", 3, "round"), ("rummy500", 3, "game"), ("partnership_500", 4, "round")],
)
def test_more_seats_and_games_and_teams(rules, seats, episode):
    few = tournament(["random", "greedy"], rules, seats, deals=100, episode=episode)
    told = []
    found = controlled_pairs(
        few, ["greedy", "random"], 100, progress=lambda done, total: told.append((done, total))
    )
    assert found[["controlled", "controlled_half_width"]].notna().to_numpy().all()
    assert told[-1] == (3 * 200, 3 * 200)


def test_faults_are_one_line(played):
    few = tournament(["random", "greedy"], deals=99)
    for call, said in [
        (lambda: controlled_pairs(few), "a control needs 100 deals or more: there are 99"),
        (lambda: controlled_pairs(played, []), "needs a baseline"),
        (lambda: controlled_pairs(played, further_deals=5), "further_deals=5 is not allowed"),
        (lambda: controlled_pairs(played, workers=0), "workers=0 is not allowed"),
    ]:
        with pytest.raises(RunError, match=said):
            call()
