"""Time that passes only while a work of the benchmark runs."""

from __future__ import annotations

import itertools

from experiments.benchmarks import harness
from experiments.benchmarks.harness import Work


class Clock:
    """Time that passes only while a work runs."""

    def __init__(self, monkeypatch) -> None:
        self.now = 0.0
        self.order = []
        monkeypatch.setattr(harness, "perf_counter", lambda: self.now)

    def work(self, name, unit, costs):
        """A work whose runs cost so many seconds each; ten units a run."""
        left = itertools.chain(costs, itertools.repeat(costs[-1]))

        def run(count):
            self.order.append(name)
            self.now += count * next(left)
            return 10 * count

        return Work(name, unit, run)
