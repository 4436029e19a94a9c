"""Games that are played side by side: their agents are asked in turn until all are over."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import action_space
from rummy500_env.engine.forfeits import forfeit_game
from rummy500_env.engine.jit import allocate, picked
from rummy500_env.engine.matches import (
    FIRST_SCORE,
    apply_actions,
    gather,
    play_policies,
    start_matches,
)
from rummy500_env.engine.state import STATE, WORDS
from rummy500_env.errors import AgentError, IllegalActionError
from rummy500_env.faults import agent_answers, agent_chose, agent_failed, decision_at, too_slow
from rummy500_env.move_log import MoveLog
from rummy500_env.rules import Rules
from rummy500_env.view_record import VIEW

__all__ = ["FORFEIT_POINTS", "ArenaGames", "Contest"]

FORFEIT_POINTS = 100
"""What a forfeit costs besides the cards in hand: about what a round is worth."""

END_ROWS = 4096
COUNTED = {
    "points_melded": "points_melded",
    "points_laid_off": "points_laid_off",
    "hand_penalty": "hand_penalties",
    "went_out": "outs",
    "digs": "digs",
    "dug_cards": "dug_cards",
    "decisions": "decisions",
}
"""What a table counts for each seat over a game: its name in results, and in the table's record."""


@dataclass(frozen=True)
class Contest:
    """What is the same for all games of an arena; see there."""

    rules: Rules
    rules_record: Any
    num_players: int
    agents: tuple[Any, ...]
    policies: Any
    single_round: np.int64
    keep_moves: bool
    forfeits: bool
    decision_seconds: float | None
    game_seconds: float | None


