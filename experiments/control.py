"""Control variates: taking the luck of the deals out of the differences, as far as it can be seen.

A frozen baseline plays the same deals. What it makes of a deal, ``X``, says something about the
deal and nothing about the agents, and its expectation can be told as exactly as one likes from
further deals. So where the agents' difference ``D`` hangs together with X, it is corrected:

    D' = D - b * (mean of X over the same deals - mean of X over further deals)

(Hammersley and Handscomb, "Monte Carlo methods", 1964, 5.5). How good the cards of a seat are is no
use as X: each deal is played in every seating, and what adds to a seat's score goes out of D by
itself. What is left is that some deals are larger than others, or suit one way of playing:

* of each baseline playing itself: points of all seats, turns, and how far the seats lie apart;
* of each two baselines playing each other, seats exchanged as in the tournament: their difference.

The factors b come from the other deals: those of a tenth of the deals are fitted on the other nine
tenths. So they are independent of what they multiply, and the correction has expectation zero
whatever they are: D' is unbiased. (Fitted on the same deals they would make it too good.) The
interval counts what is left of the spread, and the error of the further deals.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

import agents as registry
from experiments import runner, stats
from experiments.errors import RunError
from experiments.schedule import Schedule, agent_keys, game_seeds
from experiments.settings import told_apart

if TYPE_CHECKING:
    import pandas as pd

    from experiments.runner import Setup
    from experiments.tournament import Progress, Tournament
    from rummy500_env.arena import Arena

__all__ = ["Controlled", "controlled_pairs", "controlled_ratio"]

FOLDS: Final = 10
"""Parts of the deals, each corrected with factors from the others."""
MIN_DEALS: Final = 100
"""Fewest deals for which it is done."""
FURTHER: Final = 10
"""Further deals for each deal."""
CHUNK: Final = 4096
"""Deals that a baseline plays at once."""


class Controlled(NamedTuple):
    """A corrected mean."""

    value: float
    standard_error: float
    num_deals: int
    num_controls: int

    @property
    def half_width(self) -> float:
        """Half-width of the 95 % interval."""
        return float(
            stats.half_width(
                np.array(self.standard_error), np.array(self.num_deals), 1 + self.num_controls
            )
        )


def controlled_ratio(
    totals: np.ndarray, units: np.ndarray, controls: np.ndarray, further: np.ndarray
) -> Controlled:
    """A mean per unit over deals, corrected by controls.

    Args:
        totals: (D,): sum of each deal.
        units: (D,): units of each deal, such as rounds; deals with 0 are left out.
        controls: (D, p): what the baselines made of the same deals.
        further: (N, p): what they made of further deals.
    """
    played = units > 0
    totals, units, controls = totals[played].astype(float), units[played], controls[played]
    spread = further.std(axis=0)
    useful = spread > 0
    controls, further = controls[:, useful] / spread[useful], further[:, useful] / spread[useful]
    surplus = controls - further.mean(axis=0)
    fold = np.arange(len(totals)) % FOLDS
    factors = np.zeros_like(surplus)
    for part in range(FOLDS):
        others = fold != part
        rests = totals[others] - totals[others].sum() / units[others].sum() * units[others]
        known = controls[others] - controls[others].mean(axis=0)
        factors[fold == part] = np.linalg.lstsq(known, rests, rcond=None)[0]
    found = stats.ratio_estimate(totals - (factors * surplus).sum(axis=1), units)
    pull = factors.sum(axis=0) / units.sum()  # what an error of the expectations does
    shared = pull @ np.atleast_2d(np.cov(further, rowvar=False)) @ pull if useful.any() else 0.0
    error = np.sqrt(float(found.standard_error) ** 2 + float(shared) / len(further))
    return Controlled(float(found.value), float(error), len(totals), int(useful.sum()))


def controlled_pairs(
    played: Tournament,
    control: str | registry.Agent | Sequence[str | registry.Agent] = "greedy",
    further_deals: int | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """The differences of all pairs of a tournament, corrected by what baselines make of its deals.

    Args:
        played: the tournament, of 100 deals or more.
        control: one or more baselines, by name or as objects; compiled ones are fast.
        further_deals: deals from which expectations are taken: those that the tournament would
            play next. Ten for each of its deals if None.
        workers: cores to play on; the results are the same for any number.
        progress: called with deals played and all deals, now and then.

    Returns:
        A row for each ordered pair that met: ``agent``, ``opponent``, ``deals``; ``difference``
        and ``half_width`` as in `experiments.stats.pairs`; ``controlled``, the corrected
        difference, its 95 % interval from ``low`` to ``high``, ``controlled_half_width`` to each
        side; ``narrowing``, how many times narrower that is (below 1: it is wider).
    """
    import pandas as pd  # noqa: PLC0415

    sums, names = played.sums, played.agents
    num_deals = len(sums.margin)
    check_control(num_deals)
    if further_deals is None:
        further_deals = FURTHER * num_deals
    if further_deals < MIN_DEALS:
        raise RunError(f"further_deals={further_deals} is not allowed: use {MIN_DEALS} or more")
    given = [control] if isinstance(control, str) or not isinstance(control, Sequence) else control
    if not given:
        raise RunError("a control needs a baseline, such as 'greedy'")
    setup = replace(played.setup, agents=told_apart(given))
    found = _controls(setup, num_deals + further_deals, workers, progress)
    plain = stats.margins(sums)
    rows = []
    for a, b in stats.met(sums):
        one = controlled_ratio(
            sums.margin[:, a, b] / sums.scale,
            sums.rounds[:, a, b],
            found[:num_deals],
            found[num_deals:],
        )
        before = float(plain.half_width[a, b])
        rows.append(
            {
                "agent": names[a],
                "opponent": names[b],
                "deals": one.num_deals,
                "difference": float(plain.value[a, b]),
                "half_width": before,
                "controlled": one.value,
                "controlled_half_width": one.half_width,
                "low": one.value - one.half_width,
                "high": one.value + one.half_width,
                "narrowing": before / one.half_width if one.half_width > 0 else np.nan,
            }
        )
    return pd.DataFrame(rows)


def check_control(num_deals: int) -> None:
    """Refuse too few deals."""
    if num_deals < MIN_DEALS:
        raise RunError(f"a control needs {MIN_DEALS} deals or more: there are {num_deals}")


def _controls(setup: Setup, num_deals: int, workers: int, progress: Progress | None) -> np.ndarray:
    """What the baselines make of the deals from 0 on: float64 (num_deals, controls)."""
    if workers < 1:
        raise RunError(f"workers={workers} is not allowed: use 1 or more")
    num_agents = len(setup.agents)
    parts = num_agents + (num_agents > 1)
    done = 0

    def tell(deals: int) -> None:
        nonlocal done
        done += deals
        if progress is not None:
            progress(done, parts * num_deals)

    arena = setup.make_arena()
    found = [_self_play(setup, arena, k, num_deals, workers, tell) for k in range(num_agents)]
    if num_agents > 1:
        found.append(_differences(setup, arena, num_deals, workers, tell))
    return np.concatenate(found, axis=1)


def _self_play(
    setup: Setup,
    arena: Arena,
    number: int,
    num_deals: int,
    workers: int,
    tell: Callable[[int], None],
) -> np.ndarray:
    """A baseline in all seats: points of all seats, turns, and points from best to worst seat."""
    name = arena.agents[number].name
    found = np.empty((num_deals, 3))
    for first in range(0, num_deals, CHUNK):
        stop = min(first + CHUNK, num_deals)
        keys = [agent_keys(setup.seed, deal, name) for deal in range(first, stop)]
        keys = np.array(keys)[:, : setup.num_players]
        result = arena.play(
            game_seeds(setup.seed, first, stop), np.full(keys.shape, number), keys, workers
        )
        turns = np.bincount(result.round_game, result.round_turns, minlength=stop - first)
        spread = np.ptp(result.scores, axis=1)
        found[first:stop] = np.stack([result.scores.sum(axis=1), turns, spread], axis=1)
        tell(stop - first)
    return found


def _differences(
    setup: Setup, arena: Arena, num_deals: int, workers: int, tell: Callable[[int], None]
) -> np.ndarray:
    """Each two baselines against each other: points more than the other's, summed by deal."""
    names = tuple(agent.name for agent in arena.agents)
    in_teams = setup.rules.teams != "none"
    design = "teams" if in_teams else "pairs"
    schedule = Schedule(names, setup.num_players, num_deals, setup.seed, design, in_teams)
    sums = stats.ClusterSums(len(names), schedule.seats_held)
    with contextlib.closing(runner.play(setup, schedule, workers)) as games:
        for block, result in games:
            sums.add(stats.GameSums.of(block, result))
            tell(block.num_deals)
    pairs = list(itertools.combinations(range(len(names)), 2))
    # One among others is not the opposite of one of these among them.
    if len(schedule.seats_held) > 1:
        pairs = list(itertools.permutations(range(len(names)), 2))
    one, other = np.array(pairs).T
    return sums.sums().margin[:, one, other].astype(float)
