"""Tournaments as a library: `tournament` plays one, `Tournament` holds what came out.

```python
from experiments.tournament import tournament

played = tournament(["random", "greedy"], deals=200)
played.leaderboard  # DataFrame, best agent first
played.payoffs  # DataFrame agents x agents, points per round
played.seats.groupby("agent").digs.mean()
```
"""

from __future__ import annotations

import bisect
import contextlib
import operator
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

import agents as registry
from experiments import runner, stats, tables
from experiments.errors import RunError
from experiments.interrupts import uninterrupted
from experiments.recording import RECORDS
from experiments.run_folder import RunFolder, environment, read_manifest, run_id
from experiments.runner import Episode, Setup
from experiments.schedule import Design, Schedule
from experiments.settings import told_apart, words_from_rules
from experiments.storage import MemoryStore, Store, frame
from rummy500_env.errors import NotImplementedRule
from rummy500_env.presets import name_of
from rummy500_env.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DEFAULT_AGENTS", "Tournament", "replay", "tournament"]

DEFAULT_AGENTS: Final = ("random", "greedy:digs=never", "greedy")
"""Agents of a tournament that names none."""

Progress = Callable[[int, int], None]
"""Called with the deals played so far, and all of them."""


@dataclass(frozen=True)
class Tournament:
    """A tournament that was played.

    The tables are read when they are first asked for; `experiments.tables` describes the columns.
    """

    setup: Setup
    schedule: Schedule
    folder: Path | None
    """Where its files are; None if it was kept in memory."""
    sums: stats.Sums
    store: Store

    @property
    def agents(self) -> tuple[str, ...]:
        """Names of the agents."""
        return self.schedule.agents

    @cached_property
    def leaderboard(self) -> pd.DataFrame:
        """One row for each agent, best first; columns as `stats.leaderboard` says."""
        return stats.leaderboard(self.agents, self.sums)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """One row for each pair of agents; columns as `stats.pairs` says."""
        return stats.pairs(self.agents, self.sums)

    @cached_property
    def payoffs(self) -> pd.DataFrame:
        """Agents x agents: points per round that the row's agent scores more than the column's."""
        return stats.payoffs(self.agents, self.sums)[0]

    @cached_property
    def payoff_half_widths(self) -> pd.DataFrame:
        """Half-widths of the 95 % intervals of `payoffs`."""
        return stats.payoffs(self.agents, self.sums)[1]

    @cached_property
    def games(self) -> pd.DataFrame:
        """One row for each game."""
        return frame(self.store, "games")

    @cached_property
    def rounds(self) -> pd.DataFrame:
        """One row for each round."""
        return frame(self.store, "rounds")

    @cached_property
    def seats(self) -> pd.DataFrame:
        """One row for each seat of each game, with the seconds its decisions took."""
        seats = frame(self.store, "seats")
        seats["decide_seconds"] = frame(self.store, "timings")["decide_seconds"]
        return seats

    @cached_property
    def scores(self) -> pd.DataFrame:
        """Agent, score and rounds of each seat of each game: three columns of `seats`."""
        return frame(self.store, "seats", ["agent", "score", "rounds"])

    @property
    def num_truncated(self) -> int:
        """Games that a limit of the environment cut off."""
        return sum(map(bool, frame(self.store, "games", ["truncated_by"])["truncated_by"]))

    @property
    def records(self) -> Path | None:
        """The file of the records, for `rummy500_env.records`; None if there is none."""
        path = self.folder / RECORDS if self.folder is not None else None
        return path if path is not None and path.exists() else None

    @property
    def command(self) -> str | None:
        """The command that plays the same tournament; None if an agent was given as an object."""
        return _command(self.setup, self.schedule)


def tournament(
    agents: Sequence[str | registry.Agent] = DEFAULT_AGENTS,
    rules: str | Rules | Mapping[str, Any] = "rummy500",
    num_players: int = 2,
    deals: int = 500,
    seed: int = 0,
    out: str | Path | None = None,
    episode: Episode = "round",
    design: Design = "auto",
    workers: int = 1,
    progress: Progress | None = None,
    records: bool = False,
) -> Tournament:
    """Play a tournament.

    Args:
        agents: the agents, by name (`agents.names()` lists them) or as objects; at least two. A
            name that is given again plays as ``name#2``, and so on.
        rules: name of a preset, rules, or a mapping of options.
        num_players: seats at each table.
        deals: game seeds; each is played by every table in every seating.
        seed: seed of the run, 0 to 2**64 - 1; everything follows from it.
        out: folder for the tables; None keeps them in memory.
        episode: ``round`` plays single rounds, ``game`` goes on to the target score.
        design: how agents are put together, see `experiments.schedule`.
        workers: cores to play on; the results are the same for any number.
        progress: called with deals played and all deals, now and then.
        records: whether the moves of all games are written too, into `Tournament.records`.
    """
    if records and out is None:
        raise RunError("records=True needs a folder: records are a file, say where with out=")
    setup, schedule = _prepare(agents, rules, num_players, deals, seed, episode, design, records)
    games = runner.play(setup, schedule, workers)
    output: RunFolder | None = None
    store: Store = MemoryStore(num_players)
    if out is not None:
        output = RunFolder(Path(out), _manifest(setup, schedule, workers))
        store = output.open_tables(num_players)
    recorded = output.open_records(setup, schedule.agents) if output and records else None
    sums = stats.ClusterSums(len(schedule.agents), num_players)
    done = 0
    try:
        with contextlib.closing(games):  # stops the workers, whatever happens
            for block, result in games:
                with uninterrupted():
                    store.add(tables.of_games(schedule.agents, block, result))
                    sums.add(block, result)
                    if recorded is not None:
                        recorded.add(block, result)
                    done = block.first_deal + block.num_deals
                if progress is not None:
                    progress(done, deals)
    finally:
        if output is not None:
            with uninterrupted():
                output.finish(done, deals)
    played = Tournament(setup, schedule, None if out is None else Path(out), sums.sums(), store)
    if played.folder is not None:
        played.leaderboard.to_csv(played.folder / "leaderboard.csv", index=False)
        played.pairs.to_csv(played.folder / "pairs.csv", index=False)
    return played


