"""``greedy`` against its description told in plain Python, and in single positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agents
import rummy500_env as r5
from rummy500_env import PlayerView
from tests.support.asking import arena_of, deals, play, views_of
from tests.support.greedy_in_words import choose

STANDARD = r5.Rules()


def _said(views, masks, rules, num_players):
    """Move texts of greedy, and of its description."""
    agent = agents.make("greedy")
    agent.reset(rules, num_players, 1)
    space = r5.ActionSpace(rules, num_players)
    for row, action in enumerate(agent.act(views, masks).tolist()):
        view = PlayerView(views[row : row + 1], rules, np.flatnonzero(masks[row]))
        yield view, space.to_text(action), choose(view, view.moves(), rules)


RULES = {
    "standard": STANDARD,
    "other values, sets of any suits": r5.Rules(
        card_values="five_ten_fifteen", set_distinct_suits=False
    ),
    "cheap aces, empty stock": r5.Rules(ace_hand_value=5, stock_exhausted="end_if_all_pass"),
}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("num_players", [2, 3, 5, 8])
def test_greedy_does_what_its_description_says(num_players, rules):
    phases = set()
    for inner in (agents.make("greedy"), None):
        asked = views_of(inner, num_players, 5, rules)
        for view, played, described in _said(*asked, rules, num_players):
            assert played == described, str(view)
            phases.add((view.phase, played.split()[0]))
    assert {("draw", "dig"), ("draw", "draw"), ("play", "meld"), ("play", "discard")} <= phases
    assert {("play", "layoff")} <= phases


@pytest.mark.nojit
def test_a_few_decisions_are_those_of_the_description():
    views, masks = views_of(None, 2, 1, STANDARD)
    for view, played, described in _said(views[:30], masks[:30], STANDARD, 2):
        assert played == described, str(view)


def _move(hand, pile="", spec="greedy", **position: Any):
    """What greedy plays at seat 0."""
    game = r5.Game.from_position(
        {"hands": [hand, "3s 4s 6d Js"], "discard_pile": pile, "seat": 0, **position}
    )
    agent = agents.make(spec)
    agent.reset(game.rules, 2, 1)
    (action,) = agent.act(game.view_record(0), game.action_mask()[None]).tolist()
    return game.action_space.to_text(action)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("hand", "pile", "move"),
    [
        ("8c 8d Kh 2s", "8h", "dig 8h"),
        ("Qc Kc 2d 2h", "Ac 2s", "dig Ac"),  # a run and a set
        ("8c 9d Kh 2s", "8h", "draw"),
        # Six for the twos, which would cost 1.2 no more; six for a king and a queen to hold …
        ("2c 2d Kh 9s", "2h Kd Qd", "dig 2h"),
        ("2c 2d Kh 9s", "2h Kd Qd Jc", "dig 2h"),  # … and three for a jack: a loss of 1.8
        ("2c 2d Kh 9s", "2h Kd Qd Jc Ac", "draw"),  # … and 4.5 for an ace: a loss of 6.3
    ],
)
def test_draws(hand, pile, move):
    assert _move(hand, pile) == move


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("hand", "move"),
    [
        ("8c 8d 8h Kh Kd Ks 2s", "meld Kd Kh Ks"),
        ("7c 8c 9c Tc 8d 8h 2s", "meld 7c-Tc"),
        ("Ac 2c 3c 2d 2h 9s", "meld 2c 2d 2h"),  # an ace below a two lays for one point only
        ("Qc Kc Ac 5d 5h 5s 9d", "meld Qc-Ac"),
    ],
)
def test_melds(hand, move):
    assert _move(hand, phase="play") == move


@pytest.mark.nojit
def test_melds_come_before_layoffs_and_high_layoffs_before_low_ones():
    melds = [
        {"cards": "Tc Td Th", "laid_by": [1, 1, 1]},
        {"cards": "6h 7h 8h", "laid_by": [1, 1, 1]},
    ]
    assert _move("2c 2d 2h Ts 9s", phase="play", melds=melds) == "meld 2c 2d 2h"
    assert _move("Ts 5h 9s Ah", phase="play", melds=melds) == "layoff Ts set"
    assert _move("5h 9s Ah", phase="play", melds=melds) == "layoff 5h low"


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("hand", "pile", "move"),
    [
        ("Kh 2s 9d", "5c", "discard Kh"),  # the dearest card
        ("Kh Ks Qd 9d", "5c", "discard Qd"),  # a pair promises four
        ("Kh Qh Jd 5d", "6c", "discard Jd"),  # neighbours promise three and a half
        ("2c 3c Kh 9d", "6s", "discard Kh"),
        ("Kh 9d", "Kc Kd", "discard 9d"),  # two kings lie in the pile: five
        ("Kh Qd", "Kc", "discard Qd"),
    ],
)
def test_discards(hand, pile, move):
    assert _move(hand, pile, phase="play") == move


@pytest.mark.nojit
def test_a_card_that_the_next_seat_can_use_is_kept_back():
    # Seat 1 is known to hold two queens: a queen counts five less.
    hands = ["Qd Kh 5c", "Qc Qs 4d"]
    known = ["", "Qc Qs"]
    assert _move("Qd Td 5c", "4c", phase="play") == "discard Td"
    game = r5.Game.from_position(
        {"hands": hands, "discard_pile": "4c", "seat": 0, "phase": "play", "known": known}
    )
    agent = agents.make("greedy")
    agent.reset(game.rules, 2, 1)
    (action,) = agent.act(game.view_record(0), game.action_mask()[None]).tolist()
    assert game.action_space.to_text(action) == "discard Kh"


@pytest.mark.nojit
def test_without_a_stock_any_gain_is_taken_and_no_loss():
    never = {"stock": "", "spec": "greedy:digs=never"}
    assert _move("8c 8d Kh 2s", "8h", **never) == "dig 8h"
    assert _move("2c 2d Kh 9s", "2h Kd Qd", stock="") == "dig 2h"
    assert _move("2c 2d Kh 9s", "2h Kd Qd Jc", stock="") == "pass"


@pytest.mark.nojit
def test_greedy_without_digs_draws_as_long_as_there_is_a_stock():
    assert _move("8c 8d Kh 2s", "8h", spec="greedy:digs=never") == "draw"
    assert _move("8c 8d 8h 2s", phase="play", spec="greedy:digs=never") == "meld 8c 8d 8h"


# -- strength ---------------------------------------------------------------------------------


def _mirrored(one, other, num_deals, seed):
    """Point differences of single rounds by deal, each played in both seatings."""
    arena = arena_of(STANDARD, 2, [agents.make(one), agents.make(other)])
    dealt = deals(num_deals, 2, seed)
    straight = play(arena, dealt, np.tile([0, 1], (num_deals, 1))).scores
    # Each agent's random bits stay its own.
    turned = play(arena, dealt._replace(keys=dealt.keys[:, ::-1]), np.tile([1, 0], (num_deals, 1)))
    return straight[:, 0] - straight[:, 1] + turned.scores[:, 1] - turned.scores[:, 0]


def test_greedy_against_itself_comes_out_even_in_every_deal():
    assert not _mirrored("greedy", "greedy", 300, 1).any()
    assert not _mirrored("greedy:digs=never", "greedy:digs=never", 300, 1).any()


def test_greedy_beats_random_by_sixty_points_a_round():
    difference = _mirrored("greedy", "random", 3000, 2) / 2
    error = difference.std() / np.sqrt(len(difference))
    assert difference.mean() > 60
    assert error < 1


def test_digging_is_worth_something():
    difference = _mirrored("greedy", "greedy:digs=never", 3000, 3) / 2
    assert difference.mean() > 3 * difference.std() / np.sqrt(len(difference))
