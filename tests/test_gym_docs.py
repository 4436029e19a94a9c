"""The page about the Gymnasium environments: its code runs, and it names all settings."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from rummy500_env.envs.single import Rummy500Single
from rummy500_env.envs.vector import Rummy500Vector

PAGE = (Path(__file__).parents[1] / "docs" / "gymnasium.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_the_code_runs_from_top_to_bottom(capsys):
    names = {"__name__": "docs_gymnasium"}
    for block in BLOCKS:
        exec(compile(block, "<docs/gymnasium.md>", "exec"), names)
    assert capsys.readouterr().out.endswith("True (256,)\n")


@pytest.mark.nojit
def test_all_settings_are_on_the_page():
    table = PAGE.split("## Settings")[1].split("## ")[0]
    told = dict(re.findall(r"^\| (`.*?`) \| (.*?) \|", table, re.MULTILINE))
    told = {name: said for names, said in told.items() for name in re.findall(r"`(\w+)`", names)}
    for kind in (Rummy500Single, Rummy500Vector):
        for name, parameter in inspect.signature(kind).parameters.items():
            if name == "num_envs":
                continue
            default = parameter.default
            said = f'"{default}"' if isinstance(default, str) else str(default)
            assert said in told[name], name
