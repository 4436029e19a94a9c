"""The figures that a study is summed up by, side by side: a line for each variant and agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import pandas as pd

from experiments.balance.figures import figure
from experiments.balance.study import VERSUS, Study
from experiments.show import with_interval

__all__ = [
    "DIFFERENT",
    "DUELS",
    "HEADS",
    "OWN",
    "Line",
    "agents_of",
    "lines",
    "shorter",
    "sign_changes",
    "tables",
]

OWN: Final = (
    "rounds_per_game",
    "turns_per_round",
    "starter_points",
    "rounds_gone_out",
    "negative_scores",
    "lead_overturned",
)
"""Figures of an agent with itself."""
DUELS: Final = ("strong_points", "strong_wins", "deal_share", "agent_share", "play_share")
"""Figures of a strong agent and a weak one."""
DIFFERENT: Final = {
    False: ("rounds_per_game", "turns_per_game", "starter_points", "lead_overturned"),
    True: ("strong_wins", "deal_share", "agent_share"),
}
"""Differences to a base, of agents with themselves, and (True) of strong and weak ones."""
HEADS: Final = {
    "rounds_per_game": "rounds",
    "turns_per_game": "turns/game",
    "turns_per_round": "turns",
    "starter_points": "starter",
    "rounds_gone_out": "out %",
    "negative_scores": "<0 %",
    "lead_overturned": "upset %",
    "strong_points": "points more",
    "strong_wins": "wins more %",
    "deal_share": "deal %",
    "agent_share": "agents %",
    "play_share": "play %",
}
"""What stands above them, short enough for a screen."""

MARK: Final = "!"
"""Stands at a number whose sign changes with the agent."""


class Line(NamedTuple):
    """The numbers of a variant at so many seats, played by an agent."""

    variant: str
    players: int
    agent: str
    rows: dict[str, dict[str, Any]]
    """By figure, the row of the table; a figure that the table does not have is missing."""

    def text(self, name: str, sign: bool = False, interval: bool = True) -> str:
        """A number as it is shown, such as ``+1.2 ± 0.8 !``."""
        row = self.rows.get(name)
        if row is None:
            return "-"
        one = figure(name)
        times = 100 if one.percent else 1
        half = (row["high"] - row["low"]) / 2 if interval else float("nan")
        shown = with_interval(times * row["value"], times * half, one.digits, sign or one.zero)
        return f"{shown} {MARK}" if row["sign_changes"] else shown


def agents_of(rows: pd.DataFrame, duels: bool) -> list[str]:
    """The agents of a table, or the pairs of strong and weak ones, in the order of the table."""
    return [str(name) for name in rows["agent"].unique() if (VERSUS in name) == duels]


def lines(rows: pd.DataFrame, names: Sequence[str], agent: str) -> list[Line]:
    """A line for each variant and number of seats that an agent played, in the order of the table.

    Args:
        rows: `Study.figures` or `Study.differences`.
        names: figures of one number.
        agent: name of the agent, or of the pair.
    """
    wanted: Any = rows[rows["figure"].isin(names) & (rows["agent"] == agent)]
    found: dict[tuple[str, int], Line] = {}
    for row in wanted.to_dict("records"):
        key = (row["variant"], int(row["players"]))
        line = found.setdefault(key, Line(*key, agent, {}))
        line.rows[row["figure"]] = {str(name): value for name, value in row.items()}
    return list(found.values())


def tables(study: Study) -> Iterator[tuple[str, pd.DataFrame, tuple[str, ...], str]]:
    """What is shown of a study, table by table: its title, rows, figures, and whose they are."""
    for agent in agents_of(study.figures, duels=False):
        yield f"{agent} with itself", study.figures, OWN, agent
    for agent in agents_of(study.figures, duels=True):
        yield f"{agent}, and what a round comes from", study.figures, DUELS, agent
    if study.differences is None:
        return
    for duels, names in DIFFERENT.items():
        for agent in agents_of(study.differences, duels):
            title = f"{agent}: more than in {study.against}, on the same deals"
            yield title, study.differences, names, agent


def shorter(differences: pd.DataFrame) -> pd.DataFrame:
    """Which variants shorten the game without adding luck.

    Those in which a game surely has fewer turns than in the base whichever agent plays, and the
    strong agent's share of games is not surely lower in any pair: columns ``variant``,
    ``players``, ``turns`` (of the agent that saves least, below 0), and the lowest of the pairs'
    ``strong_wins``, ``low`` and ``high``; the largest saving first.
    """
    keys = ["variant", "players"]
    turns: Any = differences[differences["figure"] == "turns_per_game"].groupby(keys)
    wins: Any = differences[differences["figure"] == "strong_wins"].groupby(keys)
    found: Any = pd.DataFrame(
        {
            "turns": turns["value"].max(),
            "turns_high": turns["high"].max(),
            "strong_wins": wins["value"].min(),
            "low": wins["low"].min(),
            "high": wins["high"].min(),
        }
    )
    found = found[(found["turns_high"] < 0) & ~(found["high"] < 0)]
    return found.drop(columns="turns_high").sort_values("turns").reset_index()


def sign_changes(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of figures that are shown whose sign changes with the agent."""
    shown = [*OWN, *DUELS, *DIFFERENT[False], *DIFFERENT[True]]
    found: Any = rows[rows["sign_changes"].astype(bool) & rows["figure"].isin(shown)]
    return found
