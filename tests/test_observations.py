"""The observation: its layout, its two forms, and that a view can be read back from it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from rummy500_env import Game, ObservationSpace, Rules
from rummy500_env.engine.jit import allocate
from rummy500_env.engine.tables import observe_table
from rummy500_env.observations import rule_entries
from rummy500_env.presets import presets
from rummy500_env.view_record import VIEW
from tests.differential.random_rules import random_rules
from tests.support.decoder import NOT_SHOWN, decode
from tests.support.games import middle_game, playing

PINNED = {2: (1207, "ebeaa4c78eb6124a"), 5: (2754, "96d60d508cac1428")}
"""Size and id of the standard game's observation: checkpoints carry them."""


def compact(game: Game, seat: int) -> npt.NDArray[np.int8]:
    """Return the observation of a seat in its `int8` form."""
    template, scale = game.observation_space.form(np.int8)
    vector = np.empty(len(scale), np.int8)
    room = allocate(1, VIEW)
    observe_table(game._record, 0, game._rules_record, seat, room, template, scale, vector)
    return vector


def samples(count: int) -> Iterator[Game]:
    """Yield games of the standard rules and of random ones at random points."""
    chooser = random.Random(count)
    for seed in range(count):
        if seed % 2:
            rules, num_players = random_rules(chooser)
            yield middle_game(num_players, seed, rules=rules, min_moves=seed)
        else:
            yield middle_game(2 + seed % 7, seed, min_moves=2 * seed)


# -- the layout -----------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", PINNED)
def test_the_standard_layout_is_pinned(num_players):
    space = ObservationSpace(Rules(), num_players)
    assert (space.size, space.id) == PINNED[num_players]


@pytest.mark.parametrize("name", presets())
def test_blocks_follow_each_other_and_tell_their_meaning(name):
    rules = Rules.preset(name)
    for num_players in rules.player_counts():
        space = ObservationSpace(rules, num_players)
        offset = 0
        for key, block in space.blocks.items():
            assert key == block.name
            assert block.offset == offset
            assert block.size == len(block.scale) > 0
            assert all(0 < scale <= 5 for scale in block.scale)
            assert block.doc
            assert space.slices[key] == slice(offset, offset + block.size)
            offset += block.size
        assert offset == space.size == len(space.scale) == len(space.template)
        assert space.scale.dtype == np.float32
        assert space.scale.tolist() == pytest.approx(
            [scale for block in space.blocks.values() for scale in block.scale]
        )


def test_layouts_are_equal_when_their_ids_are():
    space = ObservationSpace(Rules(), 2)
    assert space == ObservationSpace(Rules(target_score=300), 2)
    assert hash(space) == hash(ObservationSpace(Rules(target_score=300), 2))
    different = [
        ObservationSpace(Rules(), 3),
        ObservationSpace(Rules(num_decks=2), 2),
        ObservationSpace(Rules(stock_exhausted="reshuffle"), 2),
        ObservationSpace(Rules(ace_rank="round_the_corner"), 2),
        ObservationSpace(Rules(num_jokers=2, joker_role="wild"), 2),
    ]
    assert len({space.id, *(other.id for other in different)}) == 6
    assert space != "space"


def test_forms():
    space = ObservationSpace(Rules(), 2)
    template, scale = space.form("float32")
    assert template.dtype == scale.dtype == np.float32
    template, scale = space.form(np.int8)
    assert template.dtype == scale.dtype == np.int8
    assert set(scale) == {1}
    with pytest.raises(ValueError, match="float32 and int8"):
        space.form(np.float64)


def test_options_of_the_rules_are_shown():
    """Rules that share a layout but differ in an option give different observations."""
    base = Rules()
    shown = [rule_entries(base, 2)]
    changes: list[dict[str, Any]] = [
        {"target_score": 300},
        {"target_score": None, "max_deals": 2},
        {"hand_size": 7},
        {"drawn_discard_ban": "all_drawn"},
        {"must_discard_to_go_out": True},
        {"dig_use": "new_meld"},
        {"ace_low_value": 5},
        {"exhausted_hand_penalty": False},
        {"max_deals": 2},
        {"max_rounds": None},
        {"tie_break": "went_out"},
        {"no_progress_limit": None},
        {"max_turns": 300},
        {"num_jokers": 2, "joker_role": "wild", "joker_table_value": 0},
        {"num_jokers": 2, "joker_role": "wild", "joker_table_value": "represented"},
    ]
    for change in changes:
        shown.append(rule_entries(base.replace(**change), 2))
        assert all(-128 <= entry <= 127 for entry in shown[-1])
    assert len({tuple(entries) for entries in shown}) == len(shown)
    game = Game(base.replace(target_score=300), 2, seed=1)
    entries = compact(game, 0)[game.observation_space.slices["rules"]]
    assert entries.tolist() == rule_entries(game.rules, 2)


# -- the two forms --------------------------------------------------------------------------------


def test_the_compact_form_times_its_scale_is_the_other():
    for game in samples(30):
        for seat in range(game.num_players):
            numbers, floats = compact(game, seat), game.observe(seat)
            assert floats.dtype == np.float32
            scaled = numbers.astype(np.float32) * game.observation_space.scale
            assert scaled.tobytes() == floats.tobytes()


