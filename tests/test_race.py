"""Chances to win the race to the target: against arithmetic by hand, against games, in an agent."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import agents
from agents.race import RaceError, WinChances, fitting
from experiments.errors import RunError
from experiments.race import by_chance, main, play_games, round_scores, win_chances
from rummy500_env import Game, Rules
from rummy500_env.search import Worlds
from tests.support.asking import views_of

RULES = Rules()


def test_a_race_without_chance():
    """The dealer scores 10, the other one 5, and they take turns."""
    chances = win_chances(np.array([[10, 5]]), RULES, furthest=40, step=1)
    assert chances.of(10, 10) == pytest.approx(1.0)  # scores 10 and is there
    assert chances.of(11, 10) == pytest.approx(0.0)  # 1 against 5, and the other deals
    assert chances.of(6, 5) == pytest.approx(1.0)  # both are there, the dealer higher
    assert chances.of(10, 5) == pytest.approx(0.5)  # both are there, with as much
    assert chances.of(11, 5) == pytest.approx(0.0)
    assert chances.of(11, 10, False) == pytest.approx(0.0)  # the other one scores 10


def test_chances_are_those_of_adding_up_all_ways():
    scores = np.random.default_rng(1).integers(1, 6, (7, 2))

    @cache
    def chance(own: int, other: int) -> float:
        """Of the seat that deals next, or of one that the game is over for."""
        if min(own, other) <= 0:
            return 0.5 + 0.5 * float(np.sign(other - own))
        return sum(1.0 - chance(other - y, own - x) for x, y in scores.tolist()) / len(scores)

    found = win_chances(scores, RULES, furthest=30, step=1)
    for own in range(1, 31, 3):
        for other in range(1, 31, 4):
            assert found.of(own, other) == pytest.approx(chance(own, other), abs=1e-5)


def test_scores_below_nothing_are_counted():
    """Each round moves one seat up or down: a game of two gamblers, played 4,000 times."""
    scores = np.array([[30, 0], [-10, 0], [0, 30], [0, -10]])
    found = win_chances(scores, RULES, furthest=101, step=10)
    rng = np.random.default_rng(3)
    start, left = (31, 51), np.tile((31, 51), (4000, 1))
    for turn in range(200):
        playing = left.min(axis=1) > 0
        drawn = scores[rng.integers(4, size=playing.sum())]
        left[playing] -= drawn if turn % 2 == 0 else drawn[:, ::-1]
        left[playing] = np.minimum(left[playing], 101)
    over = left[left.min(axis=1) <= 0]
    won = (over[:, 0] < over[:, 1]).mean()
    assert len(over) == 4000
    assert found.of(*start) == pytest.approx(won, abs=4 * (won * (1 - won) / len(over)) ** 0.5)


def test_what_a_table_says():
    table = np.array([[0.6, 0.8], [0.2, 0.5]])
    found = WinChances(table, 10, RULES)
    assert found.of([1, 1, 11, 11], [1, 11, 1, 11]).tolist() == [0.6, 0.8, 0.2, 0.5]
    assert found.of(6, 1) == pytest.approx(0.4)  # between rows
    assert found.of(6, 6) == pytest.approx(0.525)
    assert found.of(99, 99) == 0.5  # behind the last row
    assert found.of(1, 11, False) == 1 - 0.2  # the other one deals
    assert found.of(-5, 3) == found.of(0, 3, False) == found.of(-7, -6) == 1.0
    assert found.of(3, 0) == 0.0
    assert found.of(-5, -5) == 0.5
    own, other = np.meshgrid(np.arange(-5, 20), np.arange(-5, 20))
    assert found.of(own, other) + found.of(other, own, False) == pytest.approx(np.ones(own.shape))


def test_a_round_may_end_the_game_or_go_on():
    chances = fitting(RULES, 2)
    game = Game(RULES, 2, seed=3)
    view = game.view(game.current_seat)
    seat = view.seat
    scores = np.zeros((3, 2), np.int32)
    scores[:, seat], scores[:, 1 - seat] = (520, 40, 500), (510, 60, 500)
    found = chances.after_round(view, scores)
    assert found[0] == 1.0
    assert found[2] == 0.5
    assert found[1] == chances.of(460, 440, game.dealer != seat)
    alone = Game(RULES, 2, seed=3, episode="round").view(seat)
    assert chances.after_round(alone, scores).tolist() == [1.0, 0.0, 0.5]


def test_the_table_of_the_package():
    chances = fitting(RULES.replace(target_score=250), 2)
    assert chances.about["agent"] == "learned"
    assert 0.45 < chances.of(500, 500) < 0.55
    steps = np.arange(1, 801, 20)
    ahead = chances.of(steps[:-1], steps[1:])
    assert (ahead > chances.of(steps[1:], steps[:-1])).all()
    with pytest.raises(RaceError, match="2 players, not for 3"):
        fitting(RULES, 3)
    with pytest.raises(RaceError, match=r"rummy500-2: the win chances are of other rules: .*call"):
        fitting(Rules.preset("rummy500_pagat"), 2)


def test_predicted_and_observed_wins_agree():
    """In each tenth of the chances, within four standard errors; and they tell who wins."""
    chances = fitting(RULES, 2)
    games = play_games("learned", RULES, 300, seed=9)
    assert len(games.game) > 1200
    assert (games.left[:, 0][np.diff(games.game, prepend=-1) > 0] == 500).all()
    found: Any = by_chance(chances, games)
    assert found["rounds"].sum() == len(games.game)
    told = found.dropna()
    assert len(told) >= 8
    error = told["half_width"] / 1.96
    assert ((told["won"] - told["predicted"]).abs() < 4 * error).all()
    predicted = chances.of(games.left[:, 0], games.left[:, 1])
    assert np.mean((predicted - games.won) ** 2) < 0.22  # 0.25: a half each, always


def test_rounds_are_counted_from_the_dealer():
    scores = round_scores("greedy", RULES, 300, seed=4)
    rng = np.random.default_rng([4, 0])
    seeds = rng.integers(2**63, size=300, dtype=np.uint64)
    dealers = {Game(RULES, 2, int(seed)).dealer for seed in seeds[:20]}
    assert scores.shape == (300, 2)
    assert dealers == {0, 1}
    assert round_scores("greedy", RULES, 300, seed=4).tolist() == scores.tolist()
    with pytest.raises(RunError, match="rounds=0 is not allowed"):
        round_scores("greedy", RULES, 0, seed=4)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"max_deals": 3}, "max_deals=3"),
        ({"tie_break": "went_out"}, "tie_break='went_out'"),
        ({"dealer_rotation": "winner"}, "dealer_rotation='winner'"),
    ],
)
def test_games_that_are_no_such_race_are_refused(changes, told):
    with pytest.raises(RunError, match=told):
        win_chances(np.array([[10, 5]]), RULES.replace(**changes))


def test_files_are_read_as_they_were_written(tmp_path):
    written = WinChances(np.eye(3), 5, RULES.replace(target_score=300), {"agent": "some"})
    written.save(tmp_path / "a.npz")
    found = WinChances.load(tmp_path / "a.npz")
    assert (found.table == written.table).all()
    assert (found.step, found.rules, found.about) == (5, written.rules, {"agent": "some"})
    (tmp_path / "b.npz").write_text("no table")
    with pytest.raises(RaceError, match=r"holds no win chances: it is no \.npz file"):
        WinChances.load(tmp_path / "b.npz")
    with pytest.raises(RaceError, match="there is no such file"):
        WinChances.load(tmp_path / "c.npz")


def test_the_script_writes_a_table_and_holds_it_against_games(tmp_path, capsys):
    file = tmp_path / "table.npz"
    main(file, "greedy", "rummy500", rounds=400, games=40)
    told = capsys.readouterr().out
    assert told.startswith("The dealer scores ")
    assert told.count("\n") == 12
    assert WinChances.load(file).about == {
        "agent": "greedy",
        "furthest": 801,
        "rounds": 400,
        "seed": 0,
    }


def test_a_search_for_the_win_makes_the_move_of_the_highest_chance():
    """Near the end of a game it is not always the one that gains most points."""
    views, masks = views_of(agents.make("greedy"), 2, 6, RULES)
    rows = np.flatnonzero(masks.sum(axis=1) > 2)[:60]
    views, masks = views[rows], masks[rows]
    views["single_round"] = 0
    views["scores"][:, 0], views["scores"][:, 1] = 420, 300
    win, points = (agents.make(spec) for spec in ("mc:8,goal=win", "mc:8"))
    for agent in (win, points):
        agent.reset(RULES, 2, 0)
    chosen, chances, greedy = win.act(views, masks), fitting(RULES, 2), agents.make("greedy")
    for row in range(0, len(views), 6):
        view = views[row : row + 1]
        seat, rng = int(view["viewer"][0]), np.random.default_rng(int(view["random"][0]))
        worlds = Worlds.of_views(view, np.zeros(8, np.int64), RULES, 2, rng)
        word, legal = int(rng.integers(2**63)), np.flatnonzero(masks[row])
        worth = []
        for action in legal:
            totals = worlds.clone().play(int(action)).rollout(greedy, word) + view["scores"][:, :2]
            own, other = 500 - totals[:, seat], 500 - totals[:, 1 - seat]
            chance = chances.of(own, other, int(view["dealer"][0]) != seat)
            worth.append((chance + 1e-6 * (other - own)).mean())
        assert chosen[row] == legal[int(np.argmax(worth))]
    assert (chosen != points.act(views, masks)).any()


def test_a_search_for_the_win_tells_equal_chances_apart_by_points():
    """Where the other seat has won whatever happens, it plays for points."""
    views, masks = views_of(agents.make("greedy"), 2, 4, RULES)
    views["single_round"], views["scores"][:, :2] = 0, 100
    views["scores"][np.arange(len(views)), 1 - views["viewer"]] = 4000
    win, points = (agents.make(spec) for spec in ("mc:4,goal=win", "mc:4"))
    for agent in (win, points):
        agent.reset(RULES, 2, 0)
    assert win.act(views, masks).tolist() == points.act(views, masks).tolist()


def test_a_search_for_the_win_says_what_it_cannot_do():
    with pytest.raises(ValueError, match="goal='wins': allowed are points and win"):
        agents.make("mc:8,goal=wins")
    with pytest.raises(RaceError, match="not for 3"):
        agents.make("mc:8,goal=win").reset(RULES, 3, 0)
