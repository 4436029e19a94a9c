"""Luce's choice model, fitted to rankings: what `experiments.ratings` stands on.

An agent of strength w is chosen from a set with the probability w over the sum of the strengths of
the set. A ranking is the choice of the first from all, of the second from the rest, and so on
(Plackett 1975, "The analysis of permutations"); of two it is a game of the Bradley-Terry model. An
agent that holds several seats is in the set several times.

Ties: the logarithm of the likelihood is averaged over all orders of those that share a rank. In
a game of two that is half a win for each.

The likelihood hangs on the rankings only through how often each agent was chosen and how often
each set was chosen from, so both are counted once for each cluster of games. Counts are whole
numbers (of 840ths, which makes all averages over ties whole), so no order of games can be seen.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import sparse

from experiments.errors import RunError

__all__ = ["Choices", "fit", "has_finite_fit", "reached"]

WHOLE: Final = math.lcm(*(math.comb(8, k) for k in range(9)), *range(1, 9))
"""Parts of a game in which averages over ties of up to eight seats are whole numbers."""
MAX_STEPS: Final = 200
TOLERANCE: Final = 1e-9
"""Change of a log strength at which the fit has settled."""
MAX_CHUNK: Final = 4_000_000
"""Numbers that a step of the fit holds at once."""


@dataclass(frozen=True)
class Choices:
    """Rankings of A agents in C clusters, as counts; S different sets were chosen from."""

    sets: np.ndarray
    """float64 (S, A): how often each agent is in each set."""
    chosen: np.ndarray
    """float64 (C, A): how often each agent was chosen."""
    offered: sparse.csr_array
    """float64 (C, S): how often each set was chosen from."""
    beaten: sparse.csr_array
    """float64 (C, A * A): games in which agent a was no worse than agent b, at place a * A + b."""

    @classmethod
    def of_rankings(cls, agents: np.ndarray, ranks: np.ndarray, clusters: np.ndarray) -> Choices:
        """Count rankings.

        Args:
            agents: whole numbers (G, n): the agents of each game, numbered from 0.
            ranks: whole numbers (G, n): their ranks, the best lowest; equal ones are ties.
            clusters: (G,): the cluster of each game, numbered from 0.
        """
        num_agents, size = int(agents.max()) + 1, agents.shape[1]
        order = np.lexsort((agents, ranks), axis=1)  # games that are alike look alike then
        best = np.take_along_axis(agents, order, 1), np.take_along_axis(ranks, order, 1)
        kinds, kind = _kinds(np.concatenate(best, axis=1))
        counts = sparse.coo_array(
            (np.ones(len(kind)), (clusters, kind)), (int(clusters.max()) + 1, len(kinds))
        ).tocsr()

        numbers: dict[tuple[int, ...], int] = {}
        offered: list[tuple[int, int, int]] = []
        beaten: set[tuple[int, int]] = set()
        chosen = np.zeros((len(kinds), num_agents))
        for row, told in enumerate(kinds.tolist()):
            seated, places = told[:size], told[size:]
            np.add.at(chosen[row], seated, WHOLE)
            for of, times in _chosen_from(seated, places, num_agents).items():
                offered.append((row, numbers.setdefault(of, len(numbers)), times))
            seats = list(zip(seated, places, strict=True))
            beaten |= {
                (row, a * num_agents + b)
                for (a, rank), (b, other) in itertools.permutations(seats, 2)
                if rank <= other
            }
        rows, columns, times = np.array(offered).T
        offers = sparse.coo_array((times.astype(float), (rows, columns)))
        wins = sparse.coo_array(
            (np.ones(len(beaten)), tuple(np.array(sorted(beaten)).T)),
            (len(kinds), num_agents**2),
        )
        return cls(
            sets=np.array(list(numbers), dtype=float),
            chosen=np.asarray(counts @ chosen),
            offered=sparse.csr_array(counts @ offers.tocsr()),
            beaten=sparse.csr_array(counts @ wins.tocsr()),
        )

    @property
    def num_clusters(self) -> int:
        """Clusters of games."""
        return len(self.chosen)

    @property
    def num_agents(self) -> int:
        """Agents, met or not."""
        return self.sets.shape[1]

    def met(self, weights: np.ndarray) -> np.ndarray:
        """Whether a was no worse than b in some game: bool (samples, A, A), clusters weighted."""
        found = np.asarray(weights @ self.beaten).reshape(-1, self.num_agents, self.num_agents)
        return found.astype(bool)


def _kinds(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different rows of whole numbers from 0 on, and which of them each row is.

    As `numpy.unique` over rows gives, which takes ten times as long.
    """
    key = np.zeros(len(rows), np.int64)
    size = 1
    for column in rows.T:
        width = int(column.max()) + 1
        if size * width > np.iinfo(np.int64).max:
            key = np.unique(key, return_inverse=True)[1]
            size = len(rows)
        key = key * width + column
        size *= width
    _, first, kind = np.unique(key, return_index=True, return_inverse=True)
    return rows[first], kind


