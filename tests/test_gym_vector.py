"""The vector environments, compared with games stepped by hand, table by table."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import rummy500_env as r5
from rummy500_env.batch import BUFFERS
from rummy500_env.engine.batches import table_seed
from rummy500_env.envs.selfplay import SelfPlayVector
from rummy500_env.envs.single import Rummy500Single
from tests.support.asking import Taped
from tests.support.learning import SHORT, ByHand, snapshot
from tests.support.playing import equal

REWARDS = ("score", "points", "own_points", "win")
OTHERS = ["greedy", "greedy:digs=never", "greedy"]


def make(num_envs=5, **settings: Any) -> Any:
    return gymnasium.make_vec(
        "Rummy500-v0", num_envs=num_envs, vectorization_mode="vector_entry_point", **settings
    )


def play(vector, steps, seed=0):
    """All that random play of a vector shows, with copies of its live buffers."""
    rng, shown = np.random.default_rng(seed), []
    for _ in range(steps):
        masks = vector.action_masks()
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        shown.append(copy.deepcopy(vector.step(actions)))
    return shown


class Tables:
    """A game by hand for each table of a vector, begun anew when the table is."""

    def __init__(self, vector, seed, episode, reward) -> None:
        self.vector, self.seed, self.episode, self.reward = vector, seed, episode, reward
        self.numbers = [0] * vector.num_envs
        self.hands = [self.begin(table) for table in range(vector.num_envs)]

    def begin(self, table):
        vector, n = self.vector, self.vector.num_players
        word = table_seed(np.uint64(self.seed), np.int64(table), np.int64(self.numbers[table]))
        game = r5.Game(vector.rules, n, int(word), self.episode)
        return ByHand(game, int(vector.seats[table]), OTHERS[: n - 1], self.reward)

    def next(self, table):
        """Begin the table's next episode in which the learner decides something."""
        self.numbers[table] += 1
        self.hands[table] = self.begin(table)
        if self.hands[table].game.is_over:
            self.next(table)


@pytest.mark.boundscheck
@pytest.mark.parametrize("episode", ["round", "game"])
@pytest.mark.parametrize(
    ("num_players", "seat"), [(2, "random"), (3, [0, 1, 2, 2, 1]), (4, 3)], ids=str
)
def test_tables_play_as_games_do(num_players, seat, episode):
    reward = REWARDS[num_players % 4]
    others = OTHERS[: num_players - 1]
    vector = make(
        rules=SHORT,
        num_players=num_players,
        seat=seat,
        opponents=others,
        episode=episode,
        reward=reward,
    )
    seen, infos = vector.reset(seed=11)
    tables, chooser, num_ended = Tables(vector, 11, episode, reward), random.Random(0), 0
    for _ in range(150):
        actions = []
        for table, hand in enumerate(tables.hands):
            game = hand.game
            assert np.array_equal(seen["observation"][table], game.observe(hand.seat))
            assert np.array_equal(seen["action_mask"][table], game.action_mask())
            assert infos["seat"][table] == hand.seat
            actions.append(chooser.choice(game.legal_actions()))
            hand.step(actions[-1])
        seen, rewards, terminated, truncated, infos = vector.step(np.array(actions))
        assert infos["action_mask"] is seen["action_mask"]
        assert not truncated.any()
        assert ("final_obs" in infos) == terminated.any()
        for table, hand in enumerate(tables.hands):
            game = hand.game
            assert rewards[table] == pytest.approx(hand.collect(), abs=1e-9)
            assert terminated[table] == game.is_over
            if game.is_over:
                num_ended += 1
                final, more = infos["final_obs"][table], infos["final_info"]
                assert infos["_final_obs"][table]
                assert np.array_equal(final["observation"], game.observe(hand.seat))
                assert not final["action_mask"].any()
                assert more["scores"][table].tolist() == game.scores
                assert more["seat"][table] == hand.seat
                tables.next(table)
        assert vector.episodes.tolist() == tables.numbers
    assert num_ended > 0


