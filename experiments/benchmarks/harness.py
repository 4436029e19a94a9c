"""Measures things beside each other: in turn, many short times, so that noise meets all alike.

A machine shared with others is never quiet, and its clock follows its temperature. So what is to be
compared is run in turn (A B C, A B C, …), a ratio is taken within each turn, and medians are
reported with the middle half of the turns. A ratio is steadier than the rates it is made of.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

__all__ = ["Budget", "Figure", "Group", "Ratio", "Target", "Work", "measure"]

MICROSECONDS: Final = "µs"


@dataclass(frozen=True)
class Budget:
    """How long to measure.

    Args:
        seconds: Time for each work, all turns together; the first run, in which kernels are
            compiled, and the search for the number of repetitions come on top.
        turns: How many times each is measured.
    """

    seconds: float
    turns: int


@dataclass(frozen=True)
class Target:
    """What a figure is to be: ``Target(">=", 0.3)``.

    Args:
        relation: ``">="`` or ``"<"``.
        value: What it is held against.
        aim: What would be better still.
    """

    relation: str
    value: float
    aim: float | None = None

    def is_met(self, value: float) -> bool:
        """Whether a value is as it should be."""
        return value >= self.value if self.relation == ">=" else value < self.value

    def __str__(self) -> str:
        value = f"{self.value:.2f}" if self.value < 10 else f"{self.value:g}"
        return f"{self.relation} {value}" + ("" if self.aim is None else f" (aim {self.aim:g})")


@dataclass(frozen=True)
class Work:
    """Something to measure.

    Args:
        name: What it is called in tables.
        unit: ``"decisions/s"`` or another rate; or a time that begins with ``"µs"``.
        run: Does it a number of times, and returns how many units that were.
        about: What else is to be said of it in JSON.
        target: What its figure is to be.
    """

    name: str
    unit: str
    run: Callable[[int], int]
    about: dict[str, Any] = field(default_factory=dict)
    target: Target | None = None

    def value(self, units: int, seconds: float) -> float:
        """The figure, in the work's unit."""
        return 1e6 * seconds / units if self.unit.startswith(MICROSECONDS) else units / seconds


@dataclass(frozen=True)
class Ratio:
    """Two works of a group whose figures are divided, turn by turn."""

    name: str
    top: str
    bottom: str
    target: Target | None = None


@dataclass(frozen=True)
class Group:
    """Works that are measured in turn, and what they are compared by."""

    works: Sequence[Work]
    ratios: Sequence[Ratio] = ()


@dataclass(frozen=True)
class Figure:
    """What came out.

    Attributes:
        name: What was measured.
        unit: ``"decisions/s"`` and the like; ``"ratio"`` for the quotient of two figures.
        values: One for each turn.
        of: The two figures that a ratio is made of.
        about: See :class:`Work`.
        target: What the median is to be.
    """

    name: str
    unit: str
    values: tuple[float, ...]
    of: tuple[str, str] | None = None
    about: dict[str, Any] = field(default_factory=dict)
    target: Target | None = None

    @property
    def median(self) -> float:
        """The median of all turns."""
        return statistics.median(self.values)

    @property
    def middle_half(self) -> tuple[float, float]:
        """The quartiles of all turns: half of them lie between."""
        if len(self.values) == 1:
            return self.values[0], self.values[0]
        low, _, high = statistics.quantiles(self.values, n=4, method="inclusive")
        return low, high

    @property
    def is_met(self) -> bool | None:
        """Whether the median is as it should be; None when there is no target."""
        return None if self.target is None else self.target.is_met(self.median)


def measure(group: Group, budget: Budget) -> Iterator[Figure]:
    """Measure a group's works in turn.

    Yields a figure for each work, and for each ratio as soon as both of its works are there.
    """
    share = budget.seconds / budget.turns
    counts = [_calibrated(work, share) for work in group.works]
    values: dict[str, list[float]] = {work.name: [] for work in group.works}
    for _ in range(budget.turns):
        for work, count in zip(group.works, counts, strict=True):
            start = perf_counter()
            units = work.run(count)
            values[work.name].append(work.value(units, perf_counter() - start))
    ratios, measured = list(group.ratios), dict[str, tuple[float, ...]]()
    for work in group.works:
        found = tuple(values[work.name])
        measured[work.name] = found
        yield Figure(work.name, work.unit, found, about=work.about, target=work.target)
        ready = [one for one in ratios if one.top in measured and one.bottom in measured]
        for ratio in ready:
            ratios.remove(ratio)
            yield _divided(ratio, measured[ratio.top], measured[ratio.bottom])


def _divided(ratio: Ratio, tops: Sequence[float], bottoms: Sequence[float]) -> Figure:
    found = tuple(top / bottom for top, bottom in zip(tops, bottoms, strict=True))
    return Figure(ratio.name, "ratio", found, of=(ratio.top, ratio.bottom), target=ratio.target)


def _calibrated(work: Work, seconds: float) -> int:
    """How many times a work is to run to take about so long; the first run compiles it."""
    work.run(1)
    count = 1
    while True:
        start = perf_counter()
        work.run(count)
        spent = perf_counter() - start
        if spent >= seconds / 4:
            return max(1, round(count * seconds / spent))
        count *= 2
