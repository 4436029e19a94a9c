"""What a value network sees of a view: 64-bit words, each bit a feature.

The words are made for positions after the viewer's own move. Points that have been scored are left
out: a network says what is still to come. Other seats are told apart by their distance from the
viewer, one, two, and further.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import FACES, num_cards, popcount
from rummy500_env.engine.encode import unseen_cards
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.melds import accepted, value_in_hand

__all__ = ["FEATURES", "NUM_WORDS", "write_features"]

FEATURES: Final = (
    ("hand", "own cards; jokers from bit 52 on"),
    ("hand_twice", "own cards held twice"),
    ("pile", "cards in the pile"),
    ("pile_1", "its top card"),
    ("pile_2", "the one below"),
    ("pile_3", "the third"),
    ("pile_5", "the fourth and fifth"),
    ("pile_8", "the sixth to eighth"),
    ("known_1", "cards known to be in the next seat's hand"),
    ("known_2", "in that of the seat after it"),
    ("known_more", "in the hands of further seats"),
    ("on_set", "faces that a set on the table takes"),
    ("on_low", "faces that a run takes below"),
    ("on_high", "faces that a run takes above"),
    ("unseen", "cards that the viewer cannot locate; jokers from bit 52 on"),
    ("discards_1", "faces the next seat has discarded"),
    ("passed_1", "upcards the next seat has left"),
    ("discards_more", "faces that seats after it have discarded"),
    ("passed_more", "upcards that they have left"),
    ("hand_lays_off", "own cards that the table takes"),
    ("hand_pair", "own cards with one more of their rank"),
    ("hand_three", "own cards with two more of their rank"),
    ("hand_next", "own cards whose next card in suit is held too; of a king that is the ace"),
    ("hand_gap", "own cards whose next but one is held too"),
    ("hand_run", "own cards whose next two are held too"),
    ("pair_lives", "own cards with one more of their rank, a third of which may still come"),
    ("next_lives", "the same as hand_next, where a card at either end may still come"),
    ("gap_lives", "the same as hand_gap, where the card between may still come"),
    ("pile_melds", "cards of the pile that make a meld with own cards"),
    ("pile_lays_off", "cards of the pile that the table takes"),
    ("known_melds", "own cards that make a meld with cards known to be in the next hand or pile"),
    ("must_use", "the face that a dig obliges to use"),
    ("sizes", "own hand from bit 0, next hand from bit 24: one bit a card; phase from bit 48"),
    ("sizes_more", "hand of the seat after it from bit 0; smallest other hand from bit 24"),
    ("piles", "stock from bit 0, pile from bit 27: one bit for two cards"),
    ("values", "penalty of the own hand, one bit for five points"),
    ("makes", "value of own cards that go on the table now, one bit for five points"),
    ("state", "flags: whose turn, opened, laid before, bans, joker's state, players"),
)
"""The words, in order: name and meaning."""

NUM_WORDS: Final = len(FEATURES)

(
    HAND,
    HAND_TWICE,
    PILE,
    PILE_1,
    PILE_2,
    PILE_3,
    PILE_5,
    PILE_8,
    KNOWN_1,
    KNOWN_2,
    KNOWN_MORE,
    ON_SET,
    ON_LOW,
    ON_HIGH,
    UNSEEN,
    DISCARDS_1,
    PASSED_1,
    DISCARDS_MORE,
    PASSED_MORE,
    HAND_LAYS_OFF,
    HAND_PAIR,
    HAND_THREE,
    HAND_NEXT,
    HAND_GAP,
    HAND_RUN,
    PAIR_LIVES,
    NEXT_LIVES,
    GAP_LIVES,
    PILE_MELDS,
    PILE_LAYS_OFF,
    KNOWN_MELDS,
    MUST_USE,
    SIZES,
    SIZES_MORE,
    PILES,
    VALUES,
    MAKES,
    STATE_FLAGS,
) = range(NUM_WORDS)

SUIT_BITS = np.int64((1 << 13) - 1)
MOST_HAND, MOST_HALVES, MOST_FIVES = np.int64(23), np.int64(27), np.int64(60)


@kernel
def _bar(count: Any, most: Any) -> Any:
    """Return a word whose lowest bits are set, one for each that is counted."""
    return (np.int64(1) << min(np.int64(count), most)) - 1


@kernel
def _top(first: Any, most: Any, view: Any) -> Any:
    """Return the faces of the pile from the ``first`` to before the ``most``-th from its top."""
    size = np.int64(view.pile_size)
    word = np.int64(0)
    for k in range(first, min(most, size)):
        word |= np.int64(1) << np.int64(view.pile[size - 1 - k])
    return word


@kernel
def _same_rank(faces: Any) -> Any:
    """Return the faces of the ranks that a word has at least two of, and at least three of."""
    a, b = faces & SUIT_BITS, faces >> np.int64(13) & SUIT_BITS
    c, d = faces >> np.int64(26) & SUIT_BITS, faces >> np.int64(39) & SUIT_BITS
    two = (a & b) | (c & d) | ((a | b) & (c | d))
    three = (a & b & (c | d)) | (c & d & (a | b))
    return _every_suit(two), _every_suit(three)


@kernel
def _every_suit(ranks: Any) -> Any:
    """Return the faces of ranks."""
    return ranks | ranks << np.int64(13) | ranks << np.int64(26) | ranks << np.int64(39)


@kernel
def _completes(line: Any) -> Any:
    """Return the places of a suit's line that make a run of three with two others."""
    one = np.int64(1)
    return (line >> one & line >> np.int64(2)) | (line << one & (line >> one | line << np.int64(2)))


