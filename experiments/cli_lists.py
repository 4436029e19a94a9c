"""The commands `rummy500 agents` and `rummy500 rules`."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Sequence
from typing import Any

from rich.markdown import Markdown
from rich.markup import escape

from experiments import show
from experiments.cheating import cheating, cheating_notes, marked
from experiments.errors import RunError
from rummy500_env import rule_pages
from rummy500_env.presets import PRESETS
from rummy500_env.rules import Rules

__all__ = ["show_agents", "show_rules"]


def show_rules(names: Sequence[str], as_json: bool) -> None:
    """List presets and options, or show one preset, or the differences of two."""
    if len(names) > 2:
        raise RunError(f"{len(names)} names of presets were given: use none, one or two")
    found = [Rules.preset(name) for name in names]
    if as_json:
        show.write(json.dumps(_as_json(names, found), indent=2))
    elif len(names) == 2:
        _show_differences(names, found)
    elif names:
        _show_page(names[0])
    else:
        _show_list()


def _as_json(names: Sequence[str], found: Sequence[Rules]) -> Any:
    if len(found) == 2:
        differing = found[0].differences(found[1])
        return {
            option: dict(zip(names, values, strict=True)) for option, values in differing.items()
        }
    if found:
        preset = PRESETS[names[0]]
        return {
            "name": preset.name,
            "title": preset.title,
            "source": preset.source,
            "remark": preset.remark,
            "digest": found[0].digest,
            "player_counts": found[0].player_counts(),
            "options": found[0].to_dict(),
        }
    return {
        "presets": [
            {
                "name": preset.name,
                "title": preset.title,
                "source": preset.source,
            }
            for preset in PRESETS.values()
        ],
        "options": [
            {
                "name": option.name,
                "group": option.group,
                "type": option.kind.type_text,
                "allowed": option.allowed,
                "default": option.kind.plain(option.default),
                "doc": option.doc,
                "source": option.source,
            }
            for option in Rules.options()
        ],
    }


def _show_page(name: str) -> None:
    page = rule_pages.rules_page(name)
    out = show.console()
    if out.is_terminal:
        out.print(Markdown(page))
    else:
        show.write(page.rstrip())


def _show_differences(names: Sequence[str], found: Sequence[Rules]) -> None:
    out = show.console()
    differing = found[0].differences(found[1])
    if not differing:
        out.print(f"{names[0]} and {names[1]} are the same rules", soft_wrap=True)
        return
    table = show.new_table(out, "Options that differ", ("option", *names), left=3)
    for option, values in differing.items():
        table.add_row(option, *(escape(json.dumps(value)) for value in values))
    out.print(table)


def _show_list() -> None:
    out = show.console()
    title = "Presets (rummy500 rules NAME shows one)"
    table = show.new_table(out, title, ("preset", "game"), 2)
    for preset in PRESETS.values():
        table.add_row(preset.name, escape(preset.title))
    out.print(table)
    out.print()
    heads = ("option", "allowed", "standard")
    table = show.new_table(out, "Options (--set OPTION=VALUE changes one)", heads, left=3)
    for option in Rules.options():
        standard = json.dumps(option.kind.plain(option.default))
        table.add_row(option.name, escape(option.allowed), escape(standard))
    out.print(table)


def show_agents(as_json: bool) -> None:
    """List the registered agents."""
    import agents  # noqa: PLC0415 (compiled policies take a moment)

    made = {name: agents.make(name) for name in agents.names()}
    cheats = cheating(made.values())
    rows = {name: _first_line(agent) for name, agent in made.items()}
    if as_json:
        listed = [
            {"name": name, "about": about, "cheats": name in cheats} for name, about in rows.items()
        ]
        show.write(json.dumps(listed, indent=2))
        return
    out = show.console()
    table = show.new_table(out, "Agents", ("name", "what it does"), left=2)
    for name, about in rows.items():
        table.add_row(escape(marked(name, cheats)), escape(about))
    out.print(table)
    if cheats:
        out.print()
        show.show_notes(out, cheating_notes(cheats))


def _first_line(agent: object) -> str:
    """What an agent does: its class says it, or the module of its compiled policy."""
    policy = getattr(agent, "policy", None)
    about = type(agent) if policy is None else sys.modules[policy.__module__]
    line = (inspect.getdoc(about) or "").partition("\n")[0]
    return re.sub(r"^`+\w+`+: ", "", line)
