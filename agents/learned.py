"""``learned``: the move after which a value network sees most.

The network was trained by self-play (``rummy500 train td``); it weighs the views after each legal
move, by the points that the move scores and those that it promises. The package brings weights for
some presets; ``learned:weights=FILE`` takes others. Playing needs no torch.

Where it is to draw or dig, ``learned:look=4`` plays its own turn out first, with four cards that
the stock may give; that is stronger, and takes longer.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.network_agent import NetworkAgent
from rummy500_env.actions import action_space
from rummy500_env.engine.own_turn import MOST_FACES
from rummy500_env.networks import NetworkError, ValueNetwork
from rummy500_env.rules import Rules
from rummy500_env.search import afterstates

__all__ = ["LearnedAgent", "make_learned", "shipped", "shipped_file"]

WEIGHTS: Final = Path(__file__).parent / "weights"


@lru_cache(maxsize=32)
def _loaded(path: Path) -> ValueNetwork:
    return ValueNetwork.load(path)


def shipped() -> dict[str, ValueNetwork]:
    """Return the networks that come with the package, by the names of their files."""
    return {path.stem: _loaded(path) for path in sorted(WEIGHTS.glob("*.safetensors"))}


def shipped_file(rules: Rules, num_players: int) -> Path | None:
    """Return the file of the package's network for a variant; None if there is none."""
    for name, network in shipped().items():
        try:
            network.check(rules, num_players)
        except NetworkError:
            continue
        return WEIGHTS / f"{name}.safetensors"
    return None


def _fitting(rules: Rules, num_players: int) -> ValueNetwork:
    """Return the network of the package for a variant."""
    file = shipped_file(rules, num_players)
    if file is not None:
        return _loaded(file)
    raise NetworkError(
        f"no weights for these rules with {num_players} players come with the package; it has "
        f"{', '.join(shipped())}. Train some (rummy500 train td) and name their file: "
        "learned:weights=FILE"
    )


class LearnedAgent(NetworkAgent[ValueNetwork]):
    """The move after which a value network, trained by self-play, sees most.

    Args:
        weights: File of the network; None: that of the package that fits what is played.
        look: Cards that are tried for one to be drawn; 0: the views after draw and dig are valued
            as they are.
    """

    def __init__(self, weights: str | Path | None = None, look: int = 0) -> None:
        self.network = None if weights is None else _loaded(Path(weights))
        self._is_given, self.look = weights is not None, look
        given = [f"weights={weights}"] * (weights is not None) + [f"look={look}"] * (look > 0)
        super().__init__("learned" + (f":{','.join(given)}" if given else ""), None)

    def bound(self, network: ValueNetwork) -> Any:
        """Return the compiled policy of a network."""
        return network.looking(self.look) if self.look else network.policy

    def reset(self, rules: Rules, num_players: int, seed: int) -> None:
        """Get ready for games of one variant; ``NetworkError`` when no weights fit."""
        if self._is_given and self.network is not None:
            self.network.check(rules, num_players)
        else:
            self.network = _fitting(rules, num_players)
        self.policy = self.bound(self.network)
        super().reset(rules, num_players, seed)

    def move_values(
        self, view: npt.NDArray[Any], actions: npt.NDArray[np.integer[Any]]
    ) -> npt.NDArray[np.float64]:
        """Return what the viewer scores at once and is promised after each of its moves.

        Args:
            view: Array of one view of a seat that is to move.
            actions: ``(k,)``: legal actions.
        """
        mask = np.zeros((1, action_space(self.rules, self.num_players).n), np.int8)
        mask[0, actions] = 1
        found = afterstates(view, mask, self.rules, self.num_players)
        seat = int(view["viewer"][0])
        gained = found.views["table_points"][:, seat] - view["table_points"][0, seat]
        values = gained + self.values(found.views)
        return values[np.searchsorted(found.action, actions)]

    def values(self, views: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Return how many points views after own moves promise their viewers."""
        if self.network is None:
            raise NetworkError("reset() the agent first: it does not know what is played")
        return self.network.values(views)


def make_learned(weights: str | None = None, look: str = "0") -> LearnedAgent:
    """Return the agent; ``weights`` is a file, else those of the package are taken."""
    if not look.isdecimal() or int(look) > MOST_FACES:
        raise ValueError(f"look={look!r}: a number of cards is needed, 0 to {MOST_FACES}")
    return LearnedAgent(weights, int(look))
