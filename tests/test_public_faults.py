"""Faults seen in public engines of this game and its relatives, each as a test, on both engines.

A clause of the rules that stands behind one is named in its comment, and tested for itself where
the clauses are.
"""

from __future__ import annotations

from typing import Any

import pytest

from rummy500_env import Game
from rummy500_env.cards import text
from rummy500_env.view_reading import faces_of
from tests.support.engines import Place, Placed, play_all, some
from tests.support.rounds import ONE_ROUND, goes_out

TWO = {"num_decks": 2}
WILD = {"num_jokers": 2, "joker_role": "wild"}


# One card fits a set and a run: it went to the first that was found, or to both.


def test_one_card_fitting_a_set_and_a_run_on_the_table(place):
    melds = [("7c 7d 7h", 1), ("4s 5s 6s", 1), ("8s 9s Ts", 1)]
    table = place(["7s 2d", "3d"], phase="play", melds=melds)
    assert some(table, "layoff") == ["layoff 7s high", "layoff 7s low", "layoff 7s set"]
    wanted = {
        "set": ["7c 7d 7h 7s", "4s 5s 6s", "8s 9s Ts"],
        "high": ["7c 7d 7h", "4s 5s 6s 7s", "8s 9s Ts"],
        "low": ["7c 7d 7h", "4s 5s 6s", "7s 8s 9s Ts"],
    }
    for end, cards in wanted.items():
        after = play_all(table.copy(), f"layoff 7s {end}").position()
        assert [meld["cards"] for meld in after["melds"]] == cards
        assert (after["table_points"], after["hands"][0]) == ([7, 21 + 15 + 27], "2d")


def test_one_card_fitting_a_set_and_a_run_of_the_hand(place):
    table = place(["7c 7d 7s 5s 6s 2d", "3d"], phase="play")
    assert some(table, "meld") == ["meld 5s-7s", "meld 7c 7d 7s"]
    for move in some(table, "meld"):  # the one takes the card away from the other
        assert some(play_all(table.copy(), move), "meld") == []


def test_one_dug_card_fitting_a_set_and_a_run_may_go_to_either(place):
    table = place(["7c 7d 5s 6s 2d", "3d"], "7s", melds=[("8s 9s Ts", 1)])
    table.play("dig 7s")
    assert table.legal_moves() == ["layoff 7s low", "meld 5s-7s", "meld 7c 7d 7s"]


# The low ace: 15 points, or refused, or scored anew when the run grows (edges 30, 32).


@pytest.mark.parametrize(
    ("values", "low", "others"),
    [
        ({}, 1, [2, 3, 4]),
        ({"card_values": "five_ten_fifteen", "ace_low_value": 5}, 5, [5, 5, 5]),
        ({"ace_low_value": 15}, 15, [2, 3, 4]),
    ],
)
def test_the_low_ace_laid_off_below_2_3_4_scores_as_a_low_ace(place, values, low, others):
    table = place(["As 5s 9d", "3d"], phase="play", melds=[("2s 3s 4s", 1)], options=values)
    table.play("layoff As low")
    assert table.position()["table_points"] == [low, sum(others)]
    table.play("layoff 5s high")
    assert table.position()["melds"][0]["values"][:4] == [low, *others]
    assert some(table, "layoff") == []


def test_the_low_ace_scores_1_on_the_table_though_it_costs_15_in_hand(place):
    laid = [{"cards": "As 2s 3s 4s", "laid_by": [0, 1, 1, 1]}]
    assert goes_out(place, ["Ad"], laid)["scores"] == [1, 9 - 15]


# Chains of layoffs: the end of a run was not moved, or the second card was refused (edge 34).


def test_chains_of_layoffs_on_one_end(place):
    table = place(["2s 3s 4s As 9d", "3d"], phase="play", melds=[("5s 6s 7s", 1)])
    for card in ("4s", "3s", "2s", "As"):
        # Only the next card fits; 2s 3s 4s with the ace is a new meld as long as it is held.
        assert some(table, "layoff") == [f"layoff {card} low"]
        table.play(f"layoff {card} low")
    assert some(table, "layoff") == []
    (meld,) = table.position()["melds"]
    assert meld["cards"] == "As 2s 3s 4s 5s 6s 7s"
    assert meld["laid_by"] == [0, 0, 0, 0, 1, 1, 1]
    assert meld["values"] == [1, 2, 3, 4, 5, 6, 7]


