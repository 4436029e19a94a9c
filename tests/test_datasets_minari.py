"""Records as Minari data sets: episodes of seats, read back, and the environment they are from."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rummy500_env import Game, RecordError, Rules, Rummy500Error, datasets, records
from tests.support.recording import played

minari = pytest.importorskip("minari")
pytest.importorskip("h5py")

RULES = Rules(target_score=150)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    """Where Minari keeps its data sets."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    return tmp_path / "minari"


@pytest.fixture
def path(tmp_path) -> Path:
    found = tmp_path / "games.r500"
    with records.Writer(found) as file:
        file.add(played(Game(RULES, 2, seed=2**64 - 1), 1), ["greedy", "random"])
        file.add(played(Game(RULES, 2, seed=2), 2, 25), ["random", "greedy"], game_id=7)
    return found


@pytest.mark.parametrize("data_format", ["hdf5", "arrow"])
@pytest.mark.parametrize("observation_dtype", ["float32", "int8"])
def test_what_is_read_back_is_what_the_seats_saw(path, observation_dtype, data_format):
    datasets.export_minari(
        path,
        "rummy500/test-v0",
        reward="points",
        observation_dtype=observation_dtype,
        data_format=data_format,
        author="somebody",
    )
    dataset = minari.load_dataset("rummy500/test-v0")
    assert dataset.total_episodes == 4
    assert dataset.storage.metadata["author"] == {"somebody"}
    games = list(datasets.episodes(path, "points", observation_dtype))
    wanted = [(game, seat) for game in games for seat in range(2)]
    for found, (game, seat) in zip(dataset.iterate_episodes(), wanted, strict=True):
        rows = game.seats == seat
        observed: Any = found.observations
        np.testing.assert_array_equal(observed["observation"][:-1], game.observations[rows])
        np.testing.assert_array_equal(observed["observation"][-1], game.final_observations[seat])
        np.testing.assert_array_equal(observed["action_mask"][:-1], game.action_masks[rows])
        assert not observed["action_mask"][-1].any()
        np.testing.assert_array_equal(found.actions, game.actions[rows])
        np.testing.assert_allclose(found.rewards, game.rewards[rows])
        np.testing.assert_array_equal(found.terminations, game.terminations[rows])
        np.testing.assert_array_equal(found.truncations, game.truncations[rows])
    about = list(dataset.storage.get_episode_metadata(range(4)))
    assert [each["seed"] for each in about] == [2**64 - 1] * 2 + [2] * 2
    if data_format == "hdf5":
        assert about[2]["options"] == {"game_id": 7, "seat": 0, "player": "random"}


def test_its_environment_has_its_spaces(path):
    dataset = datasets.export_minari(path, "rummy500/test-v0", seat=1)
    env = dataset.recover_environment()
    assert env.observation_space == dataset.observation_space
    assert env.action_space == dataset.action_space
    observation, info = env.reset(seed=3)
    assert dataset.observation_space.contains(observation)
    assert info["seat"] == 1
    unwrapped: Any = env.unwrapped
    assert unwrapped.rules == RULES


@pytest.mark.parametrize(
    ("chosen", "seats"),
    [({"seat": 0}, [(0, 0), (1, 0)]), ({"player": "greedy"}, [(0, 0), (1, 1)]),
     ({"player": "greedy", "seat": 1}, [(1, 1)]), ({"game_id": 7}, [(1, 0), (1, 1)])],
)  # fmt: skip
def test_seats_players_and_games_are_chosen(path, chosen, seats):
    dataset = datasets.export_minari(path, "rummy500/test-v0", **chosen)
    games = list(datasets.episodes(path))
    lengths = [int((games[game].seats == seat).sum()) for game, seat in seats]
    assert [len(episode) for episode in dataset.iterate_episodes()] == lengths


def test_many_games_come_in_parts(tmp_path):
    path = tmp_path / "games.r500"
    with records.Writer(path) as file:
        for seed in range(40):
            file.add(played(Game(seed=seed, episode="round"), seed, 12))
        file.add(Game(seed=1))  # nobody has moved: no episode
    done: list[int] = []
    dataset = datasets.export_minari(path, "rummy500/test-v0", progress=lambda k, _: done.append(k))
    assert done == [64, 80]
    assert dataset.total_episodes == 80
    assert minari.load_dataset("rummy500/test-v0").total_steps == 40 * 12


def test_a_fault_leaves_no_data_set(path, home):
    good = path.read_text()
    path.write_text(good + good[:-20])
    with pytest.raises(RecordError, match=r"line \d+: the last line is cut off$"):
        datasets.export_minari(path, "rummy500/test-v0")
    assert not (home / "rummy500" / "test-v0").exists()
    path.write_text(good)
    assert datasets.export_minari(path, "rummy500/test-v0").total_episodes == 4


def test_faults_are_named(path, home, monkeypatch):
    with pytest.raises(RecordError, match=r"there is no episode \(game_id=None, seat=5"):
        datasets.export_minari(path, "rummy500/test-v0", seat=5)
    assert not (home / "rummy500").exists()
    datasets.export_minari(path, "rummy500/test-v0")
    with pytest.raises(ValueError, match="already exists"):
        datasets.export_minari(path, "rummy500/test-v0")
    monkeypatch.setitem(sys.modules, "minari", None)
    with pytest.raises(Rummy500Error, match=r"Minari is not installed: pip install 'rummy500\["):
        datasets.export_minari(path, "rummy500/other-v0")
