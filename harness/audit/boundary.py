"""Faults in arrays, as a worker would return them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import numpy as np
import numpy.typing as npt

from harness.audit.types import InjectedFault
from harness.model import Array

Mask = npt.NDArray[np.bool_]

Move = Callable[[Array], Array]
"""A fault that moves whole elements about: it can be done to true values as well."""


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """One value as it was returned, and what it is judged by.

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
    target : Victim
        The value.
    draw : Generator
        Chooses the places.

    Yields
    ------
    Injected
        With the bits unchanged where there is nothing to get wrong.
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
    """Move one element by four times its limit; by the least step there is, where that is nothing."""
    array = target.array.copy()
    place = _one_of(_finite(array), draw)
    if place is None:
        return Injected(fault=InjectedFault.FOUR_LIMITS, array=array)
    limit = 4.0 * float(np.broadcast_to(target.limit, array.shape)[place])
    old = array[place]
    if array.dtype.kind == "b":
        array[place] = not old
    elif array.dtype.kind in "iu":
        array[place] = old + max(1, int(np.ceil(limit)))
    else:
        sign = 1.0 if draw.random() < 0.5 else -1.0
        new = np.asarray(np.float64(old) + sign * limit).astype(array.dtype)
        array[place] = new if new != old else np.nextafter(old, array.dtype.type(sign * np.inf))
    return Injected(fault=InjectedFault.FOUR_LIMITS, array=array, where=_index(place))


def thousandth(target: Target, draw: np.random.Generator) -> Injected:
    """Move one element by a thousandth of itself: any one that has so many digits."""
    array = target.array.copy()
    with np.errstate(invalid="ignore", over="ignore"):
        step = 1e-3 * np.abs(array.astype(np.float64))
        known = _finite(array) & (step > 2.0 * np.asarray(target.limit))
    place = _one_of(known, draw)
    if place is None:
        place = _one_of(_finite(array) & (array != 0), draw)
    if place is not None:
        array[place] = array[place] * array.dtype.type(1.001)
    return Injected(fault=InjectedFault.THOUSANDTH, array=array, where=_index(place), share=1e-3)


def not_a_number(target: Target, draw: np.random.Generator) -> Injected:
    """NaN where there was none."""
    array = target.array.copy()
    place = _one_of(~np.isnan(array), draw)
    if place is not None:
        array[place] = np.nan
    return Injected(fault=InjectedFault.NAN, array=array, where=_index(place))


def negative_zero(target: Target, draw: np.random.Generator) -> Injected:
    """The other zero."""
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
    return moved(InjectedFault.ROWS_SWAPPED, target, lambda one: np.take(one, order, axis=axis), where)


def one_row(target: Target, draw: np.random.Generator) -> Injected:
    """One row in place of all, in the right shape."""
    array = target.array
    axis = rows_of(array)
    if axis is None:
        return Injected(fault=InjectedFault.ONE_ROW, array=array)
    row = int(draw.integers(array.shape[axis]))

    def move(one: Array) -> Array:
        return np.broadcast_to(np.take(one, [row], axis=axis), one.shape).copy()

    return moved(InjectedFault.ONE_ROW, target, move, f"{row} of axis {axis % array.ndim}")


def moved(fault: InjectedFault, target: Target, move: Move, where: str) -> Injected:
    """A fault that moves elements about."""
    return Injected(fault=fault, array=move(target.array), where=where, move=move)


def transposed(array: Array) -> Array:
    """The last two dimensions changed over."""
    return array.copy() if array.ndim < 2 else np.swapaxes(array, -1, -2).copy()


def single(array: Array) -> Array:
    """Every element as float32 holds it."""
    with np.errstate(over="ignore"):
        return array.astype(np.float32).astype(array.dtype)


def rows_of(array: Array) -> int | None:
    """The axis along which rows follow one another; None where there is but one number."""
    axes = (-2, -1, *range(-3, -array.ndim - 1, -1))
    return next((axis for axis in axes if -axis <= array.ndim and array.shape[axis] > 1), None)


def same_bits(array: Array, other: Array) -> bool:
    """Whether two arrays are the same in dtype, shape and every bit."""
    return (array.dtype, array.shape) == (other.dtype, other.shape) and array.tobytes() == other.tobytes()


def _finite(array: Array) -> Mask:
    return np.isfinite(array) if array.dtype.kind == "f" else np.ones(array.shape, dtype=bool)


def _one_of(candidates: Array, draw: np.random.Generator) -> tuple[int, ...] | None:
    places = np.argwhere(candidates)
    return tuple(int(i) for i in places[draw.integers(len(places))]) if len(places) else None


def _least_like(array: Array, axis: int, row: int) -> int:
    rows = np.moveaxis(array, axis, 0).astype(np.float64).reshape(array.shape[axis], -1)
    with np.errstate(invalid="ignore", over="ignore"):
        distance = np.nan_to_num(np.abs(rows - rows[row]), nan=0.0).max(axis=1)
    distance[row] = -1.0
    return int(np.argmax(distance))


def _index(place: tuple[int, ...] | None) -> str:
    return "" if place is None else f"[{', '.join(map(str, place))}]"
