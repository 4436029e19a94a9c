"""Pages about the rules in Markdown: one for each preset, and the table of all options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from rummy500_env import rule_text
from rummy500_env.preset_data import CORE, PRESETS
from rummy500_env.rules import Rules

__all__ = ["options_table", "preset_table", "rules_page"]

GROUPS: Final = {
    "setup": "Setup",
    "draw": "Drawing",
    "melds": "Melds and layoffs",
    "jokers": "Jokers",
    "ending": "End of a round",
    "scoring": "Scoring",
    "game": "Game",
}


def rules_page(name: str) -> str:
    """The page of a preset: its rules in words, what differs, values, an example, sources."""
    rules = Rules.preset(name)
    preset = PRESETS[name]
    parts = [f"# {preset.title}", f"Preset `{name}`, rules digest `{rules.digest}`."]
    if preset.remark:
        parts.append(preset.remark)

    parts.append("## What differs from the standard game")
    differing = rules.differences()
    if differing:
        if preset.base != CORE:
            parts.append(f"Built on `{preset.base}` and shown with what it inherits from it.")
        meanings = {option.name: option.doc for option in Rules.options()}
        rows = [
            (f"`{option}`", _code(here), _code(there), meanings[option])
            for option, (here, there) in differing.items()
        ]
        parts.append(_table(("option", "here", "standard", "meaning"), rows))
    elif name == "rummy500":
        parts.append("Nothing: this is the standard game.")
    else:
        parts.append("Nothing: it is played as the standard game, `rummy500`.")

    parts.append("## How it is played")
    heads = ("players", "decks", "jokers", "cards each", "stock")
    deal = _table(heads, rule_text.deal_rows(rules))
    for heading, sentences in rule_text.summary(rules).items():
        parts.append(f"### {heading}")
        parts.append("\n".join(f"- {sentence}" for sentence in sentences))
        if heading == "Setup":
            parts.append(deal)

    parts.append("## Values")
    parts.append(_table(("card", "on the table", "in hand"), rule_text.card_value_rows(rules)))
    if preset.worked_example:
        parts.extend(("## Example", preset.worked_example))
    parts.extend(("## Sources", _sources(name)))
    return "\n\n".join(parts) + "\n"


def options_table() -> str:
    """All options of the rules as Markdown tables, one for each group."""
    parts: list[str] = []
    for group, heading in GROUPS.items():
        rows = [
            (
                f"`{option.name}`",
                option.allowed,
                _code(option.kind.plain(option.default)),
                option.doc,
                option.source,
            )
            for option in Rules.options()
            if option.group == group
        ]
        parts.append(f"### {heading}")
        parts.append(_table(("option", "allowed", "default", "meaning", "source"), rows))
    return "\n\n".join(parts) + "\n"


def preset_table() -> str:
    """All presets as a Markdown table: name, title, base, changes, source."""
    rows = [
        (
            f"`{preset.name}`",
            preset.title,
            f"`{preset.base}`" if preset.base != CORE else "-",
            ", ".join(f"`{option}={value!r}`" for option, value in preset.changes.items()) or "-",
            preset.source,
        )
        for preset in PRESETS.values()
    ]
    return _table(("preset", "title", "built on", "changes", "source"), rows) + "\n"


def _sources(name: str) -> str:
    """The sources of a preset and of those it is built on, each once."""
    found: dict[str, None] = {}
    standard = PRESETS["rummy500"].source
    while name != CORE:
        preset = PRESETS[name]
        found[preset.source] = None
        name = preset.base
    listed = [f"- {source}" for source in found]
    if standard not in found:
        listed.append(f"- {standard}, for all that is as in the standard game")
    return "\n".join(listed)


def _code(value: Any) -> str:
    if isinstance(value, dict):
        return "`{" + ", ".join(f"{key}: {number}" for key, number in value.items()) + "}`"
    return f"`{value!r}`"


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines
    )
