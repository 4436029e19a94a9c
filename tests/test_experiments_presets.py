"""Tournaments of every preset: all kinds of agents play them from end to end."""

import random

import pandas as pd
import pytest

import agents
from experiments.cli import main
from experiments.tournament import tournament
from rummy500_env import NotImplementedRule, Rules
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
    assert (seats["decisions"] > 0).all()
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
def test_tournaments_in_teams_are_refused(name):
    with pytest.raises(NotImplementedRule, match="not played in teams yet"):
        tournament(["greedy", "random"], name, 4, deals=1)


@pytest.mark.parametrize("name", [*NEW_PHASES, "booting", "floating", "michigan_rummy_500"])
def test_the_command_plays_presets_of_every_kind(name, tmp_path, capsys):
    words = f"tournament --rules {name} --agents greedy,random --deals 5 --no-pictures --out"
    assert main([*words.split(), str(tmp_path)]) == 0
    assert not capsys.readouterr().err
    seats = pd.read_parquet(tmp_path / "seats.parquet")
    assert len(seats) == 2 * 2 * 5
    assert set(seats["rounds"]) == {1}


@pytest.mark.parametrize("name", TEAMS)
def test_the_command_refuses_teams_in_one_line(name, tmp_path, capsys):
    words = f"tournament --rules {name} --agents greedy,random --deals 5 --players 4 --out"
    assert main([*words.split(), str(tmp_path / "run")]) == 2
    said = capsys.readouterr()
    assert said.err == (
        "rummy500: error: tournaments are not played in teams yet (teams='two_by_two')\n"
    )
    assert not said.out
    assert not (tmp_path / "run").exists()
