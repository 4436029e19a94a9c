"""Data sets for learning, made of records of games: arrays in a file, or a Minari data set.

    export("records.r500.gz", "greedy.npz", reward="score")
    export_minari("records.r500.gz", "rummy500/greedy-v0")

Each game is replayed and checked on the way, and nothing but one game is in memory at a time.
`docs/records.md` describes the arrays.
"""

from __future__ import annotations

from rummy500_env.datasets.arrays import KEYS, Exported, export
from rummy500_env.datasets.episode import Episode, episode_of, episodes
from rummy500_env.datasets.minari_export import export_minari

__all__ = ["KEYS", "Episode", "Exported", "episode_of", "episodes", "export", "export_minari"]
