"""The page that says where each rule of the sources is: what it names exists, and nothing lacks."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from rummy500_env import Rules
from rummy500_env.presets import PRESETS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
SOURCES = {
    'Wikipedia, "500 rum"': "Wikipedia",
    "An online platform's Rummy 500 help page": "an online platform",
    "Rummy 500 rules (Portuguese)": "(Portuguese)",
    "The Spruce, basic rummy": "The Spruce",
}
OPTIONS = {option.name: option for option in Rules.options()}


class Row(NamedTuple):
    """A rule of a source, and where it is."""

    heading: str
    rule: str
    options: list[str]
    presets: list[str]
    modules: list[str]
    tests: list[str]


def _rows() -> list[Row]:
    rows = []
    for section in PAGE.split("\n## ")[1:]:
        heading = section.split("\n", 1)[0]
        for line in section.splitlines():
            if line.startswith("| ") and not line.startswith(("| rule", "| ---")):
                rule, *cells = line.strip("| ").split(" | ")
                named = [re.findall(r"`([^`]+)`", cell) for cell in cells]
                rows.append(Row(heading, rule, *named))
    return rows


ROWS = _rows()


@pytest.mark.nojit
def test_each_of_the_four_sources_has_its_table():
    assert {row.heading for row in ROWS} == set(SOURCES)
    assert len(ROWS) > 80


@pytest.mark.nojit
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.rule[:40])
def test_what_a_row_names_exists(row):
    assert len(row.modules) == len(row.tests) == 1
    for named in row.options:
        name, _, value = named.partition("=")
        assert name in OPTIONS
        if value:
            OPTIONS[name].kind.clean(ast.literal_eval(value))
    assert row.presets
    assert set(row.presets) <= set(PRESETS)
    assert (ROOT / "rummy500_env" / row.modules[0]).is_file()
    assert f"def {row.tests[0]}(" in _all_tests()


@pytest.mark.nojit
def test_a_value_that_is_named_is_that_of_the_first_preset():
    for row in ROWS:
        for named in row.options:
            name, _, value = named.partition("=")
            if value:
                wanted = OPTIONS[name].kind.clean(ast.literal_eval(value))
                assert getattr(Rules.preset(row.presets[0]), name) == wanted, named


@pytest.mark.nojit
@pytest.mark.parametrize(("heading", "word"), SOURCES.items())
def test_every_option_and_preset_with_a_source_is_in_its_table(heading, word):
    rows = [row for row in ROWS if row.heading == heading]
    named = {option.partition("=")[0] for row in rows for option in row.options}
    assert {name for name, option in OPTIONS.items() if word in option.source} <= named
    shown = {name for row in rows for name in row.presets}
    assert {name for name, preset in PRESETS.items() if word in preset.source} <= shown


def _all_tests() -> str:
    return "\n".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("test_*.py")
    )
