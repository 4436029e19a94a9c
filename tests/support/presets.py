"""The presets that the engine plays, at tables of several sizes; later ones come by themselves."""

from __future__ import annotations

from rummy500_env import Rules
from rummy500_env.presets import presets

__all__ = ["can_refill", "can_stand_still", "preset_tables"]


def preset_tables() -> list[tuple[str, int]]:
    """Return each preset that is played with its smallest, middle and largest number of players."""
    tables = []
    for name in presets():
        counts = Rules.preset(name).player_counts()
        chosen = {counts[0], counts[len(counts) // 2], counts[-1]}
        tables += [(name, num_players) for num_players in sorted(chosen)]
    return tables


def can_refill(rules: Rules) -> bool:
    """Whether an empty stock is filled again."""
    return rules.stock_exhausted in ("reshuffle", "turn_over")


def can_stand_still(rules: Rules) -> bool:
    """Whether a round can go on for ever: cards come round again, or are taken without being used.

    Otherwise each turn takes a card of the stock or lays one down, or the round is near its end.
    """
    return can_refill(rules) or rules.top_discard_free
