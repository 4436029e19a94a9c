"""The page about variants: written by a script out of a study, and nothing else."""

from __future__ import annotations

import json
import math
import re

import pytest

from docs import write_balance
from experiments.balance.study import balance, load_study

PAGE = write_balance.PAGE.read_text(encoding="utf-8")


def test_the_page_is_what_the_script_makes_of_the_study():
    """Made anew by `python -m docs.write_balance`."""
    measured = json.loads(write_balance.MEASURED.read_text(encoding="utf-8"))
    assert write_balance.written(PAGE, measured) == PAGE


def test_what_the_page_needs_is_taken_from_the_tables_of_a_study(tmp_path):
    balance(["mini", "small"], deals=30, seed=1, against="mini", out=tmp_path)
    found = json.loads(json.dumps(write_balance.taken(tmp_path)))
    study = load_study(tmp_path)
    rows = study.figures.set_index(["variant", "agent", "figure", "at"])
    for variant, _, agent, figure, value, low, *_ in found["figures"]:
        row = rows.loc[variant, agent, figure, ""]
        assert value == pytest.approx(row["value"], rel=1e-3)
        assert (low is None) == math.isnan(row["low"])
    assert {row[3] for row in found["figures"]} == set(write_balance.KEPT["figures"])
    assert {row[0] for row in found["differences"]} == {"small"}
    page = write_balance.written(PAGE, found)
    assert "2 tables, 30 deals, seed 1" in page
    turns = rows.loc["small", "advisor", "turns_per_round", ""]["value"]
    (line,) = re.findall(r"^\| small \| 2 \|.*$", page, re.MULTILINE)
    assert f" {turns:.1f} ± " in line


def test_a_study_without_a_base_has_no_page(tmp_path):
    balance(["mini"], deals=2, out=tmp_path)
    with pytest.raises(SystemExit, match="--against"):
        write_balance.taken(tmp_path)
