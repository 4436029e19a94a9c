"""Rummy 500 for AI research: an exact, configurable engine and its environments.

import rummy500_env as r5
game = r5.Game("rummy500", num_players=2, seed=7)
game.play(game.legal_moves()[0])
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rummy500_env import records
from rummy500_env.actions import ActionSpace, Move
from rummy500_env.batch import BatchGame
from rummy500_env.envs.registration import register_environments
from rummy500_env.errors import (
    AgentError,
    CardError,
    IllegalActionError,
    LayoutError,
    PositionError,
    RecordError,
    RulesError,
    Rummy500Error,
    UnknownNameError,
)
from rummy500_env.game import Event, Game, RoundResult
from rummy500_env.observations import ObservationSpace
from rummy500_env.presets import presets
from rummy500_env.rules import Rules
from rummy500_env.search import AfterStates, Worlds, afterstates
from rummy500_env.version import __version__
from rummy500_env.view import PlayerView

if TYPE_CHECKING:
    from rummy500_env import datasets
    from rummy500_env.envs.aec import env, raw_env

__all__ = [
    "ActionSpace",
    "AfterStates",
    "AgentError",
    "BatchGame",
    "CardError",
    "Event",
    "Game",
    "IllegalActionError",
    "LayoutError",
    "Move",
    "ObservationSpace",
    "PlayerView",
    "PositionError",
    "RecordError",
    "RoundResult",
    "Rules",
    "RulesError",
    "Rummy500Error",
    "UnknownNameError",
    "Worlds",
    "__version__",
    "afterstates",
    "datasets",
    "env",
    "presets",
    "raw_env",
    "records",
]


def __getattr__(name: str) -> Any:
    """Import what not everybody needs when it is asked for: the plain import stays light."""
    if name == "datasets":
        return import_module("rummy500_env.datasets")
    if name in ("env", "raw_env"):
        return getattr(import_module("rummy500_env.envs.aec"), name)
    raise AttributeError(f"module 'rummy500_env' has no attribute {name!r}")


register_environments()
