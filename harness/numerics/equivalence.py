"""Arrays that are the same up to a sign, an order, names of groups, a rotation or a phase.

Of everything that is equivalent to what is expected, the member is compared that lies nearest to what was
returned. Nothing else changes: a shape, NaN, or one element that is off, stays.
"""

from __future__ import annotations

from typing import Any, assert_never

import msgspec
import numpy as np
import numpy.typing as npt

from harness.errors import CompareError
from harness.model import Array, Truth, UpTo

MOST_ROWS = 1000
"""Rows that are paired where several of them are nearest to the same one."""

_BLOCK = 1 << 20
"""Distances that are computed at once."""


def facing(up_to: UpTo, expected: Array, actual: Array) -> Array:
    """Return what is equivalent to the expected array, and nearest to the actual one.

    Parameters
    ----------
    up_to : str
        What the arrays are compared up to: see `harness.model.equivalence.EQUIVALENCES`.
    expected, actual : ndarray
        Arrays of one shape. Other shapes, and numbers where others are expected, are returned as they are.

    Returns
    -------
    ndarray
        In the dtype of ``expected``; int64 for labels.

    Raises
    ------
    CompareError
        More than `MOST_ROWS` rows have no nearest row each.

    Notes
    -----
    Signs and phases are those of the inner product. Rows are paired so that the sum of squared distances is
    least, labels so that most elements agree. The rotation is that of the orthogonal Procrustes problem
    (Schoenemann, Psychometrika 31, 1966), which may be a reflection.
    """
    if expected.shape != actual.shape or not expected.size:
        return expected
    match up_to:
        case "sign" | "sign of columns" | "phase":
            return _turned(expected, factors(up_to, expected, actual), actual)
        case "permutation of rows" | "set":
            moved: Array = expected.reshape(-1)[order(up_to, expected, actual)].reshape(expected.shape)
            return moved
        case "labels":
            return _relabelled(expected, actual)
        case "rotation":
            return _rotated(expected, actual)
        case _:
            assert_never(up_to)


def facing_truth(up_to: UpTo, truth: Truth, actual: Array) -> Truth:
    """Return true values, with their limits, that are equivalent and nearest to an array.

    Rotations, phases and labels have no derived limits, and leave the truth as it is.
    """
    high: Any = truth.high
    if high.shape != actual.shape or not high.size:
        return truth
    if up_to in ("sign", "sign of columns"):
        factor = factors(up_to, high, actual)
        return msgspec.structs.replace(truth, high=high * factor, low=truth.low * factor)  # type: ignore[operator]
    if up_to not in ("permutation of rows", "set"):
        return truth
    places = order(up_to, high, actual)
    names = ("high", "low", "limit", "known", "undecided", "reach", "unlimited")
    parts = {name: part for name in names if (part := getattr(truth, name)) is not None}
    return msgspec.structs.replace(
        truth, **{name: part.reshape(-1)[places].reshape(part.shape) for name, part in parts.items()}
    )


def factors(up_to: UpTo, expected: Array, actual: Array) -> Array:
    """The sign or phase of each column, or of the whole, that brings the expected array to the actual one."""
    there = np.isfinite(expected) & np.isfinite(actual)
    e, a = (np.where(there, array, 0) for array in (expected, actual))
    scales = [float(np.abs(array).max(initial=0.0)) or 1.0 for array in (e, a)]
    # Scaled, so that no product overflows.
    products = np.conj(e / scales[0]) * (a / scales[1])
    whole = up_to == "sign" or expected.ndim < 2
    inner: Any = products.sum() if whole else products.sum(axis=-2, keepdims=True)
    if up_to == "phase":
        size = np.abs(inner)
        return np.asarray(np.where(size > 0, inner / np.where(size > 0, size, 1), 1))
    return np.asarray(np.where(inner.real < 0, -1.0, 1.0))


def _turned(expected: Array, factor: Array, actual: Array) -> Array:
    """What is expected times its factors; a zero that changes its sign is the zero that was returned."""
    turned: Any = (expected * factor).astype(expected.dtype)  # type: ignore[operator]
    if expected.dtype.kind == "f":
        zeros = (expected == 0) & (actual == 0) & np.signbit(factor)
        return np.asarray(np.where(zeros, actual, turned).astype(expected.dtype))
    return np.asarray(turned)


def order(up_to: UpTo, expected: Array, actual: Array) -> npt.NDArray[np.int64]:
    """The flat index of the expected element that each element is compared with."""
    if up_to == "set" or expected.ndim == 1:
        return _paired(expected.reshape(-1, 1), actual.reshape(-1, 1))
    n = expected.shape[0]
    rows = _paired(expected.reshape(n, -1), actual.reshape(n, -1))
    return np.arange(expected.size).reshape(n, -1)[rows].reshape(-1)


