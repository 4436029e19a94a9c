"""Agents that go wrong: the error names them, the decision and what was legal; the table stands.

What opponents and agents may return is tested in test_gym_opponents.py and test_arena.py; here is
what else can go wrong with them, and what a compiled policy does.
"""

from __future__ import annotations

import re
from typing import Any, cast

import gymnasium
import numpy as np
import pytest

import agents
import rummy500_env as r5
from agents import Agent, PolicyAgent, TurnAgent
from experiments.runner import Conduct
from experiments.tournament import tournament
from rummy500_env.engine.jit import JIT_DISABLED, kernel
from tests.support.asking import arena_of, deals, play
from tests.support.learning import snapshot

STRICT = Conduct(strict=True)

PLACE = r"decision \d+ at seat 1( of (table|game) \d+)? \(legal: '"


class Plain:
    """Plays its first legal action, as long as nothing is changed."""

    name = "plain"

    in_reset: Any

    def __init__(self, **changes: Any) -> None:
        self.__dict__.update(changes)

    def reset(self, rules, num_players, seed) -> None:
        if hasattr(self, "in_reset"):
            self.in_reset()

    def act(self, views, action_masks):
        return action_masks.argmax(axis=1)


class Unprintable:
    """Cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


class NoArray:
    """Pretends to be an array, and is none."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise LookupError("no numbers")


def _fail(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError("no plan")


# -- opponents ---------------------------------------------------------------------------------


def make(kind, opponents) -> Any:
    if kind == "single":
        env = gymnasium.make("Rummy500-v0", opponents=opponents).unwrapped
    else:
        env = gymnasium.make_vec("Rummy500-v0", num_envs=3, opponents=opponents).unwrapped
    env.action_space.seed(1)
    return env


def playing_with(kind, opponent):
    """An environment in play, in which this opponent decides from now on."""
    env = make(kind, "greedy")
    env.reset(seed=1)
    env.set_opponents(opponent)
    return env


def fault_of(env, call, error) -> str:
    """What a call is refused with, when the tables stand as before and play can go on."""
    before = snapshot(env)
    with pytest.raises(error) as caught:
        call()
    assert snapshot(env) == before
    return str(caught.value)


def play_on(env):
    """Play with others until something ends."""
    env.set_opponents("random")
    ended = False
    while not ended:
        *_, terminated, truncated, _ = env.step(env.action_space.sample())
        ended = np.any(terminated) or np.any(truncated)


def first_fault(env, error, steps=60) -> str:
    """What random play is stopped by, sooner or later."""
    for _ in range(steps):
        before = snapshot(env)
        try:
            *_, ended, _, _ = env.step(env.action_space.sample())
        except error as raised:
            assert snapshot(env) == before
            return str(raised)
        if isinstance(ended, bool) and ended:
            env.reset()
    raise AssertionError("nothing went wrong")


@pytest.mark.parametrize("kind", ["single", "vector"])
def test_an_opponent_that_fails_in_reset(kind):
    env = make(kind, "greedy")
    env.reset(seed=1)
    env.step(env.action_space.sample())
    told = r"opponent 'plain' failed in reset\(\): ZeroDivisionError: no plan \(test_faults"
    bad = Plain(in_reset=_fail)
    assert re.match(
        told, fault_of(env, lambda: env.reset(options={"opponents": bad}), r5.AgentError)
    )
    assert env._tables.opponents[0].name == "greedy"  # the old ones play on
    env.step(env.action_space.sample())
    env.set_opponents(bad)
    action = env.action_space.sample()
    assert re.match(told, fault_of(env, lambda: env.step(action), r5.AgentError))
    play_on(env)


@pytest.mark.parametrize("kind", ["single", "vector"])
@pytest.mark.parametrize("method", ["forget", "note_moves"])
def test_an_opponent_that_fails_when_it_is_told_something(method, kind):
    opponent = Plain(watches=True, forget=lambda table: None, note_moves=lambda *_: None)
    env = make(kind, opponent)
    env.reset(seed=1)
    env._tables.opponents[0].agent.__dict__[method] = _fail
    told = first_fault(env, r5.AgentError) if method == "note_moves" else ""
    if method == "forget":
        told = fault_of(env, env.reset, r5.AgentError)
    assert told.startswith(f"opponent 'plain' failed in {method}(): ZeroDivisionError: no plan")
    play_on(env)


def test_an_opponent_that_watches_must_be_told():
    with pytest.raises(TypeError, match=r"watches, and has no note_moves\(table, seat, moves\)"):
        make("single", Plain(watches=True))


@pytest.mark.parametrize("kind", ["single", "vector"])
@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        (NoArray, r5.AgentError, "LookupError: no numbers"),
        (Unprintable, r5.IllegalActionError, r"actions of shape \(\) and type object"),
        (lambda: {1: 2}, r5.IllegalActionError, "actions of shape"),
        (lambda: np.array([True]), r5.IllegalActionError, "type bool"),
        (lambda: np.array([0j]), r5.IllegalActionError, "type complex128"),
        (lambda: np.array(["draw"]), r5.IllegalActionError, "type <U4"),
        (lambda: np.array([2**100], object), r5.IllegalActionError, "type object"),
        (list, r5.IllegalActionError, r"shape \(0,\)"),
    ],
)
def test_answers_that_are_no_actions(given, error, said, kind):
    env = playing_with(kind, Plain(act=lambda views, masks: given()))
    told = first_fault(env, error)
    assert re.search(rf"^opponent 'plain' .*{PLACE}", told)
    assert re.search(said, told)
    play_on(env)


