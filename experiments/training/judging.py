"""What a network gains over other agents as it learns, and which one was best."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.base import Agent, PolicyAgent
from experiments.making import ready_agent
from experiments.margins import margins
from experiments.training.config import JudgedConfig
from rummy500_env.engine.policies import bound_policy
from rummy500_env.rules import Rules

__all__ = ["Judging", "Kept"]

HALF_WIDTH: Final = 1.96


class Kept(PolicyAgent):
    """A network as it was; writing ``numbers[:]`` makes it another one.

    Args:
        name: What it is called.
        function: What its compiled policy is made of, and reads the numbers.
        numbers: The numbers; they are copied.
    """

    def __init__(self, name: str, function: Any, numbers: npt.NDArray[np.float32]) -> None:
        self.numbers = numbers.copy()
        super().__init__(name, bound_policy(function, self.numbers))


class Judging:
    """Measures a network against judges and against the best one so far.

    Args:
        config: Who judges, on how many deals.
        function: What compiled policies of networks are made of.
        numbers: The numbers of the network at the start.

    Attributes:
        best: The best network so far.
    """

    def __init__(
        self, config: JudgedConfig, function: Any, numbers: npt.NDArray[np.float32]
    ) -> None:
        self._config, self._rules = config, Rules.preset(config.rules)
        # Ready to play: some know only then whether they are compiled.
        ready = (self._rules, config.players, config.seed)
        self._judges = [ready_agent(name, *ready) for name in config.judges]
        self._judged = Kept("network", function, numbers)
        self.best = Kept("best", function, numbers)
        self._best_sum = -np.inf

    def state(self) -> dict[str, Any]:
        """Return what later judgements hang on, as plain data and arrays."""
        return {"best": self.best.numbers, "best_sum": float(self._best_sum)}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.best.numbers[:] = state["best"]
        self._best_sum = state["best_sum"]

    def judge(self, numbers: npt.NDArray[np.float32]) -> tuple[dict[str, float], bool]:
        """Return what a network gains in points a round, and whether it is the best so far.

        It is if it gains more over the judges and the best one than that one gains over the judges.
        One that replies to others alone need not beat itself: then that is left out.
        """
        self._judged.numbers[:] = numbers
        row: dict[str, float] = {}
        for judge in self._judges:
            row[f"over_{judge.name}"], row[f"half_width_{judge.name}"] = self._against(judge)
        if self._config.meets_itself:
            row["over_best"], _ = self._against(self.best)
        found = sum(row[f"over_{judge.name}"] for judge in self._judges)
        if found + row.get("over_best", 0.0) <= self._best_sum:
            return row, False
        self._best_sum = found
        self.best.numbers[:] = numbers
        return row, True

    def _against(self, other: Agent) -> tuple[float, float]:
        """Return points a round over another one at all other seats, and half of the interval.

        An agent that is not compiled plays a tenth of the deals.
        """
        config = self._config
        is_fast = getattr(other, "policy", None) is not None
        deals = config.deals if is_fast else max(2, config.deals // 10)
        seed = [config.seed, 2]
        found = margins(self._judged, other, self._rules, config.players, deals, seed)
        return float(found.mean()), float(HALF_WIDTH * found.std(ddof=1) / np.sqrt(deals))
