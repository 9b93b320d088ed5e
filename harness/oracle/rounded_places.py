"""Memory of numbers with errors: views, assignment, and functions that move elements. NumPy alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from harness.oracle.draws import DRAWS, Signs, limit_of, probable_of
from harness.oracle.formats import FLOAT32, FORMATS, Format
from harness.oracle.oracle_array import OracleArray
from harness.oracle.selecting import holds_elements, holds_elements_as
from harness.oracle.unknown import BEYOND

Array = npt.NDArray[Any]

MOST_CONSTANTS = 4096
"""Largest number of constants whose errors are cached."""


class RoundedPlaces(OracleArray):
    """An array of float64 with a bound on the error of each element, and draws of it; see `Rounded`.

    Arrays that NumPy would make as views share their memory with what they are views of.
    """

    unit: ClassVar[float]
    tiny: ClassVar[float]
    form: ClassVar[Format]
    signs: ClassVar[Signs]
    unsure_nan: ClassVar[bool] = False
    """Whether any element so far was NaN where another computation may have a number."""
    written: ClassVar[dict[float, float]]
    """Cached errors of the constants of the file, by the number."""

    def __init__(self, value: Any, worst: Any = None, draws: Array | None = None) -> None:
        self._value: Array = _unchanging(np.asarray(value, dtype=np.float64, order="C"))
        shape = self._value.shape
        if worst is None:
            sizes = np.abs(self._value)
            exact = FORMATS[min(self.form.bits, FLOAT32.bits)].holds(self._value)
            worst = np.where(exact, 0.0, np.maximum(self.unit * sizes, self.tiny * (sizes < self.form.least)))
            if worst.any():
                draws = self._draw(worst)
            beyond = np.isfinite(sizes) & (sizes > self.form.largest)
            if beyond.any():
                self.branches.note(BEYOND.format(self.form))
                worst = np.where(beyond, np.inf, worst)
                draws = np.where(beyond, np.nan, 0.0 if draws is None else draws)
        self._worst: Array = _unchanging(np.asarray(_filling(worst, shape), dtype=np.float64, order="C"))
        self._draws = (
            None if draws is None else _unchanging(np.asarray(_filling(draws, (DRAWS, *shape)), order="C"))
        )
        # Other arrays may share this memory until an element is assigned.
        self._owned = False
        self._root: RoundedPlaces = self
        self._at: tuple[tuple[int, ...], int, tuple[int, ...]] | None = None

    @classmethod
    def restart(cls) -> None:
        """Draw the same signs again."""
        super().restart()
        # Another seed than for the constants that were computed when the file was read.
        cls.signs = Signs(1)
        cls.unsure_nan = False

    def _loses(self) -> None:
        """Record that an element is NaN where another computation may have a number."""
        (self.widest or type(self)).unsure_nan = True

    @classmethod
    def given(cls, value: Any) -> Self:
        """Numbers that are what they are meant to be."""
        return cls(value, 0.0)

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes."""
        return self._root._value.shape if self._at is None else self._at[0]

    def nearest(self) -> Array:
        """The values."""
        return self.value.copy()

    def copy(self) -> Self:
        """A copy with its own memory."""
        made = type(self)(self.value, self.worst, self.draws)
        return made.as_written() if self.is_written else made

    @property
    def value(self) -> Array:
        """The numbers, rounded to float64 at every operation; read-only where they may change in place."""
        return self._read(self._part(self._root._value))

    @property
    def worst(self) -> Array:
        """A bound on the error of each element; read-only where it may change in place."""
        return self._read(self._part(self._root._worst))

    @property
    def draws(self) -> Array | None:
        """Draws of the error of each element, along the first axis; read-only where they may change."""
        there = self._drawn_part()
        return None if there is None else self._read(there)

    def _read(self, array: Array) -> Array:
        """A read-only view of memory that may change in place, so that new arrays copy it."""
        if self._root._owned:
            array = array.view()
            array.flags.writeable = False
        return array

    def _drawn_part(self) -> Array | None:
        there = self._root._draws
        if there is None or self._at is None:
            return there
        shape, offset, strides = self._at
        whole = self._root._value.nbytes
        return np.ndarray((DRAWS, *shape), np.float64, there, offset, (whole, *strides))

    def probable(self) -> Array:
        """Probable error of each element; see `draws.probable_of`."""
        return probable_of(self.draws, self.shape)

    def limit(self) -> Array:
        """Limit on the error of each element; NaN where it is undecided."""
        return limit_of(self.worst, self.probable())

    def _part(self, whole: Array) -> Array:
        return self._placed_in(whole)

    def _elsewhere(self, choose: Callable[[Array], Any]) -> Any:
        chosen = choose(self.value)
        if isinstance(chosen, (list, tuple)):
            return type(chosen)(self._elsewhere(_part(choose, n)) for n in range(len(chosen)))
        view = self._view_of(chosen)
        return self._select(choose) if view is None else view

    def _view_of(self, array: Array) -> Self | None:
        whole = self._root._value
        if not isinstance(array, np.ndarray) or not array.size or not np.may_share_memory(array, whole):
            return None
        view = type(self).__new__(type(self))
        view._root = self._root
        view._at = array.shape, array.ctypes.data - whole.ctypes.data, array.strides
        return view

    def _is_number(self) -> bool:
        return self._at is None and not self._value.ndim

    @classmethod
    def _scalar(cls, value: float, worst: float, draws: Array | None, spread: float = 0.0) -> Self | None:
        """A number with the rounding of its operation; None if the number or its error may be too large."""
        if not math.isfinite(value) or not abs(value) + worst <= cls.form.largest:
            return None
        if spread:
            drawn = cls.signs.once() * spread
            drawn[-2], drawn[-1] = spread, math.copysign(spread, value)
            draws = drawn if draws is None else draws + drawn
        made = cls.__new__(cls)
        made._value, made._worst, made._draws = np.array(value), np.array(worst), draws
        made._owned, made._root, made._at = False, made, None
        return made

    @classmethod
    def _constant(cls, number: float) -> Self:
        """A constant of the file, whose error is computed once."""
        worst = cls.written.get(number)
        if worst is None:
            first = cls(number).as_written()
            if len(cls.written) < MOST_CONSTANTS:
                cls.written[number] = float(first.worst)
            return first
        made = cls._scalar(number, worst, None, worst)
        return (cls(number) if made is None else made).as_written()

    def same_elements(self, other: RoundedPlaces) -> Array | None:
        """Which elements are the same element of one array in memory; None where the arrays share none."""
        root = self._root
        if root is not other._root:
            return None
        places = np.arange(root._value.size).reshape(root._value.shape)
        array: Array = self._placed_in(places) == other._placed_in(places)
        return array

    def _placed_in(self, places: Array) -> Array:
        """The elements of this view, chosen from an array of 8-byte numbers with the whole array's shape."""
        if self._at is None:
            return places
        shape, offset, strides = self._at
        return np.ndarray(shape, places.dtype, places, offset, strides)

    def _item(self, key: Any) -> Self:
        draws = self.draws
        place = key if isinstance(key, tuple) else (key,)
        made = type(self).__new__(type(self))
        made._value, made._worst = np.array(self.value[key]), np.array(self.worst[key])
        made._draws = None if draws is None else draws[(slice(None), *place)].copy()
        made._owned, made._root, made._at = False, made, None
        return made

    def _put(self, key: Any, other: Self) -> None:
        drawn = other.draws
        value, worst = other.value, other.worst
        values, worsts, draws = self._writable(drawn is not None)
        values[key], worsts[key] = value, worst
        if draws is not None:
            place = key if isinstance(key, tuple) else (key,)
            draws[(slice(None), *place)] = 0.0 if drawn is None else drawn

    def _writable(self, drawn: bool) -> tuple[Array, Array, Array | None]:
        """Memory of values, bounds and draws that no other array shares, for assignment."""
        root = self._root
        # Operators of single numbers share draws without setting _owned.
        if not root._owned or not root._value.ndim:
            root._value, root._worst = root._value.copy(), root._worst.copy()
            root._draws = None if root._draws is None else root._draws.copy()
            root._owned = True
        if root._draws is None and drawn:
            root._draws = np.zeros((DRAWS, *root._value.shape))
        return self._part(root._value), self._part(root._worst), self._drawn_part()

    def _assign(self, key: Any, other: Self) -> None:
        drawn = other._drawn() if other.draws is not None else None
        value, worst = other.value.copy(), other.worst.copy()
        values, worsts, draws = self._writable(drawn is not None)
        values[key], worsts[key] = value, worst
        if draws is None:
            return
        if drawn is None:
            drawn = np.zeros((DRAWS, *other.shape))
        for row, new in zip(draws, drawn, strict=True):
            row[key] = new

    def _drawn(self) -> Array:
        return np.zeros((DRAWS, *self.shape)) if self.draws is None else self.draws

    def _draw(self, spread: Array, value: Any = 0.0) -> Array:
        drawn = self.signs.times(np.asarray(spread))
        drawn[-2], drawn[-1] = spread, np.copysign(spread, value)
        return drawn

    def _made(
        self,
        value: Any,
        worst: Any,
        draws: Any,
        roundoff: Any,
        spread: Any,
        reach: Array | None = None,
        numbers: Any = None,
        fits: Any = False,
    ) -> Self:
        """A result with the roundoff of its operation: at most ``roundoff``, probably ``spread``.

        ``reach`` bounds intermediate results where these may be larger than the result. ``numbers`` marks
        results of finite operands that are no poles: if not finite, they are undecided. ``fits`` marks
        results that the format represents, although they are close to its largest number.
        """
        value = np.asarray(value)
        finite = np.isfinite(value)
        if numbers is not None and not finite.all() and (over := ~finite & numbers).any():
            return self._overflown(over, value, worst, draws, roundoff, spread, reach=reach, fits=fits)
        worst = np.where(finite, worst + roundoff, 0.0)
        if np.isnan(worst).any():
            # Zero times an error without a bound.
            worst = np.where(np.isnan(worst), np.inf, worst)
        spread = np.where(finite, spread, 0.0)
        if np.any(spread):
            fresh = self._draw(spread, value)
            draws = fresh if draws is None else draws + fresh
        if draws is not None and not finite.all():
            draws = np.where(finite, draws, 0.0)
        made = type(self)(value, worst, draws)
        sizes = np.abs(value) if reach is None else reach
        if not (finite & (sizes + worst > self.form.largest)).any():
            return made
        limit = made.limit()
        beyond = finite & np.isfinite(limit) & (sizes + limit > self.form.largest) & ~np.asarray(fits)
        if not beyond.any():
            return made
        # Some orders of the operations overflow, and a wider accumulator does not.
        self.branches.note(BEYOND.format(self.form))
        return made.spoiled(beyond)

    def _overflown(
        self, over: Array, value: Array, worst: Any, draws: Any, roundoff: Any, spread: Any, **bounds: Any
    ) -> Self:
        """The result, with overflows of float64 undecided and replaced by the largest number."""
        self.branches.note(BEYOND.format(self.form))
        value = np.where(over, np.copysign(self.form.largest, np.where(np.isnan(value), 1.0, value)), value)
        worst, roundoff, spread = (np.where(over, 0.0, error) for error in (worst, roundoff, spread))
        draws = None if draws is None else np.where(over, 0.0, draws)
        return self._made(value, worst, draws, roundoff, spread, **bounds).spoiled(over)

    def _select(self, choose: Callable[[Array], Array]) -> Self:
        places = np.asarray(choose(np.arange(self.size).reshape(self.shape)))
        draws = None if self.draws is None else self.draws.reshape(DRAWS, -1)[:, places]
        return type(self)(self.value.ravel()[places], self.worst.ravel()[places], draws)

    @classmethod
    def _select_from(cls, func: Any, args: Any, kwargs: Mapping[str, Any]) -> Any:
        """Apply a function to the indices of elements instead of the elements; index 0 is a zero."""
        pool = [cls.given(np.zeros(1))]

        def numbered(value: Any) -> Any:
            if isinstance(value, (list, tuple)):
                return type(value)(numbered(item) for item in value)
            if not isinstance(value, (RoundedPlaces, np.ndarray, np.generic, bool, int, float)):
                return value
            array = cls.gather(value)
            start = sum(item.size for item in pool)
            pool.append(array.ravel())
            return start + np.arange(array.size).reshape(array.shape)

        def chosen(places: Any) -> Any:
            if isinstance(places, (list, tuple)):
                return [chosen(item) for item in places]
            return pooled._select(lambda _: places)

        moved = [numbered(arg) if holds_elements(func, place) else arg for place, arg in enumerate(args)]
        kwargs = {
            name: numbered(value) if holds_elements_as(name) else value for name, value in kwargs.items()
        }
        places = func(*moved, **kwargs)
        drawn = [item._drawn() for item in pool] if any(item.draws is not None for item in pool) else None
        pooled = cls(
            np.concatenate([item.value for item in pool]),
            np.concatenate([item.worst for item in pool]),
            None if drawn is None else np.concatenate(drawn, axis=1),
        )
        return chosen(places)


def _part(choose: Callable[[Array], Any], n: int) -> Callable[[Array], Any]:
    return lambda array: choose(array)[n]


def _unchanging(array: Array) -> Array:
    """The array, copied if it is a read-only view of memory that may change."""
    return array if array.flags.writeable else array.copy()


def _filling(array: Any, shape: tuple[int, ...]) -> Any:
    return array if np.shape(array) == shape else np.broadcast_to(array, shape)
