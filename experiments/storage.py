"""Where the tables of a run go: into memory, or into Parquet files of a folder.

While a run is played its rows go into a journal (`experiments.journal`), which survives whatever
happens to the process; the Parquet files are made of it at the end. The bytes of a file hang on its
rows only: rows are gathered into row groups of a fixed size, however they come in, so memory is
bounded too. A file has its name only when it is complete and readable; while it is written it is
called ``….part``.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from experiments.errors import RunError
from experiments.journal import Journal
from experiments.recording import write_records
from experiments.tables import schema

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FinishedStore", "FolderStore", "MemoryStore", "Store", "TableFile", "frame"]

ROW_GROUP: Final = 65_536
"""Rows in a row group."""
COMMIT_ROWS: Final = 65_536
"""Rows after which they are written to the journal."""
COMMIT_SECONDS: Final = 2.0
"""Time after which they are: what a run loses at most when it is killed."""


class Store(Protocol):
    """Takes the rows of a run and gives them back."""

    def add(self, tables: Mapping[str, pa.Table], num_deals: int) -> None:
        """Take rows of all tables, with which so many deals of the run are finished."""
        ...

    def rows(self, name: str) -> Iterator[pa.Table]:
        """The rows of a table with a column ``deal``, part by part of whole deals."""
        ...

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """A table, or some columns of it."""
        ...


def frame(store: Store, name: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """A table of a store as a DataFrame."""
    return store.table(name, columns).to_pandas()


class MemoryStore:
    """Keeps all rows in memory."""

    def __init__(self, num_players: int, names: Iterable[str]) -> None:
        self._parts = {name: [schema(name, num_players).empty_table()] for name in names}

    def add(self, tables: Mapping[str, pa.Table], num_deals: int) -> None:
        """Take rows of all tables."""
        for name, rows in tables.items():
            self._parts[name].append(rows)

    def rows(self, name: str) -> Iterator[pa.Table]:
        """The rows of a table, part by part of whole deals."""
        return iter(self._parts[name][1:])

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """A table, or some columns of it."""
        whole = pa.concat_tables(self._parts[name])
        return whole if columns is None else whole.select(list(columns))


class TableFile:
    """A Parquet file that grows by rows.

    Args:
        path: its name when it is complete.
        shape: its schema.
        row_group: rows in a row group.
    """

    def __init__(self, path: Path, shape: pa.Schema, row_group: int = ROW_GROUP) -> None:
        self.path = path
        self.num_rows = 0
        self._part = path.with_name(path.name + ".part")
        self._shape = shape
        self._row_group = row_group
        self._waiting: list[pa.Table] = []
        self._num_waiting = 0
        self._writer = pq.ParquetWriter(self._part, shape, compression="zstd", version="2.6")

    def add(self, rows: pa.Table) -> None:
        """Add rows."""
        self._waiting.append(rows)
        self._num_waiting += rows.num_rows
        self.num_rows += rows.num_rows
        if self._num_waiting >= self._row_group:
            whole = pa.concat_tables(self._waiting)
            start = 0
            while whole.num_rows - start >= self._row_group:
                self._write(whole.slice(start, self._row_group))
                start += self._row_group
            self._waiting = [whole.slice(start)]
            self._num_waiting = whole.num_rows - start

    def close(self) -> None:
        """Write what is left, and give the file its name."""
        self._write(pa.concat_tables([self._shape.empty_table(), *self._waiting]))
        self._writer.close()
        self._part.replace(self.path)

    def discard(self) -> None:
        """Give up the file."""
        self._writer.close()
        self._part.unlink(missing_ok=True)

    def _write(self, rows: pa.Table) -> None:
        if rows.num_rows:
            # one piece a column: pages then hang on the rows only
            self._writer.write_table(rows.combine_chunks(), row_group_size=self._row_group)


class FolderStore:
    """Keeps rows in the journal of a folder, and writes Parquet files, one for each table.

    Args:
        folder: the folder; rows that its journal holds already are there.
        num_players: seats at each table.
        names: names of the tables.
        records: whether records of the games are kept too; they come as a table ``records``.
    """

    def __init__(
        self, folder: Path, num_players: int, names: Iterable[str], records: bool = False
    ) -> None:
        self.folder = folder
        self._schemas = {name: schema(name, num_players) for name in names}
        self._names = (*self._schemas, *(["records"] if records else []))
        self._journal = Journal(folder, self._names)
        self._waiting: list[Mapping[str, pa.Table]] = []
        self._num_waiting = 0
        self._played = self._journal.num_deals
        self._last_commit = time.monotonic()

    @property
    def num_deals(self) -> int:
        """Finished deals in the journal."""
        return self._journal.num_deals

    def add(self, tables: Mapping[str, pa.Table], num_deals: int) -> None:
        """Take rows of all tables, with which so many deals of the run are finished."""
        self._waiting.append(tables)
        self._played = num_deals
        self._num_waiting += sum(rows.num_rows for rows in tables.values())
        late = time.monotonic() - self._last_commit > COMMIT_SECONDS
        if late or self._num_waiting >= COMMIT_ROWS:
            self.commit()

    def commit(self) -> None:
        """Write what waits to the journal."""
        if self._waiting:
            together = {
                name: pa.concat_tables([part[name] for part in self._waiting])
                for name in self._names
            }
            self._journal.add(together, self._played)
            self._waiting, self._num_waiting = [], 0
        self._last_commit = time.monotonic()

    def rows(self, name: str) -> Iterator[pa.Table]:
        """The rows of a table that the journal holds, part by part of whole deals."""
        return self._journal.rows(name)

    def finish(self) -> dict[str, int]:
        """Write the files of all that was added; returns the rows of each table."""
        self.commit()
        counts: dict[str, int] = {}
        for name, shape in self._schemas.items():
            file = TableFile(self.path(name), shape)
            try:
                for rows in self._journal.rows(name):
                    file.add(rows)
                file.close()
            except BaseException:
                file.discard()
                raise
            counts[name] = file.num_rows
        if "records" in self._names:
            write_records(self.folder, self._journal.rows("records"))
        return counts

    def close(self, keep_journal: bool) -> None:
        """Close the journal, and remove it unless the run is to go on some time."""
        if keep_journal:
            self._journal.close()
        else:
            self._journal.remove()

    def path(self, name: str) -> Path:
        """The file of a table."""
        return table_path(self.folder, name)

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """A table, or some columns of it."""
        return read_table(self.path(name), columns)


class FinishedStore:
    """The tables of a folder whose run has ended.

    Args:
        folder: the folder.
        num_rows: rows that each table is to have; `RunError` when one is damaged or differs.
    """

    def __init__(self, folder: Path, num_rows: Mapping[str, int]) -> None:
        self.folder = folder
        for name, wanted in num_rows.items():
            path = table_path(folder, name)
            with _readable(path), pq.ParquetFile(path) as file:
                there = file.metadata.num_rows
            if there != wanted:
                raise RunError(f"{str(path)!r} has {there} rows, and its run wrote {wanted}")

    def add(self, tables: Mapping[str, pa.Table], num_deals: int) -> None:
        """Refuse rows: the run has ended."""
        raise RunError(f"the run in {str(self.folder)!r} has ended")

    def rows(self, name: str) -> Iterator[pa.Table]:
        """The rows of a table with a column ``deal``, part by part of whole deals."""
        path = table_path(self.folder, name)
        rest: pa.Table | None = None
        with _readable(path), pq.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                part = file.read_row_group(group)
                part = part if rest is None else pa.concat_tables([rest, part])
                deal = part["deal"].to_numpy()
                last = int(np.searchsorted(deal, deal[-1]))
                yield part.slice(0, last)
                rest = part.slice(last)
        if rest is not None:
            yield rest

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """A table, or some columns of it."""
        return read_table(table_path(self.folder, name), columns)


def table_path(folder: Path, name: str) -> Path:
    """The file of a table in a run's folder."""
    return folder / f"{name}.parquet"


def read_table(path: Path, columns: Iterable[str] | None = None) -> pa.Table:
    """A table of a finished run.

    Raises:
        RunError: when the file is missing or damaged.
    """
    with _readable(path):
        return pq.read_table(path, columns=None if columns is None else list(columns))


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Say in a line what is wrong with a file."""
    try:
        yield
    except FileNotFoundError:
        raise RunError(f"{str(path)!r} is missing") from None
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        raise RunError(f"{str(path)!r} is damaged: {error}") from None
