"""The mapping from seeds to deals in plain Python, written from its description alone."""

from __future__ import annotations

from dataclasses import dataclass

from tests.reference.cards import in_order, pack

__all__ = ["Deal", "chance_word", "deal", "first_dealer", "refill_word", "shuffled"]

WORD = 2**64


def splitmix(state: int) -> tuple[int, int]:
    """Return the next state and the next word of SplitMix64."""
    state = (state + 0x9E3779B97F4A7C15) % WORD
    word = state
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % WORD
    return state, word ^ word >> 31


def fold(key: int, value: int) -> int:
    """Fold a whole number into a key: the word after the state `key ^ value * gamma`."""
    return splitmix(key ^ value * 0x9E3779B97F4A7C15 % WORD)[1]


def below(word: int, bound: int) -> int:
    """Return a number below a bound: the high half of the upper 32 bits times the bound."""
    return (word >> 32) * bound >> 32


def chance_word(seed: int, round_index: int) -> int:
    """Return the word that all chance of a round follows from."""
    return fold(fold(seed, 1), round_index)


def refill_word(chance: int, refill: int) -> int:
    """Return the word of a refill of the stock, counted from 0."""
    return fold(chance, refill + 1)


def first_dealer(seed: int, num_players: int) -> int:
    """Return who deals first."""
    return below(fold(seed, 2), num_players)


def shuffled(word: int, cards: list[str]) -> list[str]:
    """Return the cards after Fisher and Yates' shuffle from the top down."""
    cards = cards.copy()
    for k in reversed(range(1, len(cards))):
        other = below(fold(word, k), k + 1)
        cards[k], cards[other] = cards[other], cards[k]
    return cards


@dataclass
class Deal:
    """Hands in the order of faces, the upcard, the stock: drawn first, first."""

    hands: list[list[str]]
    upcard: str
    stock: list[str]


def deal(seed: int, round_index: int, num_players: int, hand_size: int, num_decks: int) -> Deal:
    """Return what a round deals: seat by seat, then the upcard, then the stock."""
    cards = shuffled(chance_word(seed, round_index), pack(13, 4, num_decks, 0))
    hands = [
        in_order(cards[seat * hand_size : (seat + 1) * hand_size]) for seat in range(num_players)
    ]
    rest = cards[num_players * hand_size :]
    return Deal(hands, rest[0], rest[1:])