def test_an_opponent_may_scribble_on_what_it_is_shown():
    def act(views, action_masks):
        actions = action_masks.argmax(axis=1)
        views.view(np.uint8).fill(255)
        action_masks.fill(1)
        return actions

    def choose(view, legal):
        view.record.view(np.uint8).fill(255)
        first = legal[0]
        legal.clear()
        return first

    shown = []
    for opponent in (Plain(), Plain(act=act), choose):
        env = make("single", opponent)
        env.reset(seed=1)
        over = False
        while not over:
            shown.append(env.step(int(env.action_masks().argmax())))
            over = shown[-1][2]
    ends = [step for step in shown if step[2]]
    assert len(ends) == 3
    assert len({step[4]["scores"].tobytes() for step in ends}) == 1


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("kind", ["single", "vector"])
def test_an_interruption_passes_and_the_tables_stand(kind, stop):
    def act(views, action_masks):
        raise stop

    env, before = make(kind, Plain()), b""
    env.reset(seed=1)
    env._tables.opponents[0].agent.act = act
    for _ in range(30):
        before = snapshot(env)
        try:
            env.step(env.action_space.sample())
        except stop:
            break
    assert snapshot(env) == before
    play_on(env)


class Chooses(TurnAgent):
    """Chooses what it is given."""

    name = "chooses"

    def __init__(self, choice) -> None:
        super().__init__()
        self.choice = choice

    def choose(self, view, legal):
        return self.choice


CHOICES = [
    True,
    np.True_,
    1.0,
    float("nan"),
    None,
    [0],
    2**100,
    -1,
    "dig 99",
    "pass",
    Unprintable(),
]
TWO_DECKS = r5.Rules(num_decks=2)
FOREIGN = r5.Move("discard 9d", r5.ActionSpace(TWO_DECKS, 2).from_text("discard 9d"))


@pytest.mark.parametrize("choice", [*CHOICES, FOREIGN], ids=lambda one: type(one).__name__)
def test_choices_that_are_no_legal_moves(choice):
    env = playing_with("single", Chooses(choice))
    told = first_fault(env, r5.IllegalActionError)
    assert re.search(rf"^opponent 'chooses' .*{PLACE}", told)
    with pytest.raises(r5.IllegalActionError, match=rf"^agent 'chooses' .*{PLACE}"):
        tournament(["random", Chooses(choice)], deals=2, conduct=STRICT)


def test_a_move_of_another_layout_is_taken_by_its_text():
    """Its index is that of another move here."""
    game = r5.Game(TWO_DECKS, seed=1)
    game.play("draw")
    wanted = next(move for move in game.legal_moves() if move.startswith("discard"))
    foreign = r5.Move(str(wanted), r5.ActionSpace(r5.Rules(), 2).from_text(wanted))
    assert game.action_space.to_text(foreign.index) != wanted
    view = game.view(game.current_seat)
    assert view.after(foreign).discard_pile[-1] == wanted.split()[1]
    worlds = r5.Worlds.of_view(view, 3, 1).play(foreign)
    assert worlds[0].view(0).discard_pile[-1] == wanted.split()[1]


