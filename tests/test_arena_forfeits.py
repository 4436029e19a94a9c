"""An agent that fails loses that game, and only that; the others play on."""

import re
import time
from typing import Any

import numpy as np
import pytest

from agents import Agent, PolicyAgent, TurnAgent, make
from rummy500_env import AgentError, Game, Rules
from rummy500_env.arena import FORFEIT_POINTS, Arena
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.state import ENDINGS
from rummy500_env.errors import IllegalActionError

FORFEIT = ENDINGS.index("forfeit")


class First(TurnAgent):
    """Plays its first legal move until it fails, in its ``when``-th decision of a game."""

    name = "first"

    def __init__(self, when: int = 10**9, fails: Any = None) -> None:
        super().__init__()
        self.when, self.fails = when, fails

    def choose(self, view, legal):
        if view.decision == self.when:
            return self.fails(view, legal)
        return legal[0]


def boom(view, legal):
    raise ValueError("out of ideas")


FAILS = {
    "raises": (boom, r"ValueError: out of ideas \(test_arena_forfeits\.py, line \d+\)"),
    "an illegal index": (lambda view, legal: 10**6, "chose action 1000000"),
    "a negative index": (lambda view, legal: -1, "chose action -1"),
    "no move": (lambda view, legal: "discard Zz", "Zz"),
    "nothing": (lambda view, legal: None, "None is no move"),
    "not a number": (lambda view, legal: float("nan"), "nan is no move"),
}


def arena(agents, rules="rummy500", num_players=2, forfeits=True, **settings: Any):
    rules = Rules.preset(rules)
    for agent in agents:
        agent.reset(rules, num_players, 0)
    return Arena(rules, num_players, agents, forfeits=forfeits, **settings)


def play(agents, seeds: Any = range(6), num_players=2, **settings: Any):
    seats = np.resize(np.arange(len(agents)), (len(seeds), num_players))
    keys = np.arange(len(seeds) * num_players, dtype=np.uint64).reshape(-1, num_players)
    return arena(agents, num_players=num_players, **settings).play(list(seeds), seats, keys)


@pytest.mark.parametrize("fails", FAILS)
def test_whatever_it_does_it_loses_that_game_with_the_reason(fails):
    function, reason = FAILS[fails]
    found = play([First(3, function), First()])
    assert (found.forfeit_seat == 0).all()
    assert all(re.search(reason, text) for text in found.forfeit_reason)
    assert found.won.tolist() == [[False, True]] * 6
    assert set(found.round_how.tolist()) == {FORFEIT}
    assert (found.decisions[:, 0] == 3).all()


@pytest.mark.parametrize("fails", FAILS)
def test_when_it_is_not_to_forfeit_the_error_says_where(fails):
    function, _ = FAILS[fails]
    with pytest.raises(
        (AgentError, IllegalActionError), match=r"agent 'first'.* decision 3 at seat 0 of game \d"
    ):
        play([First(3, function), First()], forfeits=False)


def test_it_scores_what_it_holds_and_the_penalty_and_the_others_what_they_have_laid():
    agents = [First(4, boom), make("greedy")]
    found = play(agents, seeds=range(40))
    assert found.points_melded[:, 1].any()
    laid = found.points_melded[:, 1] + found.points_laid_off[:, 1]
    assert found.scores[:, 1].tolist() == laid.tolist()
    assert found.scores[:, 0].tolist() == (-found.hand_penalty[:, 0] - FORFEIT_POINTS).tolist()
    assert (found.hand_penalty[:, 0] > 0).all()
    assert not found.hand_penalty[:, 1].any()
    assert found.round_scores.tolist() == found.scores.tolist()


def test_the_cards_in_hand_are_those_it_was_seen_to_hold():
    held = []

    def noting(view, legal):
        held.append(
            sum(15 if c[0] == "A" else 10 if c[0] in "TJQK" else int(c[0]) for c in view.hand)
        )
        raise ValueError

    found = play([First(2, noting), First()], seeds=[5])
    assert found.scores[0, 0] == -held[0] - FORFEIT_POINTS


def test_a_game_is_lost_whatever_the_scores_so_far():
    found = play([First(60, boom), First()], seeds=range(30), episode="game")
    given_up = found.forfeit_seat == 0
    assert given_up.any()
    assert not found.won[given_up, 0].any()
    assert found.won[given_up, 1].all()
    assert (found.rounds[given_up] > 1).any()
    ahead = found.scores[given_up, 0] > found.scores[given_up, 1]
    assert ahead.any()  # else this shows nothing
    by_round = np.zeros_like(found.scores)
    np.add.at(by_round, found.round_game, found.round_scores)
    assert by_round.tolist() == found.scores.tolist()


def test_the_best_of_the_others_wins():
    found = play([First(3, boom), First(), make("greedy")], seeds=range(30), num_players=3)
    others = found.scores[:, 1:]
    assert found.won[:, 1:].tolist() == (others == others.max(axis=1, keepdims=True)).tolist()
    assert not found.won[:, 0].any()