def test_infos_are_laid_out_as_gymnasium_lays_them_out():
    sync = gymnasium.vector.SyncVectorEnv(
        [lambda: Rummy500Single(opponents="random")] * 3, autoreset_mode=AutoresetMode.SAME_STEP
    )
    vector = make(3, opponents="random")
    assert vector.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert vector.autoreset_mode is AutoresetMode.SAME_STEP
    assert SelfPlayVector(2).autoreset_mode is AutoresetMode.SAME_STEP
    assert vector.single_observation_space == sync.single_observation_space
    assert vector.observation_space == sync.observation_space
    assert vector.single_action_space == sync.single_action_space
    assert vector.action_space == sync.action_space
    found = []
    for env in (sync, vector):
        seen, infos = env.reset(seed=1)
        rng, ended, out = np.random.default_rng(0), False, ()
        found.append([_layout(infos)])
        while not ended:
            mask = seen["action_mask"]
            out = env.step((rng.random(mask.shape) * mask).argmax(axis=1))
            seen, ended = out[0], (out[2] | out[3]).any()
            found[-1] += [] if ended else [_layout(out)] * (len(found[-1]) == 1)
        found[-1].append(_layout(out))
    assert found[0] == found[1]


def _layout(value):
    """Keys, shapes and types of nested arrays; whole numbers may be wide or narrow."""
    if isinstance(value, dict):
        return {key: _layout(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [_layout(one) for one in value]
    kind = value.dtype.kind
    return value.shape, (kind if kind in "iO" else value.dtype.str)


def test_some_tables_are_reset_while_others_play_on():
    vector, twin = make(seat="random"), make(seat="random")
    vector.reset(seed=2)
    twin.reset(seed=2)
    play(vector, 3)
    play(twin, 3)
    mask = np.array([True, False, True, False, False])
    before = [vector._tables.states[i : i + 1].tobytes() for i in range(5)]
    numbers = vector.episodes
    seen, infos = vector.reset(options={"reset_mask": mask})
    assert infos["_action_mask"].tolist() == mask.tolist()
    for i in range(5):
        assert (before[i] == vector._tables.states[i : i + 1].tobytes()) == (not mask[i])
    assert (vector.episodes - numbers).tolist() == mask.astype(int).tolist()
    vector.reset(seed=9, options={"reset_mask": mask})
    whole = make(seat="random")
    fresh, _ = whole.reset(seed=9)
    assert np.array_equal(seen["observation"][mask], fresh["observation"][mask])
    assert mask.all() or not np.array_equal(seen["observation"], fresh["observation"])


@pytest.mark.parametrize(
    ("mask", "error"),
    [
        ([True] * 5, TypeError),
        (np.ones(5), TypeError),
        (np.ones(4, bool), ValueError),
        (np.zeros(5, bool), ValueError),
    ],
    ids=str,
)
def test_wrong_masks_are_refused(mask, error):
    vector = make()
    vector.reset(seed=1)
    before = snapshot(vector)
    with pytest.raises(error, match="reset_mask of"):
        vector.reset(options={"reset_mask": mask})
    assert snapshot(vector) == before


def test_tables_have_seeds_of_their_own():
    vector = make(3)
    first = copy.deepcopy(vector.reset(seed=4))
    shown = play(vector, 30)
    again = make(3)
    assert equal(copy.deepcopy(again.reset(seed=4)), first)
    assert equal(play(again, 30), shown)
    seeds = [5, 6, 5]
    seen, _ = vector.reset(seed=seeds)
    assert np.array_equal(seen["observation"][0], seen["observation"][2])
    assert not np.array_equal(seen["observation"][0], seen["observation"][1])
    large, _ = make(9).reset(seed=4)
    assert np.array_equal(large["observation"][:3], first[0]["observation"])


def test_rewards_sum_to_what_the_scores_say():
    vector = make(8, reward="points", seat="random", num_players=3)
    vector.reset(seed=1)
    owed, num_ended = np.zeros(8), 0
    for _, rewards, terminated, _, infos in play(vector, 120):
        owed += rewards
        for i in np.flatnonzero(terminated):
            scores, own = infos["final_info"]["scores"][i], infos["final_info"]["seat"][i]
            others = (scores.sum() - scores[own]) / 2
            assert owed[i] == pytest.approx((scores[own] - others) / 100)
            owed[i] = 0
            num_ended += 1
    assert num_ended > 8


def test_it_does_not_matter_how_opponents_are_asked():
    def lowest(view, legal):
        return min(legal, key=lambda move: move.index)

    class Lowest:
        def act(self, views, action_masks):
            return action_masks.argmax(axis=1)

    import agents

    kinds = (
        ["random", "greedy", lowest],
        [Taped(agents.make("random")), "greedy", Lowest()],
        ["random", Taped(agents.make("greedy")), Lowest()],
    )
    shown = []
    for opponents in kinds:
        vector = make(num_players=4, opponents=opponents, seat="random", skip_forced=True)
        vector.reset(seed=3)
        shown.append(play(vector, 60))
    assert equal(shown[0], shown[1])
    assert equal(shown[0], shown[2])


@pytest.mark.nojit
def test_max_decisions_truncates():
    vector = make(max_decisions=10, skip_forced=True)
    vector.reset(seed=1)
    for _, _, terminated, truncated, infos in play(vector, 40):
        for i in np.flatnonzero(truncated):
            assert infos["final_info"]["truncated_by"][i] == "max_decisions"
        assert not (terminated & truncated).any()
    assert vector.episodes.min() > 3


def test_buffers_are_live_unless_copies_are_wanted():
    for copies in (False, True):
        vector = make(copy=copies, flat=True)
        seen, infos = vector.reset(seed=1)
        kept = seen.copy()
        out = vector.step(infos["action_mask"].argmax(axis=1))
        assert (out[0] is seen) != copies
        assert np.array_equal(seen, kept) == copies
        assert out[0] in vector.observation_space


def test_wrong_actions_change_no_table():
    vector = make()
    with pytest.raises(r5.Rummy500Error, match="reset"):
        vector.step(np.zeros(5, int))
    vector.reset(seed=1)
    before, legal = snapshot(vector), vector.action_masks().argmax(axis=1)
    legal[3] = vector.single_action_space.n - 1
    with pytest.raises(r5.IllegalActionError, match="table 3: 'pass' is illegal"):
        vector.step(legal)
    for actions in (legal[:4], legal.astype(float), None):
        with pytest.raises(ValueError, match="5 whole numbers are needed"):
            vector.step(actions)
    assert snapshot(vector) == before


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"num_envs": 0}, "num_envs=0"),
        ({"seat": [0, 1]}, "2 seats"),
        ({"seat": [0, 1, 2, 0, 0]}, "0..1"),
    ],
    ids=str,
)
def test_wrong_arguments_are_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        make(**settings)


