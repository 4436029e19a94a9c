"""The specification page has every phase, and every block that rules can bring."""

from __future__ import annotations

import random
import re

import pytest

from rummy500_env import ActionSpace, ObservationSpace, Rules, presets
from rummy500_env.envs.specification import specification
from rummy500_env.view_record import PHASES
from tests.differential.random_rules import random_rules


@pytest.mark.nojit
def test_every_phase_is_on_the_page():
    rows = re.findall(r"^\| `(\w+)` +\|", specification(), re.MULTILINE)
    assert set(PHASES) <= set(rows)


@pytest.mark.nojit
def test_every_block_is_on_the_page():
    page = specification()
    chooser = random.Random(3)
    tables = [random_rules(chooser) for _ in range(300)]
    tables += [(rules, rules.player_counts()[0]) for rules in map(Rules.preset, presets())]
    for rules, num_players in tables:
        for space in (ActionSpace(rules, num_players), ObservationSpace(rules, num_players)):
            for block in space.blocks:
                assert f"| `{block}` | " in page
