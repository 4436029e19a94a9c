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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

import agents as registry
from agents.files import file_of
from experiments import alpha_rank, ratings, runner, stats, tables
from experiments.cheating import cheating, marked
from experiments.errors import RunError
from experiments.interrupts import uninterrupted
from experiments.recording import RECORDS, record_rows
from experiments.run_folder import RunFolder, environment, read_manifest, run_id
from experiments.runner import Conduct, Episode, Setup
from experiments.schedule import Design, Schedule
from experiments.settings import told_apart, words_from_rules
from experiments.storage import FinishedStore, MemoryStore, Store, frame
from rummy500_env import __version__
from rummy500_env.actions import action_space
from rummy500_env.presets import name_of
from rummy500_env.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DEFAULT_AGENTS", "Tournament", "load", "replay", "tournament"]

DEFAULT_AGENTS: Final = ("random", "greedy:digs=never", "greedy")
"""Agents of a tournament that names none."""

DEFAULT_CONDUCT: Final = Conduct()

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

    def marked(self, agent: str) -> str:
        """The name of an agent as tables show it: one that cheats is marked."""
        return marked(agent, self.setup.cheats)

    def _with_cheats(self, frame: pd.DataFrame, *columns: str) -> pd.DataFrame:
        """A table with a column that says whether an agent of the row sees hidden cards."""
        cheats = frame[list(columns)].isin(self.setup.cheats).any(axis=1)
        return frame.assign(cheats=cheats)

    @cached_property
    def leaderboard(self) -> pd.DataFrame:
        """One row for each agent, best first; columns of `stats.leaderboard`, and ``cheats``."""
        return self._with_cheats(stats.leaderboard(self.agents, self.sums), "agent")

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """One row for each pair of agents; columns as `stats.pairs` says, and ``cheats``."""
        return self._with_cheats(stats.pairs(self.agents, self.sums), "agent", "opponent")

    @cached_property
    def payoffs(self) -> pd.DataFrame:
        """Agents x agents: points per round that the row's agent scores more than the column's."""
        return stats.payoffs(self.agents, self.sums)[0]

    @cached_property
    def payoff_half_widths(self) -> pd.DataFrame:
        """Half-widths of the 95 % intervals of `payoffs`."""
        return stats.payoffs(self.agents, self.sums)[1]

    @cached_property
    def ratings(self) -> pd.DataFrame:
        """One row for each agent, best first: Bradley-Terry of two sides, else Plackett-Luce.

        Columns as `experiments.ratings.bradley_terry` says; at two seats, if all agents met, also
        ``alpha_rank`` with ``alpha_rank_low`` and ``alpha_rank_high``, see
        `experiments.alpha_rank`.
        """
        two_sides = len(self.schedule.seats_held) == 1
        rate = ratings.bradley_terry if two_sides else ratings.plackett_luce
        seats = self.store.table("seats", list(ratings.NEEDED)).to_pandas(categories=["agent"])
        found = self._with_cheats(rate(seats), "agent")
        gaps = int(self.payoffs.isna().to_numpy().sum()) - len(self.agents)
        if self.setup.num_players > 2 or gaps:
            return found
        masses = alpha_rank.alpha_rank(self.agents, self.sums)
        names = {"mass": "alpha_rank", "low": "alpha_rank_low", "high": "alpha_rank_high"}
        return found.merge(masses.rename(columns=names), on="agent", validate="1:1")

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
    def actions(self) -> pd.DataFrame:
        """One row for each move; `RunError` where they were not kept."""
        if not self.setup.keep_moves:
            raise RunError("the moves of this tournament were not kept: play it with actions=True")
        return frame(self.store, "actions")

    @cached_property
    def scores(self) -> pd.DataFrame:
        """Agent, score and rounds of each seat of each game: three columns of `seats`."""
        return frame(self.store, "seats", ["agent", "score", "rounds"])

    @property
    def num_truncated(self) -> int:
        """Games that a limit of the environment cut off."""
        return sum(map(bool, frame(self.store, "games", ["truncated_by"])["truncated_by"]))

    @cached_property
    def forfeits(self) -> pd.DataFrame:
        """One row for each game that was forfeited: ``game_id``, ``agent``, ``reason``."""
        columns = ["game_id", "agents", "forfeit_seat", "forfeit_reason"]
        found: Any = frame(self.store, "games", columns).query("forfeit_seat >= 0")
        rows = zip(found["agents"], found["forfeit_seat"], strict=True)
        agent = [names.split(tables.SEPARATOR)[seat] for names, seat in rows]
        found = found.assign(agent=agent, reason=found["forfeit_reason"])
        return found[["game_id", "agent", "reason"]].reset_index(drop=True)

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
    conduct: Conduct = DEFAULT_CONDUCT,
    actions: bool = False,
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
        out: folder for the tables; None keeps them in memory. A folder that holds a part of the
            same run is gone on with, wherever and however it was cut; one that holds all of it is
            read.
        episode: ``round`` plays single rounds, ``game`` goes on to the target score.
        design: how agents are put together, see `experiments.schedule`.
        workers: cores to play on; the results are the same for any number.
        progress: called with deals played and all deals, now and then.
        conduct: what becomes of an agent that raises, chooses an illegal action or takes too long;
            it forfeits the game if nothing is said, see `Conduct`.
        actions: whether to keep a table of all moves.
        records: whether the moves of all games are written too, into `Tournament.records`.
    """
    if records and out is None:
        raise RunError("records=True needs a folder: records are a file, say where with out=")
    runner.check_workers(workers)
    setup, schedule = prepare(
        agents, rules, num_players, deals, seed, episode, design, conduct, actions, records
    )
    sums = stats.ClusterSums(len(schedule.agents), schedule.seats_held)
    if out is None:
        store = MemoryStore(num_players, tables.names(actions))
        for done in _play(setup, schedule, workers, store, sums, 0):
            if progress is not None:
                progress(done, deals)
        return Tournament(setup, schedule, None, sums.sums(), store)
    output = RunFolder(Path(out), manifest(setup, schedule, workers))
    if output.is_complete:
        return load(out)
    store = output.open_tables(num_players, tables.names(actions), records)
    try:
        for rows in store.rows("seats"):
            sums.add(tables.game_sums(schedule.agents, num_players, rows))
        for done in _play(setup, schedule, workers, store, sums, store.num_deals):
            if progress is not None:
                progress(done, deals)
    finally:
        with uninterrupted():
            output.finish(deals)
    played = Tournament(setup, schedule, output.path, sums.sums(), store)
    played.leaderboard.to_csv(output.path / "leaderboard.csv", index=False)
    played.pairs.to_csv(output.path / "pairs.csv", index=False)
    played.ratings.to_csv(output.path / "ratings.csv", index=False)
    return played


def _play(
    setup: Setup,
    schedule: Schedule,
    workers: int,
    store: Store,
    sums: stats.ClusterSums,
    first_deal: int,
) -> Iterator[int]:
    """Play from a deal on, and keep what comes out; yields the number of finished deals."""
    games = runner.play(setup, schedule, workers, first_deal)
    space = action_space(setup.rules, setup.num_players)
    texts = space.texts() if setup.keep_moves else None
    names = schedule.agents
    with contextlib.closing(games):  # stops the workers, whatever happens
        for block, result in games:
            done = block.first_deal + block.num_deals
            with uninterrupted():
                rows = tables.of_games(names, block, result, texts, setup.cheats)
                if setup.records:
                    shown = tuple(marked(name, setup.cheats) for name in names)
                    rows["records"] = record_rows(setup, shown, block, result)
                store.add(rows, done)
                sums.add(stats.GameSums.of(block, result))
            yield done


def load(folder: str | Path) -> Tournament:
    """The tournament of a folder, as far as it was played when it last stopped in good order.

    Raises:
        RunError: when the folder holds no tournament, or a table is damaged.
    """
    folder = Path(folder)
    found = read_manifest(folder)
    if found.get("kind") not in ("tournament", "compare"):
        raise RunError(f"{str(folder)!r} holds no tournament")
    settings = found["settings"]
    names = tuple(settings["agents"])
    rules = Rules.from_dict(settings["rules"])
    conduct = Conduct(**settings["conduct"])
    played = (settings["num_players"], names, settings["episode"], settings["seed"])
    cheats = tuple(found.get("cheats", ()))
    setup = Setup(rules, *played, conduct, settings["actions"], settings["records"], cheats)
    schedule = _schedule(setup, names, settings["deals"], settings["design"])
    store = FinishedStore(folder, found.get("rows", {}))
    sums = stats.ClusterSums(len(names), schedule.seats_held)
    for rows in store.rows("seats"):
        sums.add(tables.game_sums(names, setup.num_players, rows))
    return Tournament(setup, schedule, folder, sums.sums(), store)


def replay(folder: str | Path, game_id: int) -> runner.Played:
    """Play one game of a tournament's folder again, from what its manifest says."""
    settings = read_manifest(Path(folder))["settings"]
    setup, schedule = prepare(
        settings["agents"],
        settings["rules"],
        settings["num_players"],
        settings["deals"],
        settings["seed"],
        settings["episode"],
        settings["design"],
        Conduct(**settings["conduct"]),
        settings["actions"],
        settings["records"],
    )
    if not 0 <= game_id < schedule.num_games:
        raise RunError(f"game_id={game_id} is not allowed: use 0 to {schedule.num_games - 1}")
    deal = bisect.bisect_right(range(schedule.num_deals), game_id, key=schedule.games_before) - 1
    block = schedule.block(deal, deal + 1).game(game_id - schedule.games_before(deal))
    result = setup.make_arena().play(block.seeds, block.agents, block.keys, 1, block.game_id)
    return runner.Played(block, result)


