"""PettingZoo's card games: gin rummy where the installed version has it, else the others.

Gin rummy was in PettingZoo up to version 1.26.1.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.metadata import version
from typing import Any, Final

from experiments.benchmarks.harness import Target
from experiments.benchmarks.loops import Reader, play_aec, reading
from experiments.benchmarks.peers.model import (
    Comparison,
    Loop,
    Peer,
    PeerError,
    sees,
    with_version,
)

__all__ = ["CARD_GAMES", "games"]

PACKAGE: Final = "pettingzoo"
GIN_RUMMY: Final = "gin_rummy"
LAST_WITH_IT: Final = "1.26.1"
GAMES: Final[Mapping[str, str]] = {
    GIN_RUMMY: "rlcard",
    "leduc_holdem": "rlcard",
    "texas_holdem": "rlcard",
    "texas_holdem_no_limit": "rlcard",
    "hanabi": "open_spiel",
}
"""Card games, and the packages that play them."""

LOOP: Final = "`agent_iter`, `last`, `step`"


def games() -> dict[str, str]:
    """The modules of its card games by name without version; the newest where there are more."""
    classic = importlib.import_module("pettingzoo.classic")
    found: dict[str, int] = {}
    for module in pkgutil.iter_modules(classic.__path__):
        parts = re.fullmatch(r"(\w+)_v(\d+)", module.name)
        if parts is not None and parts[1] in GAMES:
            found[parts[1]] = max(int(parts[2]), found.get(parts[1], 0))
    return {name: f"{name}_v{number}" for name, number in found.items()}


def _loop(game: str, module: str, maker: str, seed: int) -> Loop:
    """Play an environment in the loop in which ours is played."""
    env: Any = getattr(importlib.import_module(f"pettingzoo.classic.{module}"), maker)()
    env.reset(seed=seed)
    seen = env.last()[0]
    reader = Reader(seed)

    def play(episodes: int) -> None:
        play_aec(env, episodes, reader)

    about = sees(seen["observation"], seen["action_mask"])
    return Loop(reading(module, reader, play), {**about, "with": with_version(GAMES[game])})


def _gone(_: int) -> Loop:
    raise PeerError(
        f"not in PettingZoo {version(PACKAGE)}: {LAST_WITH_IT} was the last version with it"
    )


def _peers() -> Sequence[Peer]:
    found = games()
    gin = found.pop(GIN_RUMMY, None)
    if gin is not None:
        return (
            Peer(
                f"{gin}, env()",
                f"{LOOP} of `env()`, in three wrappers of PettingZoo",
                {"batch": Target(">=", 200), "aec": Target(">=", 20)},
                partial(_loop, GIN_RUMMY, gin, "env"),
            ),
            Peer(
                f"{gin}, raw_env()",
                f"{LOOP} of `raw_env()`, without wrappers",
                {"aec": None},
                partial(_loop, GIN_RUMMY, gin, "raw_env"),
            ),
        )
    return (
        Peer(GIN_RUMMY, "", {}, _gone),
        *(
            Peer(
                f"{module}, env()",
                f"{LOOP} of `env()`",
                {"aec": None},
                partial(_loop, game, module, "env"),
            )
            for game, module in found.items()
        ),
    )


CARD_GAMES: Final = Comparison("PettingZoo", PACKAGE, _peers)
