"""Data sets of records: their arrays are what the environments show, pay and end."""

from __future__ import annotations

import gc
import itertools
import json
import random
import re
import weakref
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import rummy500_env as r5
from rummy500_env import Game, RecordError, Rules, datasets, records
from rummy500_env.datasets import arrays
from rummy500_env.datasets.npz import NpzFile
from rummy500_env.engine.rewards import REWARDS
from tests.support.recording import lines_of, played, write_lines

TEAMS = {"teams": "two_by_two", "hand_size": 7, "target_score": 150}
WINDOWS = {"out_of_turn_play": "meld_and_layoff", "final_layoff": "any_meld", "target_score": 150}
LIMITED = {"target_score": 1000, "max_rounds": 1}

CASES: dict[str, tuple[dict[str, Any], int, str]] = {
    "round": ({}, 2, "round"),
    "game": ({"target_score": 200}, 3, "game"),
    "teams": (TEAMS, 4, "game"),
    "windows": (WINDOWS, 3, "game"),
    "cut off": (LIMITED, 2, "game"),
}


def verified(game: Game, players: list[str] | None = None, game_id: int = 0) -> records.Replay:
    """Return the game as one that was recorded and replayed."""
    return records.verify(records.record_of(game, players, game_id))


@pytest.mark.parametrize("observation_dtype", ["float32", "int8"])
@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("name", CASES)
def test_episodes_are_what_the_environment_shows(name, reward, observation_dtype):
    options, num_players, episode = CASES[name]
    game = played(Game(Rules(**options), num_players, 5, episode), 5)
    found = datasets.episode_of(verified(game), reward, observation_dtype)
    env = r5.env(
        rules=game.rules,
        num_players=num_players,
        episode=episode,
        reward=reward,
        observation_dtype=observation_dtype,
    )
    env.reset(seed=5)
    own = np.zeros(num_players)
    for row, action in enumerate(game.history):
        seat = env.possible_agents.index(env.agent_selection)
        observation = env.observe(env.agent_selection)
        assert found.seats[row] == seat
        assert found.actions[row] == action
        np.testing.assert_array_equal(found.observations[row], observation["observation"])
        np.testing.assert_array_equal(found.action_masks[row], observation["action_mask"])
        env.step(action)
        paid = [env.rewards[agent] for agent in env.possible_agents]
        np.testing.assert_allclose(found.seat_rewards[row], paid, rtol=1e-6)
        own += paid
    assert len(found.actions) == len(game.history)
    for seat, agent in enumerate(env.possible_agents):
        rows = found.seats == seat
        np.testing.assert_allclose(found.rewards[rows].sum(), own[seat], rtol=1e-5)
        last = np.flatnonzero(rows)[-1]
        ended = found.terminations[rows].tolist(), found.truncations[rows].tolist()
        assert [any(each[:-1]) for each in ended] == [False, False]
        assert found.terminations[last] == env.terminations[agent]
        assert found.truncations[last] == env.truncations[agent]
        np.testing.assert_array_equal(
            found.final_observations[seat], env.observe(agent)["observation"]
        )
    assert found.truncations.any() == (name == "cut off")


@pytest.mark.parametrize("reward", ["score", "points"])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seat_has_what_a_learner_has(seat, reward):
    """A learner that plays as recorded, against opponents that do, sees and earns the same."""
    game = played(Game(Rules(target_score=150), 3, 8), 8)
    found = datasets.episode_of(verified(game), reward)
    rows = np.flatnonzero(found.seats == seat)
    moves = iter([a for a, by in zip(game.history, found.seats, strict=True) if by != seat])
    env = gymnasium.make(
        "Rummy500-v0",
        rules=game.rules,
        num_players=3,
        seat=seat,
        opponents=lambda view, legal: next(moves),
        episode="game",
        reward=reward,
        disable_env_checker=True,
    )
    observation, _ = env.reset(seed=1, options={"position": game.start().position()})
    terminated = False
    for row in rows:
        np.testing.assert_array_equal(observation["observation"], found.observations[row])
        np.testing.assert_array_equal(observation["action_mask"], found.action_masks[row])
        observation, paid, terminated, truncated, _ = env.step(found.actions[row])
        assert paid == pytest.approx(float(found.rewards[row]), abs=1e-6)
        assert (terminated, truncated) == (found.terminations[row], found.truncations[row])
    assert terminated
    np.testing.assert_array_equal(observation["observation"], found.final_observations[seat])


