"""A study of variants as a library: `balance` plays one, `Study` holds what came out.

```python
from experiments.balance.study import balance

study = balance(["rummy500"], grid={"target_score": [300, 500]}, deals=200, against="rummy500")
study.figures  # DataFrame: a row for each number
study.differences  # the same, less those of the base on the same deals
```
"""

from __future__ import annotations

import json
import operator
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from experiments import runner
from experiments.balance.cells import FOLDER, CellSums, num_games, play_cell, sums_path
from experiments.balance.duel import DUEL
from experiments.balance.figures import figure
from experiments.balance.jackknife import Estimate, difference
from experiments.balance.kinds import Figure, measure
from experiments.balance.own import SELF
from experiments.balance.variants import Cell, Grid, Plan, Variant, plan, tables_in_order, variants
from experiments.errors import RunError
from experiments.run_folder import RunFolder, environment, read_manifest, run_id
from experiments.schedule import Schedule
from rummy500_env import __version__
from rummy500_env.presets import presets
from rummy500_env.rules import Rules

__all__ = ["DIFFERENCES", "FIGURES", "KIND", "Study", "balance", "load_study"]

KIND: Final = "balance"
FIGURES, DIFFERENCES = "figures", "differences"
"""Names of the tables' files."""
FORMAT_VERSION: Final = 1
KEYS: Final = ["variant", "players", "agent", "figure", "at"]
VERSUS: Final = " against "

Progress = Callable[[int, int], None]
"""Called with the games played so far, and all of them."""


@dataclass(frozen=True)
class Study:
    """A study that was played.

    Attributes:
        figures: A row for each number: ``variant``, ``players``, ``agent`` (``advisor against
            greedy`` where a strong agent is measured with a weak one), ``figure``, ``at`` (what of
            it, such as ``place 2``), ``value``, its 95 % interval from ``low`` to ``high`` (NaN
            where there is none), ``unit``, ``deals`` behind it, and ``sign_changes``: whether
            another agent has it surely on the other side of 0.
        differences: The same, ``value`` less that of the base variant on the same deals; None
            where there is no base.
        against: Name of the base variant, if there is one.
        skipped: A line for each variant, table or agent that could not be, with the reason.
        manifest: What was asked for.
        folder: Where the files are; None if there are none.
    """

    figures: pd.DataFrame
    differences: pd.DataFrame | None
    against: str | None
    skipped: list[str]
    manifest: dict[str, Any]
    folder: Path | None


def balance(
    rules: Sequence[str] = ("rummy500",),
    *,
    grid: Grid | None = None,
    players: Sequence[int] | None = None,
    agents: Sequence[str] | None = None,
    deals: int = 500,
    seed: int = 0,
    against: str | None = None,
    out: str | Path | None = None,
    workers: int = 1,
    strict: bool = False,
    slow: bool = False,
    progress: Progress | None = None,
) -> Study:
    """Play variants and measure them.

    Args:
        rules: names of presets, or ``["all"]``.
        grid: values to try for some options, in all combinations, with each preset.
        players: numbers of seats; None: the fewest that a variant allows, and four.
        agents: names of agents, weakest first; None: greedy and advisor, and learned where weights
            come with the package.
        deals: game seeds; a game of each agent with itself is played with each, and each pair of
            neighbours in ``agents`` in every seating.
        seed: seed of the run; all variants are played with the same deals.
        against: name of the variant that all others are compared with.
        out: folder for the tables; None keeps them in memory. A folder that holds a part of the
            same study is gone on with.
        workers: cores to play on; the results are the same for any number.
        strict: whether what cannot be is refused instead of skipped.
        slow: whether agents that are not compiled may play.
        progress: called with games played and all games, now and then.
    """
    runner.check_workers(workers)
    deals, seed = operator.index(deals), operator.index(seed)
    chosen, contradictions = variants(rules, grid or {}, strict)
    if against is not None:
        _add_base(chosen, against)
    Schedule(("any",), 2, deals, seed, "self")  # refuses deals and seeds that cannot be
    planned = plan(chosen, players, agents, seed, strict, slow)
    planned = Plan(planned.cells, contradictions + planned.skipped)
    asked = _settings(rules, grid or {}, players, agents, deals, seed, strict, slow)
    command = _command(asked, against)
    manifest = _manifest(asked, planned, command, against, workers)
    folder = None if out is None else RunFolder(Path(out), manifest)
    if folder is not None:
        (folder.path / FOLDER).mkdir(exist_ok=True)
    tables = _Tables(against)
    path = None if folder is None else folder.path
    for place, cell, sums in _played(planned.cells, against, deals, seed, workers, path, progress):
        tables.add(place, cell, sums)
    study = Study(tables.figures(), tables.differences(), against, planned.skipped, manifest, path)
    if folder is not None:
        _write(study, folder)
    return study


