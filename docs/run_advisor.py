"""Play the deals behind the tables of `advisor.md`, and write them anew.

`python -m docs.run_advisor` takes some minutes. A test checks that the page has the weights and
tips of the code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import agents
from agents.advice.weights import TIPS, WEIGHTS, vector
from agents.advisor import make_variable_advisor
from experiments.margins import margins
from rummy500_env.rules import Rules

PAGE = Path(__file__).parent / "advisor.md"
DEALS = 10_000
PRESET_DEALS = 500
SEED = 1


def weights_table() -> str:
    """All settings."""
    lines = [
        "| setting | two players | more | tip | what it counts, in points |",
        "| --- | ---: | ---: | --- | --- |",
    ]
    for one in WEIGHTS:
        tip = f"`{one.tip}`" if one.tip else ""
        lines.append(f"| `{one.name}` | {one.default:g} | {one.more:g} | {tip} | {one.doc} |")
    return "\n".join(lines) + "\n"


def tips_table() -> str:
    """What each tip is worth, against `greedy` and against the agent without it."""
    rules, greedy = Rules.preset("rummy500"), agents.make("greedy")
    whole, part = vector({}), vector({})
    advisor, without = make_variable_advisor(whole), make_variable_advisor(part)
    without.name = "without"
    deal: tuple[Any, ...] = (rules, 2, DEALS, SEED)
    base = margins(advisor, greedy, *deal)
    lines = [
        f"Points a round, 95 % intervals, {DEALS:,} duplicated deals of two players, seed {SEED}. "
        f"`advisor` against `greedy`: **{told(base)}**.",
        "",
        "| without | against `greedy` | the tip is worth there | `advisor` against it |",
        "| --- | ---: | ---: | ---: |",
    ]
    for tip in TIPS:
        part[:] = vector({tip: 0})
        less = margins(without, greedy, *deal)
        against = margins(advisor, without, *deal)
        lines.append(f"| `{tip}` | {told(less)} | {told(base - less)} | {told(against)} |")
    return "\n".join(lines) + "\n"


def games() -> Iterator[tuple[str, Rules, int]]:
    """The standard game with two to five players."""
    rules = Rules.preset("rummy500")
    for num_players in rules.player_counts()[:4]:
        yield "rummy500", rules, num_players


def games_table() -> str:
    """What `advisor` gains, alone among `greedy` and the other way round."""
    advisor, greedy = agents.make("advisor"), agents.make("greedy")
    lines = [
        f"Points a round with 95 % intervals over {PRESET_DEALS:,} duplicated deals, seed {SEED}.",
        "",
        "| preset | players | one `advisor` among `greedy` | one `greedy` among `advisor` |",
        "| --- | ---: | ---: | ---: |",
    ]
    for name, rules, num_players in games():
        deal: tuple[Any, ...] = (rules, num_players, PRESET_DEALS, SEED)
        alone = margins(advisor, greedy, *deal)
        among = margins(greedy, advisor, *deal)
        lines.append(f"| `{name}` | {num_players} | {told(alone)} | {told(among)} |")
    return "\n".join(lines) + "\n"


def told(values: Any) -> str:
    """A mean with its 95 % interval."""
    half = 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5
    return f"{values.mean():+.1f} ± {half:.1f}"


def with_table(text: str, name: str, table: str) -> str:
    """The page with one table made anew."""
    between = re.compile(rf"(<!-- {name}:start -->\n).*(<!-- {name}:end -->)", re.DOTALL)
    assert between.search(text), f"the page has no place for {name}"
    return between.sub(lambda match: f"{match[1]}{table}{match[2]}", text)


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    tables = {"weights": weights_table, "tips": tips_table, "games": games_table}
    for name, make in tables.items():
        page = with_table(page, name, make())
        PAGE.write_text(page, encoding="utf-8")