@kernel
def _melds_with(faces: Any) -> Any:
    """Return the faces that make a set or a run of three with two of a word."""
    found, _ = _same_rank(faces)
    for suit in range(4):
        ranks = faces >> np.int64(13 * suit) & SUIT_BITS
        places = _completes(ranks | (ranks & 1) << np.int64(13))
        found |= ((places & SUIT_BITS) | places >> np.int64(13) & 1) << np.int64(13 * suit)
    return found


@kernel
def _write_neighbours(words: Any, hand: Any, live: Any) -> None:
    """Write what the own cards have beside them in their suits."""
    one, two = np.int64(1), np.int64(2)
    for suit in range(4):
        shift = np.int64(13 * suit)
        ranks, rest = hand >> shift & SUIT_BITS, live >> shift & SUIT_BITS
        line, open_line = ranks | (ranks & 1) << np.int64(13), rest | (rest & 1) << np.int64(13)
        follows = line & line >> one
        apart = line & line >> two
        words[HAND_NEXT] |= (follows & SUIT_BITS) << shift
        words[HAND_GAP] |= (apart & SUIT_BITS) << shift
        words[HAND_RUN] |= (follows & line >> two & SUIT_BITS) << shift
        words[NEXT_LIVES] |= (follows & (open_line << one | open_line >> two) & SUIT_BITS) << shift
        words[GAP_LIVES] |= (apart & open_line >> one & SUIT_BITS) << shift


