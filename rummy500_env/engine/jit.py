"""The one place that configures numba.

Every compiled function of the project is decorated with :func:`kernel`, never with
``numba.njit`` itself, for three reasons.

*Fresh caches.* ``cache=True`` stamps the compiled code of a function with the state of the one
file that the function stands in. The compiled code, however, holds that of all functions it calls
and the values of all constants it reads: after an edit in another file, numba happily loads the
old machine code and computes wrong results. :func:`kernel` stamps the cache with a digest of all
sources that can end up in a kernel, and of the flags that it is compiled with.

*One set of flags*, and one switch to turn the compiler off: with ``NUMBA_DISABLE_JIT=1`` kernels
are plain Python functions, which can be stepped through in a debugger.

*Robust caching.* The cache saves time and is never needed: where nothing can be written, kernels
are compiled in each process. Where the cache lives is the user's affair (``NUMBA_CACHE_DIR``).
"""

from __future__ import annotations

import glob
import hashlib
import pickle
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, overload

import llvmlite
import numba
import numba.core.config
import numpy as np
import numpy.typing as npt
from numba.core.caching import Cache, IndexDataCacheFile
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

__all__ = ["JIT_DISABLED", "allocate", "duplicate", "kernel", "overwrite", "picked", "source_stamp"]

Function = TypeVar("Function", bound=Callable[..., Any])

_config: Any = numba.core.config  # its values are set at run time, unknown to type checkers

JIT_DISABLED: bool = bool(_config.DISABLE_JIT)
"""True when numba was told not to compile (``NUMBA_DISABLE_JIT=1``)."""

# nogil: kernels touch arrays only, so that a thread pool can work on slices of a batch.
# error_model: no test for a zero divisor at each division; kernels never divide by zero.
# boundscheck is left to NUMBA_BOUNDSCHECK, which numba reads at compilation.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}

_ENGINE = Path(__file__).resolve().parent

# Modules beside the engine may lend it constants, which are frozen into its kernels, so they are
# part of the digest. The engine imports nothing from these (a test checks it): an edit there
# recompiles nothing.
_LENDS_NOTHING = frozenset(
    f"{name}.py"
    for name in (
        "__init__",
        "arena",
        "arguments",
        "arrays",
        "batch",
        "events",
        "explain",
        "faults",
        "game",
        "move_log",
        "networks",
        "position",
        "position_melds",
        "position_reader",
        "position_values",
        "presets",
        "refusal",
        "refusal_limits",
        "refusal_plays",
        "rollouts",
        "rule_pages",
        "rule_text",
        "search",
        "search_trees",
        "self_play",
        "version",
        "view",
        "view_reading",
    )
)

# What loading a file can raise that cannot be read, or was cut off or damaged.
_UNREADABLE = (OSError, EOFError, ValueError, KeyError, pickle.UnpicklingError)

_decorated: set[tuple[str, str]] = set()


@overload
def kernel(function: Function, /) -> Function: ...


@overload
def kernel(**options: Any) -> Callable[[Function], Function]: ...


