"""Where things stand: as large as there is room for them, whatever their number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rummy500_env.pictures.cards import ASPECT
from rummy500_env.pictures.scene import Card, Meld

__all__ = ["MELD_STEP", "Box", "Place", "fan", "meld_places"]

FACE_STEP, BACK_STEP = 0.37, 0.16
"""What is seen at least of a card that the next one overlaps, as a share of its height."""
MELD_STEP: Final = 0.38
LOOSE: Final = 2.03
"""How much further apart cards stand where there is room."""
GAP: Final = 5.0
LEAST: Final = 14.0


class Box(NamedTuple):
    """A rectangle: its corner at the top left, its width, its height."""

    x: float
    y: float
    width: float
    height: float


class Place(NamedTuple):
    """Where one thing stands: its corner at the top left, the height of its cards."""

    x: float
    y: float
    height: float


def fan(cards: Sequence[Card | None], box: Box, tallest: float) -> list[Place]:
    """Return a place for each card of a fan; None is one face down.

    They overlap, but no rank and no suit is covered. What does not fit into a row goes into
    several, of smaller cards.

    Args:
        cards: The cards, from left to right.
        box: Where they are to lie.
        tallest: Height of a card at most.
    """
    height = min(tallest, box.height)
    while True:
        rows = list(_rows(cards, height, box.width))
        if len(rows) * (height + GAP) - GAP <= box.height or height <= LEAST:
            break
        height = max(LEAST, height - 1)
    pitch = height + GAP
    if len(rows) > 1:
        pitch = min(pitch, (box.height - height) / (len(rows) - 1))
    found = []
    for number, row in enumerate(rows):
        steps = [_step(one) * height for one in row[:-1]]
        free = box.width - ASPECT * height
        spread = min(LOOSE, free / sum(steps)) if sum(steps) else 1.0
        x = box.x
        for step in (*steps, 0.0):
            found.append(Place(x, box.y + number * pitch, height))
            x += step * spread
    return found


def _rows(cards: Sequence[Card | None], height: float, width: float) -> Iterator[list[Card | None]]:
    """Yield the cards of each row, where cards have some height."""
    row: list[Card | None] = []
    used = 0.0
    for one in cards:
        if row and used + ASPECT * height > width:
            yield row
            row, used = [], 0.0
        row.append(one)
        used += _step(one) * height
    if row:
        yield row


def _step(one: Card | None) -> float:
    return BACK_STEP if one is None else FACE_STEP


def meld_places(melds: Sequence[Meld], box: Box, tallest: float) -> list[Place]:
    """Return a place for each meld, in rows from left to right.

    Args:
        melds: The melds.
        box: Where they are to lie.
        tallest: Height of their cards at most.
    """
    height = min(tallest, box.height)
    while True:
        found = list(_flow(melds, box, height))
        bottom = max((place.y for place in found), default=box.y) + height
        right = max(
            (p.x + meld_width(m, height) for p, m in zip(found, melds, strict=True)), default=0.0
        )
        if (bottom <= box.y + box.height and right <= box.x + box.width) or height <= LEAST:
            break
        height = max(LEAST, height - 1)
    squeeze = min(1.0, (box.height - height) / max(1e-9, bottom - height - box.y))
    return [Place(p.x, box.y + (p.y - box.y) * squeeze, height) for p in found]


def _flow(melds: Sequence[Meld], box: Box, height: float) -> Iterator[Place]:
    x, y = box.x, box.y
    for meld in melds:
        width = meld_width(meld, height)
        if x > box.x and x + width > box.x + box.width:
            x, y = box.x, y + height + GAP
        yield Place(x, y, height)
        x += width + 0.16 * height


def meld_width(meld: Meld, height: float) -> float:
    """Return how wide a meld is, of cards of some height."""
    badge = 0.5 if meld.badge else 0.0
    return height * (ASPECT + MELD_STEP * (len(meld.cards) - 1) + badge)
