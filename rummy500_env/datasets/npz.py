"""An ``.npz`` file that grows by rows and never holds them in memory."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

__all__ = ["NpzFile"]

EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""Time of all members: the bytes hang on the arrays only."""


class _Growing(NamedTuple):
    file: IO[bytes]
    dtype: np.dtype[Any]
    shape: tuple[int, ...]


class NpzFile:
    """A compressed ``.npz`` file whose arrays grow by rows; a context manager.

    Rows wait in a folder beside the file, uncompressed: how many there are has to stand before
    them. The file is there, under its name, when all has gone well, and else not at all.

    Args:
        path: The file; one that is there is replaced.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._folder = TemporaryDirectory(prefix=f".{self._path.name}.", dir=self._path.parent)
        self._growing: dict[str, _Growing] = {}
        self._whole: dict[str, npt.NDArray[Any]] = {}

    def append(self, name: str, rows: npt.NDArray[Any]) -> None:
        """Add rows to an array; its first ones say of which type and shape rows are."""
        if name not in self._growing:
            file = (Path(self._folder.name) / name).open("wb")
            self._growing[name] = _Growing(file, rows.dtype, rows.shape[1:])
        grown = self._growing[name]
        if (rows.dtype, rows.shape[1:]) != (grown.dtype, grown.shape):
            raise ValueError(f"{name}: rows of {rows.dtype} {rows.shape[1:]} do not fit")
        grown.file.write(np.ascontiguousarray(rows).tobytes())

    def put(self, name: str, array: npt.NDArray[Any]) -> None:
        """Add an array that is complete."""
        self._whole[name] = array

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        with self._folder:
            for grown in self._growing.values():
                grown.file.close()
            if kind is None:
                self._finish()

    def _finish(self) -> None:
        part = Path(self._folder.name) / "whole"
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as whole:
            for name, grown in self._growing.items():
                rows = Path(self._folder.name) / name
                size = grown.dtype.itemsize * int(np.prod(grown.shape, dtype=np.int64))
                count = rows.stat().st_size // size
                with _member(whole, name) as member, rows.open("rb") as file:
                    _write_header(member, grown.dtype, (count, *grown.shape))
                    shutil.copyfileobj(file, member, 1 << 20)
            for name, array in self._whole.items():
                with _member(whole, name) as member:
                    np.lib.format.write_array(member, array, allow_pickle=False)
        part.replace(self._path)


def _member(whole: zipfile.ZipFile, name: str) -> IO[bytes]:
    about = zipfile.ZipInfo(f"{name}.npy", EPOCH)
    about.compress_type = zipfile.ZIP_DEFLATED
    return whole.open(about, "w", force_zip64=True)


def _write_header(file: IO[bytes], dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
    described = np.lib.format.dtype_to_descr(dtype)
    about = {"descr": described, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, about)
