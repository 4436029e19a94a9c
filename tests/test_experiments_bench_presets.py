"""Presets beside each other in the benchmark, with what looking ahead costs."""

from __future__ import annotations

import json

from experiments.benchmarks.variants import LOOK_AHEAD, without_looking_ahead
from experiments.cli import main
from rummy500_env.presets import presets
from rummy500_env.rules import Rules


def test_presets_beside_each_other(capsys):
    words = ["--quick", "--seconds", "0.02", "--rules", "rummy500,boathouse_rule"]
    assert main(["bench", *words]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    rows = {row[0]: row[1:] for row in rows if row and row[0] in ("rummy500", "boathouse_rule")}
    assert [rows[name][0] for name in rows] == ["2", "2"]
    numbers = {name: [word for word in row if word != "MISSED"] for name, row in rows.items()}
    assert (len(numbers["rummy500"]), len(numbers["boathouse_rule"])) == (3, 4)
    assert main(["bench", "--json", *words]) == 0
    found = json.loads(capsys.readouterr().out)
    shares = [figure for figure in found["figures"] if figure["name"] == "of its floor"]
    assert [figure["target"]["value"] for figure in shares] == [0.25, 0.25]
    assert {tally["name"] for tally in found["played"]} == {"rummy500", "boathouse_rule"}


def test_looking_ahead_can_be_left_out():
    for name in presets():
        rules = Rules.preset(name)
        plain = without_looking_ahead(rules)
        assert without_looking_ahead(plain) == plain
        assert rules.differences(plain).keys() <= {*LOOK_AHEAD}
