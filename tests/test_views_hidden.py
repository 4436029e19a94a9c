"""Nothing hidden reaches a view, an observation or a mask."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from rummy500_env import Game, Rules
from tests.differential.random_rules import random_rules
from tests.support.games import middle_game, playing
from tests.support.presets import can_refill, preset_tables
from tests.support.worlds import other_world, same_for


def play_on_in_both(seat: int, one: Game, other: Game, chooser: random.Random) -> int:
    """Play the same moves in two worlds that a seat can't tell apart, until it can.

    It can when no move is legal in both, when it draws different cards, when it looks at its hand,
    and when a round is scored. Until then it must see the same. Return how many moves that took.
    """
    for moves in range(60):
        same_for(seat, one, other)
        common = sorted(set(one.legal_moves()) & set(other.legal_moves()))
        if not common:
            assert one.current_seat != seat
            return moves
        move = chooser.choice(common)
        drawer, unlooked = one.current_seat, one.phase == "nominate"
        one.play(move)
        other.play(move)
        if unlooked:
            return moves
        if one.rounds or other.rounds:
            same_end = [r.went_out for r in one.rounds] == [r.went_out for r in other.rounds]
            assert same_end or one.rules.dealers_joker  # it may have spared a joker of the hand
            return moves
        if shown_of_jokers(one, seat) != shown_of_jokers(other, seat):
            return moves  # a joker shows what was not held: the card it stands for, or another one
        if move == "draw" and drawer == seat:
            cards = one.view(seat).drawn
            if cards != other.view(seat).drawn:
                return moves
    return 60


def shown_of_jokers(game: Game, seat: int) -> tuple[object, ...]:
    """Return what the use of a joker shows: its place in a meld, and whose joker it was."""
    view = game.view(seat)
    return view.melds, view.dealers_joker


@pytest.mark.parametrize("num_players", range(2, 9))
def test_worlds_that_differ_in_hidden_cards_look_the_same(num_players):
    chooser = random.Random(num_players)
    moves = worlds = 0
    for seed in range(8):
        game = middle_game(num_players, seed, min_moves=5 * seed)
        for seat in range(num_players):
            pair = other_world(game, seat, chooser)
            if pair is not None:
                moves += play_on_in_both(seat, *pair, chooser)
                worlds += 1
    assert worlds > 4 * num_players
    assert moves > 3 * worlds


@pytest.mark.parametrize("phase", ["draw", "obliged", "play"])
def test_worlds_look_the_same_in_every_phase(phase):
    chooser = random.Random(phase)
    worlds = 0
    for seed in range(12):
        game = middle_game(3, seed, phase=phase)
        for seat in range(3):
            pair = other_world(game, seat, chooser)
            if pair is not None:
                same_for(seat, *pair)
                worlds += 1
    assert worlds > 20


def test_worlds_look_the_same_under_random_rules():
    chooser = random.Random(3)
    worlds = 0
    for seed in range(60):
        rules, num_players = random_rules(chooser)
        game = middle_game(num_players, seed, rules=rules)
        seat = chooser.randrange(num_players)
        pair = other_world(game, seat, chooser)
        if pair is not None:
            play_on_in_both(seat, *pair, chooser)
            worlds += 1
    assert worlds > 50


@pytest.mark.parametrize(("name", "num_players"), preset_tables())
def test_worlds_look_the_same_under_every_preset(name, num_players):
    rules = Rules.preset(name)
    chooser = random.Random(f"{name} {num_players}")
    worlds = 0
    fresh = Game(rules, num_players, seed=0)  # in whatever phase a round begins
    for game in (fresh, *(middle_game(num_players, seed, rules=rules) for seed in range(5))):
        for seat in range(num_players):
            pair = other_world(game, seat, chooser)
            if pair is not None:
                play_on_in_both(seat, *pair, chooser)
                worlds += 1
    assert worlds > 2 * num_players


def play_to_the_last_card(game: Game, chooser: random.Random) -> bool:
    """Play until the stock has one card left to be drawn; False when the game is over first."""
    for _ in playing(game, chooser):
        if game.phase == "draw" and game.view(0).stock_size == 1:
            return True
    return False


@pytest.mark.parametrize(
    ("name", "num_players"),
    [table for table in preset_tables() if can_refill(Rules.preset(table[0]))],
)
def test_worlds_look_the_same_around_the_refills_of_every_preset(name, num_players):
    chooser = random.Random(f"{name} {num_players}")
    before = after = 0
    for seed in range(40):
        if before > 6 and after > 3:
            break
        game = Game(name, num_players, seed, episode="round")
        refills = 0
        while refills < 2 and play_to_the_last_card(game, chooser):
            refills = game.position()["counters"]["reshuffles"]
            for seat in range(2):
                pair = other_world(game, seat, chooser)
                if pair is not None:
                    play_on_in_both(seat, *pair, chooser)
                    before += 1
                    after += pair[0].position()["counters"]["reshuffles"] > refills
    assert before > 6
    assert after > 3  # both worlds went through a refill together


@pytest.mark.parametrize("stock_exhausted", ["reshuffle", "turn_over"])
def test_worlds_look_the_same_after_a_refill(stock_exhausted):
    """The cards of a refilled stock are told from older ones, and so are those drawn of it."""
    rules = Rules(stock_exhausted=stock_exhausted, max_reshuffles=None, discard_take="top_only")
    chooser = random.Random(stock_exhausted)
    moves = worlds = 0
    for seed in range(25):
        game = middle_game(3, seed, rules=rules, min_moves=70)
        if not game.position()["counters"]["reshuffles"]:
            continue
        for seat in range(3):
            pair = other_world(game, seat, chooser)
            if pair is not None:
                moves += play_on_in_both(seat, *pair, chooser)
                worlds += 1
    assert worlds > 10
    assert moves > worlds


@pytest.mark.nojit
def test_two_worlds_of_a_small_position():
    position = {"hands": ["7c 8c", "7d 8d", "Kh"], "discard_pile": "2h", "stock": "Ts 9s"}
    one = Game.from_position(position)
    other = Game.from_position({**position, "hands": ["7c 8c", "9s Kh", "7d"], "stock": "8d Ts"})
    same_for(0, one, other)
    for seat in (1, 2):
        assert one.view(seat).hand != other.view(seat).hand


def test_what_another_seat_drew_or_may_not_discard_is_hidden():
    rules = Rules(drawn_discard_ban="all_drawn")
    game = Game(rules, 3, seed=1)
    seat = game.current_seat
    game.play("draw")
    assert game.view(seat).drawn == game.view(seat).banned != []
    for other in {0, 1, 2} - {seat}:
        assert (game.view(other).drawn, game.view(other).banned) == ([], [])
        assert game.view(other).moves() == []


def test_a_view_tells_nothing_of_the_seed():
    """Games that differ in their seeds only, and so in later deals, look the same."""
    for seed in range(5):
        position = middle_game(3, seed).position()
        one, other = (Game.from_position({**position, "seed": s}) for s in (17, 18))
        for seat in range(3):
            here, there = one.view_record(seat), other.view_record(seat)
            assert here["random"] != there["random"]  # it differs, but is no seed
            for game, view in ((one, here), (other, there)):
                assert game.seed not in view["random"]
                view["random"] = 0
            assert here.tobytes() == there.tobytes()
            assert one.observe(seat).tobytes() == other.observe(seat).tobytes()


def test_random_bits_are_new_at_each_decision_and_for_each_seat():
    game = Game("rummy500", 4, seed=3)
    chooser = random.Random(3)
    seen = Counter[int]()
    for _ in range(150):
        seat = game.current_seat
        view = game.view(seat)
        assert view.random == game.view(seat).random
        assert int(view.record["decision"][0]) == sum(1 for e in game.events(0) if e.seat == seat)
        seen[view.random] += 1
        game.play(chooser.choice(game.legal_moves()))
    assert max(seen.values()) == 1
    ones = np.unpackbits(np.array(list(seen), np.uint64).view(np.uint8))
    assert abs(ones.mean() - 0.5) < 0.03


def test_unseen_cards_are_the_same_in_the_view_and_in_all_worlds():
    for seed in range(5):
        game = middle_game(5, seed)
        for seat in range(5):
            unseen = Counter(game.view(seat).unseen)
            position = game.position()
            truly = Counter(position["stock"].split())
            for other in set(range(5)) - {seat}:
                hand = Counter(position["hands"][other].split())
                truly += hand - Counter(position["known"][other].split())
            assert unseen == truly