def replay(folder: str | Path, game_id: int) -> runner.Played:
    """Play one game of a tournament's folder again, from what its manifest says."""
    settings = read_manifest(Path(folder))["settings"]
    setup, schedule = _prepare(
        settings["agents"],
        settings["rules"],
        settings["num_players"],
        settings["deals"],
        settings["seed"],
        settings["episode"],
        settings["design"],
    )
    if not 0 <= game_id < schedule.num_games:
        raise RunError(f"game_id={game_id} is not allowed: use 0 to {schedule.num_games - 1}")
    deal = bisect.bisect_right(range(schedule.num_deals), game_id, key=schedule.games_before) - 1
    block = schedule.block(deal, deal + 1).game(game_id - schedule.games_before(deal))
    result = setup.make_arena().play(block.seeds, block.agents, block.keys, 1, block.game_id)
    return runner.Played(block, result)


def _prepare(
    agents: Sequence[str | registry.Agent],
    rules: str | Rules | Mapping[str, Any],
    num_players: int,
    deals: int,
    seed: int,
    episode: Episode,
    design: Design,
    records: bool = False,
) -> tuple[Setup, Schedule]:
    """Check what was asked for, and say what it means."""
    if isinstance(agents, str) or not isinstance(agents, Iterable):
        raise RunError(f"agents={agents!r} is not allowed: use a list of names or objects")
    if isinstance(rules, str):
        rules = Rules.preset(rules)
    elif not isinstance(rules, Rules):
        rules = Rules.from_dict(rules)
    if episode not in get_args(Episode):
        raise RunError(f"episode={episode!r} is not allowed: use {' or '.join(get_args(Episode))}")
    if rules.teams != "none":
        raise NotImplementedRule(f"tournaments are not played in teams yet (teams={rules.teams!r})")
    num_players, deals, seed = map(operator.index, (num_players, deals, seed))
    setup = Setup(rules, num_players, told_apart(agents), episode, seed, records)
    names = tuple(agent.name for agent in setup.make_agents())
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise RunError(
            f"two agents are named {twice!r}: give objects names that differ (agent.name = ...)"
        )
    schedule = Schedule(names, num_players, deals, seed, design)
    rules.check(num_players)
    return setup, schedule


def _manifest(setup: Setup, schedule: Schedule, workers: int) -> dict[str, Any]:
    settings = {
        "agents": list(schedule.agents),
        "rules": setup.rules.to_dict(full=False),
        "num_players": setup.num_players,
        "episode": setup.episode,
        "deals": schedule.num_deals,
        "seed": schedule.seed,
        "design": schedule.design,
        "format_version": tables.FORMAT_VERSION,
    }
    return {
        "format_version": tables.FORMAT_VERSION,
        "kind": "tournament",
        "run_id": run_id(settings),
        "complete": False,
        "deals_played": 0,
        "settings": settings,
        "preset": name_of(setup.rules),
        "rules_digest": setup.rules.digest,
        "all_rules": setup.rules.to_dict(),
        "lineups": [[schedule.agents[i] for i in one.agents] for one in schedule.lineups],
        "reproduce": _command(setup, schedule),
        "workers": workers,
    } | environment()


def _command(setup: Setup, schedule: Schedule) -> str | None:
    if not all(isinstance(agent, str) for agent in setup.agents):
        return None
    words: list[object] = ["rummy500", "tournament", "--agents", ",".join(schedule.agents)]
    words += words_from_rules(setup.rules)
    words += ["--players", setup.num_players, "--deals", schedule.num_deals]
    words += ["--seed", schedule.seed, "--episode", setup.episode]
    if schedule.design != "auto":
        words += ["--design", schedule.design]
    if setup.records:
        words.append("--records")
    return shlex.join(map(str, words))