def _add_base(chosen: list[Variant], against: str) -> None:
    """Have the base among the variants."""
    if against in (variant.name for variant in chosen):
        return
    if against not in presets():
        names = ", ".join(variant.name for variant in chosen[:8])
        raise RunError(
            f"against={against!r} is not allowed: use a preset (see: rummy500 rules) or a variant "
            f"of the study, such as {names}"
        )
    chosen.insert(0, Variant(against, Rules.preset(against)))


def _played(
    cells: Sequence[Cell],
    base: str | None,
    deals: int,
    seed: int,
    workers: int,
    folder: Path | None,
    progress: Progress | None,
) -> Iterator[tuple[int, Cell, CellSums]]:
    """The sums of each cell, those of the base first; what a folder holds is not played again."""
    total = sum(num_games(cell, deals, seed) for cell in cells)
    done = 0

    def count(games: int) -> None:
        nonlocal done
        done += games
        if progress is not None:
            progress(done, total)

    for place, cell in tables_in_order(cells, base):
        path = None if folder is None else sums_path(folder, cell)
        if path is not None and path.exists():
            sums = CellSums.read(path, cell)
            count(num_games(cell, deals, seed))
        else:
            sums = play_cell(cell, deals, seed, workers, count)
            if path is not None:
                sums.write(path)
        yield place, cell, sums


class _Tables:
    """Makes the rows of both tables, cell by cell; the base's come first."""

    def __init__(self, against: str | None) -> None:
        self.against = against
        self._rows: dict[int, list[pd.DataFrame]] = {}
        self._differences: dict[int, list[pd.DataFrame]] = {}
        self._base: dict[tuple[int, str, str], Estimate] = {}

    def add(self, place: int, cell: Cell, sums: CellSums) -> None:
        """Add the rows of a cell."""
        is_base = cell.variant.name == self.against
        rows, differences = self._rows.setdefault(place, []), self._differences
        for agent, one, estimate in _estimates(cell, sums):
            rows.append(_frame(cell, agent, one, estimate))
            key = (cell.num_players, agent, one.name)
            if is_base:
                self._base[key] = estimate
            elif key in self._base and self._are_alike(one, cell, self._base[key]):
                less = difference(estimate, self._base[key])
                differences.setdefault(place, []).append(_frame(cell, agent, one, less))

    @staticmethod
    def _are_alike(one: Figure, cell: Cell, base: Estimate) -> bool:
        """Whether two have as many numbers: those of deficits hang on the target."""
        return len(one.labels(cell)) == len(base.value)

    def figures(self) -> pd.DataFrame:
        """All rows, in the order of the cells."""
        found = _joined(self._rows)
        has_zero = found["figure"].map(lambda name: figure(name).zero)
        return found.assign(sign_changes=has_zero & _sign_changes(found))

    def differences(self) -> pd.DataFrame | None:
        """The differences to the base; None where there is none."""
        if self.against is None:
            return None
        found = _joined(self._differences)
        return found.assign(sign_changes=_sign_changes(found))


def _estimates(cell: Cell, sums: CellSums) -> Iterator[tuple[str, Figure, Estimate]]:
    for agent, own in sums.own.items():
        for one in SELF:
            yield agent, one, measure(one, own, cell)
    for (strong, weak), duel in sums.duels.items():
        for one in DUEL:
            yield f"{strong}{VERSUS}{weak}", one, measure(one, duel, cell)


def _frame(cell: Cell, agent: str, one: Figure, estimate: Estimate) -> pd.DataFrame:
    half = estimate.half_width
    found: Any = pd.DataFrame(
        {
            "variant": cell.variant.name,
            "players": np.int64(cell.num_players),
            "agent": agent,
            "figure": one.name,
            "at": one.labels(cell),
            "value": estimate.value,
            "low": estimate.value - half,
            "high": estimate.value + half,
            "unit": one.unit,
            "deals": estimate.num_deals,
        }
    )
    return found[np.isfinite(estimate.value)]


