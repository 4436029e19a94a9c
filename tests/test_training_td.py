"""``rummy500 train td``: its targets, its curve, and what happens when it is cut."""

from __future__ import annotations

import json

import numpy as np
import pytest

from experiments.errors import RunError
from experiments.training.config import TDConfig, described
from rummy500_env import Game, Rules
from rummy500_env.engine.features import NUM_WORDS
from rummy500_env.engine.jit import allocate
from rummy500_env.engine.selfplay import NOTE, _set_targets
from rummy500_env.errors import RulesError, UnknownNameError
from rummy500_env.networks import LAYERS, ValueNetwork
from rummy500_env.search import afterstates
from rummy500_env.self_play import SelfPlay
from tests.support.cutting import curve_of, cut_at

NUM_WEIGHTS = sum(int(np.prod(shape)) for shape in LAYERS.values())
SMALL = TDConfig(rounds=320, rounds_at_once=20, deals=20, snapshots=2, batch=256, seed=3)


def _weights(seed):
    return np.random.default_rng(seed).normal(0, 0.05, NUM_WEIGHTS).astype(np.float32)


def _seeds(count, seed=0):
    return np.random.default_rng(seed).integers(2**64, size=(2, count), dtype=np.uint64)


@pytest.mark.nojit
@pytest.mark.parametrize("trace", [0.0, 0.7, 1.0])
def test_targets_are_those_of_the_forward_view(trace):
    rng = np.random.default_rng(1)
    notes = allocate(12, NOTE)
    notes["seat"] = [0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1]
    for name in ("lead", "best"):
        notes[name] = rng.integers(-50, 50, 12)
    notes["tried"] = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]
    scores = np.array([40, -25], np.int32)
    _set_targets(notes, np.int64(0), np.int64(12), scores, np.int64(2), trace)
    for seat, end in ((0, 65.0), (1, -65.0)):
        own = np.flatnonzero(notes["seat"] == seat)
        wanted = end  # what the seat leads by, as seen after its last move
        for k in own[::-1]:
            assert notes["target"][k] == pytest.approx(wanted - notes["lead"][k])
            share = 0.0 if notes["tried"][k] else trace
            wanted = (1 - share) * notes["best"][k] + share * wanted


def test_targets_of_whole_rounds_are_what_was_still_to_come():
    """A network that sees nothing makes the move that scores most; all after it is the target."""
    rules, ends = Rules(), 0
    seeds, keys = _seeds(80)
    lessons = SelfPlay(rules, 2).play(np.zeros(NUM_WEIGHTS, np.float32), seeds, keys, trace=1.0)
    targets = iter(lessons.targets.tolist())
    for seed, scores in zip(seeds, lessons.scores, strict=True):
        game, leads = Game(rules, 2, int(seed), episode="round"), []
        while not game.is_over:
            seat, legal = game.current_seat, game.legal_actions()
            if len(legal) == 1:
                game.step(legal[0])
                continue
            found = afterstates(game.view_record(seat), game.action_mask()[None], rules, 2)
            points = found.views["table_points"]
            best = points[:, seat].argmax()
            leads.append((seat, int(points[best, seat]) - int(points[best, 1 - seat])))
            before = game.view_record(seat)["table_points"][0, seat]
            game.step(int(found.action[best]))
            ends += game.is_over and points[best, seat] > before
        assert game.scores == scores.tolist()
        for seat, lead in leads:
            assert next(targets) == scores[seat] - scores[1 - seat] - lead
    assert next(targets, None) is None
    assert ends >= 3  # a move that scores and ends the round counts once, too


def test_what_is_played_hangs_on_its_seeds_alone():
    tables = SelfPlay(Rules(), 3)
    seeds, keys = _seeds(30)
    one = tables.play(_weights(2), seeds, keys, trying=0.1)
    again = tables.play(_weights(2), seeds, keys, trying=0.1)
    assert one.features.tobytes() == again.features.tobytes()
    assert one.targets.tolist() == again.targets.tolist()
    part = tables.play(_weights(2), seeds[:10], keys[:10], trying=0.1)
    assert part.scores.tolist() == one.scores[:10].tolist()
    other = tables.play(_weights(2), seeds, keys + np.uint64(1), trying=0.1)
    assert other.targets.tolist() != one.targets.tolist()


def test_every_setting_is_described():
    texts = described(TDConfig)
    assert texts["trace"] == "Lambda of TD(lambda), 0 to 1."
    assert all(texts.values())


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"trace": 1.5}, "trace=1.5 is not allowed: use 0 to 1"),
        ({"rounds": 0}, "rounds=0 is not allowed: use 1 or more"),
        ({"learning_rate": float("nan")}, "learning_rate=nan is not allowed"),
        ({"rules": "rumy"}, "rumy"),
        ({"players": 9}, "9"),
        ({"opponents": ()}, "opponents=() is not allowed: use names of agents"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, told):
    with pytest.raises((RunError, RulesError, UnknownNameError)) as caught:
        TDConfig(**settings)
    assert told in str(caught.value)


