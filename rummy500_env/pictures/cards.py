"""One card as SVG, face up or face down."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rummy500_env.cards import JOKER_TEXT
from rummy500_env.pictures.markup import element, label
from rummy500_env.pictures.scene import Card

__all__ = ["ASPECT", "INK", "SEAT_COLOURS", "back", "card", "empty_place"]

ASPECT: Final = 0.7
"""Width of a card as a share of its height."""

WIDE, HIGH = 70.0, 100.0  # a card in its own units
INK: Final = {"c": "#1b7a3d", "d": "#0b5cad", "h": "#c1121f", "s": "#1a1a1a"}
"""The colours of the suits: four, which tells them apart where they are small."""
JOKER_INK: Final = "#6a3d9a"
MARK: Final = "#e08a00"
BACK: Final = "#4a6491"

SEAT_COLOURS: Final = (
    "#0072b2",
    "#b34700",
    "#00745a",
    "#a3457f",
    "#8a6100",
    "#5b4b9e",
    "#a32638",
    "#4d4d4d",
)
"""A colour for each seat, all dark enough for white letters."""

_CLUB = (
    "M.46-.5A.46.46 0 1 1-.46-.5A.46.46 0 1 1 .46-.5ZM-.06.22A.46.46 0 1 1-.98.22A.46.46 0 1 1-.06"
    ".22ZM.98.22A.46.46 0 1 1 .06.22A.46.46 0 1 1 .98.22ZM-.22-.2L.22-.2L.12.4L.34 1L-.34 1L-.12.4Z"
)
_SUITS: Final = {
    "c": _CLUB,
    "d": "M0-1L.76 0L0 1L-.76 0Z",
    "h": (
        "M0 .95C-.3.5-1 .1-1-.42C-1-.8-.72-1-.47-1C-.22-1 0-.82 0-.56"
        "C0-.82.22-1 .47-1C.72-1 1-.8 1-.42C1 .1.3.5 0 .95Z"
    ),
    "s": (
        "M0-1C.3-.6 1-.2 1 .3C1 .65.75.8.5.8C.3.8.16.7.1.55C.12.75.2.9.34 1"
        "L-.34 1C-.2.9-.12.75-.1.55C-.16.7-.3.8-.5.8C-.75.8-1 .65-1 .3C-1-.2-.3-.6 0-1Z"
    ),
}
_STAR: Final = (
    "M0-1L.235-.324L.951-.309L.38.124L.588.809L0 .4L-.588.809L-.38.124L-.951-.309L-.235-.324Z"
)


def card(shown: Card, x: float, y: float, height: float) -> str:
    """Return a card face up.

    Args:
        shown: The card, and what is marked on it.
        x: Its left edge.
        y: Its upper edge.
        height: Its height.
    """
    parts = [_face(shown.face)]
    if shown.is_marked:
        parts.append(_frame(fill="none", stroke=MARK, stroke_width=5))
    if shown.seat is not None:
        colour = SEAT_COLOURS[shown.seat]
        parts.append(element("rect", x=2, y=74, width=27, height=24, rx=6, fill=colour))
        parts.append(
            label(str(shown.seat), 15.5, 92.5, 20, fill="#fff", anchor="middle", bold=True)
        )
    return _placed("".join(parts), x, y, height, "card", shown.face)


def back(x: float, y: float, height: float) -> str:
    """Return a card face down."""
    return _placed(_BACK, x, y, height, "back", None)


def empty_place(x: float, y: float, height: float) -> str:
    """Return the outline of a place where no card lies."""
    outline = _frame(fill="none", stroke="#8a948a", stroke_width=2, stroke_dasharray="7 5")
    return _placed(outline, x, y, height, "place", None)


def _placed(content: str, x: float, y: float, height: float, kind: str, face: str | None) -> str:
    where = f"translate({x:.1f} {y:.1f}) scale({height / HIGH:.3f})"
    return element("g", content, class_=kind, data_card=face, transform=where)


@lru_cache(maxsize=128)
def _face(face: str) -> str:
    """Return a face in the card's own units; ``**=7h`` is a joker that stands for the 7 of hearts.

    What tells cards apart stands at the left, where cards that overlap can be seen.
    """
    joker, _, stands_for = face.partition("=")
    is_joker = joker == JOKER_TEXT
    named = stands_for if is_joker else face
    parts = [
        _frame(
            fill="#eadfff" if is_joker else "#fff",
            stroke=JOKER_INK if is_joker else "#5a5a5a",
            stroke_width=2.4 if is_joker else 1.6,
        )
    ]
    if named:
        rank, suit = named
        ink = INK[suit]
        parts.append(_index(rank, ink))
        if is_joker:
            parts.append(_shape(_SUITS[suit], 11, 53, 8.5, ink))
            parts.append(_shape(_STAR, 27, 53, 8.5, JOKER_INK))
        else:
            parts.append(_shape(_SUITS[suit], 16, 53, 11.5, ink))
            parts.append(_shape(_SUITS[suit], 49, 73, 16.5, ink))
    if is_joker:
        parts.append(_shape(_STAR, 49, 74, 18, JOKER_INK))
        if not named:
            parts.append(_shape(_STAR, 17.5, 21, 15, JOKER_INK))
            parts.append(label("JOKER", 35, 52, 15, fill=JOKER_INK, anchor="middle", bold=True))
    return "".join(parts)


def _index(rank: str, ink: str) -> str:
    if rank != "T":
        return label(rank, 16.5, 33, 35, fill=ink, anchor="middle", bold=True)
    # Two figures in the width of a card that shows its left side only.
    figures = (("1", 11.0), ("0", 25.5))
    return "".join(
        label(one, x, 32, 31, fill=ink, anchor="middle", bold=True) for one, x in figures
    )


def _shape(path: str, x: float, y: float, size: float, ink: str) -> str:
    return element("path", d=path, transform=f"translate({x:g} {y:g}) scale({size:g})", fill=ink)


def _frame(**style: str | float) -> str:
    return element("rect", width=WIDE, height=HIGH, rx=9, **style)


_BACK: Final = (
    _frame(fill="#fff", stroke="#5a5a5a", stroke_width=1.6)
    + element("rect", x=6, y=6, width=58, height=88, rx=5, fill=BACK)
    + element(
        "path",
        d="M35 18L56 50L35 82L14 50ZM35 34L45 50L35 66L25 50Z",
        fill="none",
        stroke="#c9d5ea",
        stroke_width=3,
    )
)
