"""Records read: words as cards, melds with names, lines of text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from rummy500_env.cards import JOKER, text
from rummy500_env.rules import Rules
from rummy500_env.view_record import MELD_GROUP, MELD_KINDS

__all__ = [
    "MeldView",
    "bits_of",
    "columns",
    "count_faces",
    "deck_counts",
    "faces_of",
    "read_melds",
    "read_throwers",
    "with_signs",
]

CARD: Final = re.compile(r"(?<!\w)([A2-9TJQK])([cdhs])(?!\w)")
"""A card in a text, its rank and its suit."""
SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


class MeldView(NamedTuple):
    """A meld on the table: cards low to high, who laid each, and what each scored.

    ``doubled``: a joker lies over it; ``at_once``: four were laid at once where that counts more.
    """

    kind: str
    cards: tuple[str, ...]
    laid_by: tuple[int, ...]
    values: tuple[int, ...]
    owner: int
    doubled: bool
    at_once: bool

    def __str__(self) -> str:
        return " ".join(self.cards)


def faces_of(words: Any) -> list[int]:
    """Return the faces of a pair of words in order, with copies."""
    first, second = int(words[0]), int(words[1])
    faces = []
    for face in range(JOKER):
        faces += [face] * ((first >> face & 1) + (second >> face & 1))
    return faces + [JOKER] * (first >> JOKER).bit_count()


def bits_of(word: Any) -> list[int]:
    """Return the numbers of the bits that are set, in order."""
    value = int(word)
    return [bit for bit in range(value.bit_length()) if value >> bit & 1]


def read_melds(record: npt.NDArray[Any]) -> list[MeldView]:
    """Return the melds in the first record of an array of tables or views, oldest first."""
    melds = []
    for meld in range(int(record["num_melds"][0])):
        size = int(record["meld_size"][0, meld])
        kind = int(record["meld_kind"][0, meld])
        jokers = int(record["meld_jokers"][0, meld])
        names = []
        for place, face in enumerate(record["meld_faces"][0, meld, :size].tolist()):
            if jokers >> place & 1:
                names.append("**" if kind == MELD_GROUP else f"**={text(face)}")
            else:
                names.append(text(face))
        melds.append(
            MeldView(
                MELD_KINDS[kind],
                tuple(names),
                tuple(record["meld_by"][0, meld, :size].tolist()),
                tuple(record["meld_values"][0, meld, :size].tolist()),
                int(record["meld_owner"][0, meld]),
                bool(record["meld_doubled"][0, meld] & 2),
                bool(record["meld_doubled"][0, meld] & 1),
            )
        )
    return melds


def columns(lines: Iterable[str]) -> str:
    """Return lines as one text; those wider than 80 columns are broken between words."""
    return "\n".join(
        textwrap.fill(line, 80, subsequent_indent=" " * 6, break_on_hyphens=False)
        if len(line) > 80
        else line
        for line in lines
    )


def with_signs(words: str) -> str:
    """Return a text with signs for the suits of its cards: ``dig 7h`` becomes ``dig 7♥``."""
    return CARD.sub(lambda found: found[1] + SIGNS[found[2]], words)


def deck_counts(rules: Rules, num_players: int) -> npt.NDArray[np.int8]:
    """Return the copies of each of the 53 faces in the deck, ``int8 (53,)``."""
    counts = np.zeros(JOKER + 1, np.int8)
    for suit in range(rules.num_suits):
        counts[13 * suit : 13 * suit + rules.num_ranks] = rules.decks(num_players)
    counts[JOKER] = rules.jokers(num_players)
    return counts


def count_faces(words: Any) -> npt.NDArray[np.int8]:
    """Return a pair of words as copies of each of the 53 faces, ``int8 (53,)``."""
    return np.bincount(faces_of(words), minlength=JOKER + 1).astype(np.int8)


def read_throwers(record: npt.NDArray[Any]) -> list[int | None]:
    """Return who threw each card of the pile; None for the card turned up at the deal."""
    by = record["pile_by"][0, : int(record["pile_size"][0])].tolist()
    return [seat - 1 if seat else None for seat in by]