def _paired(expected: Array, actual: Array) -> npt.NDArray[np.int64]:
    """The row of the one array for each row of the other, each once."""
    n = expected.shape[0]
    if expected.shape[1] == 1 and expected.dtype.kind != "c":
        # Sorted, no other pairing has a smaller sum.
        rows = np.empty(n, dtype=np.int64)
        rows[np.argsort(actual[:, 0], kind="stable")] = np.argsort(expected[:, 0], kind="stable")
        return rows
    e, a = _real(expected), _real(actual)
    step = max(1, _BLOCK // max(1, n))
    nearest = np.concatenate([_distances(a[i : i + step], e).argmin(axis=1) for i in range(0, n, step)])
    if len(np.unique(nearest)) == n:
        return nearest.astype(np.int64)
    if n > MOST_ROWS:
        raise CompareError(
            f"{n} rows of which several are nearest to the same one are not paired",
            advice=f"compare up to {MOST_ROWS} rows, or put them in order",
        )
    return assigned(_distances(a, e))


def _real(rows: Array) -> npt.NDArray[np.float64]:
    """Rows as real numbers; NaN is 0, and infinities 1 and -1."""
    parts: Any = np.concatenate([rows.real, rows.imag], axis=1) if rows.dtype.kind == "c" else rows
    wide = parts.astype(np.float64)
    finite = np.isfinite(wide)
    return np.where(finite, wide, np.where(np.isnan(wide), 0.0, np.sign(wide)))


def _distances(a: npt.NDArray[np.float64], e: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The squared distance of each row of the one from each row of the other."""
    scale = max(float(np.abs(e).max(initial=0.0)), float(np.abs(a).max(initial=0.0))) or 1.0
    total = np.zeros((len(a), len(e)))
    for column in range(a.shape[1]):
        total += ((a[:, column, None] - e[None, :, column]) / scale) ** 2
    return total


def assigned(cost: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """The column of each row, each once, for which the sum of the costs is least.

    Parameters
    ----------
    cost : ndarray, (n, n)
        Finite numbers.

    Notes
    -----
    Shortest augmenting paths: Jonker and Volgenant, Computing 38, 1987; as in Crouse, IEEE Trans. Aerosp.
    Electron. Syst. 52, 2016.
    """
    n = len(cost)
    of_row, of_column = np.zeros(n), np.zeros(n)
    column_of, row_of = np.full(n, -1), np.full(n, -1)
    for start in range(n):
        shortest, before = np.full(n, np.inf), np.full(n, -1)
        done_rows, done = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
        least, row, sink = 0.0, start, -1
        while sink < 0:
            done_rows[row] = True
            through = least + cost[row] - of_row[row] - of_column
            closer = ~done & (through < shortest)
            shortest[closer], before[closer] = through[closer], row
            column = int(np.where(done, np.inf, shortest).argmin())
            least = float(shortest[column])
            done[column] = True
            if row_of[column] < 0:
                sink = column
            else:
                row = int(row_of[column])
        others = done_rows.copy()
        others[start] = False
        of_row[start] += least
        of_row[others] += least - shortest[column_of[others]]
        of_column[done] -= least - shortest[done]
        column = sink
        while True:
            row = int(before[column])
            row_of[column] = row
            column_of[row], column = column, int(column_of[row])
            if row == start:
                break
    return column_of.astype(np.int64)


def _relabelled(expected: Array, actual: Array) -> Array:
    """The expected labels by the names of the actual ones, as many elements as possible being equal."""
    if expected.dtype.kind not in "iu" or actual.dtype.kind not in "iu":
        return expected
    theirs, in_theirs = np.unique(expected.reshape(-1), return_inverse=True)
    ours, in_ours = np.unique(actual.reshape(-1), return_inverse=True)
    n = max(len(theirs), len(ours))
    if n > MOST_ROWS:
        raise CompareError(f"{n} labels are not paired", advice=f"compare up to {MOST_ROWS} of them")
    together = np.zeros((n, n))
    np.add.at(together, (in_theirs.reshape(-1), in_ours.reshape(-1)), 1.0)
    chosen = assigned(together.max() - together)
    # Labels that have no partner are those of nobody.
    top, bottom = int(ours.max()), int(ours.min())
    up = top <= np.iinfo(np.int64).max - n
    free = [top + 1 + k if up else bottom - 1 - k for k in range(n)]
    names = [
        int(ours[column]) if column < len(ours) and together[row, column] > 0 else free[row]
        for row, column in enumerate(chosen[: len(theirs)].tolist())
    ]
    return np.array(names, dtype=np.int64)[in_theirs.reshape(-1)].reshape(expected.shape)


def _rotated(expected: Array, actual: Array) -> Array:
    """The expected rows, rotated or reflected."""
    if expected.ndim != 2 or not (np.isfinite(expected).all() and np.isfinite(actual).all()):
        return expected
    e: Any = expected.astype(np.float64)
    a: Any = actual.astype(np.float64)
    scale = float(np.abs(e).max()) or 1.0, float(np.abs(a).max()) or 1.0
    left, _, right = np.linalg.svd((e / scale[0]).T @ (a / scale[1]))
    return np.asarray((e @ (left @ right)).astype(expected.dtype))
