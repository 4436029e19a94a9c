"""How environments show their tables: the modes there are, declared once."""

from __future__ import annotations

import sys
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from rummy500_env.pictures import size_of, table_svg
from rummy500_env.render.colour import for_stream
from rummy500_env.render.raster import svg_to_array
from rummy500_env.render.text import table_text
from rummy500_env.render.window import Window
from rummy500_env.rules import Rules

__all__ = ["FRAMES_PER_SECOND", "MANY_MODES", "MODES", "Screen"]

MODES: Final = ["human", "rgb_array", "ansi"]
MANY_MODES: Final = ["rgb_array", "ansi"]
"""The modes of environments of many tables."""
FRAMES_PER_SECOND: Final = 2


class Screen:
    """What shows the tables of an environment. All hands are shown.

    Args:
        mode: ``"ansi"`` for text, ``"rgb_array"`` for pixels, ``"human"`` for a window, None for
            nothing.
        allowed: The modes that the environment has.

    Attributes:
        mode: The mode.
        is_live: Whether each step is to be shown without being asked for.

    Raises:
        ValueError: when it has no such mode.
    """

    def __init__(self, mode: str | None, allowed: list[str] = MODES) -> None:
        if mode is not None and mode not in allowed:
            names = ", ".join(map(repr, allowed))
            raise ValueError(f"render_mode={mode!r}: allowed are None, {names}")
        self.mode, self.is_live = mode, mode == "human"
        self._window: Window | None = None

    def show(self, record: npt.NDArray[Any], rules: Rules) -> str | npt.NDArray[np.uint8] | None:
        """Show the first record of an array of tables.

        Returns:
            Text of at most 80 columns, in colour where the output is a terminal that has some;
            pixels, ``uint8 (height, width, 3)``, as many for each state of a table; or None, when
            a window shows them.

        Raises:
            Rummy500Error: when a package or a display that the mode needs is not there.
        """
        if self.mode is None:
            return None
        if self.mode == "ansi":
            return for_stream(table_text(record, rules), sys.stdout)
        svg = table_svg(record, rules)
        if self.mode == "rgb_array":
            return svg_to_array(svg)
        if self._window is None:
            size = size_of(int(record["num_players"][0]))
            self._window = Window(size, "Rummy 500", FRAMES_PER_SECOND)
        self._window.show(svg_to_array(svg, self._window.width))
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        window, self._window = self._window, None
        if window is not None:
            window.close()

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the window, which cannot be copied."""
        return self.__dict__ | {"_window": None}
