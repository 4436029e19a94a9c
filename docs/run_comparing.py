"""Simulate comparisons with the spread of real deals, and write the table of `comparing.md` anew.

`python -m docs.run_comparing` plays the deals, simulates, runs the code of the page, and writes it;
a test checks that nothing would change.
"""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd

from docs import run_readme
from experiments import stats
from experiments.operating import operating_curve
from experiments.tournament import tournament

PAGE = Path(__file__).parent / "comparing.md"
TABLE = re.compile(r"(<!-- operating:start -->\n).*(<!-- operating:end -->)", re.DOTALL)

AGENTS = ("greedy", "greedy:digs=never")
DEALS = 2000
RUNS = 4000
DIFFERENCES = (-3.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)


def curve() -> tuple[float, pd.DataFrame]:
    """The standard deviation of the real deals, and what comparisons with it say."""
    played = tournament(AGENTS, deals=DEALS, seed=0)
    differences = played.sums.margin[:, 0, 1] / 2  # each deal is two rounds
    deviation = float(stats.margins(played.sums).deviation[0, 1])
    return deviation, operating_curve(differences, DIFFERENCES, runs=RUNS, seed=0)


def table() -> str:
    """The table, with what it was made from."""
    deviation, found = curve()
    lines = [
        f"Standard deviation of a deal: {deviation:.1f} points per round ({DEALS:,} deals of "
        f"`{AGENTS[0]}` against `{AGENTS[1]}`, seed 0); {RUNS:,} comparisons a row.",
        "",
        '| true difference | "better" | "not better" | undecided | mean deals | median deals '
        "| interval holds the truth |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in found.to_dict("records"):
        shares = [f"{100 * row[name]:.1f} %" for name in ("better", "not_better", "undecided")]
        lines.append(
            f"| {row['difference']:+g} | {' | '.join(shares)} | {row['mean_deals']:,.0f} "
            f"| {row['median_deals']:,.0f} | {100 * row['covered']:.1f} % |"
        )
    return "\n".join(lines) + "\n"


def written(text: str) -> str:
    """The page with its table and outputs made anew."""
    text = run_readme.outputs(text)
    return TABLE.sub(lambda match: f"{match[1]}{table()}{match[2]}", text)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
