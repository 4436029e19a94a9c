"""Tables as pictures: SVG, made of text alone.

:func:`view_svg` draws what one seat may know, :func:`table_svg` everything. Hidden cards have no
way into a picture of a view: a view has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from rummy500_env.events import Event
from rummy500_env.pictures.reading import table_scene, view_scene
from rummy500_env.pictures.table import draw, size_of
from rummy500_env.rules import Rules
from rummy500_env.view import PlayerView, provide_pictures

__all__ = ["size_of", "table_svg", "view_svg"]


def view_svg(
    view: PlayerView, names: Sequence[str] | None = None, last: Event | None = None
) -> str:
    """Return what one seat may know as a picture, a document of SVG.

    Args:
        view: The view; its seat sits at the bottom.
        names: Who sits at each seat, by seat; ``player_0`` and so on when left out.
        last: The last move; without it, what the view tells of it is said.

    Raises:
        ValueError: when there are not as many names as seats.
    """
    return draw(view_scene(view, names, last))


def table_svg(
    record: npt.NDArray[Any],
    rules: Rules,
    names: Sequence[str] | None = None,
    last: Event | None = None,
) -> str:
    """Return a table with all hands as a picture, a document of SVG.

    Args:
        record: An array of tables; the first one is drawn, with seat 0 at the bottom.
        rules: Its rules.
        names: As in :func:`view_svg`.
        last: As there.

    Raises:
        ValueError: when there are not as many names as seats.
    """
    return draw(table_scene(record, rules, names, last))


provide_pictures(view_svg)
