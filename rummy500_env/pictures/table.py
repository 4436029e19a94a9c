"""A whole table as SVG."""

from __future__ import annotations

import math
from typing import Final

from rummy500_env.pictures.cards import ASPECT, SEAT_COLOURS, back, card, empty_place
from rummy500_env.pictures.layout import MELD_STEP, Box, Place, fan, meld_places, meld_width
from rummy500_env.pictures.markup import FONT, element, label
from rummy500_env.pictures.scene import Card, Meld, Scene, Seat

__all__ = ["draw", "size_of"]

WIDTH: Final = 1000.0
EDGE, BETWEEN = 14.0, 10.0
HEADER: Final = 62.0
MIDDLE: Final = 142.0
OWN: Final = 174.0
FACING: Final = 150.0  # the panel of the only other seat, as wide as the table
OTHERS: Final = 232.0  # a panel of several beside each other
WIDE: Final = 600.0
"""Panels from this width on have the melds beside the hand, others below it."""

GROUND, PANEL, LINE = "#eef2ec", "#ffffff", "#b9c4b9"
TURN_PANEL, TURN_LINE = "#fff9e6", "#e08a00"
FAINT: Final = "#4f5a4f"


def size_of(num_players: int) -> tuple[int, int]:
    """Return width and height of the picture of a table: the same in each of its states."""
    rows, _ = _grid(num_players - 1)
    above = sum(height + BETWEEN for height in [_height(num_players)] * rows)
    return int(WIDTH), int(HEADER + above + MIDDLE + BETWEEN + OWN + EDGE)


