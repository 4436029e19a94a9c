"""Notebooks run from top to bottom, and what is stored in them is what they print today.

New outputs: jupyter nbconvert --to notebook --execute --inplace notebooks/NAME.ipynb
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def code_cells(notebook: Path) -> list[dict[str, Any]]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def stored(cell: dict[str, Any]) -> tuple[str, str]:
    """What a cell printed when it was stored, and what its last line showed."""
    printed, shown = "", ""
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            printed += "".join(output["text"])
        else:
            shown += "".join(output["data"]["text/plain"])
    return printed, shown


def run(code: str, names: dict[str, Any], place: str) -> tuple[str, str]:
    """Run a cell; returns what it printed and what its last line shows."""
    tree = ast.parse(code, place)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    value = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, place, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), place, "eval"), names)  # noqa: S307
    quiet = value is None or code.rstrip().endswith(";")
    return printed.getvalue(), "" if quiet else repr(value)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run_and_show_what_they_print(notebook, monkeypatch):
    import matplotlib.pyplot as plt

    monkeypatch.chdir(notebook.parent)
    names: dict[str, Any] = {"__name__": "__main__"}
    try:
        for number, cell in enumerate(code_cells(notebook), 1):
            place = f"{notebook.name}, code cell {number}"
            printed, shown = run("".join(cell["source"]), names, place)
            was_printed, was_shown = stored(cell)
            assert cell["execution_count"] == number, place
            assert printed == was_printed, place
            if not was_shown.startswith("<Figure"):
                assert shown == was_shown, place
    finally:
        plt.close("all")


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_assert_what_they_say(notebook):
    trees = [ast.parse("".join(cell["source"])) for cell in code_cells(notebook)]
    assert any(isinstance(node, ast.Assert) for tree in trees for node in ast.walk(tree))


def test_there_are_notebooks():
    assert [path.stem for path in NOTEBOOKS]
