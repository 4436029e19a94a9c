"""Numbers that compiled code reads where they lie, so that they can change without compiling."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from rummy500_env.engine.jit import JIT_DISABLED

__all__ = ["numbers_at"]

if TYPE_CHECKING or JIT_DISABLED:

    def numbers_at(address: Any, count: Any) -> Any:
        """Return the ``float64 (count,)`` at an address; whoever gives it keeps the array."""
        place = (ctypes.c_double * int(count)).from_address(int(address))
        return np.ctypeslib.as_array(place)

else:
    from numba.core import types
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array, populate_array

    @intrinsic
    def numbers_at(typing_context: Any, address: Any, count: Any) -> Any:
        """Return the ``float64 (count,)`` at an address; whoever gives it keeps the array."""
        kind = types.Array(types.float64, 1, "C")

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = make_array(kind)(context, builder)
            size = context.get_constant(types.intp, 8)
            populate_array(
                array,
                data=builder.inttoptr(arguments[0], array.data.type),
                shape=(arguments[1],),
                strides=(size,),
                itemsize=size,
                meminfo=None,
            )
            return array._getvalue()

        return kind(types.int64, types.int64), build
