"""Value networks: their features, their choice, and their files."""

from __future__ import annotations

import json
import pickle
import random

import numpy as np
import pytest
import safetensors.numpy

import agents
import rummy500_env as r5
from agents import PolicyAgent
from rummy500_env.engine.bits import FACES
from rummy500_env.engine.features import FEATURES, NUM_WORDS, write_features
from rummy500_env.engine.jit import JIT_DISABLED
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.networks import LAYERS, NetworkError, ValueNetwork
from rummy500_env.search import afterstates
from tests.differential.random_rules import random_rules
from tests.support.asking import views_of

WORD = {name: k for k, (name, _) in enumerate(FEATURES)}
NUM_WEIGHTS = sum(int(np.prod(shape)) for shape in LAYERS.values())


def _network(seed=0, rules=None, num_players=2):
    weights = np.random.default_rng(seed).normal(0, 0.05, NUM_WEIGHTS).astype(np.float32)
    return ValueNetwork(weights, rules or r5.Rules(), num_players, {"seed": seed})


def _features(view, rules, num_players):
    words = np.zeros(NUM_WORDS, np.int64)
    record = view.view(np.recarray) if JIT_DISABLED else view
    write_features(record[0], rules_record(rules, num_players)[0], words)
    return words


def _faces(word):
    return {k for k in range(52) if int(word) >> k & 1}


def _bits(word):
    return {k for k in range(64) if int(word) & (1 << 64) - 1 & 1 << k}


def _value(network, words):
    """The network by NumPy, in double precision."""
    layers = {name: layer.astype(np.float64) for name, layer in network.layers.items()}
    on = [64 * k + bit for k, word in enumerate(words) for bit in _bits(word)]
    first = np.maximum(layers["table"][on].sum(axis=0) + layers["table_bias"], 0)
    second = np.maximum(first @ layers["second"] + layers["second_bias"], 0)
    return 100 * float(second @ layers["last"] + layers["last_bias"][0])


@pytest.mark.nojit
def test_features_say_what_they_are_called():
    rules = r5.Rules()
    views, _ = views_of(None, 2, 1, rules)
    for row in range(0, len(views), 5):
        view = views[row : row + 1]
        words = _features(view, rules, 2)
        hand = _faces(view["hand"][0, 0])
        pile = view["pile"][0, : int(view["pile_size"][0])].tolist()
        assert _faces(words[WORD["hand"]]) == hand
        assert _faces(words[WORD["pile"]]) == set(pile)
        assert _faces(words[WORD["pile_1"]]) == set(pile[-1:])
        assert _faces(words[WORD["pile_5"]]) == set(pile[-5:-3])
        mates = {f: sum(g % 13 == f % 13 for g in hand) for f in hand}
        assert _faces(words[WORD["hand_pair"]]) == {f for f in hand if mates[f] >= 2}
        assert _faces(words[WORD["hand_three"]]) == {f for f in hand if mates[f] >= 3}

        def after(face, steps):
            """The face so many steps above in its suit; the ace follows the king."""
            suit, rank = divmod(face, 13)
            place = rank + steps
            return 13 * suit + place % 13 if place <= 13 else None

        assert _faces(words[WORD["hand_next"]]) == {f for f in hand if after(f, 1) in hand}
        assert _faces(words[WORD["hand_gap"]]) == {f for f in hand if after(f, 2) in hand}
        runs = {f for f in hand if after(f, 1) in hand and after(f, 2) in hand}
        assert _faces(words[WORD["hand_run"]]) == runs
        takes = {f for k in range(3) for f in _faces(view["accepted"][0, k])}
        assert _faces(words[WORD["hand_lays_off"]]) == hand & takes
        assert _faces(words[WORD["pile_lays_off"]]) == set(pile) & takes
        seen = r5.view.PlayerView(view, rules, [])
        unseen = _faces(words[WORD["unseen"]])
        assert len(unseen) == len(seen.unseen)
        for face in set(pile):
            suit, rank = divmod(face, 13)
            own = {f for f in hand if f % 13 == rank}
            line = {f % 13 for f in hand if f // 13 == suit} | (
                {13} if 13 * suit in hand else set()
            )
            places = {rank, 13} if rank == 0 else {rank}
            fits = any(
                {place + a, place + b} <= line
                for place in places
                for a, b in ((1, 2), (-1, 1), (-2, -1))
            )
            assert (face in _faces(words[WORD["pile_melds"]])) == (len(own) >= 2 or fits)
        size = int(view["hand_size"][0, view["viewer"][0]])
        assert (int(words[WORD["sizes"]]) & (1 << 24) - 1).bit_count() == size


def test_features_hang_on_the_view_alone_and_stay_in_their_words():
    rng = random.Random("features")
    for _ in range(20):
        rules, num_players = random_rules(rng)
        views, _ = views_of(None, num_players, 1, rules)
        for row in range(0, len(views), 7):
            view = views[row : row + 1]
            words = _features(view, rules, num_players)
            assert words.tolist() == _features(view.copy(), rules, num_players).tolist()
            assert int(words[WORD["hand"]]) == int(view["hand"][0, 0])
            for name in ("pile_1", "on_set", "hand_next", "gap_lives", "pile_melds"):
                assert int(words[WORD[name]]) & ~FACES == 0


