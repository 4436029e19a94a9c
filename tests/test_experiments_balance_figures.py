"""The figures of variants: by hand on small tables, and on data with known components."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from experiments import stats
from experiments.balance import luck, places
from experiments.balance.duel import DUEL
from experiments.balance.figures import documentation, figure
from experiments.balance.jackknife import difference, jackknife
from experiments.balance.kinds import measure
from experiments.balance.own import SELF
from experiments.balance.sums import deficits, duel_sums, first_rounds, self_sums
from experiments.balance.variants import Cell, Variant
from experiments.schedule import Schedule, game_seeds
from experiments.tournament import tournament
from rummy500_env.game import Game
from rummy500_env.rules import Rules

OUT, EXHAUSTED = 1, 2


def cell(num_players=2, agents=("weak", "strong"), **changes: Any):
    return Cell(Variant("mine", Rules(**changes)), num_players, agents)


def result(rounds, winners, **sums: Any) -> Any:
    """What an arena says of games, made by hand.

    Args:
        rounds: for each game its rounds: how it ended, who went out, turns, and the scores.
        winners: for each game the seats that won.
        sums: further counts, (games, seats).
    """
    flat = [(g, i, *one) for g, game in enumerate(rounds) for i, one in enumerate(game)]
    scores = np.array([one[5] for one in flat], np.int32)
    num_games, n = len(rounds), scores.shape[1]
    totals = np.zeros((num_games, n), np.int32)
    np.add.at(totals, [one[0] for one in flat], scores)
    won = np.zeros((num_games, n), np.bool_)
    for game, seats in enumerate(winners):
        won[game, list(seats)] = True
    counts = ("digs", "dug_cards", "decisions", "points_melded", "points_laid_off", "hand_penalty")
    zero = np.zeros((num_games, n), np.int32)
    return SimpleNamespace(
        scores=totals,
        won=won,
        rounds=np.array([len(game) for game in rounds], np.int32),
        round_game=np.array([one[0] for one in flat], np.int64),
        round_index=np.array([one[1] for one in flat], np.int32),
        round_how=np.array([one[2] for one in flat], np.uint8),
        round_out=np.array([one[3] for one in flat], np.int8),
        round_turns=np.array([one[4] for one in flat], np.int32),
        round_scores=scores,
        **{name: np.asarray(sums.get(name, zero)) for name in counts},
    )


def seeds_with_dealers(dealers, num_players):
    """Game seeds whose first rounds are dealt by these seats."""
    pool = game_seeds(0, 0, 200)
    found = places.first_dealers(pool, num_players).tolist()
    return np.array([pool[found.index(dealer)] for dealer in dealers], np.uint64)


def block(seeds, agents, deals=None) -> Any:
    deals = np.arange(len(seeds), dtype=np.int32) if deals is None else np.array(deals, np.int32)
    return SimpleNamespace(
        seeds=seeds,
        agents=np.array(agents, np.int16),
        deal=deals,
        first_deal=0,
        num_deals=int(deals[-1]) + 1,
    )


def values(name, sums, at_cell):
    return measure(figure(name), sums, at_cell).value


# --- who begins -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rotation", ["left", "winner", "loser"])
@pytest.mark.parametrize("direction", [1, -1])
def test_who_begins_is_who_begins_in_the_engine(rotation, direction):
    rules = Rules(dealer_rotation=rotation, direction=direction, target_score=300)
    n, seeds = 3, game_seeds(1, 0, 4)
    told, ends = [], []
    for number, seed in enumerate(seeds):
        game = Game(rules, num_players=n, seed=int(seed))
        rng = np.random.default_rng(number)
        told.append(game.current_seat)
        while not game.is_over:
            game.step(int(rng.choice(game.legal_actions())))
            state = game.state()
            if state["how"][0] != 0:
                scores = state["round_scores"][0, :n].tolist()
                ends.append(
                    [number, int(state["round_index"][0]) - 1, int(state["went_out"][0]) - 1]
                )
                ends[-1] += scores
                if not game.is_over:
                    told.append(game.current_seat)
    assert len(told) > 8
    rows = np.array(ends)
    found = places.starters(rules, seeds, rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3:])
    assert found.tolist() == told


# --- figures by hand ------------------------------------------------------------------------------


def by_hand():
    """Two games of two: seat 1 deals first in both, so seat 0 begins them."""
    played = result(
        [
            [(OUT, 0, 10, (60, -10)), (EXHAUSTED, -1, 21, (30, 80)), (OUT, 0, 5, (20, 30))],
            [(OUT, 1, 8, (40, 50)), (OUT, 1, 6, (-5, 60))],
        ],
        [[0], [1]],
        digs=[[3, 1], [0, 1]],
        dug_cards=[[6, 2], [0, 7]],
        points_melded=[[100, 90], [60, 100]],
        points_laid_off=[[20, 30], [0, 40]],
        hand_penalty=[[10, 20], [25, 30]],
        decisions=[[40, 30], [20, 10]],
    )
    at = cell(target_score=100)
    return at, self_sums(at, block(seeds_with_dealers([1, 1], 2), [[0, 0], [0, 0]]), played)


HAND = {
    "rounds_per_game": [2.5],
    "turns_per_game": [25],
    "decisions_per_game": [50],
    "turns_per_round": [10],
    "decisions_per_round": [20],
    "undecided_games": [0],
    "tied_games": [0],
    "final_range": [(10 + 75) / 2],
    # seat 0 begins rounds 1 and 3, seat 1 round 2: 70 + 50 - 10 and -10 + 65
    "starter_points": [(70 + 50 - 10 - 10 + 65) / 5],
    "place_points": [33, -33],
    "starter_wins": [0],
    "place_wins": [0, 0],
    "place_round_wins": [3 / 5 - 0.5, 2 / 5 - 0.5],
    "points_per_round": [355 / 10],
    "score_deviation": [
        np.std([60, -10, 30, 80, 20, 30, 40, 50, -5, 60]),
    ],
    "negative_scores": [0.2],
    "rounds_gone_out": [0.8],
    "rounds_exhausted": [0.2],
    "rounds_cut_off": [0],
    "place_goes_out": [3 / 5, 1 / 5],
    "digs_per_round": [1],
    "cards_per_dig": [3],
    "melded_points": [35],
    "layoff_points": [9],
    "layoff_share": [90 / 440],
    "hand_points": [8.5],
}


@pytest.mark.parametrize("name", HAND)
def test_a_figure_by_hand(name):
    at, sums = by_hand()
    assert values(name, sums, at) == pytest.approx(HAND[name], abs=1e-12)


def test_every_figure_of_an_agent_is_tested_by_hand():
    more = {"lead_overturned", "win_from_behind"}
    assert {one.name for one in SELF} == set(HAND) | more


def test_comebacks_by_hand():
    assert deficits(100) == [(0, 0), (1, 4), (5, 9), (10, 19), (20, 39), (40, None)]
    played = result(
        [
            # the leader has half of 100 after the second round: 50 to 45; the other wins
            [(OUT, 0, 1, (20, 20)), (OUT, 0, 1, (30, 25)), (OUT, 1, 1, (10, 70))],
            # after the first: 60 to 10; the leader wins
            [(OUT, 0, 1, (60, 10)), (OUT, 0, 1, (50, 5))],
            # over before there is a standing to look at
            [(OUT, 0, 1, (120, 10))],
            # cut off without a winner
            [(OUT, 0, 1, (60, 10)), (OUT, 0, 1, (0, 5))],
        ],
        [[1], [0], [0], []],
    )
    at = cell(target_score=100)
    sums = self_sums(at, block(seeds_with_dealers([0] * 4, 2), np.zeros((4, 2))), played)
    assert values("lead_overturned", sums, at) == [0.5]
    assert values("undecided_games", sums, at) == [0.25]
    labels = figure("win_from_behind").labels(at)
    found = dict(zip(labels, values("win_from_behind", sums, at), strict=True))
    expected = {
        "half: leading": 0.5,
        "half: 5-9 behind": 1.0,
        "half: 40+ behind": 0.0,
        "round 1: leading": 2 / 3,  # two at 20, of which one wins, and the one at 60
        "round 1: 40+ behind": 0.0,
        "round 2: leading": 0.0,
        "round 2: 5-9 behind": 1.0,
    }
    for label, value in found.items():
        assert value == pytest.approx(expected.get(label, np.nan), nan_ok=True), label


def test_comebacks_without_a_target_are_seen_when_half_of_the_deals_are_played():
    at = cell(target_score=None, max_deals=4)
    played = result([[(OUT, 0, 1, (5, 0))] * 2 + [(OUT, 1, 1, (0, 50))] * 2], [[1]])
    sums = self_sums(at, block(seeds_with_dealers([0], 2), [[0, 0]]), played)
    assert values("lead_overturned", sums, at) == [1.0]
    labels = figure("win_from_behind").labels(at)
    found = dict(zip(labels, values("win_from_behind", sums, at), strict=True))
    assert found["half: 1-24 behind"] == 1.0


def test_between_teams_a_side_is_one():
    rules = Rules.preset("partnership_500")
    at = Cell(Variant("partners", rules), 4, ("weak", "strong"))
    played = result([[(OUT, 0, 9, (80, 20, 80, 20)), (OUT, 1, 9, (50, 90, 50, 90))]], [[0, 2]])
    sums = self_sums(at, block(seeds_with_dealers([3], 4), [[0] * 4]), played)
    # seat 0 begins the first round (+60), seat 1 the second (+40)
    assert values("starter_points", sums, at) == [50]
    assert values("place_points", sums, at) == pytest.approx([50, -50, 50, -50])
    assert values("starter_wins", sums, at) == [0.5]
    assert values("place_wins", sums, at) == pytest.approx([0.5, -0.5, 0.5, -0.5])
    assert values("tied_games", sums, at) == [0]
    # 80 to 20 is not half of 500 yet; with 100 to reach, the leading side wins
    assert np.isnan(values("lead_overturned", sums, at))
    near = Cell(Variant("near", rules.replace(target_score=100)), 4, ("weak", "strong"))
    sums = self_sums(near, block(seeds_with_dealers([3], 4), [[0] * 4]), played)
    assert values("lead_overturned", sums, near) == [0]
    assert values("place_round_wins", sums, at) == pytest.approx([0.5, -0.5, 0.5, -0.5])


def test_strong_against_weak_by_hand():
    at = cell(3, target_score=100)
    agents = [[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 0, 0]]
    played = result(
        [
            [(OUT, 0, 1, (90, 30, 30)), (OUT, 0, 1, (20, 10, 20))],
            [(OUT, 1, 1, (0, 120, 0))],
            [(OUT, 0, 1, (105, 10, 55))],
            [(OUT, 0, 1, (300, 0, 0))],  # one weak among strong: not counted
        ],
        [[0], [1], [0], [0]],
    )
    seeds = seeds_with_dealers([2] * 4, 3)
    sums = dict(duel_sums(at, block(seeds, agents, [0] * 4), played))
    assert sums.pop("first").shape == (1, 3, 2, 2)
    margins = (90 - 30) + (20 - 15) + 120 + (55 - 57.5)
    assert values("strong_points", sums, at) == pytest.approx([margins / 4])
    # the second round of the first game was shared by two
    assert values("strong_round_wins", sums, at) == pytest.approx([2.5 / 4 - 1 / 3])
    assert values("strong_wins", sums, at) == pytest.approx([2 / 3 - 1 / 3])


def test_first_rounds_stand_by_place_and_by_who_was_alone():
    at = cell(3)
    agents = [[0, 1, 1], [1, 0, 1], [0, 0, 1]]
    played = result([[(OUT, 0, 1, (90, 30, 60))]] * 3, [[0]] * 3)
    # seat 1 deals: seat 2 begins, seat 0 is at place 1, seat 1 at place 2
    found = first_rounds(at, block(seeds_with_dealers([1] * 3, 3), agents, [0] * 3), played, 1)
    expected = np.full((3, 2, 2), np.nan)
    expected[1, 0, 1] = 90 - 45
    expected[2, 0, 1] = 30 - 75
    expected[0, 1, 0] = 60 - 60
    assert np.array_equal(found[0], expected, equal_nan=True)


# --- variance -------------------------------------------------------------------------------------


def test_shares_of_variance_are_those_the_data_were_made_of():
    rng = np.random.default_rng(5)
    deals, n = 4000, 3
    parts = {"deal": 9.0, "seat": 2.0, "agent": 4.0, "play": 16.0}
    seat = np.array([1.0, 0.0, -1.0]) * np.sqrt(3)
    tables = np.array([[2.0, 2.0], [-2.0, -2.0]])
    results = (
        10
        + seat[:, None, None]
        + tables
        + rng.normal(0, np.sqrt(parts["deal"]), (deals, n, 1, 1))
        + rng.normal(0, np.sqrt(parts["play"]), (deals, n, 2, 2))
    )
    sums = luck.luck_sums(results)
    whole = sum(parts.values())
    for source, variance in parts.items():
        found = measure(figure(f"{source}_share"), sums, cell(3))
        assert found.value[0] == pytest.approx(variance / whole, abs=3 * found.half_width[0] / 1.96)
        assert 0.001 < found.half_width[0] < 0.02
    found = measure(figure("result_deviation"), sums, cell(3))
    assert found.value[0] == pytest.approx(np.sqrt(whole), rel=0.02)


def test_variances_by_hand_and_they_add_up():
    results = np.array([[[[4.0, 2.0], [0.0, 2.0]]], [[[8.0, 6.0], [8.0, 10.0]]]])  # two deals
    sums = {name: values.sum(axis=0)[None] for name, values in luck.luck_sums(results).items()}
    found = luck.components(sums | {"deals": np.array([2.0])})[0]
    within = np.var([[4, 8], [2, 6], [0, 8], [2, 10]], axis=1).mean()
    between = np.var([2, 8])
    play = (within - between) * 4 / 3
    table = np.var([6, 4, 4, 6])
    assert found == pytest.approx([within - play, 0, table, play])
    assert found.sum() == pytest.approx(np.var(results))


def test_without_an_effect_of_the_seat_its_share_is_about_zero_and_not_above():
    rng = np.random.default_rng(1)
    shares = []
    for _ in range(200):
        sums = luck.luck_sums(rng.normal(0, 1, (40, 4, 2, 2)))
        shares.append(measure(figure("seat_share"), sums, cell(4)).value[0])
    error = np.std(shares) / np.sqrt(len(shares))
    assert abs(np.mean(shares)) < 4 * error


def test_a_table_that_is_missing_is_noticed():
    results = np.zeros((2, 2, 2, 2))
    results[1, 0, 1, 0] = np.nan
    with pytest.raises(ValueError, match="each deal"):
        luck.luck_sums(results)


# --- intervals ------------------------------------------------------------------------------------


def test_the_jackknife_of_a_ratio_is_nearly_the_linearised_interval():
    rng = np.random.default_rng(0)
    units = rng.integers(1, 9, 300)
    totals = units * 3 + rng.normal(0, 5, 300)
    found = jackknife(
        {"x": totals, "r": units},
        lambda sums: (sums["x"] / sums["r"])[:, None],
        lambda sums: sums["r"][:, None],
    )
    expected = stats.ratio_estimate(totals, units)
    assert found.value[0] == pytest.approx(expected.value)
    assert found.half_width[0] == pytest.approx(expected.half_width, rel=0.01)


def test_the_bias_of_a_square_is_taken_away():
    def squared(sums):
        return (sums["x"] / sums["deals"])[:, None] ** 2

    x = np.array([1.0, 2.0, 4.0, 5.0])
    found = jackknife({"x": x}, squared, lambda sums: sums["deals"][:, None], is_corrected=True)
    assert found.value[0] == pytest.approx(x.mean() ** 2 - x.var(ddof=1) / 4)


def test_what_the_deals_have_in_common_cancels_in_a_difference():
    rng = np.random.default_rng(2)
    common, own = rng.normal(0, 10, 200), rng.normal(0, 1, (2, 200))
    first, second = (
        jackknife(
            {"x": common + mine},
            lambda sums: (sums["x"] / sums["deals"])[:, None],
            lambda sums: sums["deals"][:, None],
        )
        for mine in own
    )
    less = difference(first, second)
    expected = stats.ratio_estimate(own[0] - own[1], np.ones(200))
    assert less.value[0] == pytest.approx(expected.value)
    assert less.half_width[0] == pytest.approx(expected.half_width)
    assert less.half_width[0] < first.half_width[0] / 4


def test_fewer_than_thirty_deals_that_say_something_give_no_interval():
    units = np.r_[np.ones(29), np.zeros(71)]
    sums = {"x": units * np.arange(100), "r": units}

    def ratio(found):
        return (found["x"] / found["r"])[:, None]

    found = jackknife(sums, ratio, lambda one: one["r"][:, None])
    assert found.num_deals[0] == 29
    assert np.isnan(found.half_width[0])


# --- self-play, and declarations ------------------------------------------------------------------


def test_in_self_play_each_agent_holds_all_seats_once_a_deal():
    games = Schedule(("a", "b"), 3, 4, 0, "self").block(0, 4)
    assert games.agents.tolist() == [[0, 0, 0], [1, 1, 1]] * 4
    assert games.deal.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert games.lineup.tolist() == [0, 1] * 4
    teams = Schedule(("a",), 4, 2, 0, "self", in_teams=True).block(0, 2)
    assert teams.agents.tolist() == [[0] * 4] * 2


def test_a_tournament_refuses_self_play():
    with pytest.raises(ValueError, match="design='self' is not allowed: use auto, mixed"):
        tournament(["random", "greedy"], deals=2, design="self")  # type: ignore[arg-type]


def test_figures_have_names_of_their_own_and_are_documented():
    names = [one.name for one in (*SELF, *DUEL)]
    assert len(set(names)) == len(names)
    page = documentation()
    for one in (*SELF, *DUEL):
        assert f"| `{one.name}` | {one.unit} | {one.doc} |" in page
