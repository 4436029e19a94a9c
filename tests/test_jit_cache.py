"""The cache of compiled kernels is used when it is right, and never when it is stale.

Each test makes a package of its own, runs it in fresh processes, edits it in between and looks
at what it computes and at whether the machine code came from the cache.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from rummy500_env.engine import jit

JIT_SOURCE = Path(jit.__file__)

PACKAGE = {
    "toy/__init__.py": "",
    "toy/constants.py": "BONUS = 100\n",
    "toy/game.py": "TITLE = 'above the engine'\n",
    "toy/engine/__init__.py": "",
    "toy/engine/values.py": """
        from toy.constants import BONUS
        from toy.engine.jit import kernel

        @kernel
        def value(x):
            return x + 1 + BONUS
    """,
    "toy/engine/scores.py": """
        from toy.engine.jit import kernel
        from toy.engine.values import value

        @kernel
        def score(x):
            return 2 * value(x)
    """,
    "bots/__init__.py": "",
    "bots/weights.py": "WEIGHT = 1000\n",
    "bots/search/__init__.py": "",
    "bots/search/policy.py": """
        from bots.weights import WEIGHT
        from toy.engine.jit import kernel
        from toy.engine.values import value

        @kernel
        def choose(x):
            return WEIGHT + value(x)
    """,
    "plugin.py": """
        from bots.search.policy import choose
        from toy.engine.jit import kernel

        @kernel
        def plugged(x):
            return choose(x)
    """,
    "main.py": """
        import importlib, json, sys
        module, _, name = sys.argv[1].partition(":")
        f = getattr(importlib.import_module(module), name)
        result = f(1)
        stats = getattr(f, "stats", None)
        hits = sum(stats.cache_hits.values()) if stats else -1
        print(json.dumps([result, hits]))
    """,
}
SCORE, CHOOSE, PLUGGED = "toy.engine.scores:score", "bots.search.policy:choose", "plugin:plugged"


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> Path:
    """The package, with the machine code of all its kernels in the cache."""
    root = tmp_path_factory.mktemp("compiled")
    for name, text in PACKAGE.items():
        write(root, name, text)
    shutil.copy(JIT_SOURCE, root / "toy/engine/jit.py")
    assert run(root, SCORE) == (204, 0)
    assert run(root, PLUGGED) == (1102, 0)
    return root


@pytest.fixture
def package(compiled, tmp_path) -> Path:
    # The stamp depends on what the sources say, not on where they are: a copy is as good.
    return shutil.copytree(compiled, tmp_path / "package")


def run(root: Path, function: str, **environment: str) -> tuple[int, int]:
    """Return what a kernel computes for 1 in a new process, and how often the cache served it."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    # No .pyc files: Python believes them after an edit in the same second.
    clean["PYTHONDONTWRITEBYTECODE"] = "1"
    command = [sys.executable, "-W", "error", "main.py", function]
    done = subprocess.run(
        command, cwd=root, env=clean | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    result, hits = json.loads(done.stdout)
    return result, hits


def test_an_edit_in_another_file_is_seen(package):
    # With a plain numba.njit(cache=True) the second call returns (204, 1), the old result: score's
    # own file has not changed, so numba takes its machine code, with the old value() inside.
    assert run(package, SCORE) == (204, 1)
    edited = PACKAGE["toy/engine/values.py"].replace("x + 1", "x + 2")
    write(package, "toy/engine/values.py", edited)
    assert run(package, SCORE) == (206, 0)
    write(package, "toy/constants.py", "BONUS = 200\n")  # frozen into the machine code
    assert run(package, SCORE) == (406, 0)
    write(package, "toy/game.py", "TITLE = 'no kernel reads this'\n")
    assert run(package, SCORE) == (406, 1)


def test_kernels_outside_the_engine_see_edits_there_and_in_their_own_package(package):
    assert run(package, CHOOSE) == (1102, 1)
    write(package, "bots/weights.py", "WEIGHT = 2000\n")
    assert run(package, CHOOSE) == (2102, 0)
    write(package, "toy/constants.py", "BONUS = 200\n")
    assert run(package, CHOOSE) == (2202, 0)


def test_kernels_see_edits_in_the_packages_of_the_kernels_they_call(package):
    assert run(package, PLUGGED) == (1102, 1)
    write(package, "bots/weights.py", "WEIGHT = 2000\n")
    assert run(package, PLUGGED) == (2102, 0)


def test_code_with_and_without_bounds_checks_is_kept_apart(package):
    assert run(package, SCORE, NUMBA_BOUNDSCHECK="1") == (204, 0)
    assert run(package, SCORE, NUMBA_BOUNDSCHECK="1") == (204, 1)
    assert run(package, SCORE) == (204, 1)


def test_the_users_cache_folder_is_used_and_old_code_removed_from_it(package, tmp_path):
    folder = tmp_path / "cache"
    assert run(package, SCORE, NUMBA_CACHE_DIR=str(folder)) == (204, 0)
    before = {path.name for path in folder.rglob("*score*.nbc")}
    write(package, "toy/constants.py", "BONUS = 200\n")
    assert run(package, SCORE, NUMBA_CACHE_DIR=str(folder)) == (404, 0)
    after = {path.name for path in folder.rglob("*score*.nbc")}
    assert len(before) == len(after) == 1
    assert before != after


def test_a_fresh_index_over_old_code_is_not_believed(package):
    # numba writes the index first: so it looks when a process is stopped before it writes the code.
    folder = package / "toy/engine/__pycache__"
    old_code = {path: path.read_bytes() for path in folder.glob("scores.score*.nbc")}
    assert old_code
    write(package, "toy/constants.py", "BONUS = 200\n")
    assert run(package, SCORE) == (404, 0)
    for path in folder.glob("scores.score*.nbc"):
        path.unlink()
    for path, code in old_code.items():
        path.write_bytes(code)
    assert run(package, SCORE) == (404, 0)


@pytest.mark.parametrize("kind", ["*.nbi", "*.nbc"])
def test_a_damaged_cache_is_replaced(package, kind):
    for path in (package / "toy/engine/__pycache__").glob(kind):
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert run(package, SCORE) == (204, 0)
    assert run(package, SCORE) == (204, 1)


def test_where_nothing_can_be_written_kernels_are_compiled_each_time(package):
    # A file stands where the folders should be, which stops root too.
    for folder in package.rglob("__pycache__"):
        shutil.rmtree(folder)
        folder.write_text("")
    nowhere = str(package / "toy/engine/__pycache__")
    for _ in range(2):
        assert run(package, SCORE, HOME=nowhere, XDG_CACHE_HOME=nowhere) == (204, 0)


def test_without_the_jit_kernels_are_plain_functions(package):
    assert run(package, SCORE, NUMBA_DISABLE_JIT="1") == (204, -1)


def test_an_unknown_numba_is_refused(package):
    unknown = "\nIndexDataCacheFile = type('Changed', (IndexDataCacheFile,), {})\n"
    write(package, "toy/engine/jit.py", JIT_SOURCE.read_text() + unknown)
    with pytest.raises(AssertionError, match="could go stale"):
        run(package, SCORE)


@pytest.mark.nojit
def test_allocated_records_can_be_written_by_field():
    records = jit.allocate(2, np.dtype([("turn", np.int8), ("hand", np.uint64, (2,))]))
    assert records.shape == (2,)
    assert records.tobytes() == bytes(records.nbytes)

    @jit.kernel(cache=False)
    def touch(table, i):
        table[i].turn = 3
        table[i].hand[1] = 7

    touch(records, 1)
    assert records["turn"].tolist() == [0, 3]
    assert records["hand"].tolist() == [[0, 0], [0, 7]]
    assert pickle.loads(pickle.dumps(records)).tobytes() == records.tobytes()


def test_the_engine_imports_nothing_from_modules_left_out_of_the_digest() -> None:
    folder = Path(jit.__file__).parent
    left_out = {name.removesuffix(".py") for name in jit._LENDS_NOTHING}
    for path in folder.glob("*.py"):
        source = path.read_text()
        imported = re.findall(r"^(?:from|import) rummy500_env\.(\w+)", source, re.MULTILINE)
        assert not left_out & set(imported), path.name
