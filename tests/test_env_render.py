"""The table as text."""

from __future__ import annotations

import pytest

import rummy500_env as r5
from tests.support.playing import finish, steps


def _text(env):
    text = env.render()
    assert isinstance(text, str)
    return text


@pytest.mark.nojit
def test_without_a_mode_nothing_is_rendered():
    env = r5.env()
    env.reset(seed=1)
    assert env.render() is None
    env.close()


@pytest.mark.nojit
def test_the_text_shows_the_table():
    env = r5.env(render_mode="ansi")
    hands = ["7c 8c Kh 2s", "3c 4d Jh 5s"]
    env.reset(options={"position": {"hands": hands, "discard_pile": "9c 2d", "scores": [120, -5]}})
    text = _text(env)
    for shown in (*hands, "Pile  9c 2d", "[120, -5]", "seat 0 moves: draw", "Stock 42"):
        assert shown in text
    env.step(r5.ActionSpace(env.rules, 2).from_text("dig 9c"))
    assert "obliged" in _text(env)
    assert "Must use 9c" in _text(env)


@pytest.mark.nojit
def test_rendering_twice_gives_the_same_text():
    env = r5.env(num_players=3, render_mode="ansi", episode="round")
    env.reset(seed=3)
    for _ in steps(env, seed=1, limit=10):
        assert env.render() == env.render()


@pytest.mark.parametrize("num_players", [2, 5, 8])
def test_the_text_is_at_most_80_columns_wide(num_players):
    env = r5.env(num_players=num_players, render_mode="ansi")
    env.reset(seed=num_players)
    for _ in steps(env, seed=num_players):
        assert max(map(len, _text(env).splitlines())) <= 80


@pytest.mark.nojit
def test_long_lines_are_broken_between_words():
    env = r5.env(render_mode="ansi")
    pile = " ".join(f"{rank}{suit}" for suit in "cdh" for rank in "23456789TJ")
    env.reset(options={"position": {"hands": ["Ks", "Qs"], "discard_pile": pile}})
    lines = _text(env).splitlines()
    assert max(map(len, lines)) <= 80
    start = next(k for k, line in enumerate(lines) if line.startswith("Pile"))
    assert " ".join(f"{lines[start]} {lines[start + 1]}".split()) == f"Pile {pile}"
    assert (
        str(r5.Game.from_position({"hands": ["Ks", "Qs"], "discard_pile": pile})).count(pile) == 0
    )


def test_the_end_can_be_rendered():
    env = r5.env(num_players=3, render_mode="ansi", episode="round")
    env.reset(seed=3)
    finish(env)
    assert "game over, winner" in _text(env)
