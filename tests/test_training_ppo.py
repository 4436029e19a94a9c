"""``rummy500 train ppo``: its advantages, its loss, its curve, and what happens when it is cut."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import agents
from agents.policy_network import PolicyNetwork
from experiments.errors import RunError
from experiments.training.config import PPOConfig, described
from rummy500_env import Rules
from rummy500_env.envs.selfplay import SelfPlayVector
from rummy500_env.errors import RulesError, UnknownNameError
from rummy500_env.networks import NetworkError
from rummy500_env.search import observe
from tests.support.asking import views_of
from tests.support.cutting import curve_of, cut_at

SMALL = PPOConfig(
    rules="mini", rounds=256, rounds_at_once=16, hidden=16, batch=32, epochs=2, deals=20, seed=3
)


@pytest.fixture(scope="module")
def ppo():
    pytest.importorskip("torch", reason="training needs torch: the extra 'train'")
    from experiments.training import ppo

    return ppo


@pytest.fixture(scope="module")
def whole(ppo, tmp_path_factory):
    """A training that was not cut."""
    folder = tmp_path_factory.mktemp("whole")
    ppo.train(SMALL, folder, keep_all=True)
    return folder


# -- advantages --------------------------------------------------------------------------------


def test_advantages_are_those_of_a_seats_own_decisions(ppo):
    """Worked out by hand: seats 0 0 1 0, an end, and seat 1 in the next episode."""
    seats = np.array([[0, 0, 1, 0, 1]], np.int8).T
    values = np.array([[1, 2, 3, 4, 5]], np.float32).T
    own = np.array([1, 2, -3, 4, 10], np.float32)
    rewards = np.stack([own, -own], axis=1)[:, None]
    ends = np.array([[False, False, False, True, False]]).T
    gains, known = ppo.advantages(seats, values, rewards, ends, 0.5, 0.5)
    assert known[:, 0].tolist() == [True, True, True, True, False]
    last = 4 - 4  # seat 0, and then the episode ended
    # Seat 1 was paid 3 by its own step and -4 by the one after that.
    of_the_other = (3 - 4) - 3
    # Of seat 0, between its second and its last decision: 2 by its own step, -3 by the other's.
    second = (2 - 3) + 0.5 * 4 - 2 + 0.25 * last
    first = 1 + 0.5 * 2 - 1 + 0.25 * second
    assert gains[:, 0].tolist() == [first, second, of_the_other, last, 0]


def test_with_a_trace_of_one_advantages_are_what_was_earned(ppo):
    """Several tables, three seats, episodes of different length; nothing after an end counts."""
    rng = np.random.default_rng(0)
    seats, values = rng.integers(3, size=(40, 6)), rng.normal(size=(40, 6)).astype(np.float32)
    rewards = rng.normal(size=(40, 6, 3)).astype(np.float32)
    ends = np.zeros((40, 6), np.bool_)
    ends[[39, 30, 35, 20, 39, 3], range(6)] = True
    gains, known = ppo.advantages(seats, values, rewards, ends, 1.0, 1.0)
    for table, end in enumerate(ends.argmax(axis=0)):
        for step in range(end + 1):
            earned = rewards[step : end + 1, table, seats[step, table]].sum()
            assert known[step, table]
            assert gains[step, table] + values[step, table] == pytest.approx(earned, abs=1e-4)
        after = slice(end + 1, None)
        for seat in range(3):
            own = np.flatnonzero(seats[after, table] == seat)
            assert known[after, table][own].tolist() == [True] * (len(own) - 1) + [False] * bool(
                len(own)
            )


def test_rounds_are_played_whole_and_pay_what_they_come_to(ppo):
    """With a trace of 1 the returns of first decisions are what the rounds came to."""
    rules = Rules()
    net = ppo.Network(rules, 2, 16)
    tables = SelfPlayVector(8, rules, 2, reward="points", skip_forced=True)
    config = PPOConfig(discount=1.0, trace=1.0)
    played = ppo.play(net, tables, [1, 2], config)
    again = ppo.play(net, tables, [1, 2], config)
    assert played.actions.tolist() == again.actions.tolist()
    rows = np.arange(len(played.actions))
    assert (played.masks[rows, played.actions] == 1).all()
    assert (played.masks.sum(axis=1) > 1).all()
    assert (played.chances <= 0).all()
    # Played again by hand: the same moves, and what each seat is paid from there on.
    rng = np.random.default_rng([1, 2])
    rng.integers(2**63)
    shown, _ = tables.reset(seed=int(rng.integers(2**63)))
    going, row, told = np.ones(8, np.bool_), 0, []
    while going.any():
        here = np.flatnonzero(going)
        actions = shown["action_mask"].argmax(axis=1)
        actions[here] = played.actions[row : row + len(here)]
        assert played.seen[row : row + len(here)].tolist() == shown["observation"][here].tolist()
        row += len(here)
        seats = tables.current_seat.copy()
        shown, rewards, ends, cut, _ = tables.step(actions)
        told.append((here, seats[here], rewards * going[:, None]))
        going &= ~(ends | cut)
    assert row == len(played.actions)
    still = np.zeros((8, 2))
    for here, seats, rewards in reversed(told):
        still += rewards
        row -= len(here)
        assert played.returns[row : row + len(here)] == pytest.approx(still[here, seats], abs=1e-4)


def test_rounds_that_are_left_teach_what_is_known_of_them(ppo):
    net, tables = ppo.Network(Rules(), 2, 16), SelfPlayVector(8, Rules(), 2, reward="points")
    cut, whole = (ppo.play(net, tables, [1, 2], PPOConfig(longest=k)) for k in (9, 2000))
    assert len(cut.actions) == 8 * (9 - 2)  # a seat's last decision there has no successor
    assert cut.actions[:8].tolist() == whole.actions[:8].tolist()
    assert cut.returns[:8].tolist() != whole.returns[:8].tolist()


def test_rounds_that_the_rules_cut_off_are_scored_and_have_ended(ppo):
    rules = Rules(max_turns=3)
    net, tables = ppo.Network(rules, 2, 16), SelfPlayVector(8, rules, 2, reward="points")
    played = ppo.play(net, tables, [1, 2], PPOConfig(discount=1.0, trace=1.0))
    assert len(played.actions) >= 8 * 6  # no decision is left out
    assert (played.returns < -0.1).any()  # what was left in hands has been paid


# -- the loss ----------------------------------------------------------------------------------


def test_the_loss_is_the_clipped_one_over_legal_actions(ppo):
    torch, config = ppo.torch, replace(SMALL, clip=0.2, entropy=0.1, value_weight=0.5)
    training = ppo._Training(config, "cpu")
    net = training.net
    masks = np.zeros((2, net.logits.out_features), np.int8)
    masks[0, [1, 5]], masks[1, [2, 3, 4, 9]] = 1, 1
    seen = np.random.default_rng(0).normal(size=(2, net.first.in_features)).astype(np.float32)
    actions = np.array([5, 2])
    with torch.no_grad():
        net.logits.weight.zero_()  # all legal actions are equally likely
        value = net(torch.from_numpy(seen), torch.from_numpy(masks))[1].numpy()
    ratios, gains = np.array([1.5, 0.5]), np.array([3.0, 1.0], np.float32)
    old = (np.log([1 / 2, 1 / 4]) - np.log(ratios)).astype(np.float32)
    returns = value + np.array([1.0, -3.0], np.float32)
    arrays = (seen, masks, actions, old, gains, returns)
    batch = ppo.Rollout(*map(torch.from_numpy, arrays))
    loss, told = training.loss(batch)
    # Advantages become 1 and -1; 1.5 is clipped to 1.2, for 0.5 the clipped 0.8 is the worse one.
    assert told["policy_loss"].item() == pytest.approx(-(1.2 - 0.8) / 2, abs=1e-5)
    assert told["value_loss"].item() == pytest.approx((1 + 9) / 2, abs=1e-4)
    assert told["entropy"].item() == pytest.approx((np.log(2) + np.log(4)) / 2, abs=1e-5)
    assert loss.item() == pytest.approx(-0.2 + 0.5 * 5 - 0.1 * told["entropy"].item(), abs=1e-4)
    loss.backward()
    assert net.logits.bias.grad.abs().max() < 1e-6  # clipped both, and entropy is at its most
    net.zero_grad()
    batch = batch._replace(chances=torch.from_numpy(np.log([1 / 2, 1 / 4]).astype(np.float32)))
    training.loss(batch)[0].backward()
    steepness = net.logits.bias.grad.numpy()
    assert steepness[5] < 0  # is to become likelier
    assert steepness[2] > 0
    assert (steepness[~masks.any(axis=0)] == 0).all()


# -- the training ------------------------------------------------------------------------------


def test_every_setting_is_described():
    texts = described(PPOConfig)
    assert (
        texts["clip"]
        == "How far the probability of an action may move in an iteration, as a share."
    )
    assert texts["deals"].startswith("Deals of that")
    assert texts["rules"] == "Preset of the rules."
    assert all(texts.values())


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"trace": 1.5}, "trace=1.5 is not allowed: use 0 to 1"),
        ({"discount": float("nan")}, "discount=nan is not allowed"),
        ({"rounds": 0}, "rounds=0 is not allowed: use 1 or more"),
        ({"epochs": 0}, "epochs=0 is not allowed: use 1 or more"),
        ({"clip": 0.0}, "clip=0.0 is not allowed: use more than 0"),
        ({"entropy": -1.0}, "entropy=-1.0 is not allowed: use 0 or more"),
        ({"hidden": 513}, "hidden=513 is not allowed: use 1 to 512"),
        ({"rules": "rumy"}, "rumy"),
        ({"players": 9}, "9"),
        ({"judges": ()}, "judges=() is not allowed: use names of agents"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, told):
    with pytest.raises((RunError, RulesError, UnknownNameError)) as caught:
        PPOConfig(**settings)
    assert told in str(caught.value)


def test_a_training_leaves_a_network_that_plays(whole):
    network = PolicyNetwork.load(whole / "best.safetensors")
    assert (network.training["kind"], network.training["seed"]) == ("ppo", 3)
    agent = agents.make(f"policy:weights={whole / 'best.safetensors'}")
    agent.reset(Rules.preset("mini"), 2, 0)
    views, masks = views_of(None, 2, 3, Rules.preset("mini"))
    assert (masks[np.arange(len(views)), agent.act(views, masks)] == 1).all()
    assert [int(row["iteration"]) for row in curve_of(whole)] == [10, 16]
    assert json.loads((whole / "config.json").read_text())["rounds"] == 256
    kept = sorted(path.name for path in whole.glob("network-*"))
    assert kept == ["network-000010.safetensors", "network-000016.safetensors"]


def test_what_was_cut_goes_on_to_the_same_curve(ppo, whole, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        ppo.train(SMALL, tmp_path, progress=cut_at(208))
    assert [int(row["iteration"]) for row in curve_of(tmp_path)] == [10]
    ppo.train(SMALL, tmp_path)
    assert curve_of(tmp_path) == curve_of(whole)
    ends = [PolicyNetwork.load(one / "last.safetensors").weights for one in (tmp_path, whole)]
    assert ends[0].tolist() == ends[1].tolist()


def test_another_training_is_not_mixed_in(ppo, whole):
    with pytest.raises(RunError, match="holds another training: clip differ"):
        ppo.train(replace(SMALL, clip=0.3), whole)


def test_a_training_that_diverges_keeps_the_last_good_checkpoint(ppo, tmp_path, monkeypatch):
    learn = ppo._Training.learn

    def diverge(self, played):
        if self.done == 12:
            played.returns[0] = np.inf
        return learn(self, played)

    monkeypatch.setattr(ppo._Training, "learn", diverge)
    with pytest.raises(RunError, match="diverged in iteration 13"):
        ppo.train(SMALL, tmp_path)
    assert np.isfinite(PolicyNetwork.load(tmp_path / "last.safetensors").weights).all()
    assert [int(row["iteration"]) for row in curve_of(tmp_path)] == [10]


def test_torch_and_the_kernels_see_the_same_probabilities(ppo, whole):
    network, rules = PolicyNetwork.load(whole / "last.safetensors"), Rules.preset("mini")
    net = ppo.Network(rules, 2, 16)
    net.load(str(whole / "last.safetensors"))
    assert net.exported({}).weights.tolist() == network.weights.tolist()
    views, masks = views_of(None, 2, 5, rules)
    seen = ppo.torch.from_numpy(observe(views, rules, 2))
    logs, _ = net(seen, ppo.torch.from_numpy(masks))
    wanted = network.probabilities(views, masks)
    assert logs.exp().detach().numpy() == pytest.approx(wanted, abs=1e-5)


def test_it_goes_on_from_a_file(ppo, whole, tmp_path):
    start = str(whole / "last.safetensors")
    training = ppo._Training(replace(SMALL, start=start), "cpu")
    assert training.network({}).weights.tolist() == PolicyNetwork.load(start).weights.tolist()
    with pytest.raises(RunError, match=r"hidden=8, but .* has 16: give the same"):
        ppo.train(replace(SMALL, start=start, hidden=8), tmp_path)
    with pytest.raises(NetworkError, match="other rules"):
        ppo.train(replace(SMALL, start=start, rules="rummy500"), tmp_path / "other")


def test_a_device_that_is_not_there_is_refused(ppo, tmp_path):
    with pytest.raises(RunError, match="device='nonsense' cannot be used"):
        ppo.train(SMALL, tmp_path, device="nonsense")
