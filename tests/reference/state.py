"""Everything that a table holds between two moves."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.reference.cards import JOKER, in_order, pack
from tests.reference.laying import Laying
from tests.reference.melds import Meld
from tests.reference.options import Options

BOODLE = ("Ah", "Kc", "Qd", "Js")  # rules 5.2


@dataclass
class Turn:
    """What is remembered of the turn (or of a seat's window) in progress."""

    must_use: str | None = None
    drawn: list[str] = field(default_factory=list)  # from the stock
    dug: list[str] = field(default_factory=list)  # from the discard pile
    banned: Counter[str] = field(default_factory=Counter)
    support: Counter[str] | None = None
    by_call: bool = False
    free_take: bool = False
    laid: bool = False
    points: int = 0
    melds_laid: int = 0
    long_run: bool = False
    booting: bool = False
    out_by_discard: bool = False
    prefix: tuple[str, ...] = ()


@dataclass
class Window:
    """A window: "call", "window" or "final_layoff"; who opened it, whose turn it is to answer.

    `waiting` are the seats still to be asked after the present one; `stage` is "ask", or for a
    caller "dig" or "place".
    """

    kind: str
    opener: int
    waiting: list[int]
    stage: str = "ask"


@dataclass
class State:
    """A table: round, turn and game (rules 9.21)."""

    num_players: int
    hands: list[list[str]]
    pile: list[str]  # bottom to top
    thrown_by: list[int | None]
    stock: list[str]  # the last card is drawn first
    melds: list[Meld]  # oldest first
    seat: int
    phase: str
    scores: list[int]
    dealer: int
    round_number: int
    known: list[Counter[str]]
    discards: list[list[str]]
    passed: list[set[str]]
    opened: list[bool]
    laid_before: list[bool]
    turns_taken: list[int]
    turns: int = 0
    no_progress: int = 0
    reshuffles: int = 0
    passes_in_a_row: int = 0
    turn: Turn = field(default_factory=Turn)
    window: Window | None = None
    out_of_play: Counter[str] = field(default_factory=Counter)
    clocks: list[int] | None = None
    chips: list[int] = field(default_factory=list)
    pots: dict[str, int] = field(default_factory=dict)
    effect: str | None = None  # what the jokers of a dealer's joker round do
    own_joker: str | None = None  # the dealer's joker: "free", "used" or "blocked"
    goer: int | None = None
    settled: bool = False
    goers_turn: Turn = field(default_factory=Turn)
    rounds: list[dict[str, Any]] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    truncated_by: str | None = None

    def points(self) -> list[int]:
        """The value of the cards that each seat has laid this round (rules 2.5)."""
        points = [0] * self.num_players
        for meld in self.melds:
            for card in meld.laid:
                points[card.seat] += card.value
        return points

    def floats(self, seat: int) -> bool:
        """Whether the seat plays on without cards (rules 9.15)."""
        return not self.hands[seat]


def next_seat(state: State, seat: int, options: Options) -> int:
    """The seat to the left, or to the right under the other direction (rules 2.1, `direction`)."""
    return (seat + options.direction) % state.num_players


def seats_after(state: State, seat: int, options: Options) -> list[int]:
    """The other seats in turn order, from the one's left on."""
    return [
        (seat + options.direction * step) % state.num_players
        for step in range(1, state.num_players)
    ]


def joker_role(state: State, options: Options) -> str:
    """What jokers are at the moment: "none", "wild", "set_only" or "double" (rules 5.1, 9.14)."""
    if options.joker_role == "nominated":
        return state.effect or "none"
    return options.joker_role


def laying_of(state: State, seat: int, options: Options) -> Laying:
    """The seat that lays cards, as `laying` and `masks` want it."""
    turn, window = state.turn, state.window
    where = "turn"
    if window is not None and window.kind != "call":
        where = "final" if window.kind == "final_layoff" else "window"
    own_turn = where == "turn" and not (turn.by_call and turn.must_use is not None)
    return Laying(
        options=options,
        seat=seat,
        hand=Counter(state.hands[seat]),
        melds=state.melds,
        opened=state.opened[seat],
        role=joker_role(state, options),
        must_use=turn.must_use,
        support=turn.support,
        by_call=turn.by_call,
        banned=turn.banned,
        points=turn.points,
        melds_laid=turn.melds_laid,
        where=where,
        booting=turn.booting,
        own_joker=own_turn and seat == state.dealer and state.own_joker == "free",
        can_block=own_turn and seat != state.dealer and state.own_joker == "free",
    )


def take_into_hand(state: State, seat: int, faces: list[str]) -> None:
    """Add cards to a hand, which is kept in the order of faces."""
    state.hands[seat] = in_order(state.hands[seat] + faces)


def leave_hand(state: State, seat: int, cards: Counter[str]) -> None:
    """Take cards out of a hand.

    Rules 9.2: the number of copies publicly known to be there falls by one each, not below 0.
    """
    left = Counter(state.hands[seat])
    left.subtract(cards)
    assert min(left.values(), default=0) >= 0, "a card that is not in the hand"
    state.hands[seat] = in_order(left.elements())
    state.known[seat] = state.known[seat] - cards


def whole_pack(options: Options) -> Counter[str]:
    """All cards of the game, the dealer's joker among them."""
    return Counter(
        pack(options.num_ranks, options.num_suits, options.num_decks, options.num_jokers)
    )


def on_table(state: State) -> Counter[str]:
    """The cards on the table: in melds, over melds, the dealer's joker and what blocks it."""
    cards: Counter[str] = Counter()
    for meld in state.melds:
        cards += Counter(card.place.card for card in meld.laid)
        cards[JOKER] += meld.doubled
    if state.own_joker in ("free", "blocked"):
        cards[JOKER] += 1
    if state.own_joker == "blocked":
        cards[JOKER] += 1
    return cards
