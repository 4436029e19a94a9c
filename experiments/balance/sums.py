"""What a study keeps of its games: sums by deal, out of which all figures are made.

A deal is the cluster of statistics, as everywhere. Of a cell (a variant at so many seats) two kinds
of sums are kept, each a mapping from names to arrays with the deals first:

``SelfSums``, of one agent at all seats
    One game a deal. Places count from the seat that has the first turn of the round; those of a
    game, from the one that has it in the first round.

``DuelSums``, of a strong and a weak agent
    Games of one strong among weak and one weak among strong, in every seat; between teams, side
    against side. Besides sums over them, the first round of all games of a deal, those of
    self-play included, which were dealt the same cards: see `experiments.balance.luck`.

Memory is bounded by the deals, not by their games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from experiments.balance.places import seats_by_place, starters
from rummy500_env.engine.state import ENDINGS

if TYPE_CHECKING:
    from experiments.balance.variants import Cell
    from experiments.schedule import Block
    from rummy500_env.arena import ArenaResult

__all__ = [
    "BINS",
    "MOMENTS",
    "Arrays",
    "deficits",
    "duel_sums",
    "first_rounds",
    "joined",
    "self_sums",
]

Arrays = Mapping[str, npt.NDArray[Any]]

MOMENTS: Final = ("half", 1, 2, 4, 8)
"""When the standing is looked at: when the leader first has half of the target, or half of the
deals of a game without one have been played; and after so many rounds. Games that are over by then
do not count."""
BINS: Final = (0.05, 0.10, 0.20, 0.40)
"""Edges of deficits, as shares of the target."""
NO_TARGET: Final = 500
"""Target that deficits are shares of where there is none."""


def deficits(target: int | None) -> list[tuple[int, int | None]]:
    """Deficits that are told apart, in points from and to; the first is 0: the lead itself."""
    edges = _edges(target).tolist()
    tops = [*(edge - 1 for edge in edges[1:]), None]
    return [(0, 0), *zip(edges, tops, strict=True)]


def _edges(target: int | None) -> npt.NDArray[np.int64]:
    shares = np.round((target or NO_TARGET) * np.array(BINS)).astype(np.int64)
    return np.unique(np.concatenate([[1], np.maximum(shares, 1)]))


class _Games:
    """The rounds of some games, with what depends on who began them."""

    def __init__(self, cell: Cell, block: Block, result: ArenaResult) -> None:
        self.cell, self.block, self.result = cell, block, result
        self.n = cell.num_players
        self.side = self.n // cell.num_sides
        self.game = result.round_game
        self.num_games = len(block.seeds)
        self.scores = result.round_scores.astype(np.int64)
        how = (self.game, result.round_index, result.round_out, result.round_scores)
        self.starter = starters(cell.variant.rules, block.seeds, *how)
        self.seats = seats_by_place(cell.variant.rules, self.starter, self.n)
        self.is_first = result.round_index == 0
        self.is_last = result.round_index + 1 == result.rounds[self.game]

    def of_games(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Values of rounds, ``(R, …)``, summed over each game: ``(G, …)``."""
        found = np.zeros((self.num_games, *values.shape[1:]), np.result_type(values, np.int64))
        np.add.at(found, self.game, values)
        return found

    def by_place(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Values of rounds by seat, ``(R, n)``, by place."""
        return np.take_along_axis(values, self.seats, axis=1)

    @property
    def is_decided(self) -> npt.NDArray[np.bool_]:
        """Whether each game has a winner."""
        return np.asarray(self.result.won.any(axis=1))

    @property
    def win_shares(self) -> npt.NDArray[np.float64]:
        """What each seat won of its game: a win of w seats, or sides, counts 1/w: ``(G, n)``."""
        winners = np.maximum(self.result.won.sum(axis=1, keepdims=True) / self.side, 1)
        return self.result.won / winners

    @property
    def best_shares(self) -> npt.NDArray[np.float64]:
        """The same of rounds, which the highest score wins: ``(R, n)``."""
        best = self.scores == self.scores.max(axis=1, keepdims=True)
        return best / (best.sum(axis=1, keepdims=True) / self.side)

    def margins(self) -> npt.NDArray[np.float64]:
        """Score of each seat in each round less the mean of the other sides': ``(R, n)``."""
        whole = self.scores.sum(axis=1, keepdims=True)
        # both of a side have its score
        return self.scores - (whole - self.side * self.scores) / (self.n - self.side)


def self_sums(cell: Cell, block: Block, result: ArenaResult) -> Arrays:
    """The sums of games of one agent with itself, one a deal: ``(G, …)`` each."""
    games = _Games(cell, block, result)
    scores, decided, shares = games.scores, games.is_decided, games.win_shares

    def over(name: str) -> npt.NDArray[Any]:
        return getattr(result, name).sum(axis=1, dtype=np.int64)

    ended = {
        name: games.of_games((result.round_how == code).astype(np.int64))
        for code, name in enumerate(ENDINGS)
        if name in ("out", "exhausted", "cut_off")
    }
    out = (games.seats == result.round_out[:, None]).astype(np.int64)
    first = games.seats[games.is_first]
    leads, lead_wins, met = _standings(games)
    half, half_wins = leads[:, 0, 0], lead_wins[:, 0, 0]
    return {
        "games": np.ones(games.num_games, np.int64),
        "decided": decided.astype(np.int64),
        "tied": (result.won.sum(axis=1) > games.side).astype(np.int64),
        "rounds": result.rounds.astype(np.int64),
        "turns": games.of_games(result.round_turns.astype(np.int64)),
        **ended,
        "score": games.of_games(scores.sum(axis=1)),
        "score_squared": games.of_games((scores**2).sum(axis=1)),
        "negative": games.of_games((scores < 0).sum(axis=1)),
        "range": np.where(decided, np.ptp(result.scores.astype(np.int64), axis=1), 0),
        "place_score": games.of_games(games.by_place(scores)),
        "place_best": games.of_games(games.by_place(games.best_shares)),
        "place_out": games.of_games(out),
        "place_wins": np.take_along_axis(shares, first, axis=1),
        **{
            name: over(name)
            for name in (
                "decisions",
                "digs",
                "dug_cards",
                "points_melded",
                "points_laid_off",
                "hand_penalty",
            )
        },
        "behind": leads,
        "behind_wins": lead_wins,
        "half": met.astype(np.int64),
        "half_won_by_leader": np.where(half > 0, half_wins / games.side, 0),  # a side leads as one
        "first_margin": games.by_place(games.margins())[games.is_first],
    }


def _standings(games: _Games) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Seats by their deficit at each moment, and what they won in the end, in decided games.

    Returns:
        ``(G, moments, deficits)`` twice, and whether each game had the moment ``half``: ``(G,)``.
    """
    rules = games.cell.variant.rules
    starts = np.flatnonzero(games.is_first)
    totals = games.scores.cumsum(axis=0)
    before = np.zeros((games.num_games, games.n), np.int64)
    before[1:] = totals[starts[1:] - 1]
    totals -= before[games.game]
    best = totals.max(axis=1)
    played = games.result.round_index + 1
    if rules.target_score is not None:
        reached = 2 * best >= rules.target_score
    else:
        reached = 2 * played >= (rules.max_deals or 0)
    is_half = np.zeros(len(played), np.bool_)
    is_half[_first_of_each(games.game, reached)] = True
    counts = games.is_decided[games.game] & ~games.is_last
    edges = _edges(rules.target_score)
    place = np.searchsorted(edges, best[:, None] - totals, side="right")
    hit = (place[:, :, None] == np.arange(len(edges) + 1)).astype(np.int64)  # (R, n, deficits)
    won = (hit * games.win_shares[games.game][:, :, None]).sum(axis=1)
    seats = hit.sum(axis=1)
    moments = np.stack([is_half, *(played == number for number in MOMENTS[1:])], axis=1)
    moments &= counts[:, None]
    found = games.of_games(moments[:, :, None] * seats[:, None, :])
    wins = games.of_games(moments[:, :, None] * won[:, None, :])
    return found, wins, games.of_games(moments[:, 0].astype(np.int64)) > 0


def _first_of_each(game: npt.NDArray[Any], mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """The first row of each game at which a mask holds."""
    rows = np.flatnonzero(mask)
    return rows[np.unique(game[rows], return_index=True)[1]]


def first_rounds(
    cell: Cell, block: Block, result: ArenaResult, num_deals: int
) -> npt.NDArray[np.float64]:
    """Margins in first rounds of the side that differs from all others, by its place.

    Agent 0 is the strong one, 1 the weak one. ``float64 (deals, sides, 2, 2)``: by place, own
    agent and that of the others; NaN where nobody sat so.
    """
    games = _Games(cell, block, result)
    sides = cell.num_sides
    found = np.full((num_deals, sides, 2, 2), np.nan)
    margins = games.by_place(games.margins())[games.is_first]
    who = np.take_along_axis(block.agents.astype(np.int64), games.seats[games.is_first], axis=1)
    deal = block.deal - block.first_deal
    for place in range(sides):
        own = who[:, place]
        others = np.delete(who, np.arange(place, games.n, sides), axis=1)
        alone = (others == others[:, :1]).all(axis=1) & (others[:, 0] != own)
        found[deal[alone], place, own[alone], others[alone, 0]] = margins[alone, place]
    return found


def duel_sums(cell: Cell, block: Block, result: ArenaResult) -> Arrays:
    """The sums of games of strong (0) against weak (1), deal by deal: ``(D, …)`` each.

    Counted are the games with one strong seat, or side, among weak ones.
    """
    games = _Games(cell, block, result)
    strong = block.agents == 0
    alone = strong.sum(axis=1) == games.side
    mine = (strong & alone[:, None]) / games.side  # (G, n): weights of seats
    seat_rounds = mine[games.game]
    margin = games.of_games((games.margins() * seat_rounds).sum(axis=1))
    best = games.of_games((games.best_shares * seat_rounds).sum(axis=1))
    starts = np.flatnonzero(np.diff(block.deal, prepend=block.deal[0] - 1))

    def by_deal(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.add.reduceat(values, starts, axis=0)

    return {
        "rounds": by_deal(alone * result.rounds.astype(np.int64)),
        "margin": by_deal(margin),
        "best": by_deal(best),
        "decided": by_deal((alone & games.is_decided).astype(np.int64)),
        "wins": by_deal((games.win_shares * mine).sum(axis=1)),
        "first": first_rounds(cell, block, result, block.num_deals),
    }


def joined(parts: Sequence[Arrays]) -> dict[str, npt.NDArray[Any]]:
    """The sums of parts of a run as one."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
