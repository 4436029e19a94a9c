"""Reading the lines of a record: each key is checked, and each fault is said in words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from rummy500_env.errors import PositionError, RecordError, RulesError, Rummy500Error
from rummy500_env.layouts import layout_differences
from rummy500_env.position_values import read_list, read_whole
from rummy500_env.presets import presets
from rummy500_env.records.model import FORMAT_VERSION, SAID_BY_HEADER, Header, Round
from rummy500_env.rules import Rules

__all__ = ["parse_header", "parse_round"]

MOST: Final = 2**62

_HEADER = (
    "format_version",
    "package_version",
    "game_id",
    "rules",
    "rules_digest",
    "num_players",
    "episode",
    "seed",
    "players",
)
_ROUND = ("round", "moves", "how", "went_out", "scores", "totals")
_LAST = ("winners", "truncated_by")


def parse_header(found: Mapping[str, Any]) -> Header:
    """Return the header that the object of a line is.

    Raises:
        RecordError: when it is none; where it stands is for the caller to add.
    """
    if "format_version" not in found:
        raise RecordError("no header (format_version is missing), where a game should begin")
    version = found["format_version"]
    if version != FORMAT_VERSION or isinstance(version, bool):
        raise RecordError(
            f"format_version is {version!r}; this version of the package reads {FORMAT_VERSION}"
        )
    _check_keys(found, _HEADER, ("position",))
    try:
        num_players = read_whole(found["num_players"], "num_players", 2, 8)
        rules = _rules(found["rules"], found["rules_digest"], num_players)
        return Header(
            rules,
            num_players,
            read_whole(found["seed"], "seed", 0, 2**64 - 1),
            _word(found["episode"], "episode", ("game", "round")),
            _texts(found["players"], "players", num_players),
            read_whole(found["game_id"], "game_id", 0, MOST),
            _position(found.get("position")),
            _text(found["package_version"], "package_version"),
        )
    except PositionError as error:
        raise RecordError(str(error)) from None


def parse_round(found: Mapping[str, Any], num_players: int) -> Round:
    """Return the round that the object of a line is; its values are still to be compared.

    Raises:
        RecordError: when it is none; where it stands is for the caller to add.
    """
    if "format_version" in found:
        raise RecordError("a header, where more rounds of the game before should follow")
    ends_game = "winners" in found
    _check_keys(found, (*_ROUND, *_LAST) if ends_game else _ROUND)
    try:
        return Round(
            read_whole(found["round"], "round", 1, MOST),
            _texts(found["moves"], "moves"),
            None if found["how"] is None else _text(found["how"], "how"),
            None if found["went_out"] is None else read_whole(found["went_out"], "went_out", 0, 7),
            None if found["scores"] is None else _points(found["scores"], "scores", num_players),
            _points(found["totals"], "totals", num_players),
            _seats(found["winners"]) if ends_game else None,
            None if found.get("truncated_by") is None else _text(found["truncated_by"], _LAST[1]),
        )
    except PositionError as error:
        raise RecordError(str(error)) from None


def _rules(given: Any, digest: Any, num_players: int) -> Rules:
    """Return the rules of a header, which must be those of its digest."""
    rules = _made_of(json.dumps(given), num_players)
    if digest != rules.digest:
        raise RecordError(_of_other_rules(rules, given, digest))
    return rules


@lru_cache(maxsize=64)
def _made_of(text: str, num_players: int) -> Rules:
    """Return the rules that a preset's name or options are, as JSON; files have few of them."""
    given = json.loads(text)
    try:
        rules = Rules.preset(given) if isinstance(given, str) else Rules.from_dict(given)
        rules.check(num_players)
    except RulesError as error:
        raise RecordError("; ".join(error.problems)) from None
    except Rummy500Error as error:
        raise RecordError(str(error)) from None
    return rules


def _of_other_rules(rules: Rules, given: Any, digest: Any) -> str:
    """Say in what rules differ from those that a digest names, as far as that can be told."""
    other = next((name for name in presets() if Rules.preset(name).digest == digest), None)
    if other is not None:
        changed = layout_differences(Rules.preset(other).to_dict(), rules.to_dict())
        return (
            f"rules_digest {digest!r} is that of {other!r}, other rules than the header's: "
            + "; ".join(changed)
        )
    name = repr(given) if isinstance(given, str) else "the header's rules"
    options = ", ".join(f"{key}={value!r}" for key, value in rules.to_dict(full=False).items())
    return (
        f"rules_digest is {digest!r}, but {name} ({options or 'the standard game'}) have "
        f"{rules.digest!r}"
    )


def _check_keys(
    found: Mapping[str, Any], needed: tuple[str, ...], more: tuple[str, ...] = ()
) -> None:
    missing = [key for key in needed if key not in found]
    if missing:
        raise RecordError(f"missing keys {', '.join(missing)}")
    unknown = [key for key in found if key not in needed and key not in more]
    if unknown:
        raise RecordError(f"unknown keys {', '.join(unknown)}; allowed: {', '.join(needed + more)}")


def _text(value: Any, key: str) -> str:
    if not isinstance(value, str):
        raise RecordError(f"{key}: {value!r} is no text")
    return value


def _word(value: Any, key: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise RecordError(f"{key}: {value!r} is not allowed: use {' or '.join(allowed)}")
    return value


def _texts(value: Any, key: str, size: int | None = None) -> tuple[str, ...]:
    return tuple(_text(entry, key) for entry in read_list(value, key, size))


def _points(value: Any, key: str, size: int) -> tuple[int, ...]:
    return tuple(read_whole(entry, key, -MOST, MOST) for entry in read_list(value, key, size))


def _seats(value: Any) -> tuple[int, ...]:
    return tuple(read_whole(entry, "winners", 0, 7) for entry in read_list(value, "winners", None))


def _position(value: Any) -> Mapping[str, Any] | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise RecordError(f"position: {type(value).__name__} is no mapping")
    twice = [key for key in SAID_BY_HEADER if key in value]
    if twice:
        raise RecordError(f"position: {', '.join(twice)} stand in the header already")
    return value
