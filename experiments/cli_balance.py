"""The command `rummy500 balance`: play, print, write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments import show
from experiments.balance.cells import FOLDER
from experiments.balance.show import show_study
from experiments.balance.study import Study, balance
from experiments.balance.variants import grid_of
from experiments.cli_app import whole
from experiments.cli_tournament import files
from experiments.errors import InterruptedRunError
from experiments.progress import Bar
from experiments.report import write_report
from experiments.run_folder import default_folder
from experiments.settings import agent_names

__all__ = ["run"]


def run(
    rules: str,
    grid: Sequence[str],
    players: str | None,
    agents: Sequence[str],
    deals: int,
    seed: int,
    against: str | None,
    out: str | None,
    workers: int,
    strict: bool,
    slow: bool,
    pictures: bool,
    page: bool,
) -> None:
    """Play, print, write."""
    numbers = None if players is None else [whole(word) for word in players.split(",")]
    folder = Path(out) if out is not None else default_folder("balance")
    with Bar("games") as bar:
        try:
            study = balance(
                [name.strip() for name in rules.split(",")],
                grid=grid_of(grid),
                players=numbers,
                agents=agent_names(agents) or None,
                deals=deals,
                seed=seed,
                against=against,
                out=folder,
                workers=workers,
                strict=strict,
                slow=slow,
                progress=bar,
            )
        except KeyboardInterrupt:
            raise InterruptedRunError(_what_is_kept(folder)) from None
    if pictures:
        _draw(study, folder)
    if page:
        write_report(folder)
    show_study(show.console(), study, files(folder))


def _what_is_kept(folder: Path) -> str:
    """What an interrupted study has left, in words."""
    done = len(list((folder / FOLDER).glob("*.npz")))
    if not done:
        return "no table was finished"
    return (
        f"{done:,} tables are kept in {folder}; the same command with this folder as --out goes on"
    )


def _draw(study: Study, folder: Path) -> None:
    """Write the pictures of a study into its folder, in place of those of another base."""
    from experiments.balance import plots  # noqa: PLC0415 (matplotlib takes half a second)

    for path in folder.glob("*.png"):
        path.unlink()
    about: dict[str, Any] = {"dpi": 110, "metadata": {"Software": None}}
    for name, figure in plots.pictures(study):
        figure.savefig(folder / f"{name}.png", **about)