# -- tournaments -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "error", "said"),
    [
        ({"act": _fail}, r5.AgentError, "ZeroDivisionError: no plan"),
        ({"act": lambda views, masks: NoArray()}, r5.AgentError, "LookupError: no numbers"),
        ({"act": lambda views, masks: [[1], [1, 2]]}, r5.IllegalActionError, "actions of shape"),
        ({"watches": True}, r5.AgentError, "no attribute 'note_moves'"),
        ({"watches": True, "note_moves": _fail}, r5.AgentError, "ZeroDivisionError: no plan"),
    ],
)
def test_agents_of_tournaments_are_named_with_decision_and_what_was_legal(changes, error, said):
    with pytest.raises(error, match=said) as caught:
        tournament(["random", cast(Any, Plain(**changes))], deals=2, conduct=STRICT)
    decisions = r"(in|the first) decision \d+ at seat \d of game \d+ \(legal: '"
    assert re.search(rf"^agent 'plain' .*{decisions}", str(caught.value))


def test_an_arena_plays_on_after_a_fault():
    wrong = Plain()
    arena = arena_of(r5.Rules(), 2, [agents.make("greedy"), wrong])
    dealt, seating = deals(6, 2), np.tile([0, 1], (6, 1))
    before = play(arena, dealt, seating).scores
    wrong.act = _fail
    with pytest.raises(r5.AgentError):
        play(arena, dealt, seating)
    del wrong.act
    assert np.array_equal(play(arena, dealt, seating).scores, before)


def test_an_agent_that_decides_nothing_is_named():
    class Empty(Agent):
        name = "empty"

    with pytest.raises(r5.AgentError, match=r"agent 'empty' failed .*does not say how it acts"):
        tournament(["random", Empty()], deals=2, conduct=STRICT)


# -- compiled policies -------------------------------------------------------------------------


@kernel
def failing_policy(views, row, legal, rules):
    """Fail in the tenth decision, after the first legal actions."""
    if views[row].decision == 9:
        raise ValueError("out of ideas")
    action = np.int64(0)
    while legal[row, action >> 6] >> (action & 63) & 1 == 0:
        action += 1
    return action


@kernel
def narrow_policy(views, row, legal, rules):
    return np.int32(0)


@kernel
def broken_policy(views, row, legal, rules):
    return 0.5


@kernel
def unknown_policy(views, row, legal, rules):
    return np.int64(views[row].no_such_field)


@kernel
def short_policy(views, row):
    return np.int64(0)


def python_policy(views, row, legal, rules):
    return 0


FAILING = PolicyAgent("failing", failing_policy)
TOLD = (
    r"failed in decision 9 at seat \d( of (game|table) \d+)? \(legal: '.*ValueError: out of ideas"
)


@pytest.mark.parametrize("kind", ["single", "vector"])
def test_what_a_compiled_opponent_raises_is_not_lost(kind):
    env = make(kind, FAILING)
    env.reset(seed=1)
    assert re.match(f"opponent 'failing' {TOLD}", first_fault(env, r5.AgentError, 200))
    play_on(env)


def test_what_a_compiled_agent_raises_is_not_lost():
    with pytest.raises(r5.AgentError, match=f"agent 'failing' {TOLD}") as caught:
        tournament(["random", PolicyAgent("failing", failing_policy)], deals=5, conduct=STRICT)
    assert isinstance(caught.value.__cause__, ValueError)
    wrong = PolicyAgent("failing", failing_policy)
    wrong.reset(r5.Rules(), 2, 1)
    game = r5.Game(seed=1)
    views = game.view_record(game.current_seat)
    views["decision"] = 9
    with pytest.raises(ValueError, match="out of ideas"):
        wrong.act(views, game.action_mask()[None])


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (5, "policy 5: a function"),
        (python_policy, "python_policy.*: a function"),
        (narrow_policy, "policy 'narrow_policy' returns int32: "),
        (broken_policy, "policy 'broken_policy' returns float64: "),
        (unknown_policy, "policy 'unknown_policy' does not compile: .*no_such_field"),
        (short_policy, "policy 'short_policy' does not compile: .*4 argument"),
    ],
)
@pytest.mark.skipif(JIT_DISABLED, reason="any function is a policy then")
def test_what_is_no_compiled_policy_is_refused_at_once(policy, said):
    agent, view = PolicyAgent("none", policy), r5.Game(seed=1).view(0)
    with pytest.raises(TypeError, match=said):
        make("single", agent)
    with pytest.raises(TypeError, match=said):
        r5.Worlds.of_view(view, 2, 1).rollout(policy)
    with pytest.raises(TypeError, match=said):
        r5.Game(seed=1).rollout(agent)
    with pytest.raises(TypeError, match=said):
        arena_of(r5.Rules(), 2, [agent])
