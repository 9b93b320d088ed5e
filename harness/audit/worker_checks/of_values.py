"""Checks of arrays: shapes, orders and sizes; and the difficult values of every dtype."""

from __future__ import annotations

import numpy as np

from harness.audit.worker_checks.bench import Bench, Check, Probe, words
from harness.audit.worker_checks.ends import Wrong, wrong
from harness.model import Array
from harness.workers.protocol import BFLOAT16, DTYPES

VALUES = "How a language's values map"
TRANSPORT = "Transport"

SHAPES: tuple[tuple[int, ...], ...] = (
    (), (0,), (1,), (5,), (0, 3), (3, 0, 2), (1, 4), (3, 1), (2, 3), (2, 3, 4), (2, 1, 3, 1), (2, 1, 3, 1, 2),
)  # fmt: skip
LARGE = 1_500_000
"""Elements: more than any pipe holds."""


def difficult(dtype: str) -> Array:
    """Values that careless code changes: both zeros, subnormals, the ends, infinities, NaNs with payloads."""
    if dtype == "bfloat16":
        return np.array([0, 1, 0x8000, 0x3F80, 0x7F80, 0xFF80, 0x7FC5], dtype=np.uint16).view(BFLOAT16)
    kind = DTYPES[dtype]
    if kind.kind == "c":
        parts = difficult("float32" if dtype == "complex64" else "float64")
        array = np.empty((parts.size, 2), dtype=kind)
        array.real = parts[:, None]
        array.imag[:, 0], array.imag[:, 1] = parts, parts[::-1]
        return array
    if kind.kind == "f":
        unsigned = np.dtype(f"u{kind.itemsize}")
        fraction = np.finfo(kind).nmant
        infinity = (2 ** (8 * kind.itemsize - 1 - fraction) - 1) << fraction
        half = [0, 1, (1 << fraction) - 1, 1 << fraction, infinity - 1, infinity]
        half += [infinity | 1 << (fraction - 1), infinity | 1 << (fraction - 1) | 5]
        sign = 1 << (8 * kind.itemsize - 1)
        return np.array([*half, *(sign | bit for bit in half)], dtype=unsigned).view(kind)
    if kind.kind == "b":
        return np.array([[True, False, False], [False, True, True]])
    return np.array([[0, 1, 2], [100, 7, 3]], dtype=kind)


def in_its_shape(sent: Array, probe: Probe) -> Array:
    """An array in the shape in which a language without some dimensions returns it."""
    if not probe.vectors:
        column = sent.reshape(*sent.shape, *[1] * (2 - sent.ndim))
        while column.ndim > 2 and column.shape[-1] == 1:
            column = column[..., 0]
        return column
    return sent if probe.scalars or sent.ndim else sent.reshape(1)


def difference(sent: Array, got: Array, *, exact: bool) -> str | None:
    """How an array that came back differs from the one that was sent; None if it is kept.

    Where it need not be ``exact``, another dtype may have the same numbers.
    """
    if got.shape != sent.shape:
        return f"shape {list(got.shape)} came back for {list(sent.shape)}"
    if got.dtype == sent.dtype:
        raw, back = (array.tobytes(order="C") for array in (sent, got))
        if raw == back:
            return None
        size = sent.dtype.itemsize
        at = next(i for i in range(0, len(raw), size) if raw[i : i + size] != back[i : i + size])
        bits = (data[at : at + size][::-1].hex() for data in (raw, back))
        return "element {} of {}: bits {} became {}".format(at // size, sent.dtype, *bits)
    if exact or got.dtype == BFLOAT16 or (sent.dtype.kind == "c" and got.dtype.kind != "c"):
        return f"{got.dtype} came back for {sent.dtype}"
    if sent.dtype == BFLOAT16:
        sent = (sent.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    for place, (before, after) in enumerate(zip(sent.ravel().tolist(), got.ravel().tolist(), strict=True)):
        is_nan = before != before and after != after
        if not is_nan and (before != after or str(before + 0.0)[0] != str(after + 0.0)[0]):
            return f"element {place}: {before!r} became {after!r} as {got.dtype}"
    return None


def keeps(bench: Bench, sent: Array, *, exact: bool) -> str:
    """Send an array there and back; return in which dtype it came."""
    (got,) = bench.call("same", sent)
    problem = difference(in_its_shape(sent, bench.worker()), got, exact=exact)
    if problem is not None:
        wrong(problem)
    return str(got.dtype)


def shapes(bench: Bench) -> str | None:
    """Arrays of every number of dimensions, zeros among the sizes."""
    for shape in SHAPES:
        sent = np.arange(int(np.prod(shape)), dtype=np.float64).reshape(shape) - 1.5
        try:
            keeps(bench, sent, exact=True)
        except Wrong as why:
            wrong(f"float64{list(shape)}: {why}")
    if not bench.worker().vectors:
        return "no fewer than two dimensions, and beyond them none of size 1 at the end, as its hello says"
    return None if bench.worker().scalars else "no 0-d array, as its hello says"


def order(bench: Bench) -> str | None:
    """The functions see element [i, j] where it was sent: rows are rows, whatever the memory order."""
    sent = np.arange(12.0).reshape(3, 4)
    for matrix in (sent, sent.T):
        (got,) = bench.call("corner", matrix)
        due = in_its_shape(np.array(matrix[0, -1]), bench.worker())
        if got.shape != due.shape or got.item() != due.item():
            wrong(f"corner gave {words([got])} of {matrix.tolist()}, and {words([due])} stands there")
    block = np.arange(24.0).reshape(2, 3, 4)
    for array in (block, block.T, block.transpose(1, 2, 0)):
        keeps(bench, array, exact=True)
    return None


def large(bench: Bench) -> None:
    """An array that no pipe holds, sent and received."""
    keeps(bench, np.random.default_rng(1).normal(size=(LARGE // 500, 500)), exact=True)
    # Some libraries write a million and more with a point, or as a power of ten.
    keeps(bench, np.arange(float(LARGE)), exact=True)


def many(bench: Bench) -> str | None:
    """A few hundred calls one after the other, each answered by its own reply."""
    for number in range(300):
        (got,) = bench.call("same", np.full(number % 7, float(number)))
        if got.ravel().tolist() != [float(number)] * (number % 7):
            wrong(f"call {number} gave {words([got])}")
    return None


CHECKS = (
    Check("shapes", TRANSPORT, shapes),
    Check("orders", VALUES, order),
    Check("a large array", TRANSPORT, large),
    Check("many calls", TRANSPORT, many),
)
