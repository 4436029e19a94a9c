"""Cold and warm start: what the first tournament on a machine waits for, and every later one.

A fresh process imports the package and plays the default agents over a few deals. Cold: with an
empty folder for compiled kernels (``NUMBA_CACHE_DIR``), so all that the tournament needs is
compiled. Warm: the same once more. Python's own compiled files are there both times.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from experiments.benchmarks.harness import Figure
from experiments.benchmarks.play import BenchError

__all__ = ["starts"]

CACHE: Final = "cache"

_ROOT = Path(__file__).resolve().parents[2]
"""Where the packages lie: from here they are found, installed or not."""

_SCRIPT = """
import sys, time
start = time.perf_counter()
import rummy500_env
seconds = time.perf_counter() - start
from experiments.cli import main
status = main(["tournament", "--deals", "4", "--no-pictures", "--out", sys.argv[1]])
print(seconds)
sys.exit(status)
"""


def starts() -> Iterator[Figure]:
    """Measure a cold and a warm start, each once; takes as long as all kernels take to compile."""
    with tempfile.TemporaryDirectory(prefix="rummy500-bench-") as name:
        folder = Path(name)
        imported, total = _start(folder, "cold")
        kept = _cached(folder)
        about = {"import_seconds": imported, "new_cache_files": len(kept)}
        yield Figure("cold start: import and tournament", "s", (total,), about=about)
        imported, total = _start(folder, "warm")
        new = len(_cached(folder) - kept)
        about = {"import_seconds": imported, "new_cache_files": new}
        label = "warm start: import and tournament"
        if new:
            label = "not warm: sources were edited meanwhile"
        yield Figure(label, "s", (total,), about=about)
        yield Figure("  of it: import rummy500_env", "s", (imported,))


def _cached(folder: Path) -> set[Path]:
    return {path for path in (folder / CACHE).rglob("*") if path.is_file()}


def _start(folder: Path, name: str) -> tuple[float, float]:
    """Run the script in a process; return seconds for the import and in all."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / CACHE)}
    command = [sys.executable, "-c", _SCRIPT, str(folder / name)]
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=_ROOT, env=environment, capture_output=True, text=True, check=False
    )
    total = time.perf_counter() - start
    if done.returncode:
        raise BenchError(f"{name} start: the tournament failed: {done.stderr.strip()}")
    return float(done.stdout.split()[-1]), total
