"""What a named variant is: another one (or the standard game) with some changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from rummy500_env.preset_examples import EXAMPLES

__all__ = [
    "CORE",
    "ONLINE",
    "OURS",
    "PAGAT",
    "PORTUGUESE",
    "SPRUCE",
    "WIKIPEDIA",
    "Family",
    "Preset",
]

CORE: Final = "core"
"""The base of a preset that starts from the standard game: all options at their defaults."""

WIKIPEDIA: Final = "Wikipedia, 500 rum"
ONLINE: Final = "an online platform's Rummy 500 help page"
PORTUGUESE: Final = "Rummy 500 rules (Portuguese)"
SPRUCE: Final = "The Spruce, rummy rules"
PAGAT: Final = "pagat.com, 500 Rum"
OURS: Final = "our choice, for study"


@dataclass(frozen=True, slots=True)
class Preset:
    """One named variant."""

    name: str
    base: str
    """The preset it is built on, or "core"."""
    changes: Mapping[str, Any]
    """Options that differ from the base."""
    title: str
    source: str
    remark: str
    """What a reader should know beyond the options: readings, choices, what is left out."""
    worked_example: str


class Family:
    """Some presets in the order in which they were added."""

    def __init__(self) -> None:
        self.members: list[Preset] = []

    def add(
        self, name: str, base: str, title: str, source: str, remark: str = "", **changes: Any
    ) -> None:
        """Add a preset that is `base` with `changes`."""
        example = " ".join(EXAMPLES.get(name, "").split())
        frozen = MappingProxyType(changes)
        self.members.append(Preset(name, base, frozen, title, source, remark, example))
