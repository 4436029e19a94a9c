"""Environments, batches, games and views on their way to other processes and back."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from typing import Any

import cloudpickle
import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numba.core import event
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

import agents
import rummy500_env as r5
from agents.greedy import greedy_policy
from rummy500_env.envs.selfplay import SelfPlayVector
from tests.support.playing import equal

RULES = r5.Rules()


def _random(masks: Any, rng: np.random.Generator) -> Any:
    return (rng.random(masks.shape) * masks).argmax(axis=-1)


def _single(env: Any) -> list[Any]:
    """What the rest of an episode and the next one show."""
    rng, shown = np.random.default_rng(1), []
    for _ in range(2):
        over = False
        while not over:
            shown.append(env.step(_random(env.unwrapped.action_masks(), rng)))
            over = any(shown[-1][2:4])
        shown.append(env.reset())
    return shown


def _vector(env: Any) -> list[Any]:
    """What forty steps show; live buffers are copied."""
    rng = np.random.default_rng(1)
    return [copy.deepcopy(env.step(_random(env.action_masks(), rng))) for _ in range(40)]


def _batch(batch: Any) -> list[Any]:
    shown = []
    for _ in range(40):
        batch.step(batch.sample_actions())
        shown.append([batch.observation.copy(), batch.rewards.copy(), batch.current_seat.copy()])
    return shown


def _aec(env: Any) -> list[Any]:
    rng, shown = np.random.default_rng(1), []
    for _ in env.agent_iter():
        shown.append(env.last())
        mask = shown[-1][-1]["action_mask"]
        env.step(int(_random(mask, rng)) if mask.any() else None)
    return shown


def _game(game: Any) -> list[Any]:
    shown = []
    while not game.is_over and len(shown) < 200:
        game.step(game.legal_actions()[-1])
        shown.append((game.position(), game.view(0).text()))
    return shown


def _worlds(worlds: Any) -> list[Any]:
    return [worlds.rollout(greedy_policy, 1), worlds.rules.digest]


def _view(view: Any) -> list[Any]:
    after = [view.after(move).text() for move in view.moves()]
    return [*after, view.determinize(3).position()]


def _aec_in_play() -> Any:
    env = OrderEnforcingWrapper(r5.env(num_players=3, episode="round"))
    env.reset(seed=2)
    for _ in range(9):
        env.step(int(env.last()[-1]["action_mask"].argmax()))
    return env


def _single_in_play() -> Any:
    env = gymnasium.make("Rummy500-v0", seat="random", opponents=["random"])
    _, info = env.reset(seed=2)
    for _ in range(5):
        info = env.step(info["action_mask"].argmax())[-1]
    return env


def _vector_in_play() -> Any:
    env = gymnasium.make_vec("Rummy500-v0", num_envs=5, opponents="greedy").unwrapped
    env.reset(seed=2)
    _vector(env)
    return env


def _self_play() -> Any:
    env = SelfPlayVector(600, seed=3, threads=2)
    env.reset()
    _vector(env)
    return env


def _batch_in_play() -> Any:
    batch = r5.BatchGame(num_games=600, seed=1, threads=2)
    _batch(batch)
    return batch


def _game_in_play() -> r5.Game:
    game = r5.Game(seed=6)
    for _ in range(12):
        game.step(game.legal_actions()[-1])
    return game


def _view_in_play() -> r5.PlayerView:
    game = _game_in_play()
    return game.view(game.current_seat)


KINDS: dict[str, tuple[Callable[[], Any], Callable[[Any], list[Any]]]] = {
    "PettingZoo environment": (_aec_in_play, _aec),
    "Gymnasium environment": (_single_in_play, _single),
    "vector": (_vector_in_play, _vector),
    "self-play": (_self_play, _vector),
    "batch": (_batch_in_play, _batch),
    "game": (_game_in_play, _game),
    "worlds": (lambda: r5.Worlds.of_view(_view_in_play(), 20, 1), _worlds),
    "view": (_view_in_play, _view),
}
TWINS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "cloudpickle": lambda one: pickle.loads(cloudpickle.dumps(one)),
}


@pytest.mark.parametrize("twin_of", TWINS)
@pytest.mark.parametrize("kind", KINDS)
def test_twins_show_the_same_and_need_no_new_kernels(kind, twin_of):
    make, rest = KINDS[kind]
    one = make()
    twin = TWINS[twin_of](one)
    shown = rest(one)
    with event.install_recorder("numba:compile") as compilations:
        again = rest(twin)
    assert not compilations.buffer
    assert equal(again, shown)


def test_a_shallow_copy_of_a_batch_shares_nothing():
    batch = _batch_in_play()
    twin = copy.copy(batch)
    assert equal(_batch(twin), _batch(batch))
    assert not np.shares_memory(twin.observation, batch.observation)


def _elsewhere(kind: str, pickled: bytes) -> bytes:
    return cloudpickle.dumps(KINDS[kind][1](pickle.loads(pickled)))


@pytest.mark.parametrize("context", ["spawn", "forkserver"])
def test_all_of_them_play_on_alike_in_another_process(context):
    ones = {kind: make() for kind, (make, _) in KINDS.items()}
    with multiprocessing.get_context(context).Pool(1) as pool:
        work = [(kind, cloudpickle.dumps(one)) for kind, one in ones.items()]
        answers = pool.starmap(_elsewhere, work)
    for (kind, one), answer in zip(ones.items(), answers, strict=True):
        assert equal(KINDS[kind][1](one), pickle.loads(answer)), kind


@pytest.mark.parametrize(
    ("context", "shared_memory", "settings"),
    [("spawn", True, {}), ("forkserver", False, {"flat": True, "observation_dtype": "int8"})],
)
def test_workers_of_an_async_vector_play_as_side_by_side(context, shared_memory, settings):
    def make(mode, **more: Any) -> Any:
        return gymnasium.make_vec(
            "Rummy500-v0",
            num_envs=2,
            vectorization_mode=mode,
            vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP} | more,
            skip_forced=True,
            reward="points",
            **settings,
        )

    beside = make("sync")
    workers = make("async", context=context, shared_memory=shared_memory)
    assert workers.single_observation_space == beside.single_observation_space
    assert workers.action_space == beside.action_space
    assert equal(workers.reset(seed=3), beside.reset(seed=3))
    rng, ended = np.random.default_rng(0), 0
    for _ in range(40):
        masks = np.stack([one.unwrapped.action_masks() for one in beside.envs])
        actions = _random(masks, rng)
        shown, same = workers.step(actions), beside.step(actions)
        assert equal(shown, same)
        ended += int((same[2] | same[3]).sum())
    assert ended
    workers.close()


# -- spaces that travel alone ------------------------------------------------------------------


def _space_of(env: Any) -> Any:
    if hasattr(env, "agent_selection"):
        return env.action_space(env.agent_selection)
    return env.action_space


def _masks_of(env: Any) -> Any:
    return np.atleast_2d(env.unwrapped.action_masks())


def _are_legal(env: Any, actions: Any) -> bool:
    masks = _masks_of(env)
    return bool(masks[np.arange(len(masks)), np.atleast_1d(actions)].all())


IN_PLAY = [kind for kind in KINDS if kind.endswith("environment")] + ["vector", "self-play"]


@pytest.mark.parametrize("kind", IN_PLAY)
def test_a_space_travels_without_what_is_hidden(kind):
    env = KINDS[kind][0]()
    space = _space_of(env)
    for dumps in (pickle.dumps, cloudpickle.dumps):
        pickled = dumps(space)
        KINDS[kind][1](env)
        env.reset()
        assert dumps(space) == pickled  # it says nothing of the table
        alone = pickle.loads(pickled)
        assert alone == space
        assert alone.contains(alone.sample())
        mask = _masks_of(env)
        many = kind in ("vector", "self-play")
        space = _space_of(env)
        assert _are_legal(env, alone.sample(tuple(mask) if many else mask[0]))


@pytest.mark.parametrize("kind", IN_PLAY)
def test_a_copied_space_asks_the_environment_as_it_is(kind):
    env = KINDS[kind][0]()
    space = copy.deepcopy(_space_of(env))
    play = KINDS[kind][1]
    if kind == "PettingZoo environment":
        mover, rng = env.agent_selection, np.random.default_rng(2)
        while True:
            env.step(int(_random(env.unwrapped.action_masks(), rng)))
            if env.agent_selection == mover:
                break
    else:
        play(env)
    assert all(_are_legal(env, space.sample()) for _ in range(20))


@pytest.mark.parametrize("twin_of", TWINS)
@pytest.mark.parametrize("kind", IN_PLAY)
def test_a_copied_environment_takes_its_space_over(kind, twin_of):
    env = KINDS[kind][0]()
    holder = TWINS[twin_of]({"space": _space_of(env), "env": env})  # the space comes first
    twin = holder["env"]
    assert _space_of(twin) is holder["space"]
    KINDS[kind][1](env)
    assert all(_are_legal(twin, _space_of(twin).sample()) for _ in range(20))


def test_compiled_policies_travel_by_the_names_of_their_agents():
    opponents = [agents.make("greedy"), "greedy", "random"]
    env = gymnasium.make("Rummy500-v0", num_players=4, opponents=opponents).unwrapped
    env.reset(seed=1)
    assert equal(_single(pickle.loads(cloudpickle.dumps(env))), _single(env))
