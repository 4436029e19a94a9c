"""An agent in a process of its own: whatever happens there, the asking process goes on."""

import pytest

from agents import IsolatedAgent, TurnAgent
from experiments.runner import Conduct
from experiments.tournament import tournament
from rummy500_env import AgentError, Rules

TEXT = """
import os, time
from agents import TurnAgent


class Moody(TurnAgent):
    '''Fails in its own way where the view's random bits say so.'''

    def __init__(self, how="never", share="50"):
        super().__init__()
        self.how, self.share = how, int(share)

    def choose(self, view, legal):
        if self.how != "never" and view.random % self.share == 0:
            if self.how == "hangs":
                time.sleep(1000)
            if self.how == "dies":
                os._exit(3)
            if self.how == "kills":
                os.kill(os.getpid(), 9)
            raise ValueError("no idea")
        return legal[view.random // 7 % len(legal)]


class Memory(TurnAgent):
    '''Chooses by what it has seen.'''

    def __init__(self) -> None:
        super().__init__()
        self.seen = []

    def see(self, event):
        self.seen.append(str(event))

    def choose(self, view, legal):
        return legal[sum(map(len, self.seen)) % len(legal)]
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("agents") / "moody.py"
    path.write_text(TEXT)
    return path


def isolated(seconds=5.0):
    return Conduct(isolate=True, decision_seconds=seconds)


def forfeits(file, how, seconds):
    names = [f"{file}:Moody:how={how}", "random"]
    return tournament(names, deals=12, seed=4, conduct=isolated(seconds))


@pytest.mark.parametrize(
    ("how", "seconds", "reason"),
    [
        ("hangs", 0.5, "took more than 0.5 s for a decision"),
        ("dies", 20, "its process ended (exit status 3)"),
        ("kills", 20, "its process ended (SIGKILL)"),
        ("raises", 20, "ValueError: no idea"),
    ],
)
def test_it_forfeits_the_games_in_which_it_fails(file, how, seconds, reason):
    played = forfeits(file, how, seconds)
    found = played.forfeits
    assert 2 < len(found) < 24
    assert set(found["agent"]) == {played.agents[0]}
    assert set(found["reason"]) == {reason}
    never = tournament([f"{file}:Moody", "random"], deals=12, seed=4, conduct=isolated())
    assert not len(never.forfeits)


def test_a_well_behaved_agent_plays_the_same_in_any_process(file):
    for name in ("Moody", "Memory"):
        names = [f"{file}:{name}", "greedy"]
        here = tournament(names, deals=6, seed=2)
        apart = tournament(names, deals=6, seed=2, conduct=isolated())
        assert here.games.drop(columns="agents").equals(apart.games.drop(columns="agents"))
        assert here.rounds.equals(apart.rounds)
        assert apart.seats["decide_seconds"].to_numpy().max() > 0


class Hidden(TurnAgent):
    name = "hidden"

    def __init__(self) -> None:
        super().__init__()
        self.cannot = lambda: None

    def choose(self, view, legal):
        return legal[0]


def test_one_that_cannot_be_sent_is_refused():
    with pytest.raises(AgentError, match=r"'hidden' cannot be sent to a process of its own"):
        IsolatedAgent(Hidden())


class Stays(TurnAgent):
    name = "stays"

    def choose(self, view, legal):
        return legal[0]


def test_its_process_ends_with_it():
    agent = IsolatedAgent(Stays())
    agent.reset(Rules(), 2, 0)
    process = agent._process
    assert process.is_alive()
    agent.stop()
    assert not process.is_alive()


class Broken(TurnAgent):
    name = "broken"

    def reset(self, rules, num_players, seed):
        raise RuntimeError("not today")

    def choose(self, view, legal):
        return legal[0]


def test_one_that_fails_in_reset_says_so():
    with pytest.raises(AgentError, match=r"'broken' failed in reset\(\): RuntimeError: not today"):
        tournament([Broken(), "random"], deals=1, conduct=isolated())


def test_compiled_agents_stay_where_they_are():
    played = tournament(["random", "greedy"], deals=5, seed=1, conduct=Conduct(isolate=True))
    assert played.seats["decide_seconds"].to_numpy().max() == 0
