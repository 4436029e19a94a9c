"""The oracle against the rules, clause by clause: scores of rounds, the game."""

from __future__ import annotations

from tests.reference import Table
from tests.reference.build import place, play_all, shuffle_of

ONE_ROUND = {"max_deals": 1, "target_score": None}


def test_5_2_boodle_pots():
    options = {"boodle_pots": True}
    table = Table(options, 4, shuffle_of(0), 0)
    assert table.position()["pots"] == {"Ah": 5, "Kc": 5, "Qd": 5, "Js": 5}
    assert table.chips == [-8, -4, -4, -4]
    pots = {"Ah": 15, "Kc": 15, "Qd": 15, "Js": 15}
    table = place(
        ["Ah 2h 3h Kc ** 2d", "3d"], phase="play", pots=pots, chips=[-30, -30],
        melds=[("Tc Jc Qc", 1)],
        options={**options, "num_jokers": 1, "joker_role": "wild"},
    )  # fmt: skip
    table.play("layoff **=Kc high")  # a joker standing for it does not claim
    assert table.chips == [-30, -30]
    table.play("meld Ah-3h")
    assert table.chips == [-15, -30]
    table = place(
        ["Kc 2d 3d", "9d"], phase="play", pots=pots, chips=[-30, -30],
        melds=[("Tc Jc Qc", 1)],
        options={**options, **ONE_ROUND},
    )  # fmt: skip
    play_all(table, "layoff Kc high", "discard 2d")
    assert (table.chips, table.position()["pots"]["Kc"]) == ([-15, -30], 0)
    while not table.is_over:
        table.play(table.legal_moves()[0])
    assert sum(table.chips) == 0
    assert table.position()["pots"] == dict.fromkeys(pots, 0)


def test_5_2_unclaimed_pots_carry_over_and_chips_sum_to_zero():
    table = Table({"boodle_pots": True, "target_score": 100}, 4, shuffle_of(1), 0)
    seed = 0
    while not table.is_over:
        position = table.position()
        assert sum(position["chips"]) + sum(position["pots"].values()) == 0
        table.play(table.legal_moves()[seed % len(table.legal_moves())])
        seed += 7919
    assert sum(table.chips) == 0


def test_9_18_clock_edge_62():
    options = {"clock_budget": 3}
    table = Table(options, 3, shuffle_of(0), 2)
    start = table.position()
    table = Table.from_position({**start, "rules": options, "scores": [400, 20, 30]})
    while not table.is_over:
        seat = table.current_seat
        before = table.position()["clocks"]
        table.play(table.legal_moves()[0])
        assert table.position()["clocks"][seat] == before[seat] - 1
    assert table.position()["clocks"][0] == 0
    assert table.winners == [2]  # best total of the others, whatever seat 0 has
    assert table.scores == [400, 20, 30]
    assert table.rounds[-1] == {"scores": [0, 0, 0], "went_out": None, "how": "clock"}
