"""Windows: calls of rum, play out of turn, final layoffs (rules 9.4, 9.5)."""

from __future__ import annotations

from collections import Counter

from tests.reference.cards import JOKER
from tests.reference.digs import legal_digs, take_pile
from tests.reference.laying import Play, lay_off, open_places
from tests.reference.melds import Place
from tests.reference.options import Options
from tests.reference.state import State, Turn, Window, laying_of, seats_after
from tests.reference.turn import Moves, claim_pots, laying_moves


def window_after_discard(state: State, thrower: int, options: Options) -> Window | None:
    """The window that a discard opens, if the table plays with one (rules 9.4)."""
    if options.call_rum != "none":
        kind = "call"
    elif options.out_of_turn_play != "none":
        kind = "window"
    else:
        return None
    return Window(kind, thrower, seats_after(state, thrower, options))


def window_after_out(state: State, goer: int, options: Options) -> Window | None:
    """The final layoffs, from the goer's left (rules 9.4, 9.18, edge 59)."""
    if options.final_layoff == "none":
        return None
    return Window("final_layoff", goer, seats_after(state, goer, options))


def ask_next(state: State, options: Options) -> bool:
    """Put the window to the next seat that may answer; False when it is over."""
    window = state.window
    assert window is not None
    while window.waiting:
        seat = window.waiting.pop(0)
        if is_asked(state, seat, options):
            state.seat, state.phase, state.turn = seat, window.kind, Turn()
            window.stage = "ask"
            return True
    return False


def is_asked(state: State, seat: int, options: Options) -> bool:
    """Whether a window is put to a seat, by public facts only (rules 9.4, edge 54).

    A call must be possible. The other windows go to every seat that holds cards; not, where only
    layoffs are allowed, to one that has not opened (CHOICE: that is public, and it may do
    nothing).
    """
    window = state.window
    assert window is not None
    if window.kind == "call":
        return bool(calls(state, seat, options))
    if not state.hands[seat]:
        return False
    layoffs_only = window.kind == "final_layoff" or options.out_of_turn_play == "layoff"
    return not (layoffs_only and options.opening_counts and not state.opened[seat])


def calls(state: State, seat: int, options: Options) -> Moves:
    """What a caller could do: lay the discard at a place, or a dig with pile cards alone.

    Rules 9.4: a call is a layoff, barred until the seat has opened; 5.5, 9.5 `pile_and_turn`.
    """
    if options.opening_counts and not state.opened[seat]:
        return {}
    if options.call_rum == "pile_and_turn":
        return {
            text: lambda index=index: call_dig(state, seat, index, options)
            for text, index in legal_digs(state, seat, True, options).items()
        }
    card = state.pile[-1]
    if card == JOKER:  # a joker never founds a call (rules 9.5; CHOICE for card_only)
        return {}
    return {
        f"layoff {face} {end}": lambda end=end, target=target: lay_called(
            state, seat, end, target, options
        )
        for (face, end), target in open_places(laying_of(state, seat, options)).items()
        if face == card
    }


def lay_called(state: State, seat: int, end: str, target: int, options: Options) -> str:
    """card_only: the discard goes from the pile to the table, credited to the caller (5.4, 55)."""
    card = state.pile.pop()
    state.thrown_by.pop()
    play = Play("", Counter(), place=Place(card), end=end, target=target)
    state.melds = list(state.melds)
    state.melds[target] = lay_off(state.melds[target], play, seat, options)
    claim_pots(state, seat, play)
    state.laid_before[seat] = True
    if options.first_meld_min == 0:
        state.opened[seat] = True
    state.no_progress = 0
    return "window_over"


def call_dig(state: State, seat: int, index: int, options: Options) -> str:
    """pile_and_turn: the caller takes the pile and plays on as in his own turn (rules 5.5, 9.5)."""
    take_pile(state, seat, index, True, options)
    state.passes_in_a_row = 0
    state.window = None
    return "goes_on"


def call_moves(state: State, options: Options) -> Moves:
    """Phase `call`: to call or not; a caller then names his dig, or the place if there are two."""
    window, seat = state.window, state.seat
    assert window is not None
    possible = calls(state, seat, options)
    if window.stage == "claim":
        return possible

    def call() -> str:
        if options.call_rum == "card_only" and len(possible) == 1:
            return next(iter(possible.values()))()
        assert state.window is not None
        state.window.stage = "claim"
        return "goes_on"

    return {"call": call, "pass": lambda: "seat_done"}


def window_moves(state: State, options: Options) -> Moves:
    """The moves of a seat in a window.

    Rules 9.4: it plays until it passes. Rules 9.11: an opening begun must be reached first. Rules
    9.14: after a prefix there are only moves that complete it.
    """
    if state.phase == "call":
        return call_moves(state, options)
    moves = laying_moves(state, options)
    laying = laying_of(state, state.seat, options)
    if not (laying.must_open and laying.points > 0) and not state.turn.prefix:
        moves["pass"] = lambda: "seat_done"
    return moves


def close_seat(state: State) -> None:
    """A seat has passed: what it laid counts as laid before (edge 60) and as progress (9.8)."""
    if state.turn.laid:
        state.laid_before[state.seat] = True
        state.no_progress = 0
    state.turn = Turn()
