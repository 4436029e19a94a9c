"""Statistics of a tournament: sums by deal, differences with intervals, leaderboard, payoffs.

The deal is the cluster: all games with one game seed, at whatever table and in whatever seating,
are one observation. A mean is a ratio of sums over deals, points over rounds or wins over games;
its variance is the linearised one (Cochran, "Sampling techniques", 3rd edition, 6.3): with
``x_d`` and ``r_d`` the sums of deal d over C deals and ``q = sum(x) / sum(r)``,

    variance(q) = C / (C - 1) * sum((x_d - q * r_d) ** 2) / sum(r) ** 2

which for equal ``r_d`` is the usual variance of a mean of C numbers. Intervals are
``q ± t * sqrt(variance)`` with the quantile t of Student's distribution of C - 1 degrees (1.96 for
many deals, 2.05 for 30). They are given from 30 deals on; with fewer there is NaN instead.

Sums are whole numbers, so results do not hang on the order in which games were added.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy import special

from experiments.sign_test import holm, sign_test

if TYPE_CHECKING:
    import pandas as pd

    from experiments.schedule import Block
    from rummy500_env.arena import ArenaResult

__all__ = [
    "MIN_DEALS",
    "ClusterSums",
    "Estimate",
    "GameSums",
    "Sums",
    "pairing_gain",
    "ratio_estimate",
]

LEVEL: Final = 0.95
"""Probability with which an interval is to hold the true value."""
MIN_DEALS: Final = 30
"""Fewest deals for which an interval is given."""

_WIN: Final = math.lcm(*range(1, 9))  # a win shared by up to eight winners in whole numbers


class Estimate(NamedTuple):
    """Means with their standard errors, arrays of one shape."""

    value: np.ndarray
    standard_error: np.ndarray
    """Root of the variance over deals; NaN for a single deal."""
    num_deals: np.ndarray
    """Deals with at least one game, the clusters of the interval."""

    @property
    def half_width(self) -> np.ndarray:
        """Half-widths of the 95 % intervals; NaN with fewer deals than `MIN_DEALS`."""
        return half_width(self.standard_error, self.num_deals)

    @property
    def deviation(self) -> np.ndarray:
        """Standard deviation of what a single deal gives: the standard error, times root deals."""
        return self.standard_error * np.sqrt(self.num_deals)


def half_width(
    standard_error: np.ndarray, num_deals: np.ndarray, num_fitted: int = 1
) -> np.ndarray:
    """Half-widths of 95 % intervals by Student's distribution; NaN below `MIN_DEALS` deals.

    Args:
        standard_error: of the means.
        num_deals: clusters behind each of them.
        num_fitted: numbers that were estimated from the clusters: the mean itself, and more.
    """
    degrees = np.maximum(num_deals - num_fitted, 1)
    quantile = special.stdtrit(degrees, (1 + LEVEL) / 2)
    return np.where(num_deals >= MIN_DEALS, quantile * standard_error, np.nan)


def ratio_estimate(totals: np.ndarray, units: np.ndarray) -> Estimate:
    """Means per unit over deals, with their linearised standard errors.

    Args:
        totals: sum of each deal (deals first; further axes are further estimates).
        units: number of units of each deal, such as rounds; 0 where the deal was not played.
    """
    clusters = (units > 0).sum(axis=0)
    all_units = units.sum(axis=0).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = totals.sum(axis=0) / all_units
        rests = totals - value * units
        variance = clusters / (clusters - 1) * (rests**2).sum(axis=0) / all_units**2
        return Estimate(value, np.sqrt(variance), clusters)


class GameSums(NamedTuple):
    """What is summed of G games at n seats, all games of some consecutive deals."""

    deal: np.ndarray
    """int (G,): number of the deal."""
    agents: np.ndarray
    """int (G, n): number of the agent at each seat."""
    scores: np.ndarray
    """int (G, n)."""
    won: np.ndarray
    """bool (G, n)."""
    rounds: np.ndarray
    """int (G,)."""
    went_out: np.ndarray
    """int (G, n)."""

    @classmethod
    def of(cls, block: Block, result: ArenaResult) -> GameSums:
        """Of games that have just been played."""
        r = result
        return cls(block.deal, block.agents, r.scores, r.won, r.rounds, r.went_out)


@dataclass(frozen=True)
class Sums:
    """Whole-number sums by deal; A agents, D deals. Points are times ``scale``, wins times more.

    ``margin[d, a, b]`` counts the games in which agent a holds one seat, or one side of two, and b
    at least one: a's score minus the mean score of the seats of b. On the diagonal stand all games
    of a: the mean score of its seats minus the mean score of all other seats, the field.
    """

    scale: int
    points: np.ndarray
    """int64 (D, A): mean score of the agent's seats, summed over games."""
    went_out: np.ndarray
    """int64 (D, A): rounds in which a seat of the agent went out, mean over its seats."""
    rounds: np.ndarray
    """int64 (D, A, A): rounds of those games."""
    games: np.ndarray
    """int64 (D, A, A): those games."""
    margin: np.ndarray
    """int64 (D, A, A): points more than the others."""
    wins: np.ndarray
    """int64 (D, A, A): games won per seat of a; a win of w winners counts 1/w."""
    squares: np.ndarray
    """int64 (3, A, A): over single games: margin squared, margin by rounds, rounds squared."""


