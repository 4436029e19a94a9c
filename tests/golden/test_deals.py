"""The mapping from seeds to deals: the engine, plain Python and the pinned text say the same."""

from __future__ import annotations

import pytest

from tests.golden import plain
from tests.golden.write import DEALS, ROUNDS, SEEDS, deals_text


def plain_text(num_players: int) -> str:
    """Return the pinned text as plain Python computes it."""
    hand_size, num_decks = (13 if num_players == 2 else 7), (2 if num_players >= 5 else 1)
    lines = [f"Deals of the standard game to {num_players} players. Stocks: drawn first, first."]
    for seed in SEEDS:
        dealer = plain.first_dealer(seed, num_players)
        lines += ["", f"seed {seed}", f"first dealer {dealer}"]
        for round_index in range(ROUNDS):
            deal = plain.deal(seed, round_index, num_players, hand_size, num_decks)
            lines.append(f"deal {round_index}")
            lines += [f"  hand {seat}  {' '.join(hand)}" for seat, hand in enumerate(deal.hands)]
            lines += [f"  upcard  {deal.upcard}", f"  stock   {' '.join(deal.stock)}"]
            chance = plain.chance_word(seed, round_index)
            lines.append(f"  chance  {chance:016x}")
            for refill in range(3):
                word = plain.refill_word(chance, refill)
                order = plain.shuffled(word, [str(k) for k in range(12)])
                lines.append(f"  refill {refill}  {word:016x}  {' '.join(order)}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("num_players", DEALS)
def test_deals_are_those_of_the_pinned_text(num_players):
    assert deals_text(num_players) == DEALS[num_players].read_text()


@pytest.mark.nojit
@pytest.mark.parametrize("num_players", DEALS)
def test_plain_python_deals_the_same(num_players):
    assert plain_text(num_players) == DEALS[num_players].read_text()


def test_splitmix64_is_the_published_generator():
    # Its first outputs for the seed 1234567, known from other implementations.
    state, words = 1234567, []
    for _ in range(3):
        state, word = plain.splitmix(state)
        words.append(word)
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]
