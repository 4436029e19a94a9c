"""Hidden cards stay hidden in every kind of moment, and being asked shows nothing of them."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from rummy500_env import Game, IllegalActionError, Rules
from tests.differential.random_rules import random_rules
from tests.support.games import deck, middle_game
from tests.support.moments import MOMENTS, at_moment
from tests.support.worlds import other_world, same_for
from tests.test_views_hidden import play_on_in_both

OUT_OF_TURN = {
    "call_rum": ["card_only", "pile_and_turn"],
    "final_layoff": ["any_meld"],
    "out_of_turn_play": ["layoff", "meld_and_layoff"],
}
WINDOWS = [(option, value) for option, values in OUT_OF_TURN.items() for value in values]


@pytest.mark.parametrize("name", MOMENTS)
def test_worlds_look_the_same_at_every_moment(name):
    """To every seat, whether it moves, is asked, has yet to be asked, or has been asked."""
    chooser = random.Random(name)
    worlds = 0
    for seed in range(4):
        game = at_moment(name, seed)
        for seat in range(game.num_players):
            pair = other_world(game, seat, chooser)
            if pair is not None:
                play_on_in_both(seat, *pair, chooser)
                worlds += 1
    assert worlds > 2 * MOMENTS[name].num_players


@pytest.mark.parametrize(("option", "value"), WINDOWS)
def test_worlds_look_the_same_with_windows_in_random_rules(option, value):
    chooser = random.Random(f"{option} {value}")
    others = [name for name in OUT_OF_TURN if name != option]
    worlds = 0
    for seed in range(40):
        rules, num_players = random_rules(chooser)
        plain = {name: "none" for name in ("call_rum", "out_of_turn_play") if name in others}
        options = {**rules.to_dict(full=False), **plain, option: value}
        options |= {"layoff_scope": "any", "discard_take": "any_depth"}
        if options.get("floating"):
            continue
        game = middle_game(num_players, seed, rules=Rules(**options))
        for seat in range(num_players):
            pair = other_world(game, seat, chooser)
            if pair is not None:
                play_on_in_both(seat, *pair, chooser)
                worlds += 1
    assert worlds > 60


def reason(game: Game, action: int) -> str:
    """Return why an action is refused."""
    with pytest.raises(IllegalActionError) as refused:
        game.step(action)
    return str(refused.value)


@pytest.mark.parametrize("name", MOMENTS)
def test_why_a_move_is_refused_tells_nothing_of_hidden_cards(name):
    """Whoever tries illegal moves learns from the answers what it knew before."""
    game = at_moment(name, 0)
    pair = other_world(game, game.current_seat, random.Random(name))
    assert pair is not None
    one, other = pair
    for action in set(range(game.action_space.n)) - set(game.legal_actions()):
        assert reason(one, action) == reason(other, action)


# -- who is asked ----------------------------------------------------------------------------------

MELDS = [
    {"cards": "4d 5d 6d", "laid_by": [0, 0, 0]},
    {"cards": "9c 9d 9h", "laid_by": [2, 2, 2]},
]
ASKING: dict[str, Any] = {
    "hands": ["2c 7d", "8d 9s Kh", "3d Tc Td", "Th Jh Qh", "Kc Kd 2s"],
    "discard_pile": "5c",
    "melds": MELDS,
    "phase": "play",
}


def asked_after(game: Game, move: str) -> list[tuple[int, str]]:
    """Return who is asked what after a move to which nobody answers."""
    game.play(move)
    asked = []
    while game.phase in ("call", "window", "final_layoff"):
        asked.append((game.current_seat, game.phase))
        game.play("pass")
    return asked


@pytest.mark.parametrize(("option", "value"), WINDOWS)
def test_who_is_asked_does_not_hang_on_hands(option, value):
    """The same seats are asked after the same discard in all worlds that the discarder sees."""
    position = {**ASKING, "rules": {option: value, "max_deals": 1, "target_score": None}}
    move = "discard 7d"
    if option == "final_layoff":
        position["hands"] = ["7d", *ASKING["hands"][1:]]
    first = Game.from_position(position)
    expected = asked_after(first.clone(), move)
    assert [seat for seat, _ in expected] == [1, 2, 3, 4]
    chooser = random.Random(1)
    able = Counter[int]()
    for _ in range(25):
        pair = other_world(first, 0, chooser)
        assert pair is not None
        game = pair[1]
        game.play(move)
        able[len(game.legal_actions())] += 1
        assert asked_after(pair[1], "pass") == expected[1:]
    if option != "call_rum":
        assert len(able) > 1  # some could have played, some could only pass


@pytest.mark.parametrize(("option", "value"), WINDOWS)
@pytest.mark.parametrize("seat", range(5))
def test_what_the_asked_could_do_is_shown_to_nobody_else(option, value, seat):
    """Two worlds in one of which the asked seat can play, seen by the others until it passes."""
    rules = {option: value, "max_deals": 1, "target_score": None}
    able = ["2c 7d", "8d 9s Kh", "3d Tc Td", "Th Jh Qh", "Kc Kd 2s"]
    unable = ["2c 7d", "Qc 6s Kh", "3d Tc Td", "Th Jh Qh", "Kc Kd 2s"]
    if option == "final_layoff":
        able[0] = unable[0] = "7d"
    moves = ["discard 7d", "pass", "pass", "pass", "pass"]
    games = [
        Game.from_position({**ASKING, "hands": hands, "stock": stock, "rules": rules})
        for hands, stock in ((able, "Qc 6s Ah"), (unable, "8d 9s Ah"))
    ]
    for move in moves:
        if seat != 1 and not games[0].rounds:
            same_for(seat, *games)
        for game in games:
            game.play(move)
    assert games[0].phase == games[1].phase


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("rules", ["dealers_joker", "dealers_joker_56"])
def test_nobody_has_looked_at_a_hand_before_the_nomination(rules, num_players):
    game = Game(rules, num_players, seed=num_players)
    assert game.phase == "nominate"
    position = game.position()
    jokers = game.rules.jokers(num_players) - 1
    sizes = [len(hand.split()) for hand in position["hands"]]
    hidden = deck(game) - Counter(position["discard_pile"].split()) - Counter(["**"])
    for seat in range(num_players):
        view = game.view(seat)
        assert view.hand == view.drawn == view.banned == []
        assert Counter(view.unseen) == hidden
        assert view.unseen.count("**") == jokers
        assert view.hand_sizes == sizes
        (block,) = [b for b in game.observation_space.blocks.values() if b.name == "hand"]
        assert not game.observe(seat)[block.offset : block.offset + block.size].any()
        assert "Hand  \n" in view.text() + "\n"
    game.play(str(game.legal_moves()[0]))
    assert [len(game.view(seat).hand) for seat in range(num_players)] == sizes


def test_partners_do_not_see_each_others_hands():
    for name in ("play, teams", "window, teams", "final layoff, teams"):
        game = at_moment(name, 1)
        hands = game.position()["hands"]
        for seat in range(4):
            view = game.view(seat)
            partner = Counter(hands[(seat + 2) % 4].split())
            public = Counter(view.known((seat + 2) % 4))
            assert partner - public <= Counter(view.unseen)
