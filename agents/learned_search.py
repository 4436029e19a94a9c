"""``learned+search``: possible worlds, and a value network at their leaves.

Of its moves it looks at those that the network values most. Each is played in the same possible
worlds, the others play their turns there, and where it is to draw again the network says what is
still to come. So a decision looks one round of turns ahead, where the cards that others may hold
matter, and trusts the network for what comes later.

Settings: ``worlds=32``, ``moves=5`` that are looked at, ``others=NAME`` who plays the other seats
(a compiled agent; ``learned`` if nothing is said), ``weights=FILE`` as for ``learned``;
``belief=1`` samples plausible worlds more often (:mod:`agents.beliefs`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from agents.base import Agent
from agents.beliefs import believed_worlds
from agents.learned import LearnedAgent
from agents.searching import SearchAgent
from agents.settings import as_compiled, as_number, as_whole_number
from rummy500_env.rules import Rules

__all__ = ["LearnedSearchAgent", "make_learned_search"]


class LearnedSearchAgent(SearchAgent):
    """Possible worlds up to the own next turn, valued there by a network."""

    def __init__(
        self,
        worlds: int = 32,
        moves: int = 5,
        others: Agent | None = None,
        weights: str | None = None,
        belief: float = 0.0,
    ) -> None:
        self.name = "learned+search"
        self.worlds, self.moves, self.others, self.belief = worlds, moves, others, belief
        self.learned = LearnedAgent(weights)

    def reset(self, rules: Rules, num_players: int, seed: int) -> None:
        """Get ready for games of one variant; ``NetworkError`` when no weights fit."""
        super().reset(rules, num_players, seed)
        self.learned.reset(rules, num_players, seed)
        if self.others is not None:
            self.others.reset(rules, num_players, seed)

    def best(self, view: npt.NDArray[Any], legal: npt.NDArray[np.intp]) -> int:
        """Return the move that leads to most."""
        values = self.learned.move_values(view, legal)
        found = legal[np.argsort(-values, kind="stable")[: self.moves]]
        rng = np.random.default_rng(int(view["random"][0]))
        where = (self.rules, self.num_players, rng)
        sampled = believed_worlds(view, self.worlds, *where, self.belief)
        word, seat = int(rng.integers(2**63)), int(view["viewer"][0])
        network: Any = self.learned.network  # there since the reset
        policy = self.others or self.learned
        leads = [
            sampled.clone().play(int(move)).leaf_leads(network, seat, policy, word).mean()
            for move in found
        ]
        return int(found[int(np.argmax(leads))])


def make_learned_search(
    worlds: str = "32",
    moves: str = "5",
    others: str | None = None,
    weights: str | None = None,
    belief: str = "0",
) -> LearnedSearchAgent:
    """Return the agent."""
    return LearnedSearchAgent(
        as_whole_number("worlds", worlds),
        as_whole_number("moves", moves),
        as_compiled("others", others),
        weights,
        as_number("belief", belief),
    )
