"""The page about records: its code runs, and it names all keys."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from docs import run_readme
from experiments.cli import main
from rummy500_env import Game, datasets, records
from tests.support.recording import lines_of, played

PAGE = (Path(__file__).parents[1] / "docs" / "records.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
TOLD = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE))


def test_the_code_and_the_commands_run_from_top_to_bottom(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    names = {"__name__": "docs_records"}
    for block in BLOCKS:
        exec(compile(block, "<docs/records.md>", "exec"), names)
    printed = capsys.readouterr().out
    said = next(part for part in PAGE.split("print(error)  # ")[1].split("\n"))
    assert said in printed
    commands = run_readme.commands(PAGE)
    inline = re.findall(r"`(rummy500 replay [^`]+)`", PAGE)
    assert len(commands) == len(inline) == 2
    for words in [*commands, shlex.split(inline[0])]:
        assert main(words[1:]) == 0


def test_all_keys_of_a_record_are_on_the_page(tmp_path):
    path = tmp_path / "games.r500"
    position = Game(seed=1).position() | {"scores": [490, 480]}
    records.write(path, played(Game.from_position(position), 1))
    keys = {key for line in lines_of(path) for key in line}
    assert keys == TOLD.keys() - datasets.KEYS.keys() | {"players"}


@pytest.mark.nojit
def test_all_arrays_of_a_data_set_are_on_the_page():
    arrays = dict(re.findall(r"^\| `(\w+)` \| (\(.*) \|$", PAGE, re.MULTILINE))
    assert arrays == datasets.KEYS
