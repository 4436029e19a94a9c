"""What the library says to somebody who holds it wrongly."""

import pickle
from typing import Any

import pytest

import rummy500_env as r5
from rummy500_env.errors import UnknownNameError


def test_a_move_in_the_other_form_is_told_where_it_goes():
    game = r5.Game(seed=1)
    wrong: list[Any] = ["draw", 0]
    with pytest.raises(r5.IllegalActionError, match=r"'draw' is no whole number; play\(\) takes t"):
        game.step(wrong[0])
    with pytest.raises(UnknownNameError, match=r"unknown move 0\..* step\(\) takes indices"):
        game.play(wrong[1])


@pytest.mark.parametrize("method", ["last", "observe", "action_masks", "state", "render"])
def test_an_environment_must_be_reset_first(method):
    env = r5.env(render_mode="ansi")
    arguments = ["player_0"] if method == "observe" else []
    with pytest.raises(r5.Rummy500Error, match=rf"reset\(\) the environment before {method}\(\)"):
        getattr(env, method)(*arguments)


def test_names_are_not_listed_twice_nor_all_of_many():
    for near, said in (
        ("drawn", "unknown move 'drawn'. Did you mean 'draw'?"),
        ("", "unknown move ''. Allowed: draw, dig 8h."),
    ):
        error = UnknownNameError("move", near, ["draw"] if near else ["draw", "dig 8h"])
        assert str(error) == said
        assert str(pickle.loads(pickle.dumps(error))) == said
    with pytest.raises(UnknownNameError) as caught:
        r5.Rules.preset("rumy500")
    assert str(caught.value).endswith(f" `rummy500 rules` lists all {len(r5.presets())}.")
    with pytest.raises(UnknownNameError, match="more; `rummy500 rules` lists all"):
        r5.Rules.preset("zzz")


def test_batches_show_what_they_are():
    batch = r5.BatchGame(num_games=3, seed=1)
    assert repr(batch) == "BatchGame(num_players=2, num_games=3, seed=1, episodes=0)"


def test_the_end_is_told_with_its_winners():
    game = r5.Game(seed=1, episode="round")
    assert "moves: draw" in str(game)
    while not game.is_over:
        game.play(game.legal_moves()[0])
    (winner,) = game.winners
    for text in (str(game), str(game.view(1))):
        assert f"game over, winner {winner}  dealer" in text
        assert "seat -1" not in text
