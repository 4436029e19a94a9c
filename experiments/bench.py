"""The command `rummy500 bench`: how fast engine, environments and agents are on this machine.

A figure alone says little about the code: it speaks of the machine too. So each stands beside its
floor, measured in the same seconds (:mod:`experiments.benchmarks.floors`), and the ratio is what
travels from one machine to another. Targets are about ratios, or about times so short that they
hold on any machine of today.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from experiments.benchmarks.harness import Budget, Figure, measure
from experiments.benchmarks.peers import report as peers_report
from experiments.benchmarks.peers.compare import COMPARISONS, compare, one_core
from experiments.benchmarks.peers.model import Compared
from experiments.benchmarks.play import BenchError, Tally, length_of
from experiments.benchmarks.report import (
    as_json,
    load_average,
    machine,
    show_figures,
    show_machine,
    show_tallies,
    show_variants,
)
from experiments.benchmarks.start import starts
from experiments.benchmarks.variants import VariantFigures, measure_variants
from experiments.benchmarks.works import DOCUMENTED_SIZE, PRESET, Bench
from experiments.errors import RunError
from experiments.progress import Bar
from experiments.show import console, write
from rummy500_env.engine.jit import JIT_DISABLED
from rummy500_env.presets import presets as all_presets
from rummy500_env.rules import Rules

__all__ = ["Plan", "run"]

FAILED: Final = 1

SIZES: Final = (64, DOCUMENTED_SIZE, 4096)
SECONDS: Final = 1.0
TURNS: Final = 11

MAX_SEED: Final = 2**62

NUM_PEERS: Final = 2
"""Players at our tables when other libraries are measured: as many as gin rummy has."""

ON_ONE_CORE: Final = (
    "All on one core. Every loop draws uniform random legal actions, and reads observation and "
    "mask at each decision unless its line says otherwise. 'to it': how many times as fast ours "
    "is. The games differ, and so does what is observed.\n"
)
ON_ALL_CORES: Final = ON_ONE_CORE.replace(
    "All on one core.", "This system cannot keep a process on one core."
)

QUICK_SECONDS: Final = 0.1
QUICK_TURNS: Final = 3


@dataclass(frozen=True)
class Plan:
    """What to measure, and for how long.

    Args:
        players: Numbers of players.
        seconds: Time for each measurement.
        quick: A first look: fewer turns, one size of batch, no start.
        start: Measure cold and warm start too.
        seed: All play follows from it.
        presets: Presets to measure beside each other, instead of all that there is of ``rummy500``.
    """

    players: tuple[int, ...] = (2,)
    seconds: float = SECONDS
    quick: bool = False
    start: bool = True
    seed: int = 0
    presets: tuple[str, ...] = ()

    @property
    def turns(self) -> int:
        """Turns of each measurement."""
        return QUICK_TURNS if self.quick else TURNS

    @property
    def sizes(self) -> tuple[int, ...]:
        """Tables of the batches."""
        return (DOCUMENTED_SIZE,) if self.quick else SIZES

    def settings(self) -> dict[str, Any]:
        """The plan as plain data."""
        return {
            "preset": ", ".join(self.presets) if self.presets else PRESET,
            "episode": "round",
            "skip_forced": False,
            "players": list(self.players),
            "seconds": self.seconds,
            "turns": self.turns,
            "quick": self.quick,
            "seed": self.seed,
        }


def run(
    json_output: bool = False,
    players: Sequence[int] = (2,),
    seconds: float | None = None,
    quick: bool = False,
    start: bool = True,
    check: bool = False,
    seed: int = 0,
    presets: Sequence[str] = (),
    peers: bool = False,
) -> int:
    """Measure and print; returns the exit status.

    Args:
        json_output: Print JSON instead of tables.
        players: Numbers of players.
        seconds: Time for each measurement.
        quick: A first look: a tenth of a second each, one size of batch, no start.
        start: Measure cold and warm start too, which takes as long as compiling takes.
        check: Return 1 when a target is missed.
        seed: All play follows from it.
        presets: Presets to measure beside each other, each at its smallest table; "all" for
            every one.
        peers: Measure the card games of other libraries beside ours instead.

    Returns:
        0; or 1 when what was measured was not the game, or `check` found a target missed.
    """
    _refuse_slow_kernels()
    if seconds is None:
        seconds = QUICK_SECONDS if quick else SECONDS
    if not 0 < seconds < math.inf:
        raise RunError(f"seconds={seconds} is not allowed: use more than 0")
    if not 0 <= seed < MAX_SEED:
        raise RunError(f"seed={seed} is not allowed: use 0 to 2**62 - 1")
    for number in players:
        length_of(number)
    found = machine()
    chosen = tuple(all_presets() if "all" in presets else dict.fromkeys(presets))
    for name in chosen:
        Rules.preset(name)  # names one that there is not
    plan = Plan(tuple(dict.fromkeys(players)), seconds, quick, start and not quick, seed, chosen)
    if peers:
        return _run_peers(found, plan, json_output, check)
    if chosen:
        return _run_variants(found, plan, json_output, check)
    try:
        figures, tallies = _measure_all(plan)
    except BenchError as error:
        sys.stderr.write(f"rummy500: error: {error}\n")
        return FAILED
    if json_output:
        write(json.dumps(as_json(found, plan.settings(), figures, tallies), indent=2))
    else:
        _show(found, plan, figures, tallies)
    return FAILED if check and any(figure.is_met is False for _, figure in figures) else 0


def _run_variants(found: dict[str, Any], plan: Plan, json_output: bool, check: bool) -> int:
    """Measure presets beside each other and print; returns the exit status."""
    measured: list[VariantFigures] = []
    tallies: list[Tally] = []
    try:
        with Bar("presets") as bar:
            bar(0, len(plan.presets))
            budget = Budget(plan.seconds, plan.turns)
            for figures, played in measure_variants(plan.presets, budget, plan.seed):
                measured.append(figures)
                tallies += played
                bar(len(measured), len(plan.presets))
    except BenchError as error:
        sys.stderr.write(f"rummy500: error: {error}\n")
        return FAILED
    flat = [(row.num_players, figure) for row in measured for figure in row[2:] if figure]
    if json_output:
        write(json.dumps(as_json(found, plan.settings(), flat, tallies), indent=2))
    else:
        out = console()
        show_machine(out, found, plan.settings())
        show_variants(out, measured)
    return FAILED if check and any(figure.is_met is False for _, figure in flat) else 0


def _run_peers(found: dict[str, Any], plan: Plan, json_output: bool, check: bool) -> int:
    """Measure other libraries beside ours and print; returns the exit status."""
    if plan.presets or plan.players != (NUM_PEERS,):
        raise RunError(
            f"peers are held against {PRESET} of {NUM_PEERS} players: leave out --rules, --players"
        )
    compared: list[Compared] = []
    tallies: list[Tally] = []
    try:
        with Bar("libraries") as bar, one_core() as core:
            bar(0, len(COMPARISONS))
            for comparison in COMPARISONS:
                bench = Bench(NUM_PEERS, plan.seed)
                compared.append(compare(comparison, bench, Budget(plan.seconds, plan.turns)))
                tallies += bench.tallies
                for tally in bench.tallies:
                    tally.check()
                bar(len(compared), len(COMPARISONS))
    except BenchError as error:
        sys.stderr.write(f"rummy500: error: {error}\n")
        return FAILED
    found["load_average_after"] = load_average()
    settings = {**plan.settings(), "core": core}
    if json_output:
        write(json.dumps(peers_report.as_json(found, settings, compared, tallies), indent=2))
    else:
        out = console()
        show_machine(out, found, settings)
        out.print(ON_ONE_CORE if core is not None else ON_ALL_CORES)
        peers_report.show(out, compared)
        show_tallies(out, tallies)
    missed = any(figure.is_met is False for one in compared for figure in one.figures)
    return FAILED if check and missed else 0


def _measure_all(plan: Plan) -> tuple[list[tuple[int | None, Figure]], list[Tally]]:
    figures: list[tuple[int | None, Figure]] = []
    tallies: list[Tally] = []
    benches = {n: Bench(n, plan.seed, plan.sizes) for n in plan.players}
    budget = Budget(plan.seconds, plan.turns)
    total = sum(bench.num_groups for bench in benches.values()) + plan.start
    done = 0
    with Bar("measurements") as bar:
        bar(done, total)
        for number, bench in benches.items():
            for found in _figures(bench, budget):
                figures += [(number, figure) for figure in found]
                done += 1
                bar(done, total)
            tallies += bench.tallies
        if plan.start:
            figures += [(None, figure) for figure in starts()]
    return figures, tallies


def _figures(bench: Bench, budget: Budget) -> Iterator[list[Figure]]:
    """Measure group after group; what was played is checked at once."""
    for group in bench.groups():
        yield list(measure(group, budget))
        for tally in bench.tallies:
            tally.check()


def _show(
    found: dict[str, Any],
    plan: Plan,
    figures: Sequence[tuple[int | None, Figure]],
    tallies: Sequence[Tally],
) -> None:
    out = console()
    show_machine(out, found, plan.settings())
    for number in (*plan.players, None):
        chosen = [figure for players, figure in figures if players == number]
        show_figures(out, f", {number} players" if number else "", chosen)
    show_tallies(out, tallies)


def _refuse_slow_kernels() -> None:
    if JIT_DISABLED or os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0"):
        raise RunError(
            "bench measures kernels as they are compiled for play: unset NUMBA_DISABLE_JIT and "
            "NUMBA_BOUNDSCHECK"
        )
