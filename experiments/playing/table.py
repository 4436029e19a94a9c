"""A table at which a person sits, and agents at the other seats; no words of a screen here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rummy500_env.actions import Move
from rummy500_env.envs.opponents import Opponent, agent_seed
from rummy500_env.errors import IllegalActionError
from rummy500_env.faults import agent_chose
from rummy500_env.game import Game
from rummy500_env.view import PlayerView

__all__ = ["PlayTable"]


class PlayTable:
    """A game between a person and agents.

    Args:
        game: The game; nothing has been played in it.
        seat: Where the person sits.
        opponents: Who plays the other seats, from the seat after the person's on.

    Attributes:
        game: The game as it stands; another object after :meth:`undo`.
        seat: Where the person sits.

    Raises:
        Rummy500Error: when an agent cannot play these rules.
    """

    def __init__(self, game: Game, seat: int, opponents: Sequence[Opponent]) -> None:
        self.game, self.seat = game, seat
        count = game.num_players
        self._agents = {(seat + 1 + slot) % count: one for slot, one in enumerate(opponents)}
        self._movers: list[int] = []
        self._told = dict.fromkeys(self._agents, 0)
        self._before: list[Game] = []
        for slot, one in enumerate(opponents):
            if one not in opponents[:slot]:
                one.reset(game.rules, count, agent_seed(game.seed, slot))

    @property
    def is_persons_turn(self) -> bool:
        """Whether the person is to move."""
        return self.game.current_seat == self.seat

    @property
    def view(self) -> PlayerView:
        """What the person may know."""
        return self.game.view(self.seat)

    @property
    def can_undo(self) -> bool:
        """Whether there is a move that :meth:`undo` takes back."""
        return bool(self._before)

    def play(self, move: Move) -> None:
        """Play a move of the person's.

        Raises:
            IllegalActionError: when it is illegal; nothing has changed.
        """
        before, seen = self.game.clone(), self.view.unseen
        self._step(move.index)
        same_round = len(self.game.rounds) == len(before.rounds)
        if same_round and self.is_persons_turn and self.view.unseen == seen:
            self._before.append(before)
        else:  # a hidden card was seen, or others have had their say
            self._before.clear()

    def undo(self) -> None:
        """Take the person's last move back; ``IndexError`` when there is none that can be."""
        self.game = self._before.pop()
        del self._movers[len(self.game.history) :]

    def others_play(self) -> Iterator[tuple[int, str]]:
        """Let the agents play until the person is to move, or the end; yield each seat and move.

        Raises:
            AgentError: when one fails.
            IllegalActionError: when one chooses an illegal action.
        """
        while not self.game.is_over and not self.is_persons_turn:
            seat = self.game.current_seat
            action = self._choice(seat)
            yield seat, self.game.action_space.to_text(action)

    def _choice(self, seat: int) -> int:
        """Ask the agent at a seat, play what it answers, and return that."""
        one, game = self._agents[seat], self.game
        moves = list(zip(self._movers, game.history, strict=True))
        if one.watches:
            one.note_moves(0, seat, moves[self._told[seat] :])
        self._told[seat] = len(moves)
        where = f"round {game.round_number}, seat {seat}"
        masks = game.action_mask()[None]
        action = int(one.choose(game.view_record(seat), masks, lambda _: where)[0])
        try:
            self._step(action)
        except IllegalActionError as error:
            raise agent_chose(one.told, f"action {action}", where, str(error)) from error
        return action

    def _step(self, action: int) -> None:
        mover = self.game.current_seat
        self.game.step(action)
        self._movers.append(mover)
