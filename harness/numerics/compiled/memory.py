"""Asking for memory ahead of its use, for Numba."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from harness.numerics.compiled.number import compiled

_CACHE_LINE = 64


@compiled
def fetch(x, y, low, high):
    """Have memory send elements that are needed soon, while the processor works on those that it has.

    Of numbers of 16 bytes the processor takes longer than memory: to ask for them would only cost time.
    """
    if x.itemsize > 8:
        return
    for i in range(low, min(high, x.size), _CACHE_LINE // x.itemsize):
        _prefetch(x, i)
        _prefetch(y, i)


@intrinsic
def _prefetch(typing, array, index):
    """LLVM's `prefetch` of one element: a hint, with no effect on what is computed."""

    def emit(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        address = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        # For reading, to be kept in every cache, as data.
        builder.call(function, [address, word(0), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), emit
