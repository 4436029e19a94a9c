"""Write the pages of the documentation that are made from declarations in the code.

Run `python docs/generate.py` after a change of rules, presets, spaces or tables; a test compares
what is committed with what this makes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from experiments import tables
from rummy500_env import rule_pages
from rummy500_env.envs.specification import specification

ROOT = Path(__file__).parents[1]

NOTE = "<!-- Made by docs/generate.py: change the declarations in the code, then run it. -->\n\n"

VARIANTS = """
## Presets

`rummy500 rules NAME` prints a page like this one for each, `rummy500 rules NAME NAME` what two
differ in; in Python `rummy500_env.presets()` lists the names, and `Rules.preset(name)` gives the
rules.

{presets}
## Options

`Rules(option=value, …)` in Python, `--set option=value` on the command line.

{options}"""

TABLES = """# The tables of a run

A tournament writes each table as a Parquet file, or keeps them in memory as the DataFrames
`games`, `rounds` and `seats` (there with `decide_seconds`). Types, units and meanings stand in the
metadata of the files too. Everything but `timings` is equal to the byte for equal agents, rules,
deals and seed, whatever the number of workers. `manifest.json` beside them holds the settings, the
digest of the rules, the versions of all that took part, and the command that makes the run again;
`experiments.tournament.replay(folder, game_id)` plays one game again.

"""


def rules() -> str:
    """The standard game, then all presets and options."""
    page = rule_pages.rules_page("rummy500")
    more = VARIANTS.format(
        presets=rule_pages.preset_table(),
        options=rule_pages.options_table(),
    )
    return NOTE + page + more


def environment() -> str:
    """Observations, actions and rewards."""
    return NOTE + specification()


def columns() -> str:
    """The tables of a run."""
    return NOTE + TABLES + tables.documentation()


PAGES: dict[Path, Callable[[], str]] = {
    ROOT / "docs" / "rules.md": rules,
    ROOT / "docs" / "environment.md": environment,
    ROOT / "docs" / "tables.md": columns,
}
"""All pages that are made here."""


if __name__ == "__main__":
    for path, make in PAGES.items():
        path.write_text(make(), encoding="utf-8")
