"""The rules as the record that kernels read.

Every option of :class:`~rummy500_env.rules.Rules` is a field of the same name here, made from the
declared options themselves, so that none can be forgotten: words become their place among the
allowed words, ``None`` becomes -1, and what depends on the number of players is resolved. Behind
them stand the layout of the actions and small tables.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import MAX_ACTIONS, ActionSpace, action_space, run_lengths
from rummy500_env.cards import JOKER
from rummy500_env.engine.jit import allocate
from rummy500_env.observations import observation_space
from rummy500_env.rules import Rules
from rummy500_env.view_record import Field, joined, record_dtype

__all__ = ["RULES", "UNLIMITED", "card_value", "joker_value", "option_code", "rules_record"]

UNLIMITED: Final = -1
"""What ``None`` becomes."""

NO_BLOCK: Final = -1
"""Offset of a block that the layout lacks."""

_SKIPPED: Final = ("players", "dealers_joker_effects")
_OPTIONS: Final = {o.name: o for o in Rules.options() if o.name not in _SKIPPED}
_BLOCKS: Final = (
    "draw",
    "dig",
    "dig_deeper",
    "dig_joker",
    "set",
    "run",
    "joker_group",
    "layoff_set",
    "layoff_low",
    "layoff_high",
    "joker_set",
    "joker_low",
    "joker_high",
    "joker_on_group",
    "discard",
    "discard_joker",
    "pass",
    "call",
    "nominate",
    "block",
    "own",
    "double",
)

_OBSERVED: Final = (
    "hand",
    "drawn",
    "banned",
    "must_use",
    "dug",
    "laid",
    "pile_depth",
    "pile_by",
    "table_meld",
    "table_kind",
    "table_by",
    "known",
    "unseen",
    "discards",
    "passed",
    "out_of_play",
    "phase",
    "mover",
    "dealer",
    "hand_sizes",
    "sizes",
    "table_points",
    "scores",
    "opened",
    "laid_before",
    "turns_taken",
    "rounds",
    "no_progress",
    "end",
    "turn",
    "stock_state",
    "refilled",
    "refilled_drawn",
    "unseen_refilled",
    "open_stock",
    "doubled",
    "owner",
    "run_start",
    "table_jokers",
    "pots",
    "chips",
    "clocks",
    "opening_points",
    "flags",
    "window",
    "dealers_joker",
    "rules",
)

DERIVED: Final = (
    Field("deck", "i8", (2,), "the faces of the deck"),
    Field("set_bits", "i8", (256,), "patterns of new sets within (first, second copies) by suit"),
    Field("num_players", "i4", (), "seats"),
    Field("num_actions", "i4", (), "size of the action space"),
    Field("num_words", "i4", (), "words that hold it"),
    *(Field(f"at_{name}", "i4", (), f"first action of block {name}; -1: none") for name in _BLOCKS),
    Field("set_patterns", "i4", (), "patterns of a set of one rank"),
    Field("run_stride", "i4", (), "runs of one suit"),
    Field("run_offset", "i4", (14,), "first run of each length within its suit"),
    Field("low_position", "i4", (), "lowest position of a run: 0 with low aces"),
    Field("high_position", "i4", (), "highest position of a run: that of a high ace, or the king"),
    *(
        Field(f"ob_{name}", "i4", (), f"first entry of observation block {name}; -1: none")
        for name in _OBSERVED
    ),
    Field("keep", "i4", (), "cards a play must leave: 1 where only a discard goes out"),
    Field("opening", "i4", (), "points of new melds that open; 0: there is no opening"),
    Field("num_sides", "i4", (), "seats, or two sides"),
    Field("best_values", "u1", (JOKER + 1,), "most that each face can score on the table"),
    Field("observation_size", "i4", (), "entries of the observation"),
    Field("codes", "i2", (MAX_ACTIONS, 4), "kind and parameters of each action"),
    Field("hand_values", "u1", (JOKER + 1,), "penalty for each face left in hand"),
)

RULES: Final = joined(
    record_dtype(tuple(Field(name, "i4", (), "") for name in _OPTIONS), "spare_options"),
    record_dtype(DERIVED, "spare_derived"),
)


def option_code(name: str, value: Any) -> np.int64:
    """Return the number that stands for a value of an option.

    A NumPy number, because a plain one becomes a type of its own in each kernel it is passed to.
    """
    if value is None:
        return np.int64(UNLIMITED)
    if isinstance(value, str):
        allowed: tuple[Any, ...] = getattr(_OPTIONS[name].kind, "words", ())
        words = [word for word in allowed if word is not None]
        mixed = getattr(_OPTIONS[name].kind, "low", None) is not None
        mixed = mixed or any(not isinstance(word, str) for word in words)
        place = words.index(value)
        return np.int64(-2 - place if mixed else place)
    return np.int64(value)


@lru_cache(maxsize=256)
def rules_record(rules: Rules, num_players: int) -> npt.NDArray[Any]:
    """Return the rules of a table as an array of one record.

    Raises:
        RulesError: when the rules cannot seat that many players.
    """
    rules.check(num_players)
    space = action_space(rules, num_players)
    record = allocate(1, RULES)
    for name in _OPTIONS:
        record[name] = option_code(name, _resolved(rules, num_players, name))
    record["num_players"] = num_players
    record["num_actions"] = space.n
    record["num_words"] = (space.n + 63) // 64
    for name in _BLOCKS:
        record[f"at_{name}"] = space.blocks[name].offset if name in space.blocks else NO_BLOCK
    record["codes"][0, : space.n] = space.codes
    _fill_observation(record, rules, num_players)
    _fill_decks(record, rules, num_players)
    _fill_melds(record, rules, space)
    record["keep"] = rules.must_discard_to_go_out and not rules.floating
    record["opening"] = rules.first_meld_min if rules.first_meld_scope != "on_board" else 0
    record["num_sides"] = num_players if rules.teams == "none" else 2
    record["best_values"] = [best_value(rules, face) for face in range(JOKER + 1)]
    record["hand_values"] = [hand_value(rules, face) for face in range(JOKER + 1)]
    return record


def hand_value(rules: Rules, face: int) -> int:
    """Return the penalty for a face left in hand."""
    if face == JOKER:
        return 0 if rules.dealers_joker else rules.joker_hand_value
    return card_value(rules, face % 13) if face % 13 else rules.ace_hand_value


def joker_value(rules: Rules) -> int:
    """Return what a joker scores on the table, unless it scores what it stands for."""
    value = rules.joker_table_value
    return value if isinstance(value, int) and not rules.dealers_joker else 0


def best_value(rules: Rules, face: int) -> int:
    """Return the most that a face can score on the table; a joker may stand for an ace."""
    if face != JOKER and face % 13:
        return card_value(rules, face % 13)
    ace = max(rules.ace_low_value, rules.ace_high_value, rules.ace_set_value)
    if face != JOKER:
        return ace
    return max(ace, 10) if rules.joker_table_value == "represented" else joker_value(rules)


def card_value(rules: Rules, rank: int) -> int:
    """Return the value of a rank that is no ace."""
    if rank >= 9:
        return 10
    return rank + 1 if rules.card_values == "pip" else 5


def _resolved(rules: Rules, num_players: int, name: str) -> Any:
    match name:
        case "num_decks":
            return rules.decks(num_players)
        case "num_jokers":
            return rules.jokers(num_players)
        case "hand_size":
            return rules.hand(num_players)
        case "drawn_discard_ban":
            return rules.resolved_ban
        case "max_turns":
            return rules.resolved_max_turns
        case "no_progress_limit":
            return rules.no_progress(num_players)
        case "joker_table_value" if rules.joker_table_value != "represented":
            return joker_value(rules)
        case _:
            pass
    return getattr(rules, name)


def _fill_observation(record: npt.NDArray[Any], rules: Rules, num_players: int) -> None:
    space = observation_space(rules, num_players)
    unknown = space.blocks.keys() - set(_OBSERVED)
    assert not unknown, f"observation blocks without a writer: {unknown}"
    for name in _OBSERVED:
        record[f"ob_{name}"] = space.blocks[name].offset if name in space.blocks else NO_BLOCK
    record["observation_size"] = space.size


def _fill_decks(record: npt.NDArray[Any], rules: Rules, num_players: int) -> None:
    faces = sum(
        1 << suit * 13 + rank for suit in range(rules.num_suits) for rank in range(rules.num_ranks)
    )
    decks, jokers = rules.decks(num_players), rules.jokers(num_players)
    record["deck"][0, 0] = faces | ((1 << jokers) - 1) << JOKER
    record["deck"][0, 1] = faces if decks == 2 else 0


def _fill_melds(record: npt.NDArray[Any], rules: Rules, space: ActionSpace) -> None:
    patterns = space.set_patterns
    usable = [
        number
        for number, suits in enumerate(patterns)
        if rules.set_min_len <= len(suits) <= rules.set_max_size
    ]
    for first in range(16):
        for second in range(16):
            record["set_bits"][0, first + 16 * second] = sum(
                1 << number
                for number in usable
                if all(
                    patterns[number].count(s) <= (first >> s & 1) + (second >> s & 1)
                    for s in range(4)
                )
            )
    record["set_patterns"] = len(patterns)
    corner = rules.ace_rank == "round_the_corner"
    offset = 0
    for length in run_lengths(min(3, rules.run_min_len)):
        record["run_offset"][0, length] = offset
        offset += 13 if corner else 15 - length
    record["run_stride"] = offset
    record["low_position"] = 1 if rules.ace_rank == "high" else 0
    record["high_position"] = rules.num_ranks - (rules.ace_rank == "low")
