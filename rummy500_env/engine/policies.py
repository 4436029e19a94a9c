"""Compiled policies: what one is, and how kernels call it.

A compiled policy is one function ``policy(views, row, legal, rules) -> action``, decorated with
:func:`~rummy500_env.engine.jit.kernel`:

* ``views``: array of view records (:mod:`rummy500_env.view_record`), of which it reads
  ``views[row]``.
* ``row``: which view, and which row of ``legal``.
* ``legal``: ``int64 (rows, words)``: the legal actions as bits
  (:mod:`rummy500_env.engine.bits`).
* ``rules``: array of one rules record (:mod:`rummy500_env.engine.rules_record`).

Kernels take a policy by pointer, so one compiled kernel serves all policies, and is cached. What a
policy raises comes out of the kernel as it was raised; the work record of views then shows which
decision it was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rummy500_env.engine.bits import flip_bit
from rummy500_env.engine.jit import JIT_DISABLED, kernel
from rummy500_env.engine.look import view_of
from rummy500_env.engine.rules_record import RULES
from rummy500_env.engine.state import WORDS
from rummy500_env.view_record import VIEW

__all__ = [
    "ask_policy",
    "bound_policy",
    "decide_rows",
    "mask_bits",
    "policy_of",
    "policy_pointer",
    "policy_pointers",
]

Policy = Callable[[Any, Any, Any, Any], Any]

_WANTED = "a function (views, row, legal, rules) -> int64 under @kernel"

if TYPE_CHECKING or JIT_DISABLED:

    def policy_pointer(policy: Policy) -> Any:
        """Return what kernels take for a policy; ``TypeError`` when it is none."""
        if not callable(policy):
            raise TypeError(f"policy {policy!r}: {_WANTED} is needed")
        return policy

    def policy_pointers(policies: Sequence[Policy | None]) -> Any:
        """Return what kernels take for several policies, 0 where there is none."""
        return [0 if policy is None else policy_pointer(policy) for policy in policies]

    def policy_of(pointer: Any) -> Any:
        """Return the policy of one of `policy_pointers`, in a kernel."""
        return pointer

    def bound_policy(function: Any, weights: npt.NDArray[Any]) -> Policy:
        """Return a policy that hands numbers of its own to a function.

        The function is compiled once, and one policy more takes a fraction of a second.

        Args:
            function: ``function(views, row, legal, rules, weights) -> action`` under ``@kernel``.
            weights: Array of one axis, in one piece. What is written into them later holds at once.
        """
        return lambda views, row, legal, rules: function(views, row, legal, rules, weights)

else:
    from numba import from_dtype
    from numba.core import cgutils, types
    from numba.core.dispatcher import Dispatcher
    from numba.experimental.function_type import FunctionModel
    from numba.extending import NativeValue, intrinsic, register_model, unbox

    class _PolicyType(types.FunctionType):
        """The type of a policy in kernels: the address of its code in numba's own convention.

        What numba makes of a function that it is given is a C function. That knows no exceptions:
        what a policy raises would be printed and forgotten, and the policy would seem to have
        returned 0, which may be a legal action.
        """

    register_model(_PolicyType)(FunctionModel)

    def _function_at(context: Any, builder: Any, kind: Any, address: Any) -> Any:
        """Return the function of a type whose machine code is at an address."""
        function = cgutils.create_struct_proxy(kind)(context, builder)
        function.jit_addr = builder.inttoptr(address, cgutils.voidptr_t)
        return function._getvalue()

    @unbox(_PolicyType)
    def _unbox_policy(kind: Any, pointer: Any, c: Any) -> Any:
        """Take the address from a pointer that a kernel is called with."""
        function = cgutils.create_struct_proxy(kind)(c.context, c.builder)
        address = c.pyapi.object_getattr_string(pointer, "address")
        function.jit_addr = c.pyapi.long_as_voidptr(address)
        c.pyapi.decref(address)
        return NativeValue(function._getvalue())

    @lru_cache(maxsize=1)
    def _signature() -> Any:
        """Return the type of a policy; made when first needed, since it takes a while."""
        views = types.Array(from_dtype(VIEW), 1, "C", aligned=False)
        rules = types.Array(from_dtype(RULES), 1, "C", aligned=False)
        legal = types.Array(types.int64, 2, "C")
        return types.int64(views, types.int64, legal, rules)

    def bound_policy(function: Any, weights: npt.NDArray[Any]) -> Policy:
        """Return a policy that hands numbers of its own to a function."""
        kind = types.Array(from_dtype(weights.dtype), 1, "C")
        signature = types.int64(*_signature().args, kind)
        call, at, size = _Pointer(function, signature).address, weights.ctypes.data, len(weights)

        @intrinsic
        def bound(typing_context: Any) -> Any:
            def function_at(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                address = context.get_constant(types.int64, call)
                return _function_at(context, builder, signature.return_type, address)

            return _PolicyType(signature)(), function_at

        @intrinsic
        def numbers(typing_context: Any) -> Any:
            def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                made = context.make_array(kind)(context, builder)
                word = context.get_value_type(types.intp)
                context.populate_array(
                    made,
                    data=builder.inttoptr(word(at), made.data.type),
                    shape=[word(size)],
                    strides=[word(weights.itemsize)],
                    itemsize=word(weights.itemsize),
                    meminfo=None,
                )
                return made._getvalue()

            return kind(), build

        @kernel(cache=False)  # of this process: it holds addresses
        def policy(views: Any, row: Any, legal: Any, rules: Any) -> Any:
            return bound()(views, row, legal, rules, numbers())

        keep: Any = policy
        keep.weights = weights  # lives as long as the policy does
        return policy

    class _Pointer:
        """A policy compiled for the one signature, with the address of its machine code.

        Type and address are found once: numba would look for them anew at each call of a kernel,
        which takes longer than many a call.
        """

        def __init__(self, policy: Any, signature: Any) -> None:
            try:
                policy.compile(signature.args)
            except Exception as error:  # numba's own, and what its compiler trips over
                said = (line for line in str(error).splitlines() if line.strip())
                why = next((line for line in said if not line.startswith("Failed in")), error)
                raise TypeError(f"policy {_name(policy)} does not compile: {why}") from error
            self._compiled = policy.overloads[signature.args]
            returned = types.unliteral(self._compiled.signature.return_type)
            if returned != signature.return_type:
                raise TypeError(f"policy {_name(policy)} returns {returned}: {_WANTED} is needed")
            self._numba_type_ = _PolicyType(signature)
            name = self._compiled.fndesc.llvm_func_name
            self.address = self._compiled.library.get_pointer_to_function(name)

    @cache
    def policy_pointer(policy: Policy) -> Any:
        """Return what kernels take for a policy: a pointer to its machine code.

        Raises:
            TypeError: when it is no policy, or does not compile.
        """
        if not isinstance(policy, Dispatcher):
            raise TypeError(f"policy {policy!r}: {_WANTED} is needed")
        return _Pointer(policy, _signature())

    def policy_pointers(policies: Sequence[Policy | None]) -> Any:
        """Return what kernels take for several policies: ``int64`` addresses, 0 for None."""
        found = [0 if policy is None else policy_pointer(policy).address for policy in policies]
        return np.array(found, np.int64)

    @intrinsic
    def policy_of(typing_context: Any, pointer: Any) -> Any:
        """Return the policy of one of `policy_pointers`, in a kernel."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return _function_at(context, builder, signature.return_type, arguments[0])

        return _PolicyType(_signature())(types.int64), generate

    def _name(policy: Any) -> str:
        return repr(policy.py_func.__name__)


