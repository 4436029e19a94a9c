"""Possible worlds by thousands, after-states and rollouts against play move by move."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

import agents
import rummy500_env as r5
from agents.greedy import greedy_policy
from rummy500_env import Game, IllegalActionError, LayoutError, Rules, Worlds, afterstates
from rummy500_env.engine.state import PUBLIC_BYTES
from rummy500_env.networks import LAYERS, NetworkError, ValueNetwork
from rummy500_env.presets import presets
from rummy500_env.search import observe
from tests.differential.random_rules import random_rules
from tests.support.games import middle_game, playing, state_bytes

NUM_WEIGHTS = sum(int(np.prod(shape)) for shape in LAYERS.values())


def told(view, public=False):
    """A view as bytes, without the random bits of its decision."""
    record = view.record.copy()
    record["random"] = record["table"] = 0
    return record.tobytes()[:PUBLIC_BYTES] if public else record.tobytes()


def hides_a_card(game, move):
    """Whether a move lets its seat see cards that it has not seen."""
    if game.phase == "nominate":
        return True
    return move == "draw" and not game.position().get("stock_open", False)


def check_after_states(game):
    """Compare the view after each legal move with the one that playing it shows."""
    seat = game.current_seat
    if game.is_over:
        return
    view = game.view(seat)
    for move in view.moves():
        played = game.clone()
        played.play(str(move))
        after = view.after(move)
        if played.is_over or len(played.rounds) > len(game.rounds):
            assert (after.phase, after.current_seat) == ("over", -1)
            assert after.scores == view.scores  # nothing is settled yet
        elif hides_a_card(game, move):
            # All that everybody sees is as it will be; the own card is not seen yet.
            assert told(after, public=True) == told(played.view(seat), public=True)
            assert after.hand == view.hand
        else:
            assert told(after) == told(played.view(seat))


@pytest.mark.parametrize("name", presets())
def test_after_states_are_the_views_after_moves(name):
    rules = Rules.preset(name)
    for seed, num_players in enumerate(rules.player_counts()):
        game = Game(rules, num_players, seed)
        for number, _ in enumerate(playing(game, random.Random(seed), 200)):
            if number % 3 == 0:
                check_after_states(game)


def test_after_states_under_random_rules():
    chooser = random.Random(8)
    for seed in range(40):
        rules, num_players = random_rules(chooser)
        game = Game(rules, num_players, seed)
        for number, _ in enumerate(playing(game, chooser, 150)):
            if number % 5 == 0:
                check_after_states(game)


def test_after_states_of_many_views_at_once():
    games = [middle_game(3, seed) for seed in range(12)]
    games = [game for game in games if not game.is_over]
    views = np.concatenate([game.view_record(game.current_seat) for game in games])
    masks = np.stack([game.action_mask() for game in games])
    found = afterstates(views, masks, games[0].rules, 3)
    assert found.row.tolist() == [k for k, g in enumerate(games) for _ in g.legal_actions()]
    assert found.action.tolist() == [a for game in games for a in game.legal_actions()]
    for k, (row, action) in enumerate(zip(found.row, found.action, strict=True)):
        single = games[row].view(games[row].current_seat).after(int(action))
        assert found.views[k : k + 1].tobytes() == single.record.tobytes()
    vectors = observe(found.views, games[0].rules, 3)
    assert vectors.shape == (len(found.views), games[0].observation_space.size)
    assert (
        observe(views, games[0].rules, 3)[0].tobytes()
        == games[0].observe(games[0].current_seat).tobytes()
    )
    with pytest.raises(ValueError, match=r"shape \(1, 2\)"):
        afterstates(views, np.zeros((1, 2), np.int8), games[0].rules, 3)
    with pytest.raises(ValueError, match="buffer 'out'"):
        observe(views, games[0].rules, 3, out=np.zeros((1, 2), np.float32))


def test_a_move_that_is_not_legal_has_no_after_state():
    game = Game(seed=1)
    with pytest.raises(IllegalActionError, match="'discard 9d' is no legal move of this view"):
        game.view(game.current_seat).after("discard 9d")
    with pytest.raises(IllegalActionError, match="legal:"):
        game.view(1 - game.current_seat).after("draw")


# -- worlds ----------------------------------------------------------------------------------------


def test_worlds_are_those_that_a_view_allows():
    game = middle_game(3, 4)
    view = game.view(game.current_seat)
    worlds = Worlds.of_view(view, 50, 1)
    assert len(worlds) == 50
    hands = set()
    for k in range(50):
        assert told(worlds[k].view(view.seat)) == told(view)
        assert worlds[k].legal_moves() == game.legal_moves()
        hands.add(tuple(worlds[k].position()["hands"]))
    assert len(hands) > 45
    again = Worlds.of_view(view, 50, 1)
    assert all(state_bytes(again[k]) == state_bytes(worlds[k]) for k in range(50))
    with pytest.raises(IndexError):
        worlds[50]
    with pytest.raises(IndexError, match="rows from 0 to 1 of 1 views"):
        Worlds.of_views(view.record, [0, 1], game.rules, 3)


def test_a_move_is_played_in_all_worlds_or_in_none():
    game = middle_game(2, 4)
    view = game.view(game.current_seat)
    worlds = Worlds.of_view(view, 20, 1)
    twins = worlds.clone()
    move = view.moves()[0]
    worlds.play(move)
    for k in range(20):
        alone = twins[k]
        alone.play(str(move))
        assert state_bytes(alone) == state_bytes(worlds[k])
    before = [state_bytes(twins[k]) for k in range(20)]
    with pytest.raises(IllegalActionError, match="is illegal at table 0; legal: "):
        twins.play("meld As-Ks" if "meld As-Ks" not in view.moves() else "pass")
    for number in (-1, -64, 10**6):
        with pytest.raises(IllegalActionError, match="is illegal at table 0"):
            twins.play(number)
    assert [state_bytes(twins[k]) for k in range(20)] == before


def test_outcomes_are_those_of_each_move_played_and_rolled_out():
    for seed, phase in ((4, "play"), (5, "draw")):
        game = middle_game(3, seed, phase=phase)
        view = game.view(game.current_seat)
        worlds = Worlds.of_view(view, 12, 1)
        before = [state_bytes(worlds[k]) for k in range(12)]
        legal = game.legal_actions()
        scores = worlds.outcomes(legal, greedy_policy, 9)
        assert (scores.shape, scores.dtype) == ((len(legal), 12, 3), np.int32)
        for action, found in zip(legal, scores, strict=True):
            alone = worlds.clone().play(action).rollout(greedy_policy, 9)
            assert found.tolist() == alone.tolist()
        assert [state_bytes(worlds[k]) for k in range(12)] == before
        wrong = next(k for k in range(game.action_space.n) if k not in legal)
        with pytest.raises(IllegalActionError, match=f"action {wrong} is illegal at table 0; leg"):
            worlds.outcomes([*legal, wrong], greedy_policy)
        with pytest.raises(IllegalActionError, match="action -1 is illegal at table 0"):
            worlds.outcomes([-1], greedy_policy)
        with pytest.raises(ValueError, match="moves of shape"):
            worlds.outcomes([0.5], greedy_policy)
        assert worlds.outcomes([], greedy_policy).shape == (0, 12, 3)


def test_some_worlds_are_taken():
    game = middle_game(2, 4)
    worlds = Worlds.of_view(game.view(game.current_seat), 5, 1)
    some = worlds.take([4, 0, 4])
    assert [state_bytes(some[k]) for k in range(3)] == [state_bytes(worlds[k]) for k in (4, 0, 4)]
    some.play(game.legal_actions()[0])
    assert state_bytes(some[0]) != state_bytes(worlds[4])
    with pytest.raises(IndexError, match="numbers from 0 to 5 of 5 tables"):
        worlds.take([0, 5])


def test_a_belief_draws_worlds_in_proportion_to_their_weights():
    game = Game(seed=3)
    card = game.position()["hands"][1 - game.current_seat].split()[0]
    view = game.view(game.current_seat)
    rng = np.random.default_rng(5)

    def holds(world):
        return card in world.position()["hands"][1 - view.seat].split()

    plain = np.mean([holds(view.determinize(rng)) for _ in range(150)])
    sure = [holds(view.determinize(rng, lambda world: 1.0 if holds(world) else 1e-9))
            for _ in range(60)]  # fmt: skip
    assert plain < 0.6
    assert np.mean(sure) > 0.95  # unless none of 16 worlds has it
    for bad in (-1.0, float("nan"), 0.0):
        with pytest.raises(ValueError, match="they must be finite, not negative, and not all 0"):
            view.determinize(rng, lambda world, bad=bad: bad)


# -- rollouts --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rummy500", "dealers_joker", "open_melding", "partnership_500"])
def test_a_rollout_plays_the_policy_to_the_end_of_the_round(name):
    rules = Rules.preset(name)
    num_players = rules.player_counts()[0]
    agent = agents.make("greedy")
    agent.reset(rules, num_players, 0)
    for seed in range(8):
        game = middle_game(num_players, seed, rules=rules)
        if game.is_over:
            continue
        before = state_bytes(game)
        scores = game.rollout(greedy_policy, 1)
        assert state_bytes(game) == before
        played, finished = game.clone(), len(game.rounds)
        while len(played.rounds) == finished:  # greedy looks at no random bits
            view = played.view_record(played.current_seat)
            played.step(int(agent.act(view, played.action_mask()[None])[0]))
        assert scores.tolist() == list(played.rounds[-1].scores)
        assert game.rollout(agent, 2).tolist() == scores.tolist()


def test_rollouts_of_many_worlds():
    view = Game(seed=2).view(Game(seed=2).current_seat)
    worlds = Worlds.of_view(view, 30, 3)
    alone = [worlds[k].rollout(greedy_policy).tolist() for k in range(30)]
    assert worlds.rollout(greedy_policy).tolist() == alone
    random_scores = [
        Worlds.of_view(view, 30, 3).rollout(agents.make("random"), k) for k in (1, 1, 2)
    ]
    assert (random_scores[0] == random_scores[1]).all()
    assert (random_scores[0] != random_scores[2]).any()


# -- bytes -----------------------------------------------------------------------------------------


def test_a_table_goes_through_bytes():
    game = middle_game(2, 6)
    again = Game.from_bytes(game.to_bytes(), game.rules, 2)
    assert again == game
    assert again.legal_moves() == game.legal_moves()
    with pytest.raises(LayoutError, match="5 bytes, not"):
        Game.from_bytes(b"12345", game.rules, 2)


def test_the_page_runs_from_top_to_bottom():
    page = (Path(__file__).parents[1] / "docs" / "search.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    names = {"__name__": "docs_search"}
    for block in blocks:
        exec(compile(block, "<docs/search.md>", "exec"), names)
    assert len(blocks) == 7


def test_the_face_of_the_package():
    assert r5.Worlds is Worlds
    assert r5.afterstates is afterstates


def _last_decision_of_a_round(seed):
    """A game in which the seat to move can end the first of several rounds, and the move."""
    game, greedy = Game(seed=seed), agents.make("greedy")
    greedy.reset(game.rules, 2, 0)
    while True:
        before = game.clone()
        seat = game.current_seat
        action = int(greedy.act(game.view_record(seat), game.action_mask()[None])[0])
        game.step(action)
        if game.rounds:
            return before, action


def test_a_move_that_ends_a_round_ends_the_rollout():
    for seed in range(4):
        game, action = _last_decision_of_a_round(seed)
        worlds = Worlds.of_view(game.view(game.current_seat), 12, 5).play(action)
        ends = np.flatnonzero(worlds._states["round_index"] == 1)
        assert len(ends) > 0
        scores = worlds.clone().rollout(greedy_policy, 3)
        for k in ends:
            # The first round is over: its scores are the totals, and the second is not played.
            assert scores[k].tolist() == worlds._states["scores"][k, :2].tolist()


# -- leaves ----------------------------------------------------------------------------------------


def _lead(points, seat):
    points = [int(x) for x in points]
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


@pytest.mark.parametrize("num_players", [2, 3])
def test_leaves_are_valued_where_the_seat_draws_again(num_players):
    rules, count = Rules(), 10
    rng = np.random.default_rng(4)
    weights = rng.normal(0, 0.05, NUM_WEIGHTS).astype(np.float32)
    network = ValueNetwork(weights, rules, num_players)
    own = agents.PolicyAgent("network", network.policy)
    greedy = agents.make("greedy")
    for agent in (own, greedy):
        agent.reset(rules, num_players, 0)
    for seed in range(6):
        game = middle_game(num_players, seed)
        if game.is_over:
            continue
        seat, move = game.current_seat, game.legal_moves()[-1]
        worlds = Worlds.of_view(game.view(seat), count, 1).play(move)
        leads = worlds.clone().leaf_leads(network, seat, greedy, 2)
        for k in range(count):
            world = worlds[k]
            while not (world.is_over or world.rounds):
                mover = world.current_seat
                view, mask = world.view_record(mover), world.action_mask()[None]
                if mover == seat and world.phase == "draw":
                    found = afterstates(view, mask, rules, num_players)
                    points = view["table_points"][0, :num_players]
                    gained = found.views["table_points"][:, seat] - points[seat]
                    wanted = _lead(points, seat) + (gained + network.values(found.views)).max()
                    break
                agent = own if mover == seat else greedy
                world.step(int(agent.act(view, mask)[0]))
            else:
                wanted = _lead(world.rounds[0].scores, seat)
            assert leads[k] == pytest.approx(wanted, abs=1e-2)


def test_a_network_for_something_else_is_refused_at_leaves():
    network = ValueNetwork(np.zeros(NUM_WEIGHTS, np.float32), Rules(), 2)
    worlds = Worlds.of_view(Game(num_players=3, seed=1).view(0), 2, 1)
    with pytest.raises(NetworkError, match="plays with 2 players, not with 3"):
        worlds.leaf_leads(network, 0, greedy_policy)
