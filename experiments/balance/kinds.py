"""What a figure is: a name, a unit, a meaning, and how it follows from sums over deals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from experiments.balance.jackknife import Arrays, Estimate, Floats, jackknife

if TYPE_CHECKING:
    from experiments.balance.variants import Cell

__all__ = ["PERCENT", "Figure", "Make", "column", "measure", "ratio", "sum_of"]

Make = Callable[[Arrays, "Cell"], Floats]
Labels = Callable[["Cell"], list[str]]

PERCENT: Final[dict[str, Any]] = {"percent": True, "digits": 1}
"""How shares are shown."""


@dataclass(frozen=True)
class Figure:
    """A figure of a variant at so many seats, played by an agent or by a strong against a weak one.

    Attributes:
        name: its name in the tables.
        unit: what it is counted in.
        doc: what it is.
        make: from sums ``(replicates, …)`` and the cell to ``(replicates, numbers)``.
        units: the same for what it is counted by; a deal with none says nothing about it.
        labels: what tells its numbers apart, in the column ``at``; of one number, nothing.
        zero: whether 0 is where nothing is the matter, such as equal chances.
        is_corrected: whether its bias is taken away.
        digits: decimals that are shown.
        percent: whether it is shown times 100.
    """

    name: str
    unit: str
    doc: str
    make: Make
    units: Make
    labels: Labels = lambda _: [""]
    zero: bool = False
    is_corrected: bool = False
    digits: int = 2
    percent: bool = False


def measure(figure: Figure, sums: Arrays, cell: Cell) -> Estimate:
    """Estimate a figure from the sums of its cell."""
    return jackknife(
        sums,
        lambda found: figure.make(found, cell),
        lambda found: figure.units(found, cell),
        figure.is_corrected,
    )


def column(values: Any) -> Floats:
    """Numbers ``(replicates,)`` as ``(replicates, 1)``."""
    return values if values.ndim > 1 else values[:, None]


def sum_of(name: str) -> Make:
    """The sum of a name."""
    return lambda sums, _: column(sums[name])


def ratio(
    name: str,
    unit: str,
    doc: str,
    over: str | Make,
    under: str | Make,
    labels: Labels = lambda _: [""],
    **more: Any,
) -> Figure:
    """A figure of sums over sums, by their names or how they are made."""
    top = sum_of(over) if isinstance(over, str) else over
    bottom = sum_of(under) if isinstance(under, str) else under

    def make(sums: Arrays, cell: Cell) -> Floats:
        return top(sums, cell) / bottom(sums, cell)

    return Figure(name, unit, doc, make, bottom, labels, **more)
