"""Ratings: one number for each agent, from who beat whom. Never the first thing to look at.

A rating throws away by how much a game was won, and holds that strength is one number: that an
agent which beats a second that beats a third beats the third. Points and payoffs say more.

``bradley_terry`` takes every two seats of a game as a game of two (Bradley and Terry 1952);
``plackett_luce`` takes the whole order of the seats (Plackett 1975), and is the same at two seats.
Both are fitted by maximum likelihood over all games at once, so no order of games, and no pace of
learning, can be seen in them. Their intervals hold the middle 95 % of a bootstrap over deals.

The scale is Elo's: 400 points are odds of ten to one, and the mean of the agents is 0.

Where an agent, or a group of agents, won (or lost) everything against all others, the likelihood
grows without end as its rating does. Then one drawn game between each two agents is added, which
makes the ratings finite; ``group`` says where the gaps are, between agents of different groups the
games set no upper bound to the distance; and there are no intervals, since a bootstrap cannot draw
the game that never was. Where it happens in a sample of the bootstrap only, the drawn games are
added to that sample.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from experiments import bootstrap
from experiments.choice_model import Choices, fit, has_finite_fit, reached
from experiments.errors import RunError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["bradley_terry", "plackett_luce"]

ELO: Final = 400 / math.log(10)
"""Points of Elo's scale in a unit of log strength."""
DIGITS: Final = 6
"""Decimals that are kept; the fit settles far below."""
NEEDED: Final = ("deal", "game_id", "agent", "rank")


def bradley_terry(
    seats: pd.DataFrame, replicates: int = bootstrap.REPLICATES, seed: int = 0
) -> pd.DataFrame:
    """Ratings from every two seats of a game, best agent first.

    Args:
        seats: the columns ``deal``, ``game_id``, ``agent`` and ``rank``, a row for each seat of
            each game, in any order; equal ranks are half a win for each.
        replicates: samples of the bootstrap.
        seed: of the bootstrap.

    Returns:
        Columns ``agent``; ``games``; ``rating`` on Elo's scale with its 95 % interval from ``low``
        to ``high`` (NaN below 30 deals, or with several groups); ``group``, see the module: 1 for
        all where the ratings are those of maximum likelihood.

    Raises:
        RunError: when there are no games, when columns or rows are missing, or when some agents
            never met others, directly or through third ones.
    """
    names, agents, ranks, deals = _read(seats)
    one, other = np.array(list(itertools.combinations(range(agents.shape[1]), 2))).T
    duels = np.stack([agents[:, one], agents[:, other]], axis=2).reshape(-1, 2)
    places = np.stack([ranks[:, one], ranks[:, other]], axis=2).reshape(-1, 2)
    differ = duels[:, 0] != duels[:, 1]
    games = _num_games(agents, len(names))
    duel_deals = np.repeat(deals, len(one))
    return _rated(names, games, duels[differ], places[differ], duel_deals[differ], replicates, seed)


def plackett_luce(
    seats: pd.DataFrame, replicates: int = bootstrap.REPLICATES, seed: int = 0
) -> pd.DataFrame:
    """Ratings from the order of all seats of a game, best agent first.

    Arguments, columns and faults are those of `bradley_terry`. Seats that share a rank count as
    all orders of them, equally often; an agent may hold several seats of a game.
    """
    names, agents, ranks, deals = _read(seats)
    games = _num_games(agents, len(names))
    return _rated(names, games, agents, ranks, deals, replicates, seed)


def _read(seats: pd.DataFrame) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Names, agents (G, n), ranks (G, n) and deals (G,) of the games."""
    import pandas as pd  # noqa: PLC0415

    lacks = [name for name in NEEDED if name not in seats.columns]
    if lacks:
        raise RunError(f"ratings need the columns {', '.join(NEEDED)}: {', '.join(lacks)} missing")
    if seats[list(NEEDED)].isna().to_numpy().any():
        raise RunError("ratings need whole rows: the table of seats has empty cells")
    if not len(seats):
        raise RunError("ratings need games: the table of seats is empty")
    codes, found = pd.factorize(seats["agent"].astype(object), sort=True)
    if len(found) < 2:
        raise RunError(f"ratings need two agents or more: there is only {found[0]!r}")
    games = seats["game_id"].to_numpy()
    order = np.argsort(games, kind="stable")
    sizes = np.unique(games, return_counts=True)[1]
    if (sizes != sizes[0]).any() or sizes[0] < 2:
        raise RunError(
            f"ratings need a row for each seat of each game: games have {sizes.min()} to "
            f"{sizes.max()} rows"
        )
    size = sizes[0]
    agents, ranks = (
        values[order].reshape(-1, size) for values in (codes, seats["rank"].to_numpy())
    )
    places = (ranks[:, None, :] < ranks[:, :, None]).sum(axis=2)  # whole, whatever ranks are
    deals = seats["deal"].to_numpy()[order].reshape(-1, size)[:, 0]
    return list(map(str, found)), agents, places, deals


def _num_games(agents: np.ndarray, num_agents: int) -> np.ndarray:
    """In how many games each agent holds a seat."""
    return np.array([(agents == agent).any(axis=1).sum() for agent in range(num_agents)])


def _rated(
    names: Sequence[str],
    games: np.ndarray,
    agents: np.ndarray,
    ranks: np.ndarray,
    deals: np.ndarray,
    replicates: int,
    seed: int,
) -> pd.DataFrame:
    import pandas as pd  # noqa: PLC0415

    bootstrap.check_replicates(replicates)
    if not len(agents):
        raise RunError(f"ratings need games between different agents: {', '.join(names)} never met")
    choices = Choices.of_rankings(agents, ranks, bootstrap.grouped(deals))
    everything = np.ones((1, choices.num_clusters))
    met = choices.met(everything)
    _check_all_met(names, met[0])
    is_finite = bool(has_finite_fit(met)[0])
    rating = ELO * fit(choices, everything, np.array([not is_finite]))[0]
    low = high = np.full(len(names), np.nan)
    if is_finite:
        drawn = bootstrap.weights(choices.num_clusters, replicates, seed)
        samples = ELO * fit(choices, drawn, ~has_finite_fit(choices.met(drawn)))
        low, high = bootstrap.middle(samples, len(np.unique(deals)))
    frame = pd.DataFrame(
        {
            "agent": list(names),
            "games": games,
            "rating": rating.round(DIGITS),
            "low": low.round(DIGITS),
            "high": high.round(DIGITS),
            "group": _groups(met[0], rating),
        }
    )
    return frame.sort_values(
        ["rating", "agent"], ascending=[False, True], kind="stable", ignore_index=True
    )


def _check_all_met(names: Sequence[str], met: np.ndarray) -> None:
    """Refuse agents without games, direct or through others, against some."""
    together = reached(met | met.T)[0]
    if not together.all():
        here, there = (
            ", ".join(name for name, is_in in zip(names, chosen, strict=True) if is_in)
            for chosen in (together, ~together)
        )
        raise RunError(
            f"ratings need agents that met, directly or through others: {here} never met {there}"
        )


def _groups(met: np.ndarray, rating: np.ndarray) -> np.ndarray:
    """The number of each agent's group, the best 1: within a group each reaches each."""
    reach = reached(met)
    both = reach & reach.T
    means = (both * rating).sum(axis=1) / both.sum(axis=1)
    leaders = both.argmax(axis=1)  # the first agent of each group
    order = sorted(set(leaders.tolist()), key=lambda leader: -means[leader])
    return np.array([order.index(leader) + 1 for leader in leaders])
