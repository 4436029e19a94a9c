"""Libraries that there are not, in place of those that the benchmark measures."""

from __future__ import annotations

import itertools

from experiments.benchmarks import harness
from experiments.benchmarks.harness import Target, Work
from experiments.benchmarks.peers import compare
from experiments.benchmarks.peers.model import Comparison, Loop, Peer
from experiments.benchmarks.peers.ours import Own

INSTALLED = "numpy"
MISSING = "there-is-no-such-package"
AIM = Target(">=", 1e12, aim=1e13)


def peer(name, make, **against: Target | None):
    return Peer(name, f"does `{name}`", against, make)


def failing(error):
    def make(seed):
        raise error

    return make


def stopping(after, error):
    """A loop that fails when it is run once more than so often."""

    def make(seed):
        runs = []

        def run(count):
            runs.append(count)
            if len(runs) > after:
                raise error
            return count

        return Loop(run, {})

    return make


def steady(seed):
    return Loop(lambda count: 10 * count, {"num_actions": 110})


def fake(*peers: Peer, package=INSTALLED, unit="decisions/s"):
    return Comparison("Fake", package, lambda: peers, unit)


def tick(monkeypatch):
    """Let every run take a second."""
    monkeypatch.setattr(harness, "perf_counter", itertools.count().__next__)


def replace_ours(monkeypatch):
    """Put works that cost nothing to make in place of ours; every run takes a second."""
    tick(monkeypatch)
    made = {
        "batch": Own("Batch", lambda bench: Work("many", "decisions/s", lambda count: 40 * count)),
        "game": Own("Game", lambda bench: Work("one", "decisions/s", lambda count: 20 * count)),
        "clone": Own("clone", lambda bench: Work("copy", "µs/clone", lambda count: count)),
    }
    monkeypatch.setattr(compare, "OURS", made)
    return made
