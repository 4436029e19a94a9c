"""Is A better than B? Deals are played until that is known: `compare`.

```python
from experiments.compare import compare

found = compare("greedy", "random", seed=1)
found.decision  # "better", "not better" or "undecided"
found.intervals  # DataFrame: the confidence sequence where it stopped
found.path  # DataFrame: the same at each look
```

The rule and its errors are those of `experiments.sequential.Rule`. At three and more seats "A
against B" is two comparisons, one A among B's and one B among A's, each in all seats.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np

import agents as registry
from experiments import runner, stats, tables
from experiments.errors import RunError
from experiments.interrupts import uninterrupted
from experiments.run_folder import RunFolder, run_id
from experiments.runner import Episode, Setup
from experiments.sequential import BETTER, GOES_ON, NOT_BETTER, Rule, interval, known_error
from experiments.settings import words_from_rules
from experiments.storage import MemoryStore, Store
from experiments.tournament import Progress, Tournament, load, manifest, prepare
from rummy500_env.rules import Rules

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from experiments.schedule import Block, Schedule
    from rummy500_env.arena import ArenaResult

__all__ = ["Comparison", "Decision", "compare"]

Decision: TypeAlias = Literal["better", "not better", "undecided"]

DECISIONS: Final[Mapping[int, Decision]] = {
    BETTER: "better",
    NOT_BETTER: "not better",
    GOES_ON: "undecided",
}
PATH: Final = "comparison.csv"


@dataclass(frozen=True)
class Comparison:
    """A comparison that was played."""

    rule: Rule
    decision: Decision
    """Whether the first is ``better`` than the second, ``not better`` by delta or more, or
    ``undecided`` at the cap."""
    path: pd.DataFrame
    """A row for each look and direction: ``deals``; ``alone``, the agent that held one seat;
    ``difference``, points per round that the first scored more than the second; the 95 %
    confidence sequence from ``low`` to ``high`` (NaN while fewer than 30 deals show a
    difference). All of its rows together hold the true difference with 95 %."""
    played: Tournament
    """The games. Intervals of a `Tournament` are for a number of deals that was fixed before; here
    it was not, so those of `path` are to be reported."""

    @property
    def first(self) -> str:
        """The agent of which it is asked whether it is better."""
        return self.played.agents[0]

    @property
    def second(self) -> str:
        """The agent it was compared with."""
        return self.played.agents[1]

    @property
    def deals(self) -> int:
        """Deals played."""
        return self.played.schedule.num_deals

    @property
    def deviations(self) -> list[float]:
        """Standard deviations of what one deal says, points per round, by direction."""
        found = stats.margins(self.played.sums).deviation
        return [float(found[0, 1]), float(found[1, 0])][: self.rule.num_directions]

    @property
    def intervals(self) -> pd.DataFrame:
        """The last rows of `path`: one for each direction."""
        return self.path.tail(self.rule.num_directions).reset_index(drop=True)

    @property
    def command(self) -> str | None:
        """The command that plays it again; None if an agent was given as an object."""
        return _command(self.played.setup, self.played.schedule, self.rule)


def compare(
    first: str | registry.Agent,
    second: str | registry.Agent,
    rules: str | Rules | Mapping[str, Any] = "rummy500",
    num_players: int = 2,
    seed: int = 0,
    out: str | Path | None = None,
    episode: Episode = "round",
    delta: float = 3.0,
    alpha: float = 0.025,
    beta: float = 0.025,
    max_deals: int = 20_000,
    workers: int = 1,
    progress: Progress | None = None,
) -> Comparison:
    """Play two agents against each other until one is known to be better, or not.

    The deals are those of a tournament of the two with the same seed.

    Args:
        first: the agent of which it is asked whether it is better, by name or as an object.
        second: the agent it is compared with.
        rules: name of a preset, rules, or a mapping of options.
        num_players: seats at each table.
        seed: seed of the run; everything follows from it.
        out: folder for the tables; None keeps them in memory.
        episode: ``round`` plays single rounds, ``game`` goes on to the target score.
        delta: smallest difference that matters, points per round.
        alpha: chance of "better" where the difference is at most 0.
        beta: chance of "not better" where it is delta or more.
        max_deals: deals at which it stops in any case.
        workers: cores to play on; the results are the same for any number.
        progress: called with deals played and the cap, now and then.
    """
    if first is second or first == second:
        raise RunError(f"compare needs two different agents: both are {_name(first)!r}")
    rule = Rule(delta, alpha, beta, max_deals)
    setup, schedule = prepare((first, second), rules, num_players, max_deals, seed, episode, "auto")
    rule = dataclasses.replace(rule, num_directions=len(schedule.seats_held))
    looks = _Looks(rule, schedule)
    if out is None:
        store = MemoryStore(num_players, tables.names(with_actions=False))
        for done in _play(setup, schedule, workers, store, looks):
            if progress is not None:
                progress(done, max_deals)
        return _comparison(setup, schedule, looks, store, None)
    output = RunFolder(Path(out), _manifest(setup, schedule, rule, workers))
    if output.is_complete:
        finished = load(out).store
        looks.add_rows(finished.rows("seats"))
        return _comparison(setup, schedule, looks, finished, output.path)
    journaled = output.open_tables(num_players, tables.names(with_actions=False))
    is_finished = False
    try:
        looks.add_rows(journaled.rows("seats"))
        for done in _play(setup, schedule, workers, journaled, looks):
            if progress is not None:
                progress(done, max_deals)
        is_finished = True
        output.manifest["decision"] = DECISIONS[looks.decision]
    finally:
        with uninterrupted():
            output.finish(looks.num_deals if is_finished else max_deals)
    return _comparison(setup, schedule, looks, journaled, output.path)


class _Looks:
    """What is known of a comparison after each look at it."""

    def __init__(self, rule: Rule, schedule: Schedule) -> None:
        self.rule = rule
        self.names = schedule.agents
        self.num_players = schedule.num_players
        self.sums = stats.ClusterSums(2, schedule.seats_held)
        self.rows: list[dict[str, Any]] = []
        self.num_deals = 0
        self.decision = GOES_ON

    def add_rows(self, parts: Iterable[pa.Table]) -> None:
        """Add games by their rows of the table of seats, which may reach over several looks."""
        for rows in parts:
            games = tables.game_sums(self.names, self.num_players, rows)
            cuts = np.searchsorted(games.deal, self.rule.looks)
            for first, stop in itertools.pairwise([0, *cuts.tolist(), len(games.deal)]):
                self.add(stats.GameSums(*(values[first:stop] for values in games)))

    def add(self, games: stats.GameSums) -> None:
        """Add games, none of them from behind the next look."""
        if not len(games.deal):
            return
        self.sums.add(games)
        self.num_deals = int(games.deal[-1]) + 1
        if self.num_deals in self.rule.looks:
            self.decision = _look(self.rule, self.sums.sums(), self.names, self.rows)


def _play(
    setup: Setup, schedule: Schedule, workers: int, store: Store, looks: _Looks
) -> Iterator[int]:
    """Play on until it is known which is better; yields the number of finished deals."""
    if looks.decision != GOES_ON:
        return
    games = runner.play(setup, schedule, workers, looks.num_deals, looks.rule.looks)
    with contextlib.closing(games):  # stops the workers, whatever happens
        for block, result in games:
            done = block.first_deal + block.num_deals
            with uninterrupted():
                store.add(_rows(setup, schedule, block, result), done)
                looks.add(stats.GameSums.of(block, result))
            yield done
            if looks.decision != GOES_ON:
                break


def _rows(setup: Setup, schedule: Schedule, block: Block, result: ArenaResult) -> Any:
    return tables.of_games(schedule.agents, block, result, cheats=setup.cheats)


def _look(rule: Rule, sums: stats.Sums, names: tuple[str, ...], rows: list[dict[str, Any]]) -> int:
    """Add a look to the path, and say what it says."""
    found = stats.margins(sums)
    one, other = np.array([0, 1])[: rule.num_directions], np.array([1, 0])[: rule.num_directions]
    sign = np.array([1.0, -1.0])[: rule.num_directions]
    value = sign * found.value[one, other]
    differing = (sums.margin[:, one, other] != 0).sum(axis=0)
    error = known_error(found.standard_error[one, other], differing)
    deals = len(sums.margin)
    low, high = interval(deals, value, error)
    for place, number in enumerate(one):
        rows.append(
            {
                "deals": deals,
                "alone": names[number],
                "difference": value[place],
                "low": low[place] if np.isfinite(low[place]) else np.nan,
                "high": high[place] if np.isfinite(high[place]) else np.nan,
            }
        )
    return int(rule.decide(deals, value, error))


def _comparison(
    setup: Setup, schedule: Schedule, looks: _Looks, store: Store, folder: Path | None
) -> Comparison:
    import pandas as pd  # noqa: PLC0415

    shown = dataclasses.replace(schedule, num_deals=looks.num_deals)
    played = Tournament(setup, shown, folder, looks.sums.sums(), store)
    found = Comparison(looks.rule, DECISIONS[looks.decision], pd.DataFrame(looks.rows), played)
    if folder is not None:
        found.path.to_csv(folder / PATH, index=False)
    return found


def _name(agent: Any) -> str:
    return agent if isinstance(agent, str) else getattr(agent, "name", type(agent).__name__)


def _manifest(setup: Setup, schedule: Schedule, rule: Rule, workers: int) -> dict[str, Any]:
    found = manifest(setup, schedule, workers)
    bounds = {"delta": rule.delta, "alpha": rule.alpha, "beta": rule.beta}
    settings = found["settings"] | bounds
    return found | {
        "kind": "compare",
        "run_id": run_id({"kind": "compare"} | settings),
        "settings": settings,
        "reproduce": _command(setup, schedule, rule),
    }


def _command(setup: Setup, schedule: Schedule, rule: Rule) -> str | None:
    if not all(isinstance(agent, str) for agent in setup.agents):
        return None
    words: list[object] = ["rummy500", "compare", *schedule.agents]
    words += words_from_rules(setup.rules)
    words += ["--players", setup.num_players, "--seed", schedule.seed, "--episode", setup.episode]
    words += ["--delta", rule.delta, "--alpha", rule.alpha, "--beta", rule.beta]
    words += ["--max-deals", rule.max_deals]
    return shlex.join(map(str, words))
