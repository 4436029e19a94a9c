"""The records of what is public at a table and of what one seat may know.

A table's record begins with :data:`PUBLIC`, and a seat's view is a copy of that part with the
seat's own cards behind it: the view has no field for anybody else's. Fields stand in order of
their size, so that there is no padding; unused slots are zero.

Sets of cards are pairs of words ``(first, second)``: bit ``f`` of the first is set when at least
one copy of face ``f`` is in it, of the second when both are. Jokers are counted from bit 52 of
the first word on: one bit for each. So the number of cards is the number of bits.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from rummy500_env.rule_checks import MAX_MELDS

__all__ = [
    "EFFECTS",
    "FLAGS",
    "JOKER_STATES",
    "MAX_CARDS",
    "MAX_MELDS",
    "MAX_PLACES",
    "MAX_SEATS",
    "MELD_GROUP",
    "MELD_KINDS",
    "MELD_RUN",
    "MELD_SET",
    "OWN",
    "PHASES",
    "PUBLIC",
    "PUBLIC_DTYPE",
    "VIEW",
    "Field",
    "joined",
    "record_dtype",
]

MAX_SEATS: Final = 8
MAX_CARDS: Final = 108  # two decks and four jokers
MAX_PLACES: Final = 14  # a run from the low to the high ace

MELD_SET, MELD_RUN, MELD_GROUP = 1, 2, 3
MELD_KINDS: Final = {MELD_SET: "set", MELD_RUN: "run", MELD_GROUP: "group"}

PHASES: Final = (
    "over",
    "draw",
    "obliged",
    "play",
    "nominate",
    "opening",
    "call",
    "window",
    "final_layoff",
)


FLAGS: Final = ("claim", "called", "booting", "own", "double")
"""Bits of ``turn_flags``, the lowest first.

