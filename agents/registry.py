"""Agents by name, such as ``random``, ``greedy`` and ``greedy:digs=never``.

A name may carry settings after a colon, ``name:key=value,key=value``; one without a key comes
first and is the most important one of that agent, as in ``mc:64``. Packages add agents of
their own through the entry-point group ``rummy500.agents``: a callable that takes the settings as
keywords and returns an :class:`~agents.base.Agent`. ``./my_agent.py:MyAgent`` is an agent out of a
file, see :mod:`agents.files`.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from agents import files
from agents.advisor import make_advisor
from agents.base import Agent
from agents.greedy import make_greedy
from agents.ismcts import make_ismcts
from agents.learned import make_learned
from agents.learned_search import make_learned_search
from agents.monte_carlo import make_mc
from agents.oracle import make_oracle
from agents.policy import make_policy
from agents.uniform import make_random
from rummy500_env.envs.naming import register_maker
from rummy500_env.errors import UnknownNameError

__all__ = ["make", "names", "register"]

GROUP = "rummy500.agents"
Maker = Callable[..., Agent]

_makers: dict[str, Maker] = {
    "random": make_random,
    "greedy": make_greedy,
    "advisor": make_advisor,
    "learned": make_learned,
    "mc": make_mc,
    "ismcts": make_ismcts,
    "oracle": make_oracle,
    "learned+search": make_learned_search,
    "policy": make_policy,
}


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
        spec: A name, with settings if need be: ``"greedy"``, ``"greedy:digs=never"``,
            ``"./my_agent.py:MyAgent"``.

    Raises:
        UnknownNameError: when there is no agent of that name.
        ValueError: when a setting is unknown or wrong, or a file holds no such agent.
    """
    of_file = files.split(spec)
    if of_file is not None:
        maker, text = files.find(spec), of_file[2]
    else:
        name, colon, text = spec.partition(":")
        makers = _all()
        if name not in makers:
            raise UnknownNameError("agent", name, makers)
        maker, text = _loaded(makers[name], spec), text if colon else None
    first, settings = _settings(spec, text)
    try:
        agent: Any = _made(maker, spec, first, settings)
    except Exception as error:
        if of_file is None or isinstance(error, ValueError):
            raise  # of a package's own agent: a fault that its author wants to see
        told = ": ".join(filter(None, (type(error).__name__, str(error))))
        raise ValueError(f"agent {spec!r} cannot be made: {told}") from error
    if not callable(getattr(agent, "act", None)):
        raise ValueError(f"agent {spec!r}: its maker returned {agent!r}, which has no act()")
    agent.name = spec
    return agent


def _settings(spec: str, text: str | None) -> tuple[list[str], dict[str, str]]:
    """Return the settings of ``value,key=value,key=value``: the first one, if any, and the others.

    None stands for no settings.
    """
    first: list[str] = []
    settings: dict[str, str] = {}
    for part in text.split(",") if text is not None else ():
        key, equals, value = part.partition("=")
        if part and not equals and not first and not settings:
            first.append(part)
            continue
        if not equals or not key.isidentifier():
            raise ValueError(f"agent {spec!r}: {part!r} is no setting; write key=value")
        if key in settings:
            raise ValueError(f"agent {spec!r}: {key!r} is set twice")
        settings[key] = value
    return first, settings


def _made(maker: Any, spec: str, first: list[str], settings: dict[str, str]) -> Any:
    """Return what a maker makes; an agent that is there already takes no settings."""
    if not callable(maker):
        if first or settings:
            raise ValueError(f"agent {spec!r} is made already and takes no settings")
        return copy.deepcopy(maker)
    try:
        inspect.signature(maker).bind(*first, **settings)
    except TypeError as error:
        known = ", ".join(inspect.signature(maker).parameters) or "none"
        raise ValueError(f"agent {spec!r}: {error}; its settings: {known}") from None
    try:
        return maker(*first, **settings)
    except ValueError as error:
        raise ValueError(f"agent {spec!r}: {error}") from None


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
