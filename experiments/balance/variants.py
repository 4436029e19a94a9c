"""Which variants a study plays: presets, times a grid of options, at several numbers of seats."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from agents.learned import shipped_file
from experiments.errors import RunError
from experiments.making import made
from experiments.runner import Conduct, Setup
from experiments.settings import parse_changes
from rummy500_env.errors import RulesError, Rummy500Error
from rummy500_env.networks import NetworkError
from rummy500_env.presets import presets
from rummy500_env.rules import Rules

__all__ = ["AGENTS", "Cell", "Plan", "Variant", "grid_of", "plan", "tables_in_order", "variants"]

AGENTS: Final = ("greedy", "advisor")
"""Agents of a study that names none, weakest first; `LEARNED` comes after them where it can."""
LEARNED: Final = "learned"
TYPICAL: Final = 4
"""Seats of a study that names no number, besides the fewest that a variant allows."""

Grid = Mapping[str, Sequence[Any]]
"""Values to try for each of some options."""


@dataclass(frozen=True)
class Variant:
    """Rules with a name: a preset, or one with options of a grid."""

    name: str
    rules: Rules


@dataclass(frozen=True)
class Cell:
    """A variant at so many seats, and who plays it."""

    variant: Variant
    num_players: int
    agents: tuple[str, ...]
    """Weakest first: each plays itself, and against the one before it."""

    @property
    def in_teams(self) -> bool:
        """Whether two sides of two play."""
        return self.variant.rules.teams != "none"

    @property
    def num_sides(self) -> int:
        """Sides that score by themselves: seats, or the two sides of a table with teams."""
        return 2 if self.in_teams else self.num_players

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Strong against weak: each agent and the one before it."""
        return [(strong, weak) for weak, strong in itertools.pairwise(self.agents)]

    def setup(self, seed: int) -> Setup:
        """What the runner needs; an agent that fails stops the study."""
        rules, strict = self.variant.rules, Conduct(strict=True)
        return Setup(rules, self.num_players, self.agents, "game", seed, strict)


class Plan(NamedTuple):
    """What a study plays, and what it leaves out."""

    cells: list[Cell]
    skipped: list[str]
    """A line for each variant, table or agent that cannot be, with the reason."""


def grid_of(words: Iterable[str]) -> dict[str, list[Any]]:
    """A grid from words such as ``target_score=300,500`` or ``hand_size=7,{"2":13,"3":7}``."""
    grid: dict[str, list[Any]] = {}
    for word in words:
        name, equals, text = word.partition("=")
        parts = _split(text)
        if not equals or not all(part.strip() for part in parts):
            raise RunError(f"--grid {word!r} is not allowed: use option=value,value")
        values = [parse_changes([f"{name}={part}"], "--grid") for part in parts]
        option = name.strip()
        if option in grid:
            raise RunError(f"--grid {word!r} is not allowed: {option} is there twice")
        grid[option] = [value[option] for value in values]
        shown = [json.dumps(value) for value in grid[option]]
        if len(set(shown)) < len(shown):
            raise RunError(f"--grid {word!r} is not allowed: a value is there twice")
    return grid


def _split(text: str) -> list[str]:
    """Parts between commas that stand in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def variants(names: Sequence[str], grid: Grid, strict: bool) -> tuple[list[Variant], list[str]]:
    """All combinations of presets and values, and those that contradict themselves, with reasons.

    Raises:
        RulesError: when the grid has no option, or a value that none allows; with `strict` if
            anything contradicts itself, without if everything does.
    """
    chosen = presets() if list(names) == ["all"] else list(names)
    twice = next((name for name in chosen if chosen.count(name) > 1), None)
    if twice is not None:
        raise RunError(f"rules={twice!r} is there twice: name each preset once")
    for option, values in grid.items():
        for value in values:
            _check(option, value)
    found: list[Variant] = []
    skipped: list[str] = []
    for preset, values in itertools.product(chosen, itertools.product(*grid.values())):
        changes = dict(zip(grid, values, strict=True))
        name = "+".join([preset, *map(_shown, changes, values)])
        base = Rules.preset(preset)
        try:
            found.append(Variant(name, base.replace(**changes)))
        except RulesError as error:
            skipped.append(f"{name}: {'; '.join(error.problems)}")
    if skipped and (strict or not found):
        raise RulesError(skipped)
    return found, skipped


def _check(option: str, value: Any) -> None:
    """Refuse what is no option, or no value of it, whatever the others are."""
    declared = {one.name: one for one in Rules.options()}.get(option)
    try:
        if declared is not None:
            declared.kind.clean(value)
            return
    except (ValueError, TypeError):
        pass
    Rules.from_dict({option: value})  # raises, and says what is allowed


def _shown(option: str, value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return f"{option}={text}"


def plan(
    chosen: Sequence[Variant],
    players: Sequence[int] | None,
    agents: Sequence[str] | None,
    seed: int,
    strict: bool,
    slow: bool,
) -> Plan:
    """The tables of a study.

    Args:
        chosen: the variants.
        players: numbers of seats; None: the fewest that a variant allows, and `TYPICAL`.
        agents: names of agents, weakest first; None: `AGENTS`, and `LEARNED` where weights come
            with the package.
        seed: seed of the run, with which agents get ready.
        strict: whether what cannot be played is refused instead of left out.
        slow: whether agents may play that are not compiled.
    """
    cells: list[Cell] = []
    skipped: list[str] = []
    for variant in chosen:
        allowed = variant.rules.player_counts()
        wanted = players or sorted({allowed[0], TYPICAL} & set(allowed))
        for number in wanted:
            try:
                variant.rules.check(number)
            except RulesError as error:
                skipped.append(f"{variant.name}: {'; '.join(error.problems)}")
                continue
            named = agents or _default_agents(variant.rules, number)
            able, told = _able(Cell(variant, number, tuple(named)), seed, slow)
            skipped += told
            if able.agents:
                cells.append(able)
    if skipped and (strict or not cells):
        raise RunError("; ".join(skipped))
    return Plan(cells, skipped)


def _default_agents(rules: Rules, num_players: int) -> tuple[str, ...]:
    has_weights = shipped_file(rules, num_players) is not None
    return (*AGENTS, LEARNED) if has_weights else AGENTS


def _able(cell: Cell, seed: int, slow: bool) -> tuple[Cell, list[str]]:
    """The same with the agents only that can play it, and why others cannot."""
    able: list[str] = []
    skipped: list[str] = []
    for name in cell.agents:
        made(name)  # a name or a setting that no variant could have is refused
        alone = Cell(cell.variant, cell.num_players, (name,))
        try:
            (agent,) = alone.setup(seed).make_agents()
        except Rummy500Error as error:
            if not isinstance(error, NetworkError):
                raise
            skipped.append(f"{cell.variant.name}, {cell.num_players} players: {name}: {error}")
            continue
        if getattr(agent, "policy", None) is None and not slow:
            raise RunError(
                f"agent {name!r} is not compiled, so a study with it takes long: say --slow "
                "(slow=True), or use compiled ones, such as greedy or advisor"
            )
        able.append(name)
    return Cell(cell.variant, cell.num_players, tuple(able)), skipped


def tables_in_order(cells: Sequence[Cell], base: str | None) -> Iterator[tuple[int, Cell]]:
    """The cells by their places, those of the base variant first: the others are compared to it."""
    order = sorted(range(len(cells)), key=lambda place: cells[place].variant.name != base)
    return ((place, cells[place]) for place in order)
