"""Why an action is illegal: the rule it breaks, in a sentence.

The engine knows whether an action is legal; the words are found here, after the fact, from the
table's record. A reason speaks to the seat to move only, whose cards it may mention.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy.typing as npt

from rummy500_env.actions import ActionSpace, Kind
from rummy500_env.cards import JOKER, format_cards, text
from rummy500_env.rules import Rules
from rummy500_env.view import faces_of
from rummy500_env.view_record import PHASES

__all__ = ["explain"]

_DRAWS = (Kind.DRAW, Kind.DIG)


def explain(
    record: npt.NDArray[Any], rules: Rules, space: ActionSpace, action: int, legal: list[int]
) -> str:
    """Return why ``action`` is illegal in the first record of an array of tables."""
    if not 0 <= action < space.n:
        return f"action {action} is outside 0..{space.n - 1}"
    move = space.to_text(action)
    phase = PHASES[int(record["phase"][0])]
    if phase == "over":
        return f"{move!r}: the game is over"
    kind, first, second, _ = (int(code) for code in space.codes[action])
    hand = Counter(faces_of(record["hands"][0, int(record["seat"][0])]))
    reason = _wrong_phase(record, phase, kind)
    if reason is None and kind in _DRAWS:
        reason = _draw_reason(record, rules, kind, first, second)
    elif reason is None:
        reason = _play_reason(record, rules, hand, space, action)
    shown = ", ".join(repr(space.to_text(a)) for a in legal[:12])
    more = f" and {len(legal) - 12} more" if len(legal) > 12 else ""
    return f"{move!r} is illegal: {reason}. Legal: {shown}{more}"


def _wrong_phase(record: npt.NDArray[Any], phase: str, kind: int) -> str | None:
    if kind == Kind.PASS:
        if phase == "draw":
            return "a card must be drawn while the stock lasts"
        return "a turn ends with a discard"
    if phase == "draw" and kind not in _DRAWS:
        return "a turn begins with a draw, from the stock or from the discard pile"
    if phase != "draw" and kind in _DRAWS:
        return "a turn has one draw, and it has been made"
    if phase == "obliged" and kind == Kind.DISCARD:
        return f"the dug {text(int(record['must_use'][0]) - 1)} must be placed first (dig_use)"
    return None


def _draw_reason(record: npt.NDArray[Any], rules: Rules, kind: int, face: int, copy: int) -> str:
    if kind == Kind.DRAW:
        return "the stock is empty"
    pile = record["pile"][0, : int(record["pile_size"][0])].tolist()
    if pile.count(face) <= copy:
        return f"the discard pile holds {pile.count(face)} of {text(face)}"
    if rules.discard_take == "top_only" and pile[-1] != face:
        return "only the top discard may be taken (discard_take)"
    where = "a new meld" if rules.dig_use == "new_meld" else "a new meld or layoff"
    left = ", with a card left to discard (must_discard_to_go_out)"
    return (
        f"{text(face)} could not be used at once in {where} (dig_use)"
        f"{left if rules.must_discard_to_go_out else ''}"
    )


def _play_reason(
    record: npt.NDArray[Any],
    rules: Rules,
    hand: Counter[int],
    space: ActionSpace,
    action: int,
) -> str:
    kind, face, _, size = (int(code) for code in space.codes[action])
    if kind == Kind.RUN and size > rules.num_ranks:
        return _no_such_run(rules)
    needed = _needed(space, action, rules.num_ranks)
    missing = sorted((needed - hand).elements())
    filled = rules.joker_role == "wild" and JOKER not in missing and len(missing) <= hand[JOKER]
    if missing and not filled:
        return f"the hand lacks {format_cards(missing)}"
    if kind == Kind.DISCARD:
        return f"{text(face)} was taken this turn and may not be discarded (drawn_discard_ban)"
    left = hand - needed
    if not left and rules.must_discard_to_go_out:
        return "a card must be left to discard (must_discard_to_go_out)"
    goal = int(record["must_use"][0]) - 1
    if goal >= 0:
        reason = _obliged_reason(rules, kind, goal in needed, text(goal))
        if reason is not None:
            return reason
    elif left and not left - Counter(faces_of(record["banned"][0])):
        return "only cards that may not be discarded would be left (drawn_discard_ban)"
    if missing:
        return f"jokers may not stand for {format_cards(missing)} here (min_naturals, jokers)"
    if kind == Kind.LAYOFF and size and rules.joker_layoff != "free":
        return "no meld takes a joker there, or the natural is in the hand (joker_layoff)"
    if kind == Kind.LAYOFF:
        return "no meld takes the card at that place (layoff)"
    if kind == Kind.RUN:
        return _no_such_run(rules)
    return f"these rules do not have such a set (set_max_size={rules.set_max_size})"


def _no_such_run(rules: Rules) -> str:
    return (
        f"these rules do not have such a run (ace_rank={rules.ace_rank!r}, "
        f"run_min_len={rules.run_min_len})"
    )


def _obliged_reason(rules: Rules, kind: int, placed: bool, goal: str) -> str | None:
    if not placed:
        return f"it does not place the dug {goal}, which must be used first (dig_use)"
    if kind == Kind.LAYOFF and rules.dig_use == "new_meld":
        return f"the dug {goal} must go down in a new meld (dig_use)"
    if kind != Kind.LAYOFF and rules.dig_support == "hand_only":
        return f"only cards held before the dig go down with {goal} (dig_support)"
    return None


def _needed(space: ActionSpace, action: int, num_ranks: int) -> Counter[int]:
    """Return the faces an action takes from the hand."""
    kind, first, second, third = (int(code) for code in space.codes[action])
    if kind == Kind.SET:
        return Counter({13 * s + first: second >> 2 * s & 3 for s in range(4)})
    if kind == Kind.RUN:
        positions = range(second, second + third)
        return Counter(13 * first + position % num_ranks for position in positions)
    if kind == Kind.GROUP:
        return Counter({JOKER: third})
    if kind in (Kind.LAYOFF, Kind.DISCARD):
        return Counter({JOKER if kind == Kind.LAYOFF and third else first: 1})
    return Counter()
