"""How an option of the rules is declared, checked and described.

`Rules` declares each option once, as a dataclass field: its annotation says which values it may
take, its metadata (made by `option`) says what it means and where it comes from. Everything else,
the checks, the documentation, the command line, is read from there.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass
from typing import Any, Final, Literal, Protocol, Union, get_args, get_origin

__all__ = ["Kind", "Option", "Pair", "Steps", "Subset", "Values", "describe", "option"]

_KEY: Final = "rummy500"


class Kind(Protocol):
    """Which values an option may take."""

    @property
    def type_text(self) -> str:
        """The type in a few words."""
        ...

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        ...

    def clean(self, value: object) -> Any:
        """The value as it is stored; raises `ValueError` if it is not allowed."""
        ...

    def plain(self, value: Any) -> Any:
        """A stored value as JSON has it."""
        ...


def _is_truth_value(value: object) -> bool:
    """Whether a value is Python's or numpy's True or False."""
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def _whole(value: object) -> int:
    """A whole number that is neither a truth value nor a float (numpy's whole numbers count)."""
    if _is_truth_value(value):
        raise ValueError("a truth value is no number")
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError("no whole number") from None


def _whole_within(value: object, low: int, high: int) -> int:
    number = _whole(value)
    if not low <= number <= high:
        raise ValueError("out of range")
    return number


@dataclass(frozen=True, slots=True)
class Values:
    """Some words, truth values, numbers or None, and perhaps a range of whole numbers."""

    words: tuple[str | int | bool | None, ...] = ()
    low: int | None = None
    high: int | None = None

    @property
    def type_text(self) -> str:
        """The type in a few words."""
        names = [{bool: "bool", int: "int", str: "word"}.get(type(w), "None") for w in self.words]
        if self.low is not None:
            names.insert(0, "int")
        return " or ".join(dict.fromkeys(names))

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        parts = [repr(word) for word in self.words]
        if self.low is not None:
            parts.insert(0, f"a whole number from {self.low} to {self.high}")
        return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " or " + parts[-1]

    def clean(self, value: object) -> Any:
        """The value as it is stored; raises `ValueError` if it is not allowed."""
        if value is None or isinstance(value, str) or _is_truth_value(value):
            plain = (
                value if value is None else str(value) if isinstance(value, str) else bool(value)
            )
            for word in self.words:
                if type(word) is type(plain) and word == plain:
                    return word
            raise ValueError("not one of the words")
        number = _whole(value)
        for word in self.words:
            if type(word) is int and word == number:
                return word
        if self.low is None or self.high is None:
            raise ValueError("not one of the numbers")
        return _whole_within(number, self.low, self.high)

    def plain(self, value: Any) -> Any:
        """A stored value as JSON has it."""
        return value


@dataclass(frozen=True, slots=True)
class Steps:
    """One number, or a map in which each key holds from there up to the next key.

    `{2: 13, 3: 7}` by players says 13 for two and 7 for three and more. Stored as a number or as
    a tuple of pairs in which no pair repeats its predecessor's value.
    """

    by: str
    first: int
    last: int
    low: int
    high: int

    @property
    def type_text(self) -> str:
        """The type in a few words."""
        return f"int or map by {self.by}"

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        return (
            f"a whole number from {self.low} to {self.high}, or a map from {self.by} "
            f"({self.first} to {self.last}) to such numbers in which each key holds up to the next"
        )

    def clean(self, value: object) -> int | tuple[tuple[int, int], ...]:
        """The value as it is stored; raises `ValueError` if it is not allowed."""
        if isinstance(value, Mapping):
            pairs: list[Any] = list(value.items())
        elif isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
            pairs = list(value)
        else:
            return _whole_within(value, self.low, self.high)
        found: dict[int, int] = {}
        for pair in pairs:
            if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
                raise ValueError("no pair")
            key = pair[0]
            if isinstance(key, str):  # JSON has no other keys
                if not (key.isascii() and key.isdigit()):
                    raise ValueError("no number as key")
                key = int(key)
            key = _whole_within(key, self.first, self.last)
            if key in found:
                raise ValueError("a key twice")
            found[key] = _whole_within(pair[1], self.low, self.high)
        if not found:
            raise ValueError("an empty map")
        steps: list[tuple[int, int]] = []
        for key in sorted(found):
            if not steps or steps[-1][1] != found[key]:
                steps.append((key, found[key]))
        if len(steps) == 1 and steps[0][0] == self.first:
            return steps[0][1]
        return tuple(steps)

    def plain(self, value: Any) -> Any:
        """A stored value as JSON has it."""
        return value if isinstance(value, int) else {str(key): number for key, number in value}

    @staticmethod
    def at(value: Any, key: int) -> int | None:
        """The number that holds at `key`, None below the first key."""
        if isinstance(value, int):
            return value
        held = [number for start, number in value if start <= key]
        return held[-1] if held else None


@dataclass(frozen=True, slots=True)
class Pair:
    """A smallest and a largest number."""

    low: int
    high: int

    @property
    def type_text(self) -> str:
        """The type in a few words."""
        return "pair of int"

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        return f"a pair (smallest, largest) of whole numbers from {self.low} to {self.high}"

    def clean(self, value: object) -> tuple[int, int]:
        """The value as it is stored; raises `ValueError` if it is not allowed."""
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 2:
            raise ValueError("no pair")
        low, high = (_whole_within(number, self.low, self.high) for number in value)
        if low > high:
            raise ValueError("the wrong way round")
        return low, high

    def plain(self, value: Any) -> Any:
        """A stored value as JSON has it."""
        return list(value)


@dataclass(frozen=True, slots=True)
class Subset:
    """One or more of some words, each once; stored in the order of declaration."""

    words: tuple[str, ...]

    @property
    def type_text(self) -> str:
        """The type in a few words."""
        return "words"

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        return "one or more of " + ", ".join(repr(word) for word in self.words) + ", each once"

    def clean(self, value: object) -> tuple[str, ...]:
        """The value as it is stored; raises `ValueError` if it is not allowed."""
        if not isinstance(value, (list, tuple)) or not value:
            raise ValueError("no list of words")
        given = list(value)
        if any(type(w) is not str or w not in self.words or given.count(w) > 1 for w in given):
            raise ValueError("unknown or repeated words")
        return tuple(word for word in self.words if word in given)

    def plain(self, value: Any) -> Any:
        """A stored value as JSON has it."""
        return list(value)


@dataclass(frozen=True, slots=True)
class Option:
    """One option of the rules, as declared."""

    name: str
    group: str
    kind: Kind
    default: Any
    doc: str
    source: str

    @property
    def type_text(self) -> str:
        """The type in a few words."""
        return self.kind.type_text

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        return self.kind.allowed


def option(
    group: str,
    doc: str,
    source: str,
    *,
    low: int | None = None,
    high: int | None = None,
    kind: Kind | None = None,
) -> dict[str, Any]:
    """Metadata of a dataclass field that declares an option.

    Without `kind` the allowed values follow from the annotation: the words of a `Literal`, truth
    values, None, and for `int` the whole numbers from `low` to `high`.
    """
    return {_KEY: (group, doc, source, low, high, kind)}


def describe(declared: Field[Any], annotation: Any) -> Option:
    """The option that a field with `option` metadata declares."""
    group, doc, source, low, high, kind = declared.metadata[_KEY]
    kind = kind or _kind(annotation, low, high)
    default = kind.clean(declared.default)
    return Option(declared.name, group, kind, default, " ".join(doc.split()), source)


def _kind(annotation: Any, low: int | None, high: int | None) -> Values:
    words: list[str | int | bool | None] = []
    has_range = False
    union = get_origin(annotation) in (Union, types.UnionType)
    for part in get_args(annotation) if union else (annotation,):
        if get_origin(part) is Literal:
            words.extend(get_args(part))
        elif part is bool:
            words.extend((False, True))
        elif part is type(None):
            words.append(None)
        elif part is int and low is not None and high is not None:
            has_range = True
        else:
            raise TypeError(f"no rule for the annotation {part!r}")
    return Values(tuple(words), low if has_range else None, high if has_range else None)