def test_chains_of_layoffs_on_both_ends_in_any_order(place):
    table = place(["9s Ts Js 5s 4s 2d", "3d"], phase="play", melds=[("6s 7s 8s", 1)])
    play_all(
        table,
        "layoff 9s high",
        "layoff 5s low",
        "layoff Ts high",
        "layoff 4s low",
        "layoff Js high",
    )
    assert table.position()["melds"][0]["cards"] == "4s 5s 6s 7s 8s 9s Ts Js"
    assert table.position()["table_points"] == [9 + 5 + 10 + 4 + 10, 21]


def test_chains_of_layoffs_up_to_the_ace_and_no_further(place):
    table = place(["Js Qs Ks As 2s 9d", "3d"], phase="play", melds=[("8s 9s Ts", 1)])
    for card in ("Js", "Qs", "Ks", "As"):
        table.play(f"layoff {card} high")
    assert some(table, "layoff") == []
    assert table.position()["melds"][0]["values"][-1] == 15


# Equal faces of two decks: listed twice, both gone at once, or one counted for two.


def test_equal_faces_of_two_decks_are_one_move_and_one_card_goes(place):
    table = place(["7s 7s 7h 8s 9s 2d", "3d"], phase="play", options=TWO)
    moves = table.legal_moves()
    assert moves == sorted(set(moves))
    assert some(table, "meld") == ["meld 7h 7s 7s", "meld 7s-9s"]
    run = play_all(table.copy(), "meld 7s-9s")
    assert run.position()["hands"][0] == "2d 7h 7s"
    assert play_all(table.copy(), "meld 7h 7s 7s").position()["hands"][0] == "2d 8s 9s"
    assert play_all(table.copy(), "discard 7s").position()["hands"][0] == "2d 7h 7s 8s 9s"


def test_equal_faces_of_two_decks_are_no_three_cards_of_a_run(place):
    table = place(["6s 7s 7s 2d", "3d"], phase="play", options=TWO, melds=[("3c 4c 5c", 1)])
    assert some(table, "meld") == some(table, "layoff") == []


def test_equal_faces_of_two_decks_in_hand_and_pile_make_a_set_with_a_third(place):
    # The dug copy and the held ones are equal: any of them goes down (clause 9.2).
    assert some(place(["7s 2d", "3d"], "7s", options=TWO), "dig") == []
    table = place(["7s 7h 2d", "3d"], "7s", options=TWO)
    play_all(table, "dig 7s", "meld 7h 7s 7s", "discard 2d")
    assert table.rounds[0]["how"] == "out"


# Digging when only dug cards complete the meld: refused, for the hand alone was looked at (edge 1).


@pytest.mark.parametrize(
    ("pile", "target", "meld"),
    [
        ("Jd Jc 2s Jh", "Jd", "meld Jc Jd Jh"),
        ("5h Kc 7h 6h", "5h", "meld 5h-7h"),
        ("Qd Ad Kd", "Qd", "meld Qd-Ad"),
    ],
)
def test_digging_when_only_dug_cards_complete_the_meld(place, pile, target, meld):
    table = place(["2h 9s", "3d"], pile)
    assert some(table, "dig") == [f"dig {target}"]
    table.play(f"dig {target}")
    assert table.legal_moves() == [meld]
    table.play(meld)
    left = sorted(set(pile.split()) - set(table.position()["melds"][0]["cards"].split()))
    assert sorted(table.position()["hands"][0].split()) == sorted(["2h", "9s", *left])


def test_digging_when_only_dug_cards_complete_the_meld_and_hand_cards_are_asked_for(place):
    strict = {"dig_support": "hand_only"}
    assert some(place(["2h 9s", "3d"], "Qd Ad Kd", options=strict), "dig") == []
    assert some(place(["7h 9s 7c", "3d"], "7d Kh 7s", options=strict), "dig") == [
        "dig 7d", "dig 7s",
    ]  # fmt: skip


# The stock is empty exactly on a draw: the round ended before the discard, went on without a
# stock, or a pile of one was shuffled into nothing (edges 19, 20, 23).

REFILLED = ["draw"]
ENDS = ["pass"]


