"""Where the tables of a run go: into memory, or into Parquet files of a folder.

The bytes of a file hang on its rows only: rows are gathered into row groups of a fixed size,
however they come in, so memory is bounded too. A file has its name only when it is complete and
readable; while it is written it is called ``….part``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from experiments.tables import TABLES, schema

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FolderStore", "MemoryStore", "Store", "TableFile"]

ROW_GROUP: Final = 65_536
"""Rows in a row group."""


class Store(Protocol):
    """Takes the rows of a run and gives them back."""

    def add(self, tables: Mapping[str, pa.Table]) -> None:
        """Take rows of all tables."""
        ...

    def close(self) -> None:
        """Finish the tables; nothing can be added any more."""
        ...

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """A table, or some columns of it."""
        ...


def frame(store: Store, name: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """A table of a store as a DataFrame."""
    return store.table(name, columns).to_pandas()


class MemoryStore:
    """Keeps all rows in memory."""

    def __init__(self, num_players: int) -> None:
        self._parts = {name: [schema(name, num_players).empty_table()] for name in TABLES}

    def add(self, tables: Mapping[str, pa.Table]) -> None:
        """Take rows of all tables."""
        for name, rows in tables.items():
            self._parts[name].append(rows)

    def close(self) -> None:
        """Nothing is to be done."""

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
    """Writes rows to Parquet files of a folder, one for each table."""

    def __init__(self, folder: Path, num_players: int) -> None:
        self.folder = folder
        self._files = {
            name: TableFile(self.path(name), schema(name, num_players)) for name in TABLES
        }

    def path(self, name: str) -> Path:
        """The file of a table."""
        return self.folder / f"{name}.parquet"

    @property
    def num_rows(self) -> dict[str, int]:
        """Rows of each table so far."""
        return {name: file.num_rows for name, file in self._files.items()}

    def add(self, tables: Mapping[str, pa.Table]) -> None:
        """Take rows of all tables."""
        for name, rows in tables.items():
            self._files[name].add(rows)

    def close(self) -> None:
        """Finish the files."""
        for file in self._files.values():
            file.close()

    def discard(self) -> None:
        """Give up the files."""
        for file in self._files.values():
            file.discard()

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """A table, or some columns of it."""
        return read_table(self.path(name), columns)


def read_table(path: Path, columns: Iterable[str] | None = None) -> pa.Table:
    """A table of a finished run."""
    return pq.read_table(path, columns=None if columns is None else list(columns))
