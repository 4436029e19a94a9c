"""Games between agents: what they come to, however they are grouped; what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import agents
import rummy500_env as r5
from agents import Agent, PolicyAgent, TurnAgent
from rummy500_env import arena as arena_module
from rummy500_env.arena import Arena
from rummy500_env.engine.jit import kernel
from tests.support.asking import Deals, Taped, arena_of, deals, play, same_results

HOW = {1: "out", 2: "exhausted", 3: "cut_off"}


def _seating(num_games, num_players, num_agents):
    return np.random.default_rng(1).integers(num_agents, size=(num_games, num_players))


def _hidden(spec):
    """The agent without its compiled policy."""
    return Taped(agents.make(spec))


class Ledger:
    """What a game's actions amount to, from the texts of the moves and the scores alone."""

    def __init__(self, game) -> None:
        n = game.num_players
        self.game, self.turns, self.round_turns = game, 0, []
        self.counts = {
            name: [0] * n
            for name in ("decisions", "digs", "dug_cards", "points_melded", "points_laid_off")
        }

    def step(self, action):
        game, counts = self.game, self.counts
        seat, move = game.current_seat, game.action_space.to_text(action)
        pile, before = len(game.view(seat).discard_pile), game.table_points[seat]
        num_rounds = len(game.rounds)
        game.step(action)
        counts["decisions"][seat] += 1
        if move.startswith("dig"):
            counts["digs"][seat] += 1
            counts["dug_cards"][seat] += pile - len(game.view(seat).discard_pile)
        ended = len(game.rounds) > num_rounds
        # Who goes out has nothing left in hand: the round's score is what lies on the table.
        after = game.rounds[-1].scores[seat] if ended else game.table_points[seat]
        if move.startswith("meld"):
            counts["points_melded"][seat] += after - before
        if move.startswith("layoff"):
            counts["points_laid_off"][seat] += after - before
        self.turns += ended or (game.phase == "draw" and not move.startswith(("draw", "dig")))
        if ended:
            self.round_turns.append(self.turns)
            self.turns = 0


@pytest.mark.parametrize("episode", ["round", "game"])
@pytest.mark.parametrize("kind", ["compiled", "one compiled", "in Python"])
def test_moves_are_kept_when_they_are_wanted(kind, episode, monkeypatch):
    monkeypatch.setattr(arena_module, "CHUNK", 7)
    num_games, num_players, rules = 16, 5, r5.Rules()
    players = [agents.make("greedy"), agents.make("random")]
    if kind != "compiled":
        players = [Taped(player) for player in players[:1]] + players[1:]
    if kind == "in Python":
        players[1] = Taped()
    arena = arena_of(rules, num_players, players, episode)
    dealt, seating = deals(num_games, num_players), _seating(num_games, num_players, 2)
    without = play(arena, dealt, seating)
    assert len(without.moves) == 0
    arena = arena_of(rules, num_players, players, episode, keep_moves=True)
    result = play(arena, dealt, seating, threads=2)
    assert result.round_decisions.sum() == result.decisions.sum() == len(result.moves)
    moves = iter(result.moves.tolist())
    row = 0
    for table in range(num_games):
        game = r5.Game(rules, num_players, int(dealt.seeds[table]), episode)
        while not game.is_over:
            for _ in range(result.round_decisions[row]):
                game.step(next(moves))
            row += 1
            assert len(game.rounds) == result.round_index[row - 1] + 1
        assert game.scores == result.scores[table].tolist()
    assert next(moves, None) is None
    result = replace(result, moves=without.moves, move_seats=without.move_seats)
    assert same_results(result, without)


