"""The arithmetic of a value network, by the processor's vectors.

Sums are made in one order, unit after unit, whatever the batch: the result is the same to the last
bit. Left to itself the compiler keeps the sums of a layer in memory and takes four times as long;
and whether it uses vectors at all depends on what else is compiled in the same process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rummy500_env.engine.jit import JIT_DISABLED

__all__ = ["dense_layers", "row_adder"]

LANES = 32
"""Numbers that are added at once; the compiler splits them into what the processor has."""

if TYPE_CHECKING or JIT_DISABLED:

    def dense_layers(at: int, inputs: int, units: int) -> Any:
        """Return a function ``(weights, sums) -> value`` for kernels: two layers of ReLU units.

        Args:
            at: Where in the weights they begin. There stand the second layer by input (``inputs``
                rows of ``units``), its bias, the last layer's row, and its bias: ``float32``.
            inputs: Units of the first layer, whose sums are given: ``float32 (inputs,)``.
            units: Units of the second layer.
        """
        bias = at + inputs * units

        def value_of(weights: Any, sums: Any) -> Any:
            second = weights[bias : bias + units].copy()
            for k in range(inputs):
                row = at + k * units
                second += max(sums[k], np.float32(0)) * weights[row : row + units]
            value = weights[bias + 2 * units]
            for unit, weight in zip(second, weights[bias + units : bias + 2 * units], strict=True):
                value += max(unit, np.float32(0)) * weight
            return value

        return value_of

    def row_adder(size: int, factor: int) -> Any:
        """Return a function ``(weights, at, sums)`` for kernels that adds a row to sums.

        Args:
            size: Numbers of a row; they begin at ``at``.
            factor: 1 to add them, -1 to take them away.
        """

        def add(weights: Any, at: Any, sums: Any) -> None:
            sums += np.float32(factor) * weights[at : at + size]

        return add

else:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    _INDEX = ir.IntType(64)
    _LANE = ir.IntType(32)

    def dense_layers(at: int, inputs: int, units: int) -> Any:
        """Return a function ``(weights, sums) -> value`` for kernels: two layers of ReLU units."""
        vector = ir.VectorType(ir.FloatType(), units)
        nothing = ir.Constant(vector, ir.Undefined)
        every_lane = ir.Constant(ir.VectorType(_LANE, units), [0] * units)
        bias = at + inputs * units

        def positive(builder: Any, value: Any, zero: Any) -> Any:
            return builder.select(builder.fcmp_ordered(">", value, zero), value, zero)

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            rows, first = (
                context.make_array(kind)(context, builder, value).data
                for kind, value in zip(signature.args, arguments, strict=True)
            )

            def load(place: Any) -> Any:
                pointer = builder.bitcast(builder.gep(rows, [place]), vector.as_pointer())
                return builder.load(pointer, align=4)

            total = cgutils.alloca_once_value(builder, load(_INDEX(bias)))
            with cgutils.for_range(builder, _INDEX(inputs)) as loop:
                unit = builder.load(builder.gep(first, [loop.index]))
                unit = positive(builder, unit, ir.FloatType()(0.0))
                place = builder.add(_INDEX(at), builder.mul(loop.index, _INDEX(units)))
                lanes = builder.insert_element(nothing, unit, _LANE(0))
                lanes = builder.shuffle_vector(lanes, nothing, every_lane)
                product = builder.fmul(lanes, load(place))
                builder.store(builder.fadd(builder.load(total), product), total)
            second = positive(builder, builder.load(total), vector([0.0] * units))
            products = builder.fmul(second, load(_INDEX(bias + units)))
            value = builder.load(builder.gep(rows, [_INDEX(bias + 2 * units)]))
            for k in range(units):
                value = builder.fadd(value, builder.extract_element(products, _LANE(k)))
            return value

        @intrinsic
        def value_of(typing_context: Any, weights: Any, sums: Any) -> Any:
            return types.float32(weights, sums), build

        return value_of

    def row_adder(size: int, factor: int) -> Any:
        """Return a function ``(weights, at, sums)`` for kernels that adds a row to sums."""
        pointer = ir.VectorType(ir.FloatType(), LANES).as_pointer()

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kinds = signature.args
            rows = context.make_array(kinds[0])(context, builder, arguments[0]).data
            sums = context.make_array(kinds[2])(context, builder, arguments[2]).data
            row = builder.gep(rows, [arguments[1]])
            add = builder.fadd if factor > 0 else builder.fsub
            for k in range(0, size, LANES):
                place = builder.bitcast(builder.gep(sums, [_INDEX(k)]), pointer)
                part = builder.bitcast(builder.gep(row, [_INDEX(k)]), pointer)
                changed = add(builder.load(place, align=4), builder.load(part, align=4))
                builder.store(changed, place, align=4)
            return context.get_dummy_value()

        @intrinsic
        def add(typing_context: Any, weights: Any, at: Any, sums: Any) -> Any:
            return types.void(weights, types.int64, sums), build

        return add