@pytest.mark.parametrize("pile", ["", "Kc", "Kc Qd"])
@pytest.mark.parametrize(
    ("stock_exhausted", "without", "with_discards"),
    [
        ("end_if_no_take", ENDS, ENDS),
        ("end_if_all_pass", ENDS, ENDS),
        ("discard_only", ENDS, ENDS),
        ("end_after_turn", [], []),
        ("reshuffle", ENDS, REFILLED),
        ("turn_over", ENDS, REFILLED),
    ],
)
def test_the_stock_is_empty_exactly_on_a_draw(place, stock_exhausted, without, with_discards, pile):
    options = {"stock_exhausted": stock_exhausted, **ONE_ROUND}
    table = place(["2c 9d 5h", "4d 8h"], pile, stock="7s", options=options)
    table.play("draw")
    # The turn is finished whatever follows.
    assert table.phase == "play"
    assert table.legal_moves() == ["discard 2c", "discard 5h", "discard 7s", "discard 9d"]
    table.play("discard 9d")
    below = pile.split()
    assert table.legal_moves() == (with_discards if below else without)
    assert table.is_over == (stock_exhausted == "end_after_turn")
    if below and with_discards == REFILLED:
        position = table.position()
        assert position["discard_pile"] == "9d"
        assert sorted(position["stock"].split()) == sorted(below)
        assert position["counters"]["reshuffles"] == 1
    elif not table.is_over:
        assert table.position()["discard_pile"].split() == [*below, "9d"]
        assert table.position()["counters"]["reshuffles"] == 0


@pytest.mark.parametrize("pile", ["7h", "7h Kc", "Kc 7h"])
def test_the_stock_is_empty_exactly_on_a_draw_and_the_next_may_take(place, pile):
    table = place(["2c 9d", "7c 7d 4d"], pile, stock="7s", options=ONE_ROUND)
    play_all(table, "draw", "discard 9d")
    assert table.legal_moves() == ["dig 7h", "pass"]
    table.play("pass")
    assert table.rounds[0] == {"scores": [-9, -18], "went_out": None, "how": "exhausted"}


def test_the_stock_is_empty_and_no_discard_lies_there(place):
    # A turn leaves no discard where all the cards left in hand are banned.
    table = place(["2c", "3d"], "", stock="", options=ONE_ROUND)
    assert table.legal_moves() == ["pass"]
    table.play("pass")
    assert table.rounds[0] == {"scores": [-2, -3], "went_out": None, "how": "exhausted"}


# Both over 500: the first seat won, or the one who went out, or a tie was won by both (edge 48).


def both_over(place: Place, scores: list[int], **options: Any) -> Placed:
    """Seat 0 goes out with nothing laid in the round, seat 1 loses 2."""
    table = place(["9d", "2c"], phase="play", scores=scores, options=options)
    table.play("discard 9d")
    return table


@pytest.mark.parametrize(
    ("scores", "winner", "winner_by_going_out"),
    [([520, 510], 0, 0), ([505, 512], 1, 0), ([499, 512], 1, 1), ([505, 501], 0, 0)],
)
def test_both_over_500_and_not_equal(place, scores, winner, winner_by_going_out):
    assert both_over(place, scores).winners == [winner]
    assert both_over(place, scores, tie_break="went_out").winners == [winner_by_going_out]


def test_both_over_500_and_equal_play_on_until_they_differ(place):
    table = both_over(place, [510, 512])
    assert (table.scores, table.is_over, table.winners) == ([510, 510], False, [])
    assert table.round_number == 2
    assert both_over(place, [510, 512], tie_break="went_out").winners == [0]


# Both players swap the top discard for ever: the engine did so, too (edge 21, clause 9.8).

FREE: dict[str, Any] = {"top_discard_free": True, "discard_take": "top_only"}


@pytest.mark.parametrize("stock", ["", "5h 6s"])
def test_both_players_swapping_the_top_discard_for_ever(place, stock):
    table = place(["2c 9d", "7h 4s"], "Kc", stock=stock, options={**FREE, **ONE_ROUND})
    turns = 0
    while not table.is_over:
        table.play(some(table, "dig")[0])
        table.play(table.legal_moves()[0])
        turns += 1
        assert turns <= 40
    assert turns == 40  # 20 for each player
    (result,) = table.rounds
    assert (result["went_out"], result["how"]) == (None, "cut_off")
    assert table.truncated_by is None


def test_swapping_for_ever_ends_for_more_players_and_starts_anew_at_each_meld(place):
    hands = ["2c 9d", "7h 4s", "Qs 3d"]
    options = {**FREE, **ONE_ROUND}
    table = place(hands, "Kc", stock="", options=options, counters={"no_progress": 58})
    play_all(table, "dig Kc", "discard 2c")
    assert not table.is_over
    play_all(table, "dig 2c", "discard 4s")
    assert table.rounds[0]["how"] == "cut_off"
    table = place(
        hands, "9c", stock="", options=options, counters={"no_progress": 59},
        melds=[("6c 7c 8c", 1)],
    )  # fmt: skip
    play_all(table, "dig 9c", "layoff 9c high", "discard 2c")
    assert not table.is_over
    assert table.position()["counters"]["no_progress"] == 0


# Jokers: scored as what they stand for, or standing for something else later (edge 41).


