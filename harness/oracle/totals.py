"""Sums of more given numbers than are computed as balls: exactly rounded, part by part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb

from harness.oracle.ball_arrays import Balls
from harness.oracle.oracle_array import OracleArray

Array = npt.NDArray[Any]

PARTS = 6
"""Parts of float64 into which a sum is split, so that what is left is below 2^-300 of the sum."""


def total(kind: type[OracleArray], array: Array, axes: Sequence[int], keepdims: bool) -> Any:
    """The sum over some axes of numbers that are taken as exact.

    Parameters
    ----------
    kind : type
        The arithmetic.
    array : ndarray
        The numbers.
    axes : sequence of int
        The axes that are removed.
    keepdims : bool
        Whether the result keeps them, with length 1.

    Raises
    ------
    OverflowError, ValueError
        Where a sum is beyond the format, or an element is not finite.
    """
    if not issubclass(kind, Balls):
        made: Any = kind.given(array)
        return made.sum(axis=tuple(axes), keepdims=keepdims)
    stay = [axis for axis in range(array.ndim) if axis not in axes]
    sizes = [array.shape[axis] for axis in stay]
    rows = array.transpose(*stay, *axes).reshape(math.prod(sizes), -1)
    items = np.empty(len(rows), dtype=object)
    items[:] = [_exactly(row.tolist()) for row in rows]
    kept = [1 if axis in axes else length for axis, length in enumerate(array.shape)]
    return kind(items.reshape(kept if keepdims else sizes))


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
