"""The turn: which moves there are, and what each does, up to the end of the turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tests.reference.cards import in_order, less
from tests.reference.digs import banned_of_drawn, legal_digs, take_pile
from tests.reference.laying import Play
from tests.reference.masks import can_play_out, legal_plays, only_banned_left
from tests.reference.options import Options
from tests.reference.state import State, Turn, laying_of, leave_hand, take_into_hand

Moves = dict[str, Callable[[], str]]
"""A move by its text, with what to do. The doing says how it went on: see `table`."""


def draw_moves(state: State, options: Options) -> Moves:
    """The DRAW phase: the stock, a dig, or `pass` (rules 2.3, 2.4, edges 16-20)."""
    seat = state.seat
    moves: Moves = {}
    if state.stock:
        moves["draw"] = lambda: draw_stock(state, options)
    if may_boot(state, options):
        moves["pass"] = lambda: boot(state)
    elif not state.stock:
        moves["pass"] = lambda: take_nothing(state, options)
    for text, index in legal_digs(state, seat, False, options).items():
        moves[text] = lambda index=index: dig(state, index, options)
    return moves


def draw_stock(state: State, options: Options) -> str:
    """Draw from the stock: one card, or two while there are two (rules 2.3, edge 24).

    The upcard of that moment is one that the seat passed over.
    """
    seat = state.seat
    if state.pile:
        state.passed[seat].add(state.pile[-1])
    count = min(options.stock_draw_count, len(state.stock))
    drawn = [state.stock.pop() for _ in range(count)]
    take_into_hand(state, seat, drawn)
    if options.stock_exhausted == "turn_over" and state.reshuffles > 0:
        state.known[seat] += Counter(drawn)  # rules 9.3: the order of that stock is public
    state.turn = Turn(drawn=drawn, banned=banned_of_drawn(drawn, options))
    state.phase = "play"
    state.passes_in_a_row = 0
    return "goes_on"


def dig(state: State, index: int, options: Options) -> str:
    """Take from the discard pile."""
    take_pile(state, state.seat, index, False, options)
    state.passes_in_a_row = 0
    return "goes_on"


def take_nothing(state: State, options: Options) -> str:
    """`pass` with an empty stock (rules 2.4, 4 `stock_exhausted`, 9.10, edges 17, 20, 25).

    discard_only: the turn goes on without a draw. end_if_all_pass: the turn is over, and the
    round when all have passed in a row; so it is for a floater always. Else the round is over.
    """
    if options.stock_exhausted == "discard_only":
        state.turn = Turn()
        state.phase = "play"
        state.passes_in_a_row = 0
        return "goes_on"
    state.passes_in_a_row += 1
    if options.stock_exhausted == "end_if_all_pass" or state.floats(state.seat):
        return "turn_over"
    return "exhausted"


def may_boot(state: State, options: Options) -> bool:
    """Whether the first draw may be skipped: the whole hand can be played (rules 9.18, edge 61)."""
    seat = state.seat
    if not options.skip_first_draw or state.turns_taken[seat] > 0 or state.floats(seat):
        return False
    return can_play_out(laying_of(state, seat, options), {})


def boot(state: State) -> str:
    """Skip the draw; from here on each play must lead out (rules 9.18)."""
    state.turn = Turn(booting=True)
    state.phase = "play"
    return "goes_on"


def laying_moves(state: State, options: Options) -> Moves:
    """New melds, layoffs, a block; or first a prefix, where plays ask for one (rules 9.14)."""
    moves: Moves = {}
    pending = state.turn.prefix
    for play in legal_plays(laying_of(state, state.seat, options)):
        wanted = ("own",) * play.own_named + ("double",) * play.doubled
        if wanted == pending:
            moves[play.text] = lambda play=play: lay(state, play, options)
        elif wanted[: len(pending)] == pending:
            prefix = wanted[len(pending)]
            moves[prefix] = lambda prefix=prefix: add_prefix(state, prefix)
    return moves


def add_prefix(state: State, prefix: str) -> str:
    """Say `own` or `double`; the next move completes it (rules 9.14)."""
    state.turn.prefix = (*state.turn.prefix, prefix)
    return "goes_on"


def lay(state: State, play: Play, options: Options) -> str:
    """Put a play on the table."""
    seat, turn = state.seat, state.turn
    after = laying_of(state, seat, options).after(play)
    leave_hand(state, seat, play.uses)
    state.melds = after.melds
    state.opened[seat] = after.opened
    turn.must_use, turn.support, turn.by_call = after.must_use, after.support, after.by_call
    turn.banned, turn.points, turn.melds_laid = after.banned, after.points, after.melds_laid
    turn.laid = turn.laid or play.lays
    turn.prefix = ()
    if play.meld is not None and play.meld.kind == "run" and len(play.meld.places) >= 7:
        turn.long_run = True
    if play.own:
        state.own_joker = "used"
    elif play.text == "block":
        state.own_joker = "blocked"
    claim_pots(state, seat, play)
    if state.phase == "obliged" and turn.must_use is None:
        state.phase = "play"
    if state.hands[seat]:
        return "goes_on"
    return hand_is_empty(state, options)


def claim_pots(state: State, seat: int, play: Play) -> None:
    """Rules 5.2: the first to lay the exact card takes its pot, a joker does not."""
    places = play.meld.places if play.meld is not None else (play.place,)
    for place in places:
        if place is not None and not place.joker and state.pots.get(place.face, 0) > 0:
            state.chips[seat] += state.pots[place.face]
            state.pots[place.face] = 0


def hand_is_empty(state: State, options: Options) -> str:
    """The last card was laid: the seat is out, or floats (rules 2.3, 9.15, 9.18, edges 12, 18)."""
    if state.window is not None and state.window.kind == "final_layoff":
        return "goes_on"
    if options.floating:
        return "turn_over"
    return "out"


def discard_moves(state: State, options: Options) -> Moves:
    """The discards of the PLAY phase, or `pass` where nothing may be discarded (9.2, 9.12).

    Edge 51: no discard while an opening has begun and is not reached. Rules 9.18: a booting seat
    discards its last card only.
    """
    seat, turn = state.seat, state.turn
    if turn.prefix:
        return {}
    laying = laying_of(state, seat, options)
    if laying.must_open and turn.points > 0:
        return {}
    if turn.booting and len(state.hands[seat]) > 1:
        return {}
    hand = Counter(state.hands[seat])
    moves: Moves = {}
    for face in less(hand, turn.banned):
        moves[f"discard {face}"] = lambda face=face: discard(state, face)
    if only_banned_left(hand, turn.banned):
        moves["pass"] = lambda: "turn_over"
    return moves


def discard(state: State, face: str) -> str:
    """Throw a card on the pile; the last one goes out (rules 2.3, 2.4)."""
    seat = state.seat
    leave_hand(state, seat, Counter({face: 1}))
    state.pile.append(face)
    state.thrown_by.append(seat)
    state.discards[seat] = in_order([*state.discards[seat], face])
    if not state.hands[seat]:
        state.turn.out_by_discard = True
        return "out"
    return "thrown"


def opening_moves(state: State, options: Options) -> Moves:
    """Phase `opening`: the seat with the extra card throws the first discard (rules 9.18)."""
    return {
        f"discard {face}": lambda face=face: opening_discard(state, face, options)
        for face in state.hands[state.seat]
    }


def opening_discard(state: State, face: str, options: Options) -> str:
    """It counts as that seat's first turn, or the same seat now takes a normal one."""
    discard(state, face)
    if options.opening_discard_is_turn:
        return "turn_over"
    return "draws_now"


