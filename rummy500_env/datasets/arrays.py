"""Records as arrays in one ``.npz`` file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from rummy500_env.actions import action_space
from rummy500_env.datasets.episode import episodes
from rummy500_env.datasets.npz import NpzFile
from rummy500_env.errors import RecordError
from rummy500_env.observations import ObservationSpace, observation_space
from rummy500_env.records import Header

__all__ = ["KEYS", "Exported", "export"]

FORMAT_VERSION: Final = 1
"""Grows when an array is renamed, removed or changes its meaning."""

KEYS: Final = {
    "observations": "(N, size) float32 or int8: what the seat to move observed",
    "action_masks": "(N, actions) int8: 1 where an action was legal",
    "actions": "(N,) int64: what it did",
    "rewards": "(N,) float32: what it earned from there to its next decision, or to the end; with "
    "its first decision also what it had earned before",
    "seat_rewards": "(N, seats) float32: what the action paid each seat",
    "seats": "(N,) int8: the seat to move",
    "terminations": "(N,) bool: the game ended before the seat was to decide again",
    "truncations": "(N,) bool: a limit cut the game off before that, or the record ends",
    "episode_offsets": "(E + 1,) int64: episode e has the rows from entry e to before entry e + 1",
    "game_ids": "(E,) int64: number of the game in its file",
    "seeds": "(E,) uint64: game seed",
    "players": "(E, seats) text: who played at each seat",
    "observation_scale": "(size,) float32: int8 observations times this are float32 ones",
    "about": "() text: JSON with rules, reward, layouts of observations and actions, these words",
}
"""The arrays of the file: shape, type and meaning; ``N`` decisions in ``E`` episodes."""

ROWS: Final = (
    "observations",
    "action_masks",
    "actions",
    "rewards",
    "seat_rewards",
    "seats",
    "terminations",
    "truncations",
)


class Exported(NamedTuple):
    """How much was exported."""

    num_episodes: int
    num_decisions: int


def export(
    paths: str | Path | Iterable[str | Path],
    out: str | Path,
    reward: str = "score",
    observation_dtype: str = "float32",
    game_id: int | None = None,
    progress: Callable[[int, None], None] | None = None,
) -> Exported:
    """Write all decisions of recorded games into an ``.npz`` file, as :data:`KEYS` describes.

    Memory holds one game at a time. All arrays wait beside the file, uncompressed, until the last
    game is in: ``float32`` observations take 5 KB a decision there, ``int8`` ones 2 KB.

    Args:
        paths: A file of records, or several; all games have the same rules and seats.
        out: The file.
        reward: ``"score"``, ``"points"``, ``"own_points"`` or ``"win"``, as in the environments.
        observation_dtype: ``"float32"`` or ``"int8"``.
        game_id: Export only games of this number.
        progress: Called with the games done so far, and None.

    Raises:
        RecordError: when a game is damaged, or of other rules or seats than the first one; when
            there is none. Then no file is written.
    """
    offsets, games = [0], list[tuple[int, int, tuple[str, ...]]]()
    header: Header | None = None
    with NpzFile(out) as file:
        for episode in episodes(paths, reward, observation_dtype, game_id):
            for name in ROWS:
                file.append(name, getattr(episode, name))
            header = episode.header
            games.append((header.game_id, header.seed, header.players))
            offsets.append(offsets[-1] + len(episode.actions))
            if progress is not None:
                progress(len(games), None)
        if header is None:
            raise RecordError(f"there is no game to export (game_id={game_id})")
        game_ids, seeds, players = zip(*games, strict=True)
        file.put("episode_offsets", np.array(offsets, np.int64))
        file.put("game_ids", np.array(game_ids, np.int64))
        file.put("seeds", np.array(seeds, np.uint64))
        file.put("players", np.array(players))
        file.put("observation_scale", _observed(header).scale)
        file.put("about", np.array(json.dumps(_about(header, reward, observation_dtype))))
    return Exported(len(games), offsets[-1])


def _observed(header: Header) -> ObservationSpace:
    return observation_space(header.rules, header.num_players)


def _about(header: Header, reward: str, observation_dtype: str) -> dict[str, Any]:
    """Return what all games have in common, and what the arrays are."""
    rules, n = header.rules, header.num_players
    return {
        "format_version": FORMAT_VERSION,
        "rules": rules.to_dict(full=False),
        "rules_digest": rules.digest,
        "num_players": n,
        "reward": reward,
        "observation_dtype": observation_dtype,
        "observation_layout": _observed(header).layout,
        "action_layout": action_space(rules, n).layout,
        "keys": KEYS,
    }
