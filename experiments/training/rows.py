"""The first layer of a value network as torch learns it: sums of the rows of a table.

Torch's own `embedding_bag` sorts all numbers before it adds up a gradient; adding row after row
takes a third of the time, and the layer is most of the work of a step.
"""

# pyright: reportMissingImports=false
# Torch is in an extra: without it this module is checked as far as that goes.
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from rummy500_env.engine.bits import lowest, without_lowest
from rummy500_env.engine.dense import row_adder
from rummy500_env.engine.jit import kernel
from rummy500_env.networks import LAYERS

__all__ = ["numbers_of", "sums_of_rows"]

FEATURES, FIRST = LAYERS["table"]
_add_row = row_adder(FIRST, 1)


@kernel
def _list_numbers(words: Any, numbers: Any, starts: Any) -> Any:
    """Write the numbers of the bits that are set, row after row, and where each row begins."""
    count = np.int64(0)
    for row in range(len(words)):
        starts[row] = count
        for k in range(words.shape[1]):
            rest = np.int64(words[row, k])
            while rest != 0:
                numbers[count] = 64 * k + lowest(rest)
                count += 1
                rest = without_lowest(rest)
    return count


@kernel
def _add_up(numbers: Any, starts: Any, rows: Any, sums: Any) -> None:
    """Add row ``k`` of ``rows``, one after the other, to the sums of all its numbers."""
    for k in range(len(starts)):
        stop = starts[k + 1] if k + 1 < len(starts) else len(numbers)
        for at in range(starts[k], stop):
            _add_row(rows, k * np.int64(FIRST), sums[numbers[at]])


class _Sums(torch.autograd.Function):
    """Sums of rows, with a gradient that is added up row after row."""

    @staticmethod
    def forward(ctx: Any, table: Any, numbers: Any, starts: Any) -> Any:
        ctx.save_for_backward(numbers, starts)
        return torch.nn.functional.embedding_bag(numbers, table, starts, mode="sum")

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        numbers, starts = ctx.saved_tensors
        sums = np.zeros((FEATURES, FIRST), np.float32)
        rows = grads[0].contiguous().numpy().ravel()
        _add_up(numbers.numpy(), starts.numpy(), rows, sums)
        return torch.from_numpy(sums), None, None


def sums_of_rows(table: torch.Tensor, numbers: torch.Tensor, starts: torch.Tensor) -> torch.Tensor:
    """Return the sums of rows of a table, one sum for each view, ``float32 (views, FIRST)``.

    Args:
        table: ``float32 (features, FIRST)``.
        numbers: ``int64``: which rows, one view after the other.
        starts: ``int64 (views,)``: where each view's begin.
    """
    if table.is_cuda:
        return torch.nn.functional.embedding_bag(numbers, table, starts, mode="sum")
    return _Sums.apply(table, numbers, starts)


def numbers_of(
    features: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the numbers of the features that views have, and where each view's begin.

    Args:
        features: ``uint8 (views, bytes)``: a bit each, the lowest bit of a byte first.
    """
    words = np.ascontiguousarray(features).view("<i8")
    starts = np.empty(len(words), np.int64)
    numbers = np.empty(int(np.unpackbits(features).sum(dtype=np.int64)), np.int64)
    _list_numbers(words, numbers, starts)
    return numbers, starts
