"""The command `rummy500 tournament`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from experiments import show
from experiments.errors import InterruptedRunError
from experiments.progress import Bar
from experiments.run_folder import MANIFEST, default_folder, read_manifest
from experiments.runner import Episode
from experiments.schedule import Design
from experiments.settings import agent_names, rules_from_words
from experiments.tournament import DEFAULT_AGENTS, Tournament, tournament

__all__ = ["run"]


def run(
    agents: Sequence[str],
    preset: str,
    changes: Sequence[str],
    num_players: int,
    deals: int,
    seed: int,
    out: str | None,
    episode: str,
    design: str,
    workers: int,
    pictures: bool,
    records: bool,
) -> None:
    """Play, print, write."""
    rules = rules_from_words(preset, changes)
    folder = Path(out) if out is not None else default_folder("tournament")
    with Bar("deals") as bar:
        try:
            played = tournament(
                agent_names(agents) or DEFAULT_AGENTS,
                rules,
                num_players,
                deals,
                seed,
                folder,
                cast(Episode, episode),
                cast(Design, design),
                workers,
                bar,
                records,
            )
        except KeyboardInterrupt:
            raise InterruptedRunError(what_is_kept(folder, deals)) from None
    if pictures:
        draw(played)
    show.show_tournament(show.console(), played, files(folder))


def what_is_kept(folder: Path, deals: int) -> str:
    """What an interrupted run has left, in words."""
    done = read_manifest(folder)["deals_played"] if (folder / MANIFEST).exists() else 0
    if not done:
        return "no deal was finished"
    return f"{done:,} of {deals:,} deals are kept in {folder}"


def files(folder: Path) -> list[str]:
    """The files of a run, by name."""
    return sorted(path.name for path in folder.iterdir())


def draw(played: Tournament) -> None:
    """Write the pictures of a tournament into its folder."""
    from experiments import plots  # noqa: PLC0415 (matplotlib takes half a second)

    assert played.folder is not None
    order = list(played.leaderboard["agent"])
    per = "round" if played.setup.episode == "round" else "game"
    scores = plots.plot_scores(played.scores, order, f"Scores of a {per}")
    payoffs = plots.plot_payoffs(played.payoffs, played.payoff_half_widths, order)
    about: dict[str, Any] = {"dpi": 150, "metadata": {"Software": None}}
    scores.savefig(played.folder / "scores.png", **about)
    payoffs.savefig(played.folder / "payoffs.png", **about)
