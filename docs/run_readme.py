"""Play the README: run its Python in order, and write outputs and figures anew.

A block of text behind a block of Python is what that prints, and behind a command the first
paragraph of what that prints; the table of figures comes from the pairs of the tournament whose
command stands above it. `python docs/run_readme.py` writes the file; a test checks that nothing
would change.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from experiments import cli

README = Path(__file__).parents[1] / "README.md"

PYTHON = re.compile(r"^```python\n(.*?)^```\n(\n```text\n.*?^```\n)?", re.DOTALL | re.MULTILINE)
SHELL = re.compile(r"^```sh\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
SHOWN = re.compile(r"^```sh\n((?:(?!```).*\n)+)```\n\n```text\n(?:(?!```).*\n)*```\n", re.MULTILINE)
FIGURES = re.compile(r"(<!-- figures:start -->\n).*(<!-- figures:end -->)", re.DOTALL)

PLAYING = ("tournament", "compare")
"""Commands that write into a folder."""

PAIRS = (("greedy", "random"), ("greedy", "greedy:digs=never"), ("random", "greedy:digs=never"))
"""Pairs of the table of figures."""


def commands(text: str) -> list[list[str]]:
    """The commands in the shell blocks of a text, as lists of words."""
    lines = (line for block in SHELL.findall(text) for line in block.splitlines())
    return [words for line in lines if (words := shlex.split(line, comments=True))]


def call(words: Sequence[str], out: Path) -> str:
    """Run a command `rummy500 …` and return what it prints; it writes into a folder, no picture."""
    more = ["--out", str(out), "--no-pictures"] if words[1] in PLAYING else []
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        status = cli.main([*words[1:], *more])
    if status != 0:
        raise RuntimeError(f"{shlex.join(words)} gave {status}: {printed.getvalue()}")
    return printed.getvalue()


def figures(text: str) -> str:
    """The table of figures, from the tournament whose command comes first in the text."""
    words = next(words for words in commands(text) if words[:2] == ["rummy500", "tournament"])
    with TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        call(words, out)
        with (out / "pairs.csv").open(newline="") as file:
            found = {(row["agent"], row["opponent"]): row for row in csv.DictReader(file)}
    lines = ["| first | second | points per round | rounds won |", "| --- | --- | --- | --- |"]
    for first, second in PAIRS:
        row = {name: float(found[first, second][name]) for name in _NUMBERS}
        lines.append(
            f"| `{first}` | `{second}` | {row['difference']:+.1f} ± {row['half_width']:.1f} "
            f"| {row['win_share']:.1%} ± {row['win_share_half_width']:.1%} |"
        )
    return "\n".join(lines) + "\n"


_NUMBERS = ("difference", "half_width", "win_share", "win_share_half_width")


def outputs(text: str) -> str:
    """A page with what its blocks print made anew."""
    names: dict[str, Any] = {"__name__": "page"}

    def run(block: re.Match[str]) -> str:
        code, shown = block.groups()
        above = block.string.count("\n", 0, block.start()) + 1
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile("\n" * above + code, "page", "exec"), names)  # noqa: S102
        made = f"```python\n{code}```\n"
        if shown is None and not printed.getvalue():
            return made
        return f"{made}\n```text\n{printed.getvalue()}```\n"

    def show(block: re.Match[str]) -> str:
        ((words),) = commands(block[0])
        with TemporaryDirectory() as folder:
            said = call(words, Path(folder) / "run")
        return f"```sh\n{block[1]}```\n\n```text\n{said.split(chr(10) * 2)[0]}\n```\n"

    return SHOWN.sub(show, PYTHON.sub(run, text))


def played(text: str) -> str:
    """A readme with its outputs and figures made anew."""
    text = outputs(text)
    return FIGURES.sub(lambda match: f"{match[1]}{figures(text)}{match[2]}", text)


if __name__ == "__main__":
    README.write_text(played(README.read_text(encoding="utf-8")), encoding="utf-8")
