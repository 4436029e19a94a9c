"""Cutting games that were played together at a deal."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np

from experiments.runner import Played

__all__ = ["cut"]


def cut(played: Played, deal: int) -> tuple[Played, Played | None]:
    """The games of the deals before one, and the others (None if there are none).

    The first deal of the games is before it.
    """
    block, result = played
    num_deals = deal - block.first_deal
    if num_deals >= block.num_deals:
        return played, None
    games = int(np.searchsorted(block.deal, deal))
    rounds = int(np.searchsorted(result.round_game, games))
    whole = (
        (slice(0, games), slice(0, rounds), block.first_deal, num_deals, 0),
        (slice(games, None), slice(rounds, None), deal, block.num_deals - num_deals, games),
    )
    parts: list[Played] = []
    for of_games, of_rounds, first, count, before in whole:
        values = {
            field.name: getattr(result, field.name)[
                of_rounds if field.name.startswith("round_") else of_games
            ]
            for field in fields(result)
        }
        values["round_game"] = values["round_game"] - before
        rows = (row[of_games] for row in block[2:])
        parts.append(Played(type(block)(first, count, *rows), replace(result, **values)))
    return parts[0], parts[1]
