"""Arrays that know what rounding may have done to them: the worst, and what is probable. NumPy alone.

Every operation adds its own rounding to what its operands carry: as a bound on its size (Higham, "Accuracy
and Stability of Numerical Algorithms", 2nd ed., 2002, chapters 3 and 4), and as draws of that size, the
sign at random, carried on by the derivative of all that follows. Draws keep what two errors have in common,
where a value is used twice. docs/tolerance.md has the derivation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from harness.oracle.conditions import Condition
from harness.oracle.formats import FLOAT32, FORMATS, Format
from harness.oracle.oracle_array import OracleArray
from harness.oracle.selecting import SELECTING, VIEWING, WITH_ONE_ARRAY, elements, named, of_one_shape
from harness.oracle.summation import sum_error
from harness.oracle.unknown import NotUnderstood

Array = npt.NDArray[Any]

DRAWS = 32
"""Draws of all rounding errors; the root mean square of the random ones is known to one part in eight."""

ALIKE = 2
"""Of these, the last: in one all roundings are upwards, in the other away from zero, as those of a loop that
adds equal terms are."""

_BEYOND = "a number beyond {0.largest:.6g}, the largest {0.name},"

LAMBDA = 8.0
"""Limit over probable error: 2 exp(-LAMBDA**2 / 2) = 2.5e-14 is the chance that an element is beyond it."""


class Signs:
    """Random signs, drawn many at a time.

    Parameters
    ----------
    seed : int
        Of the draws.
    """

    MANY = 1 << 15

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)
        self._ready = np.empty(0)
        self._next = 0

    def times(self, sizes: Array) -> Array:
        """`DRAWS` times these numbers, each with a sign of its own; along a first axis."""
        count = DRAWS * sizes.size
        if count > self.MANY:
            return np.where(self._drawn(count).reshape(DRAWS, *sizes.shape), sizes, -sizes)
        if self._next + count > self._ready.size:
            self._ready = np.where(self._drawn(self.MANY), 1.0, -1.0)
            self._next = 0
        signs = self._ready[self._next : self._next + count]
        self._next += count
        signed: Array = signs.reshape(DRAWS, *sizes.shape) * sizes
        return signed

    def _drawn(self, count: int) -> npt.NDArray[np.bool_]:
        drawn = np.frombuffer(self._generator.bytes(-(-count // 8)), np.uint8)
        return np.unpackbits(drawn, count=count).view(np.bool_)


class Rounded(OracleArray):
    """An array of float64 with the worst error of each element, and draws of its probable error.

    Made by `arithmetic`, which says how long a rounding is and what operations there are;
    ``type(array)(number)`` makes a constant. An element whose draws are NaN is undecided.

    Parameters
    ----------
    value : array_like
        Numbers. One that float32, or a shorter format of these arrays, does not hold may have been rounded
        when it was written down.
    worst : ndarray, optional
        A bound on the error of each element, in the shape of ``value``.
    draws : ndarray, optional
        `DRAWS` errors of each element, along a first axis of that length. Nothing: there is no error.
    """

    unit: ClassVar[float]
    tiny: ClassVar[float]
    form: ClassVar[Format]
    signs: ClassVar[Signs]
    ufuncs: ClassVar[Mapping[np.ufunc, Callable[..., Any]]]
    reducing: ClassVar[Mapping[np.ufunc, Callable[..., Any]]]
    functions: ClassVar[Mapping[Any, Callable[..., Any]]]

    def __init__(self, value: Any, worst: Any = None, draws: Array | None = None) -> None:
        self._value: Array = np.asarray(value, dtype=np.float64, order="C")
        shape = self._value.shape
        if worst is None:
            sizes = np.abs(self._value)
            exact = FORMATS[min(self.form.bits, FLOAT32.bits)].holds(self._value)
            worst = np.where(exact, 0.0, np.maximum(self.unit * sizes, self.tiny * (sizes < self.form.least)))
            if worst.any():
                draws = self._draw(worst)
            beyond = np.isfinite(sizes) & (sizes > self.form.largest)
            if beyond.any():
                self.branches.note(_BEYOND.format(self.form))
                worst = np.where(beyond, np.inf, worst)
                draws = np.where(beyond, np.nan, 0.0 if draws is None else draws)
        self._worst: Array = np.asarray(_filling(worst, shape), dtype=np.float64, order="C")
        self._draws = None if draws is None else np.asarray(_filling(draws, (DRAWS, *shape)), order="C")
        # Other arrays may hold the same memory until something is put into it.
        self._owned = False
        self._root: Rounded = self
        self._at: tuple[tuple[int, ...], int, tuple[int, ...]] | None = None

    @classmethod
    def restart(cls) -> None:
        """Draw the same signs again."""
        super().restart()
        # Others than those of the constants that the file made when it was read.
        cls.signs = Signs(1)

    @property
    def value(self) -> Array:
        """The numbers, rounded to float64 at every operation."""
        return self._part(self._root._value)

    @property
    def worst(self) -> Array:
        """A bound on the error of each element."""
        return self._part(self._root._worst)

    @property
    def draws(self) -> Array | None:
        """Draws of the error of each element, along the first axis."""
        there = self._root._draws
        if there is None or self._at is None:
            return there
        shape, offset, strides = self._at
        whole = self._root._value.nbytes
        return np.ndarray((DRAWS, *shape), np.float64, there, offset, (whole, *strides))

    @classmethod
    def given(cls, value: Any) -> Rounded:
        """Numbers that are what they are meant to be."""
        return cls(value, 0.0)

    @classmethod
    def within(cls, value: Array, error: Array) -> Rounded:
        """Numbers with an error."""
        return cls.given(0.0)._made(value, 0.0, None, error, error)

    @classmethod
    def gather(cls, value: Any) -> Rounded:
        """Whatever a function of these arrays may return, as one of them."""
        if isinstance(value, Rounded):
            return value
        if isinstance(value, Condition):
            value = value.numbers()
            assert isinstance(value, Rounded)
            return value
        items = elements(value)
        if isinstance(items, np.ndarray):
            return cls(items)
        parts = [cls.gather(item) for item in items]
        of_one_shape(parts)
        made: Rounded = cls.given(0.0)._select_from(np.stack, (parts,), {})
        return made

    def probable(self) -> Array:
        """Root mean square of each element's random draws, or what roundings that are alike make, over λ."""
        return _probable(self.draws, self.shape)

    def limit(self) -> Array:
        """How far each element may be off; NaN where it is undecided."""
        return _limit(self.worst, self.probable())

    # What an array is to the oracle

    @property
    def shape(self) -> tuple[int, ...]:
        """As of an ndarray."""
        return self._root._value.shape if self._at is None else self._at[0]

    def nearest(self) -> Array:
        """The values."""
        return self.value.copy()

    def doubtful(self) -> Array:
        """Elements whose draws are NaN."""
        found: Array = np.isnan(self.probable())
        return found

    def spoiled(self, where: Array) -> Rounded:
        """The same, with undecided elements."""
        draws = np.where(where, np.nan, self._drawn())
        return type(self)(self.value, np.where(where, np.inf, self.worst), draws)

    @classmethod
    def compare(cls, ufunc: np.ufunc, x: Any, y: Any) -> tuple[Array, Array]:
        """Decided where the values are further apart than their errors, or are one number."""
        value = np.asarray(ufunc(x.value, y.value))
        gap = np.abs(x.value - y.value)
        worst = np.asarray(x.worst + y.worst)
        finite = np.isfinite(x.value) & np.isfinite(y.value)
        doubtful = np.zeros(value.shape, dtype=bool)
        near = np.broadcast_to(finite & ~(gap > worst) & (worst != 0), value.shape)
        if near.any():
            left, right = (_elements_at(one, near) for one in (x, y))
            spread = _probable(left - right, left.shape[1:])
            same = (gap := np.broadcast_to(gap, value.shape)[near]) == 0
            same &= (left == right).all(axis=0) & (left != 0).any(axis=0)
            limit = _limit(np.broadcast_to(worst, value.shape)[near], spread)
            doubtful[near] = ~(gap > limit) & ~same
        return value, doubtful

    @classmethod
    def choose(cls, first: Array, unsure: Array, x: Any, y: Any, why: str = "") -> Rounded:
        """Where the two branches meet within their errors, the wider one; elsewhere an undecided element."""
        shape = np.broadcast_shapes(np.shape(first), x.shape, y.shape)
        x, y = (one._viewed(lambda array: np.broadcast_to(array, shape)) for one in (x, y))
        unsure = np.broadcast_to(unsure, shape)
        first = np.broadcast_to(first, shape)
        value = np.where(first, x.value, y.value)
        gap = np.where(unsure & (x.value != y.value), np.abs(x.value - y.value), 0.0)
        limits = x.limit(), y.limit()
        meets = gap <= 2.0 * (limits[0] + limits[1])
        if not (meets | ~unsure).all():
            cls.branches.keep(why)
        wider = np.where(unsure, ~(y.probable() > x.probable()), first)
        draws = None
        if x.draws is not None or y.draws is not None:
            draws = np.where(wider, x._drawn(), y._drawn())
        worst = np.where(unsure, np.maximum(x.worst, y.worst) + gap, np.where(first, x.worst, y.worst))
        made = cls(value, worst, draws)
        if gap.any():
            made = made._made(value, worst, draws, 0.0, np.where(meets, gap, 0.0))
        return made if meets[unsure].all() else made.spoiled(unsure & ~meets)

    @classmethod
    def stepped(cls, x: Any, step: Callable[[Any], Any], what: str) -> Rounded:
        """Exact where both ends of the error are on one step."""
        limit = x.limit()
        # An error that is too small to be added to the value can still turn it.
        low, high = (step(np.nextafter(x.value + end * limit, end * np.inf)) for end in (-1.0, 1.0))
        made = cls.given(step(x.value))
        unsure = (limit > 0) & (low != high) | np.isnan(limit)
        if not unsure.any():
            return made
        cls.branches.note(what)
        return made.spoiled(unsure)

    @classmethod
    def understands(cls, function: Any) -> bool:
        """Whether any table has it."""
        return any(function in table for table in (cls.ufuncs, cls.functions, cls.generic, SELECTING))

    @classmethod
    def first(cls, ufunc: np.ufunc, x: Any) -> Array:
        """By their values."""
        return np.asarray(np.argmax(x.value if ufunc is np.greater else -x.value, axis=-1))

    @classmethod
    def ratio(cls, x: Any, y: Any) -> Rounded:
        """A quotient; what is exactly known and divides is exact."""
        x, y = cls.gather(x), cls.gather(y)
        found: Rounded = x / y
        divides = (np.fmod(x.value, y.value) == 0) & (x.worst == 0) & (y.worst == 0)
        draws = None if found.draws is None else np.where(divides, 0.0, found.draws)
        return cls(found.value, np.where(divides, 0.0, found.worst), draws)

    @classmethod
    def less_product(cls, x: Any, whole: Any, y: Any) -> Rounded:
        """What is left; of whole numbers that are exactly known, exactly."""
        x, whole, y = (cls.gather(one) for one in (x, whole, y))
        found: Rounded = x - whole * y
        parts = [np.broadcast_to(one.value, found.shape) for one in (x, whole, y)]
        exact = ((x.worst == 0) & (whole.worst == 0) & (y.worst == 0)) * np.ones(found.shape, dtype=bool)
        exact &= np.all([(np.trunc(one) == one) & (np.abs(one) < 2.0**24) for one in parts], axis=0)
        draws = None if found.draws is None else np.where(exact & ~np.isnan(found.draws), 0.0, found.draws)
        return cls(found.value, np.where(exact, 0.0, found.worst), draws)

    def copy(self) -> Rounded:
        """The same elements in an array of its own."""
        return type(self)(self.value, self.worst, self.draws)

    def astype(self, dtype: Any, **more: Any) -> Any:
        """As another format, with its rounding where it is a shorter one."""
        asked = np.dtype(dtype)
        if asked.kind != "f" or asked.itemsize >= self.dtype.itemsize:
            return super().astype(dtype, **more)
        own = float(np.finfo(asked).eps) / 2.0 * np.abs(self.value)
        return self._made(self.value, self.worst, self.draws, own, own)

    def sum(self, axis: Any = None, keepdims: bool = False, **_: Any) -> Rounded:
        """A sum in any order."""
        moved, shape = self._reduced(axis, keepdims)
        # Each term may have been rounded once more: a factor can stand before the sum or behind it.
        own, spread = sum_error(moved.value, self.unit)
        draws = None if moved.draws is None else moved.draws.sum(axis=-1)
        total, sizes = moved.value.sum(axis=-1), np.abs(moved.value).sum(axis=-1)
        # All terms of one sign: no partial sum is larger.
        reach = (sizes + np.abs(total)) / 2.0
        made = self._made(total, moved.worst.sum(axis=-1), draws, own, spread, reach=reach)
        return made.reshape(shape)

    def mean(self, axis: Any = None, keepdims: bool = False, **_: Any) -> Rounded:
        """A sum, and a division."""
        total = self.sum(axis, keepdims)
        mean: Rounded = total / (self.size // total.size if total.size else 1)
        return mean

    def max(self, axis: Any = None, keepdims: bool = False, **_: Any) -> Rounded:
        """The largest; where several may be, the worst error of any."""
        return self._extreme(np.argmax, axis, keepdims)

    def min(self, axis: Any = None, keepdims: bool = False, **_: Any) -> Rounded:
        """The smallest; where several may be, the worst error of any."""
        return self._extreme(np.argmin, axis, keepdims)

    # What NumPy's functions do with it

    def _operated(self, ufunc: np.ufunc, method: str, inputs: Any, kwargs: Mapping[str, Any]) -> Any:
        given = tuple(self._as(one) for one in inputs)
        if method == "__call__" and ufunc in self.generic:
            return self.generic[ufunc](type(self), *given, **kwargs)
        if method == "reduce" and ufunc in self.reducing:
            axis, keepdims = kwargs.get("axis", 0), kwargs.get("keepdims", False)
            found = self.reducing[ufunc](given[0], axis=axis, keepdims=keepdims)
            initial = kwargs.get("initial")
            return found if initial is None else ufunc(found, initial)
        if method != "__call__" or ufunc not in self.ufuncs:
            raise NotUnderstood(named(ufunc, method))
        return self.ufuncs[ufunc](*given, **kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        with np.errstate(all="ignore"):
            if func in self.generic:
                return self.generic[func](type(self), *args, **kwargs)
            if func in VIEWING and isinstance(args[0], Rounded):
                return args[0]._viewed(lambda array: func(array, *args[1:], **kwargs))
            if func in self.functions:
                return self.functions[func](self, *args, **kwargs)
            if func in SELECTING:
                return self._select_from(func, args, kwargs)
        raise NotUnderstood(named(func))

    # Inside

    def _as(self, other: Any) -> Rounded:
        return type(self).gather(other)

    def _part(self, whole: Array) -> Array:
        if self._at is None:
            return whole
        shape, offset, strides = self._at
        return np.ndarray(shape, np.float64, whole, offset, strides)

    def _viewed(self, choose: Callable[[Array], Any]) -> Any:
        found = choose(self.value)
        if isinstance(found, (list, tuple)):
            return type(found)(self._viewed(_part(choose, n)) for n in range(len(found)))
        view = self._view_of(found)
        return self._select(choose) if view is None else view

    def _view_of(self, found: Array) -> Rounded | None:
        whole = self._root._value
        if not isinstance(found, np.ndarray) or not found.size or not np.may_share_memory(found, whole):
            return None
        view = type(self).__new__(type(self))
        view._root = self._root
        view._at = found.shape, found.ctypes.data - whole.ctypes.data, found.strides
        return view

    def _assign(self, key: Any, other: Rounded) -> None:
        root, drawn = self._root, other._drawn() if other.draws is not None else None
        value, worst = other.value.copy(), other.worst.copy()
        if not root._owned:
            root._value, root._worst = root._value.copy(), root._worst.copy()
            root._draws = None if root._draws is None else root._draws.copy()
            root._owned = True
        if root._draws is None and drawn is not None:
            root._draws = np.zeros((DRAWS, *root._value.shape))
        self.value[key], self.worst[key] = value, worst
        draws = self.draws
        if draws is None:
            return
        if drawn is None:
            drawn = np.zeros((DRAWS, *other.shape))
        for own, new in zip(draws, drawn, strict=True):
            own[key] = new

    def _drawn(self) -> Array:
        return np.zeros((DRAWS, *self.shape)) if self.draws is None else self.draws

    def _draw(self, spread: Array, value: Any = 0.0) -> Array:
        drawn = self.signs.times(np.asarray(spread))
        drawn[-2], drawn[-1] = spread, np.copysign(spread, value)
        return drawn

    def _made(
        self, value: Any, worst: Any, draws: Any, own: Any, spread: Any, reach: Array | None = None
    ) -> Rounded:
        """A result with the rounding of its own: at most ``own``, probably ``spread``.

        ``reach`` is how large numbers on the way to it may be, where they may be larger than it.
        """
        value = np.asarray(value)
        finite = np.isfinite(value)
        worst = np.where(finite, worst + own, 0.0)
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
        beyond = finite & np.isfinite(limit) & (sizes + limit > self.form.largest)
        if not beyond.any():
            return made
        # Some orders of its operations overflow, or a wider accumulator does not.
        self.branches.note(_BEYOND.format(self.form))
        return made.spoiled(beyond)

    def _carried(self, factor: Any, ndim: int) -> Array | None:
        """The draws times a factor, with as many axes as a result has."""
        if self.draws is None:
            return None
        padding = (1,) * (ndim - self.ndim)
        carried: Array = self.draws.reshape(DRAWS, *padding, *self.shape) * factor
        return carried

    def _reduced(self, axis: Any, keepdims: bool) -> tuple[Rounded, tuple[int, ...]]:
        """The axes that go, as one last axis; and the result's shape."""
        gone = self._gone(axis)
        stay = tuple(one for one in range(self.ndim) if one not in gone)
        sizes = tuple(self.shape[one] for one in stay)
        length = int(np.prod([self.shape[one] for one in gone], dtype=int))
        shape = tuple(1 if one in gone else n for one, n in enumerate(self.shape)) if keepdims else sizes
        return self.transpose(*stay, *gone).reshape(*sizes, length), shape

    def _extreme(self, find: Callable[..., Array], axis: Any, keepdims: bool) -> Rounded:
        moved, shape = self._reduced(axis, keepdims)
        at = find(moved.value, axis=-1)[..., None]
        chosen = moved._select(lambda places: np.take_along_axis(places, at, axis=-1)[..., 0])
        made = type(self)(chosen.value, moved.worst.max(axis=-1), chosen.draws)
        unsure = np.zeros(made.shape, dtype=bool)
        if moved.draws is not None:
            unsure |= moved.doubtful().any(axis=-1)
        return (made.spoiled(unsure) if unsure.any() else made).reshape(shape)

    def _select(self, choose: Callable[[Array], Array]) -> Rounded:
        places = np.asarray(choose(np.arange(self.size).reshape(self.shape)))
        draws = None if self.draws is None else self.draws.reshape(DRAWS, -1)[:, places]
        return type(self)(self.value.ravel()[places], self.worst.ravel()[places], draws)

    def _select_from(self, func: Any, args: Any, kwargs: Mapping[str, Any]) -> Any:
        """Let a function move the places of elements instead of the elements; place 0 holds a zero."""
        pool = [type(self).given(np.zeros(1))]

        def numbered(one: Any) -> Any:
            if isinstance(one, (list, tuple)):
                return type(one)(numbered(item) for item in one)
            held = isinstance(one, Rounded) or (
                isinstance(one, (np.ndarray, np.generic, float)) and np.asarray(one).dtype.kind in "fO"
            )
            if not held:
                return one
            array = self._as(one)
            start = sum(item.size for item in pool)
            pool.append(array.ravel())
            return start + np.arange(array.size).reshape(array.shape)

        def chosen(places: Any) -> Any:
            if isinstance(places, (list, tuple)):
                return [chosen(item) for item in places]
            return every._select(lambda _: places)

        integers = len(args) > 1 and func in WITH_ONE_ARRAY
        moved = (numbered(args[0]), *args[1:]) if integers else tuple(numbered(one) for one in args)
        places = func(*moved, **kwargs)
        drawn = [item._drawn() for item in pool] if any(item.draws is not None for item in pool) else None
        every = type(self)(
            np.concatenate([item.value for item in pool]),
            np.concatenate([item.worst for item in pool]),
            None if drawn is None else np.concatenate(drawn, axis=1),
        )
        return chosen(places)


def _part(choose: Callable[[Array], Any], n: int) -> Callable[[Array], Any]:
    return lambda array: choose(array)[n]


def _filling(array: Any, shape: tuple[int, ...]) -> Any:
    return array if np.shape(array) == shape else np.broadcast_to(array, shape)


def _probable(draws: Array | None, shape: tuple[int, ...]) -> Array:
    if draws is None:
        return np.zeros(shape)
    largest = np.abs(draws).max(axis=0)
    scaled = draws / np.where(largest > 0, largest, 1.0)
    random = np.sqrt(np.mean(np.square(scaled[:-ALIKE]), axis=0))
    # Each of these is the whole error of one possible computation, and not the spread of many.
    alike = np.abs(scaled[-ALIKE:]).max(axis=0) / LAMBDA
    probable: Array = largest * np.maximum(random, alike)
    return probable


def _limit(worst: Array, probable: Array) -> Array:
    worst = np.where(np.isnan(worst), np.inf, worst)
    # Draws that are all zero, of an error that there may be, follow it to too low an order to tell anything.
    limit: Array = np.where(probable > 0, np.minimum(worst, LAMBDA * probable), worst)
    return np.where(np.isnan(probable), np.nan, limit)


def _elements_at(x: Rounded, where: Array) -> Array:
    if x.draws is None:
        return np.zeros((DRAWS, int(where.sum())))
    drawn = x._carried(1.0, where.ndim)
    assert drawn is not None
    return np.broadcast_to(drawn, (DRAWS, *where.shape))[:, where]
