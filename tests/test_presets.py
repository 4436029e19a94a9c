"""The named variants and their pages."""

import pickle
import re

import pytest

from rummy500_env import rule_pages
from rummy500_env.errors import UnknownNameError
from rummy500_env.presets import CORE, PRESETS, name_of, presets
from rummy500_env.rules import Rules

DIGESTS = {
    "rummy500": "44136fa355b3678a",
    "rummy500_wikipedia": "8d4007d1a936eb3d",
    "rummy500_online": "c7dd6b29feb816cb",
    "michigan_rum": "bb4c72f798034711",
    "persian_s0": "98d32a8795bea662",
    "basic_rummy": "d8bff28378ecb147",
}


def test_names():
    assert presets()[0] == "rummy500"
    assert presets() == list(PRESETS)
    assert len(presets()) == 46
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in presets())


@pytest.mark.parametrize("name", presets())
def test_every_preset_can_be_played_by_all_it_allows(name):
    rules = Rules.preset(name)
    low, high = rules.players
    for number in range(low, high + 1):
        rules.check(number)
    assert rules.player_counts() == tuple(range(low, high + 1))
    assert Rules.from_dict(rules.to_dict()) == rules


@pytest.mark.parametrize("name", presets())
def test_every_preset_is_its_base_with_changes(name):
    preset = PRESETS[name]
    assert preset.name == name
    base = Rules() if preset.base == CORE else Rules.preset(preset.base)
    assert base.replace(**preset.changes) == Rules.preset(name)
    assert preset.base == CORE or presets().index(preset.base) < presets().index(name)
    assert preset.title
    assert preset.source


@pytest.mark.parametrize(("name", "digest"), DIGESTS.items())
def test_digests_are_pinned(name, digest):
    assert Rules.preset(name).digest == digest


def test_only_one_preset_repeats_another():
    twins = {name for name in presets() if name_of(Rules.preset(name)) != name}
    assert twins == {"bicycle_500_rum"}
    assert name_of(Rules(target_score=499)) is None


def test_some_presets_by_hand():
    assert Rules.preset("rummy500") == Rules()
    online = Rules.preset("rummy500_online_100")
    assert (online.hand(2), online.target_score, online.resolved_ban) == (13, 100, "all_drawn")
    boathouse = Rules.preset("boathouse_rum_draw2")
    assert (boathouse.stock_draw_count, boathouse.first_meld_min) == (2, 30)
    assert boathouse.stock_exhausted == "end_if_no_take"
    assert boathouse.exhausted_hand_penalty
    gambit = Rules.preset("dealers_joker_56")
    assert (gambit.jokers(4), gambit.pack_size(4), gambit.direction) == (4, 55, -1)
    persian = Rules.preset("persian_gamerules")
    assert (persian.ace_rank, persian.target_score, persian.max_deals) == ("high", None, 2)
    assert persian.tie_break == "highest"
    assert persian.card_values == "pip"
    basic = Rules.preset("basic_rummy_fixed_hands")
    assert [basic.hand(n) for n in range(2, 7)] == [10, 7, 7, 6, 6]
    assert (basic.resolved_max_turns, basic.no_progress(2)) == (5000, 40)
    jokers = Rules.preset("rummy500_wikipedia_jokers")
    assert (jokers.pack_size(4), jokers.pack_size(5)) == (54, 108)
    assert Rules.preset("final_discard").differences(Rules.preset("floating")) == {
        "floating": (False, True)
    }


def test_presets_cannot_be_changed():
    with pytest.raises(TypeError):
        PRESETS["mine"] = PRESETS["rummy500"]  # type: ignore[index]
    with pytest.raises(TypeError):
        PRESETS["target_300"].changes["target_score"] = 1  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "hint"),
    [("rummy50", "'rummy500'"), ("Michigan_Rum", "'michigan_rum'"), ("floatin", "'floating'")],
)
def test_unknown_names_are_refused_with_a_hint(name, hint):
    with pytest.raises(UnknownNameError, match=f"unknown preset '{name}'. Did you mean {hint}"):
        Rules.preset(name)


@pytest.mark.parametrize("name", ["", "zzz", None, 5])
def test_other_unknown_names_are_refused(name):
    with pytest.raises(UnknownNameError, match=r"unknown preset .* Allowed: rummy500, "):
        Rules.preset(name)


def test_an_unknown_name_remembers_what_was_asked():
    with pytest.raises(UnknownNameError) as caught:
        Rules.preset("rummy50")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.what, again.name, again.allowed) == ("preset", "rummy50", tuple(presets()))
    assert str(again) == str(caught.value)


# --- pages ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", presets())
def test_page(name):
    page = rule_pages.rules_page(name)
    rules = Rules.preset(name)
    assert page.startswith(f"# {PRESETS[name].title}\n")
    assert rules.digest in page
    headings = ("What differs", "How it is played", "Values", "Example", "Sources")
    places = [page.index(f"\n## {heading}") for heading in headings]
    assert places == sorted(places)
    for option in rules.differences():
        assert f"| `{option}` |" in page
    assert PRESETS[name].source in page
    assert len(PRESETS[name].worked_example) > 50
    assert "None points" not in page
    assert_tables_are_even(page)


def test_page_of_an_unknown_preset():
    with pytest.raises(UnknownNameError):
        rule_pages.rules_page("rummy")


def test_options_table_has_every_option_once():
    table = rule_pages.options_table()
    for option in Rules.options():
        assert table.count(f"| `{option.name}` |") == 1
    assert_tables_are_even(table)


def test_preset_table_has_every_preset_once():
    table = rule_pages.preset_table()
    assert [line.split("`")[1] for line in table.splitlines()[2:]] == presets()
    assert_tables_are_even(table)


def assert_tables_are_even(markdown):
    """Every table has as many cells in each line as in its head."""
    width = 0
    for line in markdown.splitlines():
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        if cells and width:
            assert cells == width, line
        width = cells
