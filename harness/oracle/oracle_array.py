"""Arrays in the oracle's arithmetics that behave as ndarrays: attributes, indices, and NumPy's protocols."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any, Self, cast

import numpy as np
import numpy.typing as npt

from harness.oracle.arguments import called
from harness.oracle.array_reductions import Reductions
from harness.oracle.known import DECIDING, plainly
from harness.oracle.precisions import Precise, classes, is_weak, with_class
from harness.oracle.selected import Selected, in_front, spread
from harness.oracle.selecting import named
from harness.oracle.unknown import Converted, NotUnderstood, Undecided

Array = npt.NDArray[Any]

FORWARDED = (
    *("std", "var", "prod", "cumsum", "cumprod", "clip", "argsort", "argmax", "argmin", "trace", "round"),
    *("diagonal", "take", "repeat", "any", "all", "nonzero", "searchsorted"),
)
"""Methods that are NumPy's functions of the same name."""

SUMMING = frozenset(
    {
        *(np.sum, np.mean, np.prod, np.cumsum, np.cumprod, np.nansum, np.nanprod, np.nancumsum, np.nanmean),
        *(np.einsum, np.trace, np.stack, np.concatenate, np.vstack, np.hstack),
    }
)
"""Functions that convert their arrays to the ``dtype`` argument, and compute in it."""

OPERATORS = frozenset(
    {
        *(np.add, np.subtract, np.multiply, np.divide, np.power, np.remainder, np.floor_divide),
        *(np.negative, np.positive, np.absolute),
    }
)
"""Ufuncs of Python's operators, whose result of Python numbers is a Python number."""

DOUBLE = frozenset({np.interp, np.cov, np.corrcoef, np.bincount})
"""Functions that compute in float64, whatever they are given."""

PLACING = frozenset({np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal})
"""Functions that assign elements of their first argument."""


