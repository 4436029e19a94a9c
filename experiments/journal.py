"""The rows of a run while it is played, safe against being cut at any moment.

Each table grows in a file of its own, as Arrow streams one after the other. What counts is said by
``commits.jsonl``: a line holds how many deals are finished and how long each file is with them. It
is written last, so rows after the last whole line, of whichever table, are as good as not written:
they are cut off before a run goes on, and their deals are played again.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import pyarrow as pa

from experiments.errors import RunError

__all__ = ["FOLDER", "Journal"]

FOLDER: Final = "journal"
COMMITS: Final = "commits.jsonl"


class Journal:
    """The journal of a run's folder; one process at a time may have it open.

    Args:
        folder: the folder of the run.
        tables: names of its tables.

    Attributes:
        num_deals: finished deals, from the first one on, whose rows are all there.
    """

    def __init__(self, folder: Path, tables: Sequence[str]) -> None:
        self.path = folder / FOLDER
        self.path.mkdir(exist_ok=True)
        self._files: dict[str, BinaryIO] = {}
        try:
            self._commits = self._open(COMMITS)
            _lock(self._commits, folder)
            for name in tables:
                self._files[name] = self._open(f"{name}.arrows")
            last = self._last_commit()
            self.num_deals: int = last["deals"]
            for name, file in self._files.items():
                self._cut(file, last["bytes"][name])
        except BaseException:
            self.close()
            raise

    def add(self, rows: Mapping[str, pa.Table], num_deals: int) -> None:
        """Append rows of all tables, with which so many deals are finished."""
        for name, file in self._files.items():
            with pa.ipc.new_stream(file, rows[name].schema) as stream:
                stream.write_table(rows[name])
            _flush(file)
        lengths = {name: file.tell() for name, file in self._files.items()}
        line = json.dumps({"deals": num_deals, "bytes": lengths})
        self._commits.write(line.encode() + b"\n")
        _flush(self._commits)
        self.num_deals = num_deals

    def rows(self, name: str) -> Iterator[pa.Table]:
        """The rows of a table, part by part."""
        end = self._files[name].tell()
        with (self.path / f"{name}.arrows").open("rb") as file:
            while file.tell() < end:
                try:
                    yield pa.ipc.open_stream(file).read_all()
                except (pa.ArrowInvalid, OSError) as error:
                    raise RunError(f"{file.name!r} is damaged: {error}") from None

    def close(self) -> None:
        """Close the files; the journal stays."""
        for file in (
            *self._files.values(),
            *([self._commits] if hasattr(self, "_commits") else []),
        ):
            file.close()

    def remove(self) -> None:
        """Close and remove the journal: what it holds is elsewhere."""
        self.close()
        shutil.rmtree(self.path)

    def _open(self, name: str) -> BinaryIO:
        path = self.path / name
        path.touch()
        return path.open("r+b")

    def _last_commit(self) -> dict[str, Any]:
        """Return the last line all of whose rows are there; what follows it is cut off."""
        sizes = {name: os.fstat(file.fileno()).st_size for name, file in self._files.items()}
        last, length = {"deals": 0, "bytes": dict.fromkeys(self._files, 0)}, 0
        for line in self._commits:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                found = json.loads(line)
                # Without its newline a line is not whole: the next one would be written onto it.
                is_whole = line.endswith(b"\n")
                if is_whole and all(sizes[name] >= found["bytes"][name] for name in sizes):
                    last, length = found, length + len(line)
                    continue
            break
        self._cut(self._commits, length)
        return last

    @staticmethod
    def _cut(file: BinaryIO, length: int) -> None:
        file.truncate(length)
        file.seek(length)


def _flush(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _lock(file: BinaryIO, folder: Path) -> None:
    """Keep a second process out, where the system can."""
    try:
        import fcntl  # noqa: PLC0415 (not on Windows)
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise RunError(f"{str(folder)!r} is being written by another process") from None
