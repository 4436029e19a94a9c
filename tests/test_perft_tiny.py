"""Trees of legal moves from the deals of tiny decks, counted by both engines.

A deck of half a dozen cards has so few rounds that all can be played: each row of moves from the
deal to the end, refills included. Larger short decks are counted to some depth. The numbers are
pinned, and both engines find them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from rummy500_env import Rules
from rummy500_env.presets import presets
from tests.differential.twin import twin_tables
from tests.support.engines import EngineTable, Placed
from tests.support.perft import rows_of_moves, whole_tree

SIX: dict[str, Any] = {"num_ranks": 3, "num_suits": 2, "hand_size": 1}
PAIRS: dict[str, Any] = {"set_min_len": 2, "run_min_len": 2}
WILD: dict[str, Any] = {"joker_role": "wild"}


class Deal(NamedTuple):
    """A deal, the rows of 1, 2, … moves from it, and, of a whole tree, how many end how."""

    options: dict[str, Any]
    num_players: int
    seed: int
    rows: list[int]
    endings: dict[str, int] | None = None


WHOLE = {
    "six cards": Deal(
        SIX, 2, 0, [1, 2, 2, 4, 8, 16, 24, 16, 16, 16], {"exhausted": 24, "out": 16},
    ),
    "three players": Deal(SIX, 3, 0, [1, 2, 3, 6, 6, 4, 2], {"exhausted": 4, "out": 6}),
    "pairs are melds": Deal(
        {**SIX, **PAIRS}, 2, 0,
        [2, 4, 5, 9, 15, 34, 82, 110, 271, 394, 232, 198, 128, 64],
        {"exhausted": 224, "out": 503},
    ),
    "a joker": Deal(
        {**SIX, **WILD, "num_jokers": 1}, 2, 0,
        [1, 2, 2, 4, 10, 20, 36, 48, 108, 136, 336, 384, 232, 152, 128],
        {"exhausted": 400, "out": 264},
    ),
    "melds of jokers alone": Deal(
        {**SIX, **PAIRS, **WILD, "num_suits": 1, "num_jokers": 2, "min_naturals": 0}, 2, 2,
        [2, 5, 6, 21, 26, 41, 90, 64, 50, 40],
        {"exhausted": 18, "out": 204},
    ),
    "jokers for sets of jokers": Deal(
        {**SIX, "num_suits": 1, "hand_size": 2, "num_jokers": 3, "joker_role": "set_only"}, 2, 1,
        [1, 5, 6, 3, 3],
        {"exhausted": 3, "out": 5},
    ),
    "round the corner": Deal(
        {"num_ranks": 7, "num_suits": 1, "hand_size": 2, "ace_rank": "round_the_corner"}, 2, 2,
        [1, 3, 6, 13, 24, 21, 37, 45, 27, 45, 90, 18, 36],
        {"exhausted": 45, "out": 125},
    ),
    "two decks": Deal(
        {**SIX, "num_suits": 1, "num_decks": 2}, 2, 2,
        [1, 2, 3, 6, 8, 16, 36, 32, 56, 56, 12, 12],
        {"exhausted": 40, "out": 58},
    ),
    "two decks of pairs": Deal(
        {**SIX, **PAIRS, "num_suits": 1, "num_decks": 2}, 2, 1,
        [2, 4, 6, 11, 19, 41, 90, 135, 388, 596, 510, 436, 110, 50, 10],
        {"exhausted": 238, "out": 1025},
    ),
    "two cards a draw": Deal(
        {**SIX, **PAIRS, "stock_draw_count": 2}, 2, 0,
        [2, 5, 9, 14, 27, 46, 162, 274, 168, 100, 64, 32],
        {"exhausted": 156, "out": 270},
    ),
    # The ways in which a stock runs out.
    "reshuffled": Deal(
        {**SIX, "stock_exhausted": "reshuffle"}, 2, 0,
        [1, 2, 2, 4, 8, 16, 16, 16, 16, 32, 40, 80, 144, 128, 176, 128],
        {"exhausted": 192, "out": 88},
    ),
    "reshuffled, a card to keep": Deal(
        {**SIX, "stock_exhausted": "reshuffle", "must_discard_to_go_out": True}, 2, 2,
        [1, 2, 2, 4, 6, 12, 12, 16, 16, 32, 46, 92, 150, 116, 196, 160],
        {"exhausted": 224, "out": 68},
    ),
    "turned over": Deal(
        {**SIX, "stock_exhausted": "turn_over"}, 2, 1,
        [1, 2, 2, 4, 6, 12, 12, 16, 18, 36, 48, 96, 148, 128, 188, 144],
        {"exhausted": 208, "out": 96},
    ),
    "ends when all pass": Deal(
        {**SIX, "stock_exhausted": "end_if_all_pass"}, 2, 1,
        [1, 2, 2, 4, 6, 12, 20, 32, 44, 44, 40, 16],
        {"exhausted": 48, "out": 16},
    ),
    "discards only": Deal(
        {**SIX, "stock_exhausted": "discard_only"}, 2, 0,
        [1, 2, 2, 4, 8, 16, 24, 24, 16, 16, 16],
        {"out": 40},
    ),
    "a free top card": Deal(
        {**SIX, "discard_take": "top_only", "top_discard_free": True, "no_progress_limit": 2},
        2, 0,
        [2, 3, 6, 9, 16, 24, 44, 50, 88, 68, 104, 60, 64, 32, 16, 8],
        {"cut_off": 85, "exhausted": 128},
    ),
}  # fmt: skip

PARTS = {
    "three suits of five": Deal(
        {"num_ranks": 5, "num_suits": 3, "hand_size": 3}, 3, 1,
        [1, 4, 7, 19, 43, 101, 223, 443],
    ),
    "four suits of six": Deal(
        {"num_ranks": 6, "num_suits": 4, "hand_size": 4}, 2, 0,
        [2, 6, 9, 29, 78, 203, 517],
    ),
    "two suits of five and two jokers": Deal(
        {**WILD, "num_ranks": 5, "num_suits": 2, "hand_size": 3, "num_jokers": 2}, 2, 0,
        [2, 6, 10, 35, 77, 195, 576],
    ),
    "two decks, jokers, the corner": Deal(
        {
            **WILD, "num_ranks": 4, "num_suits": 3, "num_decks": 2, "hand_size": 3,
            "num_jokers": 2, "ace_rank": "round_the_corner",
        },
        2, 2,
        [2, 9, 12, 29, 71, 214, 596, 1441],
    ),
}  # fmt: skip


def dealt(engine: str, rules: Rules, num_players: int, seed: int) -> Placed:
    """A round of the seed on one engine; both deal and refill alike."""
    game, table = twin_tables(rules, num_players, seed, single_round=True)
    return EngineTable(game) if engine == "engine" else table


@pytest.mark.parametrize("engine", ["reference", "engine"])
@pytest.mark.parametrize("name", WHOLE)
def test_all_rounds_of_a_tiny_deck(name, engine):
    deal = WHOLE[name]
    table = dealt(engine, Rules(**deal.options), deal.num_players, deal.seed)
    assert whole_tree(table) == (deal.rows, deal.endings)


@pytest.mark.parametrize("engine", ["reference", "engine"])
@pytest.mark.parametrize("name", PARTS)
def test_rows_of_moves_of_a_short_deck(name, engine):
    deal = PARTS[name]
    table = dealt(engine, Rules(**deal.options), deal.num_players, deal.seed)
    assert rows_of_moves(table, len(deal.rows)) == deal.rows


SHORT = [
    name
    for name in presets()
    for rules in [Rules.preset(name)]
    if rules.num_ranks < 13 or rules.num_suits < 4
]


@pytest.mark.skipif(not SHORT, reason="no preset that is played has a short deck")
def test_the_deals_of_presets_with_short_decks_are_counted_alike():
    for name in SHORT:
        rules = Rules.preset(name)
        for seed, num_players in enumerate(rules.player_counts()):
            counts = [
                rows_of_moves(dealt(engine, rules, num_players, seed), 6)
                for engine in ("reference", "engine")
            ]
            assert counts[0] == counts[1], (name, num_players)
