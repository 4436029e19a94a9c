"""Reading the melds of a position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rummy500_env.cards import JOKER, RANKS, SUITS, parse_cards
from rummy500_env.engine.rules_record import card_value, joker_value
from rummy500_env.errors import CardError, PositionError
from rummy500_env.position_values import read_list, read_mapping, read_whole
from rummy500_env.rules import Rules

__all__ = ["LaidMeld", "read_meld"]

KEYS = ("cards", "laid_by", "values", "owner", "doubled", "at_once")


@dataclass(frozen=True)
class LaidMeld:
    """A meld on the table, low to high; a set in the order of faces.

    Attributes:
        kind: ``set``, ``run`` or ``group`` (of jokers that count for themselves).
        line: Rank of a set, suit of a run, 0 for a group.
        start: First position of a run, else 0.
        faces: What each card is or stands for.
        jokers: Whether each card is a joker.
        by: Who laid each card.
        values: What each card scored.
        owner: Who laid the meld down.
        doubled: Whether a joker lies over it.
        at_once: Whether four were laid at once where that counts more.
    """

    kind: str
    line: int
    start: int
    faces: list[int]
    jokers: list[bool]
    by: list[int]
    values: list[int]
    owner: int
    doubled: bool
    at_once: bool

    @property
    def cards(self) -> list[int]:
        """The faces of the cards themselves."""
        return [JOKER if j else f for f, j in zip(self.faces, self.jokers, strict=True)]


def read_meld(given: Any, number: int, rules: Rules, num_players: int) -> LaidMeld:
    """Return the meld with a number in a position; ``PositionError`` when it is none."""
    meld = read_mapping(given, "melds", KEYS)
    shown = meld.get("cards")
    if not isinstance(shown, str):
        raise PositionError(f"meld {number}: 'cards' is a text such as '7c 7d 7h', not {shown!r}")
    words = shown.split()
    try:
        faces = parse_cards(" ".join(word.removeprefix("**=") for word in words))
    except CardError as error:
        raise PositionError(f"meld {number}: {error}") from None
    jokers = [word.startswith("**") for word in words]
    kind, line, start = _shape(rules, faces, jokers, shown, number)
    size, highest = len(faces), num_players - 1
    by = read_list(meld.get("laid_by", [0] * size), "laid_by", size)
    by = [read_whole(seat, "laid_by", 0, highest) for seat in by]
    values = _values(rules, meld, kind, faces, jokers)
    owner = read_whole(meld.get("owner", by[0]), "owner", 0, highest)
    if kind == "set":
        order = sorted(range(size), key=faces.__getitem__)
        faces, by, values = ([row[k] for k in order] for row in (faces, by, values))
        jokers = [jokers[k] for k in order]
    doubled, at_once = bool(meld.get("doubled", False)), bool(meld.get("at_once", False))
    if doubled and not rules.dealers_joker:
        raise PositionError(f"meld {number}: only a joker of dealers_joker=True doubles a meld")
    return LaidMeld(kind, line, start, faces, jokers, by, values, owner, doubled, at_once)


def _values(
    rules: Rules, meld: Mapping[str, Any], kind: str, faces: list[int], jokers: list[bool]
) -> list[int]:
    if meld.get("values") is not None:
        given = read_list(meld["values"], "values", len(faces))
        return [read_whole(value, "values", 0, 255) for value in given]
    return [
        joker_value(rules)
        if jokers[place] and rules.joker_table_value != "represented"
        else _table_value(rules, kind, face, place > 0)
        for place, face in enumerate(faces)
    ]


def _table_value(rules: Rules, kind: str, face: int, above: bool) -> int:
    """Return what a card scores where it lies; an ace above another card of a run is high."""
    if face == JOKER:
        return joker_value(rules)
    if face % 13:
        return card_value(rules, face % 13)
    if kind == "set":
        return rules.ace_set_value
    return rules.ace_high_value if above else rules.ace_low_value


def _shape(
    rules: Rules, faces: list[int], jokers: list[bool], shown: str, number: int
) -> tuple[str, int, int]:
    """Return kind, line (rank or suit) and first position of the cards of a meld."""
    if any(jokers) and rules.joker_role == "none":
        raise PositionError(f"meld {number}: {shown!r} has a joker, but the rules have none")
    if JOKER in faces:
        full = min(4, rules.set_max_size)
        if rules.joker_role == "set_only" and set(faces) == {JOKER} and 3 <= len(faces) <= full:
            return "group", 0, 0
        raise PositionError(f"meld {number}: {shown!r} does not say what its jokers stand for")
    if any(jokers) and rules.joker_role == "set_only":
        raise PositionError(f"meld {number}: jokers stand for no card (joker_role='set_only')")
    ranks, suits = {face % 13 for face in faces}, {face // 13 for face in faces}
    if len(ranks) == 1 and rules.set_min_len <= len(faces) <= rules.set_max_size:
        if rules.set_distinct_suits and len(suits) < len(faces):
            raise PositionError(f"meld {number}: {shown!r} repeats a suit (set_distinct_suits)")
        return "set", ranks.pop(), 0
    top = rules.num_ranks
    corner = rules.ace_rank == "round_the_corner"
    start = faces[0] % 13 if faces else 0
    allowed = bool(faces) and not (start == 0 and rules.ace_rank == "high")
    steps = all(face % 13 == (start + k) % top for k, face in enumerate(faces))
    last = start + len(faces) - 1
    fits = len(faces) <= top if corner else last <= top - (rules.ace_rank == "low")
    if len(suits) == 1 and len(faces) >= rules.run_min_len and allowed and steps and fits:
        return "run", suits.pop(), start
    raise PositionError(
        f"meld {number}: {shown!r} is neither a set nor a run low to high "
        f"(ranks {RANKS[:top]}, suits {SUITS[: rules.num_suits]})"
    )
