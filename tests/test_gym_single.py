"""The Gymnasium environment for one learner, compared with games stepped by hand."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import rummy500_env as r5
from rummy500_env.envs.single import Rummy500Single
from rummy500_env.presets import presets
from tests.support.learning import SHORT, ByHand, snapshot
from tests.support.playing import equal

REWARDS = ("score", "points", "own_points", "win")
DIG = {
    "hands": ["8c 8d 9c Th 2s Kh", "3c 4d 5s Jh 6c Qd"],
    "discard_pile": "Ac 8h 9s Ts",
    "seat": 0,
    "phase": "draw",
}


def make(**settings: Any) -> Any:
    return gymnasium.make("Rummy500-v0", **settings).unwrapped


def rollout(env, seed=0, limit=10**9):
    """All that random play shows until the episode ends."""
    chooser, shown = random.Random(seed), []
    for _ in range(limit):
        legal = np.flatnonzero(env.action_masks()).tolist()
        shown.append(env.step(chooser.choice(legal)))
        if shown[-1][2] or shown[-1][3]:
            break
    return shown


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"flat": True, "render_mode": "ansi", "seat": "random", "opponents": ["random"]},
        {"observation_dtype": "int8", "num_players": 3, "episode": "game", "reward": "points"},
        {"seat": 1, "rules": "michigan_rum"},
    ],
    ids=str,
)
def test_gymnasium_finds_nothing_to_complain_about(settings):
    check_env(make(**settings))


@pytest.mark.parametrize("episode", ["round", "game"])
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_an_episode_is_that_of_the_game(num_players, episode):
    reward = REWARDS[num_players % 4]
    others = ["random", "greedy", "greedy:digs=never"][: num_players - 1]
    seat = num_players - 1
    env = make(
        rules=SHORT,
        num_players=num_players,
        seat=seat,
        opponents=others,
        episode=episode,
        reward=reward,
    )
    for seed in range(3):
        seen, info = env.reset(seed=seed)
        game = r5.Game(SHORT, num_players, seed, episode)
        hand = ByHand(game, seat, others, reward)
        chooser, total, ended = random.Random(seed), 0.0, False
        while not ended:
            assert np.array_equal(seen["observation"], game.observe(seat))
            assert np.array_equal(seen["action_mask"], game.action_mask())
            assert np.array_equal(info["action_mask"], game.action_mask())
            action = chooser.choice(game.legal_actions())
            hand.step(action)
            seen, paid, ended, truncated, info = env.step(action)
            assert paid == pytest.approx(hand.collect(), abs=1e-9)
            assert ended == game.is_over
            assert not truncated
            total += paid
        assert np.array_equal(seen["observation"], game.observe(seat))
        assert not seen["action_mask"].any()
        assert info["scores"].tolist() == game.scores
        assert info["truncated_by"] is None
        own, n = game.scores[seat], num_players
        if reward in ("score", "points"):
            assert total == pytest.approx((own - (sum(game.scores) - own) / (n - 1)) / 100)


@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_sum_to_what_the_scores_say(reward):
    env = make(rules=SHORT, episode="game", reward=reward, seat="random")
    for seed in range(3):
        env.reset(seed=seed)
        shown = rollout(env, seed)
        scores, own = shown[-1][4]["scores"].tolist(), env.seat
        other = scores[1 - own]
        says = {
            "score": (scores[own] - other) / 100,
            "points": (scores[own] - other) / 100,
            "own_points": scores[own] / 100,
            "win": np.sign(scores[own] - other),
        }
        assert sum(step[1] for step in shown) == pytest.approx(says[reward])


def test_equal_seeds_give_equal_episodes():
    env, other = (make(num_players=3, seat="random", opponents="random") for _ in range(2))
    for seed in (5, None, None):
        assert equal(env.reset(seed=seed), other.reset(seed=seed))
        assert equal(rollout(env), rollout(other))
    assert env.game_seed == other.game_seed
    assert not equal(env.reset(seed=6)[0], other.reset(seed=7)[0])


def test_a_random_seat_is_drawn_for_each_episode():
    env = make(num_players=3, seat="random")
    env.reset(seed=1)
    seats = []
    for _ in range(60):
        _, info = env.reset()
        assert info["seat"] == env.seat
        seats.append(env.seat)
    assert min(map(seats.count, range(3))) > 8


@pytest.mark.nojit
def test_an_illegal_action_changes_nothing():
    env = make()
    env.reset(seed=1, options={"position": DIG})
    before = snapshot(env)
    n = env.action_space.n
    illegal = np.flatnonzero(env.action_masks() == 0)[0]
    for action in (illegal, n, -1, 2**80, True, 1.0, "draw", None, np.nan):
        with pytest.raises(r5.IllegalActionError):
            env.step(action)
        assert snapshot(env) == before
    with pytest.raises(r5.IllegalActionError, match="Legal: 'draw'"):
        env.step(illegal)


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_a_flat_environment_gives_the_vector_and_the_mask_beside_it(dtype):
    env, plain = make(flat=True, observation_dtype=dtype), make(observation_dtype=dtype)
    flat, info = env.reset(seed=2)
    seen, same = plain.reset(seed=2)
    assert flat.dtype == dtype
    assert flat in env.observation_space
    assert np.array_equal(flat, seen["observation"])
    assert equal(info, same)
    assert np.array_equal(env.action_masks(), info["action_mask"])
    wrapped = gymnasium.make("Rummy500-v0", flat=True)
    wrapped.reset()
    assert wrapped.get_wrapper_attr("action_masks")().any()


def test_arrays_are_the_callers():
    env = make()
    seen, info = env.reset(seed=1)
    before = snapshot(env)
    seen["observation"][:] = 9
    seen["action_mask"][:] = 9
    info["action_mask"][:] = 9
    assert snapshot(env) == before


@pytest.mark.nojit
def test_skipped_single_actions_are_the_games():
    env = make(skip_forced=True, opponents="random")
    plain = make(opponents="random")
    env.reset(seed=3)
    plain.reset(seed=3)
    chooser, ended = random.Random(1), False
    while not ended:
        legal = np.flatnonzero(env.action_masks())
        assert len(legal) > 1
        while plain.action_masks().sum() == 1:
            plain.step(plain.action_masks().argmax())
        assert np.array_equal(plain.action_masks(), env.action_masks())
        action = chooser.choice(legal.tolist())
        *_, ended, _, _ = env.step(action)
        plain.step(action)


@pytest.mark.parametrize("limit", [1, 7, 20])
def test_max_decisions_truncates(limit):
    env = make(max_decisions=limit, seat=1)
    env.reset(seed=4)
    hand = ByHand(r5.Game(seed=4, episode="round"), 1, ["greedy"], "score")
    shown, chooser = [], random.Random(0)
    while not shown or not shown[-1][3]:
        action = chooser.choice(np.flatnonzero(env.action_masks()).tolist())
        hand.step(action)
        shown.append(env.step(action))
        assert shown[-1][2] is False
    assert shown[-1][4]["truncated_by"] == "max_decisions"
    assert not shown[-1][0]["action_mask"].any()
    assert hand.decisions >= limit
    with pytest.raises(r5.Rummy500Error, match="reset"):
        env.step(0)


def test_the_rules_limits_truncate():
    env = make(rules={"max_turns": 5}, opponents="random")
    env.reset(seed=1)
    assert rollout(env)[-1][3:4] == (True,)
    assert rollout_info(env)["truncated_by"] == "max_turns"


def rollout_info(env):
    env.reset(seed=1)
    return rollout(env)[-1][4]


@pytest.mark.nojit
def test_options_of_reset():
    env = make(num_players=3, rules=SHORT, episode="game", seat=2)
    env.reset(seed=1, options={"dealer": 1, "scores": [200, 10, 20], "unknown": 1})
    tables = env._tables
    assert tables.states["dealer"][0] == 1
    assert tables.states["scores"][0, :3].tolist() == [200, 10, 20]
    two = make()
    seen, _ = two.reset(options={"position": DIG})
    game = r5.Game.from_position(DIG)
    assert np.array_equal(seen["action_mask"], game.action_mask())
    two.reset(seed=1, options={"opponents": "random"})
    assert two._tables.opponents[0].name == "random"


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"dealer": 2}, ValueError, "dealer 2 is outside 0..1"),
        ({"scores": [1]}, ValueError, "2 numbers are needed"),
        ({"position": {"hands": ["8c 8c", "2d"]}}, r5.PositionError, "8c"),
        ({"position": {**DIG, "rules": "basic_rummy"}}, r5.PositionError, "other rules"),
        ({"opponents": "gredy"}, r5.UnknownNameError, "'greedy'"),
        ({"opponents": ["random"] * 2}, ValueError, "2 opponents"),
    ],
    ids=str,
)
def test_wrong_options_change_nothing(options, error, said):
    env = make()
    env.reset(seed=1)
    before = snapshot(env)
    with pytest.raises(error, match=said):
        env.reset(options=options)
    assert snapshot(env) == before
    assert rollout(env)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"seat": 2}, "0..1 and 'random'"),
        ({"seat": "first"}, "0..1 and 'random'"),
        ({"episode": "hand"}, "'game' and 'round'"),
        ({"reward": "money"}, "allowed are score"),
        ({"max_decisions": 0}, "max_decisions=0: a whole number from 1 on"),
        ({"opponents": []}, "0 opponents"),
        ({"rules": "gin"}, "preset"),
    ],
    ids=str,
)
def test_wrong_arguments_are_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        Rummy500Single(**settings)


def test_a_step_needs_an_episode():
    with pytest.raises(r5.Rummy500Error, match="reset"):
        Rummy500Single().step(0)


def test_a_position_without_a_decision_is_refused():
    over = {"hands": ["5c", "5h"], "discard_pile": "Kc", "stock": "", "seat": 1}
    env = make()
    with pytest.raises(r5.PositionError, match="nothing is left to decide at seat 0"):
        env.reset(options={"position": over})


def test_rendering_shows_the_table():
    env = make(render_mode="ansi")
    env.reset(seed=1)
    assert "Hand > 0" in env.render()
    assert make().render() is None


def _pickled(env):
    return pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize("twin_of", [copy.deepcopy, _pickled])
@pytest.mark.parametrize(
    "settings",
    [
        {"opponents": "random", "seat": "random"},
        {"flat": True, "skip_forced": True, "opponents": ["greedy"], "reward": "points"},
    ],
    ids=str,
)
def test_twins_play_on_alike(twin_of, settings):
    env = make(**settings)
    env.reset(seed=8)
    rollout(env, limit=5)
    twin, before = twin_of(env), snapshot(env)
    shown = rollout(twin)
    twin.reset()
    assert snapshot(env) == before
    assert equal(rollout(env), shown)
    env.reset()
    assert snapshot(env) == snapshot(twin)
    twin.step(twin.action_space.sample())  # its own legal action
    assert snapshot(env) != snapshot(twin)


def test_samples_of_the_action_space_are_legal():
    env = make(opponents="random")
    env.reset(seed=2)
    env.action_space.seed(1)
    for _ in range(15):
        action = env.action_space.sample()
        assert env.action_masks()[action]
        if env.step(action)[2]:
            env.reset()


@pytest.mark.parametrize("preset", presets())
def test_every_preset_plays(preset):
    rules = r5.Rules.preset(preset)
    counts = rules.player_counts()
    env = make(rules=rules, num_players=counts[-1], seat="random", opponents=["random"])
    for seed in range(2):
        env.reset(seed=seed)
        for seen, paid, ended, _, info in rollout(env, seed):
            assert seen in env.observation_space
            assert np.isfinite(paid)
            assert ended != bool(info["action_mask"].any())


TEAMS = {"teams": "two_by_two", "hand_size": 7}
SMALL = {"num_suits": 3, "num_ranks": 8, "hand_size": 5}
DEALERS_JOKER = {"num_jokers": 3, "joker_role": "nominated", "dealers_joker": True}


@pytest.mark.parametrize("reward", ["score", "points"])
@pytest.mark.parametrize(
    ("rules", "num_players"),
    [
        (TEAMS, 4),
        ({**TEAMS, "out_of_turn_play": "meld_and_layoff", "final_layoff": "any_meld"}, 4),
        ({**SMALL, "out_of_turn_play": "layoff", "direction": -1}, 4),
        ({**SMALL, "call_rum": "pile_and_turn"}, 3),
        ({**DEALERS_JOKER, "hand_size": 6}, 3),
    ],
    ids=str,
)
def test_variants_are_those_of_the_game(rules, num_players, reward):
    others = ["random", "greedy", "random"][: num_players - 1]
    env = make(rules=rules, num_players=num_players, seat=2, opponents=others, reward=reward)
    for seed in range(4):
        env.reset(seed=seed)
        game = r5.Game(rules, num_players, env.game_seed, "round")
        hand = ByHand(game, 2, others, reward)
        chooser, ended, info = random.Random(seed), False, {}
        while not ended:
            assert np.array_equal(env.action_masks(), game.action_mask())
            action = chooser.choice(game.legal_actions())
            _, paid, ended, _, info = env.step(action)
            hand.step(action)
            assert paid == pytest.approx(hand.collect(), abs=1e-9)
        assert info["scores"].tolist() == game.scores


def test_workers_of_an_async_vector_play_alike():
    vector = gymnasium.make_vec(
        "Rummy500-v0",
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"context": "spawn"},
        opponents=["random"],
    )
    seen, _ = vector.reset(seed=3)
    alone, _ = make(opponents=["random"]).reset(seed=4)
    assert np.array_equal(seen["observation"][1], alone["observation"])
    vector.step(seen["action_mask"].argmax(axis=1))
    vector.close()
