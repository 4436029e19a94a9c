"""Opponents of learners: how they are named and asked, and what becomes of their faults."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest

import agents
import rummy500_env as r5
from agents import TurnAgent
from rummy500_env.engine.jit import kernel
from tests.support.learning import snapshot
from tests.test_gym_single import make as make_single
from tests.test_gym_single import rollout
from tests.test_gym_vector import make as make_vector
from tests.test_gym_vector import play


class Batched:
    """Plays at random until it has been asked often enough, then does what is given."""

    name = "batched"

    def __init__(self, fault, after=6) -> None:
        self.fault, self.left = fault, after

    def act(self, views, action_masks):
        self.left -= 1
        return action_masks.argmax(axis=1) if self.left > 0 else self.fault(action_masks)


class Turns(TurnAgent):
    """The same, one decision at a time."""

    name = "turns"

    def __init__(self, fault, after=6) -> None:
        super().__init__()
        self.fault, self.asked = fault, [after]

    def choose(self, view, legal):
        self.asked[0] -= 1
        return legal[0] if self.asked[0] > 0 else self.fault(view, legal)


def plain(fault, after=6):
    """The same as a plain callable."""
    left = [after]

    def plainly(view, legal):
        left[0] -= 1
        return legal[0] if left[0] > 0 else fault(view, legal)

    return plainly


def _raise(*_: Any):
    raise ZeroDivisionError("no plan")


BATCHED = {
    "illegal": lambda masks: np.zeros(len(masks), int) - 1,
    "huge": lambda masks: np.full(len(masks), 2**63, np.uint64),
    "float": lambda masks: masks.argmax(axis=1).astype(float),
    "nan": lambda masks: np.full(len(masks), np.nan),
    "shape": lambda masks: masks,
    "none": lambda masks: None,
    "ragged": lambda masks: [[1], [1, 2]],
    "raises": _raise,
}
ONE = {
    "illegal text": lambda view, legal: "pass",
    "no text": lambda view, legal: "dig 99",
    "illegal": lambda view, legal: 5000,
    "nan": lambda view, legal: float("nan"),
    "bool": lambda view, legal: True,
    "none": lambda view, legal: None,
    "raises": _raise,
}
FAULTS = [
    *((Batched, fault) for fault in BATCHED.values()),
    *((kind, fault) for kind in (Turns, plain) for fault in ONE.values()),
]


@pytest.mark.parametrize("make", [make_single, make_vector])
@pytest.mark.parametrize(("kind", "fault"), FAULTS)
def test_faults_are_named_and_change_nothing(kind, fault, make):
    env = make(num_players=3, opponents=["greedy", kind(fault, 10)])
    env.action_space.seed(1)
    env.reset(seed=1)
    name = {Batched: "batched", Turns: "turns", plain: "plainly"}[kind]
    error = r5.AgentError if fault is _raise else r5.IllegalActionError
    before, told, cause = b"", "", None
    for _ in range(40):
        before = snapshot(env)
        try:
            env.step(env.action_space.sample())
        except error as raised:
            told = str(raised)
            cause = raised.__cause__
            break
    assert snapshot(env) == before
    assert f"opponent '{name}'" in told
    assert "at seat 2" in told
    assert "in decision" in told or "the first decision" in told
    assert "(legal: '" in told
    if fault is _raise:
        assert isinstance(cause, ZeroDivisionError)
        assert "no plan" in told
    env.unwrapped.set_opponents("random")
    for _ in range(5):  # the episode goes on with others
        _, _, ended, _, _ = env.step(env.action_space.sample())
        if np.any(ended):
            break


@kernel
def _wrong_policy(views, row, legal, rules):
    return np.int64(-5) if views[row].decision >= 12 else _first(legal, row)


@kernel
def _first(legal, row):
    action = np.int64(0)
    while legal[row, action >> 6] >> (action & 63) & 1 == 0:
        action += 1
    return action


@pytest.mark.parametrize("make", [make_single, make_vector])
def test_an_illegal_action_of_a_compiled_policy_changes_nothing(make):
    env = make(opponents=agents.PolicyAgent("wrong", _wrong_policy))
    env.action_space.seed(1)
    env.reset(seed=1)
    before, told = b"", ""
    for _ in range(40):
        before = snapshot(env)
        try:
            env.step(env.action_space.sample())
        except r5.IllegalActionError as raised:
            told = str(raised)
            break
    assert "opponent 'wrong' chose action -5 in decision 12 at seat 1" in told
    assert snapshot(env) == before


@pytest.mark.parametrize(
    ("opponents", "error", "said"),
    [
        ("gredy", r5.UnknownNameError, "Did you mean 'greedy'"),
        ("greedy:digs=often", ValueError, "digs='often'"),
        (3, TypeError, "opponents=3"),
        ([None, "greedy"], TypeError, r"opponents\[0\]=None"),
        (["greedy", TurnAgent], TypeError, "is a class"),
        (["greedy"] * 3, ValueError, "one for all other seats or 2"),
    ],
    ids=str,
)
def test_who_cannot_play_is_refused(opponents, error, said):
    with pytest.raises(error, match=said):
        make_single(num_players=3, opponents=opponents)
    env = make_single(num_players=3)
    env.reset(seed=1)
    with pytest.raises(error, match=said):
        env.set_opponents(opponents)
    assert rollout(env)


class Watching(TurnAgent):
    """Notes all moves it is told of, and checks them against what it may know."""

    name = "watching"
    seen: list[Any] = []  # noqa: RUF012 (shared by all instances on purpose)

    def __init__(self) -> None:
        super().__init__()
        self.moves = []

    def see(self, event):
        self.moves.append((event.seat, event.move))

    def choose(self, view, legal):
        self.seen.append((view.seat, view.decision, tuple(self.moves)))
        return legal[view.random % len(legal)]


@pytest.mark.parametrize("skip_forced", [False, True])
def test_who_watches_is_told_all_moves(skip_forced, monkeypatch):
    monkeypatch.setattr(Watching, "seen", [])
    env = make_single(
        num_players=3, seat=1, opponents=[Watching(), "greedy"], skip_forced=skip_forced
    )
    for seed in (1, None, None):
        Watching.seen.clear()
        env.reset(seed=seed)
        game = r5.Game(num_players=3, seed=env.game_seed, episode="round")
        rollout(env, 1)
        assert len(Watching.seen) >= 2
        moves = ()
        for seat, decision, moves in Watching.seen:
            assert seat == 2
            assert sum(mover == 2 for mover, _ in moves) == decision
        for mover, move in moves:
            assert game.current_seat == mover
            game.play(move)


def test_who_watches_many_tables_is_told_of_each(monkeypatch):
    monkeypatch.setattr(Watching, "seen", [])
    vector = make_vector(opponents=Watching())
    vector.reset(seed=1)
    play(vector, 60)
    for seat, decision, moves in Watching.seen:
        assert sum(mover == seat for mover, _ in moves) == decision
    assert vector.episodes.max() > 0


@pytest.mark.parametrize(
    "twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"]
)
def test_twins_remember_what_opponents_do(twin_of):
    env = make_single(opponents=Watching())
    env.reset(seed=1)
    rollout(env, limit=6)
    twin = twin_of(env)
    Watching.seen.clear()
    rollout(env, 3)
    told, Watching.seen[:] = list(Watching.seen), []
    rollout(twin, 3)
    assert told == Watching.seen
    assert told


def test_one_agent_can_sit_in_several_environments():
    agent = Watching()
    envs = [make_single(opponents=agent), make_single(num_players=3, opponents=agent)]
    for env in envs:
        env.action_space.seed(1)
        env.reset(seed=1)
    for _ in range(20):
        for env in envs:
            if env.step(env.action_space.sample())[2]:
                env.reset()
    assert agent.moves == []


def test_names_are_known_without_importing_agents():
    code = """
        import sys, gymnasium, rummy500_env
        assert "agents" not in sys.modules
        env = gymnasium.make("Rummy500-v0", opponents=["greedy:digs=never"])
        print(env.unwrapped._tables.opponents[0].name)
    """
    script = "\n".join(line.strip() for line in code.splitlines())
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["greedy:digs=never"], done.stderr


def test_opponents_know_no_seed():
    asked = []

    class Noting:
        def reset(self, rules, num_players, seed):
            asked.append(seed)

        def act(self, views, action_masks):
            asked.extend(views["random"].tolist())
            return action_masks.argmax(axis=1)

    env = gymnasium.make("Rummy500-v0", opponents=Noting())
    env.reset(seed=5)
    assert env.get_wrapper_attr("game_seed") == 5
    rollout(env.unwrapped, limit=5)
    assert 5 not in asked
    assert len(set(asked)) == len(asked) > 2