def test_a_joker_scores_its_table_value(place):
    table = place(["5h 6h ** 2d", "3h"], phase="play", options={**WILD, **ONE_ROUND})
    table.play("meld 5h-7h")
    assert table.position()["melds"][0]["values"] == [5, 6, 15]
    table.play("discard 2d")
    assert table.rounds[0]["scores"] == [26, -3]
    dear = {**WILD, "joker_table_value": 20}
    table = place(["5h 6h ** 2d", "3h"], phase="play", options=dear)
    assert play_all(table, "meld 5h-7h").position()["table_points"] == [31, 0]


def test_the_identity_of_a_joker_is_fixed_once_laid(place):
    # As the seven it holds its place: the natural seven goes nowhere, the eight above it does.
    table = place(["7h 8h 4h 2d", "3h"], phase="play", options=WILD, melds=[("5h 6h **=7h", 1)])
    assert some(table, "layoff") == ["layoff 4h low", "layoff 8h high"]
    table.play("layoff 8h high")
    (meld,) = table.position()["melds"]
    assert (meld["cards"], meld["values"]) == ("5h 6h **=7h 8h", [5, 6, 15, 8])
    # It is not slid to the other end to make room either.
    assert some(table, "layoff") == ["layoff 4h low"]


def test_a_joker_laid_as_an_end_opens_the_places_beside_that_end(place):
    table = place(["Qc Kc ** Tc Ac 2d", "3h"], phase="play", options=WILD)
    low = play_all(table.copy(), "meld Jc-Kc")
    assert some(low, "layoff") == ["layoff Ac high", "layoff Tc low"]
    # With the ace held, the joker is not the ace; the ace is laid itself.
    assert play_all(table.copy(), "meld Qc-Ac").position()["hands"][0] == "Tc 2d **"


# A refilled stock: its cards were taken for unknown ones, or the refill went unnoticed (9.3, 9.10).


def test_a_refilled_stock_is_hidden_no_more_than_it_was(place):
    options = {"stock_exhausted": "reshuffle", **ONE_ROUND}
    table = place(["2c 9d 9s", "7d 4d", "Qh Qc"], "Ac 5d 3h Kc", stock="Js", options=options)
    play_all(table, "draw", "discard 9d")
    view = table.view(0)
    assert (view["stock_size"], table.position()["discard_pile"]) == (4, "9d")
    # Nothing but the hands of the others and the four cards can be where one does not see.
    assert view["unseen"] == "Ac Qc Kc 4d 5d 7d 3h Qh"


def test_a_stock_that_was_turned_over_lies_in_a_known_order(place):
    options = {"stock_exhausted": "turn_over", **ONE_ROUND}
    table = place(["2c 9d 9s", "7d 4d", "Qh Qc"], "Ac 5d 3h Kc", stock="Js", options=options)
    play_all(table, "draw", "discard 9d")
    assert table.position()["stock"] == "Kc 3h 5d Ac"
    table.play("draw")  # everybody saw which card lay at the bottom of the pile
    assert table.position()["hands"][1] == "Ac 4d 7d"
    assert table.view(0)["known"][1] == "Ac"


def test_a_refilled_stock_is_known_as_such():
    """On the engine alone, whose views tell refilled cards from other unseen ones."""
    position = {
        "rules": {"stock_exhausted": "reshuffle"},
        "hands": ["2c 9d 9s", "7d 4d", "Qh Qc"],
        "discard_pile": "Ac 5d 3h Kc",
        "stock": "Js",
    }
    game = Game.from_position(position)
    assert known_of(game, 1) == ("", (0, 0, 0))
    for move in ("draw", "discard 9d"):
        game.play(move)
    assert {known_of(game, seat) for seat in range(3)} == {("3h 5d Ac Kc", (0, 0, 0))}
    # One of the four went to a hand: which one is hidden, that it was one of them is not.
    game.play("draw")
    drawn = game.view(1).drawn[0]
    for seat in (0, 2):
        assert known_of(game, seat) == ("3h 5d Ac Kc", (0, 1, 0))
        assert drawn in game.view(seat).unseen
    game.play(f"discard {drawn}")
    left = sorted({"3h", "5d", "Ac", "Kc"} - {drawn})
    assert known_of(game, 0) == (" ".join(left), (0, 0, 0))


def known_of(game: Game, seat: int) -> tuple[str, tuple[int, ...]]:
    """The refilled cards that a seat cannot locate, and how many of them each hand holds unseen."""
    record = game.view_record(seat)
    cards = sorted(text(face) for face in faces_of(record["refilled"][0]))
    held = record["unseen_refilled"][0, : game.num_players]
    return " ".join(cards), tuple(held.tolist())
