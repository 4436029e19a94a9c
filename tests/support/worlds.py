"""Worlds that a seat cannot tell apart: the cards it cannot see, dealt anew."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from typing import Any

from rummy500_env import Game, PositionError

__all__ = ["other_world", "same_for"]


def other_world(game: Game, seat: int, chooser: random.Random) -> tuple[Game, Game] | None:
    """Return a game's position as a game, and one with the cards dealt anew that a seat can't see.

    Those are the stock and what is not publicly known of the other hands. None when no such world
    was found in which the seat to move can move.
    """
    position = game.position()
    for _ in range(200):
        with suppress(PositionError):  # a dug card that could not be placed
            twin = Game.from_position(_dealt_anew(position, seat, chooser))
            return Game.from_position(position), twin
    return None


def _dealt_anew(position: dict[str, Any], seat: int, chooser: random.Random) -> dict[str, Any]:
    """Return a position with the hidden cards shuffled within the classes that can be told apart.

    They are one class, unless the stock was refilled: then its cards, and those drawn of it, are
    another one than the older cards in the hands; and a stock in public order is not hidden.
    """
    count = len(position["hands"])
    seen = set() if position["phase"] == "nominate" else {seat}  # before that nobody has looked
    hands = [Counter(hand.split()) for hand in position["hands"]]
    known = [Counter(cards.split()) for cards in position["known"]]
    fresh = [Counter(cards.split()) for cards in position.get("drawn_of_it", [""] * count)]
    stock = position["stock"].split()
    older: list[str] = []
    newer: list[str] = []
    for other in set(range(count)) - seen:
        older += (hands[other] - known[other] - fresh[other]).elements()
        newer += fresh[other].elements()
    if not position.get("stock_open", False):
        (newer if position.get("stock_known") else older).extend(stock)
    chooser.shuffle(older)
    chooser.shuffle(newer)
    dealt, drawn_of_it = [], []
    for other in range(count):
        cards = list((hands[other] if other in seen else known[other]).elements())
        drawn = list(fresh[other].elements())
        if other not in seen:
            drawn = [newer.pop() for _ in drawn]
            cards += drawn
        while len(cards) < hands[other].total():
            cards.append(older.pop())
        dealt.append(" ".join(sorted(cards, key=_order)))
        drawn_of_it.append(" ".join(drawn))
    changed = {**position, "hands": dealt}
    if not position.get("stock_open", False):
        changed["stock"] = " ".join(newer or older)
    if position.get("stock_known"):
        changed["drawn_of_it"] = drawn_of_it
    assert len(changed["stock"].split()) == len(stock)
    if position["seat"] != seat:  # what another seat drew is hidden too
        drawn_now = _some_of(dealt[position["seat"]], position["drawn"]["stock"])
        changed["drawn"] = {**position["drawn"], "stock": drawn_now}
    return changed


def _some_of(hand: str, drawn: str) -> str:
    """Return as many cards of a hand as were drawn."""
    return " ".join(hand.split()[: len(drawn.split())])


def _order(card: str) -> tuple[int, int]:
    return "cdhs*".index(card[1]), "A23456789TJQK*".index(card[0])


def same_for(seat: int, one: Game, other: Game) -> None:
    """Assert that a seat sees the same in both games, to the byte."""
    assert one.view_record(seat).tobytes() == other.view_record(seat).tobytes()
    assert one.observe(seat).tobytes() == other.observe(seat).tobytes()
    assert one.events(seat) == other.events(seat)
    assert (one.current_seat, one.phase) == (other.current_seat, other.phase)
    if one.current_seat == seat:
        assert one.action_mask().tobytes() == other.action_mask().tobytes()
