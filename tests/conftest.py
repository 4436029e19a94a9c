"""What all tests share: settings of the libraries, and a header that says what is tested."""

from __future__ import annotations

import os
import signal
from typing import Any

import numba.core.config
import pytest
from hypothesis import settings

# Pictures are drawn into files, also where there is no screen.
os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # and windows are opened where nobody sees them

# No deadline: the first call of a kernel compiles it. CI draws the same examples each time, so
# that it fails for changes of the code only; `make test` looks at new ones, and `make soak`
# (HYPOTHESIS_PROFILE=soak) at many.
settings.register_profile("default", deadline=None, max_examples=50)
settings.register_profile("ci", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("soak", deadline=None, max_examples=5000)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "default")
)


# A shell that starts a job in the background lets it ignore Ctrl-C, and what it starts in turn
# ignores it too; the tests of interruptions need processes that do not.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(params=["reference", "engine"])
def place(request: pytest.FixtureRequest) -> Any:
    """Put a table into a position: a clause of the rules is tested on each engine in turn."""
    from tests.support.engines import placing_on

    return placing_on(request.param)


def pytest_report_header() -> str:
    """Say in which of its three forms the engine is tested."""
    config: Any = numba.core.config
    if config.DISABLE_JIT:
        return "kernels: plain Python (NUMBA_DISABLE_JIT)"
    if config.BOUNDSCHECK:
        return "kernels: compiled, with checks of all indices (NUMBA_BOUNDSCHECK)"
    return "kernels: compiled"
