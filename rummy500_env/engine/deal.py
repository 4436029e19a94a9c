"""Dealing a round, refilling the stock, beginning a turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import add_face, count_face, num_cards, remove_face
from rummy500_env.engine.chance import (
    DEALER,
    below,
    chance_word,
    fold,
    permute,
    refill_word,
)
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.rules_record import option_code
from rummy500_env.engine.state import DRAW, FREE, NOMINATE, OPENING

__all__ = ["deal_round", "list_cards", "next_seat", "start_game", "start_turn"]


PLAYER_CHOICE = option_code("start_discard", "player_choice")


@kernel
def next_seat(r: Any, seat: Any) -> Any:
    """Return the seat that follows in the order of play."""
    return (seat + r.direction + r.num_players) % np.int64(r.num_players)


@kernel
def start_game(st: Any, r: Any, seed: Any, single_round: Any) -> None:
    """Begin a game in a zeroed record: draw the dealer and deal the first round."""
    st.seed = np.uint64(seed)
    st.num_players = r.num_players
    st.single_round = single_round
    st.dealer = below(fold(np.uint64(seed), DEALER), np.int64(r.num_players))
    for seat in range(np.int64(r.num_players)):
        st.clocks[seat] = max(r.clock_budget, 0)
    deal_round(st, r)


@kernel
def list_cards(cards: Any, target: Any) -> Any:
    """Write the faces of a set in order, all copies of a face together; return their number."""
    count = np.int64(0)
    for face in range(JOKER + 1):
        for _ in range(count_face(cards, face)):
            target[count] = face
            count += 1
    return count


@kernel
def _shuffle_stock(st: Any, word: Any, size: Any) -> None:
    """Shuffle the cards listed in the stock; the first of the permutation becomes the last.

    Stocks are kept so that the last card is drawn first.
    """
    permute(word, st.stock, size)
    for k in range(size >> 1):
        card = st.stock[k]
        st.stock[k] = st.stock[size - 1 - k]
        st.stock[size - 1 - k] = card


@kernel
def deal_round(st: Any, r: Any) -> None:
    """Deal the round of the record's index: hands by seat, the upcard, the stock.

    Everything of the previous round must have been cleared. The upcard goes to the first seat
    instead where that one chooses it; the dealer's joker lies beside the dealer.
    """
    st.chance = chance_word(st.seed, np.int64(st.round_index))
    st.out_of_play[0] = 0
    st.out_of_play[1] = 0
    size = list_cards(r.deck, st.stock)
    if r.dealers_joker:
        size -= 1
        st.stock[size] = 0
        add_face(st.out_of_play, np.int64(JOKER))
        st.joker_state = FREE
    _shuffle_stock(st, st.chance, size)
    for seat in range(np.int64(r.num_players)):
        for _ in range(np.int64(r.hand_size)):
            size -= 1
            add_face(st.hands[seat], np.int64(st.stock[size]))
            st.stock[size] = 0
        st.hand_size[seat] = r.hand_size
    size -= 1
    extra = np.int64(st.stock[size])
    st.stock[size] = 0
    st.stock_size = size
    if r.boodle_pots:
        pay_pots(st, r)
    st.seat = next_seat(r, np.int64(st.dealer))
    if r.start_discard == PLAYER_CHOICE:
        add_face(st.hands[st.seat], extra)
        st.hand_size[st.seat] += 1
        st.phase = OPENING
        return
    st.pile[0] = extra
    st.pile_size = 1
    add_face(st.pile_cards, extra)
    if r.dealers_joker:
        st.seat = st.dealer
        st.phase = NOMINATE
    else:
        start_turn(st)


@kernel
def pay_pots(st: Any, r: Any) -> None:
    """Let every player pay a chip to each boodle pot, and the dealer two."""
    for seat in range(np.int64(r.num_players)):
        chips = np.int64(2) if seat == np.int64(st.dealer) else np.int64(1)
        st.chips[seat] -= 4 * chips
        for pot in range(4):
            st.pots[pot] += chips


@kernel
def start_turn(st: Any) -> None:
    """Put the seat to move before its draw."""
    st.phase = DRAW


@kernel
def forget_refill(st: Any, r: Any) -> None:
    """Drop what is known of a refilled stock: its cards are then unseen cards like any other."""
    for copy in range(2):
        st.refilled[copy] = 0
        for seat in range(np.int64(r.num_players)):
            st.refilled_drawn[seat, copy] = 0
    for seat in range(np.int64(r.num_players)):
        st.unseen_refilled[seat] = 0


@kernel
def show_card(st: Any, r: Any, seat: Any, face: Any) -> None:
    """Note that a hand is about to show a card, which may have come from a refilled stock.

    Copies known to be in the hand are shown first. Where the others cannot tell whether the card
    is one drawn from the refilled stock or an older copy of its face, nothing that could be kept
    about that stock is certain any longer, and it is forgotten.
    """
    if count_face(st.refilled, face) == 0 or st.unseen_refilled[seat] == 0:
        return
    if count_face(st.known[seat], face) > 0:
        return
    copies = count_face(r.deck, face) - count_face(st.refilled, face)
    copies -= count_face(st.pile_cards, face) + count_face(st.out_of_play, face)
    for other in range(np.int64(r.num_players)):
        copies -= count_face(st.table_cards[other], face) + count_face(st.known[other], face)
    older = np.int64(st.hand_size[seat]) - num_cards(st.known[seat])
    older -= np.int64(st.unseen_refilled[seat])
    if copies > 0 and older > 0:
        forget_refill(st, r)
        return
    remove_face(st.refilled, face)
    remove_face(st.refilled_drawn[seat], face)
    st.unseen_refilled[seat] -= 1


@kernel
def refill_stock(st: Any, r: Any, turn_over: Any) -> None:
    """Make all discards but the top one a new stock, shuffled or merely turned over."""
    size = np.int64(st.pile_size) - 1
    forget_refill(st, r)
    if turn_over:
        for k in range(size):
            st.stock[k] = st.pile[size - 1 - k]
            st.open_stock[k] = st.stock[k]
        st.stock_open = 1
    else:
        st.refilled[0] = 0
        st.refilled[1] = 0
        for k in range(size):
            add_face(st.refilled, np.int64(st.pile[k]))
        list_cards(st.refilled, st.stock)
        _shuffle_stock(st, refill_word(st.chance, np.int64(st.reshuffles)), size)
    st.stock_size = size
    st.pile_cards[0] = 0
    st.pile_cards[1] = 0
    add_face(st.pile_cards, np.int64(st.pile[size]))
    st.pile[0] = st.pile[size]
    st.pile_by[0] = st.pile_by[size]
    for k in range(1, size + 1):
        st.pile[k] = 0
        st.pile_by[k] = 0
    st.pile_size = 1
    st.reshuffles += 1
