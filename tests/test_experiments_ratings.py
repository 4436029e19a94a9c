"""Ratings: by closed forms, an independent likelihood, simulations with known strengths."""

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from experiments import bootstrap, choice_model
from experiments.errors import RunError
from experiments.ratings import bradley_terry, plackett_luce
from experiments.tournament import tournament


def seats_of(games, deals=None):
    """The table of seats of games, each a list of (agent, rank)."""
    rows = [
        (game if deals is None else deals[game], game, agent, rank)
        for game, seated in enumerate(games)
        for agent, rank in seated
    ]
    return pd.DataFrame(rows, columns=["deal", "game_id", "agent", "rank"])


def duels(results):
    """Games of two from a mapping of (winner, loser) to how often; a third word 'tie' for ties."""
    games = []
    for (first, second, *tie), times in results.items():
        games += [[(first, 1), (second, 1 if tie else 2)]] * times
    return seats_of(games)


def by_agent(frame, column="rating"):
    return dict(zip(frame["agent"], frame[column], strict=True))


# --- closed forms --------------------------------------------------------------------------------


def test_two_agents_differ_by_the_logarithm_of_their_odds():
    found = by_agent(bradley_terry(duels({("a", "b"): 30, ("b", "a"): 10}), 10))
    assert found["a"] - found["b"] == pytest.approx(400 * math.log10(3))
    assert found["a"] == -found["b"]


def test_a_tie_is_half_a_win_for_each():
    tied = by_agent(
        bradley_terry(duels({("a", "b"): 20, ("b", "a"): 10, ("a", "b", "tie"): 10}), 10)
    )
    assert tied["a"] - tied["b"] == pytest.approx(400 * math.log10(25 / 15))


def test_a_cycle_of_equals_is_rated_equal():
    cycle = {("a", "b"): 20, ("b", "c"): 20, ("c", "a"): 20}
    upsets = {(loser, winner): 5 for winner, loser in cycle}
    found = bradley_terry(duels(cycle | upsets), 10)
    assert found["rating"].tolist() == pytest.approx([0, 0, 0], abs=1e-6)


def test_the_fit_meets_the_wins_that_were_seen():
    # At the maximum the expected wins of each agent are its wins.
    wins = {("a", "b"): 9, ("b", "a"): 3, ("b", "c"): 6, ("c", "b"): 2, ("c", "a"): 4}
    found = by_agent(bradley_terry(duels(wins), 10))
    for agent in "abc":
        expected = sum(
            times / (1 + 10 ** ((found[other] - found[agent]) / 400))
            for pair, times in wins.items()
            if agent in pair
            for other in pair
            if other != agent
        )
        assert expected == pytest.approx(sum(n for pair, n in wins.items() if pair[0] == agent))


# --- an independent likelihood -------------------------------------------------------------------


def plainly(strength, games):
    """The logarithm of the likelihood, ties as the average over all orders of the seats."""
    total = 0.0
    for seated in games:
        orders = [
            order
            for order in itertools.permutations(seated)
            if all(a[1] <= b[1] for a, b in itertools.pairwise(order))
        ]
        for order in orders:
            left = [math.exp(strength[agent]) for agent, _ in order]
            for place in range(len(order)):
                total += math.log(left[place] / sum(left[place:])) / len(orders)
    return total


def maximum(games, names):
    def loss(values):
        return -plainly(dict(zip(names, [0.0, *values], strict=True)), games)

    found = optimize.minimize(loss, np.zeros(len(names) - 1), method="BFGS", tol=1e-9).x
    strength = np.array([0.0, *found])
    return (strength - strength.mean()) * 400 / math.log(10)


@pytest.mark.parametrize(
    "kind", ["three of three", "three of four", "an agent in several seats", "with ties"]
)
def test_plackett_luce_is_the_maximum_of_the_likelihood(kind):
    rng = np.random.default_rng(5)
    names = "abcd" if kind == "three of four" else "abc"
    games = []
    for _ in range(30):
        seated = rng.permutation(list(names))[:3].tolist()
        if kind == "an agent in several seats":
            seated = [seated[0], seated[1], seated[1], seated[1]]
        ranks = rng.permutation(len(seated)) + 1
        if kind == "with ties":
            ranks = rng.choice([1, 1, 2, 3], len(seated))
        games.append(list(zip(seated, ranks.tolist(), strict=True)))
    found = by_agent(plackett_luce(seats_of(games), 5))
    assert [found[name] for name in names] == pytest.approx(maximum(games, names), abs=0.01)


