"""The oracle against the rules, clause by clause: the dealer's joker (sections 5.1 and 9.14)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.reference import Table
from tests.reference.build import place, play_all, play_randomly, shuffle_of, some
from tests.reference.presets import PRESETS

BASE: dict[str, Any] = {
    "num_jokers": 3,
    "dealers_joker": True,
    "joker_role": "nominated",
    "joker_table_value": 0,
    "joker_hand_value": 0,
    "direction": -1,
}


def seated(hands: list[str], effect: str, *, dealer: int = 0, **more: Any) -> Table:
    """A table whose dealer's joker lies unused; seat 0 is to play unless told."""
    more.setdefault("phase", "play")
    options = {**BASE, **more.pop("options", {})}
    joker = {"effect": effect, "state": more.pop("joker", "free")}
    return place(hands, dealer=dealer, options=options, dealers_joker=joker, **more)


def test_5_1_one_joker_is_taken_out_and_the_dealer_nominates():
    table = Table({**BASE, "num_jokers": 2}, 3, shuffle_of(0), 1)
    position = table.position()
    cards = " ".join([*position["hands"], position["discard_pile"], position["stock"]]).split()
    assert (len(cards), cards.count("**")) == (53, 1)
    assert (table.phase, table.current_seat) == ("nominate", 1)
    assert table.legal_moves() == ["nominate double", "nominate wild"]
    table.play("nominate wild")
    assert (table.phase, table.current_seat) == ("draw", 0)  # counter-clockwise


def test_9_14_while_nominating_every_view_hides_every_hand():
    table = Table({**BASE, "num_jokers": 2}, 3, shuffle_of(0), 1)
    for seat in range(3):
        view = table.view(seat)
        assert view["hand"] == ""
        assert len(view["unseen"].split()) == 54 - 1 - 1  # the upcard, the dealer's joker
    table.play("nominate wild")
    assert len(table.view(0)["hand"].split()) == 7


def test_9_14_wild_the_own_joker_fills_a_place_and_counts_0():
    table = seated(["7c 7d 2h", "3d"], "wild")
    assert some(table, "meld") == ["meld 7c 7d 7h", "meld 7c 7d 7s"]
    table.play("meld 7c 7d 7h")
    position = table.position()
    assert position["melds"][0]["values"] == [7, 7, 0]
    assert position["dealers_joker"] == {"effect": "wild", "state": "used"}
    assert position["hands"][0] == "2h"


def test_5_1_only_the_dealer_uses_it():
    table = seated(["7c 7d 2h", "3d"], "wild", dealer=1)
    assert table.legal_moves() == ["discard 2h", "discard 7c", "discard 7d"]


def test_9_14_own_names_whose_joker_goes_first():
    table = seated(["7c 7d ** 2h", "3d"], "wild")
    held = play_all(table.copy(), "meld 7c 7d 7h")
    assert held.position()["hands"][0] == "2h"
    assert held.position()["dealers_joker"]["state"] == "free"
    table.play("own")
    assert all(move.startswith("meld") for move in table.legal_moves())
    table.play("meld 7c 7d 7h")
    assert table.position()["hands"][0] == "2h **"
    assert table.position()["dealers_joker"]["state"] == "used"
    assert "own" not in table.legal_moves()


def test_9_14_own_is_legal_iff_a_completing_move_exists():
    table = seated(["7c 9d 2h", "3d"], "wild", melds=[])
    assert "own" not in table.legal_moves()
    table = seated(["7c 9d 2h", "3d"], "wild", melds=[("4s 5s 6s", 1)])
    assert "own" in table.legal_moves()
    table.play("own")
    assert table.legal_moves() == ["layoff **=3s low", "layoff **=7s high"]


def test_5_1_own_joker_supports_a_dig():
    table = seated(["7c 9s", "3d"], "wild", phase="draw", stock="Kd")
    assert some(table, "dig") == []
    table = place(
        ["7c 9s", "3d"], "7d", stock="Kd", dealer=0, options=BASE,
        dealers_joker={"effect": "wild", "state": "free"},
    )  # fmt: skip
    assert some(table, "dig") == ["dig 7d"]
    table.play("dig 7d")
    assert table.legal_moves() == ["meld 7c 7d 7h", "meld 7c 7d 7s", "own"]
    used = place(
        ["7c 9s", "3d"], "7d", stock="Kd", dealer=0, options=BASE,
        dealers_joker={"effect": "wild", "state": "blocked"},
    )  # fmt: skip
    assert some(used, "dig") == []


