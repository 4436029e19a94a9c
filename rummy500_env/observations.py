"""The observation space: what a seat sees as numbers, declared once as named blocks.

Every entry is a small whole number times a scale: the ``int8`` form holds the numbers, the
``float32`` form their products with :attr:`ObservationSpace.scale`, about from -1 to 1. Seats are
relative to the observer: 0 is the observer, 1 the next seat by number. A face's entries stand in
the order of faces, with two decks all first copies before all second ones, jokers last. Numbers
that can pass 127 take two entries, ``128 * high + low``.

Two views that differ in anything the game knows of never give the same vector.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rummy500_env.layouts import check_layout
from rummy500_env.view_record import FLAGS, MAX_MELDS, MAX_PLACES, PHASES

if TYPE_CHECKING:
    from rummy500_env.rules import Rules

__all__ = ["DIGIT", "ObservationBlock", "ObservationSpace", "observation_space", "rule_entries"]

DIGIT = 128
"""Base of numbers that take two entries."""

_FAR = 52.0
_POINTS = 500.0


class ObservationBlock(NamedTuple):
    """A named stretch of the observation: its first entry, its size, its scales, its meaning."""

    name: str
    offset: int
    size: int
    scale: tuple[float, ...]
    doc: str


class ObservationSpace:
    """The observation of a table: sizes, blocks and scales.

    Args:
        rules: The rules of the game.
        num_players: Seats at the table.

    Attributes:
        size: Number of entries.
        blocks: The blocks in order, by name.
        slices: Name -> slice into the vector.
        scale: ``float32 (size,)``: what the ``int8`` form is multiplied with.
        template: ``int8 (size,)``: the observation of an empty table.
        id: Digest of names, sizes and scales; equal ids mean the same layout.
    """

    def __init__(self, rules: Rules, num_players: int) -> None:
        self.blocks: dict[str, ObservationBlock] = _blocks(rules, num_players)
        last = list(self.blocks.values())[-1]
        self.size: int = last.offset + last.size
        self.slices: dict[str, slice] = {
            block.name: slice(block.offset, block.offset + block.size)
            for block in self.blocks.values()
        }
        self.scale: npt.NDArray[np.float32] = np.array(
            [s for block in self.blocks.values() for s in block.scale], np.float32
        )
        self.template: npt.NDArray[np.int8] = np.zeros(self.size, np.int8)
        self._options = tuple(option.name for option in rules.options())
        self.template[self.slices["rules"]] = rule_entries(rules, num_players)
        text = repr([(b.name, b.size, b.scale) for b in self.blocks.values()])
        self.id: str = hashlib.sha256(text.encode()).hexdigest()[:16]

    def form(self, dtype: npt.DTypeLike) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Return template and scale of a form, ``float32`` or ``int8``, as encoders take them."""
        kind = np.dtype(dtype)
        if kind == np.int8:
            return self.template, np.ones(self.size, np.int8)
        if kind == np.float32:
            return self.template * self.scale, self.scale
        raise ValueError(f"observation dtype {kind}: allowed are float32 and int8")

    @property
    def layout(self) -> dict[str, str]:
        """The blocks in words, and the options of the rules in that of the rules.

        To be kept with weights, and given to :meth:`check` before these are used.
        """
        words = {block.name: _in_words(block) for block in self.blocks.values()}
        return words | {f"rules.{name}": "an option" for name in self._options}

    def check(self, layout: Mapping[str, str]) -> None:
        """Raise a :class:`LayoutError` that names the blocks in which a kept layout differs."""
        check_layout("an observation", layout, self.layout)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObservationSpace) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"ObservationSpace(size={self.size}, id={self.id!r})"


def _in_words(block: ObservationBlock) -> str:
    """Say what the id of a layout is made of: the size, and the scales in short."""
    if len(set(block.scale)) == 1:
        return f"{block.size} entries, scale {block.scale[0]:.6g}"
    digest = hashlib.sha256(repr(block.scale).encode()).hexdigest()[:8]
    return f"{block.size} entries, scales {digest}"


