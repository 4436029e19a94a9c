"""Moves as people type them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from rummy500_env.actions import Move
from rummy500_env.cards import JOKER_TEXT, RANKS
from rummy500_env.view_reading import SIGNS

__all__ = ["matching_moves", "normal_form"]

_LETTERS: Final = {sign: letter for letter, sign in SIGNS.items()}
_CARD: Final = re.compile(
    rf"(?<![\w*])(10|[{RANKS}])([cdhs{''.join(_LETTERS)}])(?!\w)", re.IGNORECASE
)
_RUN: Final = re.compile(rf"([{RANKS}])([cdhs])-([{RANKS}])\2")


def normal_form(text: str) -> str:
    """Return what was typed as moves are written: ``Discard 10H`` is ``discard Th``.

    The signs of suits, ``joker`` for ``**`` and ``lay off`` are understood too.
    """
    words = text.lower().replace("lay off", "layoff").replace("joker", JOKER_TEXT)
    return " ".join(_CARD.sub(_as_written, words).split())


def _as_written(found: re.Match[str]) -> str:
    rank, suit = found[1].upper().replace("10", "T"), found[2].lower()
    return rank + _LETTERS.get(suit, suit)


def matching_moves(text: str, moves: Sequence[Move], num_ranks: int = len(RANKS)) -> list[Move]:
    """Return the moves that a text can mean: one, if it is clear.

    A move is meant by its number (from 1), by its text, by the beginning of its first word, by
    some of its cards, or both: ``3``, ``discard Kh``, ``disc kh``, ``kh``. A meld is also meant by
    all of its cards, ``meld 5h 6h 7h`` or ``5h ** 7h``.

    Args:
        text: What was typed.
        moves: The legal moves.
        num_ranks: Ranks in the deck.
    """
    typed = normal_form(text)
    if typed.isdecimal():
        return list(moves[int(typed) - 1 : int(typed)]) if int(typed) else []
    exact = [move for move in moves if move == typed]
    if exact or not typed:
        return exact
    words = typed.split()
    verb = "" if _is_card(words[0]) else words.pop(0)
    found = [move for move in moves if move.split()[0].startswith(verb)]
    named = Counter(words)
    by_words = [move for move in found if named <= Counter(move.split()[1:])]
    cards = [word for word in words if _is_card(word)]
    if len(cards) < 2 or len(cards) != len(words):
        return by_words
    naturals = Counter(card for card in cards if card != JOKER_TEXT)
    melds = [move for move in found if move.startswith("meld ")]
    spread = [(move, meld_cards(move, num_ranks)) for move in melds]
    by_cards = [m for m, all_ in spread if len(all_) == len(cards) and naturals <= Counter(all_)]
    return list(dict.fromkeys(by_words + by_cards))


def meld_cards(move: str, num_ranks: int = len(RANKS)) -> list[str]:
    """Return the cards of a new meld: those of ``meld 5h-7h`` are ``5h``, ``6h``, ``7h``."""
    run = _RUN.fullmatch(move.removeprefix("meld "))
    if run is None:
        return move.split()[1:]
    first, last = RANKS.index(run[1]), RANKS.index(run[3])
    ranks = range(first, first + (last - first) % num_ranks + 1)
    return [RANKS[rank % num_ranks] + run[2] for rank in ranks]


def _is_card(word: str) -> bool:
    return word.startswith(JOKER_TEXT) or _CARD.match(word) is not None
