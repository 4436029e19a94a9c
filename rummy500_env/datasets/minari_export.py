"""Records as a Minari data set, an episode for each seat of each game.

Minari is an extra: ``pip install 'rummy500[minari]'``.
"""

from __future__ import annotations

import copy
import itertools
import shutil
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np

from rummy500_env.actions import action_space
from rummy500_env.datasets.episode import Episode, episodes
from rummy500_env.envs.registration import GYMNASIUM_ID
from rummy500_env.envs.spaces import learner_space
from rummy500_env.errors import RecordError, Rummy500Error
from rummy500_env.observations import observation_space
from rummy500_env.records import Header

if TYPE_CHECKING:
    from minari import MinariDataset
    from minari.data_collector import EpisodeBuffer

__all__ = ["export_minari"]

CHUNK: Final = 64
"""Episodes that are handed over together."""


def export_minari(
    paths: str | Path | Iterable[str | Path],
    dataset_id: str,
    seat: int | None = None,
    player: str | None = None,
    reward: str = "score",
    observation_dtype: str = "float32",
    game_id: int | None = None,
    progress: Callable[[int, None], None] | None = None,
    **about: Any,
) -> MinariDataset:
    """Make a Minari data set of recorded games; its environment is ``Rummy500-v0``.

    A seat's episode has what that environment shows its learner: observations with masks, the
    last one after the end; rewards up to the next decision. Its ``options`` name the game, the
    seat and the player. Seats that had nothing to decide are left out.

    Args:
        paths: A file of records, or several; all games have the same rules and seats.
        dataset_id: Name of the data set, such as ``"rummy500/greedy-v0"``.
        seat: Only this seat; None: all seats.
        player: Only seats at which this player sat.
        reward: ``"score"``, ``"points"``, ``"own_points"`` or ``"win"``.
        observation_dtype: ``"float32"`` or ``"int8"``.
        game_id: Only games of this number.
        progress: Called with the seats' episodes done so far, and None.
        **about: What ``minari.create_dataset_from_buffers`` takes besides, such as ``author``.

    Raises:
        RecordError: when a game is damaged, or of other rules or seats than the first one; when
            there is no episode. Then there is no data set.
        Rummy500Error: when Minari is not installed.
        ValueError: when there is a data set of this name, from Minari.
    """
    try:
        import minari  # noqa: PLC0415 (an extra)
    except ImportError:
        raise Rummy500Error("Minari is not installed: pip install 'rummy500[minari]'") from None
    games = episodes(paths, reward, observation_dtype, game_id)
    parts = (part for game in games for part in _seats(game, seat, player))
    first = next(parts, None)
    if first is None:
        raise RecordError(
            f"there is no episode (game_id={game_id}, seat={seat}, player={player!r})"
        )
    header, _ = first
    buffers = (buffer for _, buffer in itertools.chain([first], parts))
    settings = {
        "env": _environment(header, seat, reward, observation_dtype),
        **_spaces(header, observation_dtype),
        **about,
    }
    with warnings.catch_warnings():  # what it lacks is for the caller to give in about
        warnings.simplefilter("ignore", UserWarning)
        dataset = minari.create_dataset_from_buffers(dataset_id, [], **settings)
    try:
        while chunk := list(itertools.islice(buffers, CHUNK)):
            dataset.update_dataset_from_buffer(chunk)
            if progress is not None:
                progress(int(dataset.total_episodes), None)
    except BaseException:  # half a data set is none
        shutil.rmtree(dataset.storage.data_path.parent)
        raise
    return dataset


def _seats(
    game: Episode, seat: int | None, player: str | None
) -> Iterator[tuple[Header, EpisodeBuffer]]:
    """Yield the episode of each seat that is wanted and had anything to decide."""
    from minari.data_collector import EpisodeBuffer  # noqa: PLC0415 (an extra)

    header = game.header
    for own, name in enumerate(header.players):
        rows = np.flatnonzero(game.seats == own)
        if not len(rows) or seat not in (None, own) or player not in (None, name):
            continue
        no_mask = np.zeros_like(game.action_masks[:1])
        yield (
            header,
            EpisodeBuffer(
                seed=header.seed,
                options={"game_id": header.game_id, "seat": own, "player": name},
                observations={
                    "observation": np.concatenate(
                        [game.observations[rows], game.final_observations[own : own + 1]]
                    ),
                    "action_mask": np.concatenate([game.action_masks[rows], no_mask]),
                },
                actions=game.actions[rows],  # pyright: ignore[reportArgumentType]
                rewards=game.rewards[rows].tolist(),
                terminations=game.terminations[rows].tolist(),
                truncations=game.truncations[rows].tolist(),
            ),
        )


def _spaces(header: Header, observation_dtype: str) -> dict[str, Any]:
    n = action_space(header.rules, header.num_players).n
    observed = observation_space(header.rules, header.num_players)
    return {
        "observation_space": learner_space(observed, n, observation_dtype, flat=False),
        "action_space": gymnasium.spaces.Discrete(n),
    }


def _environment(header: Header, seat: int | None, reward: str, observation_dtype: str) -> Any:
    """Return the specification of the environment that such episodes come from."""
    spec = copy.deepcopy(gymnasium.spec(GYMNASIUM_ID))
    spec.kwargs = {
        "rules": header.rules.to_dict(full=False),
        "num_players": header.num_players,
        "seat": "random" if seat is None else seat,
        "episode": header.episode,
        "reward": reward,
        "observation_dtype": observation_dtype,
    }
    return spec
