"""Where episodes begin: seeds, options, positions; nothing else has a say."""

from __future__ import annotations

import random

import numpy as np
import pytest

import rummy500_env as r5
from tests.support.playing import legal, record, steps

POSITION = {
    "hands": ["7c 8c 2s Kh", "3c 4d 5s Jh"],
    "discard_pile": "9c 2d",
    "stock": "5h 6h 9s Qs",
    "seat": 1,
    "scores": [120, 95],
    "dealer": 0,
}


def _trace(env, seed):
    """A whole episode: who did what, and the table after each action."""
    return [(agent, action, record(env)) for agent, action in steps(env, seed)]


@pytest.mark.nojit
def test_equal_seeds_deal_equal_tables():
    one, other = r5.env(num_players=3), r5.env(num_players=3)
    for seed in (0, 1, 2**63, 2**64 - 1, 0):
        one.reset(seed=seed)
        other.reset(seed=seed)
        assert record(one) == record(other)
        assert one.seed == seed
    tables = set()
    for seed in range(20):
        one.reset(seed=seed)
        tables.add(record(one))
    assert len(tables) == 20


@pytest.mark.nojit
@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", True])
def test_what_is_no_seed_is_refused(seed):
    env = r5.env()
    env.reset(seed=1)
    before = record(env)
    with pytest.raises(ValueError, match="a seed is None or a whole number"):
        env.reset(seed=seed)
    assert record(env) == before


@pytest.mark.nojit
def test_the_seed_of_an_environment_is_that_of_a_game():
    for num_players in (2, 4):
        env = r5.env(num_players=num_players)
        env.reset(seed=77)
        assert record(env) == r5.Game(num_players=num_players, seed=77)._record.tobytes()


@pytest.mark.nojit
def test_resets_without_a_seed_follow_from_the_last_seed():
    def seeds(env, first, count):
        env.reset(seed=first)
        shown = []
        for _ in range(count):
            env.reset()
            shown.append(env.seed)
        return shown

    env, other = r5.env(), r5.env()
    assert seeds(env, 5, 6) == seeds(other, 5, 6)
    assert seeds(env, 5, 6) == seeds(env, 5, 6)
    assert len(set(seeds(env, 5, 6) + seeds(env, 6, 6))) == 12


@pytest.mark.nojit
def test_without_any_seed_every_episode_is_another():
    envs = [r5.env() for _ in range(3)]
    shown = set()
    for env in envs:
        for _ in range(3):
            env.reset()
            shown.add(env.seed)
    assert len(shown) == 9


def test_environments_and_global_generators_do_not_touch_each_other():
    alone = r5.env(num_players=3, episode="round")
    alone.reset(seed=8)
    expected = _trace(alone, seed=5)

    env, other = r5.env(num_players=3, episode="round"), r5.env(num_players=3)
    env.reset(seed=8)
    other.reset(seed=9)
    between, shown = random.Random(1), []
    for agent, action in steps(env, seed=5):
        shown.append((agent, action, record(env)))
        np.random.seed(0)  # noqa: NPY002 (the global generator is what is tested)
        random.seed(0)
        for _ in steps(other, seed=between.randrange(1000), limit=3):
            other.observe("player_0")
    assert shown == expected


def test_global_generators_are_left_alone():
    np.random.seed(3)  # noqa: NPY002
    random.seed(3)
    expected = np.random.random(), random.random()  # noqa: NPY002
    np.random.seed(3)  # noqa: NPY002
    random.seed(3)
    env = r5.env()
    env.reset()
    for _ in steps(env, seed=5, limit=50):
        env.action_space(env.agent_selection).sample()
    assert (np.random.random(), random.random()) == expected  # noqa: NPY002


def test_later_rounds_follow_from_the_seed_not_from_play():
    dealt = []
    for chooser in (1, 2):
        env = r5.env(num_players=2)
        env.reset(seed=3)
        for _ in steps(env, chooser):
            if env._record["round_index"][0] == 1:
                break
        hands = env._record["hands"][0].tolist()
        dealt.append((hands, env._record["stock"].tolist(), env._record["pile"].tolist()))
    assert dealt[0] == dealt[1]


# -- options ----------------------------------------------------------------------------------