def test_a_game_broken_off_is_truncated_where_it_ends():
    found = datasets.episode_of(verified(played(Game(seed=2), 2, 30)))
    assert not found.terminations.any()
    assert sorted(found.seats[found.truncations].tolist()) == [0, 1]
    assert found.truncations[-1]


def test_a_game_without_moves_is_an_episode_without_rows():
    found = datasets.episode_of(verified(Game(seed=2)))
    assert found.actions.shape == found.rewards.shape == (0,)
    assert found.observations.shape[0] == found.seat_rewards.shape[0] == 0
    assert found.final_observations.shape[0] == 2


def test_what_there_is_not_is_refused():
    again = verified(Game(seed=2))
    with pytest.raises(ValueError, match="reward='none': allowed are score, points"):
        datasets.episode_of(again, "none")
    with pytest.raises(ValueError, match="observation dtype float64"):
        datasets.episode_of(again, "score", "float64")


# --- one file ------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path) -> Path:
    """Three games of different lengths."""
    found = tmp_path / "games.r500.gz"
    with records.Writer(found) as file:
        file.add(played(Game(seed=2**64 - 1, episode="round"), 1), ["greedy", "random"])
        file.add(played(Game(seed=2, episode="round"), 2, 25), ["random", "grün"])
        file.add(played(Game(seed=3), 3), ["greedy", "greedy"], game_id=40)
    return found


@pytest.mark.parametrize("observation_dtype", ["float32", "int8"])
def test_a_file_has_the_documented_arrays(path, tmp_path, observation_dtype):
    out = tmp_path / "new" / "data.npz"
    done: list[int] = []
    told = datasets.export(
        path, out, "points", observation_dtype, progress=lambda k, _: done.append(k)
    )
    assert done == [1, 2, 3]
    with np.load(out) as data:
        found = dict(data)
    assert list(found) == list(datasets.KEYS)
    sizes = {
        "N": len(found["actions"]),
        "E": 3,
        "E + 1": 4,
        "seats": 2,
        "size": len(found["observation_scale"]),
        "actions": Game().action_space.n,
    }
    for name, said in datasets.KEYS.items():
        shape, kinds = re.findall(r"^\((.*?),?\) ([^:]+): ", said)[0]
        wanted = tuple(sizes[word] for word in shape.split(", ") if word)
        assert found[name].shape == wanted, name
        kind = found[name].dtype
        assert ("text" if kind.kind == "U" else kind.name) in kinds.split(" or "), name
    assert told == (3, sizes["N"])
    assert list(tmp_path.glob("**/.*")) == []

    offsets = found["episode_offsets"]
    assert offsets[0] == 0
    assert offsets[-1] == sizes["N"]
    for number, again in enumerate(records.replay(path)):
        rows = slice(offsets[number], offsets[number + 1])
        episode = datasets.episode_of(again, "points", observation_dtype)
        for name in ("observations", "action_masks", "actions", "rewards", "seats"):
            np.testing.assert_array_equal(found[name][rows], getattr(episode, name))
        for name in ("seat_rewards", "terminations", "truncations"):
            np.testing.assert_array_equal(found[name][rows], getattr(episode, name))
        assert found["game_ids"][number] == again.header.game_id
        assert found["seeds"][number] == again.header.seed
        assert tuple(found["players"][number]) == again.header.players
    about = json.loads(str(found["about"]))
    assert (about["reward"], about["num_players"]) == ("points", 2)
    assert Rules.from_dict(about["rules"]).digest == about["rules_digest"]
    Game().observation_space.check(about["observation_layout"])
    Game().action_space.check(about["action_layout"])
    assert about["keys"] == datasets.KEYS


def test_the_small_form_times_its_scale_is_the_other(path, tmp_path):
    for kind in ("float32", "int8"):
        datasets.export(path, tmp_path / f"{kind}.npz", observation_dtype=kind)
    small, large = (np.load(tmp_path / f"{kind}.npz") for kind in ("int8", "float32"))
    with small, large:
        scaled = small["observations"] * small["observation_scale"]
        np.testing.assert_array_equal(scaled, large["observations"])


