"""How far a seat is ahead of the mean of the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.engine.jit import kernel

__all__ = ["lead_of", "table_lead"]


@kernel
def lead_of(points: Any, n: Any, seat: Any) -> Any:
    """Return what a seat has over the mean of the others, of ``n`` numbers of points."""
    own, total = np.int64(points[seat]), np.int64(0)
    for other in range(n):
        total += np.int64(points[other])
    return np.float64(own) - np.float64(total - own) / np.float64(n - 1)


@kernel
def table_lead(st: Any, n: Any, seat: Any) -> Any:
    """Return the points a seat has laid on the table over the mean of the others."""
    return lead_of(st.table_points, n, seat)
