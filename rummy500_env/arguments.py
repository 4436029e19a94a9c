"""Arguments as callers give them, made into what the engine takes."""

from __future__ import annotations

import hashlib
import operator
import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np

from rummy500_env.actions import ActionSpace, Move
from rummy500_env.rules import Rules

__all__ = [
    "as_action",
    "as_count",
    "as_move",
    "as_rules",
    "as_seat",
    "as_seed",
    "as_whole",
    "view_key",
]


def as_rules(rules: Rules | str | Mapping[str, Any]) -> Rules:
    """Return rules given as themselves, as the name of a preset, or as a mapping of options."""
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, str):
        return Rules.preset(rules)
    return Rules.from_dict(rules)


def as_seed(seed: int | None) -> int:
    """Return a seed, drawn when none is given; ``ValueError`` when it is not below 2**64."""
    if seed is None:
        return secrets.randbits(63)
    if isinstance(seed, bool) or not hasattr(seed, "__index__") or not 0 <= seed < 2**64:
        raise ValueError(f"seed={seed!r}: a seed is None or a whole number from 0 to 2**64 - 1")
    return int(seed)


def as_whole(value: Any) -> int | None:
    """Return a whole number of any size as a plain one, or None when it is none."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def as_action(action: Any) -> int | None:
    """Return an action as a number that kernels take, or None when it is no whole number."""
    number = as_whole(action)
    return number if number is None or abs(number) < 2**62 else -1


def as_move(choice: Any, space: ActionSpace) -> int | None:
    """Return an action given as a move, its index or its text; None when it is none of these.

    Raises:
        UnknownNameError: when no action has this text.
    """
    if not isinstance(choice, str):
        return as_action(choice)
    index = choice.index if isinstance(choice, Move) else -1
    texts = space.texts()
    if 0 <= index < len(texts) and texts[index] == choice:
        return index
    return space.from_text(choice)  # a text, or a move of another layout


def as_count(name: str, value: Any, least: int = 1) -> int:
    """Return a number of things; ``ValueError`` when it is no whole number from ``least`` on."""
    number = as_whole(value)
    if number is None or not least <= number < 2**62:
        raise ValueError(f"{name}={value!r}: a whole number from {least} on is needed")
    return number


def as_seat(seat: Any, num_players: int) -> int:
    """Return a seat; ``IndexError`` when it is none."""
    number = as_whole(seat)
    if number is None or not 0 <= number < num_players:
        raise IndexError(f"seat {seat!r} is outside 0..{num_players - 1}")
    return number


def view_key(seed: int) -> int:
    """Return the word that random bits of views follow from; no seed can be computed from it."""
    digest = hashlib.blake2b(seed.to_bytes(8, "little"), digest_size=8, person=b"r500-view")
    return int.from_bytes(digest.digest(), "little")
