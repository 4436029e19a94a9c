"""The oracle against the rules, clause by clause: windows and calls."""

from __future__ import annotations

from tests.reference import Table
from tests.reference.build import play_randomly, shuffle_of
from tests.reference.presets import PRESETS


def test_random_rounds_with_windows():
    for name in ("open_melding", "calling_rum", "michigan_rum", "rummy500_pagat"):
        for seed in range(4):
            table = Table(PRESETS[name], 3, shuffle_of(seed), 0, single_round=True)
            assert play_randomly(table, seed).is_over
