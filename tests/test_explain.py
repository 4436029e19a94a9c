"""Why a move is refused, in the phases and under the options beside the standard game's."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from rummy500_env import Game, IllegalActionError, Rules
from rummy500_env.explain import explain
from rummy500_env.refusal_plays import UNKNOWN
from tests.differential.random_rules import random_rules
from tests.support.games import middle_game, playing, state_bytes

SEVENS = {"cards": "7c 7d 7h", "laid_by": [1, 1, 1]}
SPADES = {"cards": "5s 6s 7s", "laid_by": [0, 0, 0]}


def reason(position: dict[str, Any], *moves: str) -> str:
    """Play all moves but the last, which is illegal, and return the reason."""
    game = Game.from_position(position)
    for move in moves[:-1]:
        game.play(move)
    before = state_bytes(game)
    with pytest.raises(IllegalActionError, match="is illegal: ") as caught:
        game.play(moves[-1])
    assert state_bytes(game) == before
    return str(caught.value).split(" is illegal: ")[1].split(". Legal: ")[0]


# -- the opening -----------------------------------------------------------------------------

FLAT: dict[str, Any] = {
    "first_meld_min": 30, "card_values": "five_ten_fifteen", "ace_low_value": 5
}  # fmt: skip


def to_open(hand: str, **more: Any) -> dict[str, Any]:
    """Seat 0 has still to open with 30 points."""
    options = {**FLAT, **more.pop("rules", {})}
    return {
        "rules": options, "hands": [hand, "3d 4d"], "phase": "play", "melds": [SEVENS],
        "opened": [False, True], **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("position", "moves", "said"),
    [
        (to_open("2c 3c 4c Kd"), ["meld 2c-4c"], "not reach the opening of 30 points in this turn"),
        (to_open("7s Kd"), ["layoff 7s set"], "layoffs are barred until the opening of 30 points"),
        (
            to_open("2c 3c 4c 8h 9h Th Kd"),
            ["meld 2c-4c", "discard Kd"],
            "the opening of 30 points is begun and must be reached first (first_meld_min)",
        ),
        (
            to_open("2c 3c 4c 8h 9h Th Kd"),
            ["meld 2c-4c", "layoff 7s set"],
            "the hand lacks 7s",
        ),
        (
            to_open("2c 3c 4c 8h 9h Th Kd"),
            ["meld 2c-4c", "pass"],
            "the opening of 30 points is begun",
        ),
        (
            to_open("2h 3h Kd", phase="draw", discard_pile="4h", stock="9d"),
            ["dig 4h"],
            "4h cannot be taken: it would not reach the opening of 30 points in this turn "
            "(first_meld_min)",
        ),
        (
            to_open("Kc Kd Kh", rules={"must_discard_to_go_out": True}),
            ["meld Kc Kd Kh"],
            "a card must be left to discard (must_discard_to_go_out)",
        ),
    ],
)
def test_the_opening(position, moves, said):
    assert said in reason(position, *moves)


# -- booting, floating, empty stocks -----------------------------------------------------------

BOOT: dict[str, Any] = {
    "rules": {"skip_first_draw": True}, "stock": "Kd", "discard_pile": "Qd",
    "hands": ["4h 5h 6h 7h 7c 7d 2s", "3d 4d"],
}  # fmt: skip
FLOATING = {"must_discard_to_go_out": True, "floating": True, "top_discard_free": True}


@pytest.mark.parametrize(
    ("position", "moves", "said"),
    [
        (BOOT, ["pass", "discard 2s"], "played out in this turn, but for its last card"),
        (BOOT, ["pass", "draw"], "the draw was skipped to play the hand out (skip_first_draw)"),
        (BOOT, ["pass", "dig Qd"], "the draw was skipped"),
        (BOOT, ["pass", "meld 4h-7h"], "the rest of the hand could not be played out in this turn"),
        (
            {**BOOT, "hands": ["5h 6h 7h 9d 2s", "3d"]},
            ["pass"],
            "the hand cannot be played out without a draw (skip_first_draw)",
        ),
        (
            {**BOOT, "turns_taken": [1, 1]},
            ["pass"],
            "a card must be drawn while the stock lasts",
        ),
        (
            {"rules": FLOATING, "hands": ["", "3d 4d"], "discard_pile": "9c", "stock": "Kd"},
            ["dig 9c"],
            "without a hand the top discard is not taken freely (floating)",
        ),
        (
            {"rules": {"stock_exhausted": "discard_only"}, "hands": ["9c 2d", "3d"], "stock": ""},
            ["pass", "draw"],
            "a turn has one draw, and it is over",
        ),
        (
            {"rules": {"must_discard_to_go_out": True}, "hands": ["3h 3d", "4d"],
             "discard_pile": "3s", "stock": "Kd"},
            ["dig 3s"],
            "3s cannot be taken: a card must be left to discard (must_discard_to_go_out)",
        ),
        (
            {"rules": {"dig_use": "new_meld"}, "hands": ["2c 9d", "4d"], "discard_pile": "8s",
             "stock": "Kd", "melds": [SPADES]},
            ["dig 8s"],
            "8s cannot be taken: the dug 8s must go down in a new meld (dig_use)",
        ),
        (
            {"rules": {"dig_support": "hand_only"}, "hands": ["7h Kd", "4d"],
             "discard_pile": "7c 7d", "stock": "Kc"},
            ["dig 7c"],
            "only cards held before the dig go down with 7c (dig_support)",
        ),
        (
            {"rules": {"dig_layoff_bridge": False}, "hands": ["8s Kd", "4d"],
             "discard_pile": "9s", "stock": "Kc", "melds": [SPADES]},
            ["dig 9s"],
            "no bridge may be laid to 9s (dig_layoff_bridge)",
        ),
        (
            {"rules": {"layoff_scope": "own"}, "hands": ["7s Kd", "4d"], "phase": "play",
             "melds": [SEVENS]},
            ["layoff 7s set"],
            "cards are laid off on own melds only (layoff_scope)",
        ),
    ],
)  # fmt: skip
def test_draws_and_what_is_left(position, moves, said):
    assert said in reason(position, *moves)


# -- before the first turn, and out of turn ----------------------------------------------------


def asked(phase: str, **more: Any) -> dict[str, Any]:
    """Seat 1 is asked about the discard of seat 0."""
    return {
        "hands": ["2c 9d", "7c 7d 7h 8s", "4d"], "discard_pile": "9h", "discarded_by": [0],
        "phase": phase, "seat": 1, "melds": [SPADES], **more,
    }  # fmt: skip


CALLED = asked("call", discard_pile="8d 8s", discarded_by=[2, 0], hands=["2c 9d", "Kc 9s", "4d"])
CARD = {**CALLED, "rules": {"call_rum": "card_only"}}
PILE = {**CALLED, "rules": {"call_rum": "pile_and_turn"}}
TWO_PLACES = {**CARD, "melds": [SPADES, {"cards": "8c 8d 8h", "laid_by": [0, 0, 0]}],
              "discard_pile": "8s", "discarded_by": [0]}  # fmt: skip
OPEN = asked("window", rules={"out_of_turn_play": "meld_and_layoff"})
LAYOFFS = asked("window", rules={"out_of_turn_play": "layoff"})
FINAL = asked("final_layoff", rules={"final_layoff": "any_meld"})
NOMINATE = {
    "rules": {"num_jokers": 3, "dealers_joker": True, "joker_role": "nominated"},
    "hands": ["7c 7d 2h", "3d 4d 5d"], "phase": "nominate", "dealer": 0, "discard_pile": "9c",
}  # fmt: skip
CHOOSES = {
    "rules": {"start_discard": "player_choice"}, "hands": ["7c 7d 7h 2h", "3d 4d 5d"],
    "phase": "opening",
}  # fmt: skip


@pytest.mark.parametrize(
    ("position", "moves", "said"),
    [
        (NOMINATE, ["draw"], "the dealer first says what the jokers do"),
        (NOMINATE, ["discard 2h"], "before any hand is seen (dealers_joker)"),
        (NOMINATE, ["nominate wild", "nominate double"], "has been said (dealers_joker)"),
        (CHOOSES, ["draw"], "begun with a card of this hand (start_discard)"),
        (CHOOSES, ["meld 7c 7d 7h"], "begun with a card of this hand (start_discard)"),
        (CHOOSES, ["discard Kd"], "the hand lacks Kd"),
        (CARD, ["draw"], "the discard may be called or passed, nothing else (call_rum)"),
        (CARD, ["layoff 8s high"], "the discard may be called or passed"),
        (CARD, ["call", "call"], "no discard is put to this seat to be called (call_rum)"),
        (TWO_PLACES, ["call", "pass"], "the called 8s is to be laid off (call_rum)"),
        (TWO_PLACES, ["call", "layoff 9s high"], "the called 8s is to be laid off (call_rum)"),
        (TWO_PLACES, ["call", "layoff 8s low"], "no meld takes the called 8s at that place"),
        (PILE, ["call", "pass"], "the call is made: dig for a card"),
        (PILE, ["call", "dig Kh"], "the discard pile holds 0 of Kh"),
        (PILE, ["call", "dig 8d"], "8d cannot be placed with cards of the pile alone (call_rum)"),
        (PILE, ["call", "dig 8s", "discard Kc"], "the dug 8s must be placed first"),
        (OPEN, ["draw"], "out of turn there is no draw and no discard"),
        (OPEN, ["discard 8s"], "only melds and layoffs (out_of_turn_play)"),
        (OPEN, ["meld 8c 8d 8s"], "the hand lacks 8c 8d"),
        (LAYOFFS, ["meld 7c 7d 7h"], "out of turn cards are laid off only (out_of_turn_play)"),
        (LAYOFFS, ["layoff 7c set"], "no meld takes the card at that place"),
        (FINAL, ["meld 7c 7d 7h"], "cards are laid off only (final_layoff)"),
        (FINAL, ["discard 7c"], "cards are laid off only (final_layoff)"),
        (FINAL, ["layoff 7c set"], "no meld takes the card at that place"),
        (
            {**OPEN, "rules": {**FLAT, "out_of_turn_play": "meld_and_layoff"},
             "hands": ["2d 9d", "2c 3c 4c 8h 9c Th 9s 8c Tc", "4d"],
             "opened": [True, False, True]},
            ["meld 2c-4c", "pass"],
            "the opening of 30 points is begun and must be reached first (first_meld_min)",
        ),
        (
            {**OPEN, "rules": {"out_of_turn_play": "meld_and_layoff",
                               "must_discard_to_go_out": True},
             "hands": ["2c 9d", "7c 7d 7h", "4d"]},
            ["meld 7c 7d 7h"],
            "a card must be left to discard (must_discard_to_go_out)",
        ),
    ],
)  # fmt: skip
def test_phases_beside_the_turn(position, moves, said):
    assert said in reason(position, *moves)


def test_a_caller_places_the_dug_card_with_cards_of_the_pile_only():
    position = {**PILE, "melds": [], "discard_pile": "8c 8h 8s", "discarded_by": [1, 2, 0],
                "hands": ["2c 9d", "8d Kc 9s", "4d"]}  # fmt: skip
    said = reason(position, "call", "dig 8c", "meld 8c 8d 8h")
    assert said == "only cards of the pile go down with the called 8c (call_rum)"
    assert "no discard is put to this seat" in reason(position, "call", "dig 8c", "call")


# -- jokers ------------------------------------------------------------------------------------

GAMBIT = {"num_jokers": 3, "dealers_joker": True, "joker_role": "nominated"}


def gambit(hand: str, effect: str, *, dealer: int = 0, state: str = "free", **more: Any) -> Any:
    """Seat 0 is to play; the dealer has said what jokers do."""
    return {
        "rules": {**GAMBIT, **more.pop("rules", {})}, "hands": [hand, "3d 4d"], "phase": "play",
        "dealer": dealer, "dealers_joker": {"effect": effect, "state": state}, **more,
    }  # fmt: skip


def wild(hand: str, **more: Any) -> Any:
    """Seat 0 is to play, with wild jokers."""
    options = {"num_jokers": 2, "joker_role": "wild", **more.pop("rules", {})}
    return {"rules": options, "hands": [hand, "3d 4d"], "phase": "play", **more}


@pytest.mark.parametrize(
    ("position", "moves", "said"),
    [
        (gambit("7c 7d 2h", "wild", dealer=1), ["own"], "for the dealer alone (dealers_joker)"),
        (gambit("7c 7d 2h", "wild", state="used"), ["own"], "is used already (dealers_joker)"),
        (gambit("7c 7d 2h", "wild", state="blocked"), ["own"], "is blocked already"),
        (gambit("7c 9d 2h", "wild"), ["own"], "no move could use the dealer's joker now"),
        (gambit("7c 7d 2h", "wild"), ["own", "own"], "after 'own' comes the move that uses the"),
        (gambit("7c 7d 2h", "wild"), ["own", "discard 2h"], "after 'own' comes the move that uses"),
        (gambit("7c 7d 2h", "wild"), ["own", "pass"], "after 'own' comes the move that uses"),
        (
            gambit("7c 7d 7h 2h", "wild"),
            ["own", "meld 7c 7d 7h"],
            "after 'own' comes the move that uses the dealer's joker (dealers_joker)",
        ),
        (gambit("7c 7d ** 2h", "wild"), ["double"], "jokers are wild in this round"),
        (gambit("7c 7d 7h 2h", "double", dealer=1), ["double"], "a joker is needed to double"),
        (gambit("7c 7d ** 2h", "double", dealer=1), ["double"], "no new meld could be laid that"),
        (gambit("7c 7d ** 2h", "double", dealer=1), ["meld 7c 7d 7h"], "the hand lacks 7h"),
        (
            gambit("7s ** 2h", "double", dealer=1, melds=[SEVENS]),
            ["layoff **=7s set"],
            "jokers double melds in this round and stand for no card (dealers_joker)",
        ),
        (
            gambit("7c 7d 7h ** 8s", "double", dealer=1, melds=[SPADES]),
            ["double", "layoff 8s high"],
            "after 'double' comes the new meld that scores twice (dealers_joker)",
        ),
        (
            gambit("7c 7d 7h ** 8s", "double", dealer=1),
            ["double", "block"],
            "after 'double' comes the new meld",
        ),
        (
            gambit("7c 2d", "double", phase="draw", discard_pile="**", stock="Kd"),
            ["dig **"],
            "jokers double melds in this round and cannot be dug for (dealers_joker)",
        ),
        (gambit("** 2h", "wild"), ["block"], "the dealer does not block the own joker"),
        (gambit("7c 2h", "wild", dealer=1), ["block"], "the hand lacks **"),
        (gambit("** 2h", "wild", dealer=1, state="used"), ["block"], "is used already"),
        (gambit("** ** 2h", "wild", dealer=1), ["block", "block"], "is blocked already"),
        (
            gambit("** 2h", "wild", dealer=1, phase="draw", stock="Kd"),
            ["block"],
            "a turn begins with a draw",
        ),
        (
            gambit("**", "wild", dealer=1, rules={"must_discard_to_go_out": True}),
            ["block"],
            "a card must be left to discard (must_discard_to_go_out)",
        ),
        (
            wild("4h 7h **", rules={"joker_layoff": "natural_first"},
                 melds=[{"cards": "4c 5c 6c"}, {"cards": "8h 9h Th"}]),
            ["layoff **=7h low"],
            "a joker is not laid off as a card that the hand can lay off there (joker_layoff)",
        ),
        (
            wild("7c 7d ** 2h", rules={"joker_may_duplicate": False},
                 melds=[{"cards": "5s 6s 7s"}]),
            ["meld 7c 7d 7s"],
            "a joker may not stand for a card that is on the table (joker_may_duplicate)",
        ),
        (
            wild("7c ** ** 2h"), ["meld 7c 7d 7h 7s"], "the hand lacks 7d 7h 7s",
        ),
        (
            wild("7c ** ** 2h", rules={"min_naturals": 2}),
            ["meld 7c 7d 7h"],
            "a new meld with jokers needs 2 or more cards that are none (min_naturals)",
        ),
        (
            wild("7c 7d ** 2d", rules={"num_suits": 2}),
            ["meld 7c 7d 7s"],
            "the deck has no 7s (num_ranks=13, num_suits=2)",
        ),
        (
            wild("7c 7d ** 2h", rules={"num_decks": 2}),
            ["meld 7c 7d 7d"],
            "in a new set a joker takes a suit that the set lacks",
        ),
        (wild("7c 7d 2h", melds=[SPADES]), ["layoff **=8s high"], "the hand lacks **"),
    ],
)  # fmt: skip
def test_jokers(position, moves, said):
    assert said in reason(position, *moves)


# -- all of them -------------------------------------------------------------------------------


def reasons(game: Game, actions: list[int]) -> list[str]:
    """The reasons against illegal actions; the table stays as it is."""
    before, legal, space = state_bytes(game), game.legal_actions(), game.action_space
    found = []
    for action in actions:
        message = explain(game._record, game.rules, space, action, legal)
        start, rest = message.split(" is illegal: ")
        assert start == repr(space.to_text(action))
        found.append(rest.split(". Legal: ")[0])
    assert state_bytes(game) == before
    return found


def test_every_illegal_action_of_random_games_under_random_rules_has_a_reason():
    chooser = random.Random(29)
    options = {option.name for option in Rules.options()}
    phases = set()
    for seed in range(60):
        rules, num_players = random_rules(chooser)
        game = Game(rules, num_players, seed)
        for _ in playing(game, chooser, 120):
            if game.is_over or chooser.random() < 0.9:
                continue
            phases.add(game.phase)
            illegal = sorted(set(range(game.action_space.n)) - set(game.legal_actions()))
            for said in reasons(game, chooser.sample(illegal, min(25, len(illegal)))):
                assert len(said) > 10
                assert UNKNOWN not in said
                for named in re.findall(r"\((\w+)", said):
                    assert named in options | {"layoff"}, said
    assert {"draw", "play", "obliged"} <= phases


PHASES: dict[str, dict[str, Any]] = {
    "nominate": GAMBIT,
    "opening": {"start_discard": "player_choice"},
    "call": {"call_rum": "pile_and_turn", "hand_size": 5},
    "window": {"out_of_turn_play": "meld_and_layoff"},
    "final_layoff": {"final_layoff": "any_meld", "hand_size": 5},
}


@pytest.mark.parametrize("phase", PHASES)
def test_all_actions_of_one_position_in_the_other_phases(phase):
    game = middle_game(3, 4, rules=Rules(**PHASES[phase]), phase=phase)
    illegal = sorted(set(range(game.action_space.n)) - set(game.legal_actions()))
    assert UNKNOWN not in reasons(game, illegal)
