"""Pages whose code needs no more than to run, from top to bottom."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ["tournaments", "exact", "learning", "balance", "audits", "pictures", "playing"]


@pytest.mark.parametrize("page", PAGES)
def test_the_code_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert blocks
    names = {"__name__": f"docs_{page}"}
    for block in blocks:
        exec(compile(block, f"<docs/{page}.md>", "exec"), names)
