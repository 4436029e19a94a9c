"""Every preset that is played: rounds and games end, and caps cut off only what never would."""

from __future__ import annotations

import random

import pytest

from rummy500_env import Game, Rules
from rummy500_env.presets import presets
from tests.support.engines import play_all
from tests.support.games import playing
from tests.support.presets import can_refill, can_stand_still, preset_tables
from tests.support.rounds import ONE_ROUND

# Runs of three whole suits, which accept no card; all that is left is of the fourth.
CLOSED = ["Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"]
CLOSED += [CLOSED[0].replace("c", suit) for suit in "dh"]


@pytest.mark.parametrize(("name", "num_players"), preset_tables())
def test_random_rounds_end(name, num_players):
    rules = Rules.preset(name)
    for seed in range(5):
        game = Game(rules, num_players, seed, episode="round")
        for _ in playing(game, random.Random(seed)):
            pass
        (result,) = game.rounds
        if result.how == "cut_off":
            assert can_stand_still(rules)
            assert result.went_out is None
            assert game.truncated_by in (None, "max_turns")
        else:
            assert game.truncated_by is None
        # A round that the cap on turns cut off is no result, and has no winner.
        assert bool(game.winners) == (game.truncated_by is None)


@pytest.mark.parametrize(("name", "num_players"), preset_tables())
def test_a_random_game_ends(name, num_players):
    game = Game(name, num_players, seed=1)
    for _ in playing(game, random.Random(1)):
        pass
    assert bool(game.winners) == (game.truncated_by is None)
    assert game.truncated_by in (None, "max_rounds")


@pytest.mark.parametrize("name", presets())
def test_turns_are_limited_where_the_stock_is_refilled(name):
    rules = Rules.preset(name)
    assert (rules.resolved_max_turns is not None) == can_refill(rules)


def dead(rules: Rules, single_round: bool) -> Game:
    """A table on which nobody can ever go out: one card each, and no meld accepts any."""
    position = {
        "rules": rules,
        "hands": ["As", "2s"],
        "discard_pile": "3s",
        "stock": "4s 5s 6s 7s 8s 9s Ts Js Qs Ks",
        "melds": [{"cards": cards} for cards in CLOSED],
        "single_round": single_round,
    }
    return Game.from_position(position)


DEAD = [
    name
    for name in presets()
    for rules in [Rules.preset(name)]
    if can_refill(rules) and rules.discard_take == "top_only" and rules.max_reshuffles is None
]


@pytest.mark.parametrize("name", DEAD)
def test_9_8_a_table_on_which_nobody_can_go_out_is_truncated(name):
    rules = Rules.preset(name)
    game = dead(rules, single_round=True)
    for _ in playing(game, random.Random(0)):
        assert game.is_over or {len(hand.split()) for hand in game.position()["hands"]} <= {1, 2}
    assert game.rounds == [((0, 0), None, "cut_off")]
    assert (game.truncated_by, game.winners) == ("max_turns", [])
    assert game.position()["counters"]["turns"] == rules.resolved_max_turns


@pytest.mark.parametrize("name", DEAD)
def test_9_8_in_a_game_the_round_is_cut_off_and_the_next_is_dealt(name):
    game = dead(Rules.preset(name).replace(max_turns=50), single_round=False)
    for _ in playing(game, random.Random(0)):
        if game.rounds:
            break
    assert game.rounds == [((0, 0), None, "cut_off")]
    assert (game.is_over, game.truncated_by, game.round_number) == (False, None, 2)
    assert sum(game.view(0).hand_sizes) == 2 * game.rules.hand(2)


@pytest.mark.parametrize("single_round", [False, True])
def test_9_8_a_dead_table_on_both_engines(place, single_round):
    options = {
        "discard_take": "top_only",
        "top_discard_free": True,
        "ace_rank": "low",
        "stock_exhausted": "reshuffle",
        "max_reshuffles": None,
        "max_turns": 31,
        **({} if single_round else ONE_ROUND),
    }
    table = place(
        ["As", "2s"],
        "3s",
        stock="4s 5s 6s",
        melds=[(cards, 0) for cards in CLOSED],
        options=options,
        single_round=single_round,
    )
    for turn in range(31):
        assert not table.is_over
        play_all(table, "draw")
        table.play(table.legal_moves()[turn % 2])
    value = sum([1, *range(2, 11), 10, 10, 10])
    (result,) = table.rounds
    assert (result["how"], result["went_out"]) == ("cut_off", None)
    # It is scored as a stock that has run out: everybody's hand counts against him.
    assert result["scores"][0] in range(3 * value - 15, 3 * value)
    assert result["scores"][1] in range(-15, 0)
    assert table.is_over
    assert table.truncated_by == ("max_turns" if single_round else None)
    assert table.winners == ([] if single_round else [0])