def prepare(
    agents: Sequence[str | registry.Agent],
    rules: str | Rules | Mapping[str, Any],
    num_players: int,
    deals: int,
    seed: int,
    episode: Episode,
    design: Design = "auto",
    conduct: Conduct = DEFAULT_CONDUCT,
    actions: bool = False,
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
    if design not in get_args(Design):
        raise RunError(f"design={design!r} is not allowed: use {', '.join(get_args(Design))}")
    num_players, deals, seed = map(operator.index, (num_players, deals, seed))
    setup = Setup(rules, num_players, told_apart(agents), episode, seed, conduct, actions, records)
    made = setup.make_agents()
    names = tuple(agent.name for agent in made)
    setup = replace(setup, cheats=cheating(made))
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise RunError(
            f"two agents are named {twice!r}: give objects names that differ (agent.name = ...)"
        )
    schedule = _schedule(setup, names, deals, design)
    rules.check(num_players)
    return setup, schedule


def _schedule(setup: Setup, names: tuple[str, ...], deals: int, design: Design) -> Schedule:
    in_teams = setup.rules.teams != "none"
    return Schedule(names, setup.num_players, deals, setup.seed, design, in_teams)


def manifest(setup: Setup, schedule: Schedule, workers: int) -> dict[str, Any]:
    """What is to be known of a run, before it is played."""
    named = [one for one in setup.agents if isinstance(one, str)]
    files = dict(filter(None, map(file_of, named)))
    settings = {
        "agents": list(schedule.agents),
        "rules": setup.rules.to_dict(full=False),
        "num_players": setup.num_players,
        "episode": setup.episode,
        "deals": schedule.num_deals,
        "seed": schedule.seed,
        "design": schedule.design,
        "conduct": asdict(setup.conduct),
        "actions": setup.keep_moves,
        "records": setup.records,
        "format_version": tables.FORMAT_VERSION,
        "version": __version__,
        "files": files,
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
        "cheats": list(setup.cheats),
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
    words += ["--actions"] if setup.keep_moves else []
    words += setup.conduct.words
    if setup.records:
        words.append("--records")
    return shlex.join(map(str, words))
