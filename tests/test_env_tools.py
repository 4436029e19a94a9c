"""PettingZoo's tests and tools beyond the API test, where they apply."""

from __future__ import annotations

import itertools
import sys
from functools import partial
from typing import Any

import numpy as np
import pettingzoo.test
import pytest
from pettingzoo.utils import (
    average_total_reward,
    random_demo,
    save_observation,
    turn_based_aec_to_parallel,
)

import rummy500_env as r5

tools: Any = pettingzoo.test
PRESETS = ("basic_rummy", "persian_s0", "calling_rum", "dealers_joker", "partnership_500")
FORMS: tuple[Any, ...] = ({}, {"flat": True}, {"flat": True, "observation_dtype": "int8"})


def _table(name: str) -> tuple[str, int]:
    return name, r5.Rules.preset(name).player_counts()[-1]


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("name", PRESETS)
def test_equal_seeds_play_equal_games_of_presets(name, flat):
    tools.seed_test(partial(r5.env, *_table(name), flat=flat, episode="round"), num_cycles=60)


@pytest.mark.parametrize("settings", FORMS, ids=str)
def test_the_state_lies_in_its_space(settings):
    env = r5.env(num_players=3, **settings)
    assert env.state_space.dtype == settings.get("observation_dtype", "float32")
    parallel = turn_based_aec_to_parallel(r5.env(num_players=3, **settings))
    assert parallel.state_space == env.state_space  # type: ignore[attr-defined]
    tools.state_test(env, parallel, num_cycles=100)
    size = r5.ObservationSpace(env.rules, 3).size
    assert env.state_space.shape == env.state().shape == (3 * size,)


@pytest.mark.parametrize("settings", FORMS[:2], ids=str)
def test_the_benchmark_runs(settings: Any, monkeypatch, capsys):
    clock = itertools.count(0, 0.05)
    module = sys.modules["pettingzoo.test.performance_benchmark"]
    monkeypatch.setattr(module.time, "time", lambda: next(clock))  # 100 rounds of the table
    tools.performance_benchmark(r5.env(num_players=3, episode="round", **settings))
    printed = capsys.readouterr().out
    assert "turns per second" in printed
    assert "Finished" in printed


@pytest.mark.parametrize("settings", FORMS[:2], ids=str)
def test_all_ways_to_render_are_tested(settings: Any):
    def make(render_mode: str | None = None) -> r5.env:
        # It begins with a mode that shows a window, to ask which modes there are.
        return r5.env(render_mode=None if render_mode == "human" else render_mode, **settings)

    shown = []
    tools.render_test(
        make, custom_tests={"ansi": lambda text: shown.append(text) or "Hand" in text}
    )
    assert len(shown) == 5
    assert tools.collect_render_results(make("ansi"))[0] != shown[0]  # another deal


def test_observations_are_no_pictures_and_are_not_saved(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for settings in FORMS:
        env = r5.env(**settings)
        env.reset(seed=1)
        with pytest.raises(AssertionError, match="as image"):
            save_observation(env, save_dir=str(tmp_path))
        tools.test_save_obs(env)
        assert "did not save" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("settings", FORMS, ids=str)
@pytest.mark.parametrize("name", PRESETS)
def test_random_play_by_tools_is_legal_in_presets(name, settings):
    env = r5.env(*_table(name), episode="round", **settings)
    sums = [average_total_reward(env, max_episodes=2), random_demo(env, render=False, episodes=2)]
    assert sums == pytest.approx([0, 0])


def test_sampled_steps_can_be_limited():
    env = r5.env(num_players=2, reward="own_points")
    assert np.isfinite(average_total_reward(env, max_episodes=5, max_steps=1))
