"""A window that shows pictures: needs the extra ``pictures``, and a display."""

from __future__ import annotations

import os
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from rummy500_env.errors import Rummy500Error
from rummy500_env.render.raster import missing

__all__ = ["Window"]

UNSEEN: Final = ("dummy", "offscreen")
"""What pygame falls back to where there is no screen; who names it, as tests do, gets it."""
SHARE: Final = 0.9
"""What of the height of the display the window may take."""


class Window:
    """A window for pictures of one size.

    Args:
        size: Width and height of a picture; where the display is too low for it, it is smaller.
        title: What stands above it.
        frames_per_second: How many pictures are shown in a second at most.

    Attributes:
        width: The width that pictures should have, in pixels.

    Raises:
        Rummy500Error: when pygame is not installed, or there is no display.
    """

    def __init__(self, size: tuple[int, int], title: str, frames_per_second: int) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            import pygame  # noqa: PLC0415 (an extra)
        except ImportError as error:
            raise missing("pygame-ce", "render_mode='human'") from error
        self._pygame: Any = pygame
        try:
            pygame.display.init()
            if pygame.display.get_driver() in UNSEEN and "SDL_VIDEODRIVER" not in os.environ:
                raise pygame.error("no screen was found")
            displays = pygame.display.get_desktop_sizes()
            scale = min(1.0, SHARE * displays[0][1] / size[1]) if displays else 1.0
            self.width = max(1, round(size[0] * scale))
            height = max(1, round(size[1] * scale))
            self._screen: Any = pygame.display.set_mode((self.width, height))
        except pygame.error as error:
            pygame.display.quit()
            raise Rummy500Error(
                "render_mode='human' needs a display to open a window on "
                f"({error}); 'rgb_array' and 'ansi' need none"
            ) from error
        pygame.display.set_caption(title)
        self._clock: Any = pygame.time.Clock()
        self._rate = frames_per_second

    def show(self, pixels: npt.NDArray[np.uint8]) -> None:
        """Show a picture, ``uint8 (height, width, 3)``, when the last one's time is up."""
        pygame = self._pygame
        self._screen.blit(pygame.surfarray.make_surface(pixels.swapaxes(0, 1)), (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._rate)

    def close(self) -> None:
        """Close it."""
        self._pygame.display.quit()