@pytest.mark.nojit
def test_scores_begin_where_the_option_says():
    env, plain = r5.env(num_players=3), r5.env(num_players=3)
    plain.reset(seed=2)
    env.reset(seed=2, options={"scores": [400, -20, np.int64(35)]})
    assert env._record["scores"][0, :3].tolist() == [400, -20, 35]
    changed = plain._record.copy()
    changed["scores"][0, :3] = [400, -20, 35]
    assert record(env) == changed.tobytes()


def test_scores_bring_the_end_nearer():
    env = r5.env(num_players=2)
    env.reset(seed=2, options={"scores": [495, 495]})
    for _ in steps(env, seed=1):
        pass
    assert env._record["round_index"][0] == 1
    assert env._record["winners"][0] > 0


@pytest.mark.nojit
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_the_seat_left_of_the_dealer_begins(dealer):
    env, plain = r5.env(num_players=3), r5.env(num_players=3)
    plain.reset(seed=2)
    env.reset(seed=2, options={"dealer": dealer})
    assert env.agent_selection == f"player_{(dealer + 1) % 3}"
    assert env._record["dealer"][0] == dealer
    assert legal(env)
    for field in ("hands", "stock", "pile"):  # cards are dealt by seat, whoever deals
        assert np.array_equal(env._record[field], plain._record[field])


@pytest.mark.nojit
def test_a_position_is_where_the_episode_begins():
    env = r5.env()
    env.reset(seed=4, options={"position": POSITION})
    game = r5.Game.from_position({"rules": env.rules, "seed": 4, **POSITION})
    assert record(env) == game._record.tobytes()
    assert env.agent_selection == "player_1"
    assert env.seed == 4
    env.reset(seed=4, options={"position": POSITION | {"seed": 11}})
    assert env.seed == 11


@pytest.mark.nojit
def test_what_a_position_leaves_open_follows_from_the_seed():
    env = r5.env()
    open_position = {key: value for key, value in POSITION.items() if key != "stock"}
    tables = []
    for seed in (1, 2, 1):
        env.reset(seed=seed, options={"position": open_position})
        tables.append(record(env))
    assert tables[0] == tables[2]
    assert tables[0] != tables[1]


@pytest.mark.nojit
def test_a_games_own_position_is_taken_whole():
    game = r5.Game(num_players=3, seed=6)
    for _ in range(9):
        game.step(game.legal_actions()[-1])
    env = r5.env(num_players=3)
    env.reset(options={"position": game.position()})
    assert env._record["hands"].tolist() == game._record["hands"].tolist()
    assert env.seed == game.seed
    assert legal(env) == game.legal_actions()


@pytest.mark.nojit
def test_a_position_obeys_the_environments_episode():
    env = r5.env(episode="round")
    changes = {"hands": ["7c 8c", "3c"], "discard_pile": "9c", "stock": "4c 5c"}
    env.reset(options={"position": POSITION | changes})
    space = r5.ActionSpace(env.rules, 2)
    for move in ("draw", "discard 3c", "dig 9c", "meld 7c-9c", "discard 3c"):
        env.step(space.from_text(move))
    assert env.terminations == {"player_0": True, "player_1": True}


@pytest.mark.nojit
def test_unknown_options_are_ignored():
    env, plain = r5.env(), r5.env()
    plain.reset(seed=5)
    env.reset(seed=5, options={"options": 1, "colour": None, "scores": None, "dealer": None})
    assert record(env) == record(plain)
    env.reset(seed=5, options={})
    assert record(env) == record(plain)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"scores": [1, 2, 3]}, ValueError, "2 numbers are needed"),
        ({"scores": [1.5, 2]}, TypeError, "float"),
        ({"dealer": 2}, ValueError, r"outside 0\.\.1"),
        ({"dealer": -1}, ValueError, r"outside 0\.\.1"),
        ({"dealer": "me"}, TypeError, "str"),
        ({"position": {"hands": ["Ac", "Ac"]}}, r5.PositionError, "Ac"),
        ({"position": {"hands": ["Ac", "2c", "3c"]}}, r5.PositionError, "number of players"),
        ({"position": POSITION | {"rules": "target_300"}}, r5.PositionError, "other rules"),
    ],
)
def test_an_option_that_is_refused_leaves_the_episode_as_it_was(options, error, message):
    env = r5.env()
    env.reset(seed=5)
    before = record(env)
    with pytest.raises(error, match=message):
        env.reset(seed=6, options=options)
    assert record(env) == before
    assert env.seed == 5
    env.step(legal(env)[0])