def draw(scene: Scene) -> str:
    """Return the picture of a table, a document of SVG."""
    width, height = size_of(len(scene.seats))
    own, *others = scene.seats
    rows, columns = _grid(len(others))
    inner = WIDTH - 2 * EDGE
    panels = []
    tall = _height(len(scene.seats))
    for number, seat in enumerate(others):
        row, column = divmod(number, columns)
        here = min(columns, len(others) - row * columns)
        wide = (inner - BETWEEN * (columns - 1)) / columns
        left = EDGE + (inner - here * wide - BETWEEN * (here - 1)) / 2
        box = Box(left + column * (wide + BETWEEN), HEADER + row * (tall + BETWEEN), wide, tall)
        panels.append(_panel(seat, box))
    below = HEADER + rows * (tall + BETWEEN)
    return element(
        "svg",
        element("rect", width=width, height=height, rx=14, fill=GROUND),
        *_header(scene),
        *panels,
        *_middle(scene, Box(EDGE, below, inner, MIDDLE)),
        _panel(own, Box(EDGE, below + MIDDLE + BETWEEN, inner, OWN)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        font_family=FONT,
        role="img",
    )


def _grid(others: int) -> tuple[int, int]:
    """Return in how many rows and columns the other seats sit."""
    rows = 1 if others <= 4 else 2
    return rows, math.ceil(others / rows)


def _height(num_players: int) -> float:
    return FACING if num_players == 2 else OTHERS


def _header(scene: Scene) -> list[str]:
    right = WIDTH - EDGE
    return [
        label(scene.title, EDGE + 4, 28, 19, width=430, bold=True),
        label(scene.status, right - 4, 28, 17, width=520, anchor="end", bold=True),
        label(scene.last, EDGE + 4, 50, 14, width=600, fill=FAINT),
        label(scene.notes, right - 4, 50, 14, width=360, fill=FAINT, anchor="end"),
    ]


# -- the middle: stock and discard pile ------------------------------------------------------------


def _middle(scene: Scene, box: Box) -> list[str]:
    """Return the stock, the dealer's joker and the discard pile."""
    tall = box.height - 28
    y = box.y + 24
    found = [label(f"stock {scene.num_stock}", box.x + 4, box.y + 16, 14, fill=FAINT)]
    x = box.x + 4
    found.append(back(x, y, tall) if scene.num_stock else empty_place(x, y, tall))
    x += ASPECT * tall + 24
    if scene.dealers_joker is not None:
        found.append(label(scene.dealers_joker, x, box.y + 16, 14, width=130, fill=FAINT))
        found.append(card(Card("**"), x, y, tall))
        x += 140
    count = len(scene.pile)
    text = f"discard pile {count}" + (", bottom to top" if count > 1 else "")
    found.append(label(text, x, box.y + 16, 14, fill=FAINT))
    if not scene.pile:
        found.append(empty_place(x, y, tall))
    places = fan(scene.pile, Box(x, y, box.x + box.width - x - 4, tall), tall)
    found += [card(one, *place) for one, place in zip(scene.pile, places, strict=True)]
    return found


# -- a seat ----------------------------------------------------------------------------------------


def _panel(seat: Seat, box: Box) -> str:
    """Return the panel of a seat: who it is, its hand, its melds."""
    inside = box.width - 24
    x, y = box.x + 12, box.y
    colour = SEAT_COLOURS[seat.number]
    points = f"{seat.total}" + (f" ({seat.table_points:+})" if seat.table_points else "")
    room = inside - 42 - 0.66 * 17 * len(points)
    heads = [
        element(
            "rect",
            x=box.x,
            y=box.y,
            width=box.width,
            height=box.height,
            rx=10,
            fill=TURN_PANEL if seat.is_to_move else PANEL,
            stroke=TURN_LINE if seat.is_to_move else LINE,
            stroke_width=3 if seat.is_to_move else 1.2,
        ),
        element("rect", x=x - 2, y=y + 9, width=24, height=21, rx=6, fill=colour),
        label(str(seat.number), x + 10, y + 25, 15, fill="#fff", anchor="middle", bold=True),
        label(points, x + inside, y + 26, 17, anchor="end", bold=True),
    ]
    notes = " · ".join(seat.notes)
    if box.width >= WIDE:
        heads.append(label(seat.name, x + 30, y + 26, 16, width=0.4 * room, bold=True))
        heads.append(
            label(notes, x + 44 + 0.4 * room, y + 25, 14, width=0.6 * room - 20, fill=FAINT)
        )
        top, bottom = y + 40, y + box.height - 12
        hand = Box(x, top, 0.56 * inside, bottom - top)
        melds = Box(x + 0.58 * inside, top, 0.42 * inside, bottom - top)
        tallest = bottom - top, 0.62 * (bottom - top)
    else:
        heads.append(label(seat.name, x + 30, y + 26, 16, width=room, bold=True))
        heads.append(label(notes, x, y + 47, 13, width=inside, fill=FAINT))
        hand = Box(x, y + 56, inside, 76)
        melds = Box(x, y + 140, inside, box.height - 150)
        tallest = 62.0, 56.0
    hidden: list[Card | None] = [None] * seat.num_hidden
    cards = [*seat.cards, *hidden]
    shown = [
        _lying(one, place) for one, place in zip(cards, fan(cards, hand, tallest[0]), strict=True)
    ]
    laid = [
        _meld(meld, place)
        for meld, place in zip(seat.melds, meld_places(seat.melds, melds, tallest[1]), strict=True)
    ]
    return element("g", *heads, *shown, *laid, class_="seat", data_seat=str(seat.number))


def _lying(one: Card | None, place: Place) -> str:
    return back(*place) if one is None else card(one, *place)


def _meld(meld: Meld, place: Place) -> str:
    x, y, height = place
    cards = [card(one, x + k * MELD_STEP * height, y, height) for k, one in enumerate(meld.cards)]
    if meld.badge:
        end = x + meld_width(meld, height) - 0.25 * height
        cards.append(
            label(meld.badge, end, y + 0.6 * height, 0.3 * height, anchor="middle", bold=True)
        )
    return element("g", *cards, class_="meld")
