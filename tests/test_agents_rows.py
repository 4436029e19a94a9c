"""Every agent that sees views alone: each decision hangs on its own row, and is legal."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import rummy500_env as r5
from agents.race import RaceError
from rummy500_env.networks import NetworkError
from tests.support.asking import Asked, views_of

SETTINGS = {
    "greedy": ["greedy", "greedy:digs=never"],
    "mc": ["mc:2", "mc:2,goal=win"],
    "ismcts": ["ismcts:9,belief=1"],
    "oracle": ["oracle:2"],
    "learned": ["learned", "learned:look=2"],
    "learned+search": ["learned+search:worlds=2,moves=2"],
    "advisor": ["advisor", "advisor:early=0,layoff=0"],
}
ALL = [spec for name in agents.names() for spec in SETTINGS.get(name, [name])]
SPECS = [spec for spec in ALL if not agents.make(spec).cheats]


@pytest.fixture(scope="module", params=[2, 3, 5])
def asked(request) -> tuple[int, Asked]:
    """Decisions of random play, and of greedy's, which lead to other hands."""
    n = request.param
    wild = views_of(None, n, 6, r5.Rules())
    tame = views_of(agents.make("greedy"), n, 6, r5.Rules())
    both = zip(wild, tame, strict=True)
    return n, Asked(*(np.concatenate(pair) for pair in both))


def _agent(spec, num_players):
    """The agent; the test is skipped for one that has not learned to play with so many."""
    agent = agents.make(spec)
    try:
        agent.reset(r5.Rules(), num_players, 3)
    except (NetworkError, RaceError) as error:
        pytest.skip(str(error))
    return agent


@pytest.mark.parametrize("spec", SPECS)
def test_actions_are_legal_and_views_are_left_alone(spec, asked):
    num_players, (views, masks) = asked
    given = views.tobytes(), masks.tobytes()
    actions = _agent(spec, num_players).act(views, masks)
    assert actions.shape == (len(views),)
    assert actions.dtype.kind in "iu"
    assert (masks[np.arange(len(views)), actions] == 1).all()
    assert (views.tobytes(), masks.tobytes()) == given


@pytest.mark.parametrize("spec", SPECS)
def test_a_row_gets_the_same_action_in_any_batch_and_order(spec, asked):
    num_players, (views, masks) = asked
    agent = _agent(spec, num_players)
    if not agent.deterministic:
        pytest.skip("a time budget decides")
    actions = agent.act(views, masks)
    assert len(set(actions.tolist())) > 20
    order = np.random.default_rng(1).permutation(len(views))
    assert agent.act(views[order], masks[order]).tolist() == actions[order].tolist()
    for size in (1, 7, 100):
        some = slice(0, min(len(views), 40 * size))
        parts = [
            agent.act(views[k : k + size], masks[k : k + size])
            for k in range(some.start, some.stop, size)
        ]
        assert np.concatenate(parts).tolist() == actions[: 40 * size].tolist()
    # Nor does it matter what was asked before, or which instance is asked.
    assert _agent(spec, num_players).act(views[-9:], masks[-9:]).tolist() == actions[-9:].tolist()
    assert agent.act(views, masks).tolist() == actions.tolist()


@pytest.mark.parametrize("spec", SPECS)
def test_no_decisions_are_no_actions(spec):
    views, masks = views_of(None, 2, 1, r5.Rules())
    assert _agent(spec, 2).act(views[:0], masks[:0]).shape == (0,)


@pytest.mark.nojit
@pytest.mark.parametrize("spec", SPECS)
def test_a_few_decisions(spec):
    views, masks = views_of(None, 2, 1, r5.Rules())
    agent = _agent(spec, 2)
    actions = agent.act(views[:12], masks[:12])
    assert (masks[np.arange(12), actions] == 1).all()
    back = agent.act(views[11::-1], masks[11::-1])
    assert back.tolist() == actions[::-1].tolist()
