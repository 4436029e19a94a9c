"""What agents share that play by a network: copies in other processes make its policy again."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from agents.base import PolicyAgent
from rummy500_env.networks import Network

__all__ = ["NetworkAgent"]

Kind = TypeVar("Kind", bound=Network)


class NetworkAgent(PolicyAgent, Generic[Kind]):
    """An agent whose compiled policy is made of a network. Subclasses write :meth:`bound`.

    Attributes:
        network: The network; None until it is known what is played.
    """

    network: Kind | None

    def bound(self, network: Kind) -> Any:
        """Return the compiled policy of a network."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it plays")

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the compiled policy: it holds addresses of this process."""
        return self.__dict__ | {"policy": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.network is not None:
            self.policy = self.bound(self.network)
