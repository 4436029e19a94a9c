"""What importing the packages costs and needs, seen from a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "MPLBACKEND", "SDL_VIDEODRIVER", "QT_QPA_PLATFORM")


def run(code, **environment: str):
    """Run code in a new process without a screen; return what it printed."""
    clean = {k: v for k, v in os.environ.items() if k not in SCREENS}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        env=clean | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(
    "module", ["rummy500_env", "rummy500_env.envs.aec", "rummy500_env.envs.vector", "agents"]
)
def test_importing_compiles_nothing(module):
    code = f"""
        from numba.core import event

        with event.install_recorder("numba:compile") as compilations:
            import {module}
        print(len(compilations.buffer))
    """
    assert run(code) == ["0"]


def test_the_recorder_of_compilations_would_see_one():
    code = """
        from numba.core import event

        with event.install_recorder("numba:compile") as compilations:
            from rummy500_env.engine.jit import kernel

            @kernel(cache=False)
            def double(x):
                return 2 * x

            double(3)
        print(len(compilations.buffer) > 0)
    """
    assert run(code) == ["True"]


@pytest.mark.parametrize(
    "module", ["rummy500_env", "rummy500_env.envs.aec", "rummy500_env.envs.vector", "agents"]
)
def test_importing_needs_neither_tables_nor_pictures_nor_networks(module):
    code = f"""
        import sys

        import {module}

        heavy = ("pandas", "matplotlib", "torch", "pyarrow", "pygame", "experiments")
        print(*(name for name in heavy if name in sys.modules))
    """
    assert run(code) == []


def test_the_plain_import_does_not_make_the_environments():
    code = """
        import sys

        import rummy500_env as r5

        print("rummy500_env.envs.aec" in sys.modules)
        env = r5.env
        print("rummy500_env.envs.aec" in sys.modules, env is r5.raw_env)
    """
    assert run(code) == ["False", "True", "True"]


def test_no_screen_and_no_compiler_are_needed_to_play():
    code = """
        import rummy500_env as r5

        env = r5.env(render_mode="ansi")
        env.reset(seed=1)
        env.step(0)
        print("Hand" in env.render(), env.agent_selection)
    """
    assert run(code, NUMBA_DISABLE_JIT="1")[0] == "True"


BLOCKED = """
import importlib.abc, sys

SCREENS = ("tkinter", "_tkinter", "pygame", "PyQt5", "PyQt6", "gi", "wx")

class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in SCREENS:
            raise ImportError(f"{name} is blocked: there is no screen")

sys.meta_path.insert(0, Blocked())
"""


def test_neither_a_screen_nor_its_libraries_are_needed_for_text():
    code = """
        import gymnasium, numpy as np
        import rummy500_env as r5, agents, experiments, experiments.cli, experiments.plots

        env = r5.env(render_mode="ansi")
        env.reset(seed=1)
        one = gymnasium.make("Rummy500-v0", render_mode="ansi")
        one.reset(seed=1)
        many = gymnasium.make_vec("Rummy500-v0", num_envs=2, render_mode="ansi")
        many.reset(seed=1)
        texts = [env.render(), one.render(), *many.render(), str(r5.Game(seed=1))]
        print(*("Hand" in text for text in texts))
        print(*(type(text) is str for text in texts))
    """
    assert run(BLOCKED + textwrap.dedent(code)) == ["True"] * 10


def test_nor_for_pictures(tmp_path):
    code = f"""
        import sys
        from experiments.cli import main

        sys.argv = ["rummy500", "tournament", "--deals", "3", "--out", {str(tmp_path / "run")!r}]
        try:
            main()
        except SystemExit as end:
            assert not end.code
    """
    run(BLOCKED + textwrap.dedent(code))
    assert {path.suffix for path in (tmp_path / "run").rglob("*.*")} >= {".png", ".json"}


def test_the_blocked_libraries_would_be_missed():
    code = BLOCKED + textwrap.dedent("""
        try:
            import tkinter
        except ImportError as error:
            print(str(error).split()[0])
    """)
    assert run(code) == ["tkinter"]