@given(
    st.lists(
        st.tuples(st.permutations("abc"), st.lists(st.integers(1, 3), min_size=3, max_size=3)),
        min_size=1,
        max_size=8,
    )
)
@settings(max_examples=25)
def test_the_counts_are_those_of_the_likelihood(told):
    games = [list(zip(names, ranks, strict=True)) for names, ranks in told]
    agents = np.array([["abc".index(name) for name, _ in game] for game in games])
    ranks = np.array([[rank for _, rank in game] for game in games])
    found = choice_model.Choices.of_rankings(agents, ranks, np.zeros(len(games), int))
    strength = np.array([0.3, -0.2, 0.9])
    sets = np.log(found.sets @ np.exp(strength))
    value = (found.chosen @ strength - found.offered @ sets)[0] / choice_model.WHOLE
    expected = plainly(dict(zip("abc", strength, strict=True)), games)
    assert value == pytest.approx(expected, abs=1e-9)


@given(st.integers(1, 40), st.sampled_from([1, 4, 2**12]), st.integers(0, 99))
def test_kinds_are_the_different_rows(num_rows, width, seed):
    rows = np.random.default_rng(seed).integers(0, width, (num_rows, 6))
    kinds, kind = choice_model._kinds(rows)
    expected = np.unique(rows, axis=0)
    assert sorted(kinds.tolist()) == expected.tolist()
    np.testing.assert_array_equal(kinds[kind], rows)


def test_at_two_seats_both_models_are_one():
    played = tournament(["random", "greedy", "greedy:digs=never"], deals=60)
    pd.testing.assert_frame_equal(bradley_terry(played.seats, 50), plackett_luce(played.seats, 50))
    assert played.ratings["agent"].tolist() == ["greedy", "random", "greedy:digs=never"]
    shares = played.pairs.set_index(["agent", "opponent"])["win_share"]
    assert shares.loc[("greedy", "random")] > 0.8


def test_teams_are_rated_by_the_games_of_their_sides():
    played = tournament(["random", "greedy"], "partnership_500", num_players=4, deals=60)
    found = by_agent(played.ratings)
    share = float(played.pairs["win_share"].to_numpy()[played.pairs["agent"] == "greedy"][0])
    assert found["greedy"] - found["random"] == pytest.approx(400 * math.log10(share / (1 - share)))
    assert played.ratings["games"].tolist() == [120, 120]


def test_where_two_did_not_meet_there_is_no_alpha_rank():
    played = tournament(["random", "greedy", "greedy:digs=never"], deals=30)
    assert "alpha_rank" in played.ratings.columns
    is_met = np.ones((3, 3), dtype=np.int64)
    is_met[0, 1] = is_met[1, 0] = 0
    sums = replace(
        played.sums, rounds=played.sums.rounds * is_met, margin=played.sums.margin * is_met
    )
    apart = replace(played, sums=sums)
    same: Any = played.ratings[apart.ratings.columns]
    pd.testing.assert_frame_equal(apart.ratings, same, check_exact=True)
    assert "alpha_rank" not in apart.ratings.columns


# --- what does not depend on what ----------------------------------------------------------------


