"""The named variants of the game, each described by what it changes and where it comes from.

`presets()` names them, `PRESETS[name]` describes one, `Rules.preset(name)` gives its rules.
"""

from __future__ import annotations

from rummy500_env.preset_data import CORE, PRESETS, Preset
from rummy500_env.rules import Rules

__all__ = ["CORE", "PRESETS", "Preset", "name_of", "presets"]


def presets() -> list[str]:
    """The names of all presets, in the order of the documentation."""
    return list(PRESETS)


def name_of(rules: Rules) -> str | None:
    """The name of the first preset with exactly these rules, None if there is none."""
    return next((name for name in PRESETS if Rules.preset(name) == rules), None)