class ClusterSums:
    """Adds up games as they are played.

    Args:
        num_agents: agents of the tournament.
        seats_held: how many seats of a table an agent can hold that sits there
            (`Schedule.seats_held`).
    """

    def __init__(self, num_agents: int, seats_held: Sequence[int]) -> None:
        self.num_agents = num_agents
        self.seats_held = tuple(seats_held)
        self.scale = math.lcm(*seats_held)
        self._parts: list[tuple[np.ndarray, ...]] = []
        self._squares = np.zeros((3, num_agents, num_agents), dtype=np.int64)

    def add(self, games: GameSums) -> None:
        """Add all games of some deals."""
        deal, agents, scores, won, rounds, went_out = games
        if not len(deal):
            return
        starts = np.flatnonzero(np.diff(deal, prepend=deal[0] - 1))
        seated = (agents[:, :, None] == np.arange(self.num_agents)).astype(np.int64)
        seats = seated.sum(axis=1)
        if not np.isin(seats, (0, *self.seats_held)).all():
            held = " or ".join(map(str, self.seats_held))
            raise ValueError(f"an agent holds {held} seats of a table")
        side = self.seats_held[0]  # the seats of a side share a win without halving it
        winners = np.maximum(won.sum(axis=1, keepdims=True) // side, 1)
        per_seat = self.scale // np.maximum(seats, 1)  # makes a sum over seats a scaled mean

        def of_agent(values: np.ndarray) -> np.ndarray:
            return np.einsum("gna,gn->ga", seated, values.astype(np.int64))

        own = of_agent(scores)
        points = own * per_seat
        field = (scores.sum(axis=1, dtype=np.int64)[:, None] - own) * (
            self.scale // np.maximum(agents.shape[1] - seats, 1)
        )
        is_there = seats > 0
        met = (seats == self.seats_held[0])[:, :, None] & is_there[:, None, :]
        margin = points[:, :, None] - points[:, None, :]
        diagonal = np.arange(self.num_agents)
        met[:, diagonal, diagonal] = is_there
        margin[:, diagonal, diagonal] = points - field
        margin *= met
        length = met * rounds.astype(np.int64)[:, None, None]
        wins = of_agent(won * (_WIN // winners)) * per_seat
        self._squares += np.stack([margin**2, margin * length, length**2]).sum(axis=1)
        by_game = (
            points,
            of_agent(went_out) * per_seat,
            length,
            met.astype(np.int64),
            margin,
            wins[:, :, None] * met,
        )
        self._parts.append(tuple(np.add.reduceat(values, starts, axis=0) for values in by_game))

    def sums(self) -> Sums:
        """All that was added so far."""
        one, two = (0, self.num_agents), (0, self.num_agents, self.num_agents)
        nothing = tuple(np.zeros(shape, dtype=np.int64) for shape in (one, one, two, two, two, two))
        parts = [nothing, *self._parts]
        joined = (np.concatenate(values) for values in zip(*parts, strict=True))
        return Sums(self.scale, *joined, squares=self._squares.copy())


def margins(sums: Sums) -> Estimate:
    """Points per round more than the others: (A, A), the field on the diagonal."""
    return ratio_estimate(sums.margin / sums.scale, sums.rounds)


def win_shares(sums: Sums) -> Estimate:
    """Games won per seat: (A, A), all games on the diagonal."""
    return ratio_estimate(sums.wins / (sums.scale * _WIN), sums.games)


def pairing_gain(sums: Sums) -> np.ndarray:
    """How many times smaller the variance is than with as many independent games: (A, A).

    The variance that the same games would give, were each of a deal of its own, over the variance
    by deals. NaN where there are too few games, or where all differences are equal.
    """
    games = sums.games.sum(axis=0).astype(np.float64)
    rounds = sums.rounds.sum(axis=0).astype(np.float64)
    xx, xr, rr = sums.squares.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = sums.margin.sum(axis=0) / rounds
        single = games / (games - 1) * (xx - 2 * value * xr + value**2 * rr) / rounds**2
        single /= sums.scale**2
        found = margins(sums)
        paired = np.where(found.num_deals >= MIN_DEALS, found.standard_error, np.nan) ** 2
        return np.where(paired > 0, single / paired, np.nan)


def leaderboard(names: Sequence[str], sums: Sums) -> pd.DataFrame:
    """One row for each agent, best first.

    Columns: ``agent``; ``deals``, ``games``, ``rounds`` it played; ``points_per_round``, mean score
    of its seats; ``vs_field``, points per round more than the mean of the other seats;
    ``win_share``, games won per seat (a win of w winners counts 1/w); ``went_out_share``, rounds
    in which a seat of it went out; and with ``_half_width`` the 95 % intervals over deals.
    """
    import pandas as pd  # noqa: PLC0415

    diagonal = np.arange(len(names))
    rounds = sums.rounds[:, diagonal, diagonal]
    points = ratio_estimate(sums.points / sums.scale, rounds)
    out = ratio_estimate(sums.went_out / sums.scale, rounds)
    field = margins(sums)
    wins = win_shares(sums)
    frame = pd.DataFrame(
        {
            "agent": list(names),
            "deals": points.num_deals,
            "games": sums.games.sum(axis=0)[diagonal, diagonal],
            "rounds": rounds.sum(axis=0),
            "points_per_round": points.value,
            "points_per_round_half_width": points.half_width,
            "vs_field": field.value[diagonal, diagonal],
            "vs_field_half_width": field.half_width[diagonal, diagonal],
            "win_share": wins.value[diagonal, diagonal],
            "win_share_half_width": wins.half_width[diagonal, diagonal],
            "went_out_share": out.value,
            "went_out_share_half_width": out.half_width,
        }
    )
    return frame.sort_values("vs_field", ascending=False, kind="stable", ignore_index=True)


def pairs(names: Sequence[str], sums: Sums) -> pd.DataFrame:
    """One row for each ordered pair of agents that met.

    Columns: ``agent`` (one seat), ``opponent`` (the same table); ``deals``, ``games``, ``rounds``
    of those tables; ``difference``, points per round more than the mean of the opponent's seats;
    its 95 % interval from ``low`` to ``high``, ``half_width`` to each side; ``win_share``, games
    won by the agent, with ``win_share_half_width``; ``pairing_gain``, see `pairing_gain`;
    ``deals_won``, ``deals_lost``, ``deals_tied``, deals by the sign of the agent's difference;
    ``sign_p``, exact two-sided sign test over deals without the tied ones, and ``sign_p_holm``,
    the same after Holm over all pairs (two rows that mirror each other are one test).
    """
    import pandas as pd  # noqa: PLC0415

    difference, wins, gain = margins(sums), win_shares(sums), pairing_gain(sums)
    won, lost, p_values, p_holm = _sign_tests(sums)
    games = sums.games.sum(axis=0)
    rounds = sums.rounds.sum(axis=0)
    rows = [
        {
            "agent": names[a],
            "opponent": names[b],
            "deals": int(difference.num_deals[a, b]),
            "games": int(games[a, b]),
            "rounds": int(rounds[a, b]),
            "difference": float(difference.value[a, b]),
            "half_width": float(difference.half_width[a, b]),
            "low": float(difference.value[a, b] - difference.half_width[a, b]),
            "high": float(difference.value[a, b] + difference.half_width[a, b]),
            "win_share": float(wins.value[a, b]),
            "win_share_half_width": float(wins.half_width[a, b]),
            "pairing_gain": float(gain[a, b]),
            "deals_won": int(won[a, b]),
            "deals_lost": int(lost[a, b]),
            "deals_tied": int(difference.num_deals[a, b] - won[a, b] - lost[a, b]),
            "sign_p": float(p_values[a, b]),
            "sign_p_holm": float(p_holm[a, b]),
        }
        for a, b in met(sums)
    ]
    return pd.DataFrame(rows)


def met(sums: Sums) -> list[tuple[int, int]]:
    """The ordered pairs of different agents that met."""
    games = sums.games.sum(axis=0)
    np.fill_diagonal(games, 0)
    return [(a, b) for a, b in np.argwhere(games).tolist()]


def num_tests(sums: Sums) -> int:
    """Comparisons of two agents that differ: a row of `pairs` that mirrors another is none."""
    return len(_tests(sums))


def _tests(sums: Sums) -> list[tuple[int, int]]:
    return [(a, b) for a, b in met(sums) if a < b or not _mirrors(sums, a, b)]


def _mirrors(sums: Sums, a: int, b: int) -> bool:
    """Whether a's differences to b are those of b to a with the other sign, deal by deal."""
    return np.array_equal(sums.margin[:, a, b], -sums.margin[:, b, a])


def _sign_tests(sums: Sums) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Deals won and lost, exact p-values, and those after Holm: (A, A) each."""
    won, lost = (sums.margin > 0).sum(axis=0), (sums.margin < 0).sum(axis=0)
    p_values = sign_test(won, lost)
    p_holm = np.full(p_values.shape, np.nan)
    tests = _tests(sums)
    if tests:
        first, second = np.array(tests).T
        p_holm[first, second] = holm(p_values[first, second])
        is_mirror = np.isnan(p_holm)
        p_holm[is_mirror] = p_holm.T[is_mirror]
    return won, lost, p_values, p_holm


def payoffs(names: Sequence[str], sums: Sums) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The payoff matrix and the half-widths of its 95 % intervals.

    Row a, column b: the points per round that one a scores more than the mean of the b at its
    table. NaN on the diagonal, and where two never met. At two seats, and at tables of different
    agents, the matrix is antisymmetric; one a among many b is another table than one b among
    many a, and then it need not be.
    """
    import pandas as pd  # noqa: PLC0415

    found = margins(sums)
    frames = []
    for values in (found.value, found.half_width):
        matrix = values.copy()
        np.fill_diagonal(matrix, np.nan)
        frames.append(pd.DataFrame(matrix, index=list(names), columns=list(names)))
    return frames[0], frames[1]
