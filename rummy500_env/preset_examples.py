"""A worked example for each named variant, as its page of rules shows it."""

from __future__ import annotations

from typing import Final

__all__ = ["EXAMPLES"]

EXAMPLES: Final[dict[str, str]] = {}