def _joined(rows: Mapping[int, list[pd.DataFrame]]) -> pd.DataFrame:
    parts = [part for place in sorted(rows) for part in rows[place] if len(part)]
    if not parts:
        columns = [*KEYS, "value", "low", "high", "unit", "deals"]
        return pd.DataFrame({name: [] for name in columns})
    return pd.concat(parts, ignore_index=True)


def _sign_changes(rows: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Whether one agent has a number surely above 0, and another surely below."""
    sure = rows.assign(above=rows["low"] > 0, below=rows["high"] < 0)
    others: Any = sure.groupby([key for key in KEYS if key != "agent"])
    both = others["above"].transform("any") & others["below"].transform("any")
    return both.to_numpy(dtype=np.bool_)


# --- what was asked for ---------------------------------------------------------------------------


def _settings(
    rules: Sequence[str],
    grid: Grid,
    players: Sequence[int] | None,
    agents: Sequence[str] | None,
    deals: int,
    seed: int,
    strict: bool,
    slow: bool,
) -> dict[str, Any]:
    return {
        "rules": list(rules),
        "grid": {option: list(values) for option, values in grid.items()},
        "players": None if players is None else list(players),
        "agents": None if agents is None else list(agents),
        "deals": deals,
        "seed": seed,
        "strict": strict,
        "slow": slow,
        "format_version": FORMAT_VERSION,
        "version": __version__,
    }


def _command(asked: Mapping[str, Any], against: str | None) -> str:
    """The command that plays the same study."""
    words: list[object] = ["rummy500", "balance", "--rules", ",".join(asked["rules"])]
    for option, values in asked["grid"].items():
        shown = [one if isinstance(one, str) else json.dumps(one) for one in values]
        words += ["--grid", f"{option}={','.join(shown)}"]
    for name in ("players", "agents"):
        if asked[name] is not None:
            words += [f"--{name}", ",".join(map(str, asked[name]))]
    words += ["--deals", asked["deals"], "--seed", asked["seed"]]
    words += [] if against is None else ["--against", against]
    words += ["--strict"] * asked["strict"] + ["--slow"] * asked["slow"]
    return shlex.join(map(str, words))


def _manifest(
    asked: dict[str, Any], planned: Plan, command: str, against: str | None, workers: int
) -> dict[str, Any]:
    rules = {cell.variant.name: cell.variant.rules for cell in planned.cells}
    return {
        "format_version": FORMAT_VERSION,
        "kind": KIND,
        "run_id": run_id({"kind": KIND} | asked),
        "complete": False,
        "settings": asked,
        "against": against,
        "variants": {name: one.to_dict(full=False) for name, one in rules.items()},
        "rules_digests": {name: one.digest for name, one in rules.items()},
        "tables": [
            {"variant": cell.variant.name, "players": cell.num_players, "agents": cell.agents}
            for cell in planned.cells
        ],
        "skipped": planned.skipped,
        "reproduce": command,
        "workers": workers,
    } | environment()


def _write(study: Study, folder: RunFolder) -> None:
    """Write the tables, and say in the manifest that all is there."""
    rows: dict[str, int] = {}
    for name, table in ((FIGURES, study.figures), (DIFFERENCES, study.differences)):
        path = folder.path / name
        if table is None:  # of another base, perhaps
            for ending in (".parquet", ".csv"):
                path.with_suffix(ending).unlink(missing_ok=True)
            continue
        table.to_parquet(path.with_suffix(".parquet"), index=False)
        table.to_csv(path.with_suffix(".csv"), index=False)
        rows[name] = len(table)
    folder.note({"complete": True, "rows": rows})


def load_study(folder: str | Path) -> Study:
    """The study of a folder.

    Raises:
        RunError: when the folder holds no study, or one that was not finished.
    """
    folder = Path(folder)
    found = read_manifest(folder)
    if found.get("kind") != KIND:
        raise RunError(f"{str(folder)!r} holds no study of variants")
    if not found.get("complete"):
        raise RunError(f"the study in {str(folder)!r} was not finished: {found['reproduce']}")
    tables: dict[str, Any] = {}
    for name in found["rows"]:
        path = folder / f"{name}.parquet"
        try:
            tables[name] = pd.read_parquet(path)
        except (OSError, ValueError) as error:
            raise RunError(f"{str(path)!r} cannot be read: {error}") from None
    return Study(
        tables[FIGURES],
        tables.get(DIFFERENCES),
        found["against"],
        found["skipped"],
        found,
        folder,
    )
