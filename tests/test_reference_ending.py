"""The oracle against the rules, clause by clause: the ends of rounds and games, scoring."""

from __future__ import annotations

from tests.reference import Table
from tests.reference.build import play_randomly, shuffle_of

ONE_ROUND = {"max_deals": 1, "target_score": None}


def test_4_reshuffle_uses_the_shuffle_of_that_refill():
    asked = []

    def shuffle(round_index: int, refill: int, num_cards: int) -> list[int]:
        asked.append((round_index, refill, num_cards))
        return list(range(num_cards))[::-1]

    options = {"stock_exhausted": "reshuffle", "max_reshuffles": None, "hand_size": 3}
    play_randomly(Table({**options, **ONE_ROUND}, 2, shuffle, 0), 1)
    assert asked[0] == (0, -1, 52)
    assert [entry[:2] for entry in asked[1:]] == [(0, refill) for refill in range(len(asked) - 1)]


def test_9_8_max_turns_cuts_off_and_truncates_a_single_round():
    options = {"max_turns": 2, "scoring_mode": "winner_takes_hands"}
    for single in (False, True):
        table = Table(options, 2, shuffle_of(1), 0, single)
        while not table.rounds:
            table.play(table.legal_moves()[0])
        assert table.rounds[0] == {"scores": [0, 0], "went_out": None, "how": "cut_off"}
        assert table.is_over is single
        assert table.truncated_by == ("max_turns" if single else None)
        assert table.winners == []


def test_9_8_max_rounds_truncates():
    options = {"max_rounds": 2, "target_score": 10_000}
    table = play_randomly(Table(options, 2, shuffle_of(1), 0), 1)
    assert (len(table.rounds), table.truncated_by, table.winners) == (2, "max_rounds", [])


def test_single_round_is_won_by_the_best_score():
    table = play_randomly(Table({}, 3, shuffle_of(2), 0, single_round=True), 2)
    scores = table.rounds[0]["scores"]
    assert len(table.rounds) == 1
    assert table.winners == [s for s in range(3) if scores[s] == max(scores)]
    assert table.truncated_by is None