@pytest.mark.parametrize("episode", ["round", "game"])
@pytest.mark.parametrize("num_players", [2, 3, 5])
def test_results_are_those_of_the_games(num_players, episode):
    num_games, rules = 12, r5.Rules(target_score=300)
    taped = [_hidden("greedy"), Taped()]
    arena = arena_of(rules, num_players, taped, episode)
    dealt, seating = deals(num_games, num_players), _seating(num_games, num_players, 2)
    result = play(arena, dealt, seating)

    decided = {}
    for number, agent in enumerate(taped):
        for views, actions in zip(agent.views, agent.actions, strict=True):
            places = zip(views["table"].tolist(), views["viewer"].tolist(), strict=True)
            turns = zip(places, views["decision"].tolist(), actions.tolist(), strict=True)
            for (table, seat), decision, action in turns:
                assert seating[table, seat] == number
                assert (table, seat, decision) not in decided
                decided[table, seat, decision] = action

    row = 0
    for table in range(num_games):
        game = r5.Game(rules, num_players, int(dealt.seeds[table]), episode)
        ledger = Ledger(game)
        while not game.is_over:
            seat = game.current_seat
            ledger.step(decided.pop((table, seat, ledger.counts["decisions"][seat])))
        assert result.scores[table].tolist() == game.scores
        assert np.flatnonzero(result.won[table]).tolist() == game.winners
        assert result.rounds[table] == len(game.rounds)
        assert result.truncated[table] == 0
        for name, counted in ledger.counts.items():
            assert getattr(result, name)[table].tolist() == counted, name
        outs = [sum(r.went_out == seat for r in game.rounds) for seat in range(num_players)]
        assert result.went_out[table].tolist() == outs
        laid = result.points_melded[table] + result.points_laid_off[table]
        assert (laid - result.hand_penalty[table]).tolist() == game.scores
        for index, (finished, turns) in enumerate(
            zip(game.rounds, ledger.round_turns, strict=True)
        ):
            assert (result.round_game[row], result.round_index[row]) == (table, index)
            assert HOW[int(result.round_how[row])] == finished.how
            goer = None if result.round_out[row] < 0 else result.round_out[row]
            assert goer == finished.went_out
            assert result.round_turns[row] == turns
            assert result.round_scores[row].tolist() == list(finished.scores)
            row += 1
    assert row == len(result.round_game)
    assert not decided


@pytest.mark.parametrize("episode", ["round", "game"])
@pytest.mark.parametrize("num_players", [2, 4])
def test_results_do_not_depend_on_grouping_threads_or_compiled_policies(
    monkeypatch, num_players, episode
):
    num_games = 70
    dealt, seating = deals(num_games, num_players), _seating(num_games, num_players, 3)
    specs = ["greedy", "random", "greedy:digs=never"]
    compiled = arena_of(r5.Rules(), num_players, [agents.make(s) for s in specs], episode)
    expected = play(compiled, dealt, seating)
    assert len(set(map(tuple, expected.scores.tolist()))) > num_games / 2

    hidden = arena_of(r5.Rules(), num_players, [_hidden(s) for s in specs], episode)
    assert same_results(play(hidden, dealt, seating), expected)
    mixed = [_hidden("greedy"), agents.make("random"), _hidden("greedy:digs=never")]
    some = arena_of(r5.Rules(), num_players, mixed, episode)
    assert same_results(play(some, dealt, seating, 3), expected)

    for chunk, threads in ((1, 1), (7, 1), (50, 3), (64, 2)):
        monkeypatch.setattr(arena_module, "CHUNK", chunk)
        assert same_results(play(compiled, dealt, seating, threads), expected)
    monkeypatch.setattr(arena_module, "CHUNK", 33)
    assert same_results(play(hidden, dealt, seating, 2), expected)


@pytest.mark.parametrize("num_players", [2, 3])
def test_a_game_does_not_depend_on_those_beside_it(num_players):
    dealt, seating = deals(40, num_players), _seating(40, num_players, 2)
    arena = arena_of(r5.Rules(), num_players, [agents.make("greedy"), agents.make("random")])
    whole = play(arena, dealt, seating)
    for game in (0, 17, 39):
        place = slice(game, game + 1)
        alone = play(arena, Deals(dealt.seeds[place], dealt.keys[place]), seating[place])
        assert alone.scores.tolist() == whole.scores[place].tolist()
        assert alone.decisions.tolist() == whole.decisions[place].tolist()


