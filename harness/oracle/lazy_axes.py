"""Functions along axes, and basic indexing, of lazy arrays: what they need of their operand."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.sampling import Places

REDUCING = frozenset(
    {
        *(np.sum, np.mean, np.max, np.min, np.std, np.var, np.prod, np.median, np.argmax, np.argmin),
        *(np.nansum, np.nanmean, np.nanstd, np.nanvar, np.nanmax, np.nanmin, np.nanmedian, np.linalg.norm),
    }
)
"""Functions that remove the axes ``axis``; each element needs those axes alone."""

KEEPING = frozenset({np.sort, np.cumsum, np.cumprod, np.nancumsum})
"""Functions along one axis whose result has the shape of their operand."""

ALONG = REDUCING | KEEPING

OPTIONS = frozenset({"axis", "keepdims", "ddof", "correction", "ord"})
"""Arguments that leave each element dependent on its own axes."""


@dataclass(frozen=True)
class Along:
    """A function of an array along some of its axes.

    ``function`` computes it on any array. ``axes`` are those that every element needs as a whole.
    ``keepdims`` is None where the result has the shape of the operand; else whether a reduction keeps its
    axes.
    """

    function: Any
    options: Mapping[str, Any]
    axes: tuple[int, ...]
    keepdims: bool | None

    def __call__(self, array: Any) -> Any:
        """The function of an array that is whole along the axes."""
        return self.function(array, **self.options)

    def shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The shape of the result."""
        if self.keepdims is None:
            return tuple(shape)
        return tuple(
            1 if axis in self.axes else length
            for axis, length in enumerate(shape)
            if self.keepdims or axis not in self.axes
        )

    def needed(self, places: Places, ndim: int) -> Places:
        """The places that are needed of the operand."""
        if self.keepdims is not False:
            return tuple(None if axis in self.axes else at for axis, at in enumerate(places))
        stay = iter(places)
        return tuple(None if axis in self.axes else next(stay) for axis in range(ndim))

    def computed(self, places: Places) -> Places:
        """The places that the function gives, if its operand has those that are needed."""
        if self.keepdims is None:
            return self.needed(places, len(places))
        return tuple(None if self.keepdims and axis in self.axes else at for axis, at in enumerate(places))


def along(function: Any, array: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Along | None:
    """A call of a function in `ALONG`; None if every element may need the whole array.

    Raises
    ------
    TypeError
        For arguments with which the function has to be computed at once.
    """
    first, *options = inspect.signature(function).bind(array, *args, **kwargs).arguments.items()
    given = {name: value for name, value in options if value is not np._NoValue}
    if first[1] is not array or not given.keys() <= OPTIONS:
        raise TypeError(f"{function.__name__} with {', '.join(given)} has to be computed")
    axis = given.get("axis", -1 if function is np.sort else None)
    every = tuple(range(array.ndim))
    axes = every if axis is None else tuple(n % array.ndim for n in np.atleast_1d(axis).tolist())
    if function in KEEPING and ((array.ndim != 1 and axis is None) or len(axes) != 1):
        return None
    keepdims = None if function in KEEPING else bool(given.get("keepdims", False))
    return Along(function, given, axes, keepdims)


@dataclass(frozen=True)
class Index:
    """A basic index: of each axis an integer or the start and step of a slice, in the order of ``kept``.

    ``kept`` has the operand's axis of each axis of the result; None for a new one.
    """

    axes: tuple[int | tuple[int, int, bool], ...]
    kept: tuple[int | None, ...]
    shape: tuple[int, ...]

    def needed(self, places: Places) -> Places:
        """The places that are needed of the operand."""
        there = dict(zip(self.kept, places, strict=True))
        return tuple(
            np.array([at], dtype=np.intp) if isinstance(at, int) else self._of_slice(at, axis, there[axis])
            for axis, at in enumerate(self.axes)
        )

    def _of_slice(self, at: tuple[int, int, bool], axis: int, places: Any) -> npt.NDArray[np.intp] | None:
        start, step, whole = at
        if whole:
            asked: npt.NDArray[np.intp] | None = places
            return asked
        count = self.shape[self.kept.index(axis)]
        return start + step * (np.arange(count) if places is None else places)

    def __call__(self, array: Any) -> Any:
        """The result, of the places that are needed."""
        chosen = array[tuple(0 if isinstance(at, int) else slice(None) for at in self.axes)]
        return chosen[tuple(None if axis is None else slice(None) for axis in self.kept)]


def index(key: Any, shape: Sequence[int]) -> Index | None:
    """A basic index of integers, slices with positive steps, Ellipsis and None; None for any other key."""
    keys = list(key) if isinstance(key, tuple) else [key]
    if not all(
        item is None or item is Ellipsis or isinstance(item, slice) or _is_integer(item) for item in keys
    ):
        return None
    short = len(shape) - sum(item is not None and item is not Ellipsis for item in keys)
    at = next((n for n, item in enumerate(keys) if item is Ellipsis), len(keys))
    keys[at : at + 1] = [slice(None)] * short
    if short < 0 or any(item is Ellipsis for item in keys):
        return None
    axes: list[int | tuple[int, int, bool]] = []
    kept: list[int | None] = []
    lengths: list[int] = []
    for item in keys:
        if item is None:
            kept.append(None)
            lengths.append(1)
            continue
        length = shape[len(axes)]
        if isinstance(item, slice):
            start, stop, step = item.indices(length)
            if step < 0:
                return None
            kept.append(len(axes))
            lengths.append(len(range(start, stop, step)))
            axes.append((start, step, lengths[-1] == length))
        elif -length <= item < length:
            axes.append(int(item) % length)
        else:
            raise IndexError(f"index {item} is out of bounds for axis {len(axes)} with size {length}")
    return Index(tuple(axes), tuple(kept), tuple(lengths))


def _is_integer(item: Any) -> bool:
    return isinstance(item, (int, np.integer)) and not isinstance(item, (bool, np.bool_))
