"""The oracle against the rules, clause by clause: edge cases of the default game (section 6)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.reference import Table
from tests.reference.build import place, play_randomly, shuffle_of, some


def new_game(num_players: int, seed: int = 0, single_round: bool = True, **options: Any) -> Table:
    return Table(options, num_players, shuffle_of(seed), 0, single_round)


# 7 Invariants.


@pytest.mark.parametrize("players", range(2, 9))
def test_7_random_rounds_keep_all_cards_and_sums(players):
    table = new_game(players, seed=players)
    pack = Counter(cards_of(table))
    seed = 0
    while not table.is_over:
        moves = table.legal_moves()
        assert moves == sorted(set(moves))
        assert moves
        table.play(moves[seed * 7919 % len(moves)])
        seed += 1
        assert Counter(cards_of(table)) == pack
        position = table.position()
        values = sum(sum(meld["values"]) for meld in position["melds"])
        assert sum(position["table_points"]) == values


def cards_of(table: Table) -> list[str]:
    position = table.position()
    texts: list[str] = [*position["hands"], position["discard_pile"], position["stock"]]
    texts += [meld["cards"] for meld in position["melds"]]
    return " ".join(texts).split()


def test_whole_games_end_with_a_unique_winner():
    for seed in range(3):
        table = play_randomly(Table({"target_score": 50}, 3, shuffle_of(seed), 1), seed)
        assert len(table.winners) == 1
        assert table.scores[table.winners[0]] == max(table.scores)
        totals = [sum(r["scores"][seat] for r in table.rounds) for seat in range(3)]
        assert totals == table.scores


def test_positions_round_trip_and_copies_are_independent():
    table = new_game(3, seed=4)
    for step in range(80):
        if table.is_over:
            break
        again = Table.from_position(table.position())
        assert again.position() == table.position()
        assert again.legal_moves() == table.legal_moves()
        before = table.position()
        twin = table.copy()
        twin.play(twin.legal_moves()[-1])
        assert table.position() == before
        table.play(table.legal_moves()[step % len(table.legal_moves())])


def test_impossible_positions_are_refused():
    with pytest.raises(ValueError, match="too many"):
        place(["8h 8h", "3d"], "Kc")
    with pytest.raises(ValueError, match="no card"):
        place(["1h", "3d"], "Kc")


# What the rules of the package do not have, or refuse.


def test_4_joker_role_none_is_a_card_that_can_only_be_discarded():
    table = place(["7c 7d ** 2d", "3h"], "**", phase="play", options={"num_jokers": 2})
    assert some(table, "meld") == []
    assert "discard **" in table.legal_moves()
    assert some(place(["7c 7d ** 2d", "3h"], "**", options={"num_jokers": 2}), "dig") == []


def test_4_max_melds_per_turn():
    options = {"max_melds_per_turn": 1}
    table = place(["7c 7d 7h 7s 9c 9d 9h 2d", "3h"], phase="play", options=options)
    table.play("meld 7c 7d 7h")
    assert some(table, "meld") == []
    assert some(table, "layoff") == ["layoff 7s set"]


def test_4_layoff_requires_own_meld():
    melds = [("7c 7d 7h", 1), ("9c Tc Jc", 0)]
    options = {"layoff_requires_own_meld": True}
    for owner, count in ((0, 2), (1, 0)):
        table = place(
            ["7s Qc 2d", "3h"], phase="play", options=options, melds=[melds[0], ("9c Tc Jc", owner)]
        )
        assert len(some(table, "layoff")) == count
