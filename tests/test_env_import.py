"""What importing the packages costs and needs, seen from a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest


def run(code, **environment: str):
    """Run code in a new process without a screen; return what it printed."""
    clean = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
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
