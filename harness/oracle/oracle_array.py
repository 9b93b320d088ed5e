"""What arrays of balls, and arrays that carry their rounding, have in common: what NumPy's arrays do."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from harness.oracle.known import DECIDING, plainly
from harness.oracle.precisions import Precise, classes, is_weak, with_class
from harness.oracle.unknown import Converted, NotUnderstood, Undecided
from harness.oracle.views import Views

Array = npt.NDArray[Any]

FORWARDED = (
    *("std", "var", "prod", "cumsum", "cumprod", "clip", "argsort", "argmax", "argmin", "trace", "round"),
    *("diagonal", "take", "repeat", "any", "all", "nonzero", "searchsorted", "compress"),
)
"""Methods that are NumPy's functions of the same name."""

SUMMING = frozenset(
    {
        *(np.sum, np.mean, np.prod, np.cumsum, np.cumprod, np.nansum, np.nanprod, np.nancumsum, np.nanmean),
        *(np.einsum, np.trace, np.stack, np.concatenate, np.vstack, np.hstack),
    }
)
"""Functions that take their arrays to the dtype that they are given, and compute in it."""

OPERATORS = frozenset(
    {
        *(np.add, np.subtract, np.multiply, np.divide, np.power, np.remainder, np.floor_divide),
        *(np.negative, np.positive, np.absolute),
    }
)
"""What Python's operators call, which make numbers of Python's of such."""

DOUBLE = frozenset({np.interp, np.cov, np.corrcoef, np.bincount})
"""Functions that compute in float64, whatever they are given."""

PLACING = frozenset({np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal})
"""Functions that put elements into their first argument."""


