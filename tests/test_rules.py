"""The value `Rules`: what it accepts, refuses, remembers and says."""

import copy
import dataclasses
import json
import pickle
import subprocess
import sys

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rummy500_env.errors import RulesError
from rummy500_env.rule_options import Pair, Steps, Subset, Values
from rummy500_env.rules import Rules

OPTIONS = {option.name: option for option in Rules.options()}


def values(option):
    """Values that an option allows."""
    kind = option.kind
    if isinstance(kind, Values):
        words = st.sampled_from(kind.words) if kind.words else st.nothing()
        numbers = st.nothing() if kind.low is None else st.integers(kind.low, kind.high)
        return words | numbers
    if isinstance(kind, Steps):
        number = st.integers(kind.low, kind.high)
        key = st.integers(kind.first, kind.last)
        return number | st.dictionaries(key, number, min_size=1, max_size=3)
    if isinstance(kind, Pair):
        return st.tuples(*[st.integers(kind.low, kind.high)] * 2).map(lambda p: tuple(sorted(p)))
    assert isinstance(kind, Subset)
    return st.lists(st.sampled_from(kind.words), min_size=1, unique=True)


@st.composite
def any_rules(draw):
    names = draw(st.lists(st.sampled_from(sorted(OPTIONS)), unique=True, max_size=6))
    changes = {name: draw(values(OPTIONS[name])) for name in names}
    try:
        return Rules(**changes)
    except RulesError:
        assume(False)
        raise


# --- the standard game ---------------------------------------------------------------------------


def test_defaults_are_the_standard_game():
    rules = Rules()
    assert [rules.hand(n) for n in range(2, 9)] == [13, 7, 7, 7, 7, 7, 7]
    assert [rules.decks(n) for n in range(2, 9)] == [1, 1, 1, 2, 2, 2, 2]
    assert [rules.jokers(n) for n in range(2, 9)] == [0] * 7
    assert [rules.pack_size(n) - n * rules.hand(n) - 1 for n in range(2, 9)] == [
        25, 30, 23, 68, 61, 54, 47,
    ]  # fmt: skip
    assert rules.player_counts() == tuple(range(2, 9))
    assert rules.resolved_ban == "none"
    assert rules.resolved_max_turns is None
    assert rules.no_progress(3) == 60
    assert repr(rules) == "Rules()"
    assert rules.differences() == {}
    assert rules.to_dict(full=False) == {}


def test_rules_are_frozen_hashable_and_without_room_for_more():
    rules = Rules()
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.target_score = 300  # type: ignore[misc]
    assert not hasattr(rules, "__dict__")
    assert len({rules, Rules(), Rules(target_score=300)}) == 2


# --- round trips ---------------------------------------------------------------------------------


@given(any_rules())
@settings(max_examples=200, deadline=None)
def test_round_trips(rules):
    for full in (True, False):
        plain = rules.to_dict(full=full)
        assert json.loads(json.dumps(plain)) == plain
        assert Rules.from_dict(plain) == rules
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))).digest == rules.digest
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert copy.deepcopy(rules) == rules
    assert dataclasses.replace(rules) == rules.replace() == rules
    assert eval(repr(rules), {"Rules": Rules}) == rules  # noqa: S307
    assert hash(Rules.from_dict(rules.to_dict())) == hash(rules)
    assert Rules(**rules.to_dict()) == rules


@given(any_rules(), any_rules())
@settings(max_examples=100, deadline=None)
def test_differences_lead_from_one_to_the_other(one, two):
    there = {name: values[1] for name, values in one.differences(two).items()}
    assert one.replace(**there) == two
    assert (one.digest == two.digest) == (one == two)
    assert set(one.differences()) == set(one.to_dict(full=False))


def test_to_dict_has_every_option_in_order_and_only_plain_types():
    plain = Rules(num_jokers={1: 2, 2: 4}, joker_role="wild").to_dict()
    assert list(plain) == list(OPTIONS)
    assert plain["hand_size"] == {"2": 13, "3": 7}
    assert plain["num_jokers"] == {"1": 2, "2": 4}
    assert plain["players"] == [2, 8]
    assert plain["dealers_joker_effects"] == ["wild", "double"]
    assert plain["max_deals"] is None


