"""Sums of more given numbers than are computed as balls: exact, block by block."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb

from harness.oracle.ball_arrays import Balls
from harness.oracle.oracle_array import OracleArray
from harness.oracle.sampling import TERMS

Array = npt.NDArray[Any]

PARTS = 6
"""Parts of float64 into which a sum is split, so that what is left is below 2^-300 of the sum."""

BLOCK = 1 << 16
"""Numbers that are added at a time: these and what is left of them fit into a processor's cache."""

TOP = 2.0 ** (1023 - 18)
"""Magnitude from which on the anchor of a block of numbers may overflow."""


@dataclass(frozen=True)
class Sums:
    """Sums over some axes of given numbers, and what their limit follows from.

    ``exact`` has balls, ``sizes`` the sums of the magnitudes, ``count`` how many numbers are not zero.
    """

    exact: Array
    sizes: Array
    count: Array


def sums(array: Array, axes: Sequence[int], keepdims: bool) -> Sums:
    """The sums over some axes of numbers that are taken as exact.

    Parameters
    ----------
    array : ndarray
        The numbers, in any floating-point format.
    axes : sequence of int
        The axes that are removed.
    keepdims : bool
        Whether the result keeps them, with length 1.

    Raises
    ------
    OverflowError, ValueError
        Where a sum may be beyond float64, or an element is not finite.
    """
    stay = [axis for axis in range(array.ndim) if axis not in axes]
    lengths = [array.shape[axis] for axis in stay]
    rows = array.transpose(*stay, *axes).reshape(math.prod(lengths), -1)
    exact = np.empty(len(rows), dtype=object)
    sizes, count = np.zeros(len(rows)), np.zeros(len(rows))
    for place, row in enumerate(rows):
        parts: list[float] = []
        for block in _blocks(row):
            sizes[place] += np.abs(block).sum()
            count[place] += np.count_nonzero(block)
            parts += _extracted(block)
        exact[place] = _exactly(parts)
    kept = [1 if axis in axes else length for axis, length in enumerate(array.shape)]
    shape = kept if keepdims else lengths
    return Sums(exact.reshape(shape), sizes.reshape(shape), count.reshape(shape))


def total(kind: type[OracleArray], array: Array, axes: Sequence[int], keepdims: bool, known: Sums) -> Any:
    """The sum over some axes in an arithmetic.

    Parameters
    ----------
    kind : type
        The arithmetic.
    array, axes, keepdims
        As in `sums`.
    known : Sums
        Its result.

    Raises
    ------
    OverflowError
        Where a partial sum may be beyond the format.
    """
    if issubclass(kind, Balls):
        return kind(known.exact.copy())
    made: Any = kind
    if array.size <= TERMS:
        return made.given(array.astype(np.float64)).sum(axis=tuple(axes), keepdims=keepdims)
    # The magnitudes are added in blocks, which rounds them by less than this.
    sizes = known.sizes * (1.0 + 2.0**-40)
    if not (sizes < made.form.largest / 2.0).all():
        raise OverflowError("a partial sum may be beyond the format")
    value = np.array([float(ball) for ball in known.exact.ravel()]).reshape(known.exact.shape)
    return made.within(value, made.unit * (1.0 + made.unit) * known.count * sizes)


def _blocks(row: Array) -> Iterator[Array]:
    for start in range(0, len(row), BLOCK):
        yield row[start : start + BLOCK].astype(np.float64)


def _extracted(left: Array) -> list[float]:
    """Numbers whose sum is that of a block exactly; the block is overwritten.

    Each is the sum of the leading digits of all numbers, which are multiples of one unit and add up without
    rounding (Rump, Ogita and Oishi, "Accurate floating-point summation, part I", SIAM J. Sci. Comput. 31,
    2008, algorithm 3.2).
    """
    parts: list[float] = []
    while True:
        largest = float(max(left.max(initial=0.0), -left.min(initial=0.0)))
        if largest == 0.0:
            return parts
        if not largest < TOP:
            raise OverflowError("a number is not finite, or near the largest one")
        _, exponent = math.frexp(largest)
        anchor = math.ldexp(1.0, exponent + (len(left) + 1).bit_length())
        leading = (anchor + left) - anchor
        parts.append(float(leading.sum()))
        left -= leading


def _exactly(terms: list[float]) -> arb:
    """A ball that holds the sum: each part is what is left of it, rounded once (`math.fsum`)."""
    whole, part = arb(0), 0.0
    for _ in range(PARTS):
        part = math.fsum(terms)
        if part == 0.0:
            return whole
        whole += arb(part)
        terms.append(-part)
    # What is left is at most half a unit in the last place of the last part.
    return whole + arb(0, math.ldexp(abs(part), -52))
