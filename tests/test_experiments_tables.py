"""The tables: declared once, files whose bytes hang on their rows only."""

import itertools
import json
import shutil

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments import run_folder, tables
from experiments.errors import RunError
from experiments.run_folder import MANIFEST, RunFolder
from experiments.storage import TableFile
from experiments.tournament import tournament
from rummy500_env.engine.state import ENDINGS, TRUNCATIONS
from rummy500_env.rules import Rules

SHAPE = pa.schema([pa.field("x", pa.int64()), pa.field("name", pa.string())])


def rows(first, stop):
    numbers = range(first, stop)
    return pa.table({"x": numbers, "name": [f"n{i % 3}" for i in numbers]}, schema=SHAPE)


# --- declarations --------------------------------------------------------------------------------


def test_every_column_has_a_type_and_a_meaning():
    for table in tables.TABLES:
        declared = tables.columns(table, 3)
        assert len({column.name for column in declared}) == len(declared)
        for column in declared:
            assert pa.type_for_alias(column.type) is not None
            assert column.doc


def test_schema_and_documentation_come_from_the_declaration():
    shape = tables.schema("rounds", 3)
    assert shape.names[-3:] == ["score_0", "score_1", "score_2"]
    assert shape.field("turns").metadata == {b"unit": b"turns", b"doc": b"turns of all seats"}
    page = tables.documentation()
    for table in tables.TABLES:
        assert f"## `{table}`" in page
    assert "| `score_{seat}` | int32 | points | score of the seat in this round |" in page


def test_the_columns_of_seats_are_a_contract():
    names = [column.name for column in tables.columns("seats", 2)]
    assert " ".join(names) == (
        "game_id deal seating seat agent score rank won rounds points_melded points_laid_off "
        "hand_penalty went_out digs dug_cards decisions forfeits cheats"
    )


def test_every_ending_of_the_engine_has_its_word():
    (how,) = [column for column in tables.TABLES["rounds"] if column.name == "how"]
    (limit,) = [column for column in tables.TABLES["games"] if column.name == "truncated_by"]
    assert all(f"{word} (" in how.doc for word in ENDINGS[1:])
    assert all(word in limit.doc for word in TRUNCATIONS[1:])
    rules = Rules.preset("rummy500_online").replace(clock_budget=60)
    played = tournament(["random", "greedy"], rules, deals=20, episode="game")
    assert "clock" in set(played.rounds["how"]) <= set(ENDINGS[1:])


# --- files ---------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 40), max_size=8))
@settings(max_examples=25)
def test_bytes_hang_on_the_rows_not_on_how_they_come(tmp_path_factory, sizes):
    folder = tmp_path_factory.mktemp("bytes")
    edges = np.cumsum([0, *sizes]).tolist()
    for name, cuts in (("parts", edges), ("whole", [0, edges[-1]])):
        file = TableFile(folder / name, SHAPE, row_group=16)
        for first, stop in itertools.pairwise(cuts):
            file.add(rows(first, stop))
        file.close()
    assert (folder / "parts").read_bytes() == (folder / "whole").read_bytes()
    found = pq.ParquetFile(folder / "parts")
    assert found.read().equals(rows(0, edges[-1]))
    assert found.num_row_groups == -(-edges[-1] // 16)


def test_a_file_has_its_name_only_when_it_is_complete(tmp_path):
    file = TableFile(tmp_path / "t.parquet", SHAPE)
    file.add(rows(0, 5))
    assert not (tmp_path / "t.parquet").exists()
    file.close()
    assert [path.name for path in tmp_path.iterdir()] == ["t.parquet"]
    assert pd.read_parquet(tmp_path / "t.parquet")["x"].tolist() == list(range(5))
    other = TableFile(tmp_path / "u.parquet", SHAPE)
    other.discard()
    assert [path.name for path in tmp_path.iterdir()] == ["t.parquet"]


# --- folders -------------------------------------------------------------------------------------


def manifest(settings):
    return {"kind": "tournament", "settings": settings, "run_id": run_folder.run_id(settings)}


def finished(path, deals_played, **settings: object):
    folder = RunFolder(path, manifest(settings))
    store = folder.open_tables(2, tables.names(False))
    for deal in range(store.num_deals, deals_played):
        store.add(some_rows(deal), deal + 1)
    folder.finish(9)


def some_rows(deal):
    """A row of each table, zeros and empty texts but for the deal."""
    found = {}
    for name in tables.names(False):
        shape = tables.schema(name, 2)
        row = {field.name: "" if field.type == "string" else 0 for field in shape}
        row |= {"deal": deal} if "deal" in row else {}
        cells = [pa.array([row[field.name]]).cast(field.type) for field in shape]
        found[name] = pa.Table.from_arrays(cells, schema=shape)
    return found


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RunError, match="is not empty and holds no run"):
        RunFolder(tmp_path, manifest({"seed": 1}))
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_folder_of_another_run_is_refused_and_left_alone(tmp_path):
    finished(tmp_path, 9, agents=["a", "b"], deals=9, seed=1)
    before = (tmp_path / MANIFEST).read_bytes()
    with pytest.raises(RunError, match=r"another run \(tournament of a,b deals=9 seed=1\)"):
        RunFolder(tmp_path, manifest({"agents": ["a", "b"], "deals": 9, "seed": 2}))
    assert (tmp_path / MANIFEST).read_bytes() == before


@pytest.mark.parametrize("text", ["", "{", "[1]", "nonsense"])
def test_a_manifest_that_is_none_is_refused(tmp_path, text):
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(RunError, match="is no manifest of a run"):
        RunFolder(tmp_path, manifest({"seed": 1}))


def test_a_run_that_was_cut_goes_on_where_it_stopped(tmp_path):
    finished(tmp_path, 3, seed=1)  # interrupted
    assert json.loads((tmp_path / MANIFEST).read_text())["deals_played"] == 3
    assert pd.read_parquet(tmp_path / "games.parquet")["deal"].tolist() == [0, 1, 2]
    finished(tmp_path, 9, seed=1)
    found = json.loads((tmp_path / MANIFEST).read_text())
    assert found["complete"]
    assert found["rows"] == dict.fromkeys(tables.names(False), 9)
    assert pd.read_parquet(tmp_path / "seats.parquet")["deal"].tolist() == list(range(9))
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json"] + [".parquet"] * 4
    assert RunFolder(tmp_path, manifest({"seed": 1})).is_complete


def test_a_journal_that_has_lost_deals_is_not_written_over(tmp_path):
    finished(tmp_path, 3, seed=1)
    shutil.rmtree(tmp_path / "journal")
    before = (tmp_path / "games.parquet").read_bytes()
    with pytest.raises(RunError, match=r"holds 0 deals of the 3 that were played"):
        finished(tmp_path, 9, seed=1)
    assert (tmp_path / "games.parquet").read_bytes() == before


def test_a_run_that_got_nowhere_leaves_nothing(tmp_path):
    finished(tmp_path / "new", 0, seed=1)
    assert not (tmp_path / "new").exists()


def test_names_of_folders_are_new(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = run_folder.default_folder("tournament")
    first.mkdir(parents=True)
    second = run_folder.default_folder("tournament")
    assert first != second
    assert second.parent.name == "runs"
