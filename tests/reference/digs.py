"""Taking from the discard pile."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from tests.reference.cards import JOKER
from tests.reference.laying import Laying
from tests.reference.masks import legal_plays
from tests.reference.options import Options
from tests.reference.state import State, Turn, laying_of, take_into_hand


def dig_text(pile: list[str], index: int) -> str:
    """The name of a dig: `dig f` for the copy nearest the top, `dig f#k` for the k-th (9.1)."""
    face = pile[index]
    copy = pile[index:].count(face)
    return f"dig {face}" if copy == 1 else f"dig {face}#{copy}"


def is_free(state: State, index: int, options: Options) -> bool:
    """Whether the take has no obligation: the top card alone under `top_discard_free`.

    Rules 9.15: a floater may not take free.
    """
    top = index == len(state.pile) - 1
    return options.top_discard_free and top and not state.floats(state.seat)


def support_for(
    state: State, seat: int, index: int, by_call: bool, options: Options
) -> Counter[str] | None:
    """The cards that may go down together with T; None stands for the whole hand.

    Rules 4 `dig_support`: hand_only wants cards held before the dig. Rules 9.5: a call is
    founded on pile cards alone, and never on a joker of the pile.
    """
    if by_call:
        return Counter(face for face in state.pile[index + 1 :] if face != JOKER)
    if options.dig_support == "hand_only":
        return Counter(state.hands[seat])
    return None


def after_dig(state: State, seat: int, index: int, by_call: bool, options: Options) -> Laying:
    """The seat as it would stand in OBLIGED after the dig."""
    laying = laying_of(state, seat, options)
    dug = state.pile[index:]
    return replace(
        laying,
        hand=laying.hand + Counter(dug),
        banned=banned_of_dug(dug, len(dug) == 1, options),
        must_use=state.pile[index],
        support=support_for(state, seat, index, by_call, options),
        by_call=by_call,
        own_joker=laying.own_joker and not by_call,
        can_block=False,
        where="turn",
    )


def may_dig(state: State, seat: int, index: int, by_call: bool, options: Options) -> bool:
    """Whether the seat may take the pile from an index on (rules 2.3 DRAW phase).

    T, the deepest card, must be usable at once (edges 1-3, 7): there is a play that places it or
    begins a bridge to it, under the same masks as in OBLIGED (edges 14, 50).
    """
    if options.discard_take == "top_only" and index < len(state.pile) - 1:
        return False
    if by_call and state.pile[index] == JOKER:  # rules 9.5
        return False
    if not by_call and is_free(state, index, options):
        return True
    return bool(legal_plays(after_dig(state, seat, index, by_call, options)))


def legal_digs(state: State, seat: int, by_call: bool, options: Options) -> dict[str, int]:
    """All digs that are allowed, by text, with the index in the pile."""
    return {
        dig_text(state.pile, index): index
        for index in range(len(state.pile))
        if may_dig(state, seat, index, by_call, options)
    }


def take_pile(state: State, seat: int, index: int, by_call: bool, options: Options) -> None:
    """Take the pile from an index on (edges 8, 65: everybody knows what was taken)."""
    free = not by_call and is_free(state, index, options)
    support = support_for(state, seat, index, by_call, options)
    dug = state.pile[index:]
    top_alone = len(dug) == 1
    state.pile, state.thrown_by = state.pile[:index], state.thrown_by[:index]
    take_into_hand(state, seat, dug)
    state.known[seat] += Counter(dug)
    state.turn = Turn(dug=dug, free_take=free, banned=banned_of_dug(dug, top_alone, options))
    if free:
        state.phase = "play"
    else:
        state.turn.must_use = dug[0]
        state.turn.support = support
        state.turn.by_call = by_call
        state.phase = "obliged"


def banned_of_dug(dug: list[str], top_alone: bool, options: Options) -> Counter[str]:
    """The cards taken that may not be discarded this turn (rules 4 `drawn_discard_ban`, edge 9)."""
    ban = options.drawn_discard_ban
    if ban in ("dug_all", "all_drawn") or (ban == "top_taken" and top_alone):
        return Counter(dug)
    return Counter()


def banned_of_drawn(drawn: list[str], options: Options) -> Counter[str]:
    """The cards drawn from the stock that may not be discarded (rules 4 `drawn_discard_ban`)."""
    return Counter(drawn) if options.drawn_discard_ban == "all_drawn" else Counter()