@pytest.fixture(scope="module")
def td():
    pytest.importorskip("torch", reason="training needs torch: the extra 'train'")
    from experiments.training import td

    return td


@pytest.fixture(scope="module")
def whole(td, tmp_path_factory):
    """A training that was not cut."""
    folder = tmp_path_factory.mktemp("whole")
    td.train(SMALL, folder)
    return folder


def test_a_training_leaves_a_network_that_plays(whole):
    network = ValueNetwork.load(whole / "best.safetensors")
    network.check(Rules(), 2)
    assert network.training["kind"] == "td"
    assert network.training["seed"] == 3
    curve = curve_of(whole)
    assert [int(row["iteration"]) for row in curve] == [10, 16]
    assert json.loads((whole / "config.json").read_text())["rounds"] == 320


def test_what_was_cut_goes_on_to_the_samecurve_of(td, whole, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        td.train(SMALL, tmp_path, progress=cut_at(260))
    assert [int(row["iteration"]) for row in curve_of(tmp_path)] == [10]
    td.train(SMALL, tmp_path)
    assert curve_of(tmp_path) == curve_of(whole)
    ends = [ValueNetwork.load(one / "last.safetensors").weights for one in (tmp_path, whole)]
    assert ends[0].tolist() == ends[1].tolist()


def test_another_training_is_not_mixed_in(td, whole):
    from dataclasses import replace

    with pytest.raises(RunError, match="holds another training: trace differ"):
        td.train(replace(SMALL, trace=0.5), whole)


def test_a_training_that_diverges_keeps_the_last_good_checkpoint(td, tmp_path, monkeypatch):
    learn = td._Training.learn

    def diverge(self, lessons):
        if self.done == 12:
            lessons.targets[0] = np.inf
        return learn(self, lessons)

    monkeypatch.setattr(td._Training, "learn", diverge)
    with pytest.raises(RunError, match="diverged in iteration 13"):
        td.train(SMALL, tmp_path)
    assert np.isfinite(ValueNetwork.load(tmp_path / "last.safetensors").weights).all()
    assert [int(row["iteration"]) for row in curve_of(tmp_path)] == [10]


def test_gradients_of_sums_are_those_of_torch(td):
    torch, rng = td.torch, np.random.default_rng(0)
    features = rng.integers(256, size=(9, 8 * NUM_WORDS), dtype=np.uint8)
    features[3:5] = 0  # views without any feature
    numbers, starts = map(torch.from_numpy, td.numbers_of(features))
    found = []
    for sums in (td.sums_of_rows, _sums_by_torch(torch)):
        table = torch.nn.Parameter(torch.from_numpy(_weights(1)[: 64 * NUM_WORDS * 256]))
        out = sums(table.reshape(-1, 256), numbers, starts)
        (out * torch.arange(256)).sum().backward()
        found.append((out.detach().numpy(), table.grad.numpy()))
    assert found[0][0] == pytest.approx(found[1][0])
    assert found[0][1] == pytest.approx(found[1][1])
    bits = np.unpackbits(features, axis=1, bitorder="little")
    assert numbers.tolist() == np.nonzero(bits)[1].tolist()


def _sums_by_torch(torch):
    return lambda table, numbers, starts: torch.nn.functional.embedding_bag(
        numbers, table, starts, mode="sum"
    )


def test_torch_and_the_kernels_see_the_same_values(td, whole):
    network = ValueNetwork.load(whole / "last.safetensors")
    net = td.Network()
    net.load(network)
    assert net.weights().tolist() == network.weights.tolist()
    lessons = SelfPlay(Rules(), 2).play(network.weights, *_seeds(5))
    features, starts = td.numbers_of(lessons.features)
    seen = net(td.torch.from_numpy(features), td.torch.from_numpy(starts)).detach().numpy()
    assert 100 * seen == pytest.approx(lessons.values, abs=1e-2)


def test_a_judge_that_is_compiled_plays_all_deals_from_the_first_time_on(td, monkeypatch):
    """``learned`` has its policy from its reset only."""
    training = td._Training(TDConfig(rounds=10, judges=("learned", "mc:2"), deals=30), "cpu")
    asked = []
    monkeypatch.setattr(
        "experiments.training.judging.margins",
        lambda *given: asked.append((given[1].name, given[4])) or np.zeros(given[4]),
    )
    training.judging.judge(training.weights)
    assert asked == [("learned", 30), ("mc:2", 3), ("best", 30)]