``claim``: a caller is to say where the card goes, or what he digs; ``called``: he has dug and may
place the dug card with cards of the pile only; ``booting``: the hand is to be played out in this
turn; ``own``, ``double``: these prefixes are said and wait for their move.
"""

EFFECTS: Final = (None, "wild", "double")
JOKER_STATES: Final = (None, "free", "used", "blocked")


class Field(NamedTuple):
    """One field of a record: name, NumPy type, shape, meaning."""

    name: str
    type: str
    shape: tuple[int, ...]
    doc: str


_S = (MAX_SEATS,)
_PAIR = (2,)

PUBLIC: Final = (
    Field("known", "i8", (MAX_SEATS, 2), "cards publicly known to be in each hand"),
    Field("discards", "i8", (MAX_SEATS, 2), "faces each seat has discarded this round"),
    Field("passed", "i8", _S, "upcards each seat left when it drew from the stock this round"),
    Field("dug", "i8", _PAIR, "faces taken from the pile this turn"),
    Field("laid", "i8", _PAIR, "faces laid on the table this turn, jokers as jokers"),
    Field("pile_cards", "i8", _PAIR, "faces in the discard pile"),
    Field("table_cards", "i8", (MAX_SEATS, 2), "faces each seat has laid on the table this round"),
    Field("accepted", "i8", (3,), "faces the table takes: on a set, below a run, above a run"),
    Field("out_of_play", "i8", _PAIR, "faces that are out of play this round"),
    Field("refilled", "i8", _PAIR, "faces of a refilled stock not yet seen by all"),
    Field("scores", "i4", _S, "total of each side over the finished rounds, by seat"),
    Field("table_points", "i4", _S, "points each seat has laid on the table this round"),
    Field("turns_taken", "i4", _S, "turns each seat has completed this round"),
    Field("chips", "i4", _S, "chips of each seat (boodle pots)"),
    Field("clocks", "i4", _S, "decisions left on each seat's clock"),
    Field("pots", "i4", (4,), "chips on the boodle cards Ah Kc Qd Js"),
    Field("round_index", "i4", (), "finished rounds of this game"),
    Field("turns", "i4", (), "turns completed this round"),
    Field("no_progress", "i4", (), "turns in a row with a free take and nothing laid"),
    Field("reshuffles", "i4", (), "refills of the stock this round"),
    Field("out_bonus", "i4", (), "bonus of the seat that goes out, kept while others lay off"),
    Field("opening_points", "i4", (), "points of new melds laid this turn towards the opening"),
    Field("meld_jokers", "i2", (MAX_MELDS,), "bit p is set when a joker lies at place p"),
    Field("meld_kind", "u1", (MAX_MELDS,), "0 none, 1 set, 2 run, 3 group of jokers; oldest first"),
    Field("meld_line", "u1", (MAX_MELDS,), "rank of a set, suit of a run"),
    Field("meld_start", "u1", (MAX_MELDS,), "first position of a run: 0 is a low ace"),
    Field("meld_size", "u1", (MAX_MELDS,), "cards in the meld"),
    Field("meld_owner", "u1", (MAX_MELDS,), "seat that laid the meld down"),
    Field("meld_doubled", "u1", (MAX_MELDS,), "bit 0: four laid at once; bit 1: a joker over it"),
    Field("meld_faces", "u1", (MAX_MELDS, MAX_PLACES), "face at each place, low to high"),
    Field("meld_values", "u1", (MAX_MELDS, MAX_PLACES), "value of each card, fixed when laid"),
    Field("meld_by", "u1", (MAX_MELDS, MAX_PLACES), "seat that laid each card"),
    Field("table_meld", "u1", (MAX_CARDS,), "by entry, 1 + meld a card lies in; see card_entry"),
    Field("table_kind", "u1", (MAX_CARDS,), "by entry, 1 in a set, 2 in a run, 3 a high ace"),
    Field("table_by", "u1", (MAX_CARDS,), "by entry, 1 + seat that laid the card"),
    Field("pile", "u1", (MAX_CARDS,), "discard pile, bottom to top"),
    Field("pile_by", "u1", (MAX_CARDS,), "1 + seat that threw each card; 0: nobody"),
    Field(
        "open_stock", "u1", (MAX_CARDS,), "order of a stock that was turned over, last drawn first"
    ),
    Field("hand_size", "u1", _S, "cards in each hand"),
    Field("opened", "u1", _S, "1 when the seat has opened this round"),
    Field("opened_game", "u1", _S, "1 when the seat has opened in this game"),
    Field("laid_before", "u1", _S, "1 when the seat laid something in an earlier turn"),
    Field("unseen_refilled", "u1", _S, "cards of each hand drawn unseen from a refilled stock"),
    Field("pile_size", "u1", (), "cards in the discard pile"),
    Field("stock_size", "u1", (), "cards in the stock"),
    Field("num_melds", "u1", (), "melds on the table"),
    Field("num_players", "u1", (), "seats at the table"),
    Field("phase", "u1", (), "index into PHASES"),
    Field("seat", "i1", (), "seat to move; -1 when the game is over"),
    Field("dealer", "u1", (), "seat that dealt"),
    Field("must_use", "u1", (), "1 + face that the dig obliges to use; 0: none"),
    Field("top_taken", "u1", (), "1 + face taken as a lone top card this turn; 0: none"),
    Field("free_take", "u1", (), "1 when this turn took the top card without obligation"),
    Field("long_run", "u1", (), "1 when this turn laid a run of seven or more at once"),
    Field("turn_flags", "u1", (), "what binds the seat to move, a bit each of FLAGS"),
    Field("passes", "u1", (), "seats in a row that passed at an empty stock"),
    Field("window_by", "u1", (), "1 + seat whose move opened the window that is put to others"),
    Field("window_pending", "u1", (), "bit s is set when seat s is still to be asked"),
    Field("joker_effect", "u1", (), "what the dealer made of all jokers, an index into EFFECTS"),
    Field("joker_state", "u1", (), "the dealer's joker, an index into JOKER_STATES"),
    Field("stock_open", "u1", (), "1 when the stock's order is public"),
    Field("winners", "u1", (), "bit s is set when seat s has won the game"),
    Field("single_round", "u1", (), "1 when the game is one round"),
    Field("truncated", "u1", (), "0, or why the game was cut off: 1 max_turns, 2 max_rounds"),
)

OWN: Final = (
    Field("hand", "i8", _PAIR, "the viewer's cards"),
    Field("drawn", "i8", _PAIR, "cards the viewer drew from the stock this turn"),
    Field("banned", "i8", _PAIR, "cards the viewer may not discard this turn"),
    Field("refilled_drawn", "i8", _PAIR, "own cards drawn from a refilled stock"),
    Field("random", "u8", (), "64 random bits of this decision; nothing else depends on them"),
    Field("table", "i4", (), "number of the table in its batch"),
    Field("decision", "i4", (), "decisions the viewer has made in this game"),
    Field("viewer", "u1", (), "the seat whose view this is"),
)


def record_dtype(fields: tuple[Field, ...], spare_name: str) -> np.dtype:
    """Return a packed type whose size is a multiple of eight, by visible spare bytes."""
    spec: list[tuple[str, str, tuple[int, ...]]] = [(f.name, f.type, f.shape) for f in fields]
    spare = -np.dtype(spec).itemsize % 8
    if spare:
        spec.append((spare_name, "u1", (spare,)))
    return np.dtype(spec)


def joined(first: np.dtype, second: np.dtype) -> np.dtype:
    """Return the type whose records are one of the first type followed by one of the second."""
    return np.dtype(first.descr + second.descr)


PUBLIC_DTYPE: Final = record_dtype(PUBLIC, "spare")
VIEW: Final = joined(PUBLIC_DTYPE, record_dtype(OWN, "spare_own"))
