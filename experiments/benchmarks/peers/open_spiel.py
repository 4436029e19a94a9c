"""OpenSpiel's gin rummy: its fastest way from Python, the plain one, its own C++ loop, copies.

In the loop in C++ two of its random bots play; nothing in the wheel plays random games in C++ and
looks at observations and masks too.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from experiments.benchmarks.copies import repeat
from experiments.benchmarks.harness import Target
from experiments.benchmarks.loops import Reader, reading
from experiments.benchmarks.peers.model import Comparison, Loop, Peer, sees

__all__ = ["COPIES", "GIN_RUMMY", "num_decisions"]

PACKAGE: Final = "open_spiel"
NUM_CARDS: Final = 52
INTO_THE_GAME: Final = 40
"""Decisions before a state is copied, about a third of a random game."""

Look = Callable[[Any, int], tuple[Any, Any, list[int]]]
"""From a state and a player to observation, mask and legal actions."""


def _game() -> tuple[Any, Any]:
    spiel = importlib.import_module("pyspiel")
    return spiel, spiel.load_game("gin_rummy")


def _chance(state: Any, reader: Reader) -> None:
    """Let chance move while it is its turn: all outcomes are equally likely in this game."""
    while state.is_chance_node():
        state.apply_action(reader.draw(state.legal_actions()))


def _start(game: Any, reader: Reader) -> Any:
    state = game.new_initial_state()
    _chance(state, reader)
    return state


def _decide(state: Any, look: Look, reader: Reader) -> None:
    state.apply_action(reader.choose(*look(state, state.current_player())))
    _chance(state, reader)


def _loop(name: str, game: Any, look: Look, seed: int) -> Loop:
    reader = Reader(seed)

    def play(games: int) -> None:
        for _ in range(games):
            state = _start(game, reader)
            while not state.is_terminal():
                _decide(state, look, reader)

    state = _start(game, reader)
    return Loop(reading(name, reader, play), sees(*look(state, state.current_player())[:2]))


def fast_look(game: Any) -> Look:
    """What its observer writes in place; the mask is written from the list of legal actions."""
    module = importlib.import_module("open_spiel.python.observation")
    observer = module.make_observation(game)
    mask = np.zeros(game.num_distinct_actions(), np.int8)

    def look(state: Any, player: int) -> tuple[Any, Any, list[int]]:
        observer.set_from(state, player)
        legal = state.legal_actions()
        mask.fill(0)
        mask[legal] = 1
        return observer.tensor, mask, legal

    return look


def plain_look(state: Any, player: int) -> tuple[Any, Any, list[int]]:
    """What a state returns as lists, as arrays."""
    observation = np.asarray(state.observation_tensor(player), np.float32)
    mask = np.asarray(state.legal_actions_mask(), np.int8)
    return observation, mask, state.legal_actions()


def _fast(seed: int) -> Loop:
    _, game = _game()
    return _loop("gin_rummy, fastest", game, fast_look(game), seed)


def _plain(seed: int) -> Loop:
    _, game = _game()
    return _loop("gin_rummy, plain", game, plain_look, seed)


def _compiled(seed: int) -> Loop:
    spiel, game = _game()
    bots = [spiel.make_uniform_random_bot(player, seed + player) for player in range(2)]
    seeds = itertools.count(seed)

    def run(games: int) -> int:
        decisions = 0
        for _ in range(games):
            state = game.new_initial_state()
            spiel.evaluate_bots(state, bots, next(seeds) % 2**31)
            decisions += num_decisions(state)
        return decisions

    return Loop(run, {"num_actions": game.num_distinct_actions()})


def num_decisions(state: Any) -> int:
    """Decisions so far: all moves but those of chance, which has shown each card off the stock."""
    return state.move_number() - (NUM_CARDS - state.stock_size())


def _copying(seed: int) -> Loop:
    _, game = _game()
    reader, look = Reader(seed), fast_look(game)
    state = _start(game, reader)
    while reader.decisions < INTO_THE_GAME:
        _decide(state, look, reader)
        if state.is_terminal():
            state, reader.decisions = _start(game, reader), 0
    return Loop(lambda count: repeat(state.clone, count), {"decisions_before": INTO_THE_GAME})


GIN_RUMMY: Final = Comparison(
    "OpenSpiel",
    PACKAGE,
    lambda: (
        Peer(
            "gin_rummy, fastest from Python",
            "`make_observation(game).set_from`, mask written in place from `legal_actions`, "
            "`apply_action`",
            {"batch": Target(">=", 30, aim=60), "game": None},
            _fast,
        ),
        Peer(
            "gin_rummy, plain from Python",
            "`observation_tensor` and `legal_actions_mask` as arrays, `legal_actions`, "
            "`apply_action`",
            {"batch": None, "game": None},
            _plain,
        ),
        Peer(
            "gin_rummy, its C++ loop",
            "`evaluate_bots` with two of its uniform random bots: legal actions and play in C++, "
            "neither observation nor mask",
            {"batch": Target(">=", 20)},
            _compiled,
        ),
    ),
)

COPIES: Final = Comparison(
    "OpenSpiel",
    PACKAGE,
    lambda: (
        Peer(
            "gin_rummy, state.clone()",
            f"`state.clone()` after {INTO_THE_GAME} decisions",
            {"clone_batch": Target(">=", 10), "clone_game": Target(">=", 10)},
            _copying,
        ),
    ),
    unit="µs/clone",
)
