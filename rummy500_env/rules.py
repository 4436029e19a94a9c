"""`Rules`: one frozen value that says everything about how a table is played.

Rules are data. The engine reads options and never the name of a preset; two tables with equal
rules play alike, and `Rules.digest` names them for records and results.

    Rules()                                  the standard game
    Rules.preset("michigan_rum")             a named variant
    Rules(target_score=300, hand_size=10)    one's own
    rules.replace(num_jokers=2, joker_role="wild")
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, Self, get_type_hints

from rummy500_env import preset_data, rule_checks
from rummy500_env.errors import RulesError, close_matches
from rummy500_env.options_score import RuleOptions
from rummy500_env.rule_options import Option, describe

__all__ = ["Option", "Rules"]

_HINTS: Final = get_type_hints(RuleOptions)
_OPTIONS: Final[dict[str, Option]] = {
    declared.name: describe(declared, _HINTS[declared.name])
    for declared in dataclasses.fields(RuleOptions)
}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Rules(RuleOptions):
    """The rules of a game of Rummy 500 or of a relative.

    Every option is a keyword with a default; the defaults together are the standard game.
    Unknown keywords, values that are not allowed and combinations that contradict each other
    raise one `RulesError` that lists them all. `Rules.options()` describes every option,
    `rummy500_env.presets()` names the variants that `Rules.preset(name)` knows.
    """

    def __new__(cls, **options: Any) -> Self:
        """Refuse unknown options before anything else."""
        unknown = [name for name in options if name not in _OPTIONS]
        if unknown:
            raise RulesError([_unknown_option(name) for name in unknown])
        return object.__new__(cls)

    def __post_init__(self) -> None:
        problems: list[str] = []
        faulty: set[str] = set()
        for name, option in _OPTIONS.items():
            given = getattr(self, name)
            try:
                cleaned = option.kind.clean(given)
            except (ValueError, TypeError):
                faulty.add(name)
                problems.append(f"{name}={given!r} is not allowed: use {option.allowed}")
                cleaned = option.default
            object.__setattr__(self, name, cleaned)
        problems.extend(rule_checks.combination_problems(self, faulty))
        if problems:
            raise RulesError(problems)

    # --- making ----------------------------------------------------------------------------------

    @classmethod
    def preset(cls, name: str) -> Self:
        """The rules of a named variant; `rummy500_env.presets()` lists the names."""
        return cls(**preset_data.changes(name))

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> Self:
        """Rules from a mapping such as `to_dict` gives; options left out have their defaults."""
        if not isinstance(options, Mapping):
            raise RulesError(f"rules are a mapping of options, not {type(options).__name__}")
        return cls(**{str(name): value for name, value in options.items()})

    def replace(self, **changes: Any) -> Self:
        """These rules with some options changed."""
        return type(self)(**{name: getattr(self, name) for name in _OPTIONS} | changes)

    # --- telling ---------------------------------------------------------------------------------

    @staticmethod
    def options() -> tuple[Option, ...]:
        """Every option with its group, type, default, allowed values, meaning and source."""
        return tuple(_OPTIONS.values())

    def to_dict(self, full: bool = True) -> dict[str, Any]:
        """The options as JSON has them: all, or (not `full`) those that differ from the default.

        Maps have text keys, as in JSON: `{"2": 13, "3": 7}`.
        """
        return {
            name: option.kind.plain(getattr(self, name))
            for name, option in _OPTIONS.items()
            if full or getattr(self, name) != option.default
        }

    @property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that name these rules: equal for equal rules, everywhere.

        Computed from the options that differ from the default, so that an option added later
        leaves it as it is.
        """
        return _digest(self)

    def differences(self, other: RuleOptions | None = None) -> dict[str, tuple[Any, Any]]:
        """Options in which these rules differ from others (the standard game if none are given).

        For each its value here and there, as in `to_dict`.
        """
        there = Rules() if other is None else other
        return {
            name: (option.kind.plain(here), option.kind.plain(getattr(there, name)))
            for name, option in _OPTIONS.items()
            if (here := getattr(self, name)) != getattr(there, name)
        }

    def __repr__(self) -> str:
        changed = (
            f"{name}={rule_checks.shown(getattr(self, name))}" for name in self.to_dict(full=False)
        )
        return f"Rules({', '.join(changed)})"

    def __reduce__(self) -> tuple[Any, tuple[dict[str, Any]]]:
        return type(self).from_dict, (self.to_dict(full=False),)

    # --- a table of so many ----------------------------------------------------------------------

    def check(self, num_players: int) -> None:
        """Raise a `RulesError` with all reasons why so many cannot play these rules."""
        problems = rule_checks.table_problems(self, num_players)
        if problems:
            raise RulesError(problems)

    def player_counts(self) -> tuple[int, ...]:
        """The numbers of players that can play these rules."""
        low, high = self.players
        return tuple(n for n in range(low, high + 1) if not rule_checks.table_problems(self, n))

    def decks(self, num_players: int) -> int:
        """Decks at a table of so many."""
        return rule_checks.decks(self, num_players)

    def jokers(self, num_players: int) -> int:
        """Jokers at a table of so many, the dealer's included."""
        return _said(rule_checks.jokers(self, num_players), "num_jokers", num_players)

    def hand(self, num_players: int) -> int:
        """Cards dealt to each at a table of so many."""
        return _said(rule_checks.hand(self, num_players), "hand_size", num_players)

    def pack_size(self, num_players: int) -> int:
        """Cards shuffled and dealt at a table of so many, a joker laid apart not counted."""
        return rule_checks.pack_size(self, num_players)

    def no_progress(self, num_players: int) -> int | None:
        """Free takes in succession with nothing laid that cut a round off; None if none do."""
        limit = self.no_progress_limit
        return 20 * num_players if limit == "auto" else limit

    # --- options that hang on others -------------------------------------------------------------

    @property
    def has_windows(self) -> bool:
        """Whether others may be asked out of turn: to call, to play, to lay off at the end."""
        asking = (self.call_rum, self.out_of_turn_play, self.final_layoff)
        return any(word != "none" for word in asking)

    @property
    def resolved_ban(self) -> Literal["none", "top_taken", "dug_all", "all_drawn"]:
        """`drawn_discard_ban` with "auto" resolved."""
        if self.drawn_discard_ban == "auto":
            return "top_taken" if self.top_discard_free else "none"
        return self.drawn_discard_ban

    @property
    def resolved_max_turns(self) -> int | None:
        """`max_turns` with "auto" resolved: 5000 where the stock can be refilled, else None."""
        return rule_checks.max_turns(self)


@functools.lru_cache(maxsize=256)
def _digest(rules: Rules) -> str:
    text = json.dumps(rules.to_dict(full=False), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def _said(number: int | None, option: str, num_players: int) -> int:
    if number is None:
        raise RulesError(f"{option} says nothing for {num_players} players")
    return number


def _unknown_option(name: str) -> str:
    near = close_matches(name, _OPTIONS)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"there is no option {name!r}{hint} (Rules.options() lists them all)"
