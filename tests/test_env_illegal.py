"""Actions that are refused: an error that says why, and nothing has changed."""

from __future__ import annotations

import numpy as np
import pytest

import rummy500_env as r5
from rummy500_env.engine.state import WORDS
from tests.support.playing import equal, legal, record, steps

NO_ACTIONS = [
    None,
    True,
    False,
    np.True_,
    np.False_,
    0.0,
    1.5,
    float("nan"),
    np.float32(0),
    "0",
    "draw",
    [0],
    np.array([0]),
    np.array(0.0),
    {"action": 0},
    -1,
    -(2**63),
    -(2**80),
    635,
    64 * WORDS,
    2**31,
    2**63,
    2**64,
    2**200,
    np.int64(-1),
    np.uint64(2**64 - 1),
]


def _all_of(env):
    per_agent = (env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos)
    return [dict(values) for values in per_agent], env.agents.copy(), env.agent_selection


@pytest.mark.nojit
@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_action_is_refused_and_changes_nothing(action):
    env = r5.env()
    env.reset(seed=1)
    before, around = record(env), _all_of(env)
    with pytest.raises(r5.IllegalActionError, match="action"):
        env.step(action)
    assert record(env) == before
    assert equal(_all_of(env), around)


def test_every_action_that_the_mask_refuses_is_refused():
    env = r5.env(num_players=3)
    env.reset(seed=1)
    for _ in steps(env, seed=3, limit=12):
        before, around = record(env), _all_of(env)
        for action in sorted(set(range(env.action_space("player_0").n)) - set(legal(env))):
            with pytest.raises(r5.IllegalActionError):
                env.step(action)
        assert record(env) == before
        assert equal(_all_of(env), around)


@pytest.mark.nojit
def test_the_error_names_the_move_the_rule_and_what_is_legal():
    env = r5.env()
    env.reset(seed=1)
    space = r5.ActionSpace(env.rules, 2)
    with pytest.raises(
        r5.IllegalActionError,
        match=r"'discard 9d' is illegal: a turn begins with a draw.*Legal: 'draw'",
    ):
        env.step(space.from_text("discard 9d"))
    with pytest.raises(r5.IllegalActionError, match=r"action 635 is outside 0\.\.634"):
        env.step(635)
    with pytest.raises(r5.IllegalActionError, match="None is no whole number"):
        env.step(None)
    assert issubclass(r5.IllegalActionError, ValueError)


@pytest.mark.nojit
@pytest.mark.parametrize("kind", [int, np.int8, np.uint8, np.int32, np.int64, np.uint64, np.array])
def test_whole_numbers_of_every_kind_are_actions(kind):
    env, plain = r5.env(), r5.env()
    env.reset(seed=1)
    plain.reset(seed=1)
    env.step(kind(0))
    plain.step(0)
    assert record(env) == record(plain)


@pytest.mark.nojit
def test_play_goes_on_after_a_refused_action():
    env, plain = r5.env(num_players=2), r5.env(num_players=2)
    env.reset(seed=7)
    plain.reset(seed=7)
    for _, action in steps(plain, seed=2, limit=15):
        with pytest.raises(r5.IllegalActionError):
            env.step(-1)
        assert equal(env.last()[0], env.observe(env.agent_selection))
        env.step(action)
    assert record(env) == record(plain)


@pytest.mark.nojit
def test_a_step_before_the_first_reset_says_what_to_do():
    with pytest.raises(r5.Rummy500Error, match=r"reset\(\) the environment before step\(\)"):
        r5.env().step(0)


def test_steps_after_the_end():
    env = r5.env(num_players=3, episode="round")
    env.reset(seed=2)
    for _ in steps(env, seed=2):
        pass
    ended = record(env)
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(0)
    assert len(env.agents) == 3
    while env.agents:
        env.step(None)
    with pytest.raises(r5.Rummy500Error, match="no episode is on"):
        env.step(None)
    with pytest.raises(r5.Rummy500Error, match="no episode is on"):
        env.step(0)
    assert record(env) == ended
    env.reset(seed=2)
    assert env.agents == env.possible_agents