def test_options_for_one_table_are_refused():
    with pytest.raises(ValueError, match="'dealer' is for one table"):
        make().reset(options={"dealer": 0})


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("kind", [make, SelfPlayVector])
def test_twins_play_on_alike(kind, twin_of):
    vector = kind(4)
    vector.reset(seed=1)
    play(vector, 7)
    twin = twin_of(vector)
    shown = play(twin, 30)
    assert equal(play(vector, 30), shown)
    vector.action_space.seed(1)
    twin.action_space.seed(1)
    assert np.array_equal(vector.action_space.sample(), twin.action_space.sample())


@pytest.mark.parametrize("sampled", [make, SelfPlayVector])
def test_samples_of_the_action_space_are_legal(sampled):
    vector = sampled(6)
    vector.reset(seed=1)
    seen = set()
    for _ in range(60):
        actions = vector.action_space.sample()
        assert vector.action_masks()[np.arange(6), actions].all()
        seen |= set(actions.tolist())
        vector.step(actions)
    assert len(seen) > 30


def test_self_play_is_a_batch():
    batch = r5.BatchGame(num_players=3, num_games=6, seed=2, reward="points")
    buffers = {name: np.full_like(getattr(batch, name), 1) for name in BUFFERS}
    vector = SelfPlayVector(6, num_players=3, seed=2, reward="points", buffers=buffers)
    for _ in range(200):
        for name, buffer in buffers.items():
            assert np.array_equal(buffer, getattr(batch, name)), name
        actions = batch.sample_actions()
        batch.step(actions)
        seen, rewards, _, _, infos = vector.step(actions)
        assert seen["observation"] is buffers["observation"]
        assert rewards is buffers["rewards"]
        assert rewards.shape == (6, 3)
        assert infos["current_seat"] is vector.current_seat
    assert vector.batch.episodes.sum() > 0


@pytest.mark.parametrize(
    ("name", "buffer", "needed"),
    [
        ("observation", np.zeros((4, 7), np.float32), r"float32 \(4, 1207\)"),
        ("action_mask", np.zeros((4, 635), bool), r"int8 \(4, 635\)"),
        ("rewards", np.zeros((2, 4), np.float32).T, "in C order"),
        ("current_seat", [0] * 4, r"int8 \(4,\)"),
        ("terminations", np.frombuffer(bytes(4), bool), "read-only"),
        ("masks", np.zeros(4), "there are observation, action_mask"),
    ],
    ids=str,
)
def test_wrong_buffers_are_refused_at_once(name, buffer, needed):
    with pytest.raises(ValueError, match=needed):
        SelfPlayVector(4, buffers={name: buffer})