class ArenaGames:
    """Games played side by side.

    Args:
        contest: What is the same for all.
        first: Number of the first one among all.
        seeds: ``uint64 (G,)``.
        who: ``int64 (G, n)``: number of the agent at each seat.
        keys: ``uint64 (G, n)``: word from which the random bits of a seat's views follow.
        names: ``(G,)``: what errors call the games.
    """

    def __init__(
        self, contest: Contest, first: int, seeds: Any, who: Any, keys: Any, names: Any
    ) -> None:
        self.contest, self.first, self.who, self.keys = contest, np.int64(first), who, keys
        self.names = names
        self.size, self.n = who.shape
        self.states = allocate(self.size, STATE)
        self.rules = contest.rules_record
        blank = allocate(1, STATE)
        start_matches(self.states, blank, self.rules, seeds, contest.single_round, 0, self.size)
        self.view = allocate(1, VIEW)
        self.legal = np.zeros((1, WORDS), np.int64)
        self.ends = np.zeros((max(END_ROWS, 2 * self.size), FIRST_SCORE + self.n), np.int32)
        self.num_ends = np.zeros(1, np.int64)
        self.kept: list[npt.NDArray[np.int32]] = []
        self.seconds = np.zeros((self.size, self.n))
        self.forfeit_seat = np.full(self.size, -1, np.int8)
        self.forfeit_reason = np.full(self.size, "", np.object_)
        watched = any(getattr(agent, "watches", False) for agent in contest.agents)
        self.log = MoveLog(self.size, self.n, watched or contest.keep_moves)

    def play(self) -> None:
        """Let the agents in turn play wherever they are to move, until all games are over."""
        playing: list[int] = np.unique(self.who).tolist()
        asked = [k for k in playing if self.contest.policies[k] == 0]
        while (self.states["phase"] != 0).any():
            if len(asked) < len(playing):
                self._run()
            for k in asked:
                self._make_room()
                self._ask(k)
            self._make_room()

    # -- compiled agents -----------------------------------------------------------------------

    def _run(self) -> None:
        """Let the agents with a policy play on wherever one of them is to move."""
        table = 0
        while table >= 0:
            try:
                table = play_policies(
                    self.states,
                    self.rules,
                    self.keys,
                    self.who,
                    self.contest.policies,
                    self.view,
                    self.legal,
                    self.first,
                    self.ends,
                    self.num_ends,
                    self.log.actions,
                    self.log.seats,
                    self.log.sizes,
                    table,
                    self.size,
                )
            except Exception as error:
                asked = int(self.view["table"][0]) - int(self.first)
                raise agent_failed(self._mover(asked), error, self._where(asked)) from error
            self.log.collect()
            if table >= 0:
                said = agent_chose(self._mover(table), "an illegal action", self._where(table))
                self._fail(said, table)

    # -- agents that are asked -----------------------------------------------------------------

    def _ask(self, k: int) -> None:
        """Ask an agent for a decision wherever it is to move, and play what it says."""
        agent = self.contest.agents[k]
        tables = np.empty(self.size, np.int64)
        views = allocate(self.size, VIEW)
        masks = np.zeros((self.size, int(self.rules["num_actions"][0])), np.int8)
        games = (self.states, self.rules, self.keys, self.who)
        count = gather(*games, np.int64(k), self.first, tables, views, masks)
        # One that chooses move by move is asked so: an error can then name the decision.
        size = 1 if callable(getattr(agent, "choose", None)) else max(count, 1)
        actions = np.full(count, -1, np.int64)
        for row in range(0, count, size):
            part = slice(row, min(row + size, count))
            actions[part] = self._decide(k, tables[part], views[part], masks[part])
        kept = actions >= 0
        asked, actions = tables[:count][kept], actions[kept]
        movers = self.states["seat"][asked].copy()
        ending = (self.ends, self.num_ends, np.int64(len(asked)))
        apply_actions(self.states, self.rules, asked, actions, *ending)
        self.log.note(asked, movers, actions)

    def _decide(self, k: int, asked: Any, views: Any, masks: Any) -> npt.NDArray[np.int64]:
        """Return an agent's actions, all legal; -1 where it has forfeited the game."""
        try:
            actions = self._answer(k, asked, views, masks)
        except (AgentError, IllegalActionError) as error:
            if len(asked) == 1 or not self.contest.forfeits:
                self._fail(error, int(asked[0]))
                return np.full(1, -1, np.int64)
            # Some of them is to blame: a decision hangs on its own view, so each is asked again.
            rows = range(len(asked))
            alone = [self._decide(k, *(x[i : i + 1] for x in (asked, views, masks))) for i in rows]
            return np.concatenate(alone)
        in_range = (actions >= 0) & (actions < masks.shape[1])
        legal = in_range & (masks[np.arange(len(asked)), np.where(in_range, actions, 0)] != 0)
        for row in np.flatnonzero(~legal).tolist():
            table = int(asked[row])
            said = f"action {int(actions[row])}"
            self._fail(agent_chose(self._named(k), said, self._where(table)), table)
        return np.where(legal, actions, -1)

    def _tell(self, k: int, asked: Any) -> None:
        """Tell an agent that watches what has been played since its seats last decided."""
        agent = self.contest.agents[k]
        if getattr(agent, "watches", False):
            for table in asked.tolist():
                seat = int(self.states["seat"][table])
                agent.note_moves(int(self.first) + table, seat, self.log.untold(table, seat))

    def _answer(self, k: int, asked: Any, views: Any, masks: Any) -> npt.NDArray[np.int64]:
        """Return what an agent says; an error when that is no array of actions in time."""
        agent = self.contest.agents[k]
        seats = self.states["seat"][asked]
        # The one door through which a table leaves: for agents that declare that they cheat.
        seen = (picked(self.states, asked),) if getattr(agent, "cheats", False) else ()

        def ask() -> Any:
            self._tell(k, asked)
            if hasattr(agent, "act_within"):
                return agent.act_within(views, masks, self._seconds_left(asked, seats), *seen)
            return agent.act_seeing(views, masks, *seen) if seen else agent.act(views, masks)

        start = perf_counter()
        try:
            where = partial(self._where, int(asked[0]))
            return agent_answers(ask, len(asked), self._named(k), where)
        finally:
            spent = (perf_counter() - start) / len(asked)
            self.seconds[asked, seats] += spent
            self._check_time(k, asked, seats, spent)  # one that is late has not answered

    def _seconds_left(self, asked: Any, seats: Any) -> float | None:
        """Return the time an agent has for a decision; None: any."""
        limits = []
        if self.contest.decision_seconds is not None:
            limits.append(self.contest.decision_seconds)
        if self.contest.game_seconds is not None:
            used = float(self.seconds[asked, seats].max())
            limits.append(max(self.contest.game_seconds - used, 0.0))
        return min(limits, default=None)

    def _check_time(self, k: int, asked: Any, seats: Any, spent: float) -> None:
        limit, most = self.contest.decision_seconds, self.contest.game_seconds
        who, table = self._named(k), int(asked[0])
        if most is not None and self.seconds[asked, seats].max() >= most:
            raise too_slow(who, most, "the decisions of a game", self._where(table))
        if limit is not None and spent >= limit:
            raise too_slow(who, limit, "a decision", self._where(table))

    # -- faults --------------------------------------------------------------------------------

    def _fail(self, error: AgentError | IllegalActionError, table: int) -> None:
        """Let the agent to move forfeit a game, or stop with the error."""
        if not self.contest.forfeits:
            raise error from error.__cause__
        if self.num_ends[0] == len(self.ends):
            self._keep_ends()
        seat = int(self.states["seat"][table])
        self.forfeit_seat[table] = seat
        self.forfeit_reason[table] = error.reason
        forfeit_game(
            self.states,
            self.rules,
            np.int64(table),
            np.int64(seat),
            np.int64(FORFEIT_POINTS),
            self.ends,
            self.num_ends,
        )

    def _mover(self, table: int) -> str:
        return self._named(int(self.who[table, self.states["seat"][table]]))

    def _named(self, k: int) -> str:
        return f"agent {self.contest.agents[k].name!r}"

    def _where(self, table: int) -> str:
        space = action_space(self.contest.rules, self.n)
        return decision_at(self.states, table, self.rules, space, f"game {self.names[table]}")

    # -- results -------------------------------------------------------------------------------

    def _make_room(self) -> None:
        """Have room for a round that ends at each table."""
        if self.num_ends[0] > len(self.ends) - self.size:
            self._keep_ends()

    def _keep_ends(self) -> None:
        self.kept.append(self.ends[: self.num_ends[0]].copy())
        self.num_ends[0] = 0

    def results(self) -> dict[str, Any]:
        """Return what the games came to, by the names that `ArenaResult` has for it."""
        self._keep_ends()
        ends = np.concatenate(self.kept)
        ends = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
        states, n = self.states, self.n
        winners = states["winners"][:, None].astype(np.int64)
        # What agents have watched is not what the caller has asked for.
        log = self.log if self.contest.keep_moves else MoveLog(0, n, watched=False)
        move_seats, moves = log.so_far()
        return {
            **{name: states[field][:, :n].copy() for name, field in COUNTED.items()},
            "scores": states["scores"][:, :n].copy(),
            "won": (winners >> np.arange(n) & 1).astype(np.bool_),
            "rounds": states["round_index"].copy(),
            "truncated": states["truncated"].copy(),
            "decide_seconds": self.seconds,
            "round_game": ends[:, 0].astype(np.int64) + self.first,
            "round_index": ends[:, 1],
            "round_how": ends[:, 2].astype(np.uint8),
            "round_out": ends[:, 3].astype(np.int8),
            "round_turns": ends[:, 4],
            "round_decisions": _differences(ends),
            "round_scores": ends[:, FIRST_SCORE:],
            "forfeit_seat": self.forfeit_seat,
            "forfeit_reason": self.forfeit_reason,
            "move_seats": move_seats,
            "moves": moves,
        }


def _differences(ends: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Return the decisions of each round, where rows in order tell those of the game so far."""
    before = np.concatenate([[0], ends[:-1, 5]])
    return np.where(ends[:, 1] > 0, ends[:, 5] - before, ends[:, 5]).astype(np.int32)
