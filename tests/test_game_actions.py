"""The mask is exact, and what is illegal changes nothing and says why."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from rummy500_env import Game, IllegalActionError, Rules, UnknownNameError
from tests.differential.random_rules import random_rules
from tests.support.games import middle_game, playing, state_bytes

PHASES = ("draw", "obliged", "play")


def refused(game: Game, action: Any) -> str:
    """Try an action that is illegal: nothing may change. Return the message."""
    before, history = pickle.dumps(game), game.history.copy()
    with pytest.raises(IllegalActionError) as caught:
        game.step(action)
    assert pickle.dumps(game) == before
    assert game.history == history
    return str(caught.value)


def check_every_action(game: Game) -> None:
    """Try every action of the layout on a clone: those in the mask are accepted, no others are."""
    mask = game.action_mask()
    before = state_bytes(game)
    for action in range(game.action_space.n):
        twin = game.clone()
        if mask[action]:
            twin.step(action)
            assert state_bytes(twin) != before
            assert twin.history == [*game.history, action]
            continue
        with pytest.raises(IllegalActionError) as caught:
            twin.step(action)
        assert state_bytes(twin) == before
        check_reason(game, game.action_space.to_text(action), str(caught.value))


def check_reason(game: Game, move: str, message: str) -> None:
    """Check that a message names the move, gives a reason that holds, and lists legal moves."""
    start, rest = message.split(" is illegal: ")
    reason, legal = rest.split(". Legal: ")
    assert start == repr(move)
    assert len(reason) > 10
    assert repr(str(game.action_space.to_text(game.legal_actions()[0]))) in legal
    hand = Counter(game.view(game.current_seat).hand)
    if reason.startswith("the hand lacks"):
        for card, count in Counter(reason.removeprefix("the hand lacks ").split()).items():
            assert card in move or "-" in move
            assert hand[card] < 2
            assert count + hand[card] <= 2
    elif reason.startswith("the discard pile holds"):
        _, _, _, _, number, _, face = reason.split()
        assert game.view(0).discard_pile.count(face) == int(number)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("num_players", [2, 3, 5, 8])
def test_an_action_is_accepted_if_and_only_if_it_is_in_the_mask(num_players, phase):
    for seed in range(2):
        check_every_action(middle_game(num_players, seed, phase=phase))


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("phase", PHASES)
def test_every_action_of_one_position(phase):
    check_every_action(middle_game(2, 3, phase=phase))


def test_every_action_under_random_rules():
    chooser = random.Random(11)
    for seed in range(12):
        rules, num_players = random_rules(chooser)
        check_every_action(middle_game(num_players, seed, rules=rules))


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(
    "action",
    [-1, -(10**30), 635, 10**9, 2**63, 2**64, 10**30, 0.0, 1.5, float("nan"), None, True, False,
     "draw", "0", b"0", [0], (0,), {}, np.float32(0), np.bool_(True), np.array([0, 1]), 1j],
    ids=repr,
)  # fmt: skip
def test_what_is_no_action_is_refused(action, phase):
    message = refused(middle_game(2, 1, phase=phase), action)
    assert "is outside 0..634" in message or "is no whole number" in message


@pytest.mark.parametrize("kind", [int, np.int8, np.int16, np.int64, np.uint8, np.uint64])
def test_whole_numbers_of_all_kinds_are_actions(kind):
    game = Game(seed=0)
    game.step(kind(game.legal_actions()[0]))
    assert game.history == [0]
    assert type(game.history[0]) is int


@pytest.mark.parametrize("move", ["", "drwa", "dig 8x", "meld 8h", "discard", "dig 8h#2", 7, None])
def test_unknown_texts_are_refused(move):
    game = Game(seed=0)
    before = state_bytes(game)
    with pytest.raises(UnknownNameError, match="unknown move"):
        game.play(move)
    assert state_bytes(game) == before


def test_nothing_is_legal_after_the_end():
    for episode in ("round", "game"):
        game = Game(Rules(target_score=20), 2, seed=3, episode=episode)
        for _ in playing(game, random.Random(3)):
            pass
        assert (game.legal_actions(), game.legal_moves()) == ([], [])
        assert not game.action_mask().any()
        assert (game.current_seat, game.phase) == (-1, "over")
        for action in (0, 1, 634):
            assert refused(game, action).endswith("the game is over")
        refused(game, -1)


POSITION: dict[str, Any] = {
    "hands": ["8s 8d 2c 9h", "3d 4d 5h"],
    "discard_pile": "8h Kc 9d",
    "stock": "2h",
    "melds": [{"cards": "5s 6s 7s"}],
}


@pytest.mark.parametrize(
    ("changes", "move", "reason"),
    [
        ({}, "discard 2c", "a turn begins with a draw"),
        ({}, "meld 8d 8h 8s", "a turn begins with a draw"),
        ({}, "pass", "a card must be drawn while the stock lasts"),
        ({}, "dig Kc", "Kc could not be used at once in a new meld or layoff"),
        ({}, "dig Ah", "the discard pile holds 0 of Ah"),
        ({"stock": ""}, "draw", "the stock is empty"),
        ({"rules": {"discard_take": "top_only"}}, "dig 8h", "only the top discard may be taken"),
        ({"rules": {"dig_use": "new_meld"}}, "dig 9d", "in a new meld (dig_use)"),
        ({"phase": "play"}, "draw", "a turn has one draw"),
        ({"phase": "play"}, "dig 8h", "a turn has one draw"),
        ({"phase": "play"}, "pass", "a turn ends with a discard"),
        ({"phase": "play"}, "discard Kd", "the hand lacks Kd"),
        ({"phase": "play"}, "meld 8c 8d 8s", "the hand lacks 8c"),
        ({"phase": "play"}, "meld 2c-4c", "the hand lacks 3c 4c"),
        ({"phase": "play"}, "layoff 8s low", "no meld takes the card at that place"),
        ({"phase": "play"}, "layoff 8d set", "no meld takes the card at that place"),
        (
            {"phase": "obliged", "must_use": "8s", "drawn": {"dug": "8s"}},
            "discard 2c",
            "the dug 8s must be placed first",
        ),
        (
            {"phase": "obliged", "must_use": "8s", "hands": ["8s 3c 4c 5c", ""]},
            "meld 3c-5c",
            "it does not place the dug 8s",
        ),
        (
            {
                "phase": "play",
                "rules": {"top_discard_free": True},
                "hands": ["8s 2c", ""],
                "turn": {"banned": "2c", "free_take": True},
            },
            "layoff 8s high",
            "only cards that may not be discarded would be left",
        ),
        (
            {
                "phase": "obliged",
                "must_use": "8s",
                "rules": {"dig_use": "new_meld"},
                "hands": ["8s 9s Ts 2c", ""],
            },
            "layoff 8s high",
            "the dug 8s must go down in a new meld",
        ),
        (
            {
                "phase": "obliged",
                "must_use": "8s",
                "drawn": {"dug": "8s 9s"},
                "rules": {"dig_support": "hand_only"},
                "hands": ["8s 9s Ts 2c", ""],
            },
            "meld 8s-Ts",
            "only cards held before the dig go down with 8s",
        ),
        (
            {"phase": "play", "rules": {"must_discard_to_go_out": True}, "hands": ["8s", "3d"]},
            "layoff 8s high",
            "a card must be left to discard",
        ),
        (
            {
                "phase": "play",
                "rules": {"drawn_discard_ban": "all_drawn"},
                "turn": {"banned": "2c"},
            },
            "discard 2c",
            "2c was taken this turn and may not be discarded",
        ),
        (
            {"phase": "play", "hands": ["Qh Kh Ah 9h", ""], "rules": {"ace_rank": "low"}},
            "meld Qh-Ah",
            "these rules do not have such a run",
        ),
        (
            {"phase": "play", "hands": ["4h 4d 4c 4s 9h", ""], "rules": {"set_max_size": 3}},
            "meld 4c 4d 4h 4s",
            "these rules do not have such a set",
        ),
    ],
)
def test_the_message_names_the_rule(changes, move, reason):
    game = Game.from_position({**POSITION, **changes})
    before = state_bytes(game)
    with pytest.raises(IllegalActionError, match="is illegal") as caught:
        game.play(move)
    assert reason in str(caught.value)
    assert state_bytes(game) == before


def test_masks_and_lists_are_the_callers_own():
    game = middle_game(3, 5)
    before = state_bytes(game)
    mask, legal, moves = game.action_mask(), game.legal_actions(), game.legal_moves()
    mask[:] = 1
    legal.clear()
    moves.clear()
    game.scores.append(7)
    game.table_points.clear()
    assert state_bytes(game) == before
    assert game.action_mask().sum() == len(game.legal_actions()) > 0
    assert game.action_mask() is not game.action_mask()
    assert (mask.dtype, mask.shape) == (np.int8, (game.action_space.n,))


def test_legal_moves_know_their_actions():
    game = middle_game(2, 8, phase="play")
    moves = game.legal_moves()
    assert moves == sorted(moves)
    assert sorted(move.index for move in moves) == game.legal_actions()
    for move in moves:
        assert game.action_space.to_text(move.index) == move
        by_text, by_index = game.clone(), game.clone()
        by_text.play(move)
        by_index.step(move.index)
        assert by_text == by_index
