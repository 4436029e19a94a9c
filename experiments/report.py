"""A run as one HTML page that needs nothing else: tables, pictures, manifest.

Everything that comes from a run, such as names of agents, is escaped; pictures are embedded; the
page asks nothing of the network.
"""

from __future__ import annotations

import base64
import html
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, Final

from experiments.errors import RunError
from experiments.run_folder import MANIFEST, read_manifest
from experiments.show import with_interval

if TYPE_CHECKING:
    from experiments.balance.study import Study
    from experiments.tournament import Tournament

__all__ = ["REPORT", "Page", "Section", "write_report"]

REPORT: Final = "report.html"
"""Name of the page in the folder of a run."""
TEMPLATE: Final = Path(__file__).with_name("report.html")


@dataclass(frozen=True)
class Section:
    """A part of a page: a table under a title, or lines of text.

    Attributes:
        title: What stands above.
        heads: Heads of the columns; without any there is no table.
        rows: Texts of the cells.
        notes: Lines below.
    """

    title: str
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    notes: Sequence[str] = ()


@dataclass
class Page:
    """A page: sections, then the pictures of a folder, then its manifest."""

    title: str
    sections: list[Section] = field(default_factory=list)

    def html(self, pictures: Iterable[Path], manifest: dict[str, Any]) -> str:
        """The page as text.

        Args:
            pictures: files (PNG) to embed.
            manifest: of the run.
        """
        told = json.dumps(manifest, indent=2, ensure_ascii=False)
        parts = [_section(one) for one in self.sections]
        parts += [_picture(path) for path in pictures]
        parts.append(f"<h2>Manifest</h2>\n<pre>{html.escape(told)}</pre>")
        template = Template(TEMPLATE.read_text(encoding="utf-8"))
        return template.substitute(title=html.escape(self.title), body="\n".join(parts))


def _section(one: Section) -> str:
    parts = [f"<h2>{html.escape(one.title)}</h2>"]
    if one.heads:
        parts.append(f"<table>\n<thead>{_row(one.heads, 'th')}</thead>\n<tbody>")
        parts += [_row(row, "td") for row in one.rows]
        parts.append("</tbody>\n</table>")
    if one.notes:
        items = "\n".join(f"<li>{html.escape(note)}</li>" for note in one.notes)
        parts.append(f"<ul>\n{items}\n</ul>")
    return "\n".join(parts)


def _row(cells: Iterable[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _picture(path: Path) -> str:
    try:
        data = base64.b64encode(path.read_bytes()).decode("ascii")
    except OSError as error:
        raise RunError(f"cannot read {str(path)!r}: {error.strerror}") from None
    name = html.escape(path.stem)
    return f'<figure><img alt="{name}" src="data:image/png;base64,{data}"></figure>'


def write_report(folder: str | Path) -> Path:
    """Write the page of a run into its folder, and return where it is.

    Raises:
        RunError: when the folder holds neither a tournament nor a finished study of variants.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    page = _page(folder, manifest)
    path = folder / REPORT
    try:
        path.write_text(page.html(sorted(folder.glob("*.png")), manifest), encoding="utf-8")
    except OSError as error:
        raise RunError(f"cannot write {str(path)!r}: {error.strerror}") from None
    return path


def _page(folder: Path, manifest: dict[str, Any]) -> Page:
    """The page of a run, by its kind."""
    kind = manifest.get("kind")
    if kind == "balance":
        from experiments.balance.study import load_study  # noqa: PLC0415

        return _study(load_study(folder))
    if kind == "tournament":
        from experiments.tournament import load  # noqa: PLC0415

        return _tournament(load(folder))
    raise RunError(
        f"{str(folder / MANIFEST)!r} is of the kind {kind!r}: there are reports of tournaments and "
        "of studies of variants (rummy500 balance)"
    )


def _study(study: Study) -> Page:
    """Summary, differences and notes of a study."""
    from experiments.balance import summary  # noqa: PLC0415
    from experiments.balance.show import notes_of  # noqa: PLC0415

    settings = study.manifest["settings"]
    page = Page("A study of variants")
    told = [
        f"{len(study.manifest['tables'])} tables, {settings['deals']:,} deals, seed "
        f"{settings['seed']}. Numbers: ± 95 % interval over deals; all of them, with more figures, "
        "are in figures.csv.",
        *notes_of(study),
        f"The same again: {study.manifest['reproduce']}",
    ]
    page.sections.append(Section("What was played", notes=told))
    for title, rows, names, agent in summary.tables(study):
        is_difference = rows is study.differences
        heads = ["variant", "players", *(summary.HEADS[name] for name in names)]
        cells = [
            [line.variant, str(line.players), *(line.text(name, is_difference) for name in names)]
            for line in summary.lines(rows, names, agent)
        ]
        page.sections.append(Section(title, heads, cells))
    return page


def _tournament(played: Tournament) -> Page:
    """Leaderboard, pairs and ratings of a tournament."""
    page = Page("A tournament")
    schedule = played.schedule
    told = [
        f"{len(played.agents)} agents at {schedule.num_players} seats, {schedule.num_deals:,} "
        f"deals, {schedule.num_games:,} games of one {played.setup.episode}, seed {schedule.seed}."
    ]
    told += [] if played.command is None else [f"The same again: {played.command}"]
    page.sections.append(Section("What was played", notes=told))
    leaders = [
        [
            row["agent"],
            f"{row['rounds']:,}",
            with_interval(row["points_per_round"], row["points_per_round_half_width"]),
            with_interval(row["vs_field"], row["vs_field_half_width"], sign=True),
            with_interval(100 * row["win_share"], 100 * row["win_share_half_width"]),
            f"{100 * row['went_out_share']:.1f}",
        ]
        for row in played.leaderboard.to_dict("records")
    ]
    heads = ("agent", "rounds", "points/round", "vs field", "wins %", "out %")
    page.sections.append(Section("Leaderboard (± 95 % interval over deals)", heads, leaders))
    pairs = [
        [
            row["agent"],
            row["opponent"],
            with_interval(row["difference"], row["half_width"], sign=True),
            with_interval(100 * row["win_share"], 100 * row["win_share_half_width"]),
        ]
        for row in played.pairs.to_dict("records")
    ]
    heads = ("agent", "against", "points more a round", "wins %")
    page.sections.append(Section("Pairs", heads, pairs))
    rated = [
        [
            row["agent"],
            f"{row['rating']:+.0f}",
            "-" if math.isnan(row["low"]) else f"{row['low']:+.0f} to {row['high']:+.0f}",
        ]
        for row in played.ratings.to_dict("records")
    ]
    page.sections.append(Section("Ratings", ("agent", "rating", "95 % interval"), rated))
    return page