def nominate_moves(state: State, options: Options) -> Moves:
    """Phase `nominate`: the dealer names the effect of all jokers (rules 5.1 line 2, 9.14)."""

    def nominate(effect: str) -> str:
        state.effect = effect
        return "draws_first"

    return {
        f"nominate {effect}": lambda effect=effect: nominate(effect)
        for effect in options.dealers_joker_effects
    }


def turn_moves(state: State, options: Options) -> Moves:
    """All moves of an ordinary phase: draw, obliged, play, opening, nominate."""
    if state.phase == "draw":
        return draw_moves(state, options)
    if state.phase == "obliged":
        return laying_moves(state, options)
    if state.phase == "play":
        return {**laying_moves(state, options), **discard_moves(state, options)}
    if state.phase == "opening":
        return opening_moves(state, options)
    assert state.phase == "nominate"
    return nominate_moves(state, options)


def close_turn(state: State, seat: int) -> None:
    """Count a turn that is over (rules 9.8, 9.21)."""
    turn = state.turn
    state.turns += 1
    state.turns_taken[seat] += 1
    state.laid_before[seat] = state.laid_before[seat] or turn.laid
    # Rules 9.8: turns in a row whose draw was a free take and in which nobody laid anything. A turn
    # in which nothing was taken neither counts nor breaks the row (CHOICE): else one seat could
    # swap the top card for ever, while the others pass.
    if turn.free_take and not turn.laid:
        state.no_progress += 1
    elif turn.laid or state.passes_in_a_row == 0:
        state.no_progress = 0
    state.turn = Turn()
    state.window = None
