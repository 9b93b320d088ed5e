"""Arrays of balls that NumPy's functions accept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from flint import arb

from harness.oracle.arguments import called
from harness.oracle.ball_comparisons import COMPARED, STEPS
from harness.oracle.ball_operations import sum_of
from harness.oracle.balls import as_balls, is_no_number, settled
from harness.oracle.conditions import Condition
from harness.oracle.formats import FLOAT64, FORMATS
from harness.oracle.free_signs import FreeSigns
from harness.oracle.known import doubles
from harness.oracle.masked import reduced
from harness.oracle.oracle_array import OracleArray
from harness.oracle.selecting import SELECTING, VIEWING, elements, named, of_one_shape
from harness.oracle.unknown import NotUnderstood

Array = npt.NDArray[Any]


class Balls(OracleArray):
    """An array of balls; `balls` makes the class.

    Parameters
    ----------
    items : ndarray of arb
        Its elements, which it shares.
    """

    signs: ClassVar[FreeSigns]
    ufuncs: ClassVar[Mapping[np.ufunc, Callable[..., Any]]]
    reducing: ClassVar[Mapping[np.ufunc, Callable[..., Any]]]
    functions: ClassVar[Mapping[Any, Callable[..., Any]]]

    def __init__(self, items: Any) -> None:
        self.items: Array = items if _is_plain(items) else as_balls(items)

    @classmethod
    def given(cls, value: Any) -> Balls:
        """Floating-point numbers as balls of radius 0."""
        array = np.asarray(value)
        items = np.empty(array.shape, dtype=object)
        items.reshape(-1)[:] = [arb(number) for number in array.ravel().tolist()]
        return cls(items)

    @classmethod
    def within(cls, value: Array, error: Array) -> Balls:
        """The numbers as balls of radius 0, since true values follow from the numbers themselves."""
        return cls.given(value)

    @classmethod
    def gather(cls, value: Any) -> Balls:
        """What a function of these arrays returned, as an array of balls."""
        if isinstance(value, Balls):
            return value if type(value) is cls else value._to(cls)
        if type(value) in (float, int, np.float64):
            return cls(np.asarray(arb(float(value)), dtype=object))
        if isinstance(value, Condition):
            return cls.gather(value.numbers())
        if _is_plain(value) or isinstance(value, arb):
            return cls(np.asarray(value, dtype=object))
        items = elements(value)
        if isinstance(items, np.ndarray):
            return cls.given(items)
        parts = [cls.gather(item) for item in items]
        of_one_shape(parts)
        made = cls(np.stack([part.items for part in parts]))
        plain = doubles(value)
        return made if plain is None else made.standing(np.array(plain, dtype=np.float64)).as_written()

    # What the oracle asks of an array

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes."""
        return self.items.shape

    def nearest(self) -> Array:
        """The midpoints."""
        flat = [float(ball.mid()) for ball in self.items.ravel()]
        return np.array(flat, dtype=np.float64).reshape(self.shape)

    def doubtful(self) -> Array:
        """Balls that contain more than one number; of integers these are undecided."""
        flat = [not ball.is_exact() or ball.is_nan() for ball in map(settled, self.items.ravel())]
        return np.array(flat, dtype=bool).reshape(self.shape)

    def unknown(self) -> Array:
        """Balls that are NaN only because nothing is known of them."""
        flat = [ball.is_nan() and not is_no_number(ball) for ball in self.items.ravel()]
        return np.array(flat, dtype=bool).reshape(self.shape)

    def spoiled(self, where: Array) -> Balls:
        """The array with balls that contain every real number at some places."""
        whole = arb(0, float("inf"))
        return type(self)(np.where(where, np.full(self.shape, whole, dtype=object), self.items))

    @classmethod
    def compare(cls, ufunc: np.ufunc, x: Any, y: Any) -> tuple[Array, Array]:
        """The truth values; decided where balls do not overlap, are points, or are the same ball."""
        sides = (side.as_double().items for side in (x, y))
        codes = np.asarray(COMPARED[ufunc](*sides), dtype=np.int8)
        return codes % 2 == 1, codes > 1

    def as_double(self) -> Balls:
        """The array; in float64, a quotient that is written is the double that it is in every language."""
        written = self.is_written and self.plain is not None and self.bits == FLOAT64.bits
        return self.given(self.plain) if written else self

    @classmethod
    def choose(cls, first: Array, unsure: Array, x: Any, y: Any, why: str = "") -> Balls:
        """Elements of x or y; balls that contain both where the condition is undecided."""
        items = np.where(first, x.items, y.items)
        if np.any(unsure):
            unsure = np.broadcast_to(unsure, items.shape)
            both = [np.broadcast_to(array.items, items.shape)[unsure] for array in (x, y)]
            if not all(a.overlaps(b) for a, b in zip(*both, strict=True)):
                cls.branches.keep(why)
            items[unsure] = [a.union(b) for a, b in zip(*both, strict=True)]
        return cls(items)

    @classmethod
    def stepped(cls, x: Any, step: Callable[[Any], Any], what: str) -> Balls:
        """A step function such as floor; balls that contain both steps where it is undecided."""
        items = as_balls(np.frompyfunc(STEPS[step], 1, 1)(x.items))
        made = cls(items)
        if (made.doubtful() & ~_lacking(items)).any():
            cls.branches.note(what)
        return made

    @classmethod
    def understands(cls, function: Any) -> bool:
        """Whether a table has an operation for the function."""
        tables = (cls.ufuncs, cls.functions, cls.generic, SELECTING, _OF_BALLS, _OF_OBJECTS, _METHODS)
        return any(function in table for table in tables)

    @classmethod
    def first(cls, ufunc: np.ufunc, x: Any) -> Array:
        """The first place of the extreme element along the last axis."""
        at = np.zeros(x.shape[:-1], dtype=np.intp)
        best = x.items[..., 0]
        for place in range(1, x.shape[-1]):
            items = x.items[..., place]
            comes = np.asarray(COMPARED[ufunc](items, best), dtype=np.int8) % 2 == 1
            # In NumPy's order what is not a number comes before all numbers, and after them in a sort.
            comes = comes | (_lacking(items) & ~_lacking(best))
            at, best = np.where(comes, place, at), np.where(comes, items, best)
        return at

    @classmethod
    def angle(cls, y: Any, x: Any) -> Balls:
        """The angle of a point, from -pi to pi; pi on the negative real axis."""
        return cls(as_balls(cls.ufuncs[np.arctan2](y.items, x.items)))

    @classmethod
    def ratio(cls, x: Any, y: Any) -> Balls:
        """The quotient; balls divide without rounding where the result is a number of the precision."""
        return cls.gather(cls.gather(x) / cls.gather(y))

    @classmethod
    def less_product(cls, x: Any, whole: Any, y: Any) -> Balls:
        """The remainder x - whole * y."""
        return cls.gather(cls.gather(x) - cls.gather(whole) * cls.gather(y))

    def copy(self) -> Balls:
        """A copy with its own memory."""
        return type(self)(self.items.copy())

    def _sum(self, axis: Any = None, keepdims: bool = False) -> Any:
        """The sum over some axes."""
        # Without any balls, NumPy's sum is the integer 0.
        total = sum_of(self.items, axis, keepdims)
        return type(self)(total if self.size else as_balls(total))

    def _mean(self, axis: Any = None, keepdims: bool = False) -> Any:
        """The mean over some axes."""
        total = self._sum(axis, keepdims=keepdims)
        count = np.asarray(arb(self.size // total.size if total.size else 1), dtype=object)
        return type(self)(np.asarray(self.ufuncs[np.divide](total.items, count), dtype=object))

    def _prod(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = np._NoValue,
        where: Any = True,
    ) -> Any:
        """The product over some axes."""
        if dtype is not None:
            raise NotUnderstood("numpy.prod(dtype=...)")
        product = partial(self._reduced, np.multiply)
        return reduced(np.multiply, product, self, axis, keepdims, initial, where)

    def _max(self, axis: Any = None, keepdims: bool = False) -> Any:
        """The largest element along some axes."""
        return type(self)(self.reducing[np.maximum](self.items, axis=axis, keepdims=keepdims))

    def _min(self, axis: Any = None, keepdims: bool = False) -> Any:
        """The smallest element along some axes."""
        return type(self)(self.reducing[np.minimum](self.items, axis=axis, keepdims=keepdims))

    # NumPy's functions

    def _operated(self, ufunc: np.ufunc, method: str, inputs: Any, kwargs: Mapping[str, Any]) -> Any:
        if method == "__call__" and ufunc in self.generic:
            balls = tuple(self.gather(input_) for input_ in inputs)
            return called(self.generic[ufunc], (type(self),), ufunc, balls, kwargs)
        if method == "reduce" and (ufunc is np.add or ufunc in self.reducing):
            given = (ufunc, partial(self._reduced, ufunc), self.gather(inputs[0]))
            how = {"axis": 0, "keepdims": False, **kwargs}
            return called(reduced, given, ufunc, (), how, named(ufunc, method))
        if method != "__call__" or (ufunc not in self.ufuncs and ufunc not in _OF_BALLS):
            raise NotUnderstood(named(ufunc, method))
        items = tuple(self.gather(input_).items for input_ in inputs)
        for name in kwargs:
            raise NotUnderstood(f"{named(ufunc)}({name}=...)")
        return self._computed(self.ufuncs.get(ufunc, ufunc)(*items))

    @classmethod
    def _reduced(cls, ufunc: np.ufunc, x: Balls, axis: Any, keepdims: bool) -> Any:
        if ufunc is np.add:
            return x._sum(axis, keepdims)
        return cls(as_balls(cls.reducing[ufunc](x.items, axis=axis, keepdims=keepdims)))

    def _called(self, func: Any, args: Any, kwargs: Mapping[str, Any]) -> Any:
        with np.errstate(all="ignore"):
            if func in self.generic:
                return called(self.generic[func], (type(self),), func, args, kwargs)
            if func in VIEWING and args and isinstance(args[0], Balls):
                return args[0]._viewed(lambda array: func(array, *args[1:], **kwargs))
            if func in _METHODS and args and isinstance(args[0], Balls):
                return called(getattr(type(args[0]), _METHODS[func]), args[:1], func, args[1:], kwargs)
            plain = _plain(args), {name: _plain(value) for name, value in kwargs.items()}
            if func in self.functions:
                return self._wrapped(called(self.functions[func], (), func, *plain))
            if func in SELECTING or func in _OF_OBJECTS:
                return self._wrapped(func(*plain[0], **plain[1]))
        raise NotUnderstood(named(func))

    # Inside

    @classmethod
    def members_of(cls, bits: int) -> dict[str, Any]:
        """The dtype and the bits of a class; balls round nothing to them."""
        return {"dtype": FORMATS[bits].dtype, "bits": bits}

    def _to(self, kind: type[Balls]) -> Balls:
        """The same balls in the class of another precision."""
        if not self.of_one_run(kind):
            return self
        plain, made = self.plain, kind(self.items.copy())
        return made if plain is None else made.knowing(np.asarray(plain).astype(kind.dtype)[()])

    def _computed(self, result: Any) -> Any:
        """The result of a ufunc, as an array of balls."""
        items = np.asarray(result, dtype=object)
        return type(self)(items) if items.size and isinstance(items.flat[0], arb) else self._wrapped(result)

    def _wrapped(self, result: Any) -> Any:
        if isinstance(result, (list, tuple)):
            parts = [self._wrapped(part) for part in result]
            return result._make(parts) if hasattr(result, "_make") else type(result)(parts)
        # A product of no balls is an integer.
        if isinstance(result, (arb, int, float)) or _is_plain(result):
            return type(self)(as_balls(result))
        return result

    def _elsewhere(self, choose: Callable[[Array], Any]) -> Any:
        items = choose(self.items)
        if isinstance(items, (list, tuple)):
            return type(items)(type(self)(part) for part in items)
        return type(self)(items if _is_plain(items) else np.array(items, dtype=object))

    def _is_number(self) -> bool:
        return not self.items.ndim

    def _scalar(self, ball: Any) -> Balls:
        items = np.empty((), dtype=object)
        items[()] = ball
        return type(self)(items)

    def _item(self, key: Any) -> Balls:
        return self._scalar(self.items[key])

    def _put(self, key: Any, other: Balls) -> None:
        self.items[key] = other.items[()]

    def _assign(self, key: Any, other: Balls) -> None:
        self.items[key] = other.items if other.ndim else other.items[()]


_OF_BALLS = frozenset(
    {
        *(np.add, np.subtract, np.multiply, np.divide, np.negative, np.positive, np.absolute, np.exp, np.log),
        *(np.sqrt, np.tanh, np.square, np.power),
    }
)
"""Ufuncs that call the operators and methods of the elements."""

_OF_OBJECTS = frozenset({np.dot, np.outer, np.einsum})
"""Functions that NumPy itself computes with products and sums of objects."""

_LACKING = np.frompyfunc(is_no_number, 1, 1)

_METHODS = {
    np.sum: "sum",
    np.mean: "mean",
    np.prod: "_prod",
    np.max: "max",
    np.amax: "max",
    np.min: "min",
    np.amin: "min",
}


def _is_plain(array: Any) -> bool:
    return isinstance(array, np.ndarray) and array.dtype == object


def _lacking(items: Any) -> Array:
    return np.asarray(_LACKING(items), dtype=bool)


def _plain(balls: Any) -> Any:
    if isinstance(balls, (list, tuple)):
        return type(balls)(_plain(item) for item in balls)
    return balls.items if isinstance(balls, Balls) else balls
