"""Solving a tiny game into a folder: curve, picture, and the strategy as an agent.

```python
from experiments.exact.solving import solve

solved = solve("mini", iterations=1000)
solved.measured.exploitability  # points a round
solved.agent()                  # plays in tournaments
```
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agents.tabular import TabularAgent
from experiments.errors import RunError
from experiments.exact.cfr import Solver, checkpoints
from experiments.exact.policies import policy_table
from experiments.exact.sequences import Exploitability, Numbers, TwoSeats, two_seats
from experiments.exact.shares import play_shares
from experiments.exact.tree import DEFAULT_LIMIT, grow_tree
from rummy500_env.arguments import as_rules
from rummy500_env.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Solved", "solve"]

AGENT: Final = '''"""The solved strategy as an agent, for --agents {file}:solved."""

from pathlib import Path

from agents.tabular import TabularAgent


def solved() -> TabularAgent:
    """Return the agent."""
    return TabularAgent(Path(__file__).with_name("policy.npz"))
'''


@dataclass(frozen=True)
class Solved:
    """A strategy that a solver has found.

    Attributes:
        game: The game.
        strategy: ``float64 (sequences,)``: the average strategy.
        measured: Its value and exploitability.
        curve: The same along the way: ``iterations``, ``seconds`` of solving, ``value``,
            ``exploitability``, ``nash_conv``.
        variant: The solver's name.
    """

    game: TwoSeats
    strategy: Numbers
    measured: Exploitability
    curve: pd.DataFrame
    variant: str

    def agent(self) -> TabularAgent:
        """Return the strategy as an agent."""
        agent = TabularAgent(policy_table(self.game.tree, self.strategy))
        agent.name = "solved"
        return agent

    def write(self, folder: Path, references: Mapping[str, float]) -> None:
        """Write curve, picture, strategy, an agent and a summary into a folder.

        Args:
            folder: Where; it is made if it is missing.
            references: Exploitability of other agents, lines in the picture.
        """
        from experiments.exact.picture import plot_curve  # noqa: PLC0415 (matplotlib is slow)

        folder.mkdir(parents=True, exist_ok=True)
        self.curve.to_csv(folder / "curve.csv", index=False)
        policy_table(self.game.tree, self.strategy).save(folder / "policy.npz")
        (folder / "agent.py").write_text(AGENT.format(file=folder / "agent.py"), encoding="utf-8")
        summary = {
            "rules": self.game.tree.rules.to_dict(full=False),
            "variant": self.variant,
            "counts": self.game.tree.counts,
            "value_of_first_seat": self.measured.value,
            "exploitability": self.measured.exploitability,
            "nash_conv": self.measured.nash_conv,
            "play": play_shares(self.game, self.strategy, self.strategy),
            "exploitability_of_others": dict(references),
        }
        text = json.dumps(summary, indent=2) + "\n"
        (folder / "summary.json").write_text(text, encoding="utf-8")
        figure = plot_curve(self.curve, references, f"Exploitability along {self.variant}")
        figure.savefig(folder / "exploitability.png", dpi=150, metadata={"Software": None})


def solve(
    rules: str | Rules | Mapping[str, Any] = "mini",
    iterations: int = 1000,
    variant: str = "pcfr+",
    limit: int = DEFAULT_LIMIT,
    progress: Callable[[int, int], None] | None = None,
) -> Solved:
    """Solve one round of two players.

    Args:
        rules: Name of a preset, rules, or a mapping of options.
        iterations: Of the solver; in each both seats learn.
        variant: One of :data:`experiments.exact.cfr.VARIANTS`.
        limit: Most histories.
        progress: Called with the iterations that are done and all of them.

    Raises:
        RulesError: when two cannot play by the rules.
        RunError: when the game is too large, or an argument is not allowed.
    """
    import pandas as pd  # noqa: PLC0415

    if iterations < 1:
        raise RunError(f"iterations={iterations} is not allowed: use 1 or more")
    game = two_seats(grow_tree(as_rules(rules), 2, limit))
    solver = Solver(game, variant)
    begin, rows = time.perf_counter(), []
    measured = game.exploitability(game.uniform())
    for done, measured in checkpoints(solver, iterations):
        seconds = time.perf_counter() - begin
        rows.append((done, seconds, measured.value, measured.exploitability, measured.nash_conv))
        if progress is not None:
            progress(done, iterations)
    names = ["iterations", "seconds", "value", "exploitability", "nash_conv"]
    return Solved(game, solver.average(), measured, pd.DataFrame(rows, columns=names), variant)