@kernel
def ask_policy(
    policy: Any, st: Any, rules: Any, key: Any, table: Any, views: Any, legal: Any
) -> Any:
    """Return what a policy does for the seat to move, legal or not.

    Args:
        policy: The policy.
        st: The table's record.
        rules: The rules' array of one record.
        key: Word that the view's random bits follow from.
        table: Number of the table, for the view.
        views: One view record to work in.
        legal: ``int64 (1, words)`` to work in.
    """
    view_of(st, np.int64(st.seat), key, table, views[0])
    for word in range(WORDS):
        legal[0, word] = st.legal[word]
    return policy(views, np.int64(0), legal, rules)


@kernel
def _decide_rows(policy: Any, views: Any, legal: Any, rules: Any, actions: Any) -> None:
    for row in range(len(views)):
        actions[row] = policy(views, np.int64(row), legal, rules)


@kernel
def _mask_bits(masks: Any, legal: Any) -> None:
    for row in range(len(masks)):
        for action in range(masks.shape[1]):
            if masks[row, action]:
                flip_bit(legal[row], np.int64(action))


def mask_bits(masks: Any) -> Any:
    """Return masks, ``int8 (rows, n)`` in one piece, as bits: ``int64 (rows, words)``."""
    legal = np.zeros((len(masks), WORDS), np.int64)
    _mask_bits(masks, legal)
    return legal


def decide_rows(policy: Any, views: Any, masks: Any, rules: Any, actions: Any) -> None:
    """Write a policy's action for each view; ``masks`` are ``int8 (len(views), n)``.

    Slices and selections of arrays will do: they are copied if they do not lie in one piece.
    """
    views, masks = np.ascontiguousarray(views), np.ascontiguousarray(masks)
    if JIT_DISABLED:
        views = views.view(np.recarray)
    _decide_rows(policy, views, mask_bits(masks), rules, actions)
