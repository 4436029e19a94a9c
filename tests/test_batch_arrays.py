"""The arrays of a batch: seeds, threads, copies, lists and samples of legal actions."""

from __future__ import annotations

import numpy as np
import pytest

import rummy500_env as r5
from tests.support.playing import BATCH_ARRAYS as SHOWN
from tests.support.playing import arrays


def play(batch, steps, tables=slice(None)):
    """Play random legal actions that depend on a table's own mask alone; yield the arrays."""
    for step in range(steps):
        lists, counts = batch.legal_actions()
        batch.step(lists[np.arange(batch.num_games), (step * 7919) % counts])
        yield arrays(batch, tables)


@pytest.mark.parametrize("episode", ["round", "game"])
def test_a_table_does_not_depend_on_the_others(episode):
    rules = r5.Rules(max_rounds=2)
    few = r5.BatchGame(rules, 3, num_games=3, seed=5, episode=episode)
    many = r5.BatchGame(rules, 3, num_games=300, seed=5, episode=episode)
    assert arrays(few) == arrays(many, slice(3))
    for one, other in zip(play(few, 400), play(many, 400, slice(3)), strict=True):
        assert one == other
    assert few.episodes.sum() > 0


def test_what_others_play_does_not_matter():
    one, other = (r5.BatchGame(num_games=4, seed=5) for _ in range(2))
    for _ in range(200):
        actions = one.sample_actions()
        one.step(actions)
        other_actions = other.sample_actions()
        lists, _ = other.legal_actions()
        other_actions[1:] = lists[1:, 0]
        other_actions[0] = actions[0]
        other.step(other_actions)
        assert arrays(one, slice(1)) == arrays(other, slice(1))
    assert one.episodes[0] > 0
    assert arrays(one) != arrays(other)


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_results_are_equal_for_any_number_of_threads(dtype):
    batches = [
        r5.BatchGame(num_players=2, num_games=900, seed=3, threads=threads, observation_dtype=dtype)
        for threads in (1, 2, 3)
    ]
    assert [len(batch._slices) for batch in batches] == [1, 2, 3]
    plays = [play(batch, 100) for batch in batches]
    for one, two, three in zip(*plays, strict=True):
        assert one == two == three
    assert batches[0].episodes.sum() > 100
    for batch in batches:
        batch.reset(seed=8)
    assert arrays(batches[0]) == arrays(batches[1]) == arrays(batches[2])


@pytest.mark.nojit
def test_small_batches_are_not_split():
    assert len(r5.BatchGame(num_games=3, threads=4)._slices) == 1


@pytest.mark.nojit
def test_tables_and_seeds_give_different_deals():
    batch = r5.BatchGame(num_games=30, seed=1)
    deals = {batch.observation[table].tobytes() for table in range(30)}
    batch.reset(seed=2)
    deals |= {batch.observation[table].tobytes() for table in range(30)}
    assert len(deals) == 60


@pytest.mark.nojit
def test_reset_begins_the_same_deals_again():
    batch = r5.BatchGame(num_games=5, seed=1)
    begun = arrays(batch)
    for _ in play(batch, 12):
        pass
    assert arrays(batch) != begun
    batch.reset()
    assert arrays(batch) == begun
    batch.reset(seed=1)
    assert arrays(batch) == begun


@pytest.mark.nojit
def test_without_a_seed_one_is_drawn_and_shown():
    one, other = r5.BatchGame(num_games=2), r5.BatchGame(num_games=2)
    assert one.seed != other.seed
    assert arrays(r5.BatchGame(num_games=2, seed=one.seed)) == arrays(one)


@pytest.mark.nojit
def test_arrays_stay_the_same_objects_and_are_never_read_back():
    batch, clean = (r5.BatchGame(num_games=3, seed=1) for _ in range(2))
    kept = {name: getattr(batch, name) for name in SHOWN if name != "episodes"}
    for _ in range(20):
        actions = clean.sample_actions()
        for array in kept.values():
            array[...] = 1
        batch.step(actions)
        clean.step(actions)
        assert arrays(batch) == arrays(clean)
    assert all(getattr(batch, name) is array for name, array in kept.items())
    with pytest.raises(ValueError, match="read-only"):
        batch.episodes[0] = 7


