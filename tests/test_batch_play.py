"""Each table of a batch plays exactly as a game of its own."""

from __future__ import annotations

import numpy as np
import pytest

import rummy500_env as r5
from rummy500_env.engine.batches import table_seed
from tests.support.playing import Beside

REWARDS = ("score", "points", "own_points", "win")


def _seed(batch, table, episode):
    return int(table_seed(np.uint64(batch.seed), np.int64(table), np.int64(episode)))


class Singles:
    """A game for each table of a batch, begun anew when the table is."""

    def __init__(self, batch, episode, reward) -> None:
        self.batch, self.episode, self.reward = batch, episode, reward
        self.numbers = [0] * batch.num_games
        self.tables = [self._begin(table) for table in range(batch.num_games)]

    def _begin(self, table):
        batch = self.batch
        seed = _seed(batch, table, self.numbers[table])
        game = r5.Game(batch.rules, batch.num_players, seed, episode=self.episode)
        return Beside(game, self.reward)

    def step(self, actions):
        """Play the actions, and compare what the batch says of them."""
        batch = self.batch
        for table, action in enumerate(actions.tolist()):
            single = self.tables[table]
            paid = single.step(action)
            assert batch.rewards[table].tolist() == pytest.approx(paid, abs=1e-6)
            assert batch.terminations[table] == (single.game.is_over and bool(single.game.winners))
            assert batch.truncations[table] == (single.game.truncated_by is not None)
            if single.game.is_over:
                self.numbers[table] += 1
                self.tables[table] = self._begin(table)

    def compare(self):
        """Compare what the seats to move see."""
        batch, scale = self.batch, self.batch.observation_space.scale
        compact = batch.observation.dtype == np.int8
        for table, single in enumerate(self.tables):
            game = single.game
            seat = game.current_seat
            assert batch.current_seat[table] == seat
            assert np.array_equal(batch.action_mask[table], game.action_mask())
            seen = batch.observation[table] * scale if compact else batch.observation[table]
            assert np.array_equal(seen, game.observe(seat))
        assert batch.episodes.tolist() == self.numbers


@pytest.mark.boundscheck
@pytest.mark.parametrize("episode", ["round", "game"])
@pytest.mark.parametrize(
    ("num_players", "dtype"), [(2, "float32"), (3, "int8"), (5, "float32"), (8, "int8")]
)
def test_tables_play_as_games_do(num_players, dtype, episode):
    reward = REWARDS[num_players % 4]
    rules = r5.Rules(target_score=250, max_rounds=1 + num_players % 2)
    batch = r5.BatchGame(
        rules, num_players, 4, seed=9, episode=episode, reward=reward, observation_dtype=dtype
    )
    singles = Singles(batch, episode, reward)
    singles.compare()
    for _ in range(600):
        actions = batch.sample_actions()
        batch.step(actions)
        singles.step(actions)
        singles.compare()
    assert batch.episodes.sum() > 0


@pytest.mark.nojit
def test_the_first_steps_are_those_of_games():
    batch = r5.BatchGame(num_players=3, num_games=2, seed=1)
    singles = Singles(batch, "round", "score")
    for _ in range(25):
        actions = batch.sample_actions()
        batch.step(actions)
        singles.step(actions)
        singles.compare()


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("num_players", [2, 4])
def test_every_reward_is_that_of_the_game(num_players, reward):
    rules = r5.Rules(target_score=200, game_bonus=50)
    batch = r5.BatchGame(rules, num_players, 3, seed=4, episode="game", reward=reward)
    singles = Singles(batch, "game", reward)
    for _ in range(500):
        actions = batch.sample_actions()
        batch.step(actions)
        singles.step(actions)
    assert batch.episodes.sum() > 1


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("num_players", [2, 3, 6])
def test_rewards_sum_to_zero_but_for_own_points(num_players, reward):
    batch = r5.BatchGame(num_players=num_players, num_games=200, seed=1, reward=reward)
    sums, paid = [], 0.0
    for _ in range(200):
        batch.step(batch.sample_actions())
        sums.append(np.abs(batch.rewards.sum(axis=1)).max())
        paid += np.abs(batch.rewards).sum()
    assert paid > 0
    if reward == "own_points":
        assert max(sums) > 0.1
    else:
        assert max(sums) < 1e-5


def test_what_is_paid_without_end_is_paid_at_once():
    # A reward is of the last step alone: nothing of the step before is left in the array.
    batch = r5.BatchGame(num_games=300, seed=1, reward="score")
    for _ in range(120):
        batch.step(batch.sample_actions())
        paid = np.abs(batch.rewards).sum(axis=1) > 0
        assert not paid[~batch.terminations].any()
    assert batch.episodes.sum() > 0


@pytest.mark.parametrize("num_players", [2, 3])
def test_skipping_forced_actions_is_playing_them(num_players):
    settings = {"episode": "game", "reward": "points", "seed": 11}
    rules = r5.Rules(target_score=200)
    skipping = r5.BatchGame(rules, num_players, 1, skip_forced=True, **settings)
    by_hand = r5.BatchGame(rules, num_players, 1, **settings)

    def play_forced(ended):
        paid = by_hand.rewards.copy()
        while by_hand.action_mask.sum() == 1:
            by_hand.step(np.flatnonzero(by_hand.action_mask[0]))
            paid += 0 if ended else by_hand.rewards
            ended |= bool(by_hand.terminations[0])
        return paid, ended

    play_forced(False)
    for _ in range(600):
        assert np.array_equal(skipping.observation, by_hand.observation)
        assert np.array_equal(skipping.action_mask, by_hand.action_mask)
        assert skipping.action_mask.sum() > 1
        actions = skipping.sample_actions()
        skipping.step(actions)
        by_hand.step(actions)
        paid, ended = play_forced(bool(by_hand.terminations[0]))
        assert np.allclose(skipping.rewards, paid, atol=1e-6)
        assert skipping.terminations[0] == ended
        assert skipping.episodes.tolist() == by_hand.episodes.tolist()
    assert skipping.episodes[0] > 1


@pytest.mark.parametrize("limit", [1, 7, 50])
def test_max_decisions_truncates_and_begins_anew(limit):
    batch = r5.BatchGame(num_players=3, num_games=5, seed=2, episode="game", max_decisions=limit)
    for step in range(1, 4 * limit + 1):
        batch.step(batch.sample_actions())
        assert batch.truncations.tolist() == [step % limit == 0] * 5
        assert not batch.terminations.any()
        assert batch.episodes.tolist() == [step // limit] * 5
    for table in range(5):
        game = r5.Game(num_players=3, seed=_seed(batch, table, 4))
        assert batch.current_seat[table] == game.current_seat
        assert np.array_equal(batch.observation[table], game.observe(game.current_seat))


def test_a_game_cut_off_by_the_rules_is_truncated():
    batch = r5.BatchGame(r5.Rules(max_rounds=1, target_score=5000), 2, 50, seed=1, episode="game")
    ended = 0
    for _ in range(200):
        batch.step(batch.sample_actions())
        assert not batch.terminations.any()
        ended += int(batch.truncations.sum())
    assert ended == batch.episodes.sum() > 0
