"""The commands that list things, and options of the rules as words."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.cli import main
from experiments.settings import (
    agent_names,
    parse_changes,
    rules_from_words,
    told_apart,
    words_from_rules,
)
from rummy500_env.presets import PRESETS, presets
from rummy500_env.rules import Rules


def said(capsys, *words: str):
    assert main(words) == 0
    found = capsys.readouterr()
    assert not found.err
    return found.out


def test_rules_lists_presets_and_options(capsys):
    page = said(capsys, "rules")
    for name in presets():
        assert name in page
    for option in Rules.options():
        assert option.name in page
    assert max(map(len, page.splitlines())) <= 80


def test_rules_as_json(capsys):
    found = json.loads(said(capsys, "rules", "--json"))
    assert [preset["name"] for preset in found["presets"]] == presets()
    assert {option["name"]: option["default"] for option in found["options"]} == Rules().to_dict()


@pytest.mark.parametrize("name", ["rummy500", "persian_s2", "michigan_rum"])
def test_rules_shows_a_preset(capsys, name):
    assert PRESETS[name].title in said(capsys, "rules", name)
    found = json.loads(said(capsys, "rules", name, "--json"))
    assert found["digest"] == Rules.preset(name).digest
    assert Rules.from_dict(found["options"]) == Rules.preset(name)


def test_rules_compares_two(capsys):
    page = said(capsys, "rules", "rummy500", "target_300")
    assert "target_score" in page
    assert "hand_size" not in page
    found = json.loads(said(capsys, "rules", "rummy500", "target_300", "--json"))
    assert found == {"target_score": {"rummy500": 500, "target_300": 300}}
    assert "the same rules" in said(capsys, "rules", "rummy500", "rummy500")


def test_agents_lists_agents(capsys):
    page = said(capsys, "agents")
    found = json.loads(said(capsys, "agents", "--json"))
    names = [agent["name"] for agent in found]
    assert {"random", "greedy"} <= set(names)
    assert all(name in page for name in names)
    assert all(agent["about"] for agent in found)


# --- options as words ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["random,greedy"], ["random", "greedy"]),
        (["random", " greedy "], ["random", "greedy"]),
        (["a:x=1,y=2,b,c:z=3"], ["a:x=1,y=2", "b", "c:z=3"]),
        (["mc:64,learned:some/path"], ["mc:64", "learned:some/path"]),
        (["a:x=1", "y=2"], ["a:x=1", "y=2"]),
    ],
)
def test_agents_are_told_from_their_settings(words, names):
    assert agent_names(words) == names


def test_names_given_again_are_numbered():
    assert told_apart(["a", "b", "a", "a#2", "a"]) == ("a", "b", "a#2", "a#2#2", "a#3")


def test_values_are_json_or_words():
    words = ["a=3", "b=wild", "c=true", "d=None", 'e={"2": 10}', "f=[2,4]", "g=True", 'h="x=y"']
    assert parse_changes(words) == {
        "a": 3,
        "b": "wild",
        "c": True,
        "d": None,
        "e": {"2": 10},
        "f": [2, 4],
        "g": True,
        "h": "x=y",
    }


@pytest.mark.parametrize("name", presets())
def test_words_give_the_rules_they_were_made_of(name):
    for rules in (Rules.preset(name), Rules.preset(name).replace(target_score=123)):
        words = words_from_rules(rules)
        changes = [word for flag, word in zip(words[2::2], words[3::2], strict=True) if flag]
        assert rules_from_words(words[1], changes) == rules


@given(st.dictionaries(st.integers(2, 8), st.integers(1, 6), min_size=1))
@settings(max_examples=20)
def test_maps_survive_as_words(hands):
    rules = Rules(hand_size={2: 5} | hands)
    words = words_from_rules(rules)
    assert rules_from_words(words[1], words[3::2]) == rules
