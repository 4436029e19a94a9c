"""``rummy500 train imitate``: whom it learns from, what it learns, and what comes of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import agents
import rummy500_env as r5
from agents.leads import leads
from agents.policy_network import PolicyNetwork
from experiments.cli import main
from experiments.errors import RunError
from experiments.training.config import ImitateConfig, PPOConfig, TDConfig, described
from experiments.training.teaching import Played, Recorded
from rummy500_env.networks import ValueNetwork
from tests.support.cutting import curve_of, cut_at

RULES = r5.Rules()
SMALL = ImitateConfig(
    rules="mini", rounds=320, rounds_at_once=20, held_out=50, batch=64, hidden=16, seed=3
)
GREEDY = ImitateConfig(rounds=600, rounds_at_once=60, held_out=40, batch=128, hidden=64)


@pytest.fixture(scope="module")
def imitate():
    pytest.importorskip("torch", reason="training needs torch: the extra 'train'")
    from experiments.training import imitate

    return imitate


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """Six games between ``greedy``, who sits first, and ``random``; the last one is cut off."""
    path = tmp_path_factory.mktemp("records") / "games.r500"
    rules, players = r5.Rules(target_score=150), [agents.make(x) for x in ("greedy", "random")]
    for agent in players:
        agent.reset(rules, 2, 0)
    with r5.records.Writer(path) as file:
        for seed in range(6):
            game = r5.Game(rules, 2, seed)
            while not game.is_over and not (seed == 5 and game.round_number == 2):
                seat = game.current_seat
                view, mask = game.view_record(seat), game.action_mask()[None]
                game.step(int(players[seat].act(view, mask)[0]))
            file.add(game, players=["greedy", "random"])
    return path


# -- whom it learns from -----------------------------------------------------------------------


def test_leads_are_over_the_mean_of_the_others():
    found = leads(np.array([[10, 20, 60], [5, 0, -10]]), np.array([2, 0]))
    assert found.tolist() == [45.0, 10.0]


def test_a_teachers_decisions_are_its_own():
    config = replace(GREEDY, teacher="greedy")
    source = Played(config, RULES)
    views, masks, actions, ends = source.lessons(0)
    assert (masks[np.arange(len(actions)), actions] == 1).all()
    assert (masks.sum(axis=1) > 1).all()
    greedy = agents.make("greedy")
    greedy.reset(RULES, 2, 0)
    assert greedy.act(views, masks).tolist() == actions.tolist()
    for table in range(5):  # what one seat leads by, the other one lacks
        own = [set(ends[(views["table"] == table) & (views["viewer"] == k)]) for k in (0, 1)]
        assert len(own[0]) <= 1
        assert len(own[0] | {-end for end in own[1]}) == 1
    again = Played(config, RULES).lessons(0)
    assert again.actions.tolist() == actions.tolist()
    assert source.lessons(1).actions.tolist() != actions.tolist()
    assert source.held_out().actions.tolist() != actions.tolist()


class Watcher(agents.TurnAgent):
    """Makes the last legal move, and counts what it is shown."""

    shown = 0

    def see(self, event):
        Watcher.shown += 1

    def choose(self, view, legal):
        return legal[-1]


def test_a_teacher_that_watches_is_shown_all_moves():
    source = Played(replace(GREEDY, rounds_at_once=3), RULES)
    source._teacher = Watcher()
    found = source.lessons(0)
    assert len(found.actions) > 20
    assert Watcher.shown > len(found.actions)


def test_records_give_the_decisions_of_those_named(records):
    config = ImitateConfig(
        records=(str(records),), names=("greedy",), held_out=2, rounds=40, rounds_at_once=5
    )
    source = Recorded(config, RULES)
    held, first = source.held_out(), source.lessons(0)
    greedy = agents.make("greedy")
    greedy.reset(r5.Rules(target_score=150), 2, 0)
    for views, masks, actions, _ in (held, first):
        assert (views["viewer"] == 0).all()
        assert greedy.act(views, masks).tolist() == actions.tolist()
    told = {
        (game.game.seed, one.round): one.scores
        for game in r5.records.replay(records)
        for one in game.record.rounds
        if one.scores is not None
    }
    wanted = {float(scores[0] - scores[1]) for scores in told.values()}
    assert set(first.ends) <= wanted
    assert set(held.ends) <= wanted
    # Every game is learned from, or held out; a time through is in another order.
    later = [source.lessons(k).actions.tolist() for k in range(8)]
    assert later[0] == first.actions.tolist()
    assert len({tuple(one) for one in later}) > 1
    both = Recorded(replace(config, names=()), RULES).lessons(0)
    assert set(both.views["viewer"]) == {0, 1}


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"held_out": 1000}, "held_out=1000 leaves none"),
        ({"names": ("nobody",)}, "records hold 0 rounds to learn from"),
        ({"players": 3}, "line 1: played by 2, not by players=3"),
        ({"rules": "rummy500_online"}, "played by other rules than 'rummy500_online'"),
    ],
)
def test_records_that_do_not_fit_are_refused(records, settings, told):
    config = ImitateConfig(records=(str(records),), **{"held_out": 2, **settings})
    with pytest.raises((RunError, r5.RecordError)) as caught:
        Recorded(config, r5.Rules.preset(config.rules))
    assert told in str(caught.value)


# -- what it learns ----------------------------------------------------------------------------


def test_a_policy_agrees_with_its_teacher(imitate, tmp_path):
    imitate.train(GREEDY, tmp_path)
    network = PolicyNetwork.load(tmp_path / "best.safetensors")
    views, masks, actions, _ = Played(replace(GREEDY, seed=9, held_out=200), RULES).held_out()
    chances = network.probabilities(views, masks)
    agreement = (chances.argmax(axis=1) == actions).mean()
    by_chance = (1 / masks.sum(axis=1)).mean()
    assert agreement > 0.5 > 2 * by_chance
    said = float(curve_of(tmp_path)[-1]["agreement"])
    assert said == pytest.approx(agreement, abs=0.05)
    assert float(curve_of(tmp_path)[-1]["held_out_loss"]) < 2.0
    agent = agents.make(f"policy:weights={tmp_path / 'best.safetensors'}")
    agent.reset(RULES, 2, 0)
    assert (masks[np.arange(len(views)), agent.act(views, masks)] == 1).all()


def test_a_value_foretells_what_rounds_come_to(imitate, tmp_path):
    imitate.train(replace(GREEDY, what="value"), tmp_path)
    network = ValueNetwork.load(tmp_path / "best.safetensors")
    held = Played(replace(GREEDY, seed=9, held_out=200), RULES).held_out()
    student = imitate._Value(replace(GREEDY, what="value"), RULES, "cpu")
    made = np.zeros_like(held.masks)
    made[np.arange(len(held.actions)), held.actions] = 1
    after = r5.search.afterstates(held.views, made, RULES, 2).views
    _, earned = student.arrays(held)
    lead = leads(after["table_points"][:, :2], after["viewer"])
    assert 100 * earned + lead == pytest.approx(held.ends, abs=1e-3)
    assert np.corrcoef(network.values(after), earned)[0, 1] > 0.15
    agent = agents.make(f"learned:weights={tmp_path / 'best.safetensors'}")
    agent.reset(RULES, 2, 0)
    agreement = (agent.act(held.views, held.masks) == held.actions).mean()
    assert agreement > 1.5 * (1 / held.masks.sum(axis=1)).mean()


def test_people_are_learned_from(imitate, records, tmp_path):
    config = ImitateConfig(
        records=(str(records),), names=("greedy",), held_out=2, rounds=20, rounds_at_once=5
    )
    imitate.train(config, tmp_path)
    network = PolicyNetwork.load(tmp_path / "best.safetensors")
    assert network.training["kind"] == "imitate"
    assert network.training["names"] == ["greedy"]


# -- the training ------------------------------------------------------------------------------


def test_every_setting_is_described():
    texts = described(ImitateConfig)
    assert texts["names"] == "Players of the records whose decisions are learned; empty: all."
    assert all(texts.values())


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"what": "both"}, "what='both' is not allowed: use policy or value"),
        ({"held_out": 0}, "held_out=0 is not allowed: use 1 or more"),
        ({"hidden": 0}, "hidden=0 is not allowed: use 1 to 512"),
        ({"names": ("me",)}, "names=('me',) is not allowed: use it with records alone"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, told):
    with pytest.raises(RunError) as caught:
        ImitateConfig(**settings)
    assert told in str(caught.value)


@pytest.mark.parametrize("what", ["policy", "value"])
def test_what_was_cut_goes_on_to_the_same_curve(imitate, tmp_path, what):
    config = replace(SMALL, what=what)
    imitate.train(config, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        imitate.train(config, tmp_path / "cut", progress=cut_at(260))
    assert [int(row["iteration"]) for row in curve_of(tmp_path / "cut")] == [10]
    imitate.train(config, tmp_path / "cut")
    assert [int(row["iteration"]) for row in curve_of(tmp_path / "cut")] == [10, 16]
    assert curve_of(tmp_path / "cut") == curve_of(tmp_path / "whole")


def test_a_training_that_diverges_keeps_the_last_good_checkpoint(imitate, tmp_path, monkeypatch):
    step = imitate._Training.step

    def diverge(self):
        if self.done == 12:
            next(self.student.net.parameters()).data[0] = np.nan
        return step(self)

    monkeypatch.setattr(imitate._Training, "step", diverge)
    with pytest.raises(RunError, match="diverged in iteration 13"):
        imitate.train(SMALL, tmp_path)
    assert np.isfinite(PolicyNetwork.load(tmp_path / "last.safetensors").weights).all()


def test_self_play_goes_on_from_what_was_learned(imitate, tmp_path):
    from experiments.training import ppo, td

    imitate.train(SMALL, tmp_path / "policy")
    imitate.train(replace(SMALL, what="value"), tmp_path / "value")
    policy, value = (str(tmp_path / name / "best.safetensors") for name in ("policy", "value"))
    small = {"rules": "mini", "rounds": 16, "rounds_at_once": 16, "deals": 20}
    one = ppo._Training(PPOConfig(start=policy, hidden=16, **small), "cpu")
    assert one.network({}).weights.tolist() == PolicyNetwork.load(policy).weights.tolist()
    other = td._Training(TDConfig(start=value, **small), "cpu")
    assert other.weights.tolist() == ValueNetwork.load(value).weights.tolist()


def test_the_command_says_how_to_play_it(imitate, tmp_path, capsys):
    words = "--rules mini --rounds 40 --rounds-at-once 20 --held-out 20 --hidden 8 --what value"
    assert main(["train", "imitate", *words.split(), "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    best = tmp_path / "best.safetensors"
    assert f"--agents learned:weights={best},greedy --rules mini --players 2" in printed
    assert best.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("imitate --teacher nobody", "nobody"),
        ("imitate --teacher greedy:x=1", "its settings: digs"),
        ("imitate --records none.r500", "none.r500"),
        ("ppo --judges greedy,", "judges=('greedy', '') is not allowed"),
        ("ppo --start none.safetensors --rules mini", "there is no such file"),
        ("ppo --device nonsense", "device='nonsense' cannot be used"),
    ],
)
def test_wrong_words_give_one_line(imitate, tmp_path, capsys, words, told):
    assert main(["train", *words.split(), "--out", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1
