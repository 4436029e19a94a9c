"""The command `rummy500 tournament`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from experiments import show, show_statistics
from experiments.cheating import cheating, marked
from experiments.control import check_control, controlled_pairs
from experiments.errors import InterruptedRunError, RunError
from experiments.power import check_detection, power_table
from experiments.progress import Bar
from experiments.report import write_report
from experiments.run_folder import MANIFEST, default_folder, read_manifest
from experiments.runner import Conduct, Episode, Setup
from experiments.schedule import Design
from experiments.settings import agent_names, rules_from_words, told_apart
from experiments.tournament import DEFAULT_AGENTS, Tournament, tournament

if TYPE_CHECKING:
    from rich.console import Console

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
    conduct: Conduct,
    actions: bool,
    pictures: bool,
    control: Sequence[str],
    detect: float | None,
    records: bool,
    page: bool = False,
) -> None:
    """Play, print, write."""
    rules = rules_from_words(preset, changes)
    controls, shown = agent_names(control, "--control"), ""
    if detect is not None:
        check_detection(detect)
        if deals == 1:
            raise RunError("--detect needs 2 deals or more: there is 1")
    if controls:  # before anything is played
        check_control(deals)
        made = Setup(rules, num_players, told_apart(controls), "round", seed).make_agents()
        shown = ", ".join(marked(name, cheating(made)) for name in controls)
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
                conduct,
                actions,
                records,
            )
        except KeyboardInterrupt:
            raise InterruptedRunError(what_is_kept(folder, deals)) from None
    if pictures:
        draw(played)
    more: list[Callable[[Console], None]] = [partial(show_statistics.show_ratings, played=played)]
    words: list[str] = []
    if controls:
        more.append(_controlled(played, controls, shown, workers, folder))
        words += ["--control", ",".join(controls)]
    if detect is not None:
        powers = power_table(played.agents, played.sums, detect)
        show_power = show_statistics.show_power
        more.append(partial(show_power, played=played, powers=powers, difference=detect))
        words += ["--detect", f"{detect:g}"]
    if page:
        write_report(folder)
    show.show_tournament(show.console(), played, files(folder), more, words)


def _controlled(
    played: Tournament, controls: Sequence[str], shown: str, workers: int, folder: Path
) -> Callable[[Console], None]:
    """Play the controls, write what comes out, and return what prints it."""
    with Bar("deals of the control") as bar:
        try:
            found = controlled_pairs(played, controls, workers=workers, progress=bar)
        except KeyboardInterrupt:
            kept = what_is_kept(folder, played.schedule.num_deals)
            raise InterruptedRunError(kept) from None
    found.to_csv(folder / "controlled.csv", index=False)
    show_control = show_statistics.show_control
    return partial(show_control, played=played, controlled=found, control=shown)


def what_is_kept(folder: Path, deals: int) -> str:
    """What an interrupted run has left, in words."""
    done = read_manifest(folder)["deals_played"] if (folder / MANIFEST).exists() else 0
    if not done:
        return "no deal was finished"
    return (
        f"{done:,} of {deals:,} deals are kept in {folder}; the same command with this folder as "
        "--out goes on"
    )


def files(folder: Path) -> list[str]:
    """The files of a run, by name."""
    return sorted(path.name for path in folder.iterdir())


def draw(played: Tournament) -> None:
    """Write the pictures of a tournament into its folder."""
    from experiments import plots  # noqa: PLC0415 (matplotlib takes half a second)

    assert played.folder is not None
    named = {name: played.marked(name) for name in played.leaderboard["agent"]}
    per = "round" if played.setup.episode == "round" else "game"
    seats = played.scores.assign(agent=played.scores["agent"].replace(named))
    scores = plots.plot_scores(seats, list(named.values()), f"Scores of a {per}")
    means, halves = (
        frame.rename(index=named, columns=named)
        for frame in (played.payoffs, played.payoff_half_widths)
    )
    payoffs = plots.plot_payoffs(means, halves, list(named.values()))
    about: dict[str, Any] = {"dpi": 150, "metadata": {"Software": None}}
    scores.savefig(played.folder / "scores.png", **about)
    payoffs.savefig(played.folder / "payoffs.png", **about)
