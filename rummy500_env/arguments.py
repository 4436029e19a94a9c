"""Arguments as callers give them, made into what the engine takes."""

from __future__ import annotations

import hashlib
import operator
import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np

from rummy500_env.rules import Rules

__all__ = ["as_action", "as_rules", "as_seed", "view_key"]


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


def as_action(action: Any) -> int | None:
    """Return an action as a plain number, or None when it is no whole number of any size."""
    if isinstance(action, bool | np.bool_):
        return None
    try:
        number = operator.index(action)
    except TypeError:
        return None
    return number if abs(number) < 2**62 else -1


def view_key(seed: int) -> int:
    """Return the word that random bits of views follow from; no seed can be computed from it."""
    digest = hashlib.blake2b(seed.to_bytes(8, "little"), digest_size=8, person=b"r500-view")
    return int.from_bytes(digest.digest(), "little")
