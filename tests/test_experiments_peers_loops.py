"""The loops of other libraries, as far as they are installed: they play, and they read."""

from __future__ import annotations

import contextlib
import io
import os
import warnings
from typing import Any

import numpy as np
import pytest

from experiments.benchmarks.loops import Reader
from experiments.benchmarks.peers import open_spiel, pettingzoo, pgx, rlcard
from experiments.benchmarks.peers.model import PeerError
from experiments.benchmarks.works import DOCUMENTED_SIZE

GIN_ACTIONS = 110
"""Of RLCard and PettingZoo."""


class Witness(Reader):
    """A reader that looks at all it is shown."""

    made: list[Witness]

    def __init__(self, seed=0) -> None:
        super().__init__(seed)
        self.seen = set()
        self.lists = 0
        self.made.append(self)

    def choose(self, observation, mask, legal=None):
        allowed = mask.nonzero()[0].tolist()
        assert (mask.ndim, mask.itemsize) == (1, 1)
        assert set(mask.tolist()) <= {0, 1}
        assert np.isfinite(observation).all()
        if legal is not None:
            assert sorted(legal) == allowed
            self.lists += 1
        self.seen.add((observation.tobytes(), observation.shape, str(observation.dtype), mask.size))
        action = super().choose(observation, mask, legal)
        assert action in allowed
        return action


@pytest.fixture
def witnesses(monkeypatch):
    """The readers of all loops that are made meanwhile; libraries may warn and print."""
    monkeypatch.setattr(Witness, "made", [], raising=False)
    for module in (open_spiel, pettingzoo, rlcard):
        monkeypatch.setattr(module, "Reader", Witness)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield Witness.made


def made(comparison, name):
    (found,) = [peer for peer in comparison.peers() if peer.name == name]
    return found.make(3)


def read_it_all(loop, witness, games=2):
    """Play some games, and look whether what was told of the loop was seen at each decision."""
    decisions = loop.run(games)
    assert decisions == witness.decisions == witness.allowed > 0
    assert len(witness.seen) > decisions / 3
    about = loop.about
    assert all((list(shape), dtype, size) == _told(about) for _, shape, dtype, size in witness.seen)
    return decisions


def _told(about):
    return about["observation_shape"], about["observation_dtype"], about["num_actions"]


# -- OpenSpiel -------------------------------------------------------------------------------------


@pytest.fixture
def spiel():
    return pytest.importorskip("pyspiel")


@pytest.mark.parametrize("way", ["fastest", "plain"])
def test_open_spiel_from_python(spiel, witnesses, way):
    loop = made(open_spiel.GIN_RUMMY, f"gin_rummy, {way} from Python")
    assert _told(loop.about) == ([644], "float32", 241)
    decisions = read_it_all(loop, witnesses[0], games=3)
    assert witnesses[0].lists == decisions
    assert 3 * 60 < decisions < 3 * 200


def test_both_ways_see_the_same(spiel):
    game = spiel.load_game("gin_rummy")
    fast, reader = open_spiel.fast_look(game), Reader(8)
    state = open_spiel._start(game, reader)
    while not state.is_terminal():
        player = state.current_player()
        seen = [[array.tolist() for array in map(np.asarray, fast(state, player))]]
        seen.append(
            [array.tolist() for array in map(np.asarray, open_spiel.plain_look(state, player))]
        )
        assert seen[0] == seen[1]
        open_spiel._decide(state, fast, reader)


def test_chance_is_even_in_open_spiel(spiel):
    state, reader = spiel.load_game("gin_rummy").new_initial_state(), Reader(1)
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            assert list(actions) == state.legal_actions()
            assert max(chances) - min(chances) < 1e-9
        state.apply_action(reader.draw(state.legal_actions()))


def test_decisions_of_the_compiled_loop_are_counted(spiel, witnesses, monkeypatch):
    counted = []

    def count(state):
        assert state.is_terminal()
        moves = state.full_history()
        counted.append(sum(move.player >= 0 for move in moves))
        assert open_spiel_count(state) == counted[-1]
        return counted[-1]

    open_spiel_count = open_spiel.num_decisions
    monkeypatch.setattr(open_spiel, "num_decisions", count)
    loop = made(open_spiel.GIN_RUMMY, "gin_rummy, its C++ loop")
    assert loop.run(20) == sum(counted)
    assert len(set(counted)) > 5
    assert not witnesses


def test_a_state_is_copied_in_the_midst_of_a_game(spiel, witnesses):
    loop = made(open_spiel.COPIES, "gin_rummy, state.clone()")
    assert witnesses[0].decisions == open_spiel.INTO_THE_GAME
    assert loop.run(3) == 3


# -- RLCard, PettingZoo ----------------------------------------------------------------------------


def test_rlcard(witnesses):
    pytest.importorskip("rlcard")
    loop = made(rlcard.GIN_RUMMY, "gin-rummy")
    assert _told(loop.about) == ([5, 52], "int64", GIN_ACTIONS)
    decisions = read_it_all(loop, witnesses[0])
    assert witnesses[0].lists == decisions


@pytest.mark.parametrize("name", [peer.name for peer in pettingzoo.CARD_GAMES.peers()])
def test_card_games_of_pettingzoo(witnesses, name):
    try:
        loop = made(pettingzoo.CARD_GAMES, name)
    except (ImportError, PeerError) as error:
        pytest.skip(str(error))
    read_it_all(loop, witnesses[0], games=5)
    assert witnesses[0].lists == 0
    if name.startswith("gin_rummy"):
        assert _told(loop.about) == ([4, 52], "int8", GIN_ACTIONS)


# -- pgx -------------------------------------------------------------------------------------------


class Arrays:
    """NumPy that notes what it is given to look at."""

    def __init__(self) -> None:
        self.seen = []

    def __getattr__(self, name) -> Any:
        return getattr(np, name)

    def asarray(self, array):
        found = np.asarray(array)
        self.seen.append(found.copy())
        return found


@pytest.fixture
def sparrow(witnesses, monkeypatch):
    for name in ("jax", "pgx"):
        pytest.importorskip(name)
    arrays = Arrays()
    monkeypatch.setattr(pgx, "np", arrays)
    before = dict(os.environ)
    loop = made(pgx.SPARROW_MAHJONG, "sparrow_mahjong 1024, CPU")
    assert dict(os.environ) == before
    return loop, arrays


def test_pgx(sparrow):
    loop, arrays = sparrow
    assert _told(loop.about) == ([11, 15], "bool", 11)
    arrays.seen.clear()
    assert loop.run(12) == 12 * DOCUMENTED_SIZE
    masks, actions, observations = (arrays.seen[k::3] for k in range(3))
    for mask, action, observation in zip(masks, actions, observations, strict=True):
        assert mask.shape == (DOCUMENTED_SIZE, 11)
        assert mask[np.arange(DOCUMENTED_SIZE), action].all()
        assert observation.shape == (DOCUMENTED_SIZE, 11, 15)
    assert len({observation.tobytes() for observation in observations}) == 12
    assert len({action.tobytes() for action in actions}) == 12


def test_a_mask_of_pgx_that_does_not_allow_an_action_is_noticed(sparrow, monkeypatch):
    loop, arrays = sparrow
    monkeypatch.setattr(arrays, "asarray", lambda array: np.zeros_like(np.asarray(array)))
    with pytest.raises(PeerError, match="mask does not allow"):
        loop.run(1)
