"""Whether two values are the same up to how they are laid out, and how much that says.

Layouts: transposed, axes in another order, flattened by rows or columns, integers counted from 0 or 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Value = npt.NDArray[Any]
"""Numbers, truth values, or texts as objects."""

RELATIVE = 1e-6
"""Relative difference of two results in double precision that is taken for rounding."""
RELATIVE_SINGLE = 2e-3
OF_SCALE = 1e-9
OF_SCALE_SINGLE = 1e-4
NOISE = 1e-13
"""Values below are what is left of a difference that is zero."""


class Laid(NamedTuple):
    """A value in one layout, and what that is called."""

    layout: str
    value: Value


def plain(value: Value) -> Value:
    """Without axes of length one; logical values as integers."""
    if value.dtype == object:
        return value.squeeze()
    if value.dtype.kind == "b":
        value = value.astype(np.int64)
    return value.squeeze()


def layouts(value: Value, shape: tuple[int, ...]) -> Iterator[Laid]:
    """The layouts of a value that have a shape, the plainest first.

    Parameters
    ----------
    value : ndarray
        As it was recorded.
    shape : tuple of int
        The shape that is due, without axes of length one.
    """
    value = plain(value)
    if value.shape == shape:
        yield Laid("same", value)
    if value.ndim >= 2 and value.shape[::-1] == shape:
        yield Laid("transposed", value.T)
    if value.size == math.prod(shape) and value.shape != shape:
        if value.ndim == 3 and len(shape) == 3:
            for axes in ((0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1)):
                if tuple(value.shape[axis] for axis in axes) == shape:
                    yield Laid("axes permuted", value.transpose(axes))
        name = "flattened" if len(shape) == 1 or value.ndim == 1 else "reshaped"
        yield Laid(name, value.reshape(shape))
        if value.ndim > 1 or len(shape) > 1:
            yield Laid(name, value.reshape(shape, order="F"))
            yield Laid(name, value.ravel(order="F").reshape(shape))
            yield Laid(name, value.ravel().reshape(shape, order="F"))


def close(one: Value, other: Value) -> bool:
    """Whether two arrays of one shape differ by no more than rounding can explain, coarsely."""
    return not different(one, other).any()


def different(one: Value, other: Value) -> Value:
    """Where two arrays of one shape differ by more than rounding."""
    if one.dtype == object or other.dtype == object:
        if one.dtype != other.dtype:
            return np.ones(one.shape, bool)
        return np.asarray(one != other, bool)
    if one.dtype.kind in "iub" and other.dtype.kind in "iub":
        return np.asarray(one != other)
    single = one.dtype == np.float32 or other.dtype == np.float32
    rtol, scaled = (RELATIVE_SINGLE, OF_SCALE_SINGLE) if single else (RELATIVE, OF_SCALE)
    first = one.astype(complex if one.dtype.kind == "c" or other.dtype.kind == "c" else float)
    second = other.astype(first.dtype)
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(first), np.abs(second))
        finite = np.isfinite(size)
        scale = float(np.max(size[finite], initial=0.0))
        off = np.abs(first - second) > rtol * size + scaled * scale + NOISE
    unequal = (first != second) & ~(np.isnan(first) & np.isnan(second))
    return np.asarray(np.where(finite, off, unequal), bool)


def same_up_to_layout(one: Value, other: Value) -> str:
    """The layout under which two values agree, or an empty text."""
    first, second = plain(one), plain(other)
    if first.size != second.size or (first.dtype == object) != (second.dtype == object):
        return ""
    for layout, value in layouts(first, second.shape):
        if close(value, second):
            return layout
        if _counted(value, second):
            shift = int(second.flat[0]) - int(value.flat[0])
            if abs(shift) == 1 and np.array_equal(value + shift, second):
                return "shifted"
    return ""


def _counted(one: Value, other: Value) -> bool:
    """Whether both may be counted from 0 or 1: integers, or several whole numbers against integers."""
    kinds = one.dtype.kind + other.dtype.kind
    if not one.size or not set(kinds) <= set("iuf") or not set(kinds) & set("iu"):
        return False
    if "f" not in kinds:
        return True
    number = one if one.dtype.kind == "f" else other
    return one.size > 2 and bool(np.isfinite(number).all() and (number == np.floor(number)).all())


def information(value: Value) -> float:
    """Bits that agreement in a value is worth: how unlikely it is by chance."""
    if value.size == 0:
        return 0.0
    if value.dtype == object:
        return float(min(40.0, sum(2.0 * len(str(text)) for text in set(value.ravel().tolist()))))
    if value.size == 1 and value.dtype.kind in "biuf":
        number = float(value.item())
        return min(60.0, _of_number(number)) if math.isfinite(number) else 0.0
    flat = plain(value).ravel()
    if flat.size > 2000:
        flat = flat[:: flat.size // 1000]
    if flat.dtype.kind == "c":
        flat = np.concatenate([flat.real, flat.imag])
    flat = flat.astype(float)
    flat = flat[np.isfinite(flat)]
    if flat.size == 0:
        return 0.0
    unique = np.unique(flat)
    if unique.size > 2 and flat.size > 2:
        steps = np.diff(flat)
        if np.allclose(steps, steps[0]) and np.all(flat == np.floor(flat)):
            return 4.0
    total = sum(_of_number(float(number)) for number in unique[:40])
    if unique.size < flat.size / 4 and flat.size > 4:
        total += 0.5 * math.log2(flat.size)
        # Where the few values stand says more than what they are.
        shares = np.unique(flat, return_counts=True)[1] / flat.size
        total += min(20.0, 0.5 * flat.size * float(-(shares * np.log2(shares)).sum()))
    return float(min(60.0, total))


def information_of_fractions(value: Value) -> float:
    """Bits that agreement in the fractions of a value is worth, each counted once."""
    own = value[np.isfinite(value)]
    return information(np.unique(own[own != np.floor(own)]))


def _of_number(number: float) -> float:
    size = abs(number)
    if size in (0.0, 1.0):
        return 0.3
    if size == math.floor(size):
        return 1.0 if size <= 10 else 3.0 if size < 1000 else 5.0
    digits = len(f"{size:.12g}".replace(".", "").strip("0").partition("e")[0])
    return 2.0 if digits <= 2 else 4.0 if digits <= 4 else 10.0