def _chosen_from(seated: list[int], places: list[int], num_agents: int) -> Counter[tuple[int, ...]]:
    """The sets of a ranking, as numbers of seats of each agent, with their weight in 840ths."""
    found: Counter[tuple[int, ...]] = Counter()
    rest = np.bincount(seated, minlength=num_agents)
    for _, group in itertools.groupby(zip(places, seated, strict=True), lambda pair: pair[0]):
        tied = [agent for _, agent in group]
        for gone in range(len(tied)):  # before the next choice; each choice of them equally often
            for before in itertools.combinations(tied, gone):
                left = rest - np.bincount(before, minlength=num_agents)
                found[tuple(left.tolist())] += WHOLE // math.comb(len(tied), gone)
        rest = rest - np.bincount(tied, minlength=num_agents)
    return found


def reached(met: np.ndarray) -> np.ndarray:
    """Whether b can be reached from a over those that a was no worse than: bool, as ``met``."""
    found = met | np.eye(met.shape[-1], dtype=bool)
    for _ in range(max(1, met.shape[-1] - 1).bit_length()):
        found = (found.astype(np.int64) @ found.astype(np.int64)) > 0
    return found


def has_finite_fit(met: np.ndarray) -> np.ndarray:
    """Whether the likelihood has its maximum at finite strengths.

    It has if in every division of the agents into two groups some agent of each was no worse than
    one of the other (Ford 1957; Hunter 2004, "MM algorithms for generalized Bradley-Terry
    models", assumption 1).
    """
    return np.asarray(reached(met).all(axis=(-1, -2)))


def fit(choices: Choices, weights: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Log strengths of maximal likelihood, with mean zero: float64 (samples, A).

    Args:
        choices: the rankings.
        weights: (samples, C): how often each cluster counts.
        drawn: (samples,): drawn games between each two agents that are added.
    """
    sets = choices.sets
    chosen = np.asarray(weights @ choices.chosen) / WHOLE
    offered = np.asarray(weights @ choices.offered) / WHOLE
    if drawn.any():
        num_agents = choices.num_agents
        pairs = np.array(list(itertools.combinations(range(num_agents), 2)))
        sets = np.concatenate([sets, np.eye(num_agents)[pairs].sum(axis=1)])
        chosen = chosen + drawn[:, None] * (num_agents - 1) / 2
        added = np.repeat(drawn[:, None].astype(float), len(pairs), axis=1)
        offered = np.concatenate([offered, added], axis=1)
    size = max(1, MAX_CHUNK // sets.size)
    parts = [
        _newton(sets, chosen[k : k + size], offered[k : k + size])
        for k in range(0, len(chosen), size)
    ]
    return np.concatenate(parts)


def _newton(sets: np.ndarray, chosen: np.ndarray, offered: np.ndarray) -> np.ndarray:
    """Newton's method on the logarithm of the likelihood, which is concave, for each sample."""

    def likelihood(strength: np.ndarray) -> np.ndarray:
        total = np.log(np.exp(strength) @ sets.T)
        return (chosen * strength).sum(axis=1) - (offered * total).sum(axis=1)

    strength = np.zeros_like(chosen)
    games = np.maximum(offered.sum(axis=1), 1)
    for _ in range(MAX_STEPS):
        share = sets * np.exp(strength)[:, None, :]
        share /= share.sum(axis=2, keepdims=True)
        expected = offered[:, :, None] * share
        slope = chosen - expected.sum(axis=1)
        curve = -np.swapaxes(expected, 1, 2) @ share
        diagonal = np.arange(strength.shape[1])
        curve[:, diagonal, diagonal] += expected.sum(axis=1)
        curve += games[:, None, None]  # fixes the mean, which the likelihood leaves open
        step = np.linalg.solve(curve, slope[:, :, None])[:, :, 0]
        before = likelihood(strength)
        for _ in range(60):
            worse = likelihood(strength + step) < before - 1e-12 * np.abs(before)
            if not worse.any():
                break
            step[worse] /= 2
        strength = strength + step
        if np.abs(step).max() < TOLERANCE:
            return strength - strength.mean(axis=1, keepdims=True)
    raise RunError(f"the ratings did not settle in {MAX_STEPS} steps")
