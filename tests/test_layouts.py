"""What was made with another layout is refused, and what differs is named."""

from __future__ import annotations

import json
import pickle

import pytest

from experiments.errors import RunError
from experiments.run_folder import RunFolder, run_id
from rummy500_env import ActionSpace, Game, LayoutError, ObservationSpace, Rules, game
from rummy500_env.layouts import check_layout, layout_differences

WILD = Rules(num_jokers=2, joker_role="wild")
REFILL = Rules(stock_exhausted="reshuffle")


@pytest.mark.parametrize(
    ("then", "now", "told"),
    [
        ({"a": "1"}, {"a": "1"}, []),
        ({"a": "1", "b": "2"}, {"b": "2"}, ["a is gone"]),
        ({"b": "2"}, {"a": "1", "b": "2"}, ["a is new"]),
        ({"a": "1"}, {"a": "2"}, ["a was 1, is 2"]),
        ({"a": "1", "b": "2", "c": "3"}, {"a": "1", "c": "3", "b": "2"},
         ["the order has changed from b on"]),
    ],
)  # fmt: skip
def test_differences_of_layouts(then, now, told):
    assert layout_differences(then, now) == told


@pytest.mark.parametrize("space", [ActionSpace, ObservationSpace])
def test_spaces_accept_their_own_layout_as_it_comes_from_json(space):
    for rules in (Rules(), WILD, REFILL):
        made = space(rules, 3)
        made.check(json.loads(json.dumps(made.layout)))


@pytest.mark.parametrize("space", [ActionSpace, ObservationSpace])
def test_layouts_differ_where_ids_do(space):
    made = [space(rules, n) for rules in (Rules(), WILD, REFILL) for n in (2, 3, 5)]
    for one in made:
        for other in made:
            assert (one.id == other.id) == (one.layout == other.layout)


def test_an_observation_of_another_layout_names_the_blocks():
    kept = ObservationSpace(Rules(), 2).layout
    with pytest.raises(LayoutError, match="refilled is new") as caught:
        ObservationSpace(REFILL, 2).check(kept)
    assert {text.split()[0] for text in caught.value.differences} == {
        "refilled", "refilled_drawn", "unseen_refilled", "open_stock",
    }  # fmt: skip
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.differences) == (str(caught.value), caught.value.differences)


def test_an_observation_with_another_option_names_the_option():
    kept = ObservationSpace(Rules(), 2).layout
    kept.pop("rules.floating")
    with pytest.raises(LayoutError, match=r"rules\.floating is new"):
        ObservationSpace(Rules(), 2).check(kept)


def test_actions_of_another_layout_name_the_blocks():
    with pytest.raises(LayoutError, match="actions of another layout: dig_joker is new"):
        ActionSpace(WILD, 2).check(ActionSpace(Rules(), 2).layout)


@pytest.mark.parametrize("layout", [None, "44136fa355b3678a", ["hand"]])
def test_what_is_no_layout_is_refused(layout):
    with pytest.raises(LayoutError, match="is no layout"):
        check_layout("an observation", layout, {})


def test_a_game_pickled_with_other_fields_is_refused(monkeypatch):
    pickled = pickle.dumps(Game("rummy500", 2, seed=1))
    assert pickle.loads(pickled).current_seat == Game("rummy500", 2, seed=1).current_seat
    # A field more that hides in spare bytes: all behind it would be read one byte off.
    monkeypatch.setattr(game, "_LAYOUT", game._LAYOUT | {"new_flag": "|u1()", "spare": "|u1(5,)"})
    with pytest.raises(LayoutError, match="new_flag is new; spare was"):
        pickle.loads(pickled)


def test_the_folder_of_another_run_is_refused_with_what_differs(tmp_path):
    def manifest(**settings: object) -> dict[str, object]:
        return {"kind": "tournament", "settings": settings, "run_id": run_id(settings)}

    RunFolder(tmp_path, manifest(seed=1, rules={"target_score": 300}))
    with pytest.raises(RunError, match=r"rules\.target_score is gone; rules\.floating is new"):
        RunFolder(tmp_path, manifest(seed=1, rules={"floating": True}))
    with pytest.raises(RunError, match="seed was 1, is 2"):
        RunFolder(tmp_path, manifest(seed=2, rules={"target_score": 300}))