@pytest.mark.nojit
def test_shapes_and_types():
    batch = r5.BatchGame(num_players=3, num_games=4, seed=1)
    size, n = r5.ObservationSpace(batch.rules, 3).size, r5.ActionSpace(batch.rules, 3).n
    shown = {name: (getattr(batch, name).shape, getattr(batch, name).dtype) for name in SHOWN}
    assert shown == {
        "observation": ((4, size), np.dtype(np.float32)),
        "action_mask": ((4, n), np.dtype(np.int8)),
        "current_seat": ((4,), np.dtype(np.int8)),
        "rewards": ((4, 3), np.dtype(np.float32)),
        "terminations": ((4,), np.dtype(np.bool_)),
        "truncations": ((4,), np.dtype(np.bool_)),
        "episodes": ((4,), np.dtype(np.int64)),
    }
    assert (batch.observation_space.size, batch.action_space.n) == (size, n)


# -- legal actions ----------------------------------------------------------------------------


@pytest.mark.nojit
@pytest.mark.parametrize("num_players", [2, 5])
def test_lists_of_legal_actions_agree_with_the_mask(num_players):
    batch = r5.BatchGame(num_players=num_players, num_games=6, seed=3)
    for _ in range(15):
        lists, counts = batch.legal_actions()
        assert (lists.dtype, counts.dtype) == (np.int16, np.int64)
        assert lists.shape == (6, counts.max())
        for row, count, mask in zip(lists, counts, batch.action_mask, strict=True):
            assert row[:count].tolist() == np.flatnonzero(mask).tolist()
            assert (row[count:] == -1).all()
        batch.step(batch.sample_actions())


def test_samples_are_legal():
    batch = r5.BatchGame(num_players=3, num_games=400, seed=3)
    for _ in range(200):
        actions = batch.sample_actions()
        assert (batch.action_mask[np.arange(400), actions] == 1).all()
        batch.step(actions)


def test_all_legal_actions_are_sampled_about_equally_often():
    batch = r5.BatchGame(num_games=3, seed=2)
    while batch.action_mask.sum(axis=1).min() < 5:  # past the forced draws
        batch.step(batch.sample_actions())
    drawn = np.stack([batch.sample_actions() for _ in range(6000)])
    for table in range(3):
        legal = np.flatnonzero(batch.action_mask[table])
        counts = np.array([(drawn[:, table] == action).sum() for action in legal])
        expected = 6000 / len(legal)
        assert counts.sum() == 6000
        chi_square = ((counts - expected) ** 2 / expected).sum()
        assert chi_square < 3 * len(legal)
    # Tables draw independently of each other.
    pairs = zip(batch.action_mask, drawn.T, strict=True)
    places = [np.searchsorted(np.flatnonzero(mask), actions) for mask, actions in pairs]
    assert abs(np.corrcoef(places)[0, 1]) < 0.05


@pytest.mark.nojit
def test_samples_follow_from_the_seed():
    one, other = (r5.BatchGame(num_games=5, seed=4) for _ in range(2))
    one.step(one.sample_actions())
    other.step(other.sample_actions())
    assert one.sample_actions().tolist() == other.sample_actions().tolist()
    assert any(one.sample_actions().tolist() != one.sample_actions().tolist() for _ in range(5))


# -- copies -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("num_games", "threads"), [(4, 1), (600, 2)])
def test_a_clone_plays_on_identically_and_independently(num_games, threads):
    batch = r5.BatchGame(num_games=num_games, seed=6, threads=threads, num_players=2)
    for _ in play(batch, 30):
        pass
    twin, before = batch.clone(), arrays(batch)
    assert arrays(twin) == before
    rest = list(play(twin, 100))
    assert arrays(batch) == before
    assert list(play(batch, 100)) == rest
    assert batch.sample_actions().tolist() == twin.sample_actions().tolist()
    after = arrays(twin)
    batch.reset(seed=1)
    assert arrays(twin) == after
