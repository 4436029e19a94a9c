"""``policy``: its probabilities, its choices, and its files."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
import safetensors.numpy

import agents
from agents.policy import PolicyNetworkAgent
from agents.policy_network import PolicyNetwork, entries_of_the_round
from experiments.exact.policies import policy_of
from experiments.exact.sequences import two_seats
from experiments.exact.tree import grow_tree
from rummy500_env import Game, Rules
from rummy500_env.networks import NetworkError, ValueNetwork
from rummy500_env.observations import observation_space
from rummy500_env.search import observe
from tests.support.asking import views_of


def _network(rules=None, num_players=2, seed=0, hidden=8):
    rules = rules or Rules()
    shapes = PolicyNetwork.shapes_for(rules, num_players, hidden=hidden)
    size = sum(map(math.prod, shapes.values()))
    weights = np.random.default_rng(seed).normal(0, 0.3, size).astype(np.float32)
    return PolicyNetwork(weights, rules, num_players, {"seed": seed}, hidden)


def _agent(network, temperature=1.0):
    agent = PolicyNetworkAgent(network, temperature)
    agent.reset(network.rules, network.num_players, 0)
    return agent


def _by_numpy(network, views, masks, temperature=1.0):
    """The probabilities by NumPy, in double precision."""
    seen = observe(views, network.rules, network.num_players).astype(np.float64)
    layers = {name: layer.astype(np.float64) for name, layer in network.layers.items()}
    seen *= entries_of_the_round(network.rules, network.num_players)
    first = np.maximum(seen @ layers["first"] + layers["first_bias"], 0)
    second = np.maximum(first @ layers["second"] + layers["second_bias"], 0)
    logits = (second @ layers["logits"].T + layers["logits_bias"]) / temperature
    shares = np.where(masks, np.exp(logits - logits.max(axis=1, keepdims=True)), 0)
    return shares / shares.sum(axis=1, keepdims=True)


@pytest.mark.nojit
@pytest.mark.parametrize("preset", ["rummy500", "rummy500_online", "mini"])
def test_probabilities_are_those_of_the_layers(preset):
    rules = Rules.preset(preset)
    network = _network(rules)
    views, masks = (x[::7][:12] for x in views_of(None, 2, 2, rules))
    told = network.probabilities(views, masks)
    assert told == pytest.approx(_by_numpy(network, views, masks), abs=1e-5)
    assert told.sum(axis=1) == pytest.approx(1)
    assert (told[masks == 0] == 0).all()
    warm = network.probabilities(views, masks, temperature=2.0)
    assert warm == pytest.approx(_by_numpy(network, views, masks, 2.0), abs=1e-5)
    cold = network.probabilities(views, masks, temperature=0.0)
    assert (cold.max(axis=1) == 1).all()
    assert (cold.argmax(axis=1) == told.argmax(axis=1)).all()


def test_moves_are_drawn_as_often_as_they_are_likely():
    network = _network()
    views, masks = views_of(None, 2, 1, Rules())
    row = int(masks.sum(axis=1).argmax())
    many, of_them = (
        np.repeat(views[row : row + 1], 20_000),
        np.repeat(masks[row : row + 1], 20_000, 0),
    )
    many["random"] = np.random.default_rng(1).integers(2**64, size=20_000, dtype=np.uint64)
    found = np.bincount(_agent(network).act(many, of_them), minlength=masks.shape[1]) / 20_000
    wanted = network.probabilities(views, masks)[row]
    assert abs(found - wanted).max() < 0.02  # six standard deviations
    assert (found > 0).sum() > 5
    always = _agent(network, 0.0).act(many, of_them)
    assert set(always.tolist()) == {int(wanted.argmax())}


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_view_gets_the_same_move_in_any_batch(temperature):
    views, masks = views_of(None, 3, 4, Rules())
    network = _network(num_players=3)
    agent = _agent(network, temperature)
    actions, chances = agent.act(views, masks), agent.probabilities(views, masks)
    assert (masks[np.arange(len(views)), actions] == 1).all()
    assert len(set(actions.tolist())) > 20
    order = np.random.default_rng(1).permutation(len(views))
    assert agent.act(views[order], masks[order]).tolist() == actions[order].tolist()
    assert agent.probabilities(views[order], masks[order]).tobytes() == chances[order].tobytes()
    for size in (1, 7, 100):
        parts = [slice(k, k + size) for k in range(0, len(views), size)]
        acted = np.concatenate([agent.act(views[p], masks[p]) for p in parts])
        assert acted.tolist() == actions.tolist()
        said = np.concatenate([agent.probabilities(views[p], masks[p]) for p in parts])
        assert said.tobytes() == chances.tobytes()
    twin = pickle.loads(pickle.dumps(agent))
    assert twin.act(views, masks).tolist() == actions.tolist()


def test_a_round_is_played_alike_wherever_it_stands_in_a_game():
    rules, network = Rules(), _network()
    space = observation_space(rules, 2)
    game = Game(rules, 2, 5)
    while game.round_number < 3:
        game.step(game.legal_actions()[-1])
    view, mask = game.view_record(game.current_seat), game.action_mask()[None]
    other = view.copy()
    other["scores"] = 0
    other["round_index"] = 0
    other["single_round"] = 1
    seen = [observe(x, rules, 2)[0] for x in (view, other)]
    for name in ("scores", "rounds", "end"):
        assert (seen[0][space.slices[name]] != seen[1][space.slices[name]]).any()
    told = [network.probabilities(x, mask).tobytes() for x in (view, other)]
    assert told[0] == told[1]


def test_a_file_gives_the_same_network(tmp_path):
    path = tmp_path / "policy.safetensors"
    network = _network(Rules.preset("rummy500_online"), 3)
    network.save(path)
    found = PolicyNetwork.load(path)
    assert found.weights.tobytes() == network.weights.tobytes()
    assert (found.rules, found.num_players, found.hidden) == (network.rules, 3, 8)
    assert found.training == {"seed": 0}
    views, masks = views_of(None, 3, 1, network.rules)
    agent = agents.make(f"policy:weights={path}")
    agent.reset(network.rules, 3, 0)
    assert agent.act(views, masks).tolist() == _agent(network).act(views, masks).tolist()


def _damage(path, change):
    """Save a network and change what its file says of it."""
    network = _network()
    network.save(path)
    with safetensors.safe_open(str(path), "numpy") as file:
        about = json.loads(file.metadata()["rummy500"])
        layers = {key: file.get_tensor(key) for key in network.layers}
    change(about, layers)
    safetensors.numpy.save_file(layers, str(path), {"rummy500": json.dumps(about)})


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda about, _: about.update(format_version=9), "is of version 9, this is 1"),
        (lambda about, _: about.update(rules_digest="x"), "its rules had the digest 'x'"),
        (lambda about, _: about["observation_layout"].update(hand="x"), "hand was x, is 52"),
        (lambda about, _: about["actions_layout"].pop("draw"), "draw is new"),
        (lambda about, _: about.update(observation="x"), "was made for observation 'x'"),
        (lambda about, _: about.update(actions="x"), "was made for actions 'x'"),
        (lambda about, _: about.pop("hidden"), "does not say its 'hidden'"),
        (lambda about, _: about.update(hidden=9), "it has layers"),
        (lambda about, _: about.update(hidden=10**6), "hidden=1000000 is not allowed"),
        (lambda about, _: about.update(num_players=3), "of another layout"),
        (lambda about, _: about.update(num_players="x"), "'x'"),
        (lambda _, layers: layers.pop("second"), "it has layers"),
        (lambda _, layers: layers["logits_bias"].fill(np.nan), "not a finite number"),
    ],
)
def test_a_file_that_does_not_fit_says_why(tmp_path, change, told):
    path = tmp_path / "policy.safetensors"
    _damage(path, change)
    with pytest.raises(NetworkError) as caught:
        PolicyNetwork.load(path)
    assert told in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_policy_is_refused(tmp_path):
    path = tmp_path / "policy.safetensors"
    _network().save(path)
    with pytest.raises(NetworkError, match="holds no value network: it says it is 'rummy500 pol"):
        ValueNetwork.load(path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(NetworkError, match="holds no policy network"):
        PolicyNetwork.load(path)
    with pytest.raises(NetworkError, match="there is no such file"):
        PolicyNetwork.load(tmp_path / "none")


def test_it_plays_what_it_was_trained_on():
    agent = PolicyNetworkAgent(_network())
    agent.reset(Rules(target_score=300), 2, 0)  # changes no round
    with pytest.raises(NetworkError, match="plays with 2 players, not with 3"):
        agent.reset(Rules(), 3, 0)
    with pytest.raises(NetworkError, match="other rules: set_max_size=3"):
        agent.reset(Rules(set_max_size=3), 2, 0)
    with pytest.raises(NetworkError, match="no weights come with the package"):
        agents.make("policy").reset(Rules(), 2, 0)


@pytest.mark.parametrize("temperature", ["warm", "-1", "nan", "inf"])
def test_temperatures_that_cannot_be_are_refused(temperature):
    with pytest.raises(ValueError, match="temperature"):
        agents.make(f"policy:temperature={temperature}")


def test_exploitability_is_exact():
    tree = grow_tree(Rules.preset("mini"), 2)
    game, network = two_seats(tree), _network(tree.rules)
    asked = policy_of(PolicyNetworkAgent(network), tree)
    assert asked.is_exact
    sums = np.bincount(np.repeat(np.arange(tree.num_sets), tree.set_size), asked.strategy[2:])
    assert sums == pytest.approx(1)
    flat = _network(tree.rules)
    flat.weights[:] = 0
    even = policy_of(PolicyNetworkAgent(flat), tree)
    assert even.strategy == pytest.approx(game.uniform())
    best = policy_of(PolicyNetworkAgent(network, 0.0), tree).strategy
    drawn = policy_of(agents.PolicyAgent("likeliest", network.policy_at(0.0)), tree, draws=2)
    assert drawn.is_exact
    assert drawn.strategy.tolist() == best.tolist()
    assert game.exploitability(best).exploitability > 0
