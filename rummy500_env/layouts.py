"""Layouts: what was made with other fields, blocks or options is refused, and they are named.

A layout is a mapping of names to short texts, as JSON has it: it is kept beside what only means
something together with it (the weights of a network, the bytes of a table). An id alone says
that two differ, a layout says in what.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rummy500_env.errors import LayoutError

__all__ = ["check_layout", "layout_differences"]


def layout_differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return what has changed from one layout to another, one text for each name."""
    found = [f"{name} is gone" for name in then if name not in now]
    found += [f"{name} is new" for name in now if name not in then]
    found += [
        f"{name} was {then[name]}, is {now[name]}"
        for name in then
        if name in now and then[name] != now[name]
    ]
    if not found and list(then) != list(now):
        moved = [a for a, b in zip(then, now, strict=True) if a != b]
        found = [f"the order has changed from {moved[0]} on"]
    return found


def check_layout(what: str, then: Any, now: Mapping[str, Any]) -> None:
    """Raise a :class:`LayoutError` that names the differences, if there are any."""
    if not isinstance(then, Mapping):
        raise LayoutError(what, [f"{type(then).__name__} is no layout"])
    differences = layout_differences(then, now)
    if differences:
        raise LayoutError(what, differences)