def test_9_14_double_scores_the_meld_of_the_action_twice():
    table = seated(["7c 7d 7h 7s ** 2h", "3d"], "double", dealer=1)
    assert {"block", "double", "discard **"} <= set(table.legal_moves())
    assert "own" not in table.legal_moves()
    table.play("double")
    assert table.position()["hands"][0] == "7c 7d 2h 7h 7s **"  # paid with the meld
    assert all(move.startswith("meld") for move in table.legal_moves())
    table.play("meld 7c 7d 7h")
    position = table.position()
    assert position["melds"][0]["values"] == [14, 14, 14]
    assert position["hands"][0] == "2h 7s"
    assert "double" not in table.legal_moves()
    table.play("layoff 7s set")  # later layoffs are not doubled
    assert table.position()["melds"][0]["values"] == [14, 14, 14, 7]


def test_9_14_own_then_double():
    table = seated(["7c 7d 7h ** 2h", "3d"], "double")
    play_all(table, "own")
    assert table.legal_moves() == ["double"]
    play_all(table, "double")
    assert table.legal_moves() == ["meld 7c 7d 7h"]
    play_all(table, "meld 7c 7d 7h")
    assert table.position()["hands"][0] == "2h **"
    assert table.position()["dealers_joker"]["state"] == "used"


def test_9_14_in_a_double_round_a_joker_is_no_card_of_a_meld_and_no_target():
    table = seated(["7c 7d ** 2h", "3d"], "double")
    assert some(table, "meld") == some(table, "layoff") == []
    table = place(
        ["7c 7d 7h 2h", "3d"], "** 7s", dealer=1, options=BASE,
        dealers_joker={"effect": "double", "state": "free"},
    )  # fmt: skip
    assert some(table, "dig") == ["dig 7s"]


def test_9_14_block():
    table = seated(["** 2h 9c", "7c 7d 3d"], "wild", dealer=1, stock="Kd Kh")
    assert "block" in table.legal_moves()
    play_all(table, "block")
    position = table.position()
    assert position["dealers_joker"]["state"] == "blocked"
    assert position["hands"][0] == "9c 2h"
    assert "block" not in table.legal_moves()
    play_all(table, "discard 9c", "draw")
    assert some(table, "meld") == []


def test_edge_68_a_used_joker_cannot_be_blocked_nor_the_dealer_block():
    assert "block" not in seated(["** 2h", "3d"], "wild", dealer=1, joker="used").legal_moves()
    assert "block" not in seated(["** 2h", "3d"], "wild", dealer=0).legal_moves()


def test_5_1_a_block_that_empties_the_hand_goes_out():
    options = {"max_deals": 1, "target_score": None}
    table = seated(["**", "3d"], "wild", dealer=1, options=options)
    table.play("block")
    assert table.rounds[0] == {"scores": [0, -3], "went_out": 0, "how": "out"}
    options["must_discard_to_go_out"] = True
    assert "block" not in seated(["**", "3d"], "wild", dealer=1, options=options).legal_moves()


def test_5_1_jokers_in_hand_count_0():
    options = {"max_deals": 1, "target_score": None}
    table = seated(["9c", "** 3d"], "wild", options=options)
    table.play("discard 9c")
    assert table.rounds[0]["scores"] == [0, -3]


def test_9_11_doubled_melds_count_as_they_score_to_the_opening():
    options = {"first_meld_min": 30, "card_values": "five_ten_fifteen"}
    table = seated(["7c 7d 7h ** 2h", "3d"], "double", dealer=1, options=options)
    assert some(table, "meld") == []
    play_all(table, "double", "meld 7c 7d 7h")
    assert table.position()["opened"][0]
    table = seated(["7c 7d 2h 9s", "3d"], "wild", options=options)
    assert some(table, "meld") == []  # jokers count 0


def test_9_14_no_own_joker_in_a_window():
    options = {"final_layoff": "any_meld", "max_deals": 1, "target_score": None}
    table = seated(["9c", "2h 8d"], "wild", dealer=1, melds=[("4s 5s 6s", 1)], options=options)
    table.play("discard 9c")
    assert (table.phase, table.legal_moves()) == ("final_layoff", ["pass"])


def test_random_games_keep_all_cards():
    for seed in range(6):
        table = Table(PRESETS["dealers_joker_56"], 3, shuffle_of(seed), 0, single_round=True)
        while not table.is_over:
            moves = table.legal_moves()
            table.play(moves[seed * 31 % len(moves)])
            position = table.position()
            cards = Counter(
                " ".join([*position["hands"], position["discard_pile"], position["stock"]]).split()
            )
            for meld in position["melds"]:
                cards += Counter("**" if "**" in c else c for c in meld["cards"].split())
                cards["**"] += meld["doubled"]
            beside = {"free": 1, "blocked": 2, "used": 0}
            cards["**"] += beside[position["dealers_joker"]["state"]]
            assert (cards.total(), cards["**"]) == (56, 4)
    assert play_randomly(Table(PRESETS["dealers_joker"], 2, shuffle_of(1), 0), 1).winners
