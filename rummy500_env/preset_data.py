"""All named variants as plain data, and what each changes by inheritance.

There are no rules objects here, so that `Rules.preset` can be built on it; the face for users is
`rummy500_env.presets`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from rummy500_env.errors import UnknownNameError
from rummy500_env.preset_games import GAMES
from rummy500_env.preset_model import CORE, Preset
from rummy500_env.preset_variants import VARIANTS

__all__ = ["CORE", "PRESETS", "Preset", "changes"]

PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(
    {preset.name: preset for preset in (*GAMES.members, *VARIANTS.members)}
)
"""All named variants by name, in the order of the documentation."""


def changes(name: str) -> dict[str, Any]:
    """All options in which a preset differs from the standard game's defaults, by inheritance."""
    if not isinstance(name, str) or name not in PRESETS:
        raise UnknownNameError("preset", name, PRESETS)
    preset = PRESETS[name]
    inherited = {} if preset.base == CORE else changes(preset.base)
    return inherited | dict(preset.changes)
