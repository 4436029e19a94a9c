"""Agents by name, such as ``random``, ``greedy`` and ``greedy:digs=never``.

A name may carry settings after a colon, ``name:key=value,key=value``. Packages add agents of
their own through the entry-point group ``rummy500.agents``: a callable that takes the settings as
keywords and returns an :class:`~agents.base.Agent`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

from agents.base import Agent
from agents.greedy import make_greedy
from agents.uniform import make_random
from rummy500_env.envs.naming import register_maker
from rummy500_env.errors import UnknownNameError

__all__ = ["make", "names", "register"]

GROUP = "rummy500.agents"
Maker = Callable[..., Agent]

_makers: dict[str, Maker] = {"random": make_random, "greedy": make_greedy}


def register(name: str, maker: Maker) -> None:
    """Add an agent for this process; ``ValueError`` when the name is taken or no plain word."""
    if not name or set(name) & set(":,="):
        raise ValueError(f"{name!r} cannot name an agent: ':', ',' and '=' set off its settings")
    if name in _all():
        raise ValueError(f"an agent named {name!r} is there already")
    _makers[name] = maker


def names() -> list[str]:
    """Return the names of all agents, built in ones first."""
    return list(_all())


def make(spec: str) -> Agent:
    """Return a new agent.

    Args:
        spec: A name, with settings if need be: ``"greedy"``, ``"greedy:digs=never"``.

    Raises:
        UnknownNameError: when there is no agent of that name.
        ValueError: when a setting is unknown or wrong.
    """
    name, colon, text = spec.partition(":")
    makers = _all()
    if name not in makers:
        raise UnknownNameError("agent", name, makers)
    settings: dict[str, str] = {}
    for part in text.split(",") if colon else ():
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier():
            raise ValueError(f"agent {spec!r}: {part!r} is no setting; write key=value")
        if key in settings:
            raise ValueError(f"agent {spec!r}: {key!r} is set twice")
        settings[key] = value
    maker = _loaded(makers[name], spec)
    try:
        inspect.signature(maker).bind(**settings)
    except TypeError as error:
        known = ", ".join(inspect.signature(maker).parameters) or "none"
        raise ValueError(f"agent {spec!r}: {error}; its settings: {known}") from None
    try:
        agent = maker(**settings)
    except ValueError as error:
        raise ValueError(f"agent {spec!r}: {error}") from None
    if not callable(getattr(agent, "act", None)):
        raise ValueError(f"agent {spec!r}: its maker returned {agent!r}, which has no act()")
    agent.name = spec
    return agent


def _all() -> dict[str, Maker | EntryPoint]:
    found = {point.name: point for point in entry_points(group=GROUP)}
    return {**_makers, **{name: point for name, point in found.items() if name not in _makers}}


def _loaded(maker: Maker | EntryPoint, spec: str) -> Maker:
    """Return a maker; another package's agent is imported when it is first asked for."""
    if not isinstance(maker, EntryPoint):
        return maker
    try:
        return maker.load()
    except (ImportError, AttributeError) as error:
        raise ValueError(f"agent {spec!r}: cannot load {maker.value!r}: {error}") from error


register_maker(make)
