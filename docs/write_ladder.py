"""Write the ladder of agents into `learning.md` and the README, from tournaments that were played.

    rummy500 tournament --agents random,greedy,... --deals 1000 --out runs/ladder
    python docs/write_ladder.py runs/ladder

What is needed of each folder is kept in `ladder.json`, by variant, players and deals; without
folders the pages are written from that. A test compares them. The picture `ladder.png` shows the
first one, from the weakest agent to the strongest.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pandas as pd

from experiments.plots import plot_payoffs
from experiments.tournament import load
from rummy500_env import Rules
from rummy500_env.presets import presets as preset_names

DOCS: Final = Path(__file__).parent
KEPT: Final = DOCS / "ladder.json"
PICTURE: Final = DOCS / "ladder.png"
PAGES: Final = {"whole": DOCS / "learning.md", "first": DOCS.parent / "README.md"}
"""Pages, by what they show: all tournaments, or the first one."""

TABLES: Final = re.compile(r"(<!-- ladder:start -->\n).*(<!-- ladder:end -->)", re.DOTALL)
COLUMNS: Final = ("difference", "half_width", "win_share", "sign_p_holm")


def figures_of(folder: str | Path) -> dict[str, Any]:
    """What the pages need of a tournament."""
    played = load(folder)
    manifest = json.loads((Path(folder) / "manifest.json").read_text(encoding="utf-8"))
    # From the weakest to the strongest: sorted by points against all others.
    order = played.leaderboard["agent"].tolist()[::-1]
    pairs = {
        f"{row['agent']} | {row['opponent']}": {name: round(row[name], 5) for name in COLUMNS}
        for row in played.pairs.to_dict("records")
    }
    presets = {name: Rules.preset(name) for name in preset_names()}
    return {
        "rules": next(name for name, rules in presets.items() if rules == played.setup.rules),
        "players": played.setup.num_players,
        "deals": manifest["settings"]["deals"],
        "seed": played.setup.seed,
        "order": order,
        "pairs": pairs,
    }


def table(found: Mapping[str, Any]) -> Iterator[str]:
    """Lines of the table of a tournament: points a round of the row over the column."""
    weak, strong = found["order"][:-1], found["order"][1:]
    yield "| | " + " | ".join(f"`{name}`" for name in weak) + " |"
    yield "| --- |" + " ---: |" * len(weak)
    for k, row in enumerate(strong, 1):
        cells = [_cell(found["pairs"][f"{row} | {name}"]) for name in found["order"][:k]]
        yield f"| `{row}` | " + " | ".join(cells + [""] * (len(weak) - k)) + " |"


def _cell(pair: Mapping[str, float]) -> str:
    """Points with their interval; a star where the sign test does not tell the two apart."""
    star = "" if pair["sign_p_holm"] < 0.05 else " \\*"
    return f"{pair['difference']:+.1f} ± {pair['half_width']:.1f}{star}"


def section(found: Mapping[str, Any]) -> str:
    """A tournament as a table, with what it is and the command that makes it again."""
    seats = f"{found['players']} players"
    preset = "" if found["rules"] == "rummy500" else f" --rules {found['rules']}"
    players = "" if found["players"] == 2 else f" --players {found['players']}"
    lines = [
        f"`{found['rules']}`, {seats}: points a round of the row over the column, 95 % intervals "
        f"over {found['deals']:,} duplicated deals, seed {found['seed']}.",
        "",
        *table(found),
        "",
        "```sh",
        f"rummy500 tournament --agents {','.join(found['order'])}{preset}{players} "
        f"--deals {found['deals']} --seed {found['seed']}",
        "```",
    ]
    return "\n".join(lines) + "\n"


def written(page: str, kept: Mapping[str, Any], shown: str) -> str:
    """A page with the tables of what was played."""
    sections = [section(found) for found in kept.values()]
    text = "\n".join(sections if shown == "whole" else sections[:1])
    return TABLES.sub(lambda match: f"{match[1]}{text}{match[2]}", page)


def draw(found: Mapping[str, Any]) -> Any:
    """The payoffs of a tournament as a picture."""
    order = found["order"]
    frames = [
        pd.DataFrame(
            [
                [found["pairs"].get(f"{row} | {column}", {}).get(name) for column in order]
                for row in order
            ],
            index=order,
            columns=order,
            dtype=float,
        )
        for name in ("difference", "half_width")
    ]
    title = f"Points a round, {found['rules']}, {found['players']} players"
    return plot_payoffs(frames[0], frames[1], title=title)


def main(folders: list[str]) -> None:
    """Take up the figures of folders, and write the pages and the picture."""
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    for folder in folders:
        found = figures_of(folder)
        kept[f"{found['rules']}-{found['players']}"] = found
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    for shown, page in PAGES.items():
        page.write_text(written(page.read_text(encoding="utf-8"), kept, shown), encoding="utf-8")
    draw(next(iter(kept.values()))).savefig(PICTURE, dpi=110)


if __name__ == "__main__":
    main(sys.argv[1:])
