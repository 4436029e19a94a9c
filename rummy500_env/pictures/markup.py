"""Elements of SVG as text."""

from __future__ import annotations

import html
import re
from typing import Final

__all__ = ["FONT", "element", "fitted", "label"]

FONT: Final = "DejaVu Sans, Verdana, Arial, sans-serif"
GLYPH: Final = 0.62
"""Mean width of a letter as a share of the font's size, rounded up."""

_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def element(name: str, *content: str, **attributes: str | float | None) -> str:
    """Return an element.

    Args:
        name: Its name.
        *content: What stands in it, as markup.
        **attributes: Its attributes: ``_`` stands for ``-``, and those that are None are left out.
    """
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            shown = f"{value:.6g}" if isinstance(value, int | float) else _escaped(value)
            words.append(f'{key.rstrip("_").replace("_", "-")}="{shown}"')
    opening = " ".join(words)
    return f"<{opening}>{''.join(content)}</{name}>" if content else f"<{opening}/>"


def label(
    text: str,
    x: float,
    y: float,
    size: float,
    *,
    width: float | None = None,
    fill: str = "#222",
    anchor: str | None = None,
    bold: bool = False,
) -> str:
    """Return a line of text.

    Args:
        text: The line, plain.
        x: Where it begins, is centred or ends, as ``anchor`` says.
        y: Its base line.
        size: Size of the font.
        width: What is longer is cut off.
        fill: Its colour.
        anchor: ``"middle"`` or ``"end"``; None: it begins there.
        bold: Whether it is bold.
    """
    shown = text if width is None else fitted(text, width, size)
    weight = "bold" if bold else None
    content = _escaped(shown) or " "
    return element(
        "text",
        content,
        x=x,
        y=y,
        font_size=size,
        fill=fill,
        text_anchor=anchor,
        font_weight=weight,
    )


def fitted(text: str, width: float, size: float) -> str:
    """Return a line, cut off with an ellipsis where it is longer than a width."""
    most = max(1, int(width / (GLYPH * size)))
    return text if len(text) <= most else text[: most - 1] + "…"


def _escaped(text: str) -> str:
    """Return a plain text as markup; what XML cannot hold becomes a replacement character."""
    return html.escape(_NO_XML.sub("\ufffd", text))
