"""``policy``: draws its moves as likely as a policy network has them.

The network is trained by ``rummy500 train ppo`` or ``rummy500 train imitate`` and sees what the
environment shows of a view. ``policy:weights=FILE`` says which. ``temperature=0`` always makes the
likeliest move, and other temperatures flatten or sharpen the probabilities. Playing needs no torch.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.network_agent import NetworkAgent
from agents.policy_network import PolicyNetwork
from rummy500_env.networks import NetworkError
from rummy500_env.rules import Rules

__all__ = ["PolicyNetworkAgent", "make_policy"]


@lru_cache(maxsize=32)
def _loaded(path: Path) -> PolicyNetwork:
    return PolicyNetwork.load(path)


class PolicyNetworkAgent(NetworkAgent[PolicyNetwork]):
    """Draws its moves as likely as a policy network has them.

    Args:
        network: The network; None: there is none yet, and nothing can be played.
        temperature: 1: as the network has it; 0: always the likeliest move.
    """

    def __init__(self, network: PolicyNetwork | None, temperature: float = 1.0) -> None:
        if not 0 <= temperature < np.inf:
            raise ValueError(f"temperature={temperature:g} is not allowed: use 0 or more")
        self.network, self.temperature = network, temperature
        super().__init__("policy", None if network is None else self.bound(network))

    def bound(self, network: PolicyNetwork) -> Any:
        """Return the compiled policy of a network."""
        return network.policy_at(self.temperature)

    def reset(self, rules: Rules, num_players: int, seed: int) -> None:
        """Get ready for games of one variant; ``NetworkError`` when the weights do not fit."""
        self._known.check(rules, num_players)
        super().reset(rules, num_players, seed)

    def probabilities(
        self, views: npt.NDArray[Any], action_masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.float64]:
        """Return how likely it makes each action; see :meth:`PolicyNetwork.probabilities`."""
        return self._known.probabilities(views, action_masks, self.temperature)

    @property
    def _known(self) -> PolicyNetwork:
        if self.network is None:
            raise NetworkError(
                "no weights come with the package: train some (rummy500 train ppo) and name their "
                "file: policy:weights=FILE"
            )
        return self.network


def make_policy(weights: str | None = None, temperature: str = "1") -> PolicyNetworkAgent:
    """Return the agent; ``weights`` is a file."""
    try:
        degree = float(temperature)
    except ValueError:
        raise ValueError(f"temperature={temperature!r} is no number") from None
    network = None if weights is None else _loaded(Path(weights))
    return PolicyNetworkAgent(network, degree)
