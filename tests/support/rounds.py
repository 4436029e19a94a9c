"""Rounds that end at once, for tests of how they end and what they score."""

from __future__ import annotations

from typing import Any

from tests.support.engines import Place

__all__ = ["ONE_ROUND", "goes_out", "stock_out"]

ONE_ROUND = {"max_deals": 1, "target_score": None}


def goes_out(
    place: Place,
    others: list[str],
    melds: list[Any] | None = None,
    *,
    hand: str = "2h",
    **options: Any,
) -> dict[str, Any]:
    """The round when seat 0 discards its last card."""
    table = place([hand, *others], phase="play", melds=melds, options={**ONE_ROUND, **options})
    table.play(f"discard {hand}")
    return table.rounds[0]


def stock_out(
    place: Place, hands: list[str], melds: list[Any] | None = None, **options: Any
) -> dict[str, Any]:
    """The round when seat 0 passes at an empty stock."""
    table = place(hands, stock="", melds=melds, options={**ONE_ROUND, **options})
    table.play("pass")
    return table.rounds[0]
