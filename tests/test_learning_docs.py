"""The page about learning: its table is that of the figures that were measured."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import pytest

import agents
from docs import run_exploitability as script
from experiments.exact.sequences import two_seats
from experiments.exact.tree import grow_tree
from rummy500_env import Rules

PAGE = script.PAGE.read_text(encoding="utf-8")
FIGURES: Any = pd.read_csv(script.TABLE)


@pytest.mark.nojit
def test_the_table_is_that_of_the_figures():
    pattern = r"<!-- exploitability:start -->\n(.*)<!-- exploitability:end -->"
    (table,) = re.findall(pattern, PAGE, re.DOTALL)
    assert table == script.in_words(FIGURES)


@pytest.mark.nojit
def test_every_training_was_measured_to_its_end():
    ends = FIGURES.groupby(["training", "seed"])["rounds"].max()
    wanted = {
        (kind, seed): one.rounds for kind, one in script.KINDS.items() for seed in script.SEEDS
    }
    assert ends.to_dict() == wanted
    assert (FIGURES["exploitability"] > 0).all()
    assert script.PICTURE.read_bytes().startswith(b"\x89PNG")


def test_the_references_are_those_of_the_page():
    game = two_seats(grow_tree(Rules.preset(script.RULES), 2))
    random, greedy = (script.exploitability(game, agents.make(x)) for x in script.REFERENCES)
    assert f"`random` has {random:.2f} there, `greedy` {greedy:.2f}" in PAGE
