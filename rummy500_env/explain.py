"""Why an action is illegal: the rule it breaks, in a sentence.

The engine knows whether an action is legal; the words are found here, after the fact, from the
table's record. A reason speaks to the seat to move only, whose cards it may mention.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from rummy500_env.actions import ActionSpace, Kind
from rummy500_env.cards import JOKER, text
from rummy500_env.refusal import MELDS, Refusal
from rummy500_env.refusal_limits import limits, prefix_waits
from rummy500_env.refusal_plays import play_reason
from rummy500_env.rules import Rules
from rummy500_env.view_record import PHASES

__all__ = ["explain"]

_DRAWS = (Kind.DRAW, Kind.DIG)
_PLAYS = (*MELDS, Kind.LAYOFF, Kind.PREFIX)


def explain(
    record: npt.NDArray[Any], rules: Rules, space: ActionSpace, action: int, legal: list[int]
) -> str:
    """Return why ``action`` is illegal in the first record of an array of tables."""
    if not 0 <= action < space.n:
        return f"action {action} is outside 0..{space.n - 1}"
    move = space.to_text(action)
    if PHASES[int(record["phase"][0])] == "over":
        return f"{move!r}: the game is over"
    reason = _reason(Refusal(record, rules, space, action))
    shown = ", ".join(repr(space.to_text(a)) for a in legal[:12])
    more = f" and {len(legal) - 12} more" if len(legal) > 12 else ""
    return f"{move!r} is illegal: {reason}. Legal: {shown}{more}"


def _reason(refused: Refusal) -> str:
    return _REASONS[refused.phase](refused)


# -- before the first turn -------------------------------------------------------------------


def _in_nominate(_: Refusal) -> str:
    return "the dealer first says what the jokers do, before any hand is seen (dealers_joker)"


def _in_opening(refused: Refusal) -> str:
    if refused.kind == Kind.DISCARD:
        return f"the hand lacks {text(refused.codes[0])}"
    return "the discard pile is first begun with a card of this hand (start_discard)"


# -- the turn --------------------------------------------------------------------------------


def _in_draw(refused: Refusal) -> str:
    if refused.kind == Kind.PASS:
        return _draw_pass_reason(refused)
    if refused.kind == Kind.DRAW:
        return "the stock is empty"
    if refused.kind == Kind.DIG:
        return _dig_reason(refused)
    return _elsewhere(refused) or (
        "a turn begins with a draw, from the stock or from the discard pile"
    )


def _in_obliged(refused: Refusal) -> str:
    if refused.kind in _PLAYS:
        return play_reason(refused)
    if refused.kind in _DRAWS:
        return _second_draw(refused)
    must = f"the dug {refused.dug} must be placed first (dig_use)"
    return _elsewhere(refused) or must


def _in_play(refused: Refusal) -> str:
    if refused.kind in _PLAYS or refused.kind == Kind.BLOCK:
        return play_reason(refused)
    if refused.kind in _DRAWS:
        return _second_draw(refused)
    return _elsewhere(refused) or _end_reason(refused)


def _end_reason(refused: Refusal) -> str:
    """Return why the turn does not end with this discard, or without one."""
    unfinished = _unfinished(refused)
    if unfinished is not None:
        return unfinished
    if "booting" in refused.flags and refused.hand.total() > 1:
        return "the hand must be played out in this turn, but for its last card (skip_first_draw)"
    if refused.kind == Kind.PASS:
        return "a turn ends with a discard"
    card = text(refused.codes[0])
    if refused.missing:
        return f"the hand lacks {card}"
    return f"{card} was taken this turn and may not be discarded (drawn_discard_ban)"


def _unfinished(refused: Refusal) -> str | None:
    """Return what has to come before a turn, or a window, may end."""
    if refused.flags & {"own", "double"}:
        return prefix_waits(refused)
    if refused.opening_begun:
        least = refused.rules.first_meld_min
        return f"the opening of {least} points is begun and must be reached first (first_meld_min)"
    return None


def _second_draw(refused: Refusal) -> str:
    if "booting" in refused.flags:
        return "the draw was skipped to play the hand out (skip_first_draw)"
    return "a turn has one draw, and it is over"


def _elsewhere(refused: Refusal) -> str | None:
    """Return why what belongs to other phases has no place in a turn."""
    if refused.kind == Kind.CALL:
        return "no discard is put to this seat to be called (call_rum)"
    if refused.kind == Kind.NOMINATE:
        return "what the jokers do in this round has been said (dealers_joker)"
    return None


# -- draws -----------------------------------------------------------------------------------


def _draw_pass_reason(refused: Refusal) -> str:
    first = refused.record["turns_taken"][0, refused.seat] == 0 and refused.hand.total() > 0
    if refused.rules.skip_first_draw and first:
        return "the hand cannot be played out without a draw (skip_first_draw)"
    return "a card must be drawn while the stock lasts"


def _dig_reason(refused: Refusal) -> str:
    rules, pile, (face, copy, _) = refused.rules, refused.pile, refused.codes
    if pile.count(face) <= copy:
        return f"the discard pile holds {pile.count(face)} of {text(face)}"
    on_top = pile[-1] == face and copy == 0
    if rules.discard_take == "top_only" and not on_top:
        return "only the top discard may be taken (discard_take)"
    if face == JOKER and refused.effect == "double":
        return "jokers double melds in this round and cannot be dug for (dealers_joker)"
    if rules.top_discard_free and on_top and not refused.hand:
        return "without a hand the top discard is not taken freely (floating)"
    limited = limits(refused)
    if limited is not None:
        return f"{text(face)} cannot be taken: {limited}"
    melds_only = rules.dig_use == "new_meld" or rules.layoff_scope == "none"
    where = "a new meld" if melds_only else "a new meld or layoff"
    return f"{text(face)} could not be used at once in {where} (dig_use)"


# -- out of turn -----------------------------------------------------------------------------


def _in_call(refused: Refusal) -> str:
    rules = refused.rules
    if "claim" not in refused.flags:
        return "the discard may be called or passed, nothing else (call_rum)"
    if rules.call_rum == "card_only":
        card = refused.pile[-1]
        if refused.kind == Kind.LAYOFF and refused.codes[0] == card and not refused.codes[2]:
            return f"no meld takes the called {text(card)} at that place (layoff)"
        return f"the called {text(card)} is to be laid off (call_rum)"
    if refused.kind != Kind.DIG:
        return "the call is made: dig for a card that cards of the pile can place (call_rum)"
    face, copy, _ = refused.codes
    if refused.pile.count(face) <= copy:
        return f"the discard pile holds {refused.pile.count(face)} of {text(face)}"
    if face == JOKER:
        return "a joker cannot be called for (call_rum)"
    limited = limits(refused)
    return limited or f"{text(face)} cannot be placed with cards of the pile alone (call_rum)"


def _in_window(refused: Refusal) -> str:
    if refused.kind == Kind.PASS:
        return _unfinished(refused) or "a window can be passed"
    if refused.kind in MELDS and refused.rules.out_of_turn_play == "layoff":
        return "out of turn cards are laid off only (out_of_turn_play)"
    if refused.kind == Kind.PREFIX and refused.rules.out_of_turn_play == "layoff":
        return "out of turn cards are laid off only (out_of_turn_play)"
    if refused.kind in _PLAYS:
        return play_reason(refused)
    return _elsewhere(refused) or (
        "out of turn there is no draw and no discard, only melds and layoffs (out_of_turn_play)"
    )


def _in_final_layoff(refused: Refusal) -> str:
    if refused.kind == Kind.LAYOFF:
        return play_reason(refused)
    return "after a player has gone out cards are laid off only (final_layoff)"


_REASONS = {
    "nominate": _in_nominate,
    "opening": _in_opening,
    "draw": _in_draw,
    "obliged": _in_obliged,
    "play": _in_play,
    "call": _in_call,
    "window": _in_window,
    "final_layoff": _in_final_layoff,
}