class OracleArray(Reductions):
    """An array in one of the oracle's arithmetics, which changes in place and has views as an ndarray has.

    An index of one element gives a copy without axes, as it gives a scalar in NumPy; these do not change in
    place.
    """

    # Attributes of an ndarray

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
        """The array itself."""
        return self

    @property
    def imag(self) -> Self:
        """Zeros."""
        return self.gather(np.zeros(self.shape))

    def conj(self) -> Self:
        """The array itself."""
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
        """One element, by its place among all in C order or by its indices, as a Python number."""
        places = tuple(at[0]) if len(at) == 1 and isinstance(at[0], tuple) else at
        if len(places) == 1 and self.ndim != 1:
            return self.reshape(-1).item(places[0])
        element: Self = self[tuple(operator.index(place) for place in places)] if places else self.reshape(())
        if element.ndim:
            raise ValueError("incorrect number of indices for array")
        return element.as_float()

    def as_float(self) -> Self:
        """The element as a Python number, in the precision of the run."""
        wide: Self = self.of(np.float64).gather(self)
        return wide.copy().knowing(self.plain).weakly()

    def tolist(self) -> Any:
        """Nested lists of elements."""
        return self.as_float() if not self.ndim else [row.tolist() for row in self]

    # Elements

    def __getitem__(self, key: Any) -> Any:
        if _is_place(key, len(self.shape)):
            chosen = self._item(key)
            if self.is_written:
                chosen.as_written()
            return chosen if self.plain is None else chosen.knowing(self.plain[key])
        if (masked := in_front(key, self.shape)) is not None:
            mask, rest = masked
            return Selected(self._viewed(lambda array: array[rest]), mask)
        key = self._key(key)
        chosen = self._viewed(lambda array: array[key])
        return chosen if chosen.ndim or _has_ellipsis(key) else chosen.copy().knowing(chosen.plain)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._changes()
        if (masked := in_front(key, self.shape)) is not None:
            mask, key = masked
            value = self._viewed(lambda array: array[masked[1]])._masked(mask, value)
        key, other = self._key(key), self.gather(value)
        if _is_place(key, len(self.shape)) and not other.shape:
            self._put(key, other)
        else:
            self._assign(key, other)

    def _masked(self, mask: Any, value: Any) -> Self:
        """The array with a value where a mask with undecided elements names them."""
        alike = isinstance(value, Selected)
        other = self.gather(value.placed_in(mask) if alike else value)
        if not alike and other.ndim > self.ndim - mask.ndim and other.shape != self.shape:
            raise Undecided(self.branches.note("a choice of elements"))
        wide = other._viewed(lambda array: np.broadcast_to(array, self.shape))
        named, unsure = (
            np.broadcast_to(spread(array, self.ndim), self.shape) for array in (mask.value, mask.unsure)
        )
        return self.choose(named, unsure, wide, self, mask.why)

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

    def compress(self, condition: Any, axis: Any = None) -> Any:
        """The elements that a condition names."""
        return np.compress(condition, cast(Any, self), axis)

    def fill(self, value: Any) -> None:
        """Assign a number to all elements."""
        self[...] = value

    def astype(
        self, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        """The array as floating-point numbers; plain integers or truth values where these are decided."""
        kind = np.dtype(dtype).kind
        if kind == "f" and self.of(dtype) is not type(self):
            return self.of(dtype).gather(self)
        if kind in "fO":
            return self.copy().knowing(self.plain) if copy else self
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

    def sort(self, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> None:
        """Sort an axis in place."""
        self[...] = np.sort(cast(Any, self), axis=axis, kind=kind, order=order, stable=stable)

    def _new(self, value: Any) -> Self:
        return value if isinstance(value, type(self).widest or type(self)) else self.gather(value)

    # NumPy's protocols

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        from harness.oracle.complex_arrays import ComplexArray, is_complex
        from harness.oracle.conditions import with_numbers
        from harness.oracle.ufunc_methods import METHODS

        if any(is_complex(input_) for input_ in inputs):
            return ComplexArray.lifted(type(self), self).__array_ufunc__(ufunc, method, *inputs, **kwargs)
        out, dtype = kwargs.pop("out", None), kwargs.pop("dtype", None)
        # In a reduction, a mask names elements of the operand.
        where = kwargs.pop("where", True) if method == "__call__" else True
        if out is None and where is not True:
            # The other elements are what the memory had.
            raise NotUnderstood(f"{named(ufunc)}(where=...) without out=")
        if method == "at" and isinstance(inputs[0], OracleArray):
            first = (type(inputs[0]), ufunc)
            return called(METHODS[method], first, ufunc, inputs, kwargs, named(ufunc, method))
        host = self._in_precision(inputs, dtype, ufunc.__name__)
        if host is not self:
            inputs = tuple(with_class(type(host), input_) for input_ in inputs)
        inputs = with_numbers(type(host), ufunc, inputs)
        with np.errstate(all="ignore"):
            known = plainly(ufunc, inputs) if method == "__call__" else None
            if known is not None and ufunc in DECIDING:
                result = known
            elif method in METHODS:
                first = (type(host), ufunc)
                result = called(METHODS[method], first, ufunc, inputs, kwargs, named(ufunc, method))
            else:
                with nullcontext() if host.widest is None else host.computing():
                    result = host._operated(ufunc, method, inputs, kwargs)
                if isinstance(result, OracleArray):
                    result.knowing(known)
                    if ufunc in OPERATORS and all(map(is_weak, inputs)):
                        result.weakly()
        if out is None or out[0] is None:
            return result
        (target,) = out
        if not isinstance(target, OracleArray):
            raise NotUnderstood(f"{ufunc.__name__} into an array of {target.dtype}")
        target[...] = result if where is True else np.where(where, result, target)
        return target

    def _in_precision(self, inputs: Any, dtype: Any, name: str) -> Self:
        """An array of the class in which NumPy computes; this array if all operands have its class."""
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
        from harness.oracle.complex_arrays import ComplexArray

        if func in (np.outer, np.dot, np.vdot, np.inner, np.convolve) and ComplexArray in types:
            return NotImplemented
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
        if host.widest is None:
            return host._called(func, args, kwargs)
        with host.computing():
            return host._called(func, args, kwargs)


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
    """Whether an index selects one element."""
    if type(key) is int:
        return ndim == 1
    return type(key) is tuple and len(key) == ndim > 0 and all(type(index) is int for index in key)
