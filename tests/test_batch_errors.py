"""What a batch refuses: one illegal action changes no table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rummy500_env as r5
from tests.support.playing import arrays


def _later(**settings: Any):
    """A batch some steps into play, so that its arrays are not those of a reset."""
    batch = r5.BatchGame(num_players=2, seed=3, **settings)
    for _ in range(7):
        batch.step(batch.sample_actions())
    return batch


@pytest.mark.nojit
@pytest.mark.parametrize("table", [0, 3, 5])
def test_one_illegal_action_changes_no_table_and_names_table_and_rule(table):
    batch = _later(num_games=6)
    before = arrays(batch)
    actions = batch.sample_actions()
    good = actions.copy()
    legal = batch.action_mask[table]
    wrong = next(action for action in range(len(legal)) if not legal[action])
    actions[table] = wrong
    text = batch.action_space.to_text(wrong)
    with pytest.raises(
        r5.IllegalActionError, match=rf"^table {table}: '{text}' is illegal: .+Legal: "
    ):
        batch.step(actions)
    assert arrays(batch) == before
    batch.step(good)
    assert arrays(batch) != before


@pytest.mark.nojit
@pytest.mark.parametrize("action", [-1, 635, 2**40, -(2**63)])
def test_actions_out_of_range_are_named(action):
    batch = _later(num_games=3)
    before = arrays(batch)
    actions = batch.sample_actions()
    actions[2] = action
    with pytest.raises(
        r5.IllegalActionError, match=rf"^table 2: action {action} is outside 0\.\.634"
    ):
        batch.step(actions)
    assert arrays(batch) == before


def test_with_threads_no_table_changes_either():
    batch = _later(num_games=600, threads=2)
    before = arrays(batch)
    actions = batch.sample_actions()
    actions[599] = 634
    with pytest.raises(r5.IllegalActionError, match=r"^table 599: 'pass' is illegal"):
        batch.step(actions)
    assert arrays(batch) == before


@pytest.mark.nojit
@pytest.mark.parametrize(
    "actions",
    [
        [0, 0],
        [[0, 0, 0]],
        0,
        None,
        [0.0, 0.0, 0.0],
        [True, True, True],
        ["draw", "draw", "draw"],
        [0, 0, 2**64],
        np.zeros(4, np.int64),
        np.zeros((3, 1), np.int64),
    ],
    ids=repr,
)
def test_wrong_shapes_and_types_are_refused(actions):
    batch = r5.BatchGame(num_games=3, seed=1)
    before = arrays(batch)
    with pytest.raises(ValueError, match="3 whole numbers are needed"):
        batch.step(actions)
    assert arrays(batch) == before


@pytest.mark.nojit
@pytest.mark.parametrize("kind", [list, np.int8, np.uint8, np.int32, np.uint64])
def test_whole_numbers_of_every_kind_are_actions(kind):
    batch, plain = (r5.BatchGame(num_games=3, seed=1) for _ in range(2))
    actions = plain.legal_actions()[0][:, 0]
    plain.step(actions)
    batch.step(actions.tolist() if kind is list else actions.astype(kind))
    assert arrays(batch) == arrays(plain)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_games": 0}, "num_games=0: a whole number from 1 on"),
        ({"num_games": 2.0}, "num_games=2.0"),
        ({"num_games": True}, "num_games=True"),
        ({"threads": 0}, "threads=0"),
        ({"max_decisions": 0}, "max_decisions=0"),
        ({"max_decisions": -3}, "max_decisions=-3"),
        ({"episode": "match"}, "'game' and 'round'"),
        ({"reward": "money"}, "score, points, own_points, win"),
        ({"observation_dtype": "float64"}, "float32 and int8"),
        ({"num_players": 9}, "num_players=9"),
        ({"seed": -1}, "seed=-1"),
        ({"rules": "canasta"}, "unknown preset 'canasta'"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        r5.BatchGame(**({"num_games": 2} | settings))


@pytest.mark.nojit
def test_a_refused_seed_leaves_the_batch_as_it_was():
    batch = _later(num_games=2)
    before = arrays(batch)
    with pytest.raises(ValueError, match="a seed is None or a whole number"):
        batch.reset(seed=2**64)
    assert arrays(batch) == before
    assert batch.seed == 3