def test_a_side_loses_as_a_whole():
    agents = [First(3, boom), First(), make("greedy"), First()]
    found = play(agents, rules="partnership_500", num_players=4, seeds=range(10))
    assert (found.forfeit_seat == 0).all()
    assert found.won.tolist() == [[False, True, False, True]] * 10
    assert (found.scores[:, 0] == found.scores[:, 2]).all()
    assert (found.scores[:, 1] == found.scores[:, 3]).all()
    hands = found.hand_penalty[:, 0] + found.hand_penalty[:, 2]
    assert found.scores[:, 0].tolist() == (-hands - FORFEIT_POINTS).tolist()


# --- agents that are asked for many decisions at once --------------------------------------------


class Batch(Agent):
    """Plays the first legal action, and fails where the view's random bits say so."""

    name = "batch"

    def __init__(self, how) -> None:
        self.how = how

    def guilty(self, views):
        return views["random"] % np.uint64(40) == 0

    def act(self, views, action_masks):
        actions = action_masks.argmax(axis=1)
        guilty = self.guilty(views)
        if guilty.any():
            if self.how == "raises":
                raise RuntimeError("a bad row")
            if self.how == "shape":
                return actions[:, None]
            if self.how == "type":
                return actions + 0.5
            if self.how == "nan":
                return np.full(len(actions), np.nan)
            actions[guilty] = {"illegal": 0, "range": 10**9, "negative": -7}[self.how]
            actions[guilty & (action_masks[:, 0] == 1)] = len(action_masks[0])
        return actions


HOWS = ["raises", "shape", "type", "nan", "illegal", "range", "negative"]


@pytest.mark.parametrize("how", HOWS)
def test_only_the_games_with_a_bad_decision_are_forfeited(how, monkeypatch):
    found = play([Batch(how), make("random")], seeds=range(60))
    given_up = found.forfeit_seat >= 0
    assert 5 < given_up.sum() < 55
    monkeypatch.setattr(Batch, "guilty", lambda self, views: np.zeros(len(views), bool))
    good = play([Batch(how), make("random")], seeds=range(60))
    assert (good.forfeit_seat == -1).all()
    assert found.scores[~given_up].tolist() == good.scores[~given_up].tolist()


@pytest.mark.parametrize("how", HOWS)
def test_it_is_the_same_however_games_are_grouped(how, monkeypatch):
    whole = play([Batch(how), make("random")], seeds=range(30))
    monkeypatch.setattr("rummy500_env.arena.CHUNK", 7)
    parts = play([Batch(how), make("random")], seeds=range(30))
    for name in ("scores", "forfeit_seat", "decisions", "round_scores", "round_game", "won"):
        assert getattr(whole, name).tolist() == getattr(parts, name).tolist(), name
    assert whole.forfeit_reason.tolist() == parts.forfeit_reason.tolist()


@kernel
def cheating_policy(views, row, legal, rules):
    """Play the first action, legal or not, now and then; else the first legal one."""
    if views[row].random % np.uint64(50) == 0:
        return np.int64(rules[0].num_actions) - 1
    for word in range(np.int64(rules[0].num_words)):
        for bit in range(64):
            if np.int64(legal[row, word]) >> bit & 1:
                return np.int64(64 * word + bit)
    return np.int64(0)


def test_a_compiled_agent_forfeits_too():
    found = play([PolicyAgent("cheat", cheating_policy), make("greedy")], seeds=range(50))
    given_up = found.forfeit_seat == 0
    assert 5 < given_up.sum() < 50
    assert set(found.forfeit_reason[given_up]) == {"chose an illegal action"}
    with pytest.raises(IllegalActionError, match="agent 'cheat'"):
        play(
            [PolicyAgent("cheat", cheating_policy), make("greedy")], seeds=range(50), forfeits=False
        )


# --- time ----------------------------------------------------------------------------------------


class Slow(TurnAgent):
    """Takes its time for some decisions."""

    name = "slow"

    def choose(self, view, legal):
        if view.decision in (2, 3):
            time.sleep(0.06)
        return legal[0]


@pytest.mark.parametrize(
    ("limits", "decisions", "reason"),
    [
        ({"decision_seconds": 0.05}, 2, "took more than 0.05 s for a decision"),
        ({"game_seconds": 0.1}, 3, "took more than 0.1 s for the decisions of a game"),
    ],
)
def test_who_takes_too_long_forfeits(limits, decisions, reason):
    found = play([Slow(), First()], seeds=[1, 2], **limits)
    assert found.forfeit_seat.tolist() == [0, 0]
    assert found.forfeit_reason.tolist() == [reason] * 2
    assert (found.decisions[:, 0] <= decisions).all()
    with pytest.raises(AgentError, match=reason):
        play([Slow(), First()], seeds=[1, 2], forfeits=False, **limits)
    free = play([Slow(), First()], seeds=[1, 2])
    assert free.forfeit_seat.tolist() == [-1, -1]


def test_the_table_was_as_the_error_says():
    seen = {}

    def noting(view, legal):
        seen["legal"] = [str(move) for move in legal]
        return "discard Zz"

    with pytest.raises(IllegalActionError) as caught:
        play([First(0, noting), First()], seeds=[3], forfeits=False)
    game = Game("rummy500", 2, seed=3)
    assert "decision 0 at seat 0 of game 0" in str(caught.value)
    assert seen["legal"] == [str(move) for move in game.legal_moves()] or game.current_seat == 1
