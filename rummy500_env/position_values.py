"""Reading the values of a position: each says what it was given and what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rummy500_env.cards import parse_cards
from rummy500_env.errors import CardError, PositionError

__all__ = ["read_cards", "read_list", "read_mapping", "read_whole"]


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
