"""What an agent would do, and what it thinks of the other moves."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from rummy500_env.envs.opponents import Opponent, agent_seed
from rummy500_env.errors import Rummy500Error
from rummy500_env.game import Game
from rummy500_env.networks import NetworkError

__all__ = ["Hint", "Hints"]

BY_DEFAULT: Final = ("learned", "advisor")
"""Who is asked when nobody is named: the first one that can play the rules."""


class Hint(NamedTuple):
    """A piece of advice.

    Attributes:
        move: What the agent would do.
        values: All legal moves, best first, each with what the agent says of it, in points a
            round; empty when it does not put numbers on moves.
    """

    move: str
    values: tuple[tuple[str, float], ...]


class Hints:
    """Agents that can be asked at any decision of the person's.

    They are asked from the view alone: an agent that remembers earlier moves of a game is not told
    of them.

    Args:
        game: The game that is played.
    """

    def __init__(self, game: Game) -> None:
        self._rules, self._num_players, self._seed = game.rules, game.num_players, game.seed
        self._asked: dict[str, Opponent] = {}

    def first_choice(self) -> str:
        """Return the name of the agent that is asked when nobody is named."""
        *others, last = BY_DEFAULT
        for name in others:
            try:
                self._adviser(name)
            except Rummy500Error as error:
                if not isinstance(error.__cause__, NetworkError):
                    raise
            else:
                return name
        return last

    def ask(self, name: str, game: Game) -> Hint:
        """Return what an agent says of the decision that a game stands at.

        Raises:
            UnknownNameError: when there is no such agent.
            ValueError: when a setting in its name is wrong.
            Rummy500Error: when it cannot play these rules, or fails.
        """
        one = self._adviser(name)
        seat = game.current_seat
        view, legal = game.view_record(seat), np.array(game.legal_actions())
        masks = game.action_mask()[None]
        choice = int(one.choose(view, masks, lambda _: f"a hint at seat {seat}")[0])
        texts = game.action_space.texts()
        values: tuple[tuple[str, float], ...] = ()
        told: Any = getattr(one.agent, "move_values", None)
        if told is not None:
            numbers = np.asarray(told(view, legal), np.float64)
            order = np.argsort(-numbers, kind="stable")
            values = tuple((texts[legal[k]], float(numbers[k])) for k in order)
        return Hint(texts[choice], values)

    def _adviser(self, name: str) -> Opponent:
        """Return an agent that is ready to be asked."""
        if name not in self._asked:
            one = Opponent(name, "hint")
            one.reset(self._rules, self._num_players, agent_seed(self._seed, 255))
            self._asked[name] = one
        return self._asked[name]
