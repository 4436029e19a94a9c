"""What an agent's decisions lose: its moves at decisions whose moves have been valued.

Values are means over possible worlds and have errors, so the move that seems best owes a part of
its value to luck, and what others lose to it would come out too high. Therefore the best move is
looked for in one half of the worlds and compared with the agent's in the other half, both ways
round: `lost` is that. It comes out too low by as much as the move that is found in half of the
worlds is worse than the best one; `at_most` compares with the best move of all worlds, in the same
worlds, and comes out too high.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from agents.base import Agent
from experiments.audit.states import ValuedStates
from experiments.errors import RunError
from experiments.stats import half_width
from rummy500_env.actions import action_space
from rummy500_env.view_record import PHASES

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["by_phase", "choices", "decisions"]

ALL: Final = "all"
"""What stands for the phase in the row of all decisions."""
CLEAR: Final = 2.0
"""Standard errors of the difference from which a move is clearly worse than the best one."""
ASKED_AT_ONCE: Final = 50


def choices(
    agent: Agent, states: ValuedStates, progress: Callable[[int, int], None] | None = None
) -> npt.NDArray[np.int64]:
    """Return which of the moves of `states` an agent makes at each decision, ``int64 (N,)``.

    Args:
        agent: The agent, ready for these rules. One that remembers has seen nothing before.
        states: The decisions.
        progress: Called with the decisions it has made and all of them.

    Raises:
        RunError: when it chooses an illegal action.
    """
    masks, actions = states.masks(), np.empty(len(states), np.int64)
    for start in range(0, len(states), ASKED_AT_ONCE):
        rows = slice(start, start + ASKED_AT_ONCE)
        actions[rows] = agent.act(states.views[rows].copy(), masks[rows])
        if progress is not None:
            progress(min(rows.stop, len(states)), len(states))
    made = np.flatnonzero(states.actions == actions[states.rows])
    if len(made) != len(states):
        wrong = int(np.setdiff1d(np.arange(len(states)), states.rows[made])[0])
        raise RunError(
            f"agent {agent.name!r} chose action {actions[wrong]} at decision {wrong}, where it is "
            "illegal"
        )
    return made


def decisions(states: ValuedStates, made: npt.NDArray[np.int64]) -> pd.DataFrame:
    """Return a row for each decision.

    Columns: ``number``; ``phase``; ``move``, the one that was made, and ``best``, the one of the
    highest value; ``behind``, by how many points the move is behind it, with the standard error
    ``error``; ``lost``, see the module; ``clearly_worse``.
    """
    import pandas as pd  # noqa: PLC0415

    mean = states.points.mean(axis=1)
    best, halves = _best(mean, states), [_best(half, states) for half in states.points.T]
    lost = np.zeros(len(states))
    for half, found in ((states.points[:, 0], halves[1]), (states.points[:, 1], halves[0])):
        lost += (half[found] - half[made]) / 2
    texts = np.array(action_space(states.rules, states.num_players).texts(), np.object_)
    behind = mean[best] - mean[made]
    return pd.DataFrame(
        {
            "number": np.arange(len(states)),
            "phase": [PHASES[phase] for phase in states.views["phase"]],
            "move": texts[states.actions[made]],
            "best": texts[states.actions[best]],
            "behind": behind,
            "error": states.errors[made],
            "lost": lost,
            "clearly_worse": behind > CLEAR * states.errors[made],
        }
    )


def _best(values: npt.NDArray[np.float64], states: ValuedStates) -> npt.NDArray[np.int64]:
    """Return the number of the move of the highest value of each decision, the first of equals."""
    highest = np.maximum.reduceat(values, states.starts)[states.rows]
    found = np.flatnonzero(values == highest)
    return found[np.unique(states.rows[found], return_index=True)[1]]


def by_phase(found: pd.DataFrame) -> pd.DataFrame:
    """Return means over `decisions`: a row for each phase, and one for all.

    Columns: ``phase``; ``decisions``; ``lost`` and ``at_most``, points a decision, see the module;
    ``best_share``, decisions in which the best move was made, or one of the same value;
    ``clearly_worse_share``; each with ``_half_width``, those of 95 % intervals over decisions
    (NaN below 30).
    """
    import pandas as pd  # noqa: PLC0415

    columns = {
        "lost": found["lost"],
        "at_most": found["behind"],
        "best_share": found["behind"] <= 0,
        "clearly_worse_share": found["clearly_worse"],
    }
    rows, of = [], found["phase"].to_numpy()
    for phase in (*(phase for phase in PHASES if phase in of), ALL):
        which = np.ones(len(of), bool) if phase == ALL else of == phase
        row: dict[str, object] = {"phase": phase, "decisions": int(which.sum())}
        for name, column in columns.items():
            values = column.to_numpy(float)[which]
            error = values.std(ddof=1) / len(values) ** 0.5 if len(values) > 1 else np.nan
            row[name] = float(values.mean())
            row[f"{name}_half_width"] = float(half_width(np.array(error), np.array(len(values))))
        rows.append(row)
    return pd.DataFrame(rows)
