"""Agents that decide one move at a time: easy to write, and with a memory for each seat."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

import agents
import rummy500_env as r5
from agents import Agent, TurnAgent
from rummy500_env import Move
from rummy500_env.arena import Arena
from tests.support.asking import arena_of, deals, play, same_results

STANDARD = r5.Rules()


class Cautious(TurnAgent):
    """Never digs, lays nothing down, throws the first card it can."""

    name = "cautious"

    def choose(self, view, legal):
        for wanted in ("draw", "discard", "pass"):
            for move in legal:
                if move.startswith(wanted):
                    return move
        return legal[0]


def _as_move(move):
    return move


def _as_index(move):
    return move.index


def _as_number(move):
    return np.int64(move.index)


def _as_text(move):
    return str(move)


class Last(TurnAgent):
    """Plays the last of its legal moves, in one of the forms that are allowed."""

    name = "last"

    def __init__(self, form) -> None:
        super().__init__()
        self.form = form

    def choose(self, view, legal):
        return self.form(legal[-1])


@pytest.mark.nojit
def test_ten_lines_play():
    arena = arena_of(STANDARD, 2, [Cautious(), agents.make("random")])
    result = play(arena, deals(2, 2), [[0, 1], [1, 0]])
    assert result.rounds.tolist() == [1, 1]
    assert result.digs[[0, 1], [0, 1]].tolist() == [0, 0]
    assert (result.decisions > 0).all()


@pytest.mark.nojit
def test_a_move_can_be_returned_as_itself_its_index_or_its_text():
    results = [
        play(arena_of(STANDARD, 2, [Last(form)]), deals(1, 2), [[0, 0]])
        for form in (_as_move, _as_index, _as_number, _as_text)
    ]
    assert all(same_results(result, results[0]) for result in results)


def test_it_sees_its_own_view_and_its_legal_moves():
    shown = []

    class Looking(TurnAgent):
        def choose(self, view, legal):
            assert legal == view.moves()
            assert all(isinstance(move, Move) for move in legal)
            assert view.current_seat == view.seat
            shown.append((view.table, view.seat, view.decision, view.hand, [*map(str, legal)]))
            return legal[view.random % len(legal)]

    dealt = deals(3, 3)
    play(arena_of(STANDARD, 3, [Looking()]), dealt, np.zeros((3, 3), int))
    for table in range(3):
        game = r5.Game(num_players=3, seed=int(dealt.seeds[table]), episode="round")
        told = {(t, seat, k): (hand, moves) for t, seat, k, hand, moves in shown if t == table}
        for seat in range(3):
            first = told.get((table, seat, 0))
            if first is not None and seat == game.current_seat:
                assert first == (game.view(seat).hand, sorted(map(str, game.legal_moves())))
        assert {seat for _, seat, _ in told} == {0, 1, 2}


class Remembering(TurnAgent):
    """Keeps what it was shown; its memory is made once, when it is set up."""

    name = "remembering"
    everyone: ClassVar[list[tuple[int, int, int, list[int]]]] = []

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[int] = []
        self.notes: dict[str, Any] = {"decisions": []}

    def choose(self, view, legal):
        self.seen.append(view.decision)
        self.notes["decisions"].append(view.decision)
        assert self.seen == self.notes["decisions"]
        Remembering.everyone.append((view.table, view.seat, id(self), self.seen))
        return legal[view.random % len(legal)]


@pytest.mark.parametrize("episode", ["round", "game"])
def test_each_seat_of_each_game_is_played_by_an_instance_of_its_own_that_remembers(episode):
    Remembering.everyone.clear()
    agent = Remembering()
    arena = arena_of(r5.Rules(target_score=200), 3, [agent], episode)
    play(arena, deals(4, 3), np.zeros((4, 3), int))
    players = {(table, seat): set() for table in range(4) for seat in range(3)}
    for table, seat, player, _ in Remembering.everyone:
        players[table, seat].add(player)
    assert all(len(instances) == 1 for instances in players.values())
    assert len(set.union(*players.values())) == 12
    for _, _, _, seen in Remembering.everyone:
        assert seen == list(range(len(seen)))
    assert agent.seen == []  # the one that was set up decides nothing itself


@pytest.mark.nojit
def test_new_games_are_played_by_new_instances():
    Remembering.everyone.clear()
    arena = arena_of(STANDARD, 2, [Remembering()])
    for _ in range(2):
        play(arena, deals(1, 2), [[0, 0]])
    for _, _, _, seen in Remembering.everyone:
        assert seen == list(range(len(seen)))


@pytest.mark.nojit
def test_reset_forgets_all_games():
    agent = Remembering()
    game = r5.Game(seed=1)
    agent.reset(STANDARD, 2, 1)
    seat = game.current_seat
    game.step(0)
    game.step(game.legal_actions()[-1])
    while game.current_seat != seat:
        game.step(game.legal_actions()[-1])
    later = game.view_record(seat), game.action_mask()[None]
    assert later[0]["decision"][0] == 2
    seen = []
    for forget in (False, False, True):
        if forget:
            agent.reset(STANDARD, 2, 1)
        agent.act(*later)
        seen.append(Remembering.everyone[-1][3].copy())
    assert seen == [[2], [2, 2], [2]]


@pytest.mark.nojit
def test_rules_and_players_are_known_to_every_instance():
    known = []

    class Knowing(TurnAgent):
        def choose(self, view, legal):
            known.append((self.rules is rules, self.num_players))
            return legal[0]

    rules = r5.Rules(target_score=300)
    agent = Knowing()
    agent.reset(rules, 3, 1)
    game = r5.Game(rules, 3, seed=2)
    agent.act(game.view_record(game.current_seat), game.action_mask()[None])
    assert known == [(True, 3)]


# -- mistakes ---------------------------------------------------------------------------------


class Wrong(TurnAgent):
    """Draws, then returns something that is no legal move."""

    name = "wrong"

    def __init__(self, choice) -> None:
        super().__init__()
        self.choice = choice

    def choose(self, view, legal):
        return legal[0] if view.decision == 0 else self.choice


def _play_wrong(choice):
    play(arena_of(STANDARD, 2, [Wrong(choice), Cautious()]), deals(1, 2), [[0, 1]])


@pytest.mark.nojit
@pytest.mark.parametrize("choice", ["draw", 0, 634, 10**6, -1, Move("draw", 0)], ids=repr)
def test_an_illegal_choice_names_agent_seat_decision_and_what_was_legal(choice):
    index = choice.index if isinstance(choice, Move) else 0 if choice == "draw" else choice
    message = (
        rf"agent 'wrong' chose action {index} in decision 1 at seat 0 of game 0 "
        r"\(legal: 'discard .*'discard "
    )
    with pytest.raises(r5.IllegalActionError, match=message):
        _play_wrong(choice)


@pytest.mark.nojit
@pytest.mark.parametrize("choice", [None, 1.5, ["draw"]], ids=repr)
def test_what_is_no_move_is_named(choice):
    told = r"agent 'wrong' failed in decision 1 .* is no move"
    with pytest.raises(r5.IllegalActionError, match=told):
        _play_wrong(choice)


@pytest.mark.nojit
def test_a_text_that_names_no_move_is_named():
    with pytest.raises(ValueError, match="unknown move 'discord 9d'"):
        _play_wrong("discord 9d")


@pytest.mark.nojit
def test_what_a_subclass_forgot_is_named():
    class Empty(Agent):
        pass

    class Silent(TurnAgent):
        pass

    with pytest.raises(r5.AgentError, match="Empty does not say how it acts"):
        play(arena_of(STANDARD, 2, [Empty()]), deals(1, 2), [[0, 0]])
    with pytest.raises(r5.AgentError, match="Silent does not say how it chooses"):
        play(arena_of(STANDARD, 2, [Silent()]), deals(1, 2), [[0, 0]])


def test_any_object_with_a_name_and_act_can_play():
    class Plain:
        name = "plain"

        def act(self, views, action_masks):
            return action_masks.argmax(axis=1)

    result = Arena(STANDARD, 2, [Plain()]).play([5], [[0, 0]], [[1, 2]])
    assert result.rounds.tolist() == [1]