def test_seats_and_keys_matter():
    dealt, seating = deals(60, 2), np.tile([0, 1], (60, 1))
    arena = arena_of(r5.Rules(), 2, [agents.make("greedy"), agents.make("random")])
    straight = play(arena, dealt, seating)
    assert same_results(play(arena, dealt, seating), straight)
    turned = play(arena, dealt, seating[:, ::-1])
    assert turned.scores.tolist() != straight.scores.tolist()
    other_keys = play(arena, dealt._replace(keys=dealt.keys + np.uint64(1)), seating)
    assert other_keys.scores.tolist() != straight.scores.tolist()


def test_many_rounds_in_one_chunk_are_all_kept(monkeypatch):
    monkeypatch.setattr("rummy500_env.arena_games.END_ROWS", 8)
    rules = r5.Rules(target_score=3000, max_rounds=9)
    arena = arena_of(rules, 2, [agents.make("random")], "game")
    result = play(arena, deals(20, 2), np.zeros((20, 2), int))
    assert result.rounds.tolist() == [9] * 20
    assert result.truncated.tolist() == [2] * 20
    assert not result.won.any()
    assert result.round_game.tolist() == np.repeat(np.arange(20), 9).tolist()
    assert result.round_index.tolist() == list(range(9)) * 20
    assert result.round_scores.reshape(20, 9, 2).sum(axis=1).tolist() == result.scores.tolist()


def test_a_turn_cap_truncates_rounds():
    rules = r5.Rules(stock_exhausted="reshuffle", max_turns=5)
    arena = arena_of(rules, 2, [agents.make("random")])
    result = play(arena, deals(30, 2), np.zeros((30, 2), int))
    cut_off = result.truncated == 1
    assert cut_off.sum() > 20
    assert not result.won[cut_off].any()
    assert set(result.round_how[cut_off].tolist()) == {3}
    assert set(result.round_turns[cut_off].tolist()) == {5}


def test_only_agents_that_are_not_compiled_are_timed():
    arena = arena_of(r5.Rules(), 2, [agents.make("greedy"), _hidden("greedy")])
    seconds = play(arena, deals(10, 2), np.tile([0, 1], (10, 1))).decide_seconds
    assert (seconds[:, 0] == 0).all()
    assert (seconds[:, 1] > 0).all()


@pytest.mark.nojit
def test_a_game_between_compiled_agents():
    arena = arena_of(r5.Rules(), 2, [agents.make("greedy"), agents.make("random")])
    result = play(arena, deals(2, 2), [[0, 1], [1, 0]])
    hidden = arena_of(r5.Rules(), 2, [_hidden("greedy"), _hidden("random")])
    assert same_results(play(hidden, deals(2, 2), [[0, 1], [1, 0]]), result)
    assert result.rounds.tolist() == [1, 1]


@pytest.mark.boundscheck
@pytest.mark.parametrize("num_players", [2, 5, 8])
def test_whole_games_of_compiled_agents_end(num_players):
    arena = arena_of(
        r5.Rules(), num_players, [agents.make("greedy"), agents.make("random")], "game"
    )
    result = play(arena, deals(50, num_players), _seating(50, num_players, 2))
    assert (result.won.sum(axis=1) >= 1).all()
    assert (result.scores.max(axis=1) >= 500).all()


# -- what is refused --------------------------------------------------------------------------


class Broken(Agent):
    """Plays at random, and returns something else in its third decision."""

    name = "broken"

    def __init__(self, wrong) -> None:
        self.wrong = wrong

    def act(self, views, action_masks):
        actions = action_masks.argmax(axis=1)
        if (views["decision"] == 2).any():
            return self.wrong(views, actions)
        return actions


def _one_wrong(action):
    def change(views, actions):
        actions[views["decision"] == 2] = action
        return actions

    return change


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (_one_wrong(-1), "action -1"),
        (_one_wrong(634), "action 634"),
        (_one_wrong(10**6), "action 1000000"),
        (lambda views, actions: actions[:, None], r"actions of shape \(\d+, 1\) and type int64"),
        (lambda views, actions: actions[:0], r"actions of shape \(0,\) and type int64"),
        (lambda views, actions: actions[0], r"actions of shape \(\) and type int64"),
        (lambda views, actions: actions * 1.0, r"actions of shape \(\d+,\) and type float64"),
        (lambda views, actions: actions > 0, r"actions of shape \(\d+,\) and type bool"),
        (lambda views, actions: None, r"actions of shape \(\) and type object"),
    ],
)
def test_wrong_actions_name_agent_seat_game_decision_and_what_was_legal(wrong, said):
    arena = arena_of(r5.Rules(), 2, [agents.make("greedy"), Broken(wrong)])
    begin = rf"agent 'broken' chose {said}.* in decision 2 at seat 1 of game 0 "
    message = begin + r"\(legal: 'meld Jh-Kh', 'discard .*'\)$"
    with pytest.raises(r5.IllegalActionError, match=message):
        play(arena, deals(3, 2), np.tile([0, 1], (3, 1)))


