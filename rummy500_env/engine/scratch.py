"""Room to work in for a compiled policy: records and arrays that live as long as one call.

A policy is given views and nothing to write on, and several threads may ask it at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rummy500_env.engine.jit import JIT_DISABLED, allocate

__all__ = ["scratch"]

if TYPE_CHECKING or JIT_DISABLED:

    def scratch(dtype: npt.DTypeLike, *shape: int) -> Any:
        """Return a function without arguments for kernels: it returns a zeroed array.

        The array is gone when the kernel that asked for it returns.
        """
        if np.dtype(dtype).names:
            return lambda: allocate(shape[0], dtype)
        return lambda: np.zeros(shape, dtype)

else:
    from llvmlite import ir
    from numba import from_dtype
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    def scratch(dtype: npt.DTypeLike, *shape: int) -> Any:
        """Return a function without arguments for kernels: it returns a zeroed array."""
        kind = np.dtype(dtype)
        array = types.Array(from_dtype(kind), len(shape), "C", aligned=not kind.names)
        words = (kind.itemsize * int(np.prod(shape)) + 7) // 8
        strides = [kind.itemsize * int(np.prod(shape[k + 1 :])) for k in range(len(shape))]

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            index, byte = ir.IntType(64), ir.IntType(8)
            room = cgutils.alloca_once(builder, index, size=words)
            cgutils.memset(builder, builder.bitcast(room, byte.as_pointer()), index(8 * words), 0)
            made = context.make_array(array)(context, builder)
            context.populate_array(
                made,
                data=builder.bitcast(room, made.data.type),
                shape=[index(size) for size in shape],
                strides=[index(size) for size in strides],
                itemsize=index(kind.itemsize),
                meminfo=None,
            )
            return made._getvalue()

        @intrinsic
        def room(typing_context: Any) -> Any:
            return array(), build

        return room
