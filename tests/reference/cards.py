"""Cards as text: "7c", "Td", "Ah", and "**" for the joker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

RANKS = "A23456789TJQK"
SUITS = "cdhs"
JOKER = "**"


def face_order(face: str) -> int:
    """The place of a face in the order of faces: suit by suit, ace to king, joker last."""
    if face == JOKER:
        return 52
    return SUITS.index(face[1]) * 13 + RANKS.index(face[0])


def is_face(text: str) -> bool:
    """Whether the text names a card."""
    return text == JOKER or (len(text) == 2 and text[0] in RANKS and text[1] in SUITS)


def in_order(faces: Iterable[str]) -> list[str]:
    """The cards in the order of faces."""
    return sorted(faces, key=face_order)


def text_of(faces: Iterable[str]) -> str:
    """A list of cards as one string, in the order given."""
    return " ".join(faces)


def sorted_text(cards: Counter[str]) -> str:
    """A counter of cards as one string, in the order of faces, every copy named."""
    return text_of(in_order(cards.elements()))


def split(text: str) -> list[str]:
    """The cards that a string names, in its order."""
    faces = text.split()
    for face in faces:
        if not is_face(face):
            raise ValueError(f"no card: {face!r}")
    return faces


def pack(num_ranks: int, num_suits: int, num_decks: int, num_jokers: int) -> list[str]:
    """All cards in the order of faces, the copies of a face together, jokers last.

    Rules 2.1 (one deck or two), 9.20 (tiny decks: the first ranks from the ace up, the first
    suits of c d h s).
    """
    cards = [
        rank + suit
        for suit in SUITS[:num_suits]
        for rank in RANKS[:num_ranks]
        for _ in range(num_decks)
    ]
    return cards + [JOKER] * num_jokers


def holds(cards: Counter[str], wanted: Counter[str]) -> bool:
    """Whether all wanted cards, counted by face, are among the cards (rules 9.2)."""
    return all(cards[face] >= count for face, count in wanted.items())


def less(cards: Counter[str], gone: Counter[str]) -> Counter[str]:
    """The cards without those gone; no count falls below 0 (rules 9.2)."""
    return cards - gone
