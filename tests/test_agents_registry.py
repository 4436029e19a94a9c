"""Agents by name: settings, mistakes, agents of other packages."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import agents
from agents import registry
from rummy500_env import UnknownNameError

pytestmark = pytest.mark.nojit


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    """What a test registers is gone after it."""
    monkeypatch.setattr(registry, "_makers", dict(registry._makers))


def test_names():
    assert agents.names()[:3] == ["random", "greedy", "advisor"]


@pytest.mark.parametrize("spec", ["random", "greedy", "greedy:digs=gain", "greedy:digs=never"])
def test_the_name_is_the_text_an_agent_was_made_from(spec):
    agent = agents.make(spec)
    assert agent.name == spec
    assert repr(agent) == f"<agent {spec}>"
    assert agents.make(spec) is not agent


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gredy", "unknown agent 'gredy'. Did you mean 'greedy'? `rummy500 agents` lists all"),
        ("", "unknown agent ''. Allowed: random, greedy"),
        ("Greedy:digs=never", "unknown agent 'Greedy'. Did you mean 'greedy'?"),
        ("greedy:digs=gain,x", "'x' is no setting; write key=value"),
        ("greedy:x", "agent 'greedy:x': digs='x': allowed are 'gain' and 'never'"),
        ("greedy:gain,never", "'never' is no setting; write key=value"),
        ("mc:many", "agent 'mc:many': 'many': allowed are a number of worlds (64)"),
        ("mc:0", "agent 'mc:0': '0': allowed are a number of worlds (64)"),
        ("mc:8,rollout=mc:2", "rollout='mc:2': a compiled agent is needed, such as greedy"),
        ("mc:8,belief=-1", "belief='-1': a number, 0 or more, is needed"),
        ("ismcts:0", "agent 'ismcts:0': '0': allowed are a number of iterations (64)"),
        ("ismcts:9,depth=0", "depth='0': a whole number above 0 is needed"),
        ("ismcts:9,explore=far", "explore='far': a number, 0 or more, is needed"),
        ("oracle:50ms", "rollouts='50ms': a whole number above 0 is needed"),
        ("oracle:9,belief=1", "unexpected keyword argument 'belief'; its settings: rollouts"),
        ("learned+search:others=mc:2", "others='mc:2': a compiled agent is needed"),
        ("learned+search:worlds=0", "worlds='0': a whole number above 0 is needed"),
        ("greedy:", "agent 'greedy:': '' is no setting"),
        ("greedy:digs=never,", "'' is no setting"),
        ("greedy:=never", "'=never' is no setting"),
        ("greedy:dig=never", "unexpected keyword argument 'dig'; its settings: digs"),
        ("greedy:digs=no", "agent 'greedy:digs=no': digs='no': allowed are 'gain' and 'never'"),
        ("greedy:digs=gain,digs=never", "'digs' is set twice"),
        ("random:seed=1", "unexpected keyword argument 'seed'; its settings: none"),
    ],
)
def test_mistakes_give_one_clear_line(spec, message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (the whole text is compared)
        agents.make(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_agent_is_an_unknown_name():
    with pytest.raises(UnknownNameError) as caught:
        agents.make("nobody:64")
    assert (caught.value.what, caught.value.name) == ("agent", "nobody")
    assert caught.value.allowed == tuple(agents.names())


def test_registered_agents_are_made_with_their_settings():
    made = []

    def maker(depth="3", style="calm"):
        made.append((depth, style))
        return agents.make("random")

    agents.register("mine", maker)
    assert agents.names() == ["random", "greedy", *agents.names()[2:]]
    assert agents.names().count("mine") == 1
    assert agents.make("mine").name == "mine"
    assert agents.make("mine:style=wild,depth=x=y").name == "mine:style=wild,depth=x=y"
    assert made == [("3", "calm"), ("x=y", "wild")]


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_name_that_is_taken_is_refused(name):
    with pytest.raises(ValueError, match=f"an agent named '{name}' is there already"):
        agents.register(name, lambda: agents.make("random"))


@pytest.mark.parametrize("name", ["", "a:b", "a,b", "a=b"])
def test_a_name_that_could_not_be_read_back_is_refused(name):
    with pytest.raises(ValueError, match="cannot name an agent"):
        agents.register(name, lambda: agents.make("random"))


def test_faults_inside_a_maker_are_not_taken_for_settings():
    def maker():
        return agents.make(*["random", "greedy"])

    agents.register("faulty", maker)
    with pytest.raises(TypeError, match="positional argument"):
        agents.make("faulty")


def test_a_maker_must_return_an_agent():
    nothing: Any = lambda: None  # noqa: E731 (a def would say its type)
    agents.register("nothing", nothing)
    with pytest.raises(ValueError, match=r"agent 'nothing': its maker returned None, .*no act\(\)"):
        agents.make("nothing")


# -- other packages ---------------------------------------------------------------------------

PLUGIN = """
    from agents import TurnAgent


    class Hasty(TurnAgent):
        def __init__(self, tries="1"):
            super().__init__()
            self.tries = int(tries)

        def choose(self, view, legal):
            return legal[-1]


    def not_an_agent():
        return 3
