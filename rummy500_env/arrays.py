"""Arrays as callers give them, checked and laid out as kernels take them.

Kernels write without looking: an array of another shape or type would be written beyond its end,
one that overlaps another would be garbled. And numba compiles a kernel anew, which takes seconds,
for an array that cannot be written or lies in strides.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.engine.jit import JIT_DISABLED
from rummy500_env.engine.state import STATE
from rummy500_env.view_record import VIEW

__all__ = [
    "as_array",
    "checked_buffer",
    "checked_buffers",
    "checked_tables",
    "checked_views",
    "whole_numbers",
]

_LARGEST = np.uint64(np.iinfo(np.int64).max)


def as_array(given: Any) -> npt.NDArray[Any]:
    """Return what NumPy makes of something; of lists of different lengths a lone object."""
    try:
        return np.asarray(given)
    except ValueError:
        return np.empty((), object)


def whole_numbers(given: Any, name: str, count: int | None) -> npt.NDArray[np.int64]:
    """Return numbers as ``int64 (count,)``, the given array itself if it is one already.

    What is too large for the type becomes its largest number: as an action it stays illegal.

    Args:
        given: An array, or what NumPy makes one of.
        name: What the error calls them.
        count: How many are needed; None for any number.

    Raises:
        ValueError: when shape or type is another.
    """
    found = as_array(given)
    shape = (count,) if count is not None else (found.size,)
    whole = found.dtype.kind in "iu" or (count is None and not found.size)
    if found.shape != shape or not whole:
        wanted = "whole numbers in a row" if count is None else f"{count} whole numbers"
        raise ValueError(
            f"{name} of shape {found.shape} and type {found.dtype}: {wanted} are needed"
        )
    if found.dtype == np.uint64:
        found = np.minimum(found, _LARGEST)
    if found.dtype == np.int64 and found.flags.carray:
        return found
    return np.array(found, np.int64, order="C")


def checked_views(views: Any, num_players: int) -> npt.NDArray[Any]:
    """Return view records as kernels take them, the given array itself where that will do.

    Raises:
        ValueError: when they are no array of view records, or of tables of another size.
    """
    _check_records("views", "view", views, VIEW, num_players)
    laid_out = views if views.flags.carray else views.copy()
    return laid_out.view(np.recarray) if JIT_DISABLED else laid_out


def checked_tables(states: Any, num_players: int) -> npt.NDArray[Any]:
    """Return an array of tables that is to be played on.

    Raises:
        ValueError: when it is none, or cannot be written, or the tables are of another size.
    """
    _check_records("states", "table", states, STATE, num_players)
    if not states.flags.carray:
        raise ValueError(f"states: an array that can be written is needed, not {_told(states)}")
    return states


def _check_records(name: str, kind: str, given: Any, dtype: np.dtype, num_players: int) -> None:
    fits = isinstance(given, np.ndarray) and given.ndim == 1
    if not fits or (given.dtype is not dtype and given.dtype != dtype):
        raise ValueError(f"{name}: an array of {kind} records is needed, not {_told(given)}")
    seats = given["num_players"]
    if not (seats == num_players).all():
        found = ", ".join(map(str, np.unique(seats)))
        raise ValueError(f"{name} of {found} seats: num_players={num_players} was said")


def checked_buffer(
    name: str, given: Any, shape: tuple[int, ...], dtype: npt.DTypeLike
) -> npt.NDArray[Any]:
    """Return an array that is to be written into.

    Raises:
        ValueError: when it is none of this shape and type, in C order, that can be written.
    """
    wanted = np.dtype(dtype)
    plain = type(given) in (np.ndarray, np.memmap)
    if not plain or (given.shape, given.dtype) != (shape, wanted) or not given.flags.carray:
        raise ValueError(
            f"buffer {name!r}: {wanted} {shape}, an array in C order that can be written, "
            f"is needed, not {_told(given)}"
        )
    return given


def checked_buffers(
    given: Mapping[str, Any], own: Mapping[str, npt.NDArray[Any]]
) -> dict[str, npt.NDArray[Any]]:
    """Return arrays that are to take the place of own ones.

    Raises:
        ValueError: when a name is unknown, an array is not like the one it stands for, or two of
            them share memory.
        TypeError: when they are not given by name.
    """
    if not isinstance(given, Mapping):
        raise TypeError(f"buffers={type(given).__name__}: arrays by name are needed")
    for name, buffer in given.items():
        if name not in own:
            raise ValueError(f"buffer {name!r}: there are {', '.join(own)}")
        checked_buffer(name, buffer, own[name].shape, own[name].dtype)
    for one, other in combinations(given, 2):
        if np.may_share_memory(given[one], given[other]):
            raise ValueError(f"buffers {one!r} and {other!r} share memory")
    return dict(given)


def _told(given: Any) -> str:
    """Say what was given in place of an array that is needed."""
    if not isinstance(given, np.ndarray):
        return f"a {type(given).__name__}"
    kind = "" if type(given) in (np.ndarray, np.recarray) else f"{type(given).__name__} "
    dtype = "records" if given.dtype.names else given.dtype
    faults = ("not in C order", "read-only", "not aligned")
    flags = (given.flags.c_contiguous, given.flags.writeable, given.flags.aligned)
    more = [fault for fault, fine in zip(faults, flags, strict=True) if not fine]
    return ", ".join([f"{kind}{dtype} {given.shape}", *more])