def test_values_are_those_of_the_layers():
    network, rules = _network(), r5.Rules()
    views, _ = views_of(None, 2, 1, rules)
    values = network.values(views)
    for row in range(0, len(views), 9):
        words = _features(views[row : row + 1], rules, 2)
        assert values[row] == pytest.approx(_value(network, words), abs=2e-3)


def test_the_policy_makes_the_move_after_which_most_is_scored_and_promised():
    network, rules = _network(3), r5.Rules()
    views, masks = views_of(None, 2, 2, rules)
    agent = PolicyAgent("network", network.policy)
    agent.reset(rules, 2, 0)
    actions = agent.act(views, masks)
    found = afterstates(views, masks, rules, 2)
    rows = np.arange(len(views))
    seats = views["viewer"]
    before = views["table_points"][rows, seats]
    gained = found.views["table_points"][np.arange(len(found.row)), seats[found.row]]
    values = gained - before[found.row] + network.values(found.views)
    for row in rows:
        of_row = found.row == row
        chosen = values[of_row & (found.action == actions[row])]
        assert chosen[0] >= values[of_row].max() - 1e-3  # rounding hangs on the order of sums
    assert len(set(actions.tolist())) > 20


def test_a_file_gives_the_same_network(tmp_path):
    network = _network(1, r5.Rules.preset("rummy500_online"), 3)
    network.save(tmp_path / "net.safetensors")
    found = ValueNetwork.load(tmp_path / "net.safetensors")
    assert found.weights.tolist() == network.weights.astype(np.float16).tolist()
    assert (found.rules, found.num_players, found.training) == (network.rules, 3, {"seed": 1})
    assert (tmp_path / "net.safetensors").stat().st_size < 5_000_000


def _damage(path, change):
    """Save a network and change what its file says of it."""
    _network().save(path)
    with safetensors.safe_open(str(path), "numpy") as file:
        about = json.loads(file.metadata()["rummy500"])
        layers = {key: file.get_tensor(key) for key in LAYERS}
    change(about, layers)
    safetensors.numpy.save_file(layers, str(path), {"rummy500": json.dumps(about)})


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda about, _: about.update(format_version=9), "is of version 9, this is 1"),
        (
            lambda about, _: about.update(features="x"),
            "was made for features 'x', this version has",
        ),
        (lambda about, _: about.update(actions="x"), "was made for actions 'x', this version has"),
        (lambda about, _: about.update(num_players=9), "9"),
        (lambda about, _: about.update(rules_digest="x"), "rules had the digest 'x'"),
        (lambda about, _: about.pop("training"), "does not say its 'training'"),
        (lambda about, _: about.update(format="rummy500 policy network"), "holds no value network"),
        (lambda _, layers: layers.pop("last"), "has layers"),
        (lambda _, layers: layers.update(last=np.zeros(3, np.float16)), "(3,)"),
        (lambda _, layers: layers["last"].fill(np.nan), "not a finite number"),
    ],
)
def test_a_file_that_does_not_fit_says_why(tmp_path, change, told):
    path = tmp_path / "net.safetensors"
    _damage(path, change)
    with pytest.raises((NetworkError, r5.errors.RulesError)) as caught:
        ValueNetwork.load(path)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no weights", b"\xff" * 200])
def test_what_is_no_file_of_weights_is_refused(tmp_path, content):
    path = tmp_path / "net.safetensors"
    path.write_bytes(content)
    with pytest.raises(NetworkError, match="holds no value network"):
        ValueNetwork.load(path)
    with pytest.raises(NetworkError, match="there is no such file"):
        ValueNetwork.load(tmp_path / "none")


def test_a_cut_file_is_refused(tmp_path):
    path = tmp_path / "net.safetensors"
    _network().save(path)
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(NetworkError, match="holds no value network"):
        ValueNetwork.load(path)


def test_it_plays_what_it_was_trained_on():
    network = _network()
    network.check(r5.Rules(target_score=300), 2)  # changes no round
    with pytest.raises(NetworkError, match="plays with 2 players, not with 3"):
        network.check(r5.Rules(), 3)
    with pytest.raises(NetworkError, match="other rules: set_max_size=3"):
        network.check(r5.Rules(set_max_size=3), 2)


def test_an_agent_says_what_it_has_weights_for(tmp_path):
    agent = agents.make("learned")
    with pytest.raises(NetworkError, match="come with the package; it has rummy500-2"):
        agent.reset(r5.Rules.preset("michigan_rum"), 2, 0)
    _network().save(tmp_path / "own.safetensors")
    own = agents.make(f"learned:weights={tmp_path / 'own.safetensors'}")
    own.reset(r5.Rules(), 2, 0)
    with pytest.raises(NetworkError, match="not with 4"):
        own.reset(r5.Rules(), 4, 0)
    with pytest.raises(ValueError, match="there is no such file"):
        agents.make("learned:weights=none.safetensors")


def test_a_copy_in_another_process_plays_the_same():
    views, masks = views_of(None, 2, 1, r5.Rules())
    agent = agents.make("learned")
    agent.reset(r5.Rules(), 2, 0)
    twin = pickle.loads(pickle.dumps(agent))
    assert twin.act(views, masks).tolist() == agent.act(views, masks).tolist()
    assert pickle.loads(pickle.dumps(agents.make("learned"))).network is None