def kernel(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Compile a function with the project's flags and a cache that is never stale.

    Used bare (``@kernel``) or with options of ``numba.njit`` (``@kernel(inline="always")``).
    Types are inferred at the first call: nothing is compiled at import. With the JIT off the
    function itself is returned.

    Args:
        function: The function to compile.
        **options: Further options of ``numba.njit``; ``cache=False`` keeps it out of the cache,
            ``vectorize=True`` lets the compiler look for loops to vectorize. That search takes a
            third of all compile time and finds nothing in the engine's short loops, so it is off
            unless asked for.

    Returns:
        The compiled function, or a decorator when only options are given.
    """
    if function is None:
        return lambda decorated: kernel(decorated, **options)
    if JIT_DISABLED:
        return function
    if not callable(function):
        raise TypeError(f"kernel decorates a function, not {function!r}: types are inferred")
    flags = {**_OPTIONS, **options}
    cached = flags.pop("cache", True)
    vectorize = flags.pop("vectorize", False)
    dispatcher = numba.njit(**flags)(function)
    _choose_vectorizers(dispatcher, vectorize)
    if cached:
        _enable_cache(dispatcher, function, flags)
    return dispatcher


def allocate(count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return ``count`` zeroed records, on which kernels work with the JIT on and off.

    Kernels write ``table[i].field``. Compiled code takes that on a plain structured array, and a
    call from Python is four times faster with one than with a recarray; plain Python takes it on
    a recarray only. So it depends on the switch what is made.
    """
    records = np.zeros(count, dtype)
    return records.view(np.recarray) if JIT_DISABLED and records.dtype.names else records


def duplicate(records: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a copy of an array of records: of its bytes, since NumPy copies field by field.

    A new array over the copied bytes costs a tenth of a view of them as records.
    """
    copied = records.view(np.uint8).copy()
    return np.ndarray.__new__(type(records), records.shape, records.dtype, copied)


def picked(records: npt.NDArray[Any], rows: npt.NDArray[np.integer[Any]]) -> npt.NDArray[Any]:
    """Return copies of some of an array of records, as bytes too."""
    raw = records.view(np.uint8).reshape(len(records), records.dtype.itemsize)
    copied = raw[rows].reshape(-1)
    return np.ndarray.__new__(type(records), (len(rows),), records.dtype, copied)


def overwrite(target: npt.NDArray[Any], source: npt.NDArray[Any]) -> None:
    """Copy an array of records over another one of the same size, as bytes."""
    raw = np.dtype((np.void, source.dtype.itemsize))
    np.copyto(target.view(raw), source.view(raw))


def source_stamp(function: Callable[..., Any], flags: dict[str, Any]) -> str:
    """Return the digest that the cached machine code of a function is valid for.

    It covers the sources of the engine and of the modules that lend it constants; of the package
    the function itself is in (or of its folder, when that is no package); of the packages of
    kernels that it calls by a global name; and versions and flags of the compiler.
    """
    digest = hashlib.sha256()
    for part in (numba.__version__, llvmlite.__version__, np.__version__):
        digest.update(part.encode() + b"\0")
    settings = (_config.BOUNDSCHECK, str(_config.OPT), sorted(flags.items()))
    digest.update(repr(settings).encode())
    digest.update(_engine_digest())
    for root in sorted(_roots(function)):
        digest.update(_folder_digest(root))
    return digest.hexdigest()


class _StampedCacheFile(IndexDataCacheFile):
    """numba's index of cached machine code, made to fit a digest of many files.

    numba writes the index before the code it points to, under numbers that it uses again: a
    process stopped in between would leave a fresh index with old code. So the names of the code
    files carry the stamp. Trouble with files is no error: the kernel is compiled once more.
    """

    def __init__(self, cache_path: str, filename_base: str, stamp: str) -> None:
        super().__init__(cache_path, filename_base, stamp)
        self._folder = Path(cache_path)
        self._base = filename_base
        self._current = f"{filename_base}.{stamp[:16]}."
        self._data_name_pattern = self._current + "{number:d}.nbc"

    def load(self, key: Any) -> Any:
        """Return the code stored under a key, or None when it cannot be had."""
        try:
            return super().load(key)
        except _UNREADABLE:
            return None

    def save(self, key: Any, data: Any) -> None:
        """Store code, and remove that of older sources."""
        with suppress(OSError):
            super().save(key, data)
            for path in self._folder.glob(glob.escape(self._base) + ".*.nbc"):
                if not path.name.startswith(self._current):
                    path.unlink()

    def _load_index(self) -> dict[Any, str]:
        try:
            return super()._load_index()
        except _UNREADABLE:
            return {}


def _choose_vectorizers(dispatcher: Any, wanted: bool) -> None:
    """Make a dispatcher compile with or without LLVM's vectorizers.

    numba has switches for all functions of a process only. They are set while one of ours is
    compiled, under the compiler's own lock, and put back.
    """
    compile_one = dispatcher.compile

    def compile_with_switches(signature: Any) -> Any:
        with global_compiler_lock:
            saved = _config.LOOP_VECTORIZE, _config.SLP_VECTORIZE
            _config.LOOP_VECTORIZE = _config.SLP_VECTORIZE = int(wanted)
            try:
                return compile_one(signature)
            finally:
                _config.LOOP_VECTORIZE, _config.SLP_VECTORIZE = saved

    dispatcher.compile = compile_with_switches


def _enable_cache(dispatcher: Any, function: Any, flags: dict[str, Any]) -> None:
    """Give a dispatcher numba's on-disk cache, stamped with :func:`source_stamp`."""
    name = (function.__code__.co_filename, function.__qualname__)
    if name in _decorated:  # the module is loaded again, perhaps after an edit
        _folder_digest.cache_clear()
        _engine_digest.cache_clear()
    _decorated.add(name)
    try:
        dispatcher.enable_caching()
    except RuntimeError:  # no folder that can be written, or a function without a file
        return
    cache = getattr(dispatcher, "_cache", None)
    old = getattr(cache, "_cache_file", None)
    known = {"_cache_path", "_index_name", "_data_name_pattern", "_source_stamp"}
    if (
        not isinstance(cache, Cache)
        or type(old) is not IndexDataCacheFile
        or known - vars(old).keys()
    ):
        raise RuntimeError(
            f"numba {numba.__version__} stores compiled functions in a way that rummy500 does not "
            "know: its cache could go stale and compute wrong results. Install the numba that "
            "this version of rummy500 was tested with, or update rummy500."
        )
    stamp = source_stamp(function, flags)
    if not Path(function.__code__.co_filename).exists():  # a notebook's cell
        stamp = hashlib.sha256(f"{stamp}{old._source_stamp!r}".encode()).hexdigest()
    # Code with bounds checks lives beside that without, so that neither run evicts the other's.
    base = old._index_name.removesuffix(".nbi") + ("-bounds" if _config.BOUNDSCHECK else "")
    cache._cache_file = _StampedCacheFile(old._cache_path, base, stamp)


def _roots(function: Any) -> set[Path]:
    """Return the folders outside the engine whose sources a function's machine code may hold."""
    names = function.__code__.co_names
    called = [function.__globals__.get(name) for name in names]
    functions = [function, *(f.py_func for f in called if isinstance(f, Dispatcher))]
    folders = {Path(f.__code__.co_filename).resolve().parent for f in functions}
    return {_package_root(folder) for folder in folders if folder != _ENGINE}


@cache
def _package_root(folder: Path) -> Path:
    """Return the folder of the outermost package that a folder belongs to."""
    while (folder / "__init__.py").exists() and (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


@cache
def _engine_digest() -> bytes:
    """Digest the sources that every kernel of the engine may hold."""
    beside = (path for path in _ENGINE.parent.glob("*.py") if path.name not in _LENDS_NOTHING)
    return _digest([*_ENGINE.rglob("*.py"), *beside], _ENGINE.parent)


@cache
def _folder_digest(root: Path) -> bytes:
    """Digest the sources of a package, or those directly in a folder that is none."""
    package = (root / "__init__.py").exists()
    return _digest(root.rglob("*.py") if package else root.glob("*.py"), root)


def _digest(paths: Any, root: Path) -> bytes:
    digest = hashlib.sha256()
    for name, path in sorted((path.relative_to(root).as_posix(), path) for path in paths):
        with suppress(OSError):  # removed in this moment
            content = path.read_bytes()
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.digest()
