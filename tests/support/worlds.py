"""Worlds that a seat cannot tell apart: the cards it cannot see, dealt anew."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from rummy500_env import Game

__all__ = ["other_world", "same_for"]

FACES = "cdhs", "A23456789TJQK"


def other_world(game: Game, seat: int, chooser: random.Random) -> tuple[Game, Game] | None:
    """Return a game's position as a game, and one with the cards dealt anew that a seat can't see.

    Those are the stock and what is not publicly known of the other hands. None when no such world
    was found in which the seat to move can move.
    """
    position = game.position()
    for _ in range(200):
        twin = Game.from_position(_dealt_anew(position, seat, chooser))
        if twin.legal_actions():
            return Game.from_position(position), twin
    return None


def _dealt_anew(position: dict[str, Any], seat: int, chooser: random.Random) -> dict[str, Any]:
    hands = [Counter(hand.split()) for hand in position["hands"]]
    known = [Counter(cards.split()) for cards in position["known"]]
    hidden = position["stock"].split()
    for other, hand in enumerate(hands):
        if other != seat:
            hidden += (hand - known[other]).elements()
    chooser.shuffle(hidden)
    dealt = []
    for other, hand in enumerate(hands):
        cards = list((hand if other == seat else known[other]).elements())
        while len(cards) < hand.total():
            cards.append(hidden.pop())
        dealt.append(" ".join(sorted(cards, key=_order)))
    assert len(hidden) == len(position["stock"].split())
    drawn = position["drawn"]
    if position["seat"] != seat:  # what another seat drew is hidden too
        drawn = {**drawn, "stock": _some_of(dealt[position["seat"]], drawn["stock"])}
    return {**position, "hands": dealt, "stock": " ".join(hidden), "drawn": drawn}


def _some_of(hand: str, drawn: str) -> str:
    """Return as many cards of a hand as were drawn."""
    return " ".join(hand.split()[: len(drawn.split())])


def _order(card: str) -> tuple[int, int]:
    return FACES[0].index(card[1]), FACES[1].index(card[0])


def same_for(seat: int, one: Game, other: Game) -> None:
    """Assert that a seat sees the same in both games, to the byte."""
    assert one.view_record(seat).tobytes() == other.view_record(seat).tobytes()
    assert one.observe(seat).tobytes() == other.observe(seat).tobytes()
    assert one.events(seat) == other.events(seat)
    assert (one.current_seat, one.phase) == (other.current_seat, other.phase)
    if one.current_seat == seat:
        assert one.action_mask().tobytes() == other.action_mask().tobytes()
