"""Reading the values of a position: each says what it was given and what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rummy500_env.cards import JOKER, parse_cards
from rummy500_env.errors import CardError, PositionError

__all__ = ["is_within", "read_cards", "read_list", "read_mapping", "read_whole", "words_of"]


def read_whole(value: Any, key: str, low: int, high: int) -> int:
    """Return a whole number within bounds."""
    number = value.__index__() if hasattr(value, "__index__") else None
    if number is None or isinstance(value, bool) or not low <= number <= high:
        raise PositionError(f"{key}: {value!r} is no whole number from {low} to {high}")
    return number


def read_list(value: Any, key: str, size: int | None) -> list[Any]:
    """Return a list, of a certain size unless that is None."""
    if not isinstance(value, list | tuple) or (size is not None and len(value) != size):
        wanted = "a list" if size is None else f"a list of {size}"
        raise PositionError(f"{key}: {value!r} is not {wanted}")
    return list(value)


def read_mapping(value: Any, key: str, allowed: Any) -> Mapping[str, Any]:
    """Return a mapping with none but the allowed keys."""
    if not isinstance(value, Mapping) or set(value) - set(allowed):
        raise PositionError(f"{key}: {value!r} is not a mapping with keys {', '.join(allowed)}")
    return value


def read_cards(value: Any, key: str) -> list[int]:
    """Return the faces of a text of cards."""
    try:
        return parse_cards(value)
    except CardError as error:
        raise PositionError(f"{key}: {error}") from None


def words_of(faces: list[int]) -> tuple[int, int]:
    """Return a set of cards as a pair of words; copies past the second are dropped."""
    first = second = 0
    for face in faces:
        if face == JOKER:
            first |= 1 << JOKER + (first >> JOKER).bit_count()
        elif first >> face & 1:
            second |= 1 << face
        else:
            first |= 1 << face
    return first, second


def is_within(faces: list[int], hand: list[int]) -> bool:
    """Return whether a hand holds all of some faces."""
    return all(faces.count(face) <= hand.count(face) for face in set(faces))
