"""Which games a tournament plays: seeds, tables, seatings and random bits, as pure functions.

A tournament has ``num_deals`` deals, each with a game seed of its own. A *lineup* is the set of
agents at one table; it plays a deal in every *seating* of a list, so that luck with the cards and
the seats falls on all alike. All games of one deal, whatever the lineup, share the seed: a deal is
the cluster of all statistics.

Seats
    With two or three seats the seatings are all orders of the lineup. With four and more, where
    the left neighbour lives on one's discards, a cyclic order of the lineup is drawn for the deal
    and played in all its rotations.

Lineups
    ``mixed``: different agents at each table. With as many agents as seats there is one lineup.
    With more, every lineup that can be chosen is played equally often, so every pair of agents
    meets equally often: for each deal all lineups if they are few, else a share of them that
    changes from deal to deal (see `num_shares`).

    ``pairs``: for each pair A, B and each deal, one A among the others B in every seat, and one B
    among the others A in every seat. This is what "A against B" means at three and more seats.

    ``gauntlet``: as ``pairs``, but of the first agent and each of the others only.

    ``teams``: for each pair A, B and each deal, the side of seats 0 and 2 is A's and the other B's,
    and the other way round. Rules with teams are played so, and no others.

    ``self``: each agent alone holds all seats of a table, which is played once. Nothing is compared
    there: it is for studies of the rules (`experiments.balance`), and tournaments refuse it.

    ``auto`` is ``teams`` where the rules have them, ``pairs`` where agents are fewer than seats,
    else ``mixed``. At two seats ``mixed`` and ``pairs`` are the same.

All numbers follow from the seed of the run by BLAKE2b over text, in words of 64 bits read as
little-endian, so they are the same on every machine and in every version.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from experiments.errors import RunError

__all__ = [
    "SELF",
    "Block",
    "Design",
    "Lineup",
    "Schedule",
    "agent_keys",
    "agent_seed",
    "game_seed",
    "game_seeds",
    "num_shares",
]

Design: TypeAlias = Literal["auto", "mixed", "pairs", "gauntlet", "teams"]
"""How a tournament puts agents together."""
SELF: Final = "self"
"""How a study of the rules does: each agent with itself."""

MAX_SEATS: Final = 8
ALL_ORDERS_UP_TO: Final = 3
"""Seats up to which every order of a lineup is played."""


def _hash(purpose: bytes, text: str, num_words: int = 1) -> bytes:
    """Up to eight 64-bit words that follow from a text, for one purpose."""
    return _hashes(purpose, text, ("",), num_words)


def _hashes(purpose: bytes, start: str, rests: Iterable[str], num_words: int = 1) -> bytes:
    """The same for many texts that start alike, one after the other."""
    begun = hashlib.blake2b(start.encode(), digest_size=8 * num_words, person=purpose)
    digests = []
    for rest in rests:
        text = begun.copy()
        text.update(rest.encode())
        digests.append(text.digest())
    return b"".join(digests)


def _words(digests: bytes) -> np.ndarray:
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


def game_seeds(run_seed: int, first: int, stop: int) -> np.ndarray:
    """The game seeds of the deals of a run from ``first`` to before ``stop``, uint64."""
    return _words(_hashes(b"rummy500 deal", f"{run_seed}/", map(str, range(first, stop))))


def game_seed(run_seed: int, deal: int) -> int:
    """The game seed of a deal of a run: a whole number below 2**64."""
    return int(game_seeds(run_seed, deal, deal + 1)[0])


def agent_keys(run_seed: int, deal: int, name: str) -> np.ndarray:
    """Where an agent's random bits come from in a deal: a word for each of eight seats, uint64.

    They hang on the agent's name and seat, and on nothing else of the table. No game seed can be
    computed from them.
    """
    return _agent_keys(run_seed, [f"{deal}/{name}"])


def agent_seed(run_seed: int, name: str) -> int:
    """The seed with which an agent gets ready for a run: a whole number below 2**64.

    No game seed can be computed from it.
    """
    return int(_words(_hash(b"rummy500 reset", f"{run_seed}/{name}"))[0])


def _agent_keys(run_seed: int, deals_and_names: Iterable[str]) -> np.ndarray:
    return _words(_hashes(b"rummy500 agent", f"{run_seed}/", deals_and_names, MAX_SEATS))


def num_shares(num_lineups: int, num_agents: int, num_deals: int) -> int:
    """Into how many shares the lineups are divided; each deal plays one share, in turn.

    The largest divisor of the number of deals that leaves at least as many lineups in a share as
    there are agents. A divisor, so that every lineup is played equally often.
    """
    most = max(1, num_lineups // num_agents)
    return max(shares for shares in range(1, min(most, num_deals) + 1) if num_deals % shares == 0)


@dataclass(frozen=True, slots=True)
class Lineup:
    """The agents at one table, as numbers of agents, in the order of the schedule."""

    agents: tuple[int, ...]

    @property
    def is_mixed(self) -> bool:
        """Whether all agents differ."""
        return len(set(self.agents)) == len(self.agents)


class Block(NamedTuple):
    """Some games of a schedule, all games of some consecutive deals; G of them at n seats."""

    first_deal: int
    num_deals: int
    game_id: np.ndarray
    """int64 (G,): number of the game in the schedule, from 0."""
    deal: np.ndarray
    """int32 (G,): number of the deal."""
    lineup: np.ndarray
    """int32 (G,): number of the lineup."""
    seating: np.ndarray
    """int16 (G,): number of the seating within lineup and deal."""
    seeds: np.ndarray
    """uint64 (G,): game seed."""
    agents: np.ndarray
    """int16 (G, n): number of the agent at each seat."""
    keys: np.ndarray
    """uint64 (G, n): word from which the random bits of the agent at each seat follow."""

    def game(self, index: int) -> Block:
        """One of these games alone."""
        first, num, *rows = self
        return Block(first, num, *(row[index : index + 1] for row in rows))


@dataclass(frozen=True)
class Schedule:
    """The games of a tournament, in the order in which their rows stand in the tables.

    Args:
        agents: names of the agents.
        num_players: seats at each table.
        num_deals: game seeds.
        seed: seed of the run, a whole number from 0 to 2**64 - 1.
        design: how agents are put together, see the module.
        in_teams: whether the rules seat two sides of two.
    """

    agents: tuple[str, ...]
    num_players: int
    num_deals: int
    seed: int
    design: Design | Literal["self"] = "auto"
    in_teams: bool = False

    def __post_init__(self) -> None:
        fewest = 1 if self.design == SELF else 2
        problems = [
            (
                len(self.agents) < fewest,
                f"agents={','.join(self.agents)}: at least {fewest} are needed",
            ),
            (
                not 2 <= self.num_players <= MAX_SEATS,
                f"players={self.num_players} is not allowed: use 2 to {MAX_SEATS}",
            ),
            (self.num_deals < 1, f"deals={self.num_deals} is not allowed: use 1 or more"),
            (
                not 0 <= self.seed < 2**64,
                f"seed={self.seed} is not allowed: use a whole number from 0 to 2**64 - 1",
            ),
            (
                self.design not in (*get_args(Design), SELF),
                f"design={self.design!r} is not allowed: use {', '.join(get_args(Design))}",
            ),
        ]
        for is_wrong, text in problems:
            if is_wrong:
                raise RunError(text)
        fitting = ("auto", "teams") if self.in_teams else get_args(Design)[:-1]
        if self.design not in (*fitting, SELF):
            raise RunError(
                f"design={self.design!r} is not allowed with these rules: they "
                + ("have teams, use teams or auto" if self.in_teams else "have no teams")
            )
        if self.design == "mixed" and len(self.agents) < self.num_players:
            raise RunError(
                f"design='mixed' needs at least as many agents as seats: "
                f"{len(self.agents)} agents for {self.num_players} seats; use design='pairs'"
            )

    # --- the design ------------------------------------------------------------------------------

    @property
    def plays_pairs(self) -> bool:
        """Whether tables hold two agents only (by design; at two seats they always do)."""
        if self.design == "auto":
            return self.in_teams or len(self.agents) < self.num_players
        return self.design not in ("mixed", SELF)

    @cached_property
    def lineups(self) -> tuple[Lineup, ...]:
        """All lineups; a game's ``lineup`` is a number in this list."""
        everyone = range(len(self.agents))
        if self.design == SELF:
            return tuple(Lineup((agent,) * self.num_players) for agent in everyone)
        if not self.plays_pairs:
            return tuple(map(Lineup, itertools.combinations(everyone, self.num_players)))
        met = list(itertools.combinations(everyone, 2))
        if self.design == "gauntlet":
            met = [pair for pair in met if 0 in pair]
        if self.num_players == 2:
            return tuple(map(Lineup, met))
        if self.in_teams:
            return tuple(Lineup(pair * (self.num_players // 2)) for pair in met)
        others = self.num_players - 1
        found: list[Lineup] = []
        for a, b in met:
            found += (Lineup((a,) + (b,) * others), Lineup((b,) + (a,) * others))
        return tuple(found)

    @property
    def seats_held(self) -> tuple[int, ...]:
        """How many seats of a table an agent can hold that sits there."""
        if self.design == SELF:
            return (self.num_players,)
        if self.in_teams:
            return (self.num_players // 2,)
        return tuple(sorted({1, self.num_players - 1}))

    @cached_property
    def num_shares(self) -> int:
        """Shares of the lineups; the games of a deal are those of one share."""
        if self.plays_pairs or self.num_players == 2 or self.design == SELF:
            return 1
        return num_shares(len(self.lineups), len(self.agents), self.num_deals)

    @cached_property
    def shares(self) -> tuple[tuple[int, ...], ...]:
        """The lineups of each share: deal d plays those of share d modulo `num_shares`."""
        count = len(self.lineups)
        if self.num_shares == 1:
            return (tuple(range(count)),)
        order = sorted(range(count), key=lambda i: _hash(b"rummy500 share", f"{self.seed}/{i}"))
        return tuple(tuple(sorted(order[k :: self.num_shares])) for k in range(self.num_shares))

    @cached_property
    def num_seatings(self) -> int:
        """Games of one lineup in one deal."""
        if self.design == SELF:
            return 1
        if self.in_teams:
            return 2
        if self.plays_pairs or self.num_players > ALL_ORDERS_UP_TO:
            return self.num_players
        return math.factorial(self.num_players)

    @property
    def num_games(self) -> int:
        """Games of the whole schedule."""
        return self.games_before(self.num_deals)

    def games_before(self, deal: int) -> int:
        """Games of all deals before one: the ``game_id`` of its first game."""
        rounds, rest = divmod(deal, self.num_shares)
        tables = rounds * len(self.lineups) + sum(map(len, self.shares[:rest]))
        return tables * self.num_seatings

    # --- the games -------------------------------------------------------------------------------

    def seatings(self, deal: int, lineup: int) -> tuple[tuple[int, ...], ...]:
        """The agents by seat in each game of a lineup in a deal."""
        table = self.lineups[lineup]
        if self.num_players <= ALL_ORDERS_UP_TO or not table.is_mixed:
            return self._fixed_seatings[lineup]
        draw = _words(_hash(b"rummy500 order", f"{self.seed}/{deal}/{lineup}", self.num_players))
        order = [table.agents[i] for i in sorted(range(self.num_players), key=lambda i: draw[i])]
        return tuple(_rotations(order))

    @cached_property
    def _fixed_seatings(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Seatings that hang on the lineup alone, for each lineup."""
        return tuple(
            tuple(itertools.permutations(lineup.agents))
            if lineup.is_mixed and self.num_players <= ALL_ORDERS_UP_TO
            else tuple(_rotations(lineup.agents))[: self.num_seatings]
            for lineup in self.lineups
        )

    def block(self, first: int, stop: int) -> Block:
        """All games of the deals from ``first`` to before ``stop``."""
        shares = [self.shares[deal % self.num_shares] for deal in range(first, stop)]
        tables = np.array([len(share) for share in shares], dtype=np.int64)
        deal_of = np.repeat(np.arange(first, stop, dtype=np.int32), tables * self.num_seatings)
        lineups = np.fromiter(itertools.chain.from_iterable(shares), np.int32)
        seats = [
            self.seatings(deal, lineup)
            for deal, share in zip(range(first, stop), shares, strict=True)
            for lineup in share
        ]
        agents = np.array(seats, dtype=np.int16).reshape(-1, self.num_players)
        keys = self._keys(first, stop)
        local = deal_of - first
        offset = self.games_before(first)
        return Block(
            first_deal=first,
            num_deals=stop - first,
            game_id=np.arange(offset, offset + len(deal_of), dtype=np.int64),
            deal=deal_of,
            lineup=np.repeat(lineups, self.num_seatings),
            seating=(np.arange(len(deal_of)) % self.num_seatings).astype(np.int16),
            seeds=game_seeds(self.seed, first, stop)[local],
            agents=agents,
            keys=keys[local[:, None], agents, np.arange(self.num_players)],
        )

    def _keys(self, first: int, stop: int) -> np.ndarray:
        """Words by deal, agent and seat: uint64 (deals, agents, 8)."""
        names = (f"{deal}/{name}" for deal in range(first, stop) for name in self.agents)
        return _agent_keys(self.seed, names).reshape(stop - first, len(self.agents), MAX_SEATS)


def _rotations(order: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """A cyclic order, begun at each seat in turn."""
    for start in range(len(order)):
        yield tuple(order[(seat - start) % len(order)] for seat in range(len(order)))