@pytest.mark.parametrize(
    ("changes", "digest"),
    [
        ({}, "44136fa355b3678a"),
        ({"target_score": 300}, "4305c2bd73824499"),
        ({"hand_size": {2: 10, 3: 7}}, "5ce28f7cb28ebd06"),
    ],
)
def test_digest_is_pinned(changes, digest):
    assert Rules(**changes).digest == digest


def test_digest_is_the_same_in_another_process():
    program = (
        "from rummy500_env.rules import Rules;"
        "print(Rules(must_discard_to_go_out=True, floating=True, ace_low_value=5).digest)"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout.strip()
        for seed in ("1", "2")
    }
    rules = Rules(ace_low_value=5, floating=True, must_discard_to_go_out=True)
    assert told == {rules.digest}


# --- maps ----------------------------------------------------------------------------------------


def test_a_map_holds_from_each_key_up_to_the_next():
    rules = Rules(hand_size={2: 10, 3: 7, 5: 6})
    assert [rules.hand(n) for n in range(2, 9)] == [10, 7, 7, 6, 6, 6, 6]
    assert Rules(num_jokers={1: 2, 2: 4}, joker_role="wild").jokers(5) == 4


def test_maps_that_say_the_same_are_the_same():
    assert Rules(hand_size={2: 13, 3: 7, 4: 7, 5: 7}) == Rules()
    assert Rules(hand_size={2: 9, 3: 9}) == Rules(hand_size=9)
    assert Rules(hand_size={"3": 7, "2": 13}) == Rules()  # type: ignore[dict-item]
    assert Rules(hand_size=((2, 13), (3, 7))) == Rules()


def test_a_map_may_say_nothing_for_small_tables():
    rules = Rules(hand_size={4: 7})
    assert rules.player_counts() == (4, 5, 6, 7, 8)
    with pytest.raises(RulesError, match="hand_size says nothing for 3 players"):
        rules.check(3)
    with pytest.raises(RulesError, match="hand_size says nothing for 3 players"):
        rules.hand(3)


def test_jokers_for_two_decks_only_are_not_jokers_for_one():
    rules = Rules(num_jokers={2: 4}, joker_role="wild")
    assert rules.player_counts() == (5, 6, 7, 8)
    with pytest.raises(RulesError, match="num_jokers says nothing for 1 deck"):
        rules.check(4)


# --- what "auto" means ---------------------------------------------------------------------------


def test_ban_follows_the_free_take():
    assert Rules(top_discard_free=True).resolved_ban == "top_taken"
    assert Rules(top_discard_free=True, drawn_discard_ban="none").resolved_ban == "none"
    assert Rules(drawn_discard_ban="all_drawn").resolved_ban == "all_drawn"


def test_turns_are_capped_where_the_stock_is_refilled():
    assert Rules(stock_exhausted="reshuffle").resolved_max_turns == 5000
    assert Rules(stock_exhausted="turn_over").resolved_max_turns == 5000
    assert Rules(stock_exhausted="turn_over", max_reshuffles=0).resolved_max_turns is None
    assert Rules(stock_exhausted="reshuffle", max_turns=80).resolved_max_turns == 80
    assert Rules(max_turns=80).resolved_max_turns == 80


def test_no_progress_by_players():
    assert Rules().no_progress(2) == 40
    assert Rules(no_progress_limit=7).no_progress(2) == 7
    assert Rules(no_progress_limit=None).no_progress(2) is None


# --- descriptions --------------------------------------------------------------------------------


def test_every_option_is_described():
    assert [option.name for option in Rules.options()] == [
        f.name for f in dataclasses.fields(Rules)
    ]
    for option in Rules.options():
        assert option.doc.endswith("."), option.name
        assert len(option.source) > 5, option.name
        assert option.allowed, option.name
        assert option.type_text, option.name
        assert option.default == getattr(Rules(), option.name)
        assert option.kind.clean(option.default) == option.default


def test_repr_shows_what_differs():
    rules = Rules(target_score=300, hand_size={2: 10, 3: 7})
    assert repr(rules) == "Rules(hand_size={2: 10, 3: 7}, target_score=300)"


def test_differences_from_other_rules():
    rules = Rules(target_score=300)
    assert rules.differences() == {"target_score": (300, 500)}
    assert rules.differences(Rules(hand_size=7)) == {
        "hand_size": ({"2": 13, "3": 7}, 7),
        "target_score": (300, 500),
    }
