"""Positions in phases of variants: what is read, what is refused, and that nothing else can be."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy500_env import Game, PositionError, RulesError
from rummy500_env.view_record import FLAGS, PHASES
from tests.support.games import cards_of, deck
from tests.support.moments import MOMENTS, at_moment

PLAIN: dict[str, Any] = {
    "hands": ["7c 8c 9d", "2h 3h", "Kd Qs"],
    "discard_pile": "8h 8s",
    "melds": [{"cards": "5s 6s 7s", "laid_by": [0, 0, 1]}],
}
GAMBIT: dict[str, Any] = {"num_jokers": 3, "joker_role": "nominated", "dealers_joker": True}
WINDOW: dict[str, Any] = {"rules": {"out_of_turn_play": "meld_and_layoff"}, "phase": "window"}
FINAL: dict[str, Any] = {"rules": {"final_layoff": "any_meld"}, "phase": "final_layoff"}
CALL: dict[str, Any] = {"rules": {"call_rum": "card_only"}, "phase": "call"}
BEGUN = {"first_meld_min": 40}


def flagged(*flags: str) -> dict[str, Any]:
    return {"turn": {"flags": list(flags)}}


# -- what is left out ------------------------------------------------------------------------------


def test_a_window_is_asked_of_all_who_follow_unless_told():
    game = Game.from_position({**PLAIN, **WINDOW, "seat": 2, "discarded_by": [None, 1]})
    assert game.position()["window"] == {"opener": 1, "waiting": [0], "bonus": 0}
    game = Game.from_position({**PLAIN, **WINDOW, "seat": 2, "window": {"waiting": []}})
    game.play("pass")
    assert (game.phase, game.current_seat) == ("draw", 2)


def test_the_dealer_nominates_and_his_joker_is_free_unless_told():
    game = Game.from_position({**PLAIN, "rules": GAMBIT, "phase": "nominate", "dealer": 1})
    assert (game.current_seat, game.legal_moves()) == (1, ["nominate double", "nominate wild"])
    assert game.position()["dealers_joker"] == {"effect": None, "state": "free"}
    game = Game.from_position({**PLAIN, "rules": GAMBIT})
    assert game.position()["dealers_joker"] == {"effect": "wild", "state": "free"}
    assert cards_of(game) == deck(game)


# -- what is refused -------------------------------------------------------------------------------

FAULTS: list[tuple[dict[str, Any], str]] = [
    *(
        ({"phase": phase}, f"phase '{phase}' is not one that these rules have")
        for phase in PHASES[4:]
    ),
    ({"phase": "window", "rules": CALL["rules"]}, "these rules have: draw, obliged, play, call"),
    ({"window": {}}, "window: there is none in phase 'draw'"),
    ({**WINDOW, "window": [1]}, "window: [1] is not a mapping with keys opener, waiting, bonus"),
    ({**WINDOW, "window": {"asked": 1}}, "window: {'asked': 1} is not a mapping with keys opener"),
    ({**WINDOW, "window": {"opener": 3}}, "opener: 3 is no whole number from 0 to 2"),
    ({**WINDOW, "window": {"opener": 0}}, "window: seat 0 opened it and is not asked itself"),
    ({**WINDOW, "window": {"opener": 2, "waiting": [2]}}, "waiting [2]; allowed after seat 0: [1]"),
    ({**WINDOW, "window": {"opener": 2, "waiting": [0]}}, "waiting [0]; allowed after seat 0: [1]"),
    ({**WINDOW, "window": {"waiting": 1}}, "waiting: 1 is not a list"),
    ({**WINDOW, "window": {"bonus": 5}}, "bonus: nobody has gone out in phase 'window'"),
    ({**FINAL, "window": {"bonus": -1}}, "bonus: -1 is no whole number"),
    ({**WINDOW, "hands": ["", "2h", "Kd"]}, "seat 0 holds no card and is not asked"),
    ({**FINAL, "hands": ["", "2h", "Kd"]}, "seat 0 holds no card and is not asked"),
    ({**WINDOW, "must_use": "7c"}, "'must_use' goes with phase 'obliged'"),
    ({**FINAL, "must_use": "7c"}, "'must_use' goes with phase 'obliged'"),
    ({**CALL, "discard_pile": ""}, "phase 'call': seat 0 can call no discard"),
    ({**CALL, "discard_pile": "8s 8h"}, "phase 'call': seat 0 can call no discard"),
    (
        {**CALL, "rules": {**CALL["rules"], **BEGUN}, "opened": [False, True, True]},
        "phase 'call': seat 0 can call no discard",
    ),
    (
        {"phase": "call", "rules": {"call_rum": "pile_and_turn"}, "discard_pile": "2d 9c"},
        "phase 'call': seat 0 can call no discard",
    ),
    ({"dealers_joker": {"state": "free"}}, "dealers_joker: these rules have none"),
    ({"rules": GAMBIT, "dealers_joker": 1}, "dealers_joker: 1 is not a mapping with keys effect"),
    ({"rules": GAMBIT, "dealers_joker": {"effect": "half"}}, "effect 'half' and state 'free'"),
    ({"rules": GAMBIT, "dealers_joker": {"state": "gone"}}, "effect 'wild' and state 'gone'"),
    ({"rules": GAMBIT, "dealers_joker": {"effect": None}}, "allowed here are 'wild' or 'double'"),
    (
        {"rules": GAMBIT, "phase": "nominate", "dealer": 0, "dealers_joker": {"effect": "wild"}},
        "effect 'wild' and state 'free'; allowed here are None",
    ),
    (
        {"rules": GAMBIT, "phase": "nominate", "dealer": 1, "seat": 0},
        "in phase 'nominate' the dealer moves, seat 1",
    ),
    (
        {"rules": GAMBIT, "hands": ["** ** **", "2h", "Kd"]},
        "** in melds and beside the dealer is once",
    ),
    ({"melds": [{"cards": "5s 6s 7s", "doubled": True}]}, "only a joker of dealers_joker=True"),
    ({**flagged("cheat")}, "flags: 'cheat' is none of claim, called, booting, own, double"),
    ({"turn": {"flags": "own"}}, "flags: 'own' is not a list"),
    *(({**flagged(flag), "phase": "play"}, f"flags: '{flag}' has no meaning") for flag in FLAGS),
    ({**CALL, **flagged("called")}, "flags: 'called' has no meaning in phase 'call' here"),
    ({**WINDOW, **flagged("claim")}, "flags: 'claim' has no meaning in phase 'window' here"),
    ({"rules": GAMBIT, **flagged("own")}, "flags: 'own' has no meaning in phase 'draw' here"),
    (
        {"rules": {"skip_first_draw": True}, **flagged("booting")},
        "flags: 'booting' has no meaning in phase 'draw' here",
    ),
    (
        {"rules": {"skip_first_draw": True}, "phase": "play", **flagged("booting")},
        "the seat to move has no legal move",  # 9d 7c 8c cannot be played out
    ),
    (
        {"rules": GAMBIT, "phase": "play", "dealer": 1, **flagged("own")},
        "the seat to move has no legal move",
    ),
    (
        {"rules": GAMBIT, "phase": "play", "dealer": 0, **flagged("double")},
        "the seat to move has no legal move",
    ),
    ({"turn": {"points": 5}}, "points: 5 begin no opening"),
    ({"turn": {"points": 5}, "phase": "play", "opened": [False] * 3}, "points: 5 begin no opening"),
    (
        {"turn": {"points": 5}, "rules": BEGUN, "opened": [False] * 3},
        "it takes 40, and is begun with less, in phase 'play' or 'window'",
    ),
    (
        {"turn": {"points": 40}, "phase": "play", "rules": BEGUN, "opened": [False] * 3},
        "points: 40 begin no opening",
    ),
    (
        {"turn": {"points": 5}, "phase": "play", "rules": BEGUN, "opened": [False] * 3},
        "the seat to move has no legal move",
    ),
    ({"turn": {"laid": "7c"}}, "laid: a seat has none of it yet in phase 'draw'"),
    ({"turn": {"free_take": True}}, "free_take: a seat has none of it yet in phase 'draw'"),
    ({"drawn": {"stock": "7c"}}, "drawn: a seat has none of it yet in phase 'draw'"),
    ({**WINDOW, "turn": {"banned": "7c"}}, "banned: a seat has none of it yet in phase 'window'"),
    ({**FINAL, "drawn": {"dug": "7c"}}, "dug: a seat has none of it yet in phase 'final_layoff'"),
    ({"chips": [0, 0, 0]}, "chips: these rules have no pots (boodle_pots=False)"),
    ({"pots": {"Ah": 1}}, "pots: these rules have no pots"),
    ({"rules": {"boodle_pots": True}, "pots": {"2c": 1}}, "pots: {'2c': 1} is not a mapping"),
    ({"rules": {"boodle_pots": True}, "pots": {"Ah": -1}}, "pots: -1 is no whole number"),
    ({"rules": {"boodle_pots": True}, "chips": [0]}, "chips: [0] is not a list of 3"),
    ({"clocks": [5, 5, 5]}, "clocks: these rules have none (clock_budget=None)"),
    ({"rules": {"clock_budget": 50}, "clocks": [0, 5, 5]}, "clocks: 0 is no whole number from 1"),
    ({"stock_open": True}, "stock_open: these rules never refill the stock"),
    ({"stock_known": "2c"}, "stock_known: these rules never refill the stock"),
    ({"drawn_of_it": ["", "", ""]}, "drawn_of_it: these rules never refill the stock"),
    (
        {"rules": {"stock_exhausted": "reshuffle"}, "stock": "2c", "stock_known": "3c"},
        "stock_known: it is the stock and what was drawn of it, no more",
    ),
]


@pytest.mark.parametrize(("changes", "fault"), FAULTS, ids=[f[1][:50] for f in FAULTS])
def test_moments_that_cannot_be_name_the_fault(changes, fault):
    with pytest.raises(PositionError) as caught:
        Game.from_position({**PLAIN, **changes})
    assert fault in str(caught.value)
    assert "\n" not in str(caught.value)


# -- any mixture -----------------------------------------------------------------------------------

SEAT = st.integers(0, 3)
SOME_SEATS = st.lists(SEAT, max_size=4)
NUMBER = st.sampled_from([-1, 0, 1, 2, 5, 29, 30, 255, 256, 10**6, 10**7])
EFFECT = st.sampled_from([None, "wild", "double", "half"])
STATE = st.sampled_from([None, "free", "used", "blocked", "lost"])


def for_each(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    """One for each seat, or one too few."""
    return st.lists(values, min_size=3, max_size=4)


def parts(**values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=values)


def cards(position: dict[str, Any]) -> st.SearchStrategy[str]:
    """Some of the cards that lie somewhere in a position, or a whole hand."""
    held = " ".join([*position["hands"], position["stock"], position["discard_pile"]]).split()
    some = st.lists(st.sampled_from(held), max_size=4, unique=True).map(" ".join)
    return st.one_of(some, st.sampled_from(position["hands"]))


CHANGES: dict[str, Callable[[dict[str, Any]], st.SearchStrategy[Any]]] = {
    "phase": lambda _: st.sampled_from(PHASES),
    "seat": lambda _: SEAT,
    "dealer": lambda _: SEAT,
    "must_use": lambda p: st.one_of(st.none(), st.sampled_from(" ".join(p["hands"]).split())),
    "drawn": lambda p: parts(stock=cards(p), dug=cards(p)),
    "turn": lambda p: parts(
        flags=st.lists(st.sampled_from(FLAGS), max_size=3),
        points=NUMBER,
        laid=cards(p),
        banned=cards(p),
        free_take=st.booleans(),
        top_taken=st.booleans(),
        long_run=st.booleans(),
    ),
    "window": lambda _: st.one_of(
        st.none(), parts(opener=SEAT, waiting=SOME_SEATS, bonus=NUMBER), SOME_SEATS
    ),
    "dealers_joker": lambda _: st.one_of(st.none(), parts(effect=EFFECT, state=STATE)),
    "opened": lambda _: for_each(st.booleans()),
    "turns_taken": lambda _: for_each(st.integers(0, 3)),
    "known": lambda p: st.sampled_from([p["hands"], [""] * len(p["hands"])]),
    "hands": lambda p: st.permutations(p["hands"]),
    "stock": lambda p: st.sampled_from(["", p["stock"], p["discard_pile"]]),
    "discard_pile": lambda p: st.sampled_from(["", p["stock"], p["discard_pile"]]),
    "discarded_by": lambda _: st.none(),
    "melds": lambda p: st.just(p["melds"][1:]),
    "chips": lambda _: for_each(NUMBER),
    "pots": lambda _: parts(Ah=NUMBER, Kc=NUMBER),
    "clocks": lambda _: for_each(NUMBER),
    "counters": lambda _: parts(turns=NUMBER, no_progress=NUMBER, passes_in_a_row=NUMBER),
    "stock_open": lambda _: st.booleans(),
    "stock_known": lambda p: st.one_of(st.just(p["stock"]), cards(p)),
    "drawn_of_it": lambda p: for_each(cards(p)),
    "rules": lambda _: st.sampled_from([dict(moment.options) for moment in MOMENTS.values()]),
}


@settings(max_examples=500)
@given(st.data())
def test_any_mixture_of_moments_is_a_position_or_is_refused(data):
    """What is accepted is told and read back to the byte, keeps its cards, and can go on."""
    position = at_moment(data.draw(st.sampled_from(list(MOMENTS))), 0).position()
    for key in data.draw(st.lists(st.sampled_from(list(CHANGES)), min_size=1, max_size=3)):
        if key in position or data.draw(st.booleans()):
            position[key] = data.draw(CHANGES[key](position))
            if key == "discard_pile":
                position["discarded_by"] = None
    try:
        game = Game.from_position(position)
    except (PositionError, RulesError):
        return
    again = Game.from_position(game.position())
    assert again == game
    assert not cards_of(game) - deck(game)
    for seat in range(game.num_players):
        assert game.view(seat).text()
    cards, chooser = cards_of(game), random.Random(0)
    for _ in range(12):
        moves = game.legal_moves()
        assert moves
        game.play(chooser.choice(moves))
        if game.is_over or game.rounds:
            return
        assert cards_of(game) == cards