@lru_cache(maxsize=128)
def observation_space(rules: Rules, num_players: int) -> ObservationSpace:
    """Return the observation space of a table, made once."""
    return ObservationSpace(rules, num_players)


def rule_entries(rules: Rules, num_players: int) -> list[int]:
    """Return the options of the rules as numbers from -128 to 127, in the order of declaration.

    What hangs on the number of players is resolved. A number that does not fit is shown by its
    nearest bound; ``None`` is -1, a word its place, or below -1 where numbers are allowed too.
    """
    resolved = {
        "num_decks": rules.decks(num_players),
        "num_jokers": rules.jokers(num_players),
        "hand_size": rules.hand(num_players),
        "drawn_discard_ban": rules.resolved_ban,
        "max_turns": rules.resolved_max_turns,
        "no_progress_limit": rules.no_progress(num_players),
    }
    entries = []
    for option in rules.options():
        value = resolved.get(option.name, getattr(rules, option.name))
        words = getattr(option.kind, "words", ())
        if isinstance(value, str):
            mixed = getattr(option.kind, "low", None) is not None
            value = -2 - words.index(value) if mixed else words.index(value)
        elif isinstance(value, tuple):
            value = len(value)
        elif value is None:
            value = -1
        elif option.name in _SCALED_OPTIONS:
            value = round(value / _SCALED_OPTIONS[option.name])
        entries.append(max(-128, min(127, int(value))))
    return entries


_SCALED_OPTIONS = {"target_score": 10, "max_turns": 100, "max_rounds": 10, "clock_budget": 10}


