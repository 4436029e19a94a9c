"""Alpha-rank: how long a population under selection plays each agent, from the payoff matrix.

Omidshafiei et al. 2019, "Alpha-Rank: multi-agent evaluation by evolution". At two seats, where each
deal is played from both, the game is symmetric, so there is one population (not one for each
seat): all of it plays one agent s until a mutant r takes over, which happens with probability

    (1 - exp(-u)) / (1 - exp(-m * u)),  u = alpha * (payoff of r against s - that of s against r)

(1/m where u is 0) for a population of m = 50 and a strength of selection alpha. Mutants of all
other agents are equally likely. The share of time spent with each agent, the stationary
distribution, is its mass. With growing alpha it settles, and the settled one is what is
reported: then only who beats whom counts, not by how much. Cycles share the mass that
ratings would deny them.

Probabilities may be as small as exp(-10,000), so the chain is solved in logarithms by the
elimination of Grassmann, Taksar and Heyman (1985), which never subtracts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from experiments import bootstrap
from experiments.errors import RunError

if TYPE_CHECKING:
    import pandas as pd

    from experiments.stats import Sums

__all__ = ["alpha_rank", "alpha_sweep", "stationary"]

POPULATION: Final = 50
"""Members of the population, as in the paper."""
WEAK: Final = 0.01
"""Where a sweep begins: the largest m * u; agents are nearly equal there."""
STRONG: Final = 40.0
"""Where it ends: the smallest u that is not 0; exp(-40) is no more than a rounding."""
STEPS_A_DECADE: Final = 8


def stationary(payoffs: np.ndarray, alpha: np.ndarray | float) -> np.ndarray:
    """The mass of each agent at a strength of selection.

    Args:
        payoffs: (…, A, A): points of the row's agent against the column's; the diagonal is not
            used.
        alpha: strength of selection for each matrix, per point.

    Returns:
        float64 (…, A), which sums to 1.
    """
    strength = np.asarray(alpha, dtype=float)[..., None, None]
    mutant = strength * (np.swapaxes(payoffs, -1, -2) - payoffs)  # [s, r]: r in a population of s
    rates = _log_fixation(np.nan_to_num(mutant))
    return _log_stationary(rates)


def _log_fixation(u: np.ndarray) -> np.ndarray:
    """Logarithm of the probability that a mutant takes over."""
    size = np.where(u == 0, 1.0, np.abs(u))
    up = np.log(-np.expm1(-size)) - np.log(-np.expm1(-POPULATION * size))
    return np.where(u > 0, up, np.where(u < 0, up - (POPULATION - 1) * size, -np.log(POPULATION)))


def _log_stationary(rates: np.ndarray) -> np.ndarray:
    """The stationary distribution of chains with these logarithms of rates off the diagonal."""
    rates = rates.copy()
    num_states = rates.shape[-1]
    for last in range(num_states - 1, 0, -1):  # take out the last state, joining ways through it
        leaving = np.logaddexp.reduce(rates[..., last, :last], axis=-1)
        rates[..., :last, last] -= leaving[..., None]
        through = rates[..., :last, last, None] + rates[..., last, None, :last]
        rates[..., :last, :last] = np.logaddexp(rates[..., :last, :last], through)
    mass = np.zeros(rates.shape[:-1])
    for state in range(1, num_states):  # put them back
        mass[..., state] = np.logaddexp.reduce(
            mass[..., :state] + rates[..., :state, state], axis=-1
        )
    return np.exp(mass - np.logaddexp.reduce(mass, axis=-1)[..., None])


def _settled(payoffs: np.ndarray) -> np.ndarray:
    """A strength of selection at which the mass no longer changes, for each matrix."""
    gaps = np.abs(np.swapaxes(payoffs, -1, -2) - payoffs)
    least = np.where(gaps > 0, gaps, np.inf).min(axis=(-1, -2))
    return np.where(np.isfinite(least), STRONG / least, 1.0)


def alpha_sweep(payoffs: pd.DataFrame) -> pd.DataFrame:
    """The mass of each agent from weak selection to where it settles.

    Args:
        payoffs: agents x agents, points of the row's agent against the column's, as
            `experiments.tournament.Tournament.payoffs`.

    Returns:
        A row for each strength of selection, from weak to strong: ``alpha``, and a column of
        masses for each agent.

    Raises:
        RunError: when two agents never met.
    """
    import pandas as pd  # noqa: PLC0415

    names = list(payoffs.columns)
    matrix = payoffs.to_numpy(dtype=float)
    _check(names, matrix)
    gap = np.nanmax(np.abs(matrix.T - matrix))
    last = float(_settled(matrix))
    first = WEAK / (POPULATION * gap) if gap > 0 else last
    num_steps = 2 + int(STEPS_A_DECADE * np.log10(last / first))
    alphas = np.geomspace(first, last, num_steps)
    masses = stationary(np.broadcast_to(matrix, (num_steps, *matrix.shape)), alphas)
    return pd.DataFrame({"alpha": alphas} | dict(zip(names, masses.T, strict=True)))


def alpha_rank(
    names: Sequence[str], sums: Sums, replicates: int = bootstrap.REPLICATES, seed: int = 0
) -> pd.DataFrame:
    """The settled mass of each agent, with intervals of a bootstrap over deals, highest first.

    Args:
        names: names of the agents.
        sums: of a tournament at two seats.
        replicates: samples of the bootstrap.
        seed: of the bootstrap.

    Returns:
        Columns ``agent``, ``mass`` and its 95 % interval from ``low`` to ``high`` (NaN below 30
        deals). Who beats whom is all that counts, so an interval from 0 to 1 means that it is
        open.

    Raises:
        RunError: at more than two seats, or when two agents never met.
    """
    import pandas as pd  # noqa: PLC0415

    if sums.scale != 1:
        raise RunError(f"alpha-rank is for two seats: these tables have {sums.scale + 1}")
    bootstrap.check_replicates(replicates)
    points, rounds = _by_cluster(sums.margin), _by_cluster(sums.rounds)
    everything = np.ones((1, len(points)))
    matrix = _payoffs(everything, points, rounds)
    _check(names, matrix[0])
    drawn = _payoffs(bootstrap.weights(len(points), replicates, seed), points, rounds)
    drawn = np.where(np.isnan(drawn), matrix, drawn)  # a sample without games of a pair
    low, high = bootstrap.middle(stationary(drawn, _settled(drawn)), len(sums.margin))
    mass = stationary(matrix, _settled(matrix))[0]
    frame = pd.DataFrame({"agent": list(names), "mass": mass, "low": low, "high": high})
    return frame.sort_values("mass", ascending=False, kind="stable", ignore_index=True)


def _by_cluster(by_deal: np.ndarray) -> np.ndarray:
    """Sums of the clusters of a bootstrap, from those of deals: float64 (clusters, A, A)."""
    cluster = bootstrap.grouped(np.arange(len(by_deal)))
    found = np.zeros((int(cluster.max(initial=-1)) + 1, *by_deal.shape[1:]))
    np.add.at(found, cluster, by_deal)
    return found


def _payoffs(weights: np.ndarray, points: np.ndarray, rounds: np.ndarray) -> np.ndarray:
    """Payoff matrices of samples; NaN on the diagonal and where two did not meet."""
    with np.errstate(invalid="ignore"):
        found = np.tensordot(weights, points, 1) / np.tensordot(weights, rounds, 1)
    diagonal = np.arange(points.shape[1])
    found[:, diagonal, diagonal] = np.nan
    return found


def _check(names: Sequence[str], matrix: np.ndarray) -> None:
    """Refuse a matrix with gaps."""
    gaps = np.argwhere(np.isnan(matrix) & ~np.eye(len(matrix), dtype=bool))
    if len(gaps):
        here, there = (names[place] for place in gaps[0])
        raise RunError(f"alpha-rank needs every pair of agents: {here} never met {there}")
    if len(matrix) < 2:
        raise RunError(f"alpha-rank needs two agents or more: there are {len(matrix)}")