@pytest.mark.parametrize("rate", [bradley_terry, plackett_luce])
@given(st.randoms(use_true_random=False))
@settings(max_examples=10)
def test_no_order_of_rows_can_be_seen(rate, random):
    rng = np.random.default_rng(2)
    games = [
        [(name, rank) for name, rank in zip("abc", rng.integers(1, 4, 3).tolist(), strict=True)]
        for _ in range(40)
    ]
    seats = seats_of(games, deals=[game // 2 for game in range(40)])
    order = list(range(len(seats)))
    random.shuffle(order)
    pd.testing.assert_frame_equal(rate(seats, 50), rate(seats.iloc[order], 50), check_exact=True)


def test_names_need_not_be_in_order_and_games_may_have_any_number():
    seats = duels({("z", "b"): 30, ("b", "z"): 10})
    moved = seats.assign(game_id=10_000 - 7 * seats["game_id"], deal=seats["deal"] + 5)
    assert by_agent(bradley_terry(moved, 10)) == by_agent(bradley_terry(seats, 10))


# --- intervals -----------------------------------------------------------------------------------


def drawn(strength, num_deals, rng):
    """Ranks of games of all agents, two in each deal, whose luck is one: (2 * deals, A)."""
    shared = rng.gumbel(size=(num_deals, 1, len(strength)))
    values = np.broadcast_to(strength + shared, (num_deals, 2, len(strength)))
    return (-values.reshape(-1, len(strength))).argsort(axis=1).argsort(axis=1) + 1


def test_intervals_hold_the_truth_although_games_of_a_deal_are_alike():
    rng = np.random.default_rng(11)
    strength = np.array([0.5, 0.0, -0.5])
    true = strength * 400 / math.log(10)
    inside = []
    for _ in range(150):
        ranks = drawn(strength, 60, rng)
        games = [list(zip("abc", row, strict=True)) for row in ranks.tolist()]
        seats = seats_of(games, deals=[game // 2 for game in range(len(games))])
        found = plackett_luce(seats, 150).set_index("agent").loc[list("abc")]
        inside.append((found["low"] <= true) & (true <= found["high"]))
    # Both games of a deal go the same way: intervals over games would hold 83 %.
    assert 0.91 < np.mean(inside) < 0.98


def test_few_deals_have_no_interval():
    games = [[("a", 1), ("b", 2)], [("a", 2), ("b", 1)]] * 20
    few = seats_of(games, deals=[game // 2 for game in range(40)])
    assert set(few["deal"]) == set(range(20))
    found = bradley_terry(few, 20)
    assert found[["low", "high"]].isna().to_numpy().all()
    assert bradley_terry(seats_of(games), 20)[["low", "high"]].notna().to_numpy().all()


def test_many_deals_are_drawn_in_groups():
    deals = np.repeat(np.arange(5000) * 3, 2)
    cluster = bootstrap.grouped(deals)
    sizes = np.bincount(cluster)
    assert len(sizes) == bootstrap.MAX_GROUPS
    assert set(sizes.tolist()) == {4, 6}  # two or three deals of two games
    assert (cluster[::2] == cluster[1::2]).all()


# --- separation ----------------------------------------------------------------------------------


def test_one_that_always_wins_is_finite_and_said_to_be_apart():
    wins = {("a", "b"): 40, ("a", "c"): 40, ("b", "c"): 25, ("c", "b"): 15}
    found = bradley_terry(duels(wins), 50).set_index("agent")
    assert np.isfinite(found["rating"]).all()
    assert found["group"].to_dict() == {"a": 1, "b": 2, "c": 2}
    assert found[["low", "high"]].isna().to_numpy().all()
    # two agents, 40 : 0, one drawn game more: odds 40.5 : 0.5
    alone = by_agent(bradley_terry(duels({("a", "b"): 40}), 10))
    assert alone["a"] - alone["b"] == pytest.approx(400 * math.log10(81))


def test_groups_are_numbered_from_the_best():
    wins = {("d", "c"): 9, ("c", "a"): 9, ("a", "b"): 5, ("b", "a"): 4, ("c", "b"): 2}
    found = by_agent(bradley_terry(duels(wins), 10), "group")
    assert found == {"d": 1, "c": 2, "a": 3, "b": 3}


def test_where_all_is_joined_there_is_no_drawn_game():
    found = bradley_terry(duels({("a", "b"): 39, ("b", "a"): 1}), 50)
    assert found["group"].tolist() == [1, 1]
    best, worst = found["rating"].tolist()
    assert best - worst == pytest.approx(400 * math.log10(39))
    assert found[["low", "high"]].notna().to_numpy().all()  # samples without the one loss, too


# --- faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        (duels({}), "the table of seats is empty"),
        (duels({("a", "b"): 2}).drop(columns="rank"), "rank missing"),
        (duels({("a", "b"): 2}).iloc[:3], "1 to 2 rows"),
        (duels({("a", "b"): 2}).assign(rank=[1, 2, None, 1]), "empty cells"),
        (duels({("a", "a"): 2}), "only 'a'"),
        (duels({("a", "b"): 2, ("c", "d"): 2}), "a, b never met c, d"),
        (duels({("a", "a"): 2, ("b", "b"): 2}), "never met"),
    ],
    ids=[
        "empty",
        "a column",
        "half a game",
        "a gap",
        "one agent",
        "two islands",
        "only themselves",
    ],
)
def test_what_cannot_be_rated_is_refused_in_a_line(seats, said):
    for rate in (bradley_terry, plackett_luce):
        with pytest.raises(RunError, match=said) as caught:
            rate(seats)
        assert "\n" not in str(caught.value)


def test_replicates_are_counted_from_one():
    with pytest.raises(RunError, match="replicates=0 is not allowed"):
        bradley_terry(duels({("a", "b"): 2, ("b", "a"): 2}), 0)
