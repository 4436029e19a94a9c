"""Measures other libraries in turn with ours, on one core; what fails is told in a line."""

from __future__ import annotations

import contextlib
import io
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from experiments.benchmarks.harness import Budget, Figure, Group, Ratio, Work, measure
from experiments.benchmarks.peers import open_spiel, pettingzoo, pgx, rlcard
from experiments.benchmarks.peers.model import Absent, Compared, Comparison, Peer
from experiments.benchmarks.peers.ours import OURS
from experiments.benchmarks.works import Bench
from experiments.errors import RunError

__all__ = ["COMPARISONS", "compare", "one_core"]

COMPARISONS: Final = (
    open_spiel.GIN_RUMMY,
    rlcard.GIN_RUMMY,
    pettingzoo.CARD_GAMES,
    pgx.SPARROW_MAHJONG,
    open_spiel.COPIES,
)

NOT_INSTALLED: Final = "not installed"
LONGEST: Final = 200
"""Characters of a reason."""

SEEDS: Final = 2**31
"""Every library takes as large a seed."""


class _StoppedError(Exception):
    """A loop of another library failed while it was measured."""

    def __init__(self, absent: Absent) -> None:
        super().__init__(absent.reason)
        self.absent = absent


@contextlib.contextmanager
def one_core() -> Iterator[int | None]:
    """Keep this process on one core, the last it may use; None where a system cannot do that.

    Threads that a library starts meanwhile stay there too, so that no row has more than a core.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield None
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield max(allowed)
    finally:
        os.sched_setaffinity(0, allowed)


def compare(comparison: Comparison, bench: Bench, budget: Budget) -> Compared:
    """Measure what is installed of a library in turn with ours."""
    title, package = comparison.title, comparison.package
    try:
        found = version(package)
    except PackageNotFoundError:
        return Compared(title, package, None, absent=(Absent("", NOT_INSTALLED),))
    with _quiet():
        try:
            peers = list(comparison.peers())
        except (Exception, SystemExit) as error:
            return Compared(title, package, found, absent=(Absent("", _reason(error)),))
        works, absent = _made(peers, comparison.unit, bench.seed)
        peers = [peer for peer in peers if peer.name in works]
        figures: Sequence[Figure] = ()
        while peers and not figures:
            try:
                figures = tuple(measure(_group(peers, works, bench), budget))
            except _StoppedError as stop:
                absent.append(stop.absent)
                peers = [peer for peer in peers if peer.name != stop.absent.name]
    does = {peer.name: _in_words(peer, works[peer.name]) for peer in peers}
    return Compared(title, package, found, tuple(figures), does, tuple(absent))


def _in_words(peer: Peer, work: Work) -> str:
    return "; ".join([peer.does, *([work.about["with"]] if "with" in work.about else [])])


def _made(peers: Iterable[Peer], unit: str, seed: int) -> tuple[dict[str, Work], list[Absent]]:
    """The works of those that can be made, by name, and why the others cannot."""
    works: dict[str, Work] = {}
    absent: list[Absent] = []
    for peer in peers:
        try:
            loop = peer.make(seed % SEEDS)
        except (Exception, SystemExit) as error:
            absent.append(Absent(peer.name, _reason(error)))
        else:
            works[peer.name] = _guarded(Work(peer.name, unit, loop.run, loop.about))
    return works, absent


def _guarded(work: Work) -> Work:
    """The same work, which says whose loop it was that failed."""

    def run(count: int) -> int:
        try:
            return work.run(count)
        except (Exception, SystemExit) as error:
            raise _StoppedError(Absent(work.name, _reason(error))) from error

    return replace(work, run=run)


def _group(peers: Sequence[Peer], works: dict[str, Work], bench: Bench) -> Group:
    """Our works and theirs, and how many times as fast ours are."""
    keys = dict.fromkeys(key for peer in peers for key in peer.against)
    ours = {key: OURS[key].make(bench) for key in keys}
    ratios: list[Ratio] = []
    for peer in peers:
        theirs = works[peer.name]
        for key, target in peer.against.items():
            pair = (ours[key].name, theirs.name)
            top, bottom = pair if theirs.unit.endswith("/s") else reversed(pair)
            ratios.append(Ratio(f"  {OURS[key].label} to it", top, bottom, target))
    return Group([*ours.values(), *(works[peer.name] for peer in peers)], ratios)


def _reason(error: BaseException) -> str:
    """Why something failed, in a line."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"{NOT_INSTALLED}: it needs {error.name}"
    said = " ".join(str(error).split())
    if not isinstance(error, RunError):
        said = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…"


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """What other libraries print and warn of is not what was asked for."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield
