"""Environments in wrappers, played beside bare ones of the same seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.spaces import Box

from tests.support.playing import equal

__all__ = ["play_aec_beside", "play_env_beside", "play_vector_beside"]

Change = Callable[[Any], Any]


def _same(value: Any) -> Any:
    return value


def play_aec_beside(
    env: Any,
    bare: Any,
    seed: int,
    *,
    seen: Callable[[Any, str], Any] = lambda observation, agent: observation,
    paid: Change = _same,
    inside: bool = True,
    limit: int = 10**9,
) -> int:
    """Play an episode of a wrapped AEC environment and of a bare one, and compare all they show.

    Args:
        env: The wrapped one.
        bare: The other.
        seed: Of both, and of the choices.
        seen: What the wrapper should make of an agent's observation.
        paid: What it should make of each reward.
        inside: Whether it keeps to the bounds of its own space.
        limit: Steps at most.

    Returns:
        The steps that were played.
    """
    env.reset(seed=seed)
    bare.reset(seed=seed)
    chooser, steps = random.Random(seed), 0
    owed = dict.fromkeys(bare.possible_agents, 0.0)
    for agent in env.agent_iter(limit):
        assert agent == bare.agent_selection
        assert env.agents == bare.agents
        observation, _, *rest = bare.last()
        expected, masks = seen(observation, agent), rest[-1]["action_mask"]
        shown = env.last()
        assert equal(shown[0], expected)
        assert shown[1] == owed[agent] or np.isclose(shown[1], owed[agent])
        assert equal(list(shown[2:]), rest)
        assert not inside or env.observation_space(agent).contains(shown[0])
        legal = np.flatnonzero(masks).tolist()
        action = chooser.choice(legal) if legal else None
        assert action is None or env.action_space(agent).contains(action)
        owed[agent] = 0.0
        env.step(action)
        bare.step(action)
        steps += 1
        for name, amount in bare.rewards.items() if action is not None else ():
            owed[name] += paid(amount)
            assert np.isclose(env.rewards[name], paid(amount))
        for name in ("terminations", "truncations", "infos"):
            assert equal(dict(getattr(env, name)), dict(getattr(bare, name)))
        if steps % 20 == 0:
            assert equal(env.state(), bare.state())
    return steps


def play_env_beside(
    env: Any,
    bare: Any,
    seed: int,
    *,
    seen: Change = _same,
    paid: Change = _same,
    alike: Callable[[Any, Any], bool] = equal,
) -> list[Any]:
    """Play an episode of a wrapped Gymnasium environment and of a bare one, and compare them.

    Args:
        env: The wrapped one.
        bare: The other.
        seed: Of both, and of the choices.
        seen: What the wrapper should make of an observation; called in the order of play.
        paid: What it should make of a reward.
        alike: How an observation is held against what it should be.

    Returns:
        The last step of the wrapped one.
    """
    observation, info = env.reset(seed=seed)
    same, told = bare.reset(seed=seed)
    chooser, over, shown = random.Random(seed), False, []
    while not over:
        assert alike(observation, seen(same))
        space = env.observation_space
        if isinstance(space, Box):  # a wrapper's arithmetic may miss the bounds by a last bit
            assert alike(observation, np.clip(observation, space.low, space.high))
        else:
            assert observation in space
        assert equal({name: info[name] for name in told}, told)
        action = chooser.choice(np.flatnonzero(told["action_mask"]).tolist())
        assert action in env.action_space
        shown, steps = list(env.step(action)), bare.step(action)
        observation, reward, *ends, info = shown
        same, amount, *same_ends, told = steps
        assert np.isclose(reward, paid(amount))
        assert ends == same_ends
        over = any(ends)
    assert alike(observation, seen(same))
    assert equal({name: info[name] for name in told}, told)
    return shown


def play_vector_beside(
    env: Any, bare: Any, seed: int, steps: int, *, seen: Change = _same, paid: Change = _same
) -> list[Any]:
    """Play a wrapped vector environment and a bare one, and compare all that they show.

    Args:
        env: The wrapped one.
        bare: The other.
        seed: Of both, and of the choices.
        steps: How long.
        seen: What the wrapper should make of observations; called in the order of play.
        paid: What it should make of rewards.

    Returns:
        What each step of the wrapped one gave beside observations, with copies of the masks.
    """
    observation, infos = env.reset(seed=seed)
    same, told = bare.reset(seed=seed)
    rng, shown = np.random.default_rng(seed), []
    for _ in range(steps):
        assert equal(observation, seen(same))
        assert observation in env.observation_space
        masks = told["action_mask"]
        assert equal(infos["action_mask"], masks)
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        observation, rewards, *ends, infos = env.step(actions)
        same, amounts, *same_ends, told = bare.step(actions)
        assert np.allclose(rewards, paid(amounts))
        assert equal(ends, same_ends)
        for name in told:
            assert equal(infos[name], told[name]), name
        shown.append((rewards, *ends, infos))
    return shown
