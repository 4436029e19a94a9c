"""Many games between agents, played to their end.

An agent is any object with a ``name`` and either a compiled ``policy`` (see
:mod:`rummy500_env.engine.policies`) or a method ``act(views, action_masks) -> actions`` that
decides for a batch of views at once. One that declares ``cheats = True`` is asked by
``act_seeing(views, action_masks, tables)`` instead, and sees the true tables; no other agent is
given one. What a game comes to depends on its seed, its seating and
its keys alone: not on how games are grouped, nor on the number of threads.

An agent that fails (it raises, chooses an illegal action, or takes too long) stops everything with
an error that says where; or, with ``forfeits``, it loses that game and play goes on. What a forfeit
costs is said in :mod:`rummy500_env.engine.forfeits`: :data:`FORFEIT_POINTS` and the cards in hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.arena_games import FORFEIT_POINTS, ArenaGames, Contest
from rummy500_env.engine.policies import policy_pointers
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.rules import Rules

__all__ = ["FORFEIT_POINTS", "Arena", "ArenaResult"]

CHUNK = 512
"""Games that a thread plays at a time: enough that what Python does for them is little."""


@dataclass(frozen=True)
class ArenaResult:
    """What games came to, in arrays; ``G`` games of ``n`` seats with ``R`` finished rounds.

    Attributes:
        scores: ``int32 (G, n)``: final totals.
        won: ``bool (G, n)``: who won (several on a shared win, nobody after a truncation).
        rounds: ``int32 (G,)``: finished rounds.
        truncated: ``uint8 (G,)``: 0, or 1 for ``max_turns``, 2 for ``max_rounds``.
        points_melded, points_laid_off, hand_penalty: ``int32 (G, n)``, points over the game.
        went_out, digs, dug_cards, decisions: ``int32 (G, n)``, counts over the game.
        decide_seconds: ``float64 (G, n)``: time taken by agents that are not compiled.
        round_game: ``int64 (R,)``: game of each round; rounds stand in order of game and index.
        round_index: ``int32 (R,)``: 0 for a game's first round.
        round_how: ``uint8 (R,)``: 1 somebody went out, 2 stock exhausted, 3 cut off.
        round_out: ``int8 (R,)``: who went out, or -1.
        round_turns: ``int32 (R,)``: turns of the round, the last one counted.
        round_decisions: ``int32 (R,)``: decisions of all seats in the round.
        round_scores: ``int32 (R, n)``.
        forfeit_seat: ``int8 (G,)``: seat whose agent forfeited the game, or -1.
        forfeit_reason: ``str (G,)``, objects: what it did; empty without a forfeit.
        move_seats: ``int8 (M,)``: who made the moves.
        moves: ``int16 (M,)``: the actions of all games, one game after the other; empty unless
            they were to be kept. Those of a round are ``round_decisions`` in number.
    """

    scores: npt.NDArray[np.int32]
    won: npt.NDArray[np.bool_]
    rounds: npt.NDArray[np.int32]
    truncated: npt.NDArray[np.uint8]
    points_melded: npt.NDArray[np.int32]
    points_laid_off: npt.NDArray[np.int32]
    hand_penalty: npt.NDArray[np.int32]
    went_out: npt.NDArray[np.int32]
    digs: npt.NDArray[np.int32]
    dug_cards: npt.NDArray[np.int32]
    decisions: npt.NDArray[np.int32]
    decide_seconds: npt.NDArray[np.float64]
    round_game: npt.NDArray[np.int64]
    round_index: npt.NDArray[np.int32]
    round_how: npt.NDArray[np.uint8]
    round_out: npt.NDArray[np.int8]
    round_turns: npt.NDArray[np.int32]
    round_decisions: npt.NDArray[np.int32]
    round_scores: npt.NDArray[np.int32]
    forfeit_seat: npt.NDArray[np.int8]
    forfeit_reason: npt.NDArray[np.object_]
    move_seats: npt.NDArray[np.int8]
    moves: npt.NDArray[np.int16]


class Arena:
    """A place where agents play many games of one variant.

    Args:
        rules: The rules.
        num_players: Seats at each table.
        agents: The agents; a seating names them by their place here.
        episode: ``"round"`` or ``"game"``.
        keep_moves: Whether results hold the moves of all games.
        forfeits: Whether an agent that fails forfeits its game, or raises an error.
        decision_seconds: Time an agent may take for a decision; None: any. Time is measured for
            agents that are not compiled. One that is asked in this process is never cut off, it
            fails afterwards; one with ``act_within(views, masks, seconds)`` is.
        game_seconds: Time it may take for all decisions of a seat in a game.
    """

    def __init__(
        self,
        rules: Rules,
        num_players: int,
        agents: Sequence[Any],
        episode: str = "round",
        keep_moves: bool = False,
        forfeits: bool = False,
        decision_seconds: float | None = None,
        game_seconds: float | None = None,
    ) -> None:
        if episode not in ("game", "round"):
            raise ValueError(f"episode={episode!r}: allowed are 'game' and 'round'")
        self.contest = Contest(
            rules,
            rules_record(rules, num_players),
            num_players,
            tuple(agents),
            policy_pointers([getattr(agent, "policy", None) for agent in agents]),
            np.int64(episode == "round"),
            keep_moves,
            forfeits,
            decision_seconds,
            game_seconds,
        )

    @property
    def agents(self) -> tuple[Any, ...]:
        """The agents."""
        return self.contest.agents

    @property
    def _chunk(self) -> int:
        """Games side by side: one when an agent may have to be killed in the middle of it."""
        return 1 if any(getattr(agent, "isolated", False) for agent in self.agents) else CHUNK

    def play(
        self,
        seeds: npt.ArrayLike,
        seating: npt.ArrayLike,
        keys: npt.ArrayLike,
        threads: int = 1,
        game_ids: npt.ArrayLike | None = None,
    ) -> ArenaResult:
        """Play a game for each seed.

        Args:
            seeds: ``uint64 (G,)``.
            seating: ``(G, n)``: number of the agent at each seat.
            keys: ``uint64 (G, n)``: word from which the random bits of a seat's views follow.
            threads: Threads that share the games; used when all agents are compiled.
            game_ids: ``(G,)``: what errors call the games; from 0 on when left out.

        Raises:
            ValueError: when shapes do not fit or a seating names an agent that is not there.
            IllegalActionError: when an agent chooses an illegal action, unless it forfeits.
            AgentError: when an agent fails to choose, unless it forfeits; the cause is what it
                raised.
        """
        n = self.contest.num_players
        words = np.asarray(seeds, np.uint64)
        who = np.ascontiguousarray(seating, np.int64)
        random = np.ascontiguousarray(keys, np.uint64)
        if words.ndim != 1 or who.shape != (len(words), n) or random.shape != who.shape:
            raise ValueError(
                f"seeds {words.shape}, seating {who.shape}, keys {random.shape}: (G,), (G, {n}) "
                f"and (G, {n}) are needed"
            )
        if len(who) and not 0 <= who.min() <= who.max() < len(self.agents):
            raise ValueError(f"the seating names agents outside 0..{len(self.agents) - 1}")
        chunks = [slice(k, k + self._chunk) for k in range(0, len(words), self._chunk)]
        names = np.arange(len(words)) if game_ids is None else np.asarray(game_ids, np.int64)
        work = [(c.start, words[c], who[c], random[c], names[c]) for c in chunks]
        if threads > 1 and all(pointer != 0 for pointer in self.contest.policies):
            with ThreadPoolExecutor(threads) as pool:
                parts = list(pool.map(lambda job: self._play_chunk(*job), work))
        else:
            parts = [self._play_chunk(*job) for job in work]
        return _joined(parts)

    def _play_chunk(self, first: int, seeds: Any, who: Any, keys: Any, names: Any) -> ArenaResult:
        games = ArenaGames(self.contest, first, seeds, who, keys, names)
        games.play()
        return ArenaResult(**games.results())


def _joined(parts: list[ArenaResult]) -> ArenaResult:
    if not parts:
        raise ValueError("no games to play")
    arrays = {
        field.name: np.concatenate([getattr(part, field.name) for part in parts])
        for field in fields(ArenaResult)
    }
    return ArenaResult(**arrays)
