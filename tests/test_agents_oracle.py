"""Hidden cards reach agents that declare that they cheat, and no others; results mark those."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pandas as pd
import pytest

import agents
from agents import Agent, IsolatedAgent
from experiments.cli import main
from experiments.runner import Conduct
from experiments.tournament import load, tournament
from rummy500_env import AgentError, Game, Rules
from rummy500_env.envs.single import Rummy500Single
from rummy500_env.networks import NetworkError
from tests.support.asking import arena_of, deals, play
from tests.support.games import middle_game
from tests.support.worlds import other_world
from tests.test_agents_rows import ALL

WHO = {"leaderboard": ["agent"], "ratings": ["agent"], "pairs": ["agent", "opponent"]}
"""Columns of the tables that are CSV in which agents stand."""


class Watched(Agent):
    """Plays the first legal move, and keeps all that it is given."""

    name = "watched"

    def __init__(self, cheats) -> None:
        self.cheats = cheats  # type: ignore[misc]  # of this one, not of its class
        self.given: list[Any] = []

    def act(self, views, action_masks):
        self.given.append((views, action_masks))
        return action_masks.argmax(axis=1)

    def act_seeing(self, views, action_masks, tables):
        self.given.append((views, action_masks, tables))
        return action_masks.argmax(axis=1)


def _watched(cheats):
    agent = Watched(cheats)
    arena = arena_of(Rules(), 2, [agent, agents.make("greedy")])
    result = play(arena, deals(3, 2), [[0, 1], [1, 0], [0, 0]])
    return agent.given, result


def test_only_an_agent_that_cheats_is_given_tables():
    fair, result = _watched(False)
    assert {len(given) for given in fair} == {2}
    seeing, same = _watched(True)
    assert {len(given) for given in seeing} == {3}
    for (views, masks), (again, masks_again, tables) in zip(fair, seeing, strict=True):
        assert (views.tobytes(), masks.tobytes()) == (again.tobytes(), masks_again.tobytes())
        seats, rows = again["viewer"], np.arange(len(again))
        assert (tables["seat"] == seats).all()
        assert (tables["hands"][rows, seats] == again["hand"]).all()
        assert (tables["hands"][rows, 1 - seats] != 0).any()
        tables["scores"] = 10_000  # a copy: the games are not touched
    assert same.scores.tolist() == result.scores.tolist()


def _decided(agent, game):
    seat = game.current_seat
    view = game.view_record(seat)
    view["random"] = 7
    masks = game.action_mask()[None]
    if agent.cheats:
        return int(agent.act_seeing(view, masks, game.state())[0])
    return int(agent.act(view, masks)[0])


def _pairs(count):
    chooser = random.Random(4)
    for seed in range(count):
        game = middle_game(2, seed, phase="play")
        pair = other_world(game, game.current_seat, chooser)
        if pair is not None:
            yield pair


@pytest.mark.parametrize("spec", ALL)
def test_what_an_agent_cannot_see_changes_no_decision(spec):
    agent = agents.make(spec)
    if agent.cheats:
        pytest.skip("it declares that it sees hidden cards")
    try:
        agent.reset(Rules(), 2, 0)
    except NetworkError as error:
        pytest.skip(str(error))
    compared = 0
    for one, other in _pairs(12):
        assert _decided(agent, one) == _decided(agent, other)
        compared += 1
    assert compared > 8


def test_what_the_oracle_sees_changes_decisions():
    oracle = agents.make("oracle:4")
    oracle.reset(Rules(), 2, 0)
    found = [_decided(oracle, one) != _decided(oracle, other) for one, other in _pairs(12)]
    assert any(found)


def test_the_oracle_is_the_only_one_that_cheats():
    assert [name for name in agents.names() if agents.make(name).cheats] == ["oracle"]


def test_it_beats_the_search_that_must_guess():
    pair = tournament(["oracle:8", "mc:8"], deals=40, seed=2).pairs.iloc[0]
    assert pair["difference"] - pair["half_width"] > 0


def test_it_plays_the_same_in_a_process_of_its_own():
    names = ["oracle:2", "greedy"]
    here = tournament(names, deals=3, seed=2)
    apart = tournament(names, deals=3, seed=2, conduct=Conduct(isolate=True))
    assert apart.seats["score"].tolist() == here.seats["score"].tolist()
    assert IsolatedAgent("oracle:2").cheats
    assert not IsolatedAgent("mc:2").cheats


def test_nobody_else_shows_it_a_table():
    oracle = agents.make("oracle:2")
    game = Game(Rules(), 2, seed=1)
    oracle.reset(game.rules, 2, 0)
    with pytest.raises(AgentError, match="'oracle:2' sees hidden cards: only an arena shows"):
        oracle.act(game.view_record(game.current_seat), game.action_mask()[None])
    with pytest.raises(TypeError, match="<agent oracle:2> sees hidden cards: it plays in arenas"):
        Rummy500Single(opponents="oracle:2")


def test_every_table_of_a_tournament_marks_it(tmp_path, capsys):
    out = tmp_path / "run"
    words = ["tournament", "--agents", "oracle:1,greedy,random", "--deals", "2", "--out", str(out)]
    assert main(words) == 0
    said = capsys.readouterr().out
    board, payoffs, ratings, *_ = said.split("\n\n")[1:]
    for table in (board, payoffs, ratings):
        assert "oracle:1 (cheats)" in table
        assert "oracle:1 " not in table.replace("oracle:1 (cheats)", "")
    assert "- oracle:1 (cheats) sees all hands and the stock" in said
    assert "--agents oracle:1,greedy,random" in said  # the command names it as it is
    assert json.loads((out / "manifest.json").read_text())["cheats"] == ["oracle:1"]
    seats = pd.read_parquet(out / "seats.parquet")
    assert seats["cheats"].tolist() == [name == "oracle:1" for name in seats["agent"]]
    for name, columns in WHO.items():
        rows = pd.read_csv(out / f"{name}.csv")
        told = ["oracle:1" in row for row in rows[columns].to_numpy().tolist()]
        assert rows["cheats"].tolist() == told
        assert any(told)
    assert load(out).marked("oracle:1") == "oracle:1 (cheats)"


def test_a_comparison_and_the_list_of_agents_mark_it(tmp_path, capsys):
    words = ["compare", "oracle:1", "greedy", "--max-deals", "100", "--out", str(tmp_path / "run")]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "oracle:1 (cheats)" in said.partition("\n")[0]
    assert "- oracle:1 (cheats) sees all hands" in said
    assert main(["agents"]) == 0
    listed = capsys.readouterr().out
    assert "oracle (cheats)" in listed
    assert "mc (cheats)" not in listed
    assert main(["agents", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in found if one["cheats"]] == ["oracle"]


def test_fair_tables_say_nothing_of_it(capsys, tmp_path):
    words = ["tournament", "--agents", "greedy,random", "--deals", "2"]
    assert main([*words, "--out", str(tmp_path / "run")]) == 0
    assert "cheats" not in capsys.readouterr().out
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["cheats"] == []
