"""Layouts of actions and observations are contracts: what was trained on them plays on."""

from __future__ import annotations

import pytest

from tests.golden.write import LAYOUTS, layouts_text


@pytest.mark.nojit
def test_layouts_are_as_they_were():
    """A change of one is a change of a contract: it is named in CHANGELOG.md and written anew."""
    assert layouts_text() == LAYOUTS.read_text()


def test_the_largest_layouts_are_those_of_two_decks_with_corner_runs():
    rows = [line.split() for line in LAYOUTS.read_text().splitlines()[1:]]
    largest = max(rows, key=lambda row: int(row[2]))
    assert (largest[0], largest[2]) == ("round_the_corner", "1341")
    standard = next(row for row in rows if row[:2] == ["rummy500", "2"])
    assert standard[2:4] == ["635", "55a769bde65eea2a"]
