"""Agents out of a Python file: ``./my_agent.py:MyAgent``, with settings after another colon.

The name after the file is that of a class of agents, of a callable that makes one, or of an agent.
It may be left out when the file has one class of agents.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from agents.base import Agent, PolicyAgent, TurnAgent
from rummy500_env.errors import UnknownNameError

__all__ = ["file_of", "find", "split"]

SPEC: Final = re.compile(
    r"(?P<file>.+\.py)(?::(?P<name>[^:=,]*))?(?::(?P<settings>.*))?", re.DOTALL
)
_BASES: Final = (Agent, PolicyAgent, TurnAgent)
_modules: dict[tuple[Path, str], ModuleType] = {}


def split(spec: str) -> tuple[str, str | None, str | None] | None:
    """Return file, name and settings of such an agent; None for one of another kind."""
    found = SPEC.fullmatch(spec)
    return None if found is None else (found["file"], found["name"], found["settings"])


def file_of(spec: str) -> tuple[str, str] | None:
    """Return the file of such an agent with the digest of its bytes; None for one of another kind.

    Raises:
        ValueError: when it cannot be read.
    """
    parts = split(spec)
    return None if parts is None else (parts[0], _digest(_read(parts[0])))


def find(spec: str) -> Any:
    """Return what makes an agent of a file: a class, a callable, or the agent itself.

    Raises:
        ValueError: when the file cannot be read or run, or has no such agent.
    """
    parts = split(spec)
    if parts is None:
        raise ValueError(f"{spec!r} names no file: write ./my_agent.py:MyAgent")
    file, name, _ = parts
    module = _loaded(file)
    classes = [
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Agent) and thing not in _BASES
    ]
    own = {one.__name__: one for one in classes if one.__module__ == module.__name__}
    if not name:
        if len(own) != 1:
            there = f"it has {', '.join(own)}" if own else "it has none"
            raise ValueError(f"say which agent of {file!r}: {there}; write {file}:NAME")
        return next(iter(own.values()))
    if not hasattr(module, name):
        raise UnknownNameError(f"agent in {file!r}", name, own)
    found = getattr(module, name)
    if not callable(found) and not callable(getattr(found, "act", None)):
        raise ValueError(
            f"{name!r} in {file!r} is {type(found).__name__}, and no agent: write a subclass of "
            "agents.Agent or agents.TurnAgent"
        )
    return found


def _loaded(file: str) -> ModuleType:
    """Return a file as a module; one that was changed is loaded anew."""
    text = _read(file)
    path = Path(file).resolve()
    key = (path, _digest(text))
    if key not in _modules:
        # Registered under a name of its own: pickle finds classes of agents by their module.
        name = f"rummy500_agent_{_digest(bytes(path))}_{path.stem}"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del sys.modules[name]
            told = ": ".join(filter(None, (type(error).__name__, str(error))))
            raise ValueError(f"cannot load {file!r}: {told}") from error
        _modules[key] = module
    return _modules[key]


def _read(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read {file!r}: {error.strerror or error}") from None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
