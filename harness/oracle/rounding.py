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

from harness.oracle.array_like import ArrayLike
from harness.oracle.summation import sum_error

Array = npt.NDArray[Any]

DRAWS = 32
"""Draws of all rounding errors; their root mean square is known to one part in eight."""

SELECTING = frozenset(
    {
        *(np.transpose, np.swapaxes, np.moveaxis, np.reshape, np.ravel, np.squeeze, np.expand_dims, np.take),
        *(np.concatenate, np.stack, np.vstack, np.hstack, np.column_stack, np.repeat, np.tile, np.roll),
        *(np.flip, np.diag, np.tril, np.triu, np.broadcast_to, np.where, np.copy, np.split, np.vsplit),
        *(np.hsplit, np.array_split, np.atleast_1d, np.atleast_2d, np.diagonal),
    }
)
"""Functions whose result has nothing but elements of their arguments, and zeros."""

WITH_ONE_ARRAY = frozenset({np.take, np.repeat, np.tile, np.roll, np.diag, np.tril, np.triu})
"""Of these, those whose other arguments are numbers, and no elements."""


class Rounded(ArrayLike):
    """An array of float64 with the worst error of each element, and draws of its probable error.

    Made by `arithmetic`, which says how long a rounding is and what operations there are;
    ``type(array)(number)`` makes a constant.

    Parameters
    ----------
    value : array_like
        Numbers. One that float32 does not hold may have been rounded when it was written down.
    worst : ndarray, optional
        A bound on the error of each element, in the shape of ``value``.
    draws : ndarray, optional
        `DRAWS` errors of each element, along a first axis of that length. Nothing: there is no error.
    """

    unit: ClassVar[float]
    tiny: ClassVar[float]
    signs: ClassVar[np.random.Generator]
    ufuncs: ClassVar[Mapping[np.ufunc, Callable[..., Any]]]
    reducing: ClassVar[Mapping[np.ufunc, Callable[..., Any]]]
    functions: ClassVar[Mapping[Any, Callable[..., Any]]]

    def __init__(self, value: Any, worst: Array | None = None, draws: Array | None = None) -> None:
        self.value: Array = np.asarray(value, dtype=np.float64)
        if worst is None:
            with np.errstate(over="ignore"):
                exact = ~np.isfinite(self.value) | (self.value.astype(np.float32) == self.value)
            worst = np.where(exact, 0.0, self.unit * np.abs(self.value))
            if worst.any():
                draws = self._draw(worst)
        self.worst = np.asarray(worst)
        self.draws = draws

    @classmethod
    def given(cls, value: Any) -> Rounded:
        """Numbers that are what they are meant to be."""
        return cls(value, np.zeros(np.shape(value)))

    @classmethod
    def gather(cls, value: Any) -> Rounded:
        """Whatever a function of these arrays may return, as one of them."""
        if isinstance(value, Rounded):
            return value
        array = np.asarray(value)
        if array.dtype != object:
            return cls(array)
        items = [cls.gather(item) for item in array.ravel()]
        return cls(
            np.reshape([item.value for item in items], array.shape),
            np.reshape([item.worst for item in items], array.shape),
            np.stack([item._drawn() for item in items], axis=1).reshape(DRAWS, *array.shape),
        )

    def probable(self) -> Array:
        """Root mean square of each element's draws."""
        if self.draws is None:
            return np.zeros(self.shape)
        largest = np.abs(self.draws).max(axis=0)
        scaled = self.draws / np.where(largest > 0, largest, 1.0)
        probable: Array = largest * np.sqrt(np.mean(np.square(scaled), axis=0))
        return probable

    # What an array has

    @property
    def shape(self) -> tuple[int, ...]:
        """As of an ndarray; so are the others."""
        return self.value.shape

    @property
    def size(self) -> int:
        """Number of elements."""
        return self.value.size

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self.value.ndim

    @property
    def dtype(self) -> np.dtype[Any]:
        """That of the values, float64."""
        return self.value.dtype

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, key: Any) -> Rounded:
        return self._select(lambda places: places[key])

    def __bool__(self) -> bool:
        return bool(self.value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value!r})"

    def reshape(self, *shape: Any) -> Rounded:
        """The same elements in another shape."""
        return self._select(lambda places: places.reshape(*shape))

    def transpose(self, *axes: Any) -> Rounded:
        """The axes in another order."""
        return self._select(lambda places: places.transpose(*axes))

    def swapaxes(self, one: int, other: int) -> Rounded:
        """Two axes exchanged."""
        return self._select(lambda places: places.swapaxes(one, other))

    flatten = ArrayLike.ravel

    def squeeze(self, axis: Any = None) -> Rounded:
        """Without axes of length 1."""
        return self._select(lambda places: places.squeeze(axis))

    def repeat(self, repeats: Any, axis: Any = None) -> Rounded:
        """Elements repeated."""
        return self._select(lambda places: places.repeat(repeats, axis))

    def astype(self, dtype: Any, **_: Any) -> Rounded:
        """Itself, as a floating-point format; anything else is refused."""
        if np.dtype(dtype).kind not in "fO":
            raise TypeError(f"there is no error analysis of a cast to {np.dtype(dtype)}")
        return self

    def sum(self, axis: Any = None, keepdims: bool = False, **_: Any) -> Rounded:
        """A sum in any order."""
        moved, shape = self._reduced(axis, keepdims)
        # Each term may have been rounded once more: a factor can stand before the sum or behind it.
        own, spread = sum_error(moved.value, self.unit)
        draws = None if moved.draws is None else moved.draws.sum(axis=-1)
        made = self._made(moved.value.sum(axis=-1), moved.worst.sum(axis=-1), draws, own, spread)
        return made.reshape(shape)

    def mean(self, axis: Any = None, keepdims: bool = False, **_: Any) -> Rounded:
        """A sum, and a division."""
        total = self.sum(axis, keepdims)
        mean: Rounded = total / max(1, self.size // max(1, total.size))
        return mean

    def max(self, axis: Any = None, keepdims: bool = False, **_: Any) -> Rounded:
        """The largest; where several may be, the worst error of any."""
        return self._extreme(np.argmax, axis, keepdims)

    def min(self, axis: Any = None, keepdims: bool = False, **_: Any) -> Rounded:
        """The smallest; where several may be, the worst error of any."""
        return self._extreme(np.argmin, axis, keepdims)

    # What NumPy's functions do with it

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if kwargs.get("out") is not None:
            raise TypeError(f"there is no error analysis of {ufunc.__name__} into an array that is there")
        if method == "reduce" and ufunc in self.reducing:
            axis = kwargs.get("axis", 0)
            return self.reducing[ufunc](
                self._as(inputs[0]), axis=axis, keepdims=kwargs.get("keepdims", False)
            )
        if method != "__call__" or kwargs.get("where", True) is not True:
            raise TypeError(f"there is no error analysis of {ufunc.__name__}.{method}")
        if ufunc not in self.ufuncs:
            raise TypeError(f"there is no error analysis of {ufunc.__name__}")
        with np.errstate(all="ignore"):
            return self.ufuncs[ufunc](*(self._as(one) for one in inputs))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func in SELECTING:
            return self._select_from(func, args, kwargs)
        if func not in self.functions:
            raise TypeError(f"there is no error analysis of numpy.{func.__name__}")
        with np.errstate(all="ignore"):
            return self.functions[func](self, *args, **kwargs)

    # Inside

    def _as(self, other: Any) -> Rounded:
        return type(self).gather(other)

    def _drawn(self) -> Array:
        return np.zeros((DRAWS, *self.shape)) if self.draws is None else self.draws

    def _draw(self, spread: Array) -> Array:
        spread = np.asarray(spread)
        count = DRAWS * spread.size
        drawn = np.unpackbits(np.frombuffer(self.signs.bytes(-(-count // 8)), np.uint8), count=count)
        return np.where(drawn.view(np.bool_).reshape(DRAWS, *spread.shape), spread, -spread)

    def _made(self, value: Any, worst: Any, draws: Any, own: Any, spread: Any) -> Rounded:
        """A result with the rounding of its own: at most ``own``, probably ``spread``."""
        value = np.asarray(value)
        finite = np.isfinite(value)
        worst = np.where(finite, worst + own, 0.0)
        spread = np.where(finite, spread, 0.0)
        if np.any(spread):
            fresh = self._draw(spread)
            draws = fresh if draws is None else draws + fresh
        if draws is not None and not finite.all():
            draws = np.where(finite, draws, 0.0)
        return type(self)(value, worst, draws)

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
        return type(self)(chosen.value, moved.worst.max(axis=-1), chosen.draws).reshape(shape)

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