def test_numbers_stay_within_bounds():
    """Nothing wraps around in the compact form, and floats stay near [-1, 1]."""
    far: dict[str, float] = {}
    for game in samples(40):
        for seat in range(game.num_players):
            floats = game.observe(seat)
            numbers = floats / game.observation_space.scale
            assert np.abs(numbers - np.rint(numbers)).max() < 1e-4
            assert numbers.min() > -128.5
            assert numbers.max() < 127.5
            for name, where in game.observation_space.slices.items():
                far[name] = max(far.get(name, 0), float(np.abs(floats[where]).max()))
    assert max(value for name, value in far.items() if name != "rules") <= 5
    assert far["hand"] == far["pile_by"] == 1


@pytest.mark.parametrize("scores", [[0, -1], [128, -128], [499, -300], [16_383, -16_384]])
def test_scores_are_exact_in_two_digits(scores):
    position: dict[str, Any] = {"hands": ["2c", "3c"], "scores": scores}
    game = Game.from_position({**position, "rules": {"target_score": None, "max_deals": 3}})
    for seat in range(2):
        view = decode(compact(game, seat), game.rules, 2, seat)
        assert view["scores"][0, :2].tolist() == scores


def test_arrays_are_the_callers_own():
    game = middle_game(2, 3)
    first = game.observe(0)
    kept = first.copy()
    first[:] = 7
    assert game.observe(0).tobytes() == kept.tobytes()
    view = game.view_record(0)
    view["hand"] = 0
    assert game.view_record(0)["hand"].any()


# -- what it tells --------------------------------------------------------------------------------


def check_decoding(game: Game) -> None:
    """Read the observation of each seat back, and compare it with the seat's view."""
    hidden = NOT_SHOWN
    if "owner" not in game.observation_space.blocks:
        hidden = hidden | {"meld_owner"}  # it has no effect under these rules
    for seat in range(game.num_players):
        view = game.view_record(seat)
        told = decode(compact(game, seat), game.rules, game.num_players, seat)
        for name in view.dtype.names or ():
            if name not in hidden:
                here, there = view[name][0], told[name][0]
                assert np.array_equal(here, there), f"{name}: {here} is told as {there}"


@pytest.mark.parametrize("num_players", range(2, 9))
def test_views_can_be_read_back_from_observations(num_players):
    game = Game("rummy500", num_players, seed=num_players)
    for step, _ in enumerate(playing(game, random.Random(num_players), 400)):
        if not game.is_over and step % 11 == 0:
            check_decoding(game)


def test_views_can_be_read_back_under_random_rules():
    for game in samples(60):
        check_decoding(game)


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_one_view_can_be_read_back():
    check_decoding(middle_game(2, 5, min_moves=40))
    check_decoding(middle_game(5, 5, min_moves=40))


def test_different_views_give_different_vectors():
    """Over random play, views that differ in a field that is shown give different vectors."""
    seen: dict[bytes, bytes] = {}
    for seed in range(20):
        game = Game("rummy500", 3, seed)
        for _ in playing(game, random.Random(seed), 120):
            view = game.view_record(0)
            for name in NOT_SHOWN | {"meld_owner"}:
                if name in (view.dtype.names or ()):
                    view[name] = 0
            vector = compact(game, 0).tobytes()
            assert seen.setdefault(vector, view.tobytes()) == view.tobytes()
    assert len(seen) > 2000


def test_seats_are_relative_to_the_observer():
    """Turning the table round leaves each observation as it is."""
    for seed in range(6):
        position = middle_game(4, seed, min_moves=60).position()
        turned = Game.from_position(_turned(position))
        game = Game.from_position(position)
        for seat in range(4):
            assert turned.observe((seat + 1) % 4).tobytes() == game.observe(seat).tobytes()


def _turned(position: dict[str, Any]) -> dict[str, Any]:
    """Return a position in which everybody sits one seat further on."""

    def further(seat: int | None) -> int | None:
        return None if seat is None else (seat + 1) % 4

    turned = {
        key: [value[-1], *value[:-1]]
        if isinstance(value, list) and len(value) == 4 and key not in ("melds", "discarded_by")
        else value
        for key, value in position.items()
    }
    return {
        **turned,
        "seat": further(position["seat"]),
        "dealer": further(position["dealer"]),
        "discarded_by": [further(seat) for seat in position["discarded_by"]],
        "melds": [
            {
                **meld,
                "laid_by": [further(s) for s in meld["laid_by"]],
                "owner": further(meld["owner"]),
            }
            for meld in position["melds"]
        ],
    }


def test_an_observation_after_the_end_shows_the_final_scores():
    game = Game(Rules(target_score=20), 2, seed=4)
    for _ in playing(game, random.Random(4)):
        pass
    for seat in range(2):
        view = decode(compact(game, seat), game.rules, 2, seat)
        assert view["scores"][0, :2].tolist() == game.scores
        assert int(view["phase"][0]) == 0
        assert int(view["seat"][0]) == -1
