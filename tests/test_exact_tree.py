"""Whole trees of tiny rounds: the engine's are those of the reference engine."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.errors import RunError
from experiments.exact.sequences import two_seats
from experiments.exact.size import estimate_size
from experiments.exact.tree import grow_tree
from experiments.exact.walks import memories, walk_to
from rummy500_env import Rules
from tests.support.oracle_tree import oracle_tree

TINY = Rules.preset("mini").replace(ace_rank="low", stock_exhausted="end_after_turn")


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("mini", {}),
        ("mini", {"must_discard_to_go_out": True, "ace_rank": "low"}),
        ("mini", {"num_decks": 1, "num_suits": 2, "dig_use": "new_meld"}),
    ],
)
def test_a_tree_is_that_of_the_reference_engine(preset, changes):
    rules = Rules.preset(preset).replace(**changes)
    tree, oracle = grow_tree(rules), oracle_tree(rules)
    for name in ("histories", "chance_nodes", "decision_nodes", "terminals"):
        assert tree.counts[name] == getattr(oracle, name), name
    assert tree.num_sets == len(oracle.seen)
    game = two_seats(tree)
    assert game.value(game.uniform(), game.uniform()) == pytest.approx(oracle.value)


def test_presets_keep_to_their_sizes():
    mini, small = (grow_tree(Rules.preset(name)) for name in ("mini", "small"))
    assert (mini.counts["histories"], mini.num_sets) == (6_472, 2_138)
    assert (mini.counts["terminals"], mini.num_sequences) == (3_383, 4_646)
    assert (small.counts["histories"], small.num_sets) == (340_868, 113_080)


@pytest.mark.nojit
def test_chance_and_sequences_are_consistent():
    tree = grow_tree(TINY)
    game = two_seats(tree)
    often = game.frequencies(game.uniform(), game.uniform())
    assert often[0] == pytest.approx(1)  # every round ends once
    assert often[1] == pytest.approx(1)
    assert (tree.set_parent < tree.set_first).all()
    assert (tree.sequence_action[:2] == -1).all()


def test_a_set_is_what_its_seat_has_seen():
    """Its own actions are legal there, and no two sets have the same memories."""
    tree = grow_tree(Rules.preset("mini"))
    walks = walk_to(tree, np.arange(tree.num_sets))
    views = walks.views.copy()
    assert (views["viewer"] == tree.set_seat).all()
    assert (walks.masks.sum(axis=1) == tree.set_size).all()
    for number in (0, 17, tree.num_sets - 1):
        begin, size = tree.set_first[number], tree.set_size[number]
        legal = np.flatnonzero(walks.masks[number]).tolist()
        assert tree.sequence_action[begin : begin + size].tolist() == legal
    seen, starts = memories(tree)
    keys = {
        (seat, seen[starts[k] : starts[k + 1]].tobytes()) for k, seat in enumerate(tree.set_seat)
    }
    assert len(keys) == tree.num_sets


@pytest.mark.parametrize("num_players", [3, 4])
def test_more_seats_are_counted_but_not_solved(num_players):
    rules = TINY.replace(players=(2, 4), hand_size=1, num_suits=1)
    tree = grow_tree(rules, num_players)
    assert tree.num_players == num_players
    assert tree.ends.shape == (tree.counts["terminals"], num_players)
    with pytest.raises(RunError, match=f"num_players={num_players} is not solved"):
        two_seats(tree)


def test_the_size_is_estimated_without_bias():
    rules = Rules.preset("mini")
    size, error = estimate_size(rules, probes=300_000)
    assert abs(size - grow_tree(rules).counts["histories"]) < 4 * error
    assert error < 400


def test_a_game_too_large_is_refused_with_its_size():
    with pytest.raises(RunError, match=r"hands of 13 has about \de\d+ histories \(estimated\)"):
        grow_tree(Rules(), limit=1000)
    with pytest.raises(RunError, match=r"at most 6,471 are allowed. Fewer cards make it small"):
        grow_tree(Rules.preset("mini"), limit=6_471)
    assert grow_tree(Rules.preset("mini"), limit=6_472).counts["histories"] == 6_472


def test_a_dealer_who_decides_unseeing_is_not_enumerated():
    with pytest.raises(RunError, match="dealers_joker=True is not enumerated"):
        grow_tree(Rules.preset("dealers_joker"))
