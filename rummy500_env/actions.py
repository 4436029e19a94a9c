"""The action space: every move of a layout, declared once as named blocks.

An action is an index into one ``Discrete(n)`` that is the same for every seat and phase. Which
blocks there are depends only on the deck and a few options of the rules, so presets that share
these share their actions, and a network trained on one plays the other.

=================  =======================================================  ==================
block              actions                                                  text
=================  =======================================================  ==================
``draw``           take the top card of the stock                           ``draw``
``dig``            take a face from the pile with all above it              ``dig 8h``
``dig_deeper``     two decks: the same, its deeper copy                     ``dig 8h#2``
``dig_joker``      jokers: the k-th joker from the top                      ``dig **#2``
``set``            lay a set: rank x suits of 3 or 4 cards                  ``meld 7c 7d 7h``
``run``            lay a run: suit x length x start                         ``meld Qs-As``
``joker_group``    set-only jokers: lay 3 or 4 of them                      ``meld ** ** **``
``layoff_set``     lay a face off on a set                                  ``layoff 8h set``
``layoff_low``     lay a face off below a run                               ``layoff 7c low``
``layoff_high``    lay a face off above a run                               ``layoff Tc high``
``joker_set`` ...  wild jokers: lay one off as a face, the same places      ``layoff **=8h set``
``joker_on_group`` set-only jokers: the fourth on three                     ``layoff ** set``
``discard``        discard a face                                           ``discard 9d``
``discard_joker``  discard a joker                                          ``discard **``
``pass``           take nothing, decline, or end a turn without a discard   ``pass``
``call``           calls of rum: claim the discard out of turn              ``call``
``nominate``       dealer's joker: say what all jokers do this round        ``nominate wild``
``block``          dealer's joker: lay a joker on it, it is out of use      ``block``
``own``            dealer's joker: the next move uses it first              ``own``
``double``         dealer's joker: the next meld scores twice               ``double``
=================  =======================================================  ==================
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from rummy500_env.cards import JOKER, RANKS, SUITS
from rummy500_env.cards import text as face_text
from rummy500_env.errors import UnknownNameError, close_matches
from rummy500_env.layouts import check_layout
from rummy500_env.view_record import EFFECTS, FLAGS

if TYPE_CHECKING:
    from rummy500_env.rules import Rules

__all__ = [
    "HIGH",
    "LOW",
    "MAX_ACTIONS",
    "ON_SET",
    "ActionSpace",
    "Block",
    "Kind",
    "Move",
    "action_space",
]

MAX_ACTIONS = 1728
"""An upper bound for every layout: the size of the arrays that hold one entry an action."""

ON_SET, LOW, HIGH = 0, 1, 2
PLACES = ("set", "low", "high")
_EXAMPLES = ("draw", "dig 8h", "meld 5h-9h", "layoff 8h set", "discard 9d", "pass")


class Kind(IntEnum):
    """What an action does; the first column of :attr:`ActionSpace.codes`."""

    DRAW = 0  # -
    DIG = 1  # face, copy from the top (0 is the nearest)
    SET = 2  # rank, copies by suit (two bits each), number of cards
    RUN = 3  # suit, first position (0 is a low ace), number of cards
    GROUP = 4  # -, -, number of jokers
    LAYOFF = 5  # face, place, 1 when a joker stands for it
    DISCARD = 6  # face
    PASS = 7  # -
    CALL = 8  # -
    NOMINATE = 9  # effect, an index into EFFECTS
    BLOCK = 10  # -
    PREFIX = 11  # bit of turn_flags


class Block(NamedTuple):
    """A named stretch of the action space: ``offset`` is its first action."""

    name: str
    offset: int
    size: int


class Move(str):
    """A legal move: its text, with its index in the action space as ``.index``.

    The index hides :meth:`str.index`, which nobody needs on a move.
    """

    index: int
    __slots__ = ("index",)  # pyright: ignore[reportIncompatibleMethodOverride]

    def __new__(cls, text: str, index: int) -> Move:
        """Make a move from its text and its index."""
        move = super().__new__(cls, text)
        move.index = index
        return move

    def __reduce__(self) -> tuple[type[Move], tuple[str, int]]:
        """Pickle a move as its text and its index."""
        return Move, (str(self), self.index)


@dataclass(frozen=True)
class _Layout:
    """What of the rules decides about the actions."""

    num_decks: int
    num_jokers: int
    joker_role: str
    distinct_suits: bool
    corner: bool
    set_min: int
    run_min: int
    num_ranks: int
    calls: bool
    effects: tuple[str, ...]


class ActionSpace:
    """The actions of a table: sizes, blocks, texts, and the codes the engine plays by.

    Args:
        rules: The rules of the game.
        num_players: Seats at the table (two decks come in with the fifth).

    Attributes:
        n: Number of actions.
        blocks: The blocks in order, by name.
        codes: ``int16 (n, 4)``: kind (:class:`Kind`) and its three parameters.
        id: Digest of all texts in order; equal ids mean the same actions.
    """

    def __init__(self, rules: Rules, num_players: int) -> None:
        layout = _Layout(
            num_decks=rules.decks(num_players),
            num_jokers=rules.jokers(num_players),
            joker_role=rules.joker_role,
            distinct_suits=rules.set_distinct_suits,
            corner=rules.ace_rank == "round_the_corner",
            set_min=min(3, rules.set_min_len),
            run_min=min(3, rules.run_min_len),
            num_ranks=rules.num_ranks,
            calls=rules.call_rum != "none",
            effects=rules.dealers_joker_effects if rules.dealers_joker else (),
        )
        self._table = _table(layout)
        self.n: int = len(self._table.texts)
        self.blocks: dict[str, Block] = self._table.blocks
        self.codes: npt.NDArray[np.int16] = self._table.codes
        self.set_patterns: tuple[tuple[int, ...], ...] = self._table.set_patterns
        self.id: str = self._table.id

    @property
    def layout(self) -> dict[str, str]:
        """The blocks in words, to be kept with weights and given to :meth:`check`."""
        return {
            name: f"{block.size} actions {self._digest(block)}"
            for name, block in self.blocks.items()
        }

    def check(self, layout: Mapping[str, str]) -> None:
        """Raise a :class:`LayoutError` that names the blocks in which a kept layout differs."""
        check_layout("actions", layout, self.layout)

    def _digest(self, block: Block) -> str:
        texts = self._table.texts[block.offset : block.offset + block.size]
        return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8]

    def __len__(self) -> int:
        return self.n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ActionSpace) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"ActionSpace(n={self.n}, id={self.id!r})"

    def to_text(self, action: int) -> str:
        """Return the text of an action; ``IndexError`` when there is no such action."""
        if not 0 <= action < self.n:
            raise IndexError(f"action {action} is outside 0..{self.n - 1}")
        return self._table.texts[action]

    def from_text(self, text: str) -> int:
        """Return the action that a text names; blanks and the order of cards are free."""
        table = self._table
        action = table.by_text.get(text) if isinstance(text, str) else None
        if action is None and isinstance(text, str):
            action = table.by_text.get(_canonical(text))
        if action is None:
            raise UnknownNameError("move", text, close_matches(text, table.texts) or _EXAMPLES)
        return action

    def texts(self) -> tuple[str, ...]:
        """Return the texts of all actions, in order."""
        return self._table.texts


@lru_cache(maxsize=128)
def action_space(rules: Rules, num_players: int) -> ActionSpace:
    """Return the action space of a table, made once."""
    return ActionSpace(rules, num_players)


@dataclass(frozen=True, eq=False)
class _Table:
    blocks: dict[str, Block]
    codes: npt.NDArray[np.int16]
    texts: tuple[str, ...]
    by_text: dict[str, int]
    set_patterns: tuple[tuple[int, ...], ...]
    id: str


def suit_patterns(num_copies: int, min_size: int) -> tuple[tuple[int, ...], ...]:
    """Return the suits a new set can have, shortest first; at most ``num_copies`` of a suit."""
    return tuple(
        suits
        for size in range(min_size, 5)
        for suits in combinations_with_replacement(range(4), size)
        if max(suits.count(suit) for suit in suits) <= num_copies
    )


def run_lengths(layout_min: int) -> range:
    """Return the lengths a new run can have: at most 13 cards."""
    return range(layout_min, 14)


@lru_cache(maxsize=64)
def _table(layout: _Layout) -> _Table:
    blocks: dict[str, Block] = {}
    rows: list[tuple[int, int, int, int]] = []
    texts: list[str] = []

    def block(name: str, entries: list[tuple[str, tuple[int, int, int, int]]]) -> None:
        blocks[name] = Block(name, len(rows), len(entries))
        texts.extend(text for text, _ in entries)
        rows.extend(row for _, row in entries)

    faces = range(52)
    jokers = range(layout.num_jokers)
    wild = layout.num_jokers > 0 and layout.joker_role in ("wild", "nominated")
    grouped = layout.num_jokers > 0 and layout.joker_role == "set_only"
    patterns = suit_patterns(
        2 if layout.num_decks == 2 and not layout.distinct_suits else 1, layout.set_min
    )

    block("draw", [("draw", (Kind.DRAW, 0, 0, 0))])
    block("dig", [(f"dig {face_text(f)}", (Kind.DIG, f, 0, 0)) for f in faces])
    if layout.num_decks == 2:
        block("dig_deeper", [(f"dig {face_text(f)}#2", (Kind.DIG, f, 1, 0)) for f in faces])
    if jokers:
        block("dig_joker", [(_dig_joker(k), (Kind.DIG, JOKER, k, 0)) for k in jokers])
    block("set", [_set_entry(rank, p) for rank in range(13) for p in patterns])
    block(
        "run",
        [
            _run_entry(layout, suit, start, length)
            for suit in range(4)
            for length in run_lengths(layout.run_min)
            for start in range(13 if layout.corner else 15 - length)
        ],
    )
    if grouped:
        block("joker_group", [(f"meld{' **' * n}", (Kind.GROUP, 0, 0, n)) for n in (3, 4)])
    for joker in range(2 if wild else 1):
        for place, name in enumerate(PLACES):
            block(
                f"{'joker' if joker else 'layoff'}_{name}",
                [
                    (
                        f"layoff {'**=' if joker else ''}{face_text(f)} {name}",
                        (Kind.LAYOFF, f, place, joker),
                    )
                    for f in faces
                ],
            )
    if grouped:
        block("joker_on_group", [("layoff ** set", (Kind.LAYOFF, JOKER, ON_SET, 1))])
    block("discard", [(f"discard {face_text(f)}", (Kind.DISCARD, f, 0, 0)) for f in faces])
    if jokers:
        block("discard_joker", [("discard **", (Kind.DISCARD, JOKER, 0, 0))])
    block("pass", [("pass", (Kind.PASS, 0, 0, 0))])
    if layout.calls:
        block("call", [("call", (Kind.CALL, 0, 0, 0))])
    if layout.effects:
        numbers = [(effect, EFFECTS.index(effect)) for effect in layout.effects]
        block("nominate", [(f"nominate {e}", (Kind.NOMINATE, k, 0, 0)) for e, k in numbers])
        block("block", [("block", (Kind.BLOCK, 0, 0, 0))])
        block("own", [_prefix("own")])
    if "double" in layout.effects:
        block("double", [_prefix("double")])

    codes = np.array(rows, np.int16)
    codes.flags.writeable = False
    return _Table(
        blocks=blocks,
        codes=codes,
        texts=tuple(texts),
        by_text={text: action for action, text in enumerate(texts)},
        set_patterns=patterns,
        id=hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16],
    )


def _prefix(name: str) -> tuple[str, tuple[int, int, int, int]]:
    return name, (Kind.PREFIX, 1 << FLAGS.index(name), 0, 0)


def _dig_joker(copy: int) -> str:
    return f"dig **#{copy + 1}" if copy else "dig **"


def _set_entry(rank: int, suits: tuple[int, ...]) -> tuple[str, tuple[int, int, int, int]]:
    cards = " ".join(RANKS[rank] + SUITS[suit] for suit in suits)
    copies = sum(1 << 2 * suit for suit in suits)
    return f"meld {cards}", (Kind.SET, rank, copies, len(suits))


def _run_entry(
    layout: _Layout, suit: int, start: int, length: int
) -> tuple[str, tuple[int, int, int, int]]:
    """Return text and codes of a run.

    Shorter decks keep the layout of the full one; their runs past the high ace, or with more cards
    than ranks, are never legal and get a text of their own, so that no two actions share one.
    """
    ranks, last = layout.num_ranks, start + length - 1
    wraps = layout.corner and start < ranks
    if length <= ranks and (wraps or last <= ranks):
        text = f"meld {RANKS[start % ranks]}{SUITS[suit]}-{RANKS[last % ranks]}{SUITS[suit]}"
    else:
        text = f"meld +{start}{SUITS[suit]}-+{last}{SUITS[suit]}"
    return text, (Kind.RUN, suit, start, length)


def _canonical(text: str) -> str:
    """Return a text with single blanks and the cards of a set in order of suits."""
    words = text.split()
    if len(words) > 3 and words[0] == "meld" and all(len(word) == 2 for word in words[1:]):
        words[1:] = sorted(words[1:], key=lambda word: SUITS.find(word[1]))
    return " ".join(words)
