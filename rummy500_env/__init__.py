"""Rummy 500 for AI research: an exact, configurable engine and its environments.

    import rummy500_env as r5
    game = r5.Game("rummy500", num_players=2, seed=7)
    game.play(game.legal_moves()[0])
"""

from rummy500_env.actions import ActionSpace, Move
from rummy500_env.errors import (
    CardError,
    IllegalActionError,
    NotImplementedRule,
    PositionError,
    RecordError,
    RulesError,
    Rummy500Error,
    UnknownNameError,
)
from rummy500_env.game import Event, Game, RoundResult
from rummy500_env.observations import ObservationSpace
from rummy500_env.rules import Rules
from rummy500_env.view import PlayerView

__version__ = "0.1.0"

__all__ = [
    "ActionSpace",
    "CardError",
    "Event",
    "Game",
    "IllegalActionError",
    "Move",
    "NotImplementedRule",
    "ObservationSpace",
    "PlayerView",
    "PositionError",
    "RecordError",
    "RoundResult",
    "Rules",
    "RulesError",
    "Rummy500Error",
    "UnknownNameError",
    "__version__",
]
