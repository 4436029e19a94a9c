"""Agents by name, for environments: the package that knows the names stands above this one.

It registers a maker with :func:`register_maker` when it is imported. Where nobody has imported it,
it is found through the entry points of group ``rummy500.registries``, each of which names a module
that registers a maker.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from rummy500_env.errors import Rummy500Error

__all__ = ["GROUP", "agent_named", "register_maker"]

GROUP = "rummy500.registries"

_makers: list[Callable[[str], Any]] = []


def register_maker(maker: Callable[[str], Any]) -> None:
    """Let ``maker(name)`` make agents from now on; the last one registered is asked."""
    _makers.append(maker)


def agent_named(name: str) -> Any:
    """Return a new agent.

    Raises:
        UnknownNameError: when there is no agent of that name.
        ValueError: when a setting in the name is wrong.
        Rummy500Error: when no package that knows names is installed.
    """
    if not _makers:
        for point in entry_points(group=GROUP):
            point.load()
    if not _makers:
        raise Rummy500Error(
            f"agent {name!r}: no package that makes agents by name is installed; "
            "import it first, or give the agent itself"
        )
    return _makers[-1](name)
