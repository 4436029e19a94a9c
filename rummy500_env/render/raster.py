"""Pictures as pixels: needs the extra ``pictures``."""

from __future__ import annotations

import importlib.util
import io
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from rummy500_env.errors import Rummy500Error

__all__ = ["missing", "svg_to_array", "svg_to_png"]

EXTRA: Final = "pip install 'rummy500[pictures]'"


def svg_to_png(svg: str, width: int | None = None) -> bytes:
    """Return a picture as the bytes of a PNG file.

    Args:
        svg: The picture.
        width: Its width in pixels; None: as it says itself.

    Raises:
        Rummy500Error: when the package that draws it is not installed.
    """
    try:
        import resvg_py  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise missing("resvg-py", "pictures as pixels") from error
    fonts = _fonts()
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            font_files=fonts,
            skip_system_fonts=bool(fonts),  # the same pixels everywhere
            font_family="DejaVu Sans",
        )
    )


def svg_to_array(svg: str, width: int | None = None) -> npt.NDArray[np.uint8]:
    """Return a picture as pixels, ``uint8 (height, width, 3)``: red, green, blue.

    Args:
        svg: The picture.
        width: Its width in pixels; None: as it says itself.

    Raises:
        Rummy500Error: when a package that it takes is not installed.
    """
    png = svg_to_png(svg, width)
    try:
        from PIL import Image  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise missing("pillow", "pictures as pixels") from error
    with Image.open(io.BytesIO(png)) as found:
        ground = Image.new("RGBA", found.size, "white")
        return np.asarray(Image.alpha_composite(ground, found.convert("RGBA")).convert("RGB"))


def missing(package: str, purpose: str) -> Rummy500Error:
    """Return the error for a package that is not installed."""
    return Rummy500Error(f"{purpose}: the package {package} is not installed: {EXTRA}")


@cache
def _fonts() -> list[str]:
    """Return the files of the font that matplotlib, which is installed with this, brings along."""
    found = importlib.util.find_spec("matplotlib")
    if found is None or found.origin is None:
        return []
    folder = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"
    files = (folder / f"{name}.ttf" for name in ("DejaVuSans", "DejaVuSans-Bold"))
    return [str(file) for file in files if file.exists()]
