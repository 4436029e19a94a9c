"""The environment before PettingZoo's own tests and tools."""

from __future__ import annotations

import inspect
import warnings
from functools import partial

import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils import average_total_reward, random_demo, wrappers

import rummy500_env as r5
from rummy500_env.envs import aec
from rummy500_env.envs.registration import AEC_ID, register_environments
from tests.support.presets import preset_tables

# What api_test says of every environment that is not in a list of its own, when an observation is
# a dictionary with a mask in it: which is how PettingZoo's own card and board games do it.
DICTIONARIES = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
)


def passes_api_test(env: aec.Rummy500AEC, num_cycles: int) -> None:
    """Let PettingZoo test the form of the environment that is a dictionary."""
    with warnings.catch_warnings():
        for message in DICTIONARIES:
            warnings.filterwarnings("ignore", message, UserWarning, r"pettingzoo\.test\.api_test")
        api_test(env, num_cycles)


@pytest.mark.parametrize("episode", ["game", "round"])
@pytest.mark.parametrize("num_players", [2, 3, 5, 8])
def test_api(num_players, episode):
    passes_api_test(r5.env(num_players=num_players, episode=episode), num_cycles=1000)


@pytest.mark.parametrize(("name", "num_players"), preset_tables())
def test_api_of_every_preset(name, num_players):
    passes_api_test(r5.env(name, num_players, episode="round"), num_cycles=200)


def test_api_of_the_flat_form_needs_no_exception():
    api_test(r5.env(num_players=3, flat=True), num_cycles=1000)


@pytest.mark.parametrize("flat", [False, True])
def test_equal_seeds_play_equal_games(flat):
    seed_test(partial(r5.env, num_players=3, flat=flat, max_decisions=1000), num_cycles=500)


@pytest.mark.parametrize("flat", [False, True])
def test_the_tools_for_random_play_make_no_illegal_move(flat):
    # Both sample the action space without a mask, the second in the flat form only.
    env = r5.env(num_players=3, episode="round", flat=flat, render_mode="ansi")
    assert average_total_reward(env, max_episodes=3) == pytest.approx(0)
    assert random_demo(env, episodes=2) == pytest.approx(0)


def test_make_finds_the_environment():
    pytest.importorskip("pettingzoo.env_registry", reason="PettingZoo has it from 1.27 on")
    made = pettingzoo.make("aec", "rummy500-v0", num_players=3, episode="round")
    assert type(made.unwrapped) is aec.Rummy500AEC
    made.reset(seed=4)
    same = r5.env(num_players=3, episode="round")
    same.reset(seed=4)
    assert made.unwrapped._record.tobytes() == same._record.tobytes()


def test_the_wrappers_of_pettingzoo_can_be_put_around_it():
    env = wrappers.TerminateIllegalWrapper(r5.env(num_players=3, flat=True), illegal_reward=-1)
    env = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))
    api_test(env, num_cycles=1000)
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(3)  # no card lies there to be dug
    assert env.terminations == dict.fromkeys(env.agents, True)
    assert env.rewards == {agent: -1 if agent == loser else 0 for agent in env.agents}


def test_the_environment_is_registered_once():
    registry = pytest.importorskip("pettingzoo.env_registry.registration").aec_registry
    before = dict(registry)
    assert AEC_ID in before
    register_environments()
    assert registry == before


def test_both_names_are_the_environment_itself():
    assert r5.env is r5.raw_env is aec.env is aec.raw_env is aec.Rummy500AEC
    made = r5.env()
    assert made.unwrapped is made
    assert not hasattr(r5, "parallel_env")


def test_metadata():
    env = r5.env()
    assert env.metadata["name"] == "rummy500_v0"
    assert str(env) == "rummy500_v0"
    assert env.metadata["render_modes"] == ["human", "rgb_array", "ansi"]
    assert env.metadata["is_parallelizable"] is False


def test_parallel_is_refused_by_the_conversion():
    from pettingzoo.utils.conversions import aec_to_parallel

    with pytest.raises(AssertionError, match="not generally safe"):
        aec_to_parallel(r5.env())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"episode": "match"}, "'game' and 'round'"),
        ({"reward": "money"}, "score, points, own_points, win"),
        ({"render_mode": "video"}, "allowed are None, 'human'"),
        ({"observation_dtype": "float64"}, "float32 and int8"),
        ({"max_decisions": 0}, "max_decisions=0"),
        ({"num_players": 9}, "num_players=9: these rules are for 2 to 8"),
        ({"rules": "canasta"}, "unknown preset 'canasta'"),
        ({"rules": {"hand_sise": 3}}, "hand_size"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        r5.env(**settings)


# -- the page that describes the environment --------------------------------------------------


def _table(header: str) -> list[list[str]]:
    lines = inspect.getdoc(aec).splitlines()  # type: ignore[union-attr]
    start = lines.index(header) + 2
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip(" `") for cell in line.strip("|").split(" | ")])
    return rows


def test_the_page_shows_the_declared_actions():
    space = r5.ActionSpace(r5.Rules(), 2)
    rows = _table("| first | size | block | example |")
    blocks = [(str(b.offset), str(b.size), b.name) for b in space.blocks.values()]
    assert [tuple(row[:3]) for row in rows] == blocks
    for first, size, _, example in rows:
        assert int(first) <= space.from_text(example) < int(first) + int(size)
    assert sum(int(row[1]) for row in rows) == space.n


def test_the_page_shows_the_declared_observation():
    space = r5.ObservationSpace(r5.Rules(), 2)
    rows = _table("| first | size | block | meaning | scale |")
    blocks = [(str(b.offset), str(b.size), b.name, b.doc) for b in space.blocks.values()]
    assert [tuple(row[:4]) for row in rows] == blocks
    for row, block in zip(rows, space.blocks.values(), strict=True):
        shown = [float(scale) for scale in row[4].split(", ")]
        assert shown == pytest.approx(sorted(set(block.scale), key=block.scale.index), rel=0.01)


def test_the_page_shows_the_sizes_of_the_spaces():
    env = r5.env()
    page = inspect.getdoc(aec) or ""
    assert f"Discrete({env.action_space('player_0').n})" in page
    assert f"| ({r5.ObservationSpace(env.rules, 2).size},)" in page
    for reward in ("score", "points", "own_points", "win"):
        assert f"| `{reward}`" in page
