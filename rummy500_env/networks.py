"""Networks: their files, and the moves that value networks choose.

A network is made for rules and a number of players, and refuses others. Its file is in the
safetensors format and says what it was made for; no code is in it.

A value network says how many points a view promises its viewer over the others' mean, up to the end
of the round, as seen after an own move; what is on the table is not counted.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import numpy as np
import numpy.typing as npt
import safetensors
import safetensors.numpy

from rummy500_env.actions import action_space
from rummy500_env.engine.features import FEATURES
from rummy500_env.engine.network import (
    FIRST,
    NUM_FEATURES,
    SECOND,
    network_policy,
    network_values,
)
from rummy500_env.engine.own_turn import looking_policy
from rummy500_env.engine.policies import bound_policy
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.errors import Rummy500Error
from rummy500_env.rules import Rules

__all__ = [
    "FEATURES_ID",
    "LAYERS",
    "Network",
    "NetworkError",
    "Shapes",
    "ValueNetwork",
    "network_policy",
    "round_differences",
    "told_differences",
]

FORMAT_VERSION: Final = 1

FEATURES_ID: Final = hashlib.sha256(json.dumps(FEATURES).encode()).hexdigest()[:16]
"""Stands for the features: their names, order and meaning."""

Shapes = dict[str, tuple[int, ...]]

LAYERS: Final[Shapes] = {
    "table": (NUM_FEATURES, FIRST),
    "table_bias": (FIRST,),
    "second": (FIRST, SECOND),
    "second_bias": (SECOND,),
    "last": (SECOND,),
    "last_bias": (1,),
}
"""The layers of a value network, in the order in which their weights stand: each by input, then by
output."""


class NetworkError(Rummy500Error, ValueError):
    """A file holds no network, or one for something else."""


@dataclass(frozen=True)
class Network:
    """What all networks have: weights, and what they were made for.

    Args:
        weights: ``float32 (N,)``, all layers in order.
        rules: The rules it was trained on.
        num_players: Seats at the table.
        training: How it was trained: plain data.
    """

    weights: npt.NDArray[np.float32]
    rules: Rules
    num_players: int
    training: dict[str, Any] = field(default_factory=dict)

    KIND: ClassVar[str]
    """What its files say they hold."""
    STORED: ClassVar[npt.DTypeLike] = np.float32
    """The type of numbers in files."""
    SIZES: ClassVar[tuple[str, ...]] = ()
    """Fields beside those above: whole numbers that shapes hang on."""

    def __post_init__(self) -> None:
        size = sum(math.prod(shape) for shape in self.shapes.values())
        if self.weights.shape != (size,) or self.weights.dtype != np.float32:
            raise NetworkError(
                f"weights are {self.weights.dtype} {self.weights.shape}: float32 ({size},) "
                "are needed"
            )
        if not np.isfinite(self.weights).all():
            raise NetworkError("a weight is not a finite number")

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made of the fields: a compiled policy holds addresses."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @classmethod
    def shapes_for(cls, rules: Rules, num_players: int, **sizes: int) -> Shapes:
        """Return the shapes of all layers, in the order in which their weights stand."""
        raise NotImplementedError(f"{cls.__name__} does not say what layers it has")

    @classmethod
    def layouts(cls, rules: Rules, num_players: int) -> dict[str, Any]:
        """Return what stands for the layouts that weights only mean something together with."""
        raise NotImplementedError(f"{cls.__name__} does not say what it sees")

    @classmethod
    def check_layouts(cls, about: dict[str, Any], rules: Rules, num_players: int) -> None:
        """Raise an error (any ``ValueError``) when a file's layouts are not those of today."""
        raise NotImplementedError(f"{cls.__name__} does not say what it sees")

    @property
    def sizes(self) -> dict[str, int]:
        """What shapes hang on beside rules and players."""
        return {name: getattr(self, name) for name in self.SIZES}

    @property
    def shapes(self) -> Shapes:
        """The shapes of its layers."""
        return self.shapes_for(self.rules, self.num_players, **self.sizes)

    @property
    def layers(self) -> dict[str, npt.NDArray[np.float32]]:
        """The weights of each layer, views into `weights`."""
        found, at = {}, 0
        for name, shape in self.shapes.items():
            found[name] = self.weights[at : at + math.prod(shape)].reshape(shape)
            at += math.prod(shape)
        return found

    def check(self, rules: Rules, num_players: int) -> None:
        """Raise :class:`NetworkError` when it was made for other rules or players."""
        if num_players != self.num_players:
            raise NetworkError(
                f"the network plays with {self.num_players} players, not with {num_players}"
            )
        differ = round_differences(self.rules, rules)
        if differ:
            told = told_differences(differ, "the network's")
            raise NetworkError(f"the network was trained on other rules: {told}")

    def save(self, path: str | Path) -> None:
        """Write the network to a file."""
        about = {
            "format": f"rummy500 {self.KIND}",
            "format_version": FORMAT_VERSION,
            "rules": self.rules.to_dict(full=False),
            "rules_digest": self.rules.digest,
            "num_players": self.num_players,
            **self.sizes,
            **self.layouts(self.rules, self.num_players),
            "training": self.training,
        }
        stored = {name: layer.astype(self.STORED) for name, layer in self.layers.items()}
        written = safetensors.numpy.save(stored, {"rummy500": json.dumps(about)})
        partial = Path(f"{path}.part")
        partial.write_bytes(written)
        partial.replace(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a network from a file.

        Raises:
            NetworkError: when it holds no network, a damaged one, or one of another layout.
        """
        name = str(path)
        about, layers = _read(name, cls.KIND)
        try:
            rules, num_players = Rules.from_dict(about["rules"]), int(about["num_players"])
            if about["rules_digest"] != rules.digest:
                raise NetworkError(
                    f"its rules had the digest {about['rules_digest']!r}, in this version they "
                    f"have {rules.digest!r}"
                )
            cls.check_layouts(about, rules, num_players)
            sizes = {size: int(about[size]) for size in cls.SIZES}
            wanted = cls.shapes_for(rules, num_players, **sizes)
            shapes = {key: layer.shape for key, layer in layers.items()}
            if shapes != wanted:
                raise NetworkError(f"it has layers {shapes}: {wanted} are needed")
            weights = np.concatenate([layers[key].ravel() for key in wanted]).astype(np.float32)
            return cls(weights, rules, num_players, dict(about["training"]), **sizes)
        except KeyError as error:
            raise NetworkError(f"{name!r} does not say its {error}") from None
        except (TypeError, ValueError) as error:
            raise NetworkError(f"{name!r}: {error}") from None


def _read(name: str, kind: str) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return what the file of a network says of itself, and its layers."""
    try:
        with safetensors.safe_open(name, "numpy") as file:
            about = json.loads((file.metadata() or {})["rummy500"])
            layers = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
    except FileNotFoundError:
        raise NetworkError(f"{name!r}: there is no such file") from None
    except (OSError, KeyError, TypeError, ValueError, safetensors.SafetensorError) as error:
        raise NetworkError(f"{name!r} holds no {kind}: {error}") from None
    if not isinstance(about, dict) or about.get("format") != f"rummy500 {kind}":
        held = about.get("format") if isinstance(about, dict) else about
        raise NetworkError(f"{name!r} holds no {kind}: it says it is {held!r}")
    if about.get("format_version") != FORMAT_VERSION:
        raise NetworkError(
            f"{name!r} is of version {about.get('format_version')!r}, this is {FORMAT_VERSION}"
        )
    return about, layers


@dataclass(frozen=True)
class ValueNetwork(Network):
    """A value network; its files are in half precision."""

    KIND = "value network"
    STORED = np.float16

    @classmethod
    def shapes_for(cls, rules: Rules, num_players: int, **sizes: int) -> Shapes:
        """Return the shapes of all layers; they are the same for all rules."""
        return LAYERS

    @classmethod
    def layouts(cls, rules: Rules, num_players: int) -> dict[str, Any]:
        """Return the digests of features and actions."""
        return {"features": FEATURES_ID, "actions": action_space(rules, num_players).id}

    @classmethod
    def check_layouts(cls, about: dict[str, Any], rules: Rules, num_players: int) -> None:
        """Raise :class:`NetworkError` when features or actions are others than today's."""
        for layout, today in cls.layouts(rules, num_players).items():
            if about.get(layout) != today:
                raise NetworkError(
                    f"it was made for {layout} {about.get(layout)!r}, this version has {today!r}: "
                    "it has to be trained anew"
                )

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


_BETWEEN_ROUNDS: Final = frozenset(
    {"target_score", "max_deals", "max_rounds", "tie_break", "game_bonus"}
)
"""Options that change no round: a network plays the same whatever they are."""


def round_differences(one: Rules, other: Rules) -> dict[str, tuple[Any, Any]]:
    """Return the options that make rounds of two rules differ, with their values."""
    differ = one.differences(other)
    return {name: values for name, values in differ.items() if name not in _BETWEEN_ROUNDS}


def told_differences(differ: Mapping[str, tuple[Any, Any]], whose: str) -> str:
    """Return differences of rules in words, such as ``hand_size=7 (the network's: 13)``.

    Args:
        differ: Options with their values, of the rules that something is for, and of the others.
        whose: What the first ones are called.
    """
    return ", ".join(
        f"{name}={other!r} ({whose}: {own!r})" for name, (own, other) in differ.items()
    )
