"""Faults in arrays, as a worker would return them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from harness.audit.types import InjectedFault
from harness.model import Array

Mask = npt.NDArray[np.bool_]

Move = Callable[[Array], Array]
"""Applies a fault that moves whole elements, which can be applied to true values as well."""


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """One returned value, and its limit.

    ``limit`` is the largest error allowed, for all elements or each; ``other`` another stage's value of the
    same shape and dtype, with its name.
    """

    array: Array
    limit: float | Array
    exact: bool
    other: tuple[str, Array] | None = None


class Injected(msgspec.Struct, frozen=True, kw_only=True):
    """A value with a fault in it.

    ``share`` is the part of its size that the fault moves an element by, about; ``move`` is given where the
    fault can be done to true values.
    """

    fault: InjectedFault
    array: Array
    where: str = ""
    share: float = 1.0
    move: Move | None = None


def inject(target: Target, draw: np.random.Generator) -> Iterator[Injected]:
    """Every fault that a value of this kind can have, once.

    Parameters
    ----------
    target : Target
        The value.
    draw : Generator
        Chooses the places.

    Yields
    ------
    Injected
        With the bits unchanged if the fault does not apply to the value.
    """
    yield four_limits(target, draw)
    if target.array.dtype.kind == "f":
        yield thousandth(target, draw)
        yield not_a_number(target, draw)
        yield Injected(fault=InjectedFault.SINGLE, array=single(target.array), share=2.0**-26, move=single)
        if target.exact:
            yield negative_zero(target, draw)
    yield rows_swapped(target, draw)
    yield moved(InjectedFault.TRANSPOSED, target, transposed, "")
    yield one_row(target, draw)
    if target.other is not None:
        name, array = target.other
        yield Injected(fault=InjectedFault.ANOTHER_NAME, array=array, where=f"{name}'s")


def four_limits(target: Target, draw: np.random.Generator) -> Injected:
    """Move one element by four times its limit, or by the smallest step if that changes nothing."""
    array = target.array.copy()
    # Nobody is judged by an undecided element, which has no limit.
    judged = ~np.isnan(np.broadcast_to(target.limit, array.shape))
    place = _one_of(_finite(array) & judged, draw)
    if place is None:
        return Injected(fault=InjectedFault.FOUR_LIMITS, array=array)
    limit = 4.0 * float(np.broadcast_to(target.limit, array.shape)[place])
    old = array[place]
    if array.dtype.kind == "U":
        array = array.astype(f"<U{array.dtype.itemsize // 4 + 1}")
        array[place] = f"{old}x"
    elif array.dtype.kind == "b":
        array[place] = not old
    elif array.dtype.kind in "iu":
        array[place] = old + max(1, int(np.ceil(limit)))
    else:
        sign = 1.0 if draw.random() < 0.5 else -1.0
        new = np.asarray(wide(np.asarray(old)) + sign * limit).astype(array.dtype)
        array[place] = new if new != old else _next(old, sign)
    return Injected(fault=InjectedFault.FOUR_LIMITS, array=array, where=_index(place))


def thousandth(target: Target, draw: np.random.Generator) -> Injected:
    """Move an element that is given to enough digits by a thousandth of itself."""
    array = target.array.copy()
    with np.errstate(invalid="ignore", over="ignore"):
        step = 1e-3 * np.abs(array.astype(np.float64))
        known = _finite(array) & (step > 2.0 * np.asarray(target.limit))
    place = _one_of(known, draw)
    if place is None:
        judged = ~np.isnan(np.broadcast_to(target.limit, array.shape))
        place = _one_of(_finite(array) & (array != 0) & judged, draw)
    if place is not None:
        array[place] = array[place] * array.dtype.type(1.001)
    return Injected(fault=InjectedFault.THOUSANDTH, array=array, where=_index(place), share=1e-3)


def not_a_number(target: Target, draw: np.random.Generator) -> Injected:
    """Put NaN in place of a number."""
    array = target.array.copy()
    place = _one_of(~np.isnan(array), draw)
    if place is not None:
        array[place] = np.nan
    return Injected(fault=InjectedFault.NAN, array=array, where=_index(place))


def negative_zero(target: Target, draw: np.random.Generator) -> Injected:
    """Change the sign of a zero."""
    array = target.array.copy()
    place = _one_of((array == 0) & ~np.signbit(array), draw)
    if place is not None:
        array[place] = -0.0
    return Injected(fault=InjectedFault.NEGATIVE_ZERO, array=array, where=_index(place))


def rows_swapped(target: Target, draw: np.random.Generator) -> Injected:
    """Swap any row with the one that is least like it."""
    array = target.array
    axis = rows_of(array)
    if axis is None:
        return Injected(fault=InjectedFault.ROWS_SWAPPED, array=array)
    first = int(draw.integers(array.shape[axis]))
    second = _least_like(array, axis, first)
    order = np.arange(array.shape[axis])
    order[[first, second]] = order[[second, first]]
    where = f"{first} and {second} of axis {axis % array.ndim}"
    return moved(InjectedFault.ROWS_SWAPPED, target, lambda values: np.take(values, order, axis=axis), where)


def one_row(target: Target, draw: np.random.Generator) -> Injected:
    """Put one row in place of all, in the right shape."""
    array = target.array
    axis = rows_of(array)
    if axis is None:
        return Injected(fault=InjectedFault.ONE_ROW, array=array)
    row = int(draw.integers(array.shape[axis]))

    def move(values: Array) -> Array:
        return np.broadcast_to(np.take(values, [row], axis=axis), values.shape).copy()

    return moved(InjectedFault.ONE_ROW, target, move, f"{row} of axis {axis % array.ndim}")


def moved(fault: InjectedFault, target: Target, move: Move, where: str) -> Injected:
    """Apply a fault that moves elements."""
    return Injected(fault=fault, array=move(target.array), where=where, move=move)


def transposed(array: Array) -> Array:
    """Transpose the last two dimensions."""
    return array.copy() if array.ndim < 2 else np.swapaxes(array, -1, -2).copy()


def single(array: Array) -> Array:
    """Round every element to float32."""
    with np.errstate(over="ignore"):
        return array.astype(np.float32).astype(array.dtype)


def rows_of(array: Array) -> int | None:
    """Return the axis of the rows; None if the array has no more than one number."""
    axes = (-2, -1, *range(-3, -array.ndim - 1, -1))
    return next((axis for axis in axes if -axis <= array.ndim and array.shape[axis] > 1), None)


def same_bits(array: Array, other: Array) -> bool:
    """Whether two arrays are the same in dtype, shape and every bit."""
    return (array.dtype, array.shape) == (other.dtype, other.shape) and array.tobytes() == other.tobytes()


def wide(array: Array) -> Any:
    """An array in float64, or in complex128."""
    if array.dtype.kind == "U":
        # Texts that are equal have equal numbers.
        return np.unique(array, return_inverse=True)[1].reshape(array.shape).astype(np.float64)
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def _next(old: Any, sign: float) -> Any:
    """The next number; of a complex one, its real part alone moves."""
    if old.dtype.kind != "c":
        return np.nextafter(old, old.dtype.type(sign * np.inf))
    return _next(old.real, sign) + 1j * old.imag


def _finite(array: Array) -> Mask:
    return np.isfinite(array) if array.dtype.kind == "f" else np.ones(array.shape, dtype=bool)


def _one_of(candidates: Array, draw: np.random.Generator) -> tuple[int, ...] | None:
    places = np.argwhere(candidates)
    return tuple(int(i) for i in places[draw.integers(len(places))]) if len(places) else None


def _least_like(array: Array, axis: int, row: int) -> int:
    rows = wide(np.moveaxis(array, axis, 0)).reshape(array.shape[axis], -1)
    with np.errstate(invalid="ignore", over="ignore"):
        distance = np.nan_to_num(np.abs(rows - rows[row]), nan=0.0).max(axis=1)
    distance[row] = -1.0
    return int(np.argmax(distance))


def _index(place: tuple[int, ...] | None) -> str:
    return "" if place is None else f"[{', '.join(map(str, place))}]"
