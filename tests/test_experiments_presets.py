"""Tournaments of every preset: all kinds of agents play them from end to end."""

import random

import numpy as np
import pandas as pd
import pytest

import agents
from experiments.cli import main
from experiments.tournament import tournament
from rummy500_env import Rules
from rummy500_env.presets import presets

TEAMS = [name for name in presets() if Rules.preset(name).teams != "none"]
ALONE = [name for name in presets() if name not in TEAMS]

NEW_PHASES = {
    "calling_rum": {"call"},
    "rummy500_pagat": {"call", "obliged"},
    "open_melding": {"window"},
    "michigan_rum": {"final_layoff"},
    "opening_discard": {"opening"},
    "dealers_joker": {"nominate"},
    "dealers_joker_56": {"nominate"},
}
"""Presets that ask more of an agent than to draw, dig, lay and discard."""


class Witness(agents.TurnAgent):
    """Moves at random, and notes the phases in which it was asked."""

    name = "witness"
    met: set[str] = set()  # noqa: RUF012 (shared by the agents of all seats on purpose)

    def choose(self, view, legal):
        assert [str(move) for move in view.moves()] == [str(move) for move in legal]
        assert view.current_seat == view.seat
        assert bool(view.hand) != (view.phase == "nominate" or view.hand_sizes[view.seat] == 0)
        self.met.add(view.phase)
        return random.Random(view.random).choice(legal)


def played_out(played, num_players: int) -> None:
    """Check that all games came to their end, and that nobody made an illegal move."""
    games, seats, rounds = played.games, played.seats, played.rounds
    assert len(seats) == num_players * len(games)
    assert set(seats["agent"]) == {"witness", "greedy", "random"}
    assert (seats["forfeits"] == 0).all()
    # In the tiny presets a round may end before the other seat has decided anything.
    assert (seats.groupby("game_id")["decisions"].max() > 0).all()
    assert (rounds["turns"] > 0).all()
    assert rounds.groupby("game_id").size().tolist() == games["rounds"].tolist()
    assert not any(isinstance(cut, str) and cut for cut in games["truncated_by"])


@pytest.mark.parametrize("name", ALONE)
def test_agents_of_all_kinds_play_every_preset(name):
    num_players = Rules.preset(name).player_counts()[0]
    played = tournament([Witness(), "greedy", "random"], name, num_players, deals=2)
    played_out(played, num_players)


@pytest.mark.parametrize("name", NEW_PHASES)
def test_they_are_asked_in_the_phases_of_their_preset(name):
    Witness.met = set()
    played = tournament([Witness(), "greedy", "random"], name, 3, deals=8, episode="game")
    played_out(played, 3)
    assert NEW_PHASES[name] <= Witness.met


@pytest.mark.parametrize("name", TEAMS)
def test_sides_of_two_seats_play_each_other(name):
    played = tournament([Witness(), "greedy", "random"], name, 4, deals=3)
    played_out(played, 4)
    assert len(played.games) == 3 * 3 * 2
    for column in ("agent", "score", "won"):
        by_seat = played.seats[column].to_numpy().reshape(-1, 4)
        assert (by_seat[:, 0] == by_seat[:, 2]).all()
        assert (by_seat[:, 1] == by_seat[:, 3]).all()
        assert column != "agent" or (by_seat[:, 0] != by_seat[:, 1]).all()


@pytest.mark.parametrize("name", TEAMS)
def test_a_win_of_a_side_counts_as_one(name):
    played = tournament(["greedy", "random"], name, 4, deals=40)
    is_greedy = (played.seats["agent"] == "greedy").to_numpy()
    wins, scores = (played.seats[name].to_numpy() for name in ("won", "score"))
    greedy = dict(zip(played.pairs["agent"], played.pairs.to_dict("records"), strict=True))[
        "greedy"
    ]
    shared = np.repeat(played.games["winners"].to_numpy() // 2, 4)
    assert (wins / shared)[is_greedy].mean() == pytest.approx(greedy["win_share"])
    gap = scores[is_greedy].mean() - scores[~is_greedy].mean()
    assert gap == pytest.approx(greedy["difference"])


@pytest.mark.parametrize("name", [*NEW_PHASES, "booting", "floating", "michigan_rummy_500"])
def test_the_command_plays_presets_of_every_kind(name, tmp_path, capsys):
    words = f"tournament --rules {name} --agents greedy,random --deals 5 --no-pictures --out"
    assert main([*words.split(), str(tmp_path)]) == 0
    assert not capsys.readouterr().err
    seats = pd.read_parquet(tmp_path / "seats.parquet")
    assert len(seats) == 2 * 2 * 5
    assert set(seats["rounds"]) == {1}


def test_the_command_plays_in_teams(tmp_path, capsys):
    words = "tournament --rules partnership_500 --agents greedy,random --deals 5 --players 4 --out"
    assert main([*words.split(), str(tmp_path)]) == 0
    assert not capsys.readouterr().err
    assert len(pd.read_parquet(tmp_path / "seats.parquet")) == 4 * 2 * 5
