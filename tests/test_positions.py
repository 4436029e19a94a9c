"""Positions: what is read back, what has defaults, and that impossible ones are refused."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy500_env import Game, IllegalActionError, PositionError, Rules, RulesError
from tests.support.games import cards_of, deck, middle_game, playing
from tests.support.moments import MOMENTS, at_moment

BASE: dict[str, Any] = {
    "hands": ["7c 8c 9d", "2h 3h"],
    "discard_pile": "8h Kc",
    "stock": "4d 5d",
    "melds": [{"cards": "5s 6s 7s", "laid_by": [0, 0, 1]}],
}


# -- what is written is read back ------------------------------------------------------------------


@pytest.mark.parametrize("num_players", range(2, 9))
def test_a_position_is_json_and_is_read_back(num_players):
    for seed in range(6):
        game = middle_game(num_players, seed, min_moves=30 * seed)
        position = json.loads(json.dumps(game.position()))
        again = Game.from_position(position)
        assert again.position() == game.position() == position
        assert again.legal_moves() == game.legal_moves()
        assert again.rules == game.rules
        assert str(again) == str(game)


def test_a_position_has_all_that_is_around_the_table():
    position = middle_game(3, 1, phase="play", min_moves=80).position()
    assert cards_of(Game.from_position(position)) == deck(Game("rummy500", 3, seed=0))
    hands = {"hands", "discard_pile", "discarded_by", "stock", "melds"}
    turn = {"seat", "phase", "must_use", "drawn", "turn", "dealer", "counters"}
    memory = {"known", "discards", "passed", "opened", "laid_before", "turns_taken", "scores"}
    assert hands | turn | memory | {"rules", "num_players", "round_number", "seed"} <= set(position)
    assert position["rules"] == {}


@pytest.mark.nojit
def test_defaults():
    game = Game.from_position({"hands": ["7c 8c", "2h"]})
    assert (game.num_players, game.rules) == (2, Rules())
    assert (game.current_seat, game.phase, game.dealer, game.round_number) == (0, "draw", 1, 1)
    assert game.scores == game.table_points == [0, 0]
    position = game.position()
    assert (position["discard_pile"], position["melds"]) == ("", [])
    assert len(position["stock"].split()) == 49
    assert position["opened"] == position["laid_before"] == [False, False]
    assert (game.history, game.rounds) == ([], [])


def test_without_a_stock_it_is_shuffled_from_the_seed():
    def stock(seed: int, round_number: int = 1) -> str:
        position = {"hands": ["7c", "2h"], "seed": seed, "round_number": round_number}
        return Game.from_position(position).position()["stock"]

    assert stock(1) == stock(1)
    assert len({stock(1), stock(2), stock(1, round_number=2)}) == 3
    assert Counter(stock(1).split()) == Counter(stock(2).split())


def test_with_a_stock_all_other_cards_are_out_of_play_for_the_round():
    game = Game.from_position(BASE)
    view = game.view(0)
    assert view.stock_size == 2
    assert view.unseen == ["4d", "5d", "2h", "3h"]
    for _ in playing(game, random.Random(0)):
        if game.rounds:
            break
    assert cards_of(game) == deck(game)  # the next round is dealt from the full deck


def test_the_last_card_of_the_stock_is_drawn_first():
    game = Game.from_position(BASE)
    game.play("draw")
    assert game.view(0).drawn == ["5d"]


def test_values_follow_from_the_places_and_the_points_from_the_layers():
    melds = [{"cards": "As 2s 3s", "laid_by": [1, 1, 0]}, {"cards": "Qd Kd Ad"}]
    game = Game.from_position({"hands": ["7c", "2h"], "melds": melds})
    assert [meld.values for meld in game.view(0).melds] == [(1, 2, 3), (10, 10, 15)]
    assert game.table_points == [3 + 35, 3]
    given = [{"cards": "As 2s 3s", "values": [7, 7, 7]}]
    assert Game.from_position({"hands": ["7c", "2h"], "melds": given}).table_points == [21, 0]


def test_marks_follow_from_the_layers():
    position = Game.from_position(BASE).position()
    assert position["opened"] == position["laid_before"] == [True, True]
    melds = [{"cards": "5s 6s 7s", "laid_by": [1, 1, 1]}]
    position = Game.from_position({**BASE, "melds": melds}).position()
    assert position["opened"] == position["laid_before"] == [False, True]
    given = Game.from_position({**BASE, "laid_before": [False, False]}).position()
    assert given["laid_before"] == [False, False]


def test_cards_may_stand_in_any_order():
    game = Game.from_position({**BASE, "hands": ["9d 7c 8c", "3h 2h"]})
    assert game == Game.from_position(BASE)
    sets = [Game.from_position({**BASE, "melds": [{"cards": c}]}) for c in ("5s 5c 5h", "5c 5h 5s")]
    assert sets[0] == sets[1]


def test_rules_are_named_or_given_by_options():
    by_name = Game.from_position({**BASE, "rules": "target_300"})
    by_option = Game.from_position({**BASE, "rules": {"target_score": 300}})
    as_rules = Game.from_position({**BASE, "rules": Rules(target_score=300)})
    assert by_name == by_option == as_rules
    assert by_name.position()["rules"] == {"target_score": 300}


def test_positions_of_a_game_that_is_over_are_written_but_not_read():
    game = Game(Rules(target_score=20), 2, seed=1)
    for _ in playing(game, random.Random(1)):
        pass
    position = game.position()
    assert (position["phase"], position["seat"]) == ("over", -1)
    assert position["round_number"] == game.round_number == len(game.rounds)
    with pytest.raises(PositionError):
        Game.from_position(position)


def test_refills_of_a_possible_world_are_its_own_after_its_position_too():
    rules = Rules(num_suits=3, num_ranks=8, hand_size=5, stock_exhausted="reshuffle")
    num_refills = 0
    for seed in range(8):
        world = middle_game(2, seed, rules=rules).determinize(0, seed)
        assert "chance" in world.position()
        again = Game.from_position(world.position())
        for move in playing(world, random.Random(seed), 120):
            if again.rounds:
                break
            again.play(move)
            assert again.position() == world.position()
            num_refills += world.position()["counters"]["reshuffles"]
    assert num_refills > 0
    assert "chance" not in Game(rules, 2, seed=1).position()


def test_later_rounds_are_those_of_the_seed():
    """A game goes on from a position as it would have gone on."""
    for seed in range(4):
        game = middle_game(3, seed)
        again = Game.from_position(game.position())
        for chooser, table in ((random.Random(1), game), (random.Random(1), again)):
            rounds = len(table.rounds)
            for _ in playing(table, chooser, 3000):
                if len(table.rounds) > rounds:
                    break
        assert game.position() == again.position()


# -- impossible positions --------------------------------------------------------------------------

SEVENS = {"cards": "7d 7h 7s"}
FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"hands": ["7c 7c 9d", "2h"]}, "7c in the hand of seat 0 is once too often"),
    ({"hands": ["7c 8c 9d", "7c"]}, "7c in the hand of seat 1 is once too often"),
    ({"discard_pile": "8c"}, "8c in the discard pile is once too often"),
    ({"stock": "9d"}, "9d in the stock is once too often"),
    ({"melds": [{"cards": "8h 9h Th"}]}, "8h in meld 0 is once too often: the deck holds 1"),
    ({"hands": ["** 8c", "2h"]}, "** in the hand of seat 0 is once too often: the deck holds 0"),
    ({"rules": {"num_ranks": 5, "hand_size": 3}}, "7c in the hand of seat 0 is once too often"),
    ({"hands": ["7c 8x", "2h"]}, "hands: '8x' is no card"),
    ({"hands": ["7c 10c", "2h"]}, "hands: '10c' is no card; did you mean 'Tc'"),
    ({"hands": [["7c"], "2h"]}, "hands: a list of cards is one text"),
    ({"hands": "7c 8c"}, "hands: '7c 8c' is not a list"),
    ({"hands": None}, "hands: None is not a list"),
    ({"hands": ["7c"]}, "num_players: 1 is no whole number from 2 to 8"),
    ({"hands": ["7c"] * 9}, "num_players: 9 is no whole number from 2 to 8"),
    ({"num_players": 3}, "2 hands for 3 players"),
    ({"num_players": "2"}, "num_players: '2' is no whole number"),
    ({"rules": "rummy500_two_packs"}, "2 players, but the rules allow 5 to 8"),
    ({"hand": ["7c"]}, "unknown keys hand; allowed: "),
    ({"phase": "dig"}, "phase 'dig' is not one that these rules have"),
    ({"phase": "over"}, "phase 'over' is not one"),
    ({"phase": "window"}, "phase 'window' is not one"),
    ({"phase": 3}, "phase 3 is not one"),
    ({"phase": "obliged"}, "'must_use' goes with phase 'obliged'"),
    ({"must_use": "7c"}, "'must_use' goes with phase 'obliged'"),
    ({"phase": "obliged", "must_use": "Kd"}, "must_use 'Kd' is no card of seat 0's hand"),
    ({"phase": "obliged", "must_use": "7c 8c"}, "must_use '7c 8c' is no card"),
    ({"phase": "obliged", "must_use": "9d"}, "must_use: 9d cannot be placed"),
    ({"phase": "play", "hands": ["", "2h"]}, "seat 0 is to play but holds no card"),
    ({"seat": 2}, "seat: 2 is no whole number from 0 to 1"),
    ({"seat": -1}, "seat: -1 is no whole number"),
    ({"seat": True}, "seat: True is no whole number"),
    ({"seat": 0.0}, "seat: 0.0 is no whole number"),
    ({"dealer": 2}, "dealer: 2 is no whole number"),
    ({"round_number": 0}, "round_number: 0 is no whole number from 1"),
    ({"seed": -1}, "seed: -1 is no whole number"),
    ({"seed": 2**64}, "seed: 18446744073709551616 is no whole number"),
    ({"scores": [1]}, "scores: [1] is not a list of 2"),
    ({"scores": [1, 2, 3]}, "scores: [1, 2, 3] is not a list of 2"),
    ({"scores": [1, "2"]}, "scores: '2' is no whole number"),
    ({"scores": [1, 10**9]}, "scores: 1000000000 is no whole number"),
    ({"turns_taken": [-1, 0]}, "turns_taken: -1 is no whole number"),
    ({"counters": {"turns": -1}}, "turns: -1 is no whole number"),
    ({"counters": {"turn": 1}}, "counters: {'turn': 1} is not a mapping with keys turns"),
    ({"counters": [1]}, "counters: [1] is not a mapping"),
    ({"discarded_by": [0]}, "discarded_by: [0] is not a list of 2"),
    ({"discarded_by": [0, 2]}, "discarded_by: 2 is no whole number"),
    ({"known": ["Kh", ""]}, "known: seat 0 does not hold all of 'Kh'"),
    ({"known": ["7c"]}, "known: ['7c'] is not a list of 2"),
    ({"opened": [True]}, "opened: [True] is not a list of 2"),
    ({"opened": [2, 0]}, "opened: 2 is no whole number from 0 to 1"),
    ({"passed": ["1c", ""]}, "passed: '1c' is no card"),
    ({"drawn": {"pile": "7c"}}, "drawn: {'pile': '7c'} is not a mapping with keys stock, dug"),
    ({"drawn": {"stock": 7}}, "drawn: a list of cards is one text"),
    ({"turn": {"ban": ""}}, "turn: {'ban': ''} is not a mapping"),
    ({"melds": [{"cards": "7d 7h"}]}, "meld 0: '7d 7h' is neither a set nor a run"),
    ({"melds": [SEVENS, {"cards": "4c 5c 7c"}]}, "meld 1: '4c 5c 7c' is neither a set nor a run"),
    ({"melds": [{"cards": "6h 5h 4h"}]}, "is neither a set nor a run low to high"),
    ({"melds": [{"cards": "4h 5h 6d"}]}, "neither"),
    ({"melds": [{"cards": "Kd Ad 2d"}]}, "neither"),
    ({"melds": [{"cards": ""}]}, "neither"),
    ({"melds": [{"cards": "7d 7h 7s 7d 7h"}], "rules": {"num_decks": 2}}, "neither"),
    ({"melds": [{"cards": "Qd Kd Ad"}], "rules": {"ace_rank": "low"}}, "neither"),
    ({"melds": [{"cards": "Ad 2d 3d"}], "rules": {"ace_rank": "high"}}, "neither"),
    ({"melds": [{"cards": "4h 5h 6h"}], "rules": {"run_min_len": 4}}, "neither"),
    (
        {
            "melds": [{"cards": "7d 7d 7h"}],
            "rules": {"num_decks": 2, "set_distinct_suits": True},
        },
        "repeats a suit",
    ),
    ({"melds": [{"cards": "**=7h 7d 7s"}]}, "has a joker, but the rules have none"),
    ({"melds": [{"cards": "7d 7h 7s", "laid_by": [0, 0]}]}, "laid_by: [0, 0] is not a list of 3"),
    ({"melds": [{"cards": "7d 7h 7s", "laid_by": [0, 0, 2]}]}, "laid_by: 2 is no whole number"),
    ({"melds": [{"cards": "7d 7h 7s", "values": [7, 7]}]}, "values: [7, 7] is not a list of 3"),
    ({"melds": [{"cards": "7d 7h 7s", "values": [7, 7, -1]}]}, "values: -1 is no whole number"),
    ({"melds": [{"cards": "7d 7h 7s", "owner": 5}]}, "owner: 5 is no whole number"),
    ({"melds": [{"card": "7d 7h 7s"}]}, "melds: {'card': '7d 7h 7s'} is not a mapping with keys"),
    ({"melds": [{}]}, "meld 0: 'cards' is a text"),
    ({"melds": ["7d 7h 7s"]}, "melds: '7d 7h 7s' is not a mapping"),
    ({"melds": SEVENS}, "is not a list"),
    ({"melds": [SEVENS] * 40}, "40 melds; at most 36 fit a table"),
]


@pytest.mark.parametrize(("changes", "fault"), FAULTS, ids=[str(f[0])[:60] for f in FAULTS])
def test_impossible_positions_name_the_fault(changes, fault):
    with pytest.raises(PositionError) as caught:
        Game.from_position({**BASE, **changes})
    assert fault in str(caught.value)


@pytest.mark.parametrize("position", [None, 7, "7c", [("hands", [])], {}, {"stock": ""}])
def test_what_is_no_position_is_refused(position):
    with pytest.raises(PositionError):
        Game.from_position(position)


def test_rules_at_fault_are_refused_as_such():
    for rules in ({"target_score": -1}, {"nonsense": 1}, 7, {"num_decks": 1, "hand_size": 40}):
        with pytest.raises(RulesError):
            Game.from_position({**BASE, "rules": rules})


def test_an_empty_stock_that_can_be_refilled_is_refilled_before_any_choice():
    rules = {"stock_exhausted": "reshuffle"}
    game = Game.from_position({**BASE, "stock": "", "discard_pile": "8h Kc 2d", "rules": rules})
    assert "draw" in game.legal_moves()
    assert "pass" not in game.legal_moves()
    assert game.position()["discard_pile"] == "2d"
    game = Game.from_position({**BASE, "stock": "", "discard_pile": "8h", "rules": rules})
    assert game.legal_moves() == ["pass"]


# -- anything at all -------------------------------------------------------------------------------

CARDS = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
card_lists = st.lists(st.sampled_from([*CARDS, "**", "1c", "**=7h", ""]), max_size=6).map(" ".join)
numbers = st.one_of(st.integers(-3, 12), st.sampled_from([2**31, 2**63, 2**64, -(2**70), 10**6]))
scalars = st.one_of(
    st.none(), st.booleans(), numbers, st.floats(), card_lists, st.sampled_from(["draw", "play"])
)
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["cards", "laid_by", "values", "dug", "turns"]), inner),
    ),
    max_leaves=8,
)
KEYS = sorted({key for name in MOMENTS for key in at_moment(name, 0).position()})


def use(position: Any) -> None:
    """Load a position; what is accepted can be told, written, read back and played."""
    try:
        game = Game.from_position(position)
    except (PositionError, RulesError):
        return
    except ValueError as error:
        assert "unknown preset" in str(error)  # noqa: PT017 (the message is what allows it)
        return
    assert game.legal_actions()
    assert str(game)
    assert game.observe(0).shape == (game.observation_space.size,)
    again = Game.from_position(game.position())
    assert again.position() == game.position()
    for _ in playing(game, random.Random(0), 25):
        assert game.is_over or game.legal_actions()


@given(st.dictionaries(st.sampled_from(KEYS), anything, max_size=5))
def test_any_mapping_is_a_position_or_is_refused(position):
    use(position)
    use({**BASE, **position})


@settings(max_examples=300)
@given(st.sampled_from(list(MOMENTS)), st.sampled_from(KEYS), anything)
def test_a_position_with_one_key_changed_is_a_position_or_is_refused(name, key, value):
    use({**at_moment(name, 0).position(), key: value})


@settings(max_examples=300)
@given(st.integers(0, 30), st.data())
def test_a_position_with_cards_moved_is_a_position_or_is_refused(seed, data):
    position = middle_game(2 + seed % 3, seed).position()
    hands = [hand.split() for hand in position["hands"]]
    piles = [*hands, position["discard_pile"].split(), position["stock"].split()]
    for _ in range(data.draw(st.integers(1, 4))):
        origin, target = data.draw(st.permutations(piles))[:2]
        if origin:
            target.append(origin.pop(data.draw(st.integers(0, len(origin) - 1))))
    changes: dict[str, Any] = {
        "hands": [" ".join(hand) for hand in hands],
        "discard_pile": " ".join(piles[-2]),
        "stock": " ".join(piles[-1]),
        "discarded_by": [None] * len(piles[-2]),
    }
    use({**position, **changes})


def test_text_of_the_table():
    text = str(Game.from_position(BASE))
    for part in ("Hand 0  7c 8c 9d", "Hand 1  2h 3h", "8h Kc", "5s 6s 7s", "seat 0"):
        assert part in text
    assert "seat=0" in repr(Game.from_position(BASE))
    assert max(map(len, text.splitlines())) <= 80


def test_illegal_moves_in_a_position_are_refused():
    game = Game.from_position(BASE)
    with pytest.raises(IllegalActionError):
        game.play("discard 7c")
