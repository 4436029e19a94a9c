"""The command `rummy500 compare`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from experiments import show, show_statistics
from experiments.cli_tournament import files, what_is_kept
from experiments.compare import Comparison, compare
from experiments.errors import InterruptedRunError
from experiments.power import check_detection
from experiments.progress import Bar
from experiments.run_folder import default_folder
from experiments.runner import Episode
from experiments.settings import rules_from_words

__all__ = ["run"]


def run(
    first: str,
    second: str,
    preset: str,
    changes: Sequence[str],
    num_players: int,
    seed: int,
    out: str | None,
    episode: str,
    delta: float,
    alpha: float,
    beta: float,
    max_deals: int,
    workers: int,
    pictures: bool,
    detect: float | None,
) -> None:
    """Play until it is decided, print, write."""
    rules = rules_from_words(preset, changes)
    if detect is not None:
        check_detection(detect)
    folder = Path(out) if out is not None else default_folder("compare")
    with Bar("deals at most") as bar:
        try:
            found = compare(
                first,
                second,
                rules,
                num_players,
                seed,
                folder,
                cast(Episode, episode),
                delta,
                alpha,
                beta,
                max_deals,
                workers,
                bar,
            )
        except KeyboardInterrupt:
            raise InterruptedRunError(what_is_kept(folder, max_deals)) from None
    if pictures:
        draw(found)
    show_statistics.show_comparison(show.console(), found, files(folder), detect)


def draw(found: Comparison) -> None:
    """Write the picture of a comparison into its folder."""
    from experiments import plots_statistics  # noqa: PLC0415 (matplotlib takes half a second)

    assert found.played.folder is not None
    about: dict[str, Any] = {"dpi": 150, "metadata": {"Software": None}}
    first, second = map(found.played.marked, (found.first, found.second))
    title = f"{first} minus {second}, with its confidence sequence"
    figure = plots_statistics.plot_comparison(found.path, found.rule.delta, title)
    figure.savefig(found.played.folder / "comparison.png", **about)