class OracleArray(Views, Precise):
    """An array in one of the oracle's arithmetics, which changes in place and has views as an ndarray has.

    A full index gives a copy of no axes, as it gives a scalar of NumPy, and those do not change in place.
    """

    generic: ClassVar[Mapping[Any, Callable[..., Any]]]
    """Operations that are the same in every arithmetic, called with the class first."""

    @classmethod
    def restart(cls) -> None:
        """Begin another evaluation, which is to come to the same."""
        cls.branches.take()
        cls.followed = 0

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes."""

    @classmethod
    @abstractmethod
    def given(cls, value: Any) -> Self:
        """Numbers that are what they are meant to be."""

    @classmethod
    @abstractmethod
    def within(cls, value: Array, error: Array) -> Self:
        """Numbers from which those of others may be so far away."""

    @classmethod
    @abstractmethod
    def gather(cls, value: Any) -> Self:
        """Whatever a function may return, as one array."""

    @classmethod
    @abstractmethod
    def compare(cls, ufunc: np.ufunc, x: Self, y: Self) -> tuple[Array, Array]:
        """The truth values of a comparison, and which of them are undecided."""

    @classmethod
    @abstractmethod
    def choose(cls, first: Array, unsure: Array, x: Self, y: Self, why: str = "") -> Self:
        """Elements of one array or the other; where that is undecided, what holds both, or undecided ones."""

    @classmethod
    @abstractmethod
    def stepped(cls, x: Self, step: Callable[[Any], Any], what: str) -> Self:
        """A function of steps, such as floor; undecided where rounding can turn the step."""

    @classmethod
    @abstractmethod
    def understands(cls, function: Any) -> bool:
        """Whether there is an analysis of a function of NumPy."""

    @classmethod
    @abstractmethod
    def first(cls, ufunc: np.ufunc, x: Self) -> Array:
        """Along the last axis, the first place of the greatest element, or of the least."""

    @classmethod
    @abstractmethod
    def ratio(cls, x: Any, y: Any) -> Self:
        """A quotient that is not rounded where one is a multiple of the other."""

    @classmethod
    @abstractmethod
    def less_product(cls, x: Any, whole: Any, y: Any) -> Self:
        """What is left of a number after whole multiples of another."""

    @abstractmethod
    def doubtful(self) -> Array:
        """Which elements are undecided, or, of integers, not known."""

    @abstractmethod
    def spoiled(self, where: Array) -> Self:
        """The same, with elements that are undecided where it says so."""

    @classmethod
    @abstractmethod
    def angle(cls, y: Self, x: Self) -> Self:
        """The angle of a point, by its coordinates."""

    def unknown(self) -> Array:
        """Of which elements it is not known whether they are numbers."""
        return np.zeros(self.shape, dtype=bool)

    def negative_zeros(self) -> Array:
        """Which elements the reference has as -0.0, where the arithmetic has the sign of a zero."""
        return np.zeros(self.shape, dtype=bool)

    def one_of(self, where: Array, least: Array, most: Array) -> Self:
        """The same, undecided where it says so, but whole numbers from the least to the most."""
        return self.spoiled(where)

    @classmethod
    def placed(cls, places: Array, least: Array, most: Array, what: str) -> Any:
        """Whole numbers; undecided where they may be anything from the least to the most."""
        unsure = np.asarray(least < most)
        if not unsure.any():
            return places if np.ndim(places) else np.intp(places)
        cls.branches.note(what)
        return cls.gather(np.asarray(places, dtype=np.float64)).one_of(unsure, least, most)

    @abstractmethod
    def _elsewhere(self, choose: Callable[[Array], Array]) -> Self:
        """The same elements elsewhere: a view where NumPy gives one."""

    def _viewed(self, choose: Callable[[Array], Array]) -> Self:
        view = self._elsewhere(choose)
        if self.plain is not None and self._known is not None and isinstance(view, OracleArray):
            view._known = choose(np.asarray(self.plain)), self._known[1]
        return view

    @abstractmethod
    def _assign(self, key: Any, other: Self) -> None:
        """Put elements into some places."""

    @abstractmethod
    def _item(self, key: Any) -> Self:
        """The element at one place, copied."""

    @abstractmethod
    def _put(self, key: Any, other: Self) -> None:
        """Put one element into one place."""

    @abstractmethod
    def copy(self) -> Self:
        """The same elements in an array of its own."""

    # What an array has

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Bytes of an element of the format."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of an array of the format."""
        return self.itemsize * self.size

    @property
    def real(self) -> Self:
        """Itself."""
        return self

    @property
    def imag(self) -> Self:
        """Zeros."""
        return self.gather(np.zeros(self.shape))

    def conj(self) -> Self:
        """Itself."""
        return self

    conjugate = conj

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Self]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.nearest()!r})"

    def __array__(self, *_: Any, **__: Any) -> Array:
        raise Converted("a plain array")

    def item(self, *at: Any) -> Self:
        """One element, as an array of no axes: a number of Python's."""
        element = self[at] if at else self.reshape(())
        return element.as_float()

    def as_float(self) -> Self:
        """A number of Python's, which has the precision of the run."""
        wide: Self = self.of(np.float64).gather(self)
        return wide.copy().knowing(self.plain).weakly()

    def tolist(self) -> Any:
        """Nested lists of elements."""
        return self.as_float() if not self.ndim else [row.tolist() for row in self]

    # Places

    def __getitem__(self, key: Any) -> Self:
        if _is_place(key, len(self.shape)):
            chosen = self._item(key)
            return chosen if self.plain is None else chosen.knowing(self.plain[key])
        key = self._key(key)
        chosen = self._viewed(lambda array: array[key])
        return chosen if chosen.ndim or _has_ellipsis(key) else chosen.copy().knowing(chosen.plain)

    def __setitem__(self, key: Any, value: Any) -> None:
        from harness.oracle.conditions import Condition

        self._changes()
        if isinstance(key, Condition):
            other = self.gather(value)
            if other.ndim and other.shape != self.shape:
                raise Undecided(self.branches.note("a choice of elements"))
            spread = other._viewed(lambda array: np.broadcast_to(array, self.shape))
            key, value = Ellipsis, self.choose(key.value, key.unsure, spread, self, key.why)
        key, other = self._key(key), self.gather(value)
        if _is_place(key, len(self.shape)) and not other.shape:
            self._put(key, other)
        else:
            self._assign(key, other)

    def _key(self, key: Any) -> Any:
        from harness.oracle.conditions import Condition

        if isinstance(key, tuple):
            return tuple(self._key(index) for index in key)
        if isinstance(key, Condition):
            raise Undecided(self.branches.note("a choice of elements"))
        if isinstance(key, OracleArray):
            if key.plain is not None:
                return np.asarray(key.plain).astype(np.int64)
            if key.doubtful().any():
                raise Undecided(self.branches.note("an index"))
            return key.nearest().astype(np.int64)
        if isinstance(key, list) and any(isinstance(index, (OracleArray, Condition)) for index in key):
            return [self._key(index) for index in key]
        return key

    def fill(self, value: Any) -> None:
        """Put one number everywhere."""
        self[...] = value

    def astype(self, dtype: Any, **_: Any) -> Any:
        """As floating-point numbers: a copy; as integers or truth values: those, where they are decided."""
        kind = np.dtype(dtype).kind
        if kind == "f" and self.of(dtype) is not type(self):
            return self.of(dtype).gather(self)
        if kind in "fO":
            return self.copy().knowing(self.plain)
        if kind in "biu" and self.plain is not None:
            return self.plain.astype(dtype)
        if kind == "b":
            return self != 0
        if kind == "c":
            from harness.oracle.complex_functions import gathered

            return gathered(self.of(dtype), self)
        if kind not in "iu":
            raise NotUnderstood(f"astype({np.dtype(dtype)})")
        whole = self.stepped(self, np.trunc, "a cast to integers")
        return whole if whole.doubtful().any() else whole.nearest().astype(dtype)

    def sort(self, axis: int = -1, **more: Any) -> None:
        """Sort in place."""
        self[...] = np.sort(self, axis=axis, **more)

    def _new(self, value: Any) -> Self:
        return value if isinstance(value, type(self).widest or type(self)) else self.gather(value)

    # What NumPy's functions do with it

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        from harness.oracle.complex_arrays import ComplexArray, is_complex
        from harness.oracle.conditions import with_numbers
        from harness.oracle.ufunc_methods import METHODS

        if any(is_complex(input_) for input_ in inputs):
            return ComplexArray.lifted(type(self), self).__array_ufunc__(ufunc, method, *inputs, **kwargs)
        out, where = kwargs.pop("out", None), kwargs.pop("where", True)
        for unimportant in ("casting", "order", "subok"):
            kwargs.pop(unimportant, None)
        dtype = kwargs.pop("dtype", None)
        if method == "at" and isinstance(inputs[0], OracleArray):
            return METHODS[method](type(inputs[0]), ufunc, *inputs, **kwargs)
        host = self._in_precision(inputs, dtype, ufunc.__name__)
        if host is not self:
            inputs = tuple(with_class(type(host), input_) for input_ in inputs)
        inputs = with_numbers(type(host), ufunc, inputs)
        with np.errstate(all="ignore"):
            known = plainly(ufunc, inputs) if method == "__call__" else None
            if known is not None and ufunc in DECIDING:
                result = known
            elif method in METHODS:
                result = METHODS[method](type(host), ufunc, *inputs, **kwargs)
            else:
                with nullcontext() if host.widest is None else host.computing():
                    result = host._operated(ufunc, method, inputs, kwargs)
                if isinstance(result, OracleArray):
                    result.knowing(known)
                    if ufunc in OPERATORS and all(map(is_weak, inputs)):
                        result.weakly()
        if out is None and where is True:
            return result
        (target,) = out if out is not None else (None,)
        if target is None:
            return result
        if not isinstance(target, OracleArray):
            raise NotUnderstood(f"{ufunc.__name__} into an array of {target.dtype}")
        target[...] = result if where is True else np.where(where, result, target)
        return target

    def _in_precision(self, inputs: Any, dtype: Any, name: str) -> Self:
        """An array in whose class NumPy computes; this one, where all are of one."""
        kind = type(self)
        if dtype is not None:
            if np.dtype(dtype).kind not in "fO":
                raise NotUnderstood(f"numpy.{name}(dtype={np.dtype(dtype)})")
            kind = self.of(dtype)
        elif kind.widest is not None or any(
            isinstance(input_, Precise) and (input_.weak or type(input_) is not kind) for input_ in inputs
        ):
            kind = self.promoted(inputs)
        return (
            self
            if kind is type(self) and not any(other is not kind for other in classes(inputs))
            else kind.given(0.0)
        )

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        out = kwargs.get("out")
        if isinstance(out, OracleArray):
            out[...] = self.__array_function__(func, types, args, {**kwargs, "out": None})
            return out
        if func in PLACING and isinstance(args[0], OracleArray):
            return args[0]._called(func, args, kwargs)
        host, asked = self, kwargs.get("dtype")
        if func in SUMMING and asked is not None:
            host = self._in_precision(args, asked, func.__name__)
            kwargs = {name: value for name, value in kwargs.items() if name != "dtype"}
        elif type(self).widest is not None or any(
            other is not type(self) for other in classes((args, kwargs))
        ):
            kind = self.of(np.float64) if func in DOUBLE else self.promoted([*args, *kwargs.values()])
            host = kind.given(0.0)
        if host is not self:
            args = with_class(type(host), args)
            kwargs = {name: with_class(type(host), value) for name, value in kwargs.items()}
        if kwargs.get("out", func) is None:
            del kwargs["out"]
        if host.widest is None:
            return host._called(func, args, kwargs)
        with host.computing():
            return host._called(func, args, kwargs)

    @abstractmethod
    def _called(self, func: Any, args: Any, kwargs: Mapping[str, Any]) -> Any:
        """A function of NumPy on arrays of one class."""

    @abstractmethod
    def _operated(self, ufunc: np.ufunc, method: str, inputs: Any, kwargs: Mapping[str, Any]) -> Any:
        """A ufunc, or a method of it, of arrays or numbers."""


def _forwarded(name: str) -> Callable[..., Any]:
    function = getattr(np, name)

    def call(self: OracleArray, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    call.__name__, call.__doc__ = name, f"As numpy.{name}."
    return call


for _name in FORWARDED:
    setattr(OracleArray, _name, _forwarded(_name))


def _has_ellipsis(key: Any) -> bool:
    return key is Ellipsis or (isinstance(key, tuple) and any(index is Ellipsis for index in key))


def _is_place(key: Any, ndim: int) -> bool:
    """Whether an index is that of one element."""
    if type(key) is int:
        return ndim == 1
    return type(key) is tuple and len(key) == ndim > 0 and all(type(index) is int for index in key)
