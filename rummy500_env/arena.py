"""Many games between agents, played to their end.

An agent is any object with a ``name`` and either a compiled ``policy`` (see
:mod:`rummy500_env.engine.policies`) or a method ``act(views, action_masks) -> actions`` that
decides for a batch of views at once. What a game comes to depends on its seed, its seating and
its keys alone: not on how games are grouped, nor on the number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import action_space
from rummy500_env.engine.jit import allocate
from rummy500_env.engine.matches import apply_actions, gather, play_policy, start_matches
from rummy500_env.engine.policies import policy_pointer
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.engine.state import STATE, WORDS
from rummy500_env.faults import agent_answers, agent_chose, agent_failed, decision_at
from rummy500_env.move_log import MoveLog
from rummy500_env.rules import Rules
from rummy500_env.view_record import VIEW

__all__ = ["Arena", "ArenaResult"]

CHUNK = 512
"""Games played side by side by one thread: their records fit a processor's cache."""

END_ROWS = 4096
COUNTED = (
    "points_melded",
    "points_laid_off",
    "hand_penalties",
    "outs",
    "digs",
    "dug_cards",
    "decisions",
)


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
        round_scores: ``int32 (R, n)``.
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
    round_scores: npt.NDArray[np.int32]


class Arena:
    """A place where agents play many games of one variant.

    Args:
        rules: The rules.
        num_players: Seats at each table.
        agents: The agents; a seating names them by their place here.
        episode: ``"round"`` or ``"game"``.
    """

    def __init__(
        self, rules: Rules, num_players: int, agents: Sequence[Any], episode: str = "round"
    ) -> None:
        if episode not in ("game", "round"):
            raise ValueError(f"episode={episode!r}: allowed are 'game' and 'round'")
        self.rules = rules
        self.num_players = num_players
        self.agents = list(agents)
        self._single_round = np.int64(episode == "round")
        self._rules_record = rules_record(rules, num_players)
        self._policies = [
            None if getattr(agent, "policy", None) is None else policy_pointer(agent.policy)
            for agent in self.agents
        ]

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
            IllegalActionError: when an agent chooses an illegal action.
            AgentError: when an agent fails to choose; its cause is what the agent raised.
        """
        n = self.num_players
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
        chunks = [slice(k, k + CHUNK) for k in range(0, len(words), CHUNK)]
        names = np.arange(len(words)) if game_ids is None else np.asarray(game_ids, np.int64)
        work = [(c.start, words[c], who[c], random[c], names[c]) for c in chunks]
        if threads > 1 and all(policy is not None for policy in self._policies):
            with ThreadPoolExecutor(threads) as pool:
                parts = list(pool.map(lambda job: self._play_chunk(*job), work))
        else:
            parts = [self._play_chunk(*job) for job in work]
        return _joined(parts)

    def _play_chunk(self, first: int, seeds: Any, who: Any, keys: Any, names: Any) -> ArenaResult:
        chunk = _Chunk(self, first, seeds, who, keys, names)
        chunk.play()
        return chunk.result()


class _Chunk:
    """Games played side by side."""

    def __init__(
        self, arena: Arena, first: int, seeds: Any, who: Any, keys: Any, names: Any
    ) -> None:
        self.arena, self.first, self.who, self.keys = arena, np.int64(first), who, keys
        self.names = names
        self.size, self.n = who.shape
        self.states = allocate(self.size, STATE)
        self.rules = arena._rules_record
        blank = allocate(1, STATE)
        start_matches(self.states, blank, self.rules, seeds, arena._single_round, 0, self.size)
        self.view = allocate(1, VIEW)
        self.legal = np.zeros((1, WORDS), np.int64)
        self.ends = np.zeros((max(END_ROWS, 2 * self.size), 5 + self.n), np.int32)
        self.num_ends = np.zeros(1, np.int64)
        self.kept: list[npt.NDArray[np.int32]] = []
        self.seconds = np.zeros((self.size, self.n))
        watched = any(getattr(agent, "watches", False) for agent in arena.agents)
        self.log = MoveLog(self.size, self.n, watched)

    def play(self) -> None:
        """Let the agents in turn play wherever they are to move, until all games are over."""
        playing: list[int] = np.unique(self.who).tolist()
        while (self.states["phase"] != 0).any():
            for k in playing:
                policy = self.arena._policies[k]
                if policy is None:
                    self._ask(k)
                else:
                    self._run(k, policy)
                if self.num_ends[0] > len(self.ends) - self.size:
                    self._keep_ends()

    def _run(self, k: int, policy: Any) -> None:
        try:
            wrong = play_policy(
                self.states,
                self.rules,
                self.keys,
                self.who,
                np.int64(k),
                policy,
                self.view,
                self.legal,
                self.first,
                self.ends,
                self.num_ends,
                self.log.actions,
                self.log.seats,
                self.log.sizes,
                0,
                self.size,
            )
        except Exception as error:
            table = int(self.view["table"][0]) - int(self.first)
            raise agent_failed(self._named(k), error, self._where(table)) from error
        self.log.collect()
        if wrong >= 0:
            raise agent_chose(self._named(k), "an illegal action", self._where(wrong))

    def _ask(self, k: int) -> None:
        agent = self.arena.agents[k]
        tables = np.empty(self.size, np.int64)
        views = allocate(self.size, VIEW)
        masks = np.zeros((self.size, self._num_actions()), np.int8)
        count = gather(
            self.states,
            self.rules,
            self.keys,
            self.who,
            np.int64(k),
            self.first,
            tables,
            views,
            masks,
        )
        if count == 0:
            return
        # One that chooses move by move is asked so: an error can then name the decision.
        size = 1 if callable(getattr(agent, "choose", None)) else count
        parts = [slice(row, row + size) for row in range(0, count, size)]
        answers = [self._answer(k, tables[:count][p], views[:count][p], masks[p]) for p in parts]
        actions, asked = np.concatenate(answers), tables[:count]
        movers = self.states["seat"][asked].copy()
        wrong = apply_actions(
            self.states,
            self.rules,
            tables,
            actions,
            self.ends,
            self.num_ends,
            count,
        )
        if wrong >= 0:
            said = f"action {int(actions[wrong])}"
            raise agent_chose(self._named(k), said, self._where(int(asked[wrong])))
        self.log.note(asked, movers, actions)

    def _tell(self, k: int, asked: Any) -> None:
        """Tell an agent that watches what has been played since its seats last decided."""
        agent = self.arena.agents[k]
        if getattr(agent, "watches", False):
            for table in asked.tolist():
                seat = int(self.states["seat"][table])
                agent.note_moves(int(self.first) + table, seat, self.log.untold(table, seat))

    def _answer(self, k: int, asked: Any, views: Any, masks: Any) -> npt.NDArray[np.int64]:
        """Return the actions of an agent for some views."""

        def ask() -> Any:
            self._tell(k, asked)
            return self.arena.agents[k].act(views, masks[: len(views)])

        start = perf_counter()
        actions = agent_answers(ask, len(asked), self._named(k), lambda: self._where(int(asked[0])))
        self.seconds[asked, self.states["seat"][asked]] += (perf_counter() - start) / len(asked)
        return actions

    def _num_actions(self) -> int:
        return int(self.rules["num_actions"][0])

    def _named(self, k: int) -> str:
        return f"agent {self.arena.agents[k].name!r}"

    def _where(self, table: int) -> str:
        space = action_space(self.arena.rules, self.n)
        return decision_at(self.states, table, self.rules, space, f"game {self.names[table]}")

    def _keep_ends(self) -> None:
        self.kept.append(self.ends[: self.num_ends[0]].copy())
        self.num_ends[0] = 0

    def result(self) -> ArenaResult:
        """Return what the games came to."""
        self._keep_ends()
        ends = np.concatenate(self.kept)
        ends = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
        states, n = self.states, self.n
        counted = {name: states[name][:, :n].copy() for name in COUNTED}
        winners = states["winners"][:, None].astype(np.int64)
        return ArenaResult(
            scores=states["scores"][:, :n].copy(),
            won=(winners >> np.arange(n) & 1).astype(np.bool_),
            rounds=states["round_index"].copy(),
            truncated=states["truncated"].copy(),
            hand_penalty=counted.pop("hand_penalties"),
            went_out=counted.pop("outs"),
            **counted,
            decide_seconds=self.seconds,
            round_game=ends[:, 0].astype(np.int64) + self.first,
            round_index=ends[:, 1],
            round_how=ends[:, 2].astype(np.uint8),
            round_out=ends[:, 3].astype(np.int8),
            round_turns=ends[:, 4],
            round_scores=ends[:, 5:],
        )


def _joined(parts: list[ArenaResult]) -> ArenaResult:
    if not parts:
        raise ValueError("no games to play")
    arrays = {
        field.name: np.concatenate([getattr(part, field.name) for part in parts])
        for field in fields(ArenaResult)
    }
    return ArenaResult(**arrays)
