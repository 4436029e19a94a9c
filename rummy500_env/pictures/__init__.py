"""Tables as pictures: SVG, made of text alone.

:func:`view_svg` draws what one seat may know, :func:`table_svg` everything. Hidden cards have no way
into a picture of a view: a view has none.
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
    """Return the picture of a view; see :func:`~rummy500_env.pictures.reading.view_scene`."""
    return draw(view_scene(view, names, last))


def table_svg(
    record: npt.NDArray[Any],
    rules: Rules,
    names: Sequence[str] | None = None,
    last: Event | None = None,
) -> str:
    """Return the picture of a table; see :func:`~rummy500_env.pictures.reading.table_scene`."""
    return draw(table_scene(record, rules, names, last))


provide_pictures(view_svg)
