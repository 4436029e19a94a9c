"""The README and the pages of the documentation: they run, and they say what the code says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from docs import generate, run_readme
from experiments import cli

ROOT = Path(__file__).parents[1]
README = run_readme.README.read_text(encoding="utf-8")
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
SMALL = {"--deals": "20"}


def test_the_readme_prints_what_it_says():
    """Its Python is run in order, and its figures are played anew: `python docs/run_readme.py`."""
    assert run_readme.played(README) == README


@pytest.mark.parametrize("page", generate.PAGES, ids=lambda path: path.name)
def test_pages_say_what_the_code_declares(page):
    """Made anew by `python docs/generate.py`."""
    assert page.read_text(encoding="utf-8") == generate.PAGES[page]()


@pytest.mark.parametrize("words", run_readme.commands(README), ids=shlex.join)
def test_commands_of_the_readme_run(words, tmp_path):
    if words[0] == "make":
        assert re.search(rf"^{words[1]}:.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
        return
    small = [SMALL.get(before) or word for before, word in zip(["", *words], words, strict=False)]
    run_readme.call(small, tmp_path / "run")


@pytest.mark.parametrize("name", re.findall(r"`rummy500 (\w+)`", README))
def test_commands_named_in_the_readme_exist(name, capsys):
    assert cli.main([name, "--help"]) == 0
    assert "Usage" in capsys.readouterr().out


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#\s]+)\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert not missing
