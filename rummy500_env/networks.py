"""Value networks: their files, and the moves they choose.

A network says how many points a view promises its viewer over the others' mean, up to the end of
the round, as seen after an own move; what is on the table is not counted. It is made for rules and
a number of players, and refuses others. Its file is in the safetensors format, half precision, and
says what it was made for; no code is in it.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import safetensors
import safetensors.numpy

from rummy500_env.actions import action_space
from rummy500_env.engine.features import FEATURES
from rummy500_env.engine.network import (
    FIRST,
    NUM_FEATURES,
    NUM_WEIGHTS,
    SECOND,
    network_policy,
    network_values,
)
from rummy500_env.engine.own_turn import looking_policy
from rummy500_env.engine.policies import bound_policy
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.errors import Rummy500Error
from rummy500_env.rules import Rules

__all__ = ["FEATURES_ID", "LAYERS", "NetworkError", "ValueNetwork", "network_policy"]

FORMAT_VERSION: Final = 1

FEATURES_ID: Final = hashlib.sha256(json.dumps(FEATURES).encode()).hexdigest()[:16]
"""Stands for the features: their names, order and meaning."""

LAYERS: Final = {
    "table": (NUM_FEATURES, FIRST),
    "table_bias": (FIRST,),
    "second": (FIRST, SECOND),
    "second_bias": (SECOND,),
    "last": (SECOND,),
    "last_bias": (1,),
}
"""The layers, in the order in which their weights stand: each by input, then by output."""


class NetworkError(Rummy500Error, ValueError):
    """A file holds no network, or one for something else."""


@dataclass(frozen=True)
class ValueNetwork:
    """A value network.

    Args:
        weights: ``float32 (NUM_WEIGHTS,)``, all layers in order.
        rules: The rules it was trained on.
        num_players: Seats at the table.
        training: How it was trained: plain data.
    """

    weights: npt.NDArray[np.float32]
    rules: Rules
    num_players: int
    training: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.weights.shape != (NUM_WEIGHTS,) or self.weights.dtype != np.float32:
            raise NetworkError(
                f"weights are {self.weights.dtype} {self.weights.shape}: float32 ({NUM_WEIGHTS},) "
                "are needed"
            )
        if not np.isfinite(self.weights).all():
            raise NetworkError("a weight is not a finite number")

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the compiled policy: it holds addresses of this process."""
        return {name: value for name, value in self.__dict__.items() if name != "policy"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @property
    def layers(self) -> dict[str, npt.NDArray[np.float32]]:
        """The weights of each layer, views into `weights`."""
        found, at = {}, 0
        for name, shape in LAYERS.items():
            found[name] = self.weights[at : at + math.prod(shape)].reshape(shape)
            at += math.prod(shape)
        return found

    @cached_property
    def policy(self) -> Any:
        """The compiled policy that makes the move after which most is scored and promised."""
        return bound_policy(network_policy, self.weights)

    def looking(self, cards: int) -> Any:
        """Return a compiled policy that plays the own turn out before it draws or digs.

        Args:
            cards: How many cards are tried for one that the stock may give, 1 or more.
        """
        numbers = np.append(self.weights, np.float32(cards))
        return bound_policy(looking_policy, numbers)

    def values(self, views: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Return what views promise their viewers, in points, ``float64 (len(views),)``."""
        found = np.empty(len(views), np.float64)
        network_values(views, rules_record(self.rules, self.num_players), self.weights, found)
        return found

    def check(self, rules: Rules, num_players: int) -> None:
        """Raise :class:`NetworkError` when it was made for other rules or players."""
        if num_players != self.num_players:
            raise NetworkError(
                f"the network plays with {self.num_players} players, not with {num_players}"
            )
        ours, theirs = self.rules.to_dict(), rules.to_dict()
        differ = [
            f"{name}={theirs[name]!r} (the network's: {ours[name]!r})"
            for name in ours
            if ours[name] != theirs[name] and name not in _BETWEEN_ROUNDS
        ]
        if differ:
            raise NetworkError(f"the network was trained on other rules: {', '.join(differ)}")

    def save(self, path: str | Path) -> None:
        """Write the network to a file."""
        about = {
            "format": "rummy500 value network",
            "format_version": FORMAT_VERSION,
            "rules": self.rules.to_dict(full=False),
            "rules_digest": self.rules.digest,
            "num_players": self.num_players,
            "features": FEATURES_ID,
            "actions": action_space(self.rules, self.num_players).id,
            "training": self.training,
        }
        halves = {name: layer.astype(np.float16) for name, layer in self.layers.items()}
        written = safetensors.numpy.save(halves, {"rummy500": json.dumps(about, sort_keys=True)})
        partial = Path(f"{path}.part")
        partial.write_bytes(written)
        partial.replace(path)

    @classmethod
    def load(cls, path: str | Path) -> ValueNetwork:
        """Read a network from a file.

        Raises:
            NetworkError: when it holds no network, a damaged one, or one of another layout.
        """
        name = str(path)
        try:
            with safetensors.safe_open(name, "numpy") as file:
                about = json.loads((file.metadata() or {})["rummy500"])
                layers = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
        except FileNotFoundError:
            raise NetworkError(f"{name!r}: there is no such file") from None
        except (OSError, KeyError, ValueError, safetensors.SafetensorError) as error:
            raise NetworkError(f"{name!r} holds no value network: {error}") from None
        if about.get("format_version") != FORMAT_VERSION:
            raise NetworkError(
                f"{name!r} is of version {about.get('format_version')!r}, this is {FORMAT_VERSION}"
            )
        if about.get("features") != FEATURES_ID:
            raise NetworkError(
                f"{name!r} sees features {about.get('features')!r}, this version has "
                f"{FEATURES_ID!r}: it has to be trained anew"
            )
        shapes = {key: layer.shape for key, layer in layers.items()}
        if shapes != LAYERS:
            raise NetworkError(f"{name!r} has layers {shapes}: {LAYERS} are needed")
        weights = np.concatenate([layers[key].ravel() for key in LAYERS]).astype(np.float32)
        try:
            rules = Rules.from_dict(about["rules"])
            found = cls(weights, rules, int(about["num_players"]), dict(about["training"]))
        except (KeyError, TypeError, ValueError) as error:
            raise NetworkError(f"{name!r}: {error}") from None
        actions = action_space(rules, found.num_players).id
        if about.get("actions") != actions:
            raise NetworkError(f"{name!r} knows actions {about.get('actions')!r}, not {actions!r}")
        return found


_BETWEEN_ROUNDS: Final = frozenset(
    {"target_score", "max_deals", "max_rounds", "tie_break", "game_bonus"}
)
"""Options that change no round: a network plays the same whatever they are."""