@lru_cache(maxsize=128)
def _blocks(rules: Rules, num_players: int) -> dict[str, ObservationBlock]:
    blocks: dict[str, ObservationBlock] = {}
    offset = 0
    for name, size, scale, doc in _declared(rules, num_players):
        scales = scale * (size // len(scale)) if isinstance(scale, tuple) else (scale,) * size
        blocks[name] = ObservationBlock(name, offset, size, scales, doc)
        offset += size
    return blocks


def _declared(
    rules: Rules, num_players: int
) -> Iterator[tuple[str, int, float | tuple[float, ...], str]]:
    """Yield name, size, scale (one, or one cycle of them) and meaning of each block."""
    n = num_players
    decks, jokers = rules.decks(n), rules.jokers(n)
    copies = 52 * decks + jokers
    faces = 52 + (jokers > 0)
    count = 1 / max(decks, jokers)
    digits = (DIGIT / _POINTS, 1 / DIGIT)

    yield "hand", copies, 1.0, "own cards, an entry for each copy"
    yield "drawn", faces, count, "own cards drawn from the stock this turn"
    yield "banned", faces, count, "own cards that may not be discarded this turn"
    yield "must_use", faces, 1.0, "the dug face that must be used now"
    yield "dug", faces, count, "faces the seat to move took from the pile this turn"
    yield "laid", faces, count, "faces the seat to move laid this turn"
    yield "pile_depth", copies, 1 / _FAR, "place of a card in the pile: 1 is the upcard, 0 none"
    yield "pile_by", n * copies, 1.0, "who threw it, a plane for each seat; in none: the deal"
    yield "table_meld", copies, 1 / MAX_MELDS, "1 + age of the meld a card lies in, 0 is none"
    yield "table_kind", copies, 1 / 3, "1 in a set, 2 in a run, 3 as a high ace in a run"
    yield "table_by", n * copies, 1.0, "who laid it, a plane for each seat"
    yield "known", n * faces, count, "cards publicly known to be in each hand"
    yield "unseen", faces, count, "cards the observer cannot locate"
    yield "discards", n * faces, count, "faces each seat discarded this round"
    yield "passed", n * faces, 1.0, "upcards each seat left when it drew from the stock"
    yield "out_of_play", faces, count, "faces that are out of play this round"
    yield "phase", len(PHASES), 1.0, "phase of the turn, one of " + ", ".join(PHASES)
    yield "mover", n, 1.0, "seat to move"
    yield "dealer", n, 1.0, "seat that dealt"
    yield "hand_sizes", n, 1 / 13, "cards in each hand"
    yield "sizes", 2, 1 / _FAR, "cards in stock and pile"
    yield "table_points", 2 * n, digits, "points each seat has laid this round, in two digits"
    yield "scores", 2 * n, digits, "total of each side, in two digits"
    yield "opened", 2 * n, 1.0, "who has opened, in this round and in this game"
    yield "laid_before", n, 1.0, "who laid something in an earlier turn"
    yield "turns_taken", 2 * n, (1.0, 1 / DIGIT), "turns each seat has completed, in two digits"
    yield "rounds", 2, (1.0, 1 / DIGIT), "finished rounds, in two digits"
    yield "no_progress", 2, (1.0, 1 / DIGIT), "turns in a row without progress, in two digits"
    yield "end", n + 2, 1.0, "who has won; cut off (1 max_turns, 2 max_rounds); game of one round"
    yield "turn", 3, 1.0, "top card taken alone, taken freely, long run laid this turn"
    yield "stock_state", 3, (0.1, 0.125, 1.0), "refills, passes in a row, order is public"
    if rules.stock_exhausted in ("reshuffle", "turn_over"):
        yield "refilled", faces, count, "faces of a refilled stock not yet seen by all"
        yield "refilled_drawn", faces, count, "own cards drawn from a refilled stock"
        yield "unseen_refilled", n, 1 / 13, "cards of each hand drawn unseen from such a stock"
        yield "open_stock", copies, 1 / _FAR, "place in a stock of public order: 1 is drawn next"
    if rules.four_at_once_multiplier > 1 or rules.dealers_joker:
        yield "doubled", MAX_MELDS, 1 / 3, "1 four laid at once, 2 a joker over the meld, 3 both"
    if rules.layoff_scope in ("own", "team"):
        yield "owner", MAX_MELDS, 1 / n, "1 + seat, counted from the observer, that laid each meld"
    if rules.ace_rank == "round_the_corner":
        yield "run_start", MAX_MELDS, 1 / 13, "1 + first position of each run, oldest first"
    if jokers:
        yield (
            "table_jokers",
            3 * jokers,
            (1 / MAX_MELDS, 1 / MAX_PLACES, 1 / _FAR),
            "jokers on the table: 1 + age of the meld, 1 + place, the face it stands for",
        )
    if rules.boodle_pots:
        yield "pots", 8, digits, "chips in the pots, in two digits"
        yield "chips", 2 * n, digits, "chips of each seat, in two digits"
    if rules.clock_budget is not None:
        yield "clocks", 2 * n, digits, "decisions left on each clock, in two digits"
    if rules.first_meld_min > 0:
        yield "opening_points", 2, digits, "points laid this turn to open with, in two digits"
    if rules.call_rum != "none" or rules.skip_first_draw or rules.dealers_joker:
        yield "flags", len(FLAGS), 1.0, "what binds the seat to move: " + ", ".join(FLAGS)
    if rules.has_windows:
        scales = (1.0,) * (2 * n) + digits
        meaning = (
            "who is still to be asked; whose move opened that; bonus of who goes out, 2 digits"
        )
        yield "window", 2 * n + 2, scales, meaning
    if rules.dealers_joker:
        meaning = "effect (1 wild, 2 double) and state (1 free, 2 used, 3 blocked) of that joker"
        yield "dealers_joker", 2, (1 / 2, 1 / 3), meaning
    yield "rules", len(rules.options()), 1 / 16, "the options of the rules, as numbers"
