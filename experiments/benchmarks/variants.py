"""Presets beside each other: a batch of each, its floor, and the same without looking ahead.

Some rules ask what a play leaves possible: an opening that must be reached in one turn, a card that
must be kept, a hand that must go as a whole. What that costs is seen beside the same preset without
these rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from experiments.benchmarks.floors import FloorBatch
from experiments.benchmarks.harness import Budget, Figure, Group, Ratio, Target, measure
from experiments.benchmarks.play import Tally, round_length
from experiments.benchmarks.works import DOCUMENTED_SIZE, Bench
from rummy500_env.rules import Rules

__all__ = ["VariantFigures", "measure_variants", "without_looking_ahead"]

CALIBRATION: Final = 3_000
"""Rounds that the length of a preset's rounds is taken from."""

LOOK_AHEAD: Final[dict[str, Any]] = {
    "first_meld_min": 0,
    "skip_first_draw": False,
    "must_discard_to_go_out": False,
    "floating": False,
}
"""Options that look ahead, as they do not."""


class VariantFigures(NamedTuple):
    """What was measured of a preset.

    Attributes:
        preset: Its name.
        num_players: Seats at each table.
        rate: Decisions a second of the batch.
        share: What that is of its floor.
        cost: What that is of the same preset without looking ahead; None if it does not.
    """

    preset: str
    num_players: int
    rate: Figure
    share: Figure
    cost: Figure | None


def without_looking_ahead(rules: Rules) -> Rules:
    """The rules without the options that ask what a play leaves possible."""
    return rules.replace(**LOOK_AHEAD)


def measure_variants(
    presets: tuple[str, ...], budget: Budget, seed: int
) -> Iterator[tuple[VariantFigures, list[Tally]]]:
    """Measure presets, each at its smallest table, on one core."""
    for preset in presets:
        num_players = Rules.preset(preset).player_counts()[0]
        length = round_length(num_players, CALIBRATION, seed, preset)
        bench = Bench(num_players, seed, (DOCUMENTED_SIZE,), ("float32",), preset, length)
        group = _group(bench)
        found = {figure.name: figure for figure in measure(group, budget)}
        # Where some rounds are endless, the short ones end first: their number says nothing yet.
        for tally in bench.tallies if length.deviation < length.mean else ():
            tally.check()
        rate = found[group.works[0].name]
        yield (
            VariantFigures(preset, num_players, rate, found[SHARE], found.get(COST)),
            bench.tallies,
        )


SHARE: Final = "of its floor"
COST: Final = "of it without looking ahead"


def _group(bench: Bench) -> Group:
    """A batch, its floor, and a batch of the rules without looking ahead, if they do."""
    batch = bench.make_batch(DOCUMENTED_SIZE, "float32", 1)
    name, floor, plain = (
        bench.preset,
        f"{bench.preset}: floor",
        f"{bench.preset}: not looking ahead",
    )
    works = [bench.batch_work(name, batch), bench.floor_work(floor, FloorBatch(batch))]
    ratios = [Ratio(SHARE, name, floor, Target(">=", 0.25))]
    relaxed = without_looking_ahead(bench.rules)
    if relaxed != bench.rules:
        other = bench.make_batch(DOCUMENTED_SIZE, "float32", 1, relaxed)
        works.append(bench.batch_work(plain, other, counted=False))
        ratios.append(Ratio(COST, name, plain, Target(">=", 1 / 3)))
    return Group(works, ratios)
