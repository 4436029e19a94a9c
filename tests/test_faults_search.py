"""What goes wrong in a search: moves, masks, policies and beliefs; the worlds stand."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

import rummy500_env as r5
from rummy500_env.presets import presets
from rummy500_env.search_trees import SearchTree
from tests.support.games import middle_game, state_bytes
from tests.test_faults_agents import failing_policy

NO_MOVES = [None, 1.0, float("nan"), True, np.True_, [0], b"draw", {}, np.array([0])]


def _worlds(seed: int = 4, count: int = 20) -> tuple[r5.PlayerView, r5.Worlds]:
    game = middle_game(2, seed)
    view = game.view(game.current_seat)
    return view, r5.Worlds.of_view(view, count, 1)


def _bytes(worlds: r5.Worlds) -> list[bytes]:
    return [state_bytes(worlds[k]) for k in range(len(worlds))]


@pytest.mark.parametrize("move", [*NO_MOVES, -1, 635, 2**70, "pass", "dig 99"], ids=repr)
def test_what_is_no_legal_move_is_refused_and_changes_nothing(move):
    view, worlds = _worlds()
    before = _bytes(worlds)
    with pytest.raises((r5.IllegalActionError, r5.UnknownNameError)):
        worlds.play(move)
    assert _bytes(worlds) == before
    with pytest.raises((r5.IllegalActionError, r5.UnknownNameError)):
        view.after(move)
    worlds.play(view.moves()[0])


@pytest.mark.parametrize("index", [20, -21, 1.0, "0", None, slice(0, 2), True, 2**70], ids=repr)
def test_tables_are_taken_by_their_numbers(index):
    _, worlds = _worlds()
    with pytest.raises(IndexError, match=r"table .* of 20"):
        worlds[index]
    assert worlds[cast(Any, np.int8(-1))] == worlds[19]


@pytest.mark.parametrize("count", [-1, 1.0, True, None, "3"], ids=repr)
def test_worlds_are_counted_in_whole_numbers(count):
    view, _ = _worlds()
    with pytest.raises(ValueError, match=r"count=.*: a whole number from 0 on is needed"):
        r5.Worlds.of_view(view, count)
    with pytest.raises(ValueError, match=r"tries=.*: a whole number from 1 on is needed"):
        view.determinize(1, weight=lambda world: 1.0, tries=count)
    assert len(r5.Worlds.of_view(view, 0)) == 0


@pytest.mark.parametrize(
    "rows", [[0.7], [np.nan], [True], ["0"], [[0]], [[0], [0, 0]], 0, None, object()], ids=repr
)
def test_rows_are_whole_numbers(rows):
    view, _ = _worlds()
    with pytest.raises(ValueError, match=r"rows of shape .* whole numbers in a row are needed"):
        r5.Worlds.of_views(view.record, rows, view.rules, 2)


@pytest.mark.parametrize(
    ("states", "said"),
    [
        (5, "an array of table records"),
        (r5.Game(seed=1).view_record(0), "an array of table records"),
        (r5.Game(num_players=3, seed=1)._record, "states of 3 seats: num_players=2"),
        (np.frombuffer(r5.Game(seed=1).to_bytes(), r5.Game(seed=1)._record.dtype), "read-only"),
        (np.repeat(r5.Game(seed=1)._record, 4)[::2], "not in C order"),
    ],
    ids=["a number", "views", "other seats", "read-only", "strides"],
)
def test_worlds_are_made_of_tables(states, said):
    with pytest.raises(ValueError, match=said):
        r5.Worlds(states, r5.Rules(), 2)


@pytest.mark.parametrize("seat", [2, -1, 1.0, True, None, "0", 2**70], ids=repr)
def test_seats_are_whole_numbers_of_the_table(seat):
    game = r5.Game(seed=1)
    for look in (game.view, game.observe, game.events, game.view_record):
        with pytest.raises(IndexError, match=r"seat .* is outside 0\.\.1"):
            look(seat)
    with pytest.raises(IndexError, match=r"seat .* is outside 0\.\.1"):
        game.determinize(seat, 1)
    with pytest.raises(IndexError, match=r"seat .* is outside 0\.\.1"):
        game.view(0).known(seat)
    assert game.view(cast(Any, np.int8(1))).seat == 1


# -- after-states ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", presets())
def test_after_states_of_illegal_moves_are_refused(name):
    """They would be computed all the same, and written wherever they lead."""
    rules = r5.Rules.preset(name)
    num_players = rules.player_counts()[0]
    for seed in range(3):
        games = [middle_game(num_players, 3 * seed + k, rules=rules) for k in range(2)]
        views = np.concatenate([game.view_record(game.current_seat) for game in games])
        masks = np.stack([game.action_mask() for game in games])
        legal = r5.afterstates(views, masks, rules, num_players)
        assert len(legal.views) == masks.sum()
        chooser = np.random.default_rng(seed)
        for wrong in chooser.choice(np.flatnonzero(masks[1] == 0), 8, replace=False):
            one = masks.copy()
            one[1, wrong] = 1
            with pytest.raises(r5.IllegalActionError, match="row 1 has a move that is not legal"):
                r5.afterstates(views, one, rules, num_players)
        with pytest.raises(r5.IllegalActionError, match="row 0"):
            r5.afterstates(views, np.ones_like(masks), rules, num_players)


def test_who_is_not_to_move_has_no_after_states():
    game = r5.Game(seed=1)
    waiting = game.view_record(1 - game.current_seat)
    with pytest.raises(r5.IllegalActionError, match="row 0"):
        r5.afterstates(waiting, game.action_mask()[None], game.rules, 2)
    nothing = np.zeros((1, 635), np.int8)
    assert len(r5.afterstates(waiting, nothing, game.rules, 2).views) == 0


def test_masks_are_whole_numbers_or_bool():
    game = r5.Game(seed=1)
    view, mask = game.view_record(game.current_seat), game.action_mask()[None]
    expected = r5.afterstates(view, mask, game.rules, 2)
    for given in (mask > 0, mask.tolist(), mask.astype(np.uint8) * 255, np.asfortranarray(mask)):
        found = r5.afterstates(view, given, game.rules, 2)
        assert found.views.tobytes() == expected.views.tobytes()
    for given in (mask * 0.5, mask * np.nan, mask.astype(object), mask.astype("U1"), mask[0], 1):
        with pytest.raises(ValueError, match=r"action_masks of shape .*\(1, 635\) of whole"):
            r5.afterstates(view, given, game.rules, 2)


# -- policies ----------------------------------------------------------------------------------


def test_an_illegal_action_in_a_rollout_is_named_and_changes_no_world():
    from tests.test_arena import always_draw

    view, worlds = _worlds()
    before = _bytes(worlds)
    told = r"policy 'always_draw' chose an illegal action in decision \d+ at seat \d of table \d+ "
    with pytest.raises(r5.IllegalActionError, match=told + r"\(legal: '"):
        worlds.rollout(always_draw, 1)
    assert _bytes(worlds) == before
    game = middle_game(2, 4)
    kept = state_bytes(game)
    with pytest.raises(r5.IllegalActionError, match=told):
        game.rollout(always_draw, 1)
    assert state_bytes(game) == kept
    worlds.play(view.moves()[0])


def test_what_a_policy_raises_in_a_rollout_is_named_and_changes_no_world():
    view, worlds = _worlds()
    before = _bytes(worlds)
    told = r"policy 'failing_policy' failed in decision 9 at seat \d of table \d+ \(legal: '.*"
    with pytest.raises(r5.AgentError, match=told + "ValueError: out of ideas") as caught:
        worlds.rollout(failing_policy, 1)
    assert isinstance(caught.value.__cause__, ValueError)
    assert _bytes(worlds) == before
    with pytest.raises(r5.AgentError, match=told):
        r5.Game(seed=1).rollout(failing_policy)
    worlds.play(view.moves()[0])


def test_what_a_policy_does_wrong_is_named_where_all_moves_are_tried():
    from tests.test_arena import always_draw

    view, worlds = _worlds()
    before, legal = _bytes(worlds), [move.index for move in view.moves()]
    told = r"in decision \d+ at seat \d of table \d+ \(legal: '"
    for search in (worlds.outcomes, lambda _, policy: SearchTree(worlds, policy).grow(200)):
        chose = "policy 'always_draw' chose an illegal action "
        with pytest.raises(r5.IllegalActionError, match=chose + told):
            search(legal, always_draw)
        with pytest.raises(r5.AgentError, match="policy 'failing_policy' failed " + told) as caught:
            search(legal, failing_policy)
        assert isinstance(caught.value.__cause__, ValueError)
        assert _bytes(worlds) == before


# -- beliefs -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "weight",
    ["a", None, np.ones(3), np.ones(1), 1j, -1, np.inf, np.nan, 0, [1]],
    ids=repr,
)
def test_what_are_no_weights_is_refused(weight):
    view, _ = _worlds()
    with pytest.raises(ValueError, match="they must be finite, not negative, and not all 0"):
        view.determinize(1, weight=lambda world: weight)


@pytest.mark.parametrize("weight", [1e308, 5e-324, 2, np.float32(0.5), True, np.array(0.5)])
def test_weights_of_any_size_are_fine(weight):
    view, _ = _worlds()
    world = view.determinize(1, weight=lambda world: weight)
    assert world.legal_moves() == sorted(view.moves())


def test_a_belief_may_play_with_the_worlds_it_is_shown():
    view, _ = _worlds()

    def scribble(world: Any) -> float:
        while not world.is_over:
            world.step(world.legal_actions()[0])
        return 1.0

    assert view.determinize(1, weight=scribble).legal_moves() == sorted(view.moves())
    with pytest.raises(ZeroDivisionError):
        view.determinize(1, weight=lambda world: 1 / 0)
