"""Gymnasium's own checks of the environment, over its settings and many variants."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import pytest
from gymnasium.utils import env_checker

import rummy500_env as r5
from rummy500_env.presets import presets

STEP_DETERMINISM = env_checker.check_step_determinism
SETTINGS: list[dict[str, Any]] = [
    {"num_players": 2, "reward": "points", "observation_dtype": "int8"},
    {"num_players": 3, "flat": True, "reward": "own_points", "seat": 2},
    {"num_players": 4, "flat": True, "observation_dtype": "int8", "reward": "win"},
    {"num_players": 4, "episode": "game", "reward": "win", "seat": "random"},
    {"num_players": 2, "episode": "game", "flat": True, "max_decisions": 50},
    {"num_players": 3, "opponents": ["greedy", lambda view, legal: legal[0]], "seat": 1},
    {"num_players": 8, "opponents": "random", "reward": "points", "seat": 7},
    {"num_players": 4, "rules": {"teams": "two_by_two", "hand_size": 7}, "reward": "points"},
    {"rules": {"num_suits": 3, "num_ranks": 8, "hand_size": 5}, "render_mode": "ansi"},
]

# In these an episode may begin with other things than a draw. One of the checks samples in one
# episode and plays the sample in another, where it may be illegal.
OTHER_BEGINNINGS = (
    "dealers_joker",
    "dealers_joker_56",
    "dealers_joker_250",
    "open_melding",
    "opening_discard",
    "small",  # one card in the stock: seat 1 may find none
)


def check(**settings: Any) -> None:
    """Let Gymnasium check the environment; a warning is a failure."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env_checker.check_env(gymnasium.make("Rummy500-v0", **settings).unwrapped)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_settings(settings):
    check(**settings)


@pytest.mark.parametrize("name", presets())
def test_presets(name, monkeypatch):
    if name in OTHER_BEGINNINGS:
        monkeypatch.setattr(env_checker, "check_step_determinism", _with_an_action_of_the_episode)
    rules = r5.Rules.preset(name)
    for number, num_players in enumerate({*rules.player_counts()[:1], *rules.player_counts()[-1:]}):
        check(rules=rules, num_players=num_players, flat=bool(number), opponents="random")


def _with_an_action_of_the_episode(env: Any, seed: int = 123) -> None:
    """The same check, of an action that is legal where it is played."""
    _, info = env.reset(seed=seed)
    action = info["action_mask"].argmax()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(env.action_space, "sample", lambda: action)
        STEP_DETERMINISM(env, seed)


@pytest.mark.parametrize("name", OTHER_BEGINNINGS)
def test_the_check_as_it_is_plays_an_action_of_another_episode(name):
    with pytest.raises(r5.IllegalActionError, match="is illegal"):
        check(rules=name, num_players=r5.Rules.preset(name).player_counts()[0], opponents="random")
