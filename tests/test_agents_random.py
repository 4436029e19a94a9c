"""The agent ``random``, and the random bits that views hold."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import rummy500_env as r5
from tests.support.asking import Deals, Taped, arena_of, deals, play, views_of


@pytest.mark.nojit
def test_every_legal_action_is_equally_likely():
    views, masks = views_of(None, 2, 1, r5.Rules())
    agent = agents.make("random")
    agent.reset(r5.Rules(), 2, 1)
    counts = masks.sum(axis=1)
    for size in (2, 9, 11):
        row = int(np.flatnonzero(counts == size)[0])
        draws = 150 * size
        many = np.repeat(views[row : row + 1], draws)
        many["random"] = np.random.default_rng(size).integers(2**64, size=draws, dtype=np.uint64)
        actions = agent.act(many, np.repeat(masks[row : row + 1], draws, axis=0))
        legal = np.flatnonzero(masks[row])
        drawn = np.array([(actions == action).sum() for action in legal])
        assert drawn.sum() == draws
        assert ((drawn - 150) ** 2 / 150).sum() < 3 * size  # chi-square, size - 1 degrees


def test_bits_from_end_to_end_of_their_range_choose_from_end_to_end():
    views, masks = views_of(None, 2, 1, r5.Rules())
    agent = agents.make("random")
    agent.reset(r5.Rules(), 2, 1)
    row = int(masks.sum(axis=1).argmax())
    legal = np.flatnonzero(masks[row])
    ends = np.repeat(views[row : row + 1], 2)
    ends["random"] = [0, 2**64 - 1]
    actions = agent.act(ends, np.repeat(masks[row : row + 1], 2, axis=0))
    assert actions.tolist() == [legal[0], legal[-1]]


def test_random_against_itself_is_even():
    arena = arena_of(r5.Rules(), 2, [agents.make("random")])
    result = play(arena, deals(6000, 2), np.zeros((6000, 2), int))
    difference = (result.scores[:, 0] - result.scores[:, 1]).astype(float)
    error = difference.std() / np.sqrt(len(difference))
    assert abs(difference.mean()) < 3 * error
    assert error < 1.5


# -- the bits ---------------------------------------------------------------------------------


def _bits(dealt, num_players, episode="round"):
    """Random bits of all decisions by game, seat and number of the decision."""
    agent = Taped()
    arena = arena_of(r5.Rules(), num_players, [agent], episode)
    play(arena, dealt, np.zeros(dealt.keys.shape, int))
    views = np.concatenate(agent.views)
    places = zip(views["table"].tolist(), views["viewer"].tolist(), strict=True)
    decisions = zip(places, views["decision"].tolist(), strict=True)
    bits = views["random"].tolist()
    return {(*place, number): word for (place, number), word in zip(decisions, bits, strict=True)}


def test_bits_differ_between_games_seats_and_decisions():
    bits = _bits(deals(30, 3), 3)
    assert len(bits) > 2500
    assert len(set(bits.values())) == len(bits)


def test_bits_go_on_through_the_rounds_of_a_game():
    bits = _bits(deals(3, 2), 2, "game")
    assert len(bits) > 500
    assert len(set(bits.values())) == len(bits)
    for table, seat in {place[:2] for place in bits}:
        numbers = sorted(place[2] for place in bits if place[:2] == (table, seat))
        assert numbers == list(range(len(numbers)))


def test_bits_follow_from_the_key_and_not_from_the_deal():
    one, other = deals(20, 2, seed=1), deals(20, 2, seed=2)
    bits = _bits(one, 2)
    assert _bits(one, 2) == bits
    same_keys = _bits(Deals(other.seeds, one.keys), 2)
    both = bits.keys() & same_keys.keys()
    assert len(both) > 500
    assert all(bits[place] == same_keys[place] for place in both)
    same_deals = _bits(Deals(one.seeds, other.keys), 2)
    both = bits.keys() & same_deals.keys()
    assert len(both) > 500
    assert not any(bits[place] == same_deals[place] for place in both)


def test_each_bit_is_set_in_half_of_all_decisions():
    words = np.array(list(_bits(deals(60, 2), 2).values()), np.uint64)
    bits = words[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    means = bits.mean(axis=0)
    assert np.abs(means - 0.5).max() < 4.5 * 0.5 / np.sqrt(len(words))


@pytest.mark.nojit
def test_the_bits_of_a_games_own_views_differ_between_seats_and_decisions():
    game = r5.Game(num_players=3, seed=5)
    words = {game.view(seat).random for seat in range(3)}
    for _ in range(6):
        seat = game.current_seat
        before = game.view(seat).random
        assert game.view(seat).random == before
        game.step(game.legal_actions()[0])
        words.add(game.view(seat).random)
        assert game.view(seat).random != before
    assert len(words) == 9
    assert r5.Game(num_players=3, seed=6).view(0).random not in words


def test_the_bits_of_a_games_own_views_do_not_tell_the_deal():
    # If bits told of the deal, some bit would go with having a certain card.
    games = [r5.Game(seed=seed) for seed in range(3000)]
    words = np.array([game.view(0).random for game in games], np.uint64)
    bits = (words[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)).astype(float)
    cards = np.stack([game.view(0).hand_counts[:52] for game in games]).astype(float)
    together = np.corrcoef(bits.T, cards.T)[:64, 64:]
    assert np.abs(together).max() < 5 / np.sqrt(len(games))
    seeds = np.arange(3000)[:, None] >> np.arange(11) & 1
    together = np.corrcoef(bits.T, seeds.T.astype(float))[:64, 64:]
    assert np.abs(together).max() < 5 / np.sqrt(len(games))
