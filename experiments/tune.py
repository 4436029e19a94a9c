"""Tune the numbers of an agent with CMA-ES (Hansen, "The CMA evolution strategy", 2016).

```python
from experiments.tune import tune

found = tune("advisor", generations=3, deals=50)
found.weights  # name of a setting -> value
```

Each candidate plays the same deals in all seatings against each opponent, and is worth the points
per round that it scores more; every generation has deals of its own. One opponent is the agent
itself as it was some generations before. The deals at the end, on which the result is measured
against what it began with, were in no generation.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import agents as registry
from agents.base import Agent
from agents.tuning import Tunable, tunable
from experiments.errors import RunError
from experiments.margins import margins
from rummy500_env.rules import Rules

__all__ = ["Tuned", "tune"]

Numbers = npt.NDArray[np.float64]
HALF_WIDTH: Final = 1.96


@dataclass(frozen=True)
class Tuned:
    """What tuning found.

    Attributes:
        agent: Name of the agent.
        weights: Value of each setting.
        gain: Points per round more than the opponents, mean of them, on deals of its own.
        gain_before: The same for what it began with.
        half_width: Half of the 95 % interval of ``gain - gain_before``, over deals.
        history: A mapping for each generation: ``generation``, ``gain`` (mean of the candidates),
            ``best``, ``step`` (the optimiser's step size).
    """

    agent: str
    weights: dict[str, float]
    gain: float
    gain_before: float
    half_width: float
    history: list[dict[str, float]]

    @property
    def spec(self) -> str:
        """The agent with these settings, as a name."""
        return f"{self.agent}:" + ",".join(f"{k}={v:.4g}" for k, v in self.weights.items())


def tune(
    name: str,
    opponents: Sequence[str] = ("greedy",),
    *,
    only: Sequence[str] = (),
    rules: str | Rules = "rummy500",
    num_players: int = 2,
    generations: int = 100,
    deals: int = 500,
    population: int | None = None,
    renew: int = 20,
    final_deals: int = 5000,
    seed: int = 0,
    out: str | Path | None = None,
    progress: Callable[[dict[str, float]], None] | None = None,
) -> Tuned:
    """Tune an agent.

    Args:
        name: An agent that has numbers to tune, such as ``advisor``.
        opponents: Agents it plays against, besides itself.
        only: Settings to tune; all when empty.
        rules: The rules, or the name of a preset.
        num_players: Seats; one is the candidate's, the others the opponent's.
        generations: Generations of the optimiser.
        deals: Deals of a generation, each played in every seating against each opponent.
        population: Candidates of a generation; the optimiser's choice when None.
        renew: Generations after which the earlier self becomes the present one.
        final_deals: Deals on which the result is measured.
        seed: Everything follows from it.
        out: A file for the result, as JSON; written after each generation.
        progress: Called with each line of the history.

    Raises:
        UnknownNameError: when the agent has no numbers to tune.
        RunError: when a setting is unknown, a number too small, or ``cma`` is not installed.
    """
    for setting, value in (("generations", generations), ("deals", deals), ("renew", renew)):
        if value < 1:
            raise RunError(f"{setting}={value} is not allowed: use 1 or more")
    if final_deals < 2:
        raise RunError(f"final_deals={final_deals} is not allowed: use 2 or more")
    if population is not None and population < 3:
        raise RunError(f"population={population} is not allowed: use 3 or more")
    found = tunable(name, num_players)
    unknown = [setting for setting in only if setting not in found.names]
    if unknown:
        raise RunError(f"{unknown[0]!r} is no setting of {name}: use {', '.join(found.names)}")
    chosen = np.array([k for k, n in enumerate(found.names) if not only or n in only])
    game = Rules.preset(rules) if isinstance(rules, str) else rules
    candidate, earlier = found.start.copy(), found.start.copy()
    player, itself = _named(found, candidate, "candidate"), _named(found, earlier, "earlier")
    others = [*map(registry.make, opponents), itself]

    def gain(scaled: Numbers, number: int, count: int) -> Numbers:
        candidate[chosen] = found.start[chosen] + scaled * found.steps[chosen]
        return np.mean(
            [margins(player, other, game, num_players, count, (seed, number)) for other in others],
            axis=0,
        )

    optimiser = _optimiser(len(chosen), population, seed)
    history: list[dict[str, float]] = []
    weights: dict[str, float] = {}
    for generation in range(generations):
        tried = optimiser.ask()
        gains = [float(gain(np.asarray(one), generation + 1, deals).mean()) for one in tried]
        optimiser.tell(tried, [-one for one in gains])
        mean = np.asarray(optimiser.mean)
        step = float(optimiser.sigma)
        history.append(
            {
                "generation": generation + 1,
                "gain": float(np.mean(gains)),
                "best": max(gains),
                "step": step,
            }
        )
        if progress is not None:
            progress(history[-1])
        candidate[chosen] = found.start[chosen] + mean * found.steps[chosen]
        weights = dict(zip(found.names, candidate.round(4).tolist(), strict=True))
        if out is not None:
            Path(out).write_text(json.dumps({"weights": weights, "history": history}, indent=1))
        if (generation + 1) % renew == 0:
            earlier[:] = candidate
    earlier[:] = found.start
    after = gain(np.asarray(optimiser.mean), 0, final_deals)
    before = gain(np.zeros(len(chosen)), 0, final_deals)
    difference = after - before
    width = HALF_WIDTH * float(difference.std(ddof=1)) / len(difference) ** 0.5
    return Tuned(name, weights, float(after.mean()), float(before.mean()), width, history)


def _named(found: Tunable, numbers: Numbers, name: str) -> Agent:
    agent = found.make(numbers)
    agent.name = name
    return agent


def _optimiser(size: int, population: int | None, seed: int) -> Any:
    try:
        import cma  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise RunError("tuning needs the package cma: pip install 'rummy500[tune]'") from error
    options: dict[str, Any] = {"seed": seed + 1, "verbose": -9}
    if population is not None:
        options["popsize"] = population
    return cma.CMAEvolutionStrategy(np.zeros(size), 0.5, options)
