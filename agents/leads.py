"""What a seat has over the others: the yardstick of searches, trainings and measurements."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["leads"]


def leads(
    points: npt.NDArray[np.integer[Any]], seats: int | npt.NDArray[np.integer[Any]]
) -> npt.NDArray[np.float64]:
    """Return what a seat has over the mean of the others, ``float64 (...)``.

    Args:
        points: ``(..., seats at the table)``.
        seats: Whose lead: one seat, or one for each row, ``(...)``.
    """
    which = np.broadcast_to(np.asarray(seats, np.int64), points.shape[:-1])
    own = np.take_along_axis(points, which[..., None], axis=-1)[..., 0].astype(np.float64)
    return own - (points.sum(axis=-1) - own) / (points.shape[-1] - 1)