@kernel
def write_features(view: Any, r: Any, words: Any) -> None:
    """Write the features of a view.

    Args:
        view: The view's record.
        r: The rules' record.
        words: ``int64 (NUM_WORDS,)``.
    """
    for k in range(NUM_WORDS):
        words[k] = 0
    me, n = np.int64(view.viewer), np.int64(r.num_players)
    hand = np.int64(view.hand[0])
    faces, pile = hand & FACES, np.int64(view.pile_cards[0]) & FACES
    unseen, _ = unseen_cards(view, view, r)
    live = (unseen | pile) & FACES
    on_set, on_low, on_high = accepted(view, r, me)
    takes = on_set | on_low | on_high

    words[HAND], words[HAND_TWICE] = hand, np.int64(view.hand[1])
    words[PILE] = np.int64(view.pile_cards[0])
    words[PILE_1], words[PILE_2] = _top(0, 1, view), _top(1, 2, view)
    words[PILE_3], words[PILE_5], words[PILE_8] = (
        _top(2, 3, view),
        _top(3, 5, view),
        _top(5, 8, view),
    )
    words[ON_SET], words[ON_LOW], words[ON_HIGH] = on_set, on_low, on_high
    words[UNSEEN] = unseen
    _write_others(view, n, me, words)

    two, three = _same_rank(faces)
    words[HAND_LAYS_OFF] = faces & takes
    words[HAND_PAIR], words[HAND_THREE] = faces & two, faces & three
    _write_neighbours(words, faces, live)
    ranks = live | live >> np.int64(26)
    ranks = (ranks | ranks >> np.int64(13)) & SUIT_BITS
    words[PAIR_LIVES] = faces & two & _every_suit(ranks)
    words[PILE_MELDS] = pile & _melds_with(faces)
    words[PILE_LAYS_OFF] = pile & takes
    words[KNOWN_MELDS] = faces & _melds_with((words[KNOWN_1] | pile) & FACES)
    if view.must_use:
        words[MUST_USE] = np.int64(1) << (np.int64(view.must_use) - 1)

    words[PILES] = (
        _bar((np.int64(view.stock_size) + 1) // 2, MOST_HALVES)
        | _bar((np.int64(view.pile_size) + 1) // 2, MOST_HALVES) << MOST_HALVES
    )
    twice = np.int64(view.hand[1])
    jokers = popcount(hand >> JOKER) * np.int64(r.hand_values[JOKER])
    penalty = value_in_hand(r, faces) + value_in_hand(r, twice) + jokers
    words[VALUES] = _bar(penalty // 5, MOST_FIVES)
    run = words[HAND_RUN]
    laid = faces & (takes | three | run | run << np.int64(1) | run << np.int64(2))
    words[MAKES] = _bar(value_in_hand(r, laid) // 5, MOST_FIVES)
    _write_state(view, n, me, words)


@kernel
def _write_others(view: Any, n: Any, me: Any, words: Any) -> None:
    """Write what is known of the other seats' cards, and the sizes of all hands."""
    least, after = MOST_HAND, np.int64(0)
    for k in range(1, n):
        seat = (me + k) % n
        known = np.int64(view.known[seat, 0])
        size = np.int64(view.hand_size[seat])
        least = min(least, size)
        if k == 1:
            words[KNOWN_1] = known
            words[DISCARDS_1] = np.int64(view.discards[seat, 0])
            words[PASSED_1] = np.int64(view.passed[seat])
        else:
            words[KNOWN_2 if k == 2 else KNOWN_MORE] |= known
            words[DISCARDS_MORE] |= np.int64(view.discards[seat, 0])
            words[PASSED_MORE] |= np.int64(view.passed[seat])
            if k == 2:
                after = size
    following = np.int64(view.hand_size[(me + 1) % n])
    words[SIZES] = (
        _bar(view.hand_size[me], MOST_HAND)
        | _bar(following, MOST_HAND) << np.int64(24)
        | np.int64(1) << (np.int64(48) + np.int64(view.phase))
    )
    words[SIZES_MORE] = _bar(after, MOST_HAND) | _bar(least, MOST_HAND) << np.int64(24)


@kernel
def _write_state(view: Any, n: Any, me: Any, words: Any) -> None:
    """Write what is a matter of yes or no."""
    one = np.int64(1)
    following = (me + 1) % n
    flags = np.int64(view.seat == me)
    flags |= np.int64(view.opened[me] != 0) << one
    flags |= np.int64(view.opened[following] != 0) << np.int64(2)
    flags |= np.int64(view.laid_before[me] != 0) << np.int64(3)
    flags |= np.int64(view.laid_before[following] != 0) << np.int64(4)
    flags |= np.int64(view.top_taken != 0) << np.int64(5)
    flags |= np.int64(view.free_take != 0) << np.int64(6)
    flags |= np.int64(num_cards(view.banned) != 0) << np.int64(7)
    flags |= np.int64(view.stock_open != 0) << np.int64(8)
    flags |= np.int64(view.reshuffles != 0) << np.int64(9)
    flags |= one << (np.int64(10) + np.int64(view.joker_effect))
    flags |= one << (np.int64(13) + np.int64(view.joker_state))
    flags |= one << (np.int64(17) + np.int64(view.num_melds == 0))
    flags |= one << (np.int64(20) + n)
    words[STATE_FLAGS] = flags | np.int64(view.turn_flags) << np.int64(32)
