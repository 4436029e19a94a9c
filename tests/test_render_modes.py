"""How environments show their tables: text, pixels, a window."""

from __future__ import annotations

import copy
import io
import os
import pickle
import re
import sys
from typing import Any

import gymnasium
import numpy as np
import pettingzoo.test
import pytest

import rummy500_env as r5
from rummy500_env.pictures import size_of
from rummy500_env.render import colour
from rummy500_env.render.raster import svg_to_array, svg_to_png
from rummy500_env.render.screen import FRAMES_PER_SECOND, MANY_MODES, MODES, Screen

tools: Any = pettingzoo.test


def single(**settings: Any) -> Any:
    return gymnasium.make("Rummy500-v0", **settings)


def many(**settings: Any) -> Any:
    return gymnasium.make_vec("Rummy500-v0", num_envs=2, **settings)


MAKERS = {"aec": r5.env, "single": single, "many": many}


@pytest.mark.parametrize("name", MAKERS)
def test_the_metadata_say_which_modes_there_are(name):
    env: Any = MAKERS[name]()
    modes = MANY_MODES if name == "many" else MODES
    assert env.metadata["render_modes"] == modes
    assert env.metadata["render_fps"] == FRAMES_PER_SECOND
    with pytest.raises(ValueError, match="'ansi'"):
        type(env.unwrapped)(render_mode="text")


@pytest.mark.parametrize("name", MAKERS)
def test_pixels_are_those_of_the_picture_and_as_many_at_all_times(name):
    env: Any = MAKERS[name](render_mode="rgb_array", num_players=3)
    env.reset(seed=1)
    frames = env.render() if name == "many" else (env.render(),)
    assert len(frames) == (2 if name == "many" else 1)
    width, height = size_of(3)
    for frame in frames:
        assert frame.shape == (height, width, 3)
        assert frame.dtype == np.uint8
        assert len(np.unique(frame[::4, ::4].reshape(-1, 3), axis=0)) > 50
    if name == "aec":
        assert np.array_equal(frames[0], svg_to_array(r5.Game(num_players=3, seed=1).svg()))
        env.step(env.unwrapped.action_masks().argmax())
        later = env.render()
        assert later.shape == frames[0].shape
        assert not np.array_equal(later, frames[0])


@pytest.mark.nojit
def test_a_picture_can_be_scaled():
    svg = r5.Game.from_position({"hands": ["2c", "3d"], "discard_pile": "9c"}).svg()
    assert svg_to_array(svg, 250).shape == (141, 250, 3)
    assert svg_to_png(svg, 250).startswith(b"\x89PNG")


@pytest.mark.nojit
def test_text_in_pictures_is_drawn():
    svg = r5.Game.from_position({"hands": ["2c", "3d"], "discard_pile": "9c"}).svg()
    title = svg_to_array(svg)[10:35, 15:300]
    assert (title.sum(axis=2) < 200).sum() > 100  # dark letters, on machines without fonts too


def test_pettingzoos_test_of_rendering_passes(monkeypatch):
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    made = []

    def make(**settings: Any) -> Any:
        made.append(r5.env(episode="round", num_players=2, **settings))
        return made[-1]

    tools.render_test(make)
    assert [env.render_mode for env in made] == ["human", *MODES]
    for env in made:
        env.close()


@pytest.mark.parametrize("name", ["aec", "single"])
def test_a_window_shows_each_step_and_can_be_closed(name, monkeypatch):
    pygame = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env: Any = MAKERS[name](render_mode="human").unwrapped
    seen = []
    flip = pygame.display.flip
    monkeypatch.setattr(pygame.display, "flip", lambda: seen.append(flip()))
    env.reset(seed=1)
    assert len(seen) == 1
    env.step(int(env.action_masks().argmax()))
    assert len(seen) == 2
    assert env.render() is None
    assert pygame.display.get_caption()[0] == "Rummy 500"
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    assert np.ptp(shown) > 200
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.render_mode == "human"
        assert twin._screen._window is None
    env.close()
    env.close()
    assert not pygame.display.get_init()


def show(env: Any) -> None:
    env.reset(seed=1)
    env.render()


@pytest.mark.parametrize(
    ("module", "mode", "package"),
    [
        ("resvg_py", "rgb_array", "resvg-py"),
        ("PIL", "rgb_array", "pillow"),
        ("pygame", "human", "pygame-ce"),
    ],
)
def test_what_is_missing_is_said_in_a_line(module, mode, package, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)  # importing it fails
    env = r5.env(render_mode=mode)
    line = f"package {package} is not installed: pip install 'rummy500[pictures]'"
    with pytest.raises(r5.Rummy500Error, match=re.escape(line)):
        show(env)
    assert r5.Game(seed=1).svg().startswith("<svg")


@pytest.mark.parametrize("driver", ["none-such", None])
def test_without_a_display_a_window_is_refused(driver, monkeypatch):
    pygame = pytest.importorskip("pygame")
    pygame.display.quit()
    if driver is not None:
        monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    else:  # what pygame does without a display, wherever the test runs
        monkeypatch.delenv("SDL_VIDEODRIVER")
        monkeypatch.setattr(pygame.display, "get_driver", lambda: "offscreen")
        monkeypatch.setattr(pygame.display, "init", lambda: None)
    with pytest.raises(
        r5.Rummy500Error, match=r"needs a display .*'rgb_array' and 'ansi' need none"
    ):
        r5.env(render_mode="human").reset(seed=1)
    assert not pygame.display.get_init()


# -- text for terminals ----------------------------------------------------------------------------


class Terminal(io.TextIOWrapper):
    """A terminal of some encoding."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding)

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "name", "posix")


def seen(text: str) -> str:
    """What is seen of a text with colours."""
    return text.replace("\x1b[0m", "").replace("\x1b[31m", "").replace("\x1b[1m", "")


@pytest.mark.usefixtures("terminal")
def test_a_terminal_gets_colours_and_signs():
    shown = colour.for_stream("dig 7h, meld Qs-As, **", Terminal())
    assert "\x1b[31m7♥\x1b[0m" in shown
    assert seen(shown).startswith("dig 7♥, meld Q♠-A♠")
    assert colour.for_stream("dig 7h", Terminal("ascii")) == "dig \x1b[31m7h\x1b[0m"


@pytest.mark.usefixtures("terminal")
def test_elsewhere_text_stays_plain(monkeypatch):
    assert colour.for_stream("dig 7h", io.StringIO()) == "dig 7h"
    monkeypatch.setenv("TERM", "dumb")
    assert colour.for_stream("dig 7h", Terminal()) == "dig 7h"
    monkeypatch.delenv("TERM")
    monkeypatch.setenv("NO_COLOR", "1")
    assert colour.for_stream("dig 7h", Terminal()) == "dig 7h"


@pytest.mark.usefixtures("terminal")
def test_words_are_no_cards():
    assert colour.coloured("discard a hand of Kc, mc:64", True) == (
        "discard a hand of \x1b[32mK♣\x1b[0m, mc:64"
    )


@pytest.mark.usefixtures("terminal")
def test_ansi_is_in_colour_on_a_terminal_only(monkeypatch):
    env = r5.env(render_mode="ansi")
    env.reset(seed=1)
    plain = env.render()
    assert isinstance(plain, str)
    assert plain.isascii()
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert "\x1b[31m" in str(env.render())


def test_without_a_mode_nothing_is_shown():
    assert Screen(None).show(r5.Game(seed=1).state(), r5.Rules()) is None
