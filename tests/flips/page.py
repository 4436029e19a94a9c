"""The page about the flips: what each option of the rules changes, and how often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rummy500_env import Rules
from rummy500_env.rule_checks import shown
from rummy500_env.rule_pages import GROUPS
from tests.flips.manners import MANNERS
from tests.flips.play import NUM_PLAYED, measure
from tests.flips.table import FLIPS, Flip

__all__ = ["PAGE", "page"]

PAGE: Final = Path(__file__).parents[2] / "docs" / "flips.md"

HEADS: Final = ("option", "from", "to", "stands on", "of", "differed", "seen in")

INTRODUCTION: Final = """\
<!-- Made by `python -m tests.flips`: change tests/flips/table.py, then run it. -->

# What each option changes

Each option of the [rules](rules.md#options), flipped alone: two tables with the same seed, one of
them with the option flipped, play the same moves until they differ in what players can do or get.

- `stands on`: the rules that both tables have. If it says nothing, these are the standard ones, and
  two players draw each move from the legal ones at random.
- `differed`: the share of rounds (games, tables of 2 to 8 players) in which a difference showed. Of
  {rounds} rounds it is sure to ±{error:.0f} points or better (95%).
- `seen in`: what differed first, the most frequent first: the legal moves, by their first words
  (`draw`, `dig`, …), the `seat` to move or its `phase`, the `end` of the round or game, `scores`,
  `winners` or `chips`, or how many `players` may sit down.

A share says that an option matters, and how often it is met, not what it is worth to those who play
well.
"""


def page() -> str:
    """Return the page; plays all flips."""
    groups = {option.name: option.group for option in Rules.options()}
    tables = ""
    for group, heading in GROUPS.items():
        rows = [_row(flip) for flip in FLIPS if groups[flip.option] == group]
        lines = map(_line, [HEADS, ["---"] * len(HEADS), *rows])
        tables += f"\n## {heading}\n\n" + "\n".join(lines) + "\n"
    rounds = NUM_PLAYED["round"]
    # 95 % of a normal distribution lie within 1.96 standard deviations; of shares a half has most.
    introduction = INTRODUCTION.format(rounds=rounds, error=100 * 1.96 * (0.25 / rounds) ** 0.5)
    return introduction + tables


def _row(flip: Flip) -> Sequence[str]:
    before, after = (f"`{shown(value)}`" for value in (getattr(flip.rules, flip.option), flip.to))
    told = (f"`{flip.option}`", before, after, ", ".join(_ground(flip)))
    measured = measure(flip)
    seen_in = ", ".join(f"`{name}`" for name, _ in measured.seen.most_common())
    return (*told, f"{measured.played} {flip.of}s", f"{measured.share:.0%}", seen_in)


def _ground(flip: Flip) -> Iterator[str]:
    """What a flip stands on, where it is not the standard game of two at random."""
    if flip.num_players != 2:
        yield f"{flip.num_players} players"
    if flip.manner != "random":
        yield MANNERS[flip.manner].words
    for name, value in flip.on.items():
        if name != flip.option:
            yield f"`{name}={shown(value)}`"
    for name, value in flip.along.items():
        yield f"flipped with `{name}={shown(value)}`"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
