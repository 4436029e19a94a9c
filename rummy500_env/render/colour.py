"""Text for terminals: cards in the colours of their suits, where a terminal has colours."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any, Final

from rummy500_env.view_reading import CARD, SIGNS

__all__ = ["coloured", "for_stream", "has_colours"]

_SUITS: Final = {"c": "32", "d": "94", "h": "31", "s": "1"}
"""Green, light blue, red, and bold in the terminal's own colour: as in pictures."""
_JOKER: Final = re.compile(r"\*\*")


def for_stream(text: str, stream: Any) -> str:
    """Return a text as a stream should show it: with colours and signs of suits on a terminal.

    Anywhere else, in a file or a pipe, and where the environment has ``NO_COLOR`` or
    ``TERM=dumb``, it stays as it is, which is plain ASCII if it was.
    """
    if not has_colours(stream, os.environ):
        return text
    return coloured(text, _can_show_signs(stream))


def has_colours(stream: Any, environment: Mapping[str, str]) -> bool:
    """Return whether a stream is a terminal that shows colours, and whether they are wanted."""
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return False
    if os.name == "nt" and "WT_SESSION" not in environment:  # an old console shows the codes
        return False
    return bool(getattr(stream, "isatty", lambda: False)())


def coloured(text: str, signs: bool) -> str:
    """Return a text with the codes that colour its cards; what is seen is as wide as before.

    Args:
        text: The text.
        signs: Whether suits become signs, ``7h`` becomes ``7♥``.
    """
    text = CARD.sub(
        lambda found: (
            f"\x1b[{_SUITS[found[2]]}m{found[1]}{SIGNS[found[2]] if signs else found[2]}\x1b[0m"
        ),
        text,
    )
    return _JOKER.sub("\x1b[35m**\x1b[0m", text)


def _can_show_signs(stream: Any) -> bool:
    try:
        "".join(SIGNS.values()).encode(getattr(stream, "encoding", None) or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