"""


def _in_a_package(root: Path, code: str) -> str:
    """Run code where a package is installed that offers agents; return what it printed."""
    (root / "hasty_bots.py").write_text(textwrap.dedent(PLUGIN))
    info = root / "hasty_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hasty-bots\nVersion: 1.0\n")
    points = {
        "hasty": "hasty_bots:Hasty",
        "lost": "hasty_bots:Nowhere",
        "gone": "no_such_module:Agent",
        "three": "hasty_bots:not_an_agent",
        "greedy": "hasty_bots:Hasty",
    }
    lines = ["[rummy500.agents]", *(f"{name} = {value}" for name, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    paths = os.pathsep.join([str(root), str(Path(agents.__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_agents_of_another_package_are_found_and_play(tmp_path):
    code = """
        import sys

        import agents
        import rummy500_env as r5
        from rummy500_env.arena import Arena

        names = agents.names()
        print(names[:3], sorted(names[-4:]), "hasty_bots" in sys.modules)
        agent = agents.make("hasty:tries=4")
        print(agent.name, agent.tries, type(agent).__module__)
        print(type(agents.make("greedy")).__module__)
        agent.reset(r5.Rules(), 2, 1)
        result = Arena(r5.Rules(), 2, [agent]).play([1], [[0, 0]], [[1, 2]])
        print(result.rounds.tolist())
    """
    assert _in_a_package(tmp_path, code).splitlines() == [
        "['random', 'greedy', 'advisor'] ['gone', 'hasty', 'lost', 'three'] False",
        "hasty:tries=4 4 hasty_bots",
        "agents.base",
        "[1]",
    ]


def test_mistakes_of_another_package_give_one_clear_line(tmp_path):
    code = """
        import agents

        for spec in ("lost", "gone", "three", "hasty:trys=2", "hasty:tries=many"):
            try:
                agents.make(spec)
            except ValueError as error:
                print(error)
        try:
            agents.register("hasty", lambda: None)
        except ValueError as error:
            print(error)
    """
    lines = _in_a_package(tmp_path, code).splitlines()
    assert len(lines) == 6
    for line, message in zip(
        lines,
        [
            "agent 'lost': cannot load 'hasty_bots:Nowhere':",
            "agent 'gone': cannot load 'no_such_module:Agent': No module named 'no_such_module'",
            "agent 'three': its maker returned 3, which has no act()",
            "unexpected keyword argument 'trys'; its settings: tries",
            "agent 'hasty:tries=many': invalid literal for int()",
            "an agent named 'hasty' is there already",
        ],
        strict=True,
    ):
        assert message in line
