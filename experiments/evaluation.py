"""How much better is one agent than others, when it has been trained and while it learns?

```python
from experiments.evaluation import LearningCurve, evaluate

curve = LearningCurve(agent)  # against random
for steps in range(10_000, 100_001, 10_000):
    ...  # train
    print(curve.measure(steps))
evaluate(agent, ["random", "greedy"], deals=1000)  # DataFrame
```
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from agents import Agent
from experiments.errors import RunError
from experiments.runner import Conduct
from experiments.show import with_interval
from experiments.tournament import tournament
from rummy500_env.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LearningCurve", "evaluate"]

_COLUMNS: Final = ["agent", "opponent", "deals", "rounds", "difference", "low", "high"]


def evaluate(
    agent: str | Agent,
    opponents: Sequence[str | Agent] = ("random",),
    *,
    rules: str | Rules | Mapping[str, Any] = "rummy500",
    num_players: int = 2,
    deals: int = 500,
    seed: int = 0,
) -> pd.DataFrame:
    """Play an agent against each of some others, and tell by how much it beats them.

    An agent that fails stops it: it forfeits no game, as it would in a tournament.

    Args:
        agent: the agent, by name or as an object.
        opponents: agents of other names.
        rules: name of a preset, rules, or a mapping of options.
        num_players: seats at each table.
        deals: game seeds, the same for all opponents; each is played in every seating.
        seed: seed of the run; everything follows from it.

    Returns:
        One row for each opponent, with the columns ``agent``, ``opponent``, ``deals``, ``rounds``,
        ``difference`` (points per round more than the opponent), and ``low`` and ``high``, its
        95 % interval over deals.
    """
    if isinstance(opponents, str) or not opponents:
        raise RunError(f"opponents={opponents!r} is not allowed: use a list of names or objects")
    played = tournament(
        [agent, *opponents],
        rules,
        num_players,
        deals,
        seed,
        design="gauntlet",
        conduct=Conduct(strict=True),
    )
    return played.pairs.loc[: len(opponents) - 1, _COLUMNS]  # those of the first agent


class LearningCurve:
    """Measures now and then how good an agent is that learns.

    Args:
        agent: the agent, which plays as it has learned to by then.
        opponent: whom it is measured with, by name or as an object.
        deals: game seeds of each measurement, always the same ones.
        **settings: what else `evaluate` takes.

    Attributes:
        points: What was measured: mappings with ``steps``, ``seconds`` since the curve was made,
            less those that measuring took, and the columns of `evaluate`.
    """

    def __init__(
        self, agent: Agent, opponent: str | Agent = "random", *, deals: int = 100, **settings: Any
    ) -> None:
        self.agent, self.opponent = agent, opponent
        self.settings: dict[str, Any] = settings | {"deals": deals}
        self.points: list[dict[str, Any]] = []
        self._start = time.perf_counter()

    def measure(self, steps: int) -> str:
        """Play, and return a line that says what came out.

        Args:
            steps: how much the agent has learned from, such as decisions.
        """
        seconds = time.perf_counter() - self._start
        found = evaluate(self.agent, [self.opponent], **self.settings).iloc[0].to_dict()
        self.points.append({"steps": steps, "seconds": seconds} | found)
        self._start = time.perf_counter() - seconds
        margin = with_interval(found["difference"], found["high"] - found["difference"], sign=True)
        return f"{steps:>9,} steps {seconds:>5.0f} s  {margin} a round against {found['opponent']}"
