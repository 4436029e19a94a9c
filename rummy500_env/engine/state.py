"""The record of a table: what is public, then what is hidden.

One type serves all variants. Unused slots are zero and there is no hidden padding, so a clone is
a copy, equality is equality of bytes, and pickling and hashing are the bytes.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from rummy500_env.actions import MAX_ACTIONS
from rummy500_env.view_record import (
    EFFECTS,
    FLAGS,
    JOKER_STATES,
    MAX_CARDS,
    MAX_SEATS,
    PHASES,
    PUBLIC,
    PUBLIC_DTYPE,
    Field,
    joined,
    record_dtype,
)

__all__ = [
    "BLOCKED",
    "BOOTING",
    "CALL",
    "CALLED",
    "CLAIM",
    "CLOCK",
    "CUT_OFF",
    "DOUBLE_ROUND",
    "DRAW",
    "EXHAUSTED",
    "FINAL_LAYOFF",
    "FORFEIT",
    "FOUR_AT_ONCE",
    "FREE",
    "JOKER_OVER",
    "MAX_ROUNDS",
    "MAX_TURNS",
    "NOMINATE",
    "OBLIGED",
    "OPENING",
    "OUT",
    "OVER",
    "PLAY",
    "PRIVATE",
    "PUBLIC_BYTES",
    "SAID_DOUBLE",
    "SAID_OWN",
    "STATE",
    "USED",
    "WILD_ROUND",
    "WINDOW",
    "WORDS",
]

WORDS: Final = MAX_ACTIONS // 64
"""Words of the legal actions."""

OVER, DRAW, OBLIGED, PLAY, NOMINATE, OPENING, CALL, WINDOW, FINAL_LAYOFF = (
    np.int64(PHASES.index(name)) for name in PHASES
)

CLAIM, CALLED, BOOTING, SAID_OWN, SAID_DOUBLE = (np.int64(1 << FLAGS.index(name)) for name in FLAGS)

WILD_ROUND = np.int64(EFFECTS.index("wild"))
DOUBLE_ROUND = np.int64(EFFECTS.index("double"))
FREE, USED, BLOCKED = (np.int64(JOKER_STATES.index(name)) for name in JOKER_STATES[1:])

FOUR_AT_ONCE, JOKER_OVER = np.int64(1), np.int64(2)

ENDINGS: Final = ("", "out", "exhausted", "cut_off", "clock", "forfeit")
OUT, EXHAUSTED, CUT_OFF, CLOCK, FORFEIT = (np.int64(ENDINGS.index(name)) for name in ENDINGS[1:])

TRUNCATIONS: Final = ("", "max_turns", "max_rounds")
MAX_TURNS, MAX_ROUNDS = np.int64(1), np.int64(2)

PRIVATE: Final = (
    Field("seed", "u8", (), "seed of the game"),
    Field("chance", "u8", (), "word that all chance of this round follows from"),
    Field("hands", "i8", (MAX_SEATS, 2), "cards of each hand"),
    Field("refilled_drawn", "i8", (MAX_SEATS, 2), "cards of each hand drawn from a refilled stock"),
    Field("drawn", "i8", (2,), "cards the seat to move drew from the stock this turn"),
    Field("banned", "i8", (2,), "cards the seat to move may not discard this turn"),
    Field("room", "i8", (2,), "a set of cards at work while a world is dealt, else empty"),
    Field("more_room", "i8", (2,), "another one"),
    Field("legal", "i8", (WORDS,), "legal actions of the seat to move, one bit each"),
    Field("trial", "i8", (WORDS,), "melds at hand while one looks ahead, one bit each, else empty"),
    Field("decisions", "i4", (MAX_SEATS,), "decisions each seat has made in this game"),
    Field("round_scores", "i4", (MAX_SEATS,), "scores of the last finished round"),
    Field("points_melded", "i4", (MAX_SEATS,), "points each seat has laid in new melds, this game"),
    Field("points_laid_off", "i4", (MAX_SEATS,), "points each seat has laid off, this game"),
    Field("hand_penalties", "i4", (MAX_SEATS,), "points each seat has lost for cards in hand"),
    Field("digs", "i4", (MAX_SEATS,), "digs each seat has made, this game"),
    Field("dug_cards", "i4", (MAX_SEATS,), "cards each seat has taken by digs, this game"),
    Field("outs", "i4", (MAX_SEATS,), "rounds each seat has gone out in"),
    Field("round_turns", "i4", (), "turns of the round that the last action ended"),
    Field("points_before", "i4", (MAX_SEATS,), "points before an action, while it is rewarded"),
    Field("stock", "u1", (MAX_CARDS,), "the stock, its last card is drawn first"),
    Field("went_out", "u1", (), "1 + seat that went out in the last finished round; 0: nobody"),
    Field("can_boot", "u1", (), "1 when the seat to move may skip its draw and go out"),
    Field("how", "u1", (), "how the round ended that the last action ended, an index into ENDINGS"),
)

STATE: Final = joined(PUBLIC_DTYPE, record_dtype(PRIVATE, "spare_private"))
PUBLIC_BYTES: Final = PUBLIC_DTYPE.itemsize
FIELDS: Final = {field.name: field for field in (*PUBLIC, *PRIVATE)}
