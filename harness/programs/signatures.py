"""Which values of two programs can be the same at all, by what no layout changes, for all pairs at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from harness.numerics.layouts import (
    NOISE,
    OF_SCALE,
    OF_SCALE_SINGLE,
    RELATIVE,
    RELATIVE_SINGLE,
    plain,
)
from harness.programs.trace import Value

Flags = npt.NDArray[np.bool_]
Signatures = npt.NDArray[np.void]
"""One for each value."""

_TYPE = np.dtype(
    [
        ("size", "i8"), ("special", "i8"), ("code", "i8"), ("total", "f8"), ("largest", "f8"),
        ("single", "?"), ("integer", "?"), ("whole", "?"), ("text", "?"),
    ]
)  # fmt: skip
_SUMS = 1e-12
"""Relative error of a sum of absolute values, and more."""
_NOTHING = -1
"""The size of what stands for no value."""


def signatures_of(values: Sequence[Value | None]) -> Signatures:
    """The signatures of some values; of None, one that can be the same as nothing."""
    made = np.zeros(len(values), dtype=_TYPE)
    for number, value in enumerate(values):
        made[number] = (_NOTHING, 0, 0, 0, 0, 0, 0, 0, 0) if value is None else _signature(plain(value))
    return made


def _signature(value: Value) -> tuple[float | bool, ...]:
    """How many elements and of what sort, how many are not finite, and how large the others are."""
    if value.dtype == object:
        return value.size, 0, sum(map(_code, value.ravel().tolist())), 0, 0, False, False, False, True
    integer, single = value.dtype.kind in "iu", value.dtype == np.float32
    with np.errstate(all="ignore"):
        sizes = np.abs(value.astype(complex if value.dtype.kind == "c" else float)).ravel()
        finite = np.isfinite(sizes)
        special = sizes.size - int(np.count_nonzero(finite))
        sizes = sizes[finite] if special else sizes
        whole = integer or (
            value.dtype.kind == "f" and not special and bool(np.all(value == np.floor(value)))
        )
        total, largest = float(sizes.sum()), float(sizes.max(initial=0.0))
    return value.size, special, 0, total, largest, single, integer, whole, False


def _code(text: object) -> int:
    """A number that is the same for equal texts."""
    try:
        return hash(text) & 0xFFFFFF
    except TypeError:
        return 0


def signatures_of_stack(stack: Value) -> Signatures:
    """The signatures of the parts of numbers that lie along the first axis, as `signatures_of` has them."""
    made = np.zeros(len(stack), dtype=_TYPE)
    rows = stack.reshape(len(stack), -1)
    with np.errstate(all="ignore"):
        sizes = np.abs(rows.astype(complex if rows.dtype.kind == "c" else float))
        finite = np.isfinite(sizes)
        sizes = np.where(finite, sizes, 0.0)
        made["size"] = rows.shape[1]
        made["special"] = rows.shape[1] - finite.sum(axis=1)
        made["total"], made["largest"] = sizes.sum(axis=1), sizes.max(axis=1, initial=0.0)
        made["single"], made["integer"] = stack.dtype == np.float32, stack.dtype.kind in "iu"
        made["whole"] = made["integer"]
        if stack.dtype.kind == "f":
            made["whole"] = finite.all(axis=1) & (rows == np.floor(rows)).all(axis=1)
    return made


def can_be_same(one: Signatures, other: Signatures) -> Flags:
    """Where `same_up_to_layout` may find two values the same; where it is false, it surely does not.

    Parameters
    ----------
    one, other : ndarray
        Signatures, which are broadcast against each other.
    """
    single = one["single"] | other["single"]
    with np.errstate(all="ignore"):
        relative = np.where(single, RELATIVE_SINGLE, RELATIVE) + _SUMS
        scaled = np.where(single, OF_SCALE_SINGLE, OF_SCALE) * np.maximum(one["largest"], other["largest"])
        # Counted from 0 or 1, each element is one more.
        shift = (one["integer"] | other["integer"]) & one["whole"] & other["whole"]
        apart = relative * (one["total"] + other["total"]) + one["size"] * (scaled + NOISE + shift)
        beyond = np.abs(one["total"] - other["total"]) > apart * (1 + _SUMS)
    same = (one["size"] == other["size"]) & (one["size"] != _NOTHING) & (one["text"] == other["text"])
    return np.asarray(same & (one["special"] == other["special"]) & (one["code"] == other["code"]) & ~beyond)
