"""The oracle against the rules, clause by clause: setup, draw and discard options (section 4)."""

from __future__ import annotations

from tests.reference import Table
from tests.reference.build import place, play_all, play_randomly, shuffle_of, some

# Setup.


def test_4_hand_size_as_number_and_as_map():
    table = Table({"hand_size": 10}, 4, shuffle_of(0), 0)
    assert [len(hand.split()) for hand in table.position()["hands"]] == [10] * 4
    table = Table({"hand_size": {"2": 10, "3": 7}}, 3, shuffle_of(0), 0)
    assert [len(hand.split()) for hand in table.position()["hands"]] == [7] * 3


def test_4_num_decks_and_jokers_by_map():
    for decks, jokers in ((1, 2), (2, 4)):
        options = {"num_decks": decks, "num_jokers": {1: 2, 2: 4}}
        position = Table(options, 3, shuffle_of(0), 0).position()
        cards = " ".join([*position["hands"], position["discard_pile"], position["stock"]]).split()
        assert (len(cards), cards.count("**")) == (52 * decks + jokers, jokers)


def test_9_20_tiny_decks_the_top_rank_plays_the_king():
    options = {
        "num_ranks": 5, "num_suits": 2, "hand_size": 3, "set_min_len": 2, "run_min_len": 2,
    }  # fmt: skip
    position = Table(options, 2, shuffle_of(0), 0).position()
    cards = " ".join([*position["hands"], position["discard_pile"], position["stock"]]).split()
    assert sorted(cards) == sorted(rank + suit for rank in "A2345" for suit in "cd")
    table = place(["4c 5c Ac Ad 3d", "2d"], phase="play", options=options)
    assert some(table, "meld") == ["meld 4c-5c", "meld 4c-Ac", "meld 5c-Ac", "meld Ac Ad"]
    table.play("meld 4c-Ac")
    assert table.position()["melds"][0]["values"] == [4, 5, 15]


def test_4_direction_of_turns_and_dealing():
    table = Table({"direction": -1}, 4, shuffle_of(0), 0)
    assert table.current_seat == 3
    play_all(table, "draw")
    table.play(some(table, "discard")[0])
    assert table.current_seat == 2
    while table.round_number == 1:
        table.play(table.legal_moves()[0])
    assert table.dealer == 3


def test_9_18_opening_discard_counts_as_a_turn():
    options = {"start_discard": "player_choice"}
    table = Table(options, 3, shuffle_of(0), 0)
    position = table.position()
    assert [len(hand.split()) for hand in position["hands"]] == [7, 8, 7]
    assert (position["discard_pile"], table.phase, table.current_seat) == ("", "opening", 1)
    assert len(position["stock"].split()) == 30
    assert all(move.startswith("discard") for move in table.legal_moves())
    assert len(table.legal_moves()) == 8
    card = table.legal_moves()[0].split()[1]
    table.play(f"discard {card}")
    position = table.position()
    assert (table.phase, table.current_seat) == ("draw", 2)
    assert (position["discard_pile"], position["discarded_by"]) == (card, [1])
    assert position["turns_taken"] == [0, 1, 0]


def test_9_18_opening_discard_before_a_normal_turn():
    options = {"start_discard": "player_choice", "opening_discard_is_turn": False}
    table = Table(options, 3, shuffle_of(0), 0)
    table.play(table.legal_moves()[0])
    assert (table.phase, table.current_seat) == ("draw", 1)
    assert table.position()["turns_taken"] == [0, 0, 0]


def test_random_rounds_with_every_ban_never_get_stuck():
    for ban in ("none", "top_taken", "dug_all", "all_drawn"):
        for free in (False, True):
            options = {"drawn_discard_ban": ban, "top_discard_free": free}
            table = Table(options, 2, shuffle_of(3), 0, single_round=True)
            assert play_randomly(table, 3).is_over
