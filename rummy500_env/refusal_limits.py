"""What stands in the way of an action that its cards would allow.

Each limit is lifted on a copy of the table: those without which the action would be legal are the
reason, so a reason found here always holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy.typing as npt

from rummy500_env.cards import text
from rummy500_env.engine.jit import duplicate
from rummy500_env.engine.rules_record import option_code, rules_record
from rummy500_env.engine.state import BOOTING, CALLED, PLAY, SAID_DOUBLE, SAID_OWN
from rummy500_env.engine.tables import refresh_table
from rummy500_env.refusal import Refusal

__all__ = ["limits", "prefix_waits"]

Record = npt.NDArray[Any]

_SCOPES = {
    "own": "laid off on own melds only",
    "team": "laid off on melds of the own side only",
    "none": "not laid off",
}


class Limit(NamedTuple):
    """Something that forbids an action: how to say it, and how to lift it from table and rules."""

    words: str
    lift: Callable[[Record, Record], None]


def limits(refused: Refusal) -> str | None:
    """Return in words what alone stands in the way of an action; None if it is something else."""
    found = list(_limits(refused))
    if not _legal_without(refused, found):
        return None
    for limit in list(found):
        fewer = [other for other in found if other is not limit]
        if _legal_without(refused, fewer):
            found = fewer
    return ", and ".join(limit.words for limit in found)


def prefix_waits(refused: Refusal) -> str:
    """Say which move a prefix waits for."""
    if "double" in refused.flags:
        return "after 'double' comes the new meld that scores twice (dealers_joker)"
    return "after 'own' comes the move that uses the dealer's joker (dealers_joker)"


def _legal_without(refused: Refusal, lifted: list[Limit]) -> bool:
    """Return whether the action would be legal without these limits."""
    record = duplicate(refused.record[:1])
    rules = duplicate(rules_record(refused.rules, refused.number("num_players")))
    for limit in lifted:
        limit.lift(record, rules)
    refresh_table(record, 0, rules)
    return bool(int(record["legal"][0, refused.action >> 6]) >> (refused.action & 63) & 1)


def _limits(refused: Refusal) -> Iterator[Limit]:
    """Yield what may be in the way, the general first: of two that do, the later one is named."""
    rules, flags = refused.rules, refused.flags
    if refused.phase == "obliged":
        words = f"it does not place the dug {refused.dug}, which must be used first (dig_use)"
        yield Limit(words, _no_obligation)
    if "called" in flags:
        words = f"only cards of the pile go down with the called {refused.dug} (call_rum)"
        yield Limit(words, _without_flags(int(CALLED)))
    if flags & {"own", "double"}:
        yield Limit(prefix_waits(refused), _without_flags(int(SAID_OWN | SAID_DOUBLE)))
    if refused.must_open:
        least = rules.first_meld_min
        words = f"it would not reach the opening of {least} points in this turn (first_meld_min)"
        yield Limit(words, _opened)
    if "booting" in flags:
        words = "the rest of the hand could not be played out in this turn (skip_first_draw)"
        yield Limit(words, _without_flags(int(BOOTING)))
    if rules.must_discard_to_go_out:
        words = "a card must be left to discard (must_discard_to_go_out)"
        yield Limit(words, _with(keep=0, must_discard_to_go_out=0))
    if rules.resolved_ban != "none":
        words = "only cards that may not be discarded would be left (drawn_discard_ban)"
        yield Limit(words, _no_ban)
    yield from _digging(refused)
    yield from _laying_off(refused)


def _digging(refused: Refusal) -> Iterator[Limit]:
    """Yield the limits on what is done with a dug card."""
    rules = refused.rules
    if refused.phase not in ("draw", "obliged", "call"):
        return
    dug = refused.dug if refused.phase == "obliged" else text(refused.codes[0])
    if rules.dig_use == "new_meld":
        words = f"the dug {dug} must go down in a new meld (dig_use)"
        yield Limit(words, _with(dig_use=option_code("dig_use", "meld_or_layoff")))
    if rules.dig_support == "hand_only":
        words = f"only cards held before the dig go down with {dug} (dig_support)"
        yield Limit(words, _with(dig_support=option_code("dig_support", "hand_and_dug")))
    if not rules.dig_layoff_bridge:
        words = f"no bridge may be laid to {dug} (dig_layoff_bridge)"
        yield Limit(words, _with(dig_layoff_bridge=1))


def _laying_off(refused: Refusal) -> Iterator[Limit]:
    """Yield the limits on layoffs and on what jokers stand for."""
    rules = refused.rules
    if rules.layoff_scope != "any":
        words = f"cards are {_SCOPES[rules.layoff_scope]} (layoff_scope)"
        yield Limit(words, _with(layoff_scope=option_code("layoff_scope", "any")))
    if rules.joker_layoff != "free":
        words = "a joker is not laid off as a card that the hand can lay off there (joker_layoff)"
        yield Limit(words, _with(joker_layoff=option_code("joker_layoff", "free")))
    if not rules.joker_may_duplicate:
        words = "a joker may not stand for a card that is on the table (joker_may_duplicate)"
        yield Limit(words, _with(joker_may_duplicate=1))
    if rules.min_naturals > 0:
        least = rules.min_naturals
        words = f"a new meld with jokers needs {least} or more cards that are none (min_naturals)"
        yield Limit(words, _with(min_naturals=0))


# -- lifting ---------------------------------------------------------------------------------


def _with(**options: Any) -> Callable[[Record, Record], None]:
    """Lift by other values of the rules' record."""

    def lift(record: Record, rules: Record) -> None:
        for name, value in options.items():
            rules[name] = value

    return lift


def _without_flags(flags: int) -> Callable[[Record, Record], None]:
    def lift(record: Record, rules: Record) -> None:
        record["turn_flags"] = int(record["turn_flags"][0]) & ~flags

    return lift


def _no_obligation(record: Record, rules: Record) -> None:
    record["must_use"] = 0
    record["phase"] = PLAY


def _opened(record: Record, rules: Record) -> None:
    record["opened"][0, int(record["seat"][0])] = 1


def _no_ban(record: Record, rules: Record) -> None:
    record["banned"] = 0
    rules["drawn_discard_ban"] = option_code("drawn_discard_ban", "none")