@kernel(cache=False)
def always_draw(views, row, legal, rules):
    return np.int64(0)


@pytest.mark.nojit
def test_an_illegal_action_of_a_compiled_policy_names_the_same():
    arena = arena_of(r5.Rules(), 2, [PolicyAgent("drawer", always_draw)])
    message = r"agent 'drawer' chose an illegal action in decision 1 at seat . of game 0 \(legal: '"
    with pytest.raises(r5.IllegalActionError, match=message):
        play(arena, deals(1, 2), [[0, 0]])


class Failing(TurnAgent):
    """Fails in its second decision."""

    name = "failing"

    def __init__(self, error) -> None:
        super().__init__()
        self.error = error

    def choose(self, view, legal):
        if view.decision == 1:
            raise self.error
        return legal[0]


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (ZeroDivisionError("by hand"), r5.AgentError, r"ZeroDivisionError: by hand \(test_arena"),
        (KeyError("Qx"), r5.AgentError, r"KeyError: 'Qx' \(test_arena.py, line \d+\)$"),
        (r5.IllegalActionError("no such move"), r5.IllegalActionError, "no such move$"),
    ],
    ids=["any error", "another", "an illegal action"],
)
def test_an_agent_that_fails_is_named_with_seat_game_and_decision(error, kind, said):
    arena = arena_of(r5.Rules(), 2, [agents.make("random"), Failing(error)])
    message = rf"^agent 'failing' failed in decision 1 at seat 1 of game 77 \(legal: .*\): {said}"
    with pytest.raises(kind, match=message) as caught:
        arena.play([3], [[0, 1]], [[1, 2]], game_ids=[77])
    assert isinstance(caught.value.__cause__, type(error))


def test_an_agent_that_fails_with_many_views_is_named_with_its_games():
    def fail(views, actions):
        raise ValueError("cannot")

    arena = arena_of(r5.Rules(), 2, [agents.make("greedy"), Broken(fail)])
    message = (
        r"^agent 'broken' failed in 3 decisions asked at once, the first decision 2 at seat 1 of "
        r"game 5 \(legal: .*\): ValueError: cannot"
    )
    dealt = deals(3, 2)
    with pytest.raises(r5.AgentError, match=message):
        arena.play(dealt.seeds, [[0, 1]] * 3, dealt.keys, game_ids=[5, 6, 7])


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("seeds", "seating", "keys", "message"),
    [
        ([1, 2], [[0, 1]], [[1, 2]], "are needed"),
        ([1], [[0, 1, 0]], [[1, 2, 3]], r"\(G, 2\) are needed"),
        ([[1]], [[0, 1]], [[1, 2]], "are needed"),
        ([1], [[0, 1]], [[1]], "are needed"),
        ([1], [[0, 2]], [[1, 2]], r"outside 0\.\.1"),
        ([1], [[-1, 0]], [[1, 2]], r"outside 0\.\.1"),
        ([], np.zeros((0, 2), int), np.zeros((0, 2), int), "no games to play"),
    ],
)
def test_wrong_shapes_and_seatings_are_refused(seeds, seating, keys, message):
    arena = arena_of(r5.Rules(), 2, [agents.make("greedy"), agents.make("random")])
    with pytest.raises(ValueError, match=message):
        arena.play(seeds, seating, keys)


@pytest.mark.nojit
def test_wrong_settings_of_an_arena():
    with pytest.raises(ValueError, match="'game' and 'round'"):
        Arena(r5.Rules(), 2, [], "match")
    with pytest.raises(r5.RulesError, match="num_players=9"):
        Arena(r5.Rules(), 9, [])
