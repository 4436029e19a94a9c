"""Arrays that do not fit: buffers, actions and views are refused at once, or laid out anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from numba.core import event

import rummy500_env as r5
from rummy500_env.batch import BUFFERS
from rummy500_env.engine.jit import JIT_DISABLED
from rummy500_env.envs.selfplay import SelfPlayVector
from rummy500_env.search import observe
from tests.support.learning import snapshot
from tests.support.playing import arrays, equal

RULES = r5.Rules()


def _unaligned(shape: tuple[int, ...], dtype: Any) -> Any:
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.zeros(size + 1, np.uint8)[1:].view(dtype).reshape(shape)


def _read_only(shape: tuple[int, ...], dtype: Any) -> Any:
    array = np.zeros(shape, dtype)
    array.flags.writeable = False
    return array


# What is wrong with a buffer, made for any of them, with what the error says.
FAULTS: dict[str, tuple[Callable[[tuple[int, ...], Any], Any], str]] = {
    "a list": (lambda shape, dtype: [0] * shape[0], "not a list"),
    "nothing": (lambda shape, dtype: None, "not a NoneType"),
    "more rows": (lambda shape, dtype: np.zeros((shape[0] + 1, *shape[1:]), dtype), "is needed"),
    "fewer rows": (lambda shape, dtype: np.zeros((shape[0] - 1, *shape[1:]), dtype), "is needed"),
    "another dimension": (lambda shape, dtype: np.zeros((*shape, 1), dtype), "is needed"),
    "wider": (lambda shape, dtype: np.zeros(shape, np.float64), "not float64"),
    "another byte order": (
        lambda shape, dtype: np.zeros(shape, np.dtype(">f4")),
        r"not (>f4|float32)",
    ),
    "objects": (lambda shape, dtype: np.zeros(shape, object), "not object"),
    "every other entry": (
        lambda shape, dtype: np.zeros((*shape, 2), dtype)[..., 0],
        "not in C order",
    ),
    "strides": (lambda shape, dtype: np.zeros((2 * shape[0], *shape[1:]), dtype)[::2], "C order"),
    "one value for all": (
        lambda shape, dtype: np.broadcast_to(np.zeros(1, dtype), shape),
        "C order, read-only",
    ),
    "read-only": (_read_only, "read-only"),
    "masked": (np.ma.zeros, "not MaskedArray"),
}


@pytest.mark.parametrize("name", BUFFERS)
@pytest.mark.parametrize("fault", FAULTS)
def test_buffers_that_do_not_fit_are_refused_at_once(fault, name):
    make, said = FAULTS[fault]
    own = getattr(r5.BatchGame(num_games=4, seed=1), name)
    buffer = make(own.shape, own.dtype)
    for kind in (r5.BatchGame, SelfPlayVector):
        tables = {"num_games" if kind is r5.BatchGame else "num_envs": 4}
        with pytest.raises(ValueError, match=rf"buffer '{name}': .*{said}"):
            kind(**tables, buffers={name: buffer})  # type: ignore[arg-type]


def test_buffers_in_another_order_are_refused():
    with pytest.raises(ValueError, match=r"'rewards': .*not in C order"):
        r5.BatchGame(num_games=4, buffers={"rewards": np.zeros((4, 2), np.float32, order="F")})


def test_a_buffer_that_is_not_aligned_is_refused():
    with pytest.raises(ValueError, match=r"'rewards': .*not aligned"):
        r5.BatchGame(num_games=4, buffers={"rewards": _unaligned((4, 2), np.float32)})


@pytest.mark.parametrize(
    ("one", "other"), [("terminations", "truncations"), ("rewards", "observation")]
)
def test_buffers_that_overlap_are_refused(one, other):
    own = r5.BatchGame(num_games=4, seed=1)
    small, large = getattr(own, one), getattr(own, other)
    room = np.zeros(large.nbytes + 8, np.uint8)
    buffers = {
        one: room[: small.nbytes].view(small.dtype).reshape(small.shape),
        other: room[: large.nbytes].view(large.dtype).reshape(large.shape),
    }
    for given in (buffers, dict(reversed(buffers.items()))):
        with pytest.raises(ValueError, match="share memory"):
            r5.BatchGame(num_games=4, buffers=given)


def test_buffers_side_by_side_in_one_piece_of_memory_are_fine(tmp_path):
    own = r5.BatchGame(num_games=4, seed=1, reward="points")
    room = np.memmap(tmp_path / "rewards", np.float32, "w+", shape=(8, 2))
    flags = np.zeros((2, 4), bool)
    buffers = {"rewards": room[4:], "terminations": flags[0], "truncations": flags[1]}
    batch = r5.BatchGame(num_games=4, seed=1, reward="points", buffers=buffers)
    for _ in range(150):
        actions = own.sample_actions()
        own.step(actions)
        batch.step(actions)
        assert np.array_equal(room[4:], own.rewards)
        assert np.array_equal(flags, [own.terminations, own.truncations])
    assert batch.rewards is buffers["rewards"]
    assert not room[:4].any()
    assert own.episodes.any()


def test_buffers_of_another_name_or_none_are_refused():
    with pytest.raises(ValueError, match="buffer 'masks': there are observation, action_mask"):
        r5.BatchGame(num_games=2, buffers={"masks": np.zeros(2)})
    with pytest.raises(TypeError, match="buffers=list: arrays by name are needed"):
        r5.BatchGame(num_games=2, buffers=[np.zeros(2)])  # type: ignore[arg-type]


@pytest.mark.parametrize("name", BUFFERS)
def test_the_arrays_of_a_batch_cannot_be_exchanged(name):
    batch = r5.BatchGame(num_games=3, seed=1)
    with pytest.raises(AttributeError, match="written in place"):
        setattr(batch, name, np.zeros(1, np.float32))
    getattr(batch, name)[:] = 0  # what is in them is the caller's
    batch.step(batch.sample_actions())


@pytest.mark.parametrize("into", [3, None.__class__, r5.BatchGame(num_games=2)], ids=str)
def test_a_batch_is_cloned_into_one_like_it_only(into):
    batch = r5.BatchGame(num_games=3, seed=1)
    with pytest.raises((TypeError, ValueError), match=r"no batch|of the same rules"):
        batch.clone(into=into)
    before = arrays(batch)
    assert batch.clone(into=batch) is batch
    assert arrays(batch) == before


# -- actions -----------------------------------------------------------------------------------


def _unaligned_copy(actions: Any) -> Any:
    copied = _unaligned(actions.shape, actions.dtype)
    copied[:] = actions
    return copied


FORMS: dict[str, Callable[[Any], Any]] = {
    "a list": lambda actions: actions.tolist(),
    "read-only": lambda actions: np.frombuffer(actions.tobytes(), np.int64),
    "strides": lambda actions: np.repeat(actions, 3)[::3],
    "reversed": lambda actions: actions[::-1].copy()[::-1],
    "a column": lambda actions: np.stack([actions, actions], axis=1)[:, 0],
    "another byte order": lambda actions: actions.astype(">i8"),
    "narrow": lambda actions: actions.astype(np.int16),
    "unsigned": lambda actions: actions.astype(np.uint64),
    "not aligned": _unaligned_copy,
    "masked": np.ma.masked_array,
}


def _vector() -> Any:
    vector = gymnasium.make_vec("Rummy500-v0", num_envs=5, opponents="random").unwrapped
    vector.reset(seed=1)
    return vector


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled then")
@pytest.mark.parametrize("form", FORMS)
def test_actions_of_any_form_are_played_by_the_same_kernels(form):
    batch, plain = (r5.BatchGame(num_games=5, seed=1) for _ in range(2))
    vector, same = _vector(), _vector()
    plain.step(plain.legal_actions()[0][:, 0].astype(np.int64))
    same.step(same.action_masks().argmax(axis=1))
    with event.install_recorder("numba:compile") as compilations:
        batch.step(FORMS[form](batch.legal_actions()[0][:, 0].astype(np.int64)))
        shown = vector.step(FORMS[form](vector.action_masks().argmax(axis=1)))
    assert not compilations.buffer
    assert arrays(batch) == arrays(plain)
    assert snapshot(vector) == snapshot(same)
    assert shown[1].shape == (5,)


@pytest.mark.parametrize(
    "actions",
    [
        [[0, 1], [2]],
        np.zeros(5, object),
        np.zeros(5, "U1"),
        np.zeros(5, "datetime64[s]"),
        np.zeros(5, complex),
        np.zeros(5, bool),
        np.full(5, np.nan),
        np.zeros((5, 1), int),
        np.zeros(0, int),
        {0: 1},
        "draw",
        None,
    ],
    ids=repr,
)
def test_what_are_no_actions_changes_no_table(actions):
    batch, vector = r5.BatchGame(num_games=5, seed=1), _vector()
    before, around = arrays(batch), snapshot(vector)
    for step in (batch.step, vector.step):
        with pytest.raises(ValueError, match=r"actions of shape .* 5 whole numbers are needed"):
            step(actions)
    assert arrays(batch) == before
    assert snapshot(vector) == around


@pytest.mark.parametrize("number", [2**63, 2**64 - 1])
def test_numbers_too_large_for_the_type_stay_illegal(number):
    batch, vector = r5.BatchGame(num_games=5, seed=1), _vector()
    before, around = arrays(batch), snapshot(vector)
    for step in (batch.step, vector.step):
        with pytest.raises(r5.IllegalActionError, match=r"table 0: action 92\d+ is outside"):
            step(np.full(5, number, np.uint64))
    assert arrays(batch) == before
    assert snapshot(vector) == around


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda value: r5.BatchGame(num_games=value), "num_games"),
        (lambda value: r5.BatchGame(num_games=2, threads=value), "threads"),
        (lambda value: r5.BatchGame(num_games=2, max_decisions=value), "max_decisions"),
        (lambda value: r5.env(max_decisions=value), "max_decisions"),
        (lambda value: gymnasium.make("Rummy500-v0", max_decisions=value), "max_decisions"),
        (lambda value: gymnasium.make_vec("Rummy500-v0", num_envs=value), "num_envs"),
        (SelfPlayVector, "num_envs"),
    ],
)
@pytest.mark.parametrize("value", [0, -1, 1.0, True, "2", float("nan"), 2**80], ids=repr)
def test_counts_are_whole_numbers_from_one(make, name, value):
    with pytest.raises(ValueError, match=rf"{name}={value!r}: a whole number from 1 on"):
        make(value)


# -- views -------------------------------------------------------------------------------------


def _views(num_players: int = 2) -> Any:
    games = [r5.Game(num_players=num_players, seed=seed) for seed in range(4)]
    return np.concatenate([game.view_record(game.current_seat) for game in games])


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled then")
@pytest.mark.parametrize(
    "form",
    [
        lambda views: np.frombuffer(views.tobytes(), views.dtype),
        lambda views: np.repeat(views, 2)[::2],
        lambda views: views.view(np.recarray),
    ],
    ids=["read-only", "strides", "record array"],
)
def test_views_of_any_form_are_searched_by_the_same_kernels(form):
    views, masks = _views(), np.zeros((4, 635), np.int8)
    masks[:, 0] = 1
    worlds = r5.Worlds.of_views(views, [0, 3], RULES, 2, 1)
    seen, after = observe(views, RULES, 2), r5.afterstates(views, masks, RULES, 2)
    given = form(views)
    with event.install_recorder("numba:compile") as compilations:
        again = r5.Worlds.of_views(given, [0, 3], RULES, 2, 1)
        assert np.array_equal(observe(given, RULES, 2), seen)
        found = r5.afterstates(given, masks, RULES, 2)
    assert not compilations.buffer
    assert again[1] == worlds[1]
    assert equal(found.views.tobytes(), after.views.tobytes())


@pytest.mark.parametrize(
    ("views", "said"),
    [
        (np.zeros(3), "not float64"),
        ([1], "not a list"),
        (None, "not a NoneType"),
        (_views()[:, None], r"not records \(4, 1\)"),
        (r5.Game(seed=1)._record, "not records"),
        (_views(3), "of 3 seats: num_players=2 was said"),
        (np.concatenate([_views(2), _views(3)]), "of 2, 3 seats"),
    ],
)
def test_what_are_no_views_of_the_table_is_refused(views, said):
    masks = np.zeros((4, 635), np.int8)
    for search in (
        lambda: r5.Worlds.of_views(views, [0], RULES, 2, 1),
        lambda: observe(views, RULES, 2),
        lambda: r5.afterstates(views, masks, RULES, 2),
    ):
        with pytest.raises(ValueError, match=f"views.*{said}"):
            search()


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != "nothing"])
def test_observations_are_written_into_what_fits_only(fault):
    make, said = FAULTS[fault]
    out = make((4, 1207), np.float32)
    with pytest.raises(ValueError, match=f"buffer 'out': .*{said}"):
        observe(_views(), RULES, 2, out=out)


def test_observations_are_not_written_over_the_views():
    views = _views()
    room = np.zeros(4 * 1207 * 4 + views.nbytes, np.uint8)
    inside = room[-views.nbytes :].view(views.dtype)
    inside[:] = views
    fits = room[: 4 * 1207 * 4].view(np.float32).reshape(4, 1207)
    assert np.array_equal(observe(inside, RULES, 2, out=fits), observe(views, RULES, 2))
    overlapping = room[-4 * 1207 * 4 :].view(np.float32).reshape(4, 1207)
    with pytest.raises(ValueError, match="shares memory with the views"):
        observe(inside, RULES, 2, out=overlapping)
