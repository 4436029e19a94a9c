"""The oracle plays a round of every preset, reading its own positions as it goes."""

from __future__ import annotations

from random import Random

import pytest

from tests.reference import Table
from tests.reference.build import shuffle_of
from tests.reference.presets import PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_a_round_of_each_preset(name):
    options = PRESETS[name]
    players = options.get("players", (2, 8))[0]
    table = Table(options, players, shuffle_of(len(name)), 0, single_round=True)
    rng = Random(len(name))
    for step in range(10_000):
        if table.is_over:
            break
        moves = table.legal_moves()
        assert moves
        if step % 10 == 0:
            position = {**table.position(), "rules": options}
            again = Table.from_position(position, shuffle_of(len(name)))
            assert again.position() == table.position()
            assert again.legal_moves() == moves
        table.play(rng.choice(moves))
    assert len(table.rounds) == 1
    assert table.current_seat == -1
