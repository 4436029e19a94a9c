"""No option of the rules is dead: flipped alone, each changes what can be done or what it pays."""

from __future__ import annotations

from itertools import combinations

import pytest

from rummy500_env import Rules, RulesError
from rummy500_env.rule_options import Values
from tests.flips.page import PAGE, page
from tests.flips.play import NUM_PLAYED, first_difference, measure
from tests.flips.table import FLIPS

OPTIONS = {option.name: option for option in Rules.options()}
WORDS = {
    name: option.kind.words for name, option in OPTIONS.items() if isinstance(option.kind, Values)
}
WITHOUT_CHOICE = {
    name
    for name, option in OPTIONS.items()
    if isinstance(option.kind, Values) and option.kind.low is None and len(option.kind.words) == 1
}


@pytest.mark.parametrize("flip", FLIPS, ids=str)
def test_a_flip_changes_something(flip):
    assert measure(flip).share > 0


PAIRS = [
    (one, other)
    for one, other in combinations(FLIPS, 2)
    if one.option == other.option and vars(one) | {"to": None} == vars(other) | {"to": None}
]
"""Flips of an option to two values, all else equal."""


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=str)
def test_two_values_of_an_option_are_not_the_same(one, other):
    found = (
        first_difference(one, one.flipped, other.flipped, trial)
        for trial in range(NUM_PLAYED[one.of])
    )
    assert any(found)


@pytest.mark.parametrize("option", OPTIONS.values(), ids=lambda option: option.name)
def test_every_option_with_a_choice_is_flipped(option):
    assert option.name in WITHOUT_CHOICE or any(flip.option == option.name for flip in FLIPS)


@pytest.mark.parametrize("name", sorted(WORDS.keys() - WITHOUT_CHOICE))
def test_every_word_of_an_option_is_flipped_from_or_to(name):
    flips = [flip for flip in FLIPS if name in {flip.option, *flip.along}]
    met = {getattr(rules, name) for flip in flips for rules in (flip.rules, flip.flipped)}
    assert met >= set(WORDS[name])


def test_the_flips_stand_in_the_order_of_the_options():
    names = list(OPTIONS)
    flipped = [names.index(flip.option) for flip in FLIPS]
    assert flipped == sorted(flipped)


@pytest.mark.parametrize("flip", FLIPS, ids=str)
def test_a_flip_changes_its_option_alone(flip):
    assert flip.rules.differences(flip.flipped).keys() == {flip.option, *flip.along}
    assert flip.rules.differences().keys() == flip.on.keys()  # nothing is said for nothing
    for rules in (flip.rules, flip.flipped):
        assert flip.of == "table" or flip.num_players in rules.player_counts()
    if flip.along:
        with pytest.raises(RulesError):
            flip.rules.replace(**{flip.option: flip.to})


def test_the_page_says_what_was_measured():
    """Made anew by `python -m tests.flips`."""
    assert PAGE.read_text(encoding="utf-8") == page()