def test_files_are_equal_for_equal_games_and_several_are_joined(path, tmp_path):
    datasets.export(path, tmp_path / "a.npz")
    datasets.export(path, tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    one = datasets.export(path, tmp_path / "one.npz", game_id=40)
    assert one.num_episodes == 1
    both = datasets.export([path, path], tmp_path / "both.npz")
    assert both.num_episodes == 6
    with np.load(tmp_path / "both.npz") as data:
        assert data["game_ids"].tolist() == [0, 1, 40] * 2
        assert both.num_decisions == len(data["actions"])


def test_a_fault_leaves_no_file_and_an_old_one_as_it_is(path, tmp_path):
    plain, out = tmp_path / "plain.r500", tmp_path / "data.npz"
    records.write(plain, played(Game(seed=2), 2, 40))
    lines = lines_of(plain)
    lines[1]["moves"][30] = "pass"
    write_lines(plain, lines)
    with pytest.raises(RecordError, match=r"plain.r500, line 2: round 1, move 31 'pass': "):
        datasets.export([path, plain], out)
    assert not out.exists()
    datasets.export(path, out)
    before = out.read_bytes()
    with pytest.raises(RecordError):
        datasets.export([path, plain], out)
    assert out.read_bytes() == before
    with pytest.raises(RecordError, match=r"there is no game to export \(game_id=7\)"):
        datasets.export(path, out, game_id=7)
    assert {found.name for found in tmp_path.iterdir()} == {path.name, plain.name, out.name}


def test_games_of_other_rules_or_seats_do_not_go_together(path, tmp_path):
    other = tmp_path / "other.r500"
    rules = Rules(target_score=300, must_discard_to_go_out=True)
    records.write(other, played(Game(rules, 3, seed=2), 2, 10))
    said = (
        r"other.r500, line 1: other rules than in the first game: (target_score was 500, is 300; "
        r"must_discard_to_go_out was False, is True|must_discard_to_go_out was False, is True; "
        r"target_score was 500, is 300); num_players was 2, is 3$"
    )
    with pytest.raises(RecordError, match=said):
        datasets.export([path, other], tmp_path / "data.npz")


def test_rows_that_do_not_fit_are_refused(tmp_path):
    with NpzFile(tmp_path / "a.npz") as file:
        file.append("x", np.zeros((2, 3), np.int8))
        for wrong in (np.zeros((2, 3)), np.zeros((2, 4), np.int8)):
            said = re.escape(f"x: rows of {wrong.dtype} {wrong.shape[1:]} do not fit")
            with pytest.raises(ValueError, match=said):
                file.append("x", wrong)
        file.append("x", np.ones((1, 3), np.int8))
    with np.load(tmp_path / "a.npz") as data:
        assert data["x"].tolist() == [[0] * 3, [0] * 3, [1] * 3]


def test_no_more_than_a_game_is_held(tmp_path, monkeypatch):
    """Games are taken one after the other, and each is gone when the next but one is asked for."""
    path = tmp_path / "games.r500"
    records.write(path, [played(Game(seed=seed, episode="round"), seed) for seed in range(6)])
    alive: list[weakref.ref[Any]] = []
    most = 0
    original = arrays.episodes

    def watched(*given: Any) -> Any:
        nonlocal most
        for episode in original(*given):
            alive.append(weakref.ref(episode.observations))
            yield episode
            del episode
            gc.collect()
            most = max(most, sum(ref() is not None for ref in alive))

    monkeypatch.setattr(arrays, "episodes", watched)
    datasets.export(path, tmp_path / "data.npz")
    assert len(alive) == 6
    assert most <= 2


def test_random_rules_and_positions_make_episodes_too():
    chooser = random.Random(3)
    for seed, name in itertools.product(range(2), ("persian_s2", "calling_rum", "dealers_joker")):
        game = played(Game(name, 3, seed), seed, chooser.randrange(20, 90))
        middle = played(Game.from_position(game.position()), seed, 40) if not game.is_over else game
        found = datasets.episode_of(verified(middle), "points")
        assert found.actions.tolist() == middle.history
        legal = found.action_masks[np.arange(len(found.actions)), found.actions]
        assert legal.all()
