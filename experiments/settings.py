"""Words of a command: agents, and options of the rules."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from typing import Any, Final

from experiments.errors import RunError
from rummy500_env.presets import name_of
from rummy500_env.rules import Rules

__all__ = ["agent_names", "parse_changes", "rules_from_words", "told_apart", "words_from_rules"]

_PYTHON: Final = {"True": True, "False": False, "None": None}


def agent_names(words: Iterable[str], option: str = "--agents") -> list[str]:
    """Names of agents from texts such as ``random,greedy:digs=never``.

    Settings of one agent have commas between them too: ``a:x=1,y=2,b`` are ``a:x=1,y=2`` and ``b``.
    """
    names: list[str] = []
    for word in words:
        first = len(names)
        for part in word.split(","):
            if not part.strip():
                raise RunError(f"{option} {word!r} has an empty name: is there a comma too many?")
            name, equals, _ = part.partition("=")
            if equals and ":" not in name and len(names) > first:
                names[-1] += f",{part.strip()}"
            else:
                names.append(part.strip())
    return names


def told_apart(agents: Iterable[Any]) -> tuple[Any, ...]:
    """Agents with names that are there again numbered: ``random``, ``random#2``, ``random#3``."""
    found: list[Any] = []
    for one in agents:
        numbers = itertools.count(2)
        name = one
        while isinstance(one, str) and name in found:
            name = f"{one}#{next(numbers)}"
        found.append(name)
    return tuple(found)


def parse_changes(words: Iterable[str], option: str = "--set") -> dict[str, Any]:
    """Options from words such as ``hand_size=10``, ``joker_role=wild``, ``hand_size={"2": 10}``.

    A value is read as JSON; what is none stands for itself, as a word. Errors name the ``option``
    of the command that took the words.
    """
    changes: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        name, text = name.strip(), text.strip()
        if not equals or not name or not text:
            raise RunError(f"{option} {word!r} is not allowed: use option=value")
        if name in changes:
            raise RunError(f"{option} {word!r} is not allowed: {name} is set twice")
        changes[name] = _value(f"{option} {word!r}", text)
    return changes


def _value(given: str, text: str) -> Any:
    if text in _PYTHON:
        return _PYTHON[text]
    try:
        return json.loads(text)
    except ValueError as error:
        if text[0] not in '{["':
            return text
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise RunError(
            f"{given} is not allowed: the value is no JSON ({reason}); "
            'use a number, a word, true, false, null, or JSON such as {"2": 13, "3": 7}'
        ) from None


def rules_from_words(preset: str, words: Iterable[str]) -> Rules:
    """A preset with some options changed."""
    return Rules.preset(preset).replace(**parse_changes(words))


def words_from_rules(rules: Rules) -> list[str]:
    """The words of a command that give these rules: ``--rules preset --set option=value …``."""
    name = name_of(rules)
    if name is not None:
        return ["--rules", name]
    words = ["--rules", "rummy500"]
    for option, (here, _) in rules.differences(Rules.preset("rummy500")).items():
        words += ["--set", f"{option}={json.dumps(here, separators=(',', ':'))}"]
    return words
