"""The README and the pages of the documentation: they run, and they say what the code says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from docs import generate, run_comparing, run_readme
from experiments import cli, sequential

ROOT = Path(__file__).parents[1]
README = run_readme.README.read_text(encoding="utf-8")
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
SMALL = {"--deals": "20"}


def test_the_readme_prints_what_it_says():
    """Its Python is run in order, and its figures are played anew: `python docs/run_readme.py`."""
    assert run_readme.played(README) == README


def test_the_page_about_comparisons_says_what_is_simulated():
    """Made anew by `python -m docs.run_comparing`."""
    page = run_comparing.PAGE.read_text(encoding="utf-8")
    assert run_comparing.written(page) == page


def test_the_page_about_comparisons_has_the_numbers_of_the_rule():
    page = re.sub(r"\s+", " ", run_comparing.PAGE.read_text(encoding="utf-8"))
    rule = sequential.Rule()
    for words in (
        f"`--alpha` ({rule.alpha:.1%})".replace("%", " %"),
        f"`--delta` ({rule.delta:g} points)",
        f"`--max-deals` ({rule.max_deals:,})",
        f"The first look is after {sequential.MIN_LOOK} deals",
        f"before {sequential.MIN_DIFFERING} deals showed a difference",
        f"r = {sequential.TUNING}",
        *(f" {sequential.factor(n, 0.025):.2f} |" for n in (100, 300, 1000, 10_000, 20_000)),
    ):
        assert words in page


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
