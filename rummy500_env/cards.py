"""Cards as numbers and as text.

A **face** is what is printed on a card: 0 … 51 for `suit * 13 + rank` (suits clubs, diamonds,
hearts, spades; ranks ace, 2, … king), 52 for a joker. Two decks hold each face twice; equal faces
are interchangeable. As text a face is its rank and its suit: `Ac`, `9d`, `Th`, `Ks`; a joker is
`**`. A list of cards is one text with blanks between: `"7c 8c 9c"`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rummy500_env.errors import CardError

__all__ = [
    "JOKER",
    "JOKER_TEXT",
    "NUM_FACES",
    "NUM_RANKS",
    "NUM_SUITS",
    "RANKS",
    "SUITS",
    "face",
    "format_cards",
    "parse_cards",
    "rank_of",
    "suit_of",
    "text",
]

RANKS: Final = "A23456789TJQK"
"""Rank letters, ace first: the rank of a face is its place here."""
SUITS: Final = "cdhs"
"""Suit letters: clubs, diamonds, hearts, spades."""
NUM_RANKS: Final = 13
NUM_SUITS: Final = 4
NUM_FACES: Final = 52
"""Faces of one deck without jokers."""
JOKER: Final = 52
"""The face of a joker."""
JOKER_TEXT: Final = "**"

_TEXTS: Final[tuple[str, ...]] = (*(r + s for s in SUITS for r in RANKS), JOKER_TEXT)
_FACES: Final[dict[str, int]] = {word: number for number, word in enumerate(_TEXTS)}


def face(text: str) -> int:
    """The face a text names: `face("Ac")` is 0, `face("**")` is 52."""
    try:
        return _FACES[text]
    except (KeyError, TypeError):
        raise CardError(_complaint(text)) from None


def text(face: int) -> str:
    """The text of a face: `text(0)` is `"Ac"`, `text(52)` is `"**"`."""
    if isinstance(face, bool) or not hasattr(face, "__index__") or not 0 <= face <= JOKER:
        raise CardError(f"{face!r} is no face: faces are the whole numbers 0 to {JOKER}")
    return _TEXTS[face]


def rank_of(face: int) -> int:
    """The rank of a face, 0 for an ace to 12 for a king. A joker has none."""
    _refuse_joker(face)
    return face % NUM_RANKS


def suit_of(face: int) -> int:
    """The suit of a face, 0 to 3 for clubs, diamonds, hearts, spades. A joker has none."""
    _refuse_joker(face)
    return face // NUM_RANKS


def parse_cards(text: str) -> list[int]:
    """The faces of a list of cards such as `"7c 8c **"`, in the order given."""
    if not isinstance(text, str):
        raise CardError(
            f'a list of cards is one text such as "7c 8c 9c", not {type(text).__name__}'
        )
    return [face(word) for word in text.split()]


def format_cards(faces: Iterable[int], sort: bool = False) -> str:
    """The text of a list of faces, `""` when it is empty; with `sort` in the order of faces."""
    return " ".join(text(f) for f in (sorted(faces) if sort else faces))


def _refuse_joker(face: int) -> None:
    if not 0 <= face < NUM_FACES:
        what = "a joker has neither rank nor suit" if face == JOKER else f"{face!r} is no face"
        raise CardError(what)


def _complaint(word: object) -> str:
    rule = f"a card is a rank of {RANKS} and a suit of {SUITS}, as in 'Ac' or 'Td', or '**'"
    if not isinstance(word, str):
        return f"{word!r} is no card: {rule}"
    guess = word.strip().replace("10", "T").replace("1", "A")
    guess = guess[:-1].upper() + guess[-1:].lower() if guess else guess
    if guess != word and guess in _FACES:
        return f"{word!r} is no card; did you mean {guess!r}? ({rule})"
    return f"{word!r} is no card: {rule}"
