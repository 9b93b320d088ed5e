"""Lazy arrays: operations are recorded first, and evaluated later in selected places alone.

A stage's function runs once on `Lazy` arrays, which know their shape and their operands. Then the places
that are wanted of its results are traced back to the inputs: a product of matrices needs some rows of its
left factor and some columns of its right one, a softmax needs whole rows. Every array is computed once, in
all places that are needed of it, so that correlated rounding errors stay correlated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.array_like import ArrayLike
from harness.oracle.formats import FORMATS
from harness.oracle.functions import ROUNDED_UFUNCS
from harness.oracle.lazy_axes import ALONG, along, index
from harness.oracle.unknown import Branches

Array = npt.NDArray[Any]

ELEMENTWISE = frozenset(
    {
        *(np.add, np.subtract, np.multiply, np.divide, np.negative, np.positive, np.absolute, np.square),
        *(np.maximum, np.minimum, *ROUNDED_UFUNCS),
    }
)

UFUNCS = {np.add: np.sum, np.maximum: np.max, np.minimum: np.min, np.multiply: np.prod}

VIEWS = frozenset({"transpose", "index", "whole"})
"""Kinds of arrays that may share the memory of their operands."""

_serial = count()


class Lazy(ArrayLike):
    """An array that has not been computed; ``type(array)(number)`` makes a constant. `lazy` makes the class.

    Parameters
    ----------
    value : number
        The constant.
    """

    branches = Branches(set())

    def __init__(self, value: Any) -> None:
        self._become("constant", (), np.shape(value), value)

    @classmethod
    def gather(cls, value: Any) -> Lazy:
        """The array itself, or a number as a constant."""
        return value if isinstance(value, Lazy) else cls(value)

    collect = gather

    @classmethod
    def of(cls, dtype: Any) -> type[Lazy]:
        """The class; a precision lower than the run's raises TypeError, since it has to be computed."""
        if np.finfo(dtype).eps > np.finfo(cls.dtype).eps:
            raise TypeError(f"{np.dtype(dtype)} has to be computed")
        return cls

    @classmethod
    def promoted(cls, operands: Any) -> type[Lazy]:
        """The class; there is one precision."""
        return cls

    @classmethod
    def computing(cls) -> AbstractContextManager[None]:
        """A context that does nothing; there is one precision."""
        return nullcontext()

    @classmethod
    def restart(cls) -> None:
        """Do nothing; no signs are drawn."""

    @classmethod
    def understands(cls, function: Any) -> bool:
        """Whether a function can be recorded."""
        return function in ELEMENTWISE

    @classmethod
    def given(cls, name: str, shape: tuple[int, ...]) -> Lazy:
        """An input of a name and shape."""
        return cls._made("given", (), shape, name)

    @classmethod
    def _made(cls, kind: str, parts: tuple[Lazy, ...], shape: tuple[int, ...], how: Any) -> Lazy:
        made = cls.__new__(cls)
        made._become(kind, parts, shape, how)
        return made

    def _become(self, kind: str, parts: tuple[Lazy, ...], shape: tuple[int, ...], how: Any) -> None:
        self.kind = kind
        self.parts = parts
        self.shape = shape
        self.how = how
        self.serial = next(_serial)
        self.users: list[Lazy] = []
        self._uses()

    def copy(self) -> Lazy:
        """A copy of the array."""
        return self._clone()

    def _clone(self) -> Lazy:
        clone = type(self).__new__(type(self))
        clone.__dict__ |= self.__dict__
        clone.users = []
        clone._uses()
        return clone

    def _uses(self) -> None:
        """Register this array with its parts, for changes in place."""
        for part in self.parts:
            part.users.append(self)

    def _in_place(self, value: Lazy) -> Lazy:
        """Assign a value in place: earlier users keep the old value, later users get the new one."""
        if self.kind in VIEWS or any(user.kind in VIEWS for user in self.users):
            raise TypeError("what shares its memory has to be computed")
        before = self._clone()
        for user in self.users:
            user.parts = tuple(before if part is self else part for part in user.parts)
        before.users = self.users
        self.__dict__ |= value.__dict__
        self.users = []
        self._uses()
        return self

    def __iadd__(self, other: Any) -> Lazy:
        return self._in_place(self + other)

    def __isub__(self, other: Any) -> Lazy:
        return self._in_place(self - other)

    def __imul__(self, other: Any) -> Lazy:
        return self._in_place(self * other)

    def __itruediv__(self, other: Any) -> Lazy:
        return self._in_place(self / other)

    # Attributes of an ndarray

    dtype = np.dtype(np.float64)

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape))

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __bool__(self) -> bool:
        raise TypeError("whether it is true has to be computed")

    def __array__(self, *_: Any, **__: Any) -> Array:
        raise TypeError("its numbers have to be computed")

    def __getitem__(self, key: Any) -> Lazy:
        basic = index(key, self.shape)
        if basic is None:
            return self._whole(lambda array: array[key])
        return self._made("index", (self,), basic.shape, basic)

    def reshape(self, *shape: Any) -> Lazy:
        """The same elements in another shape."""
        return self._whole(lambda array: array.reshape(*shape))

    def squeeze(self, axis: Any = None) -> Lazy:
        """The array without axes of length 1."""
        return self._whole(lambda array: array.squeeze(axis))

    def repeat(self, repeats: Any, axis: Any = None) -> Lazy:
        """Elements repeated."""
        return self._whole(lambda array: array.repeat(repeats, axis))

    def transpose(self, *axes: Any) -> Lazy:
        """The axes in another order."""
        given = axes[0] if len(axes) == 1 and np.ndim(axes[0]) else axes
        order = tuple(range(self.ndim))[::-1] if not axes or given is None else tuple(given)
        order = tuple(axis % self.ndim for axis in order)
        return self._made("transpose", (self,), tuple(self.shape[axis] for axis in order), order)

    def swapaxes(self, axis1: int, axis2: int) -> Lazy:
        """Two axes exchanged."""
        order = list(range(self.ndim))
        order[axis1], order[axis2] = order[axis2], order[axis1]
        return self.transpose(*order)

    def astype(
        self, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: bool = True, copy: bool = True
    ) -> Lazy:
        """The array itself, for a floating-point dtype."""
        if np.dtype(dtype).kind not in "fO":
            raise TypeError(f"a cast to {np.dtype(dtype)} has to be computed")
        if np.dtype(dtype).kind == "f":
            self.of(dtype)
        return self

    def sum(self, *args: Any, **kwargs: Any) -> Lazy:
        """The sum over some axes."""
        return self._along(np.sum, args, kwargs)

    def mean(self, *args: Any, **kwargs: Any) -> Lazy:
        """The mean over some axes."""
        return self._along(np.mean, args, kwargs)

    def max(self, *args: Any, **kwargs: Any) -> Lazy:
        """The largest element along some axes."""
        return self._along(np.max, args, kwargs)

    def min(self, *args: Any, **kwargs: Any) -> Lazy:
        """The smallest element along some axes."""
        return self._along(np.min, args, kwargs)

    def std(self, *args: Any, **kwargs: Any) -> Lazy:
        """The standard deviation over some axes."""
        return self._along(np.std, args, kwargs)

    def var(self, *args: Any, **kwargs: Any) -> Lazy:
        """The variance over some axes."""
        return self._along(np.var, args, kwargs)

    def prod(self, *args: Any, **kwargs: Any) -> Lazy:
        """The product over some axes."""
        return self._along(np.prod, args, kwargs)

    def cumsum(self, *args: Any, **kwargs: Any) -> Lazy:
        """The cumulative sum along an axis."""
        return self._along(np.cumsum, args, kwargs)

    def cumprod(self, *args: Any, **kwargs: Any) -> Lazy:
        """The cumulative product along an axis."""
        return self._along(np.cumprod, args, kwargs)

    def argmax(self, *args: Any, **kwargs: Any) -> Lazy:
        """The place of the largest element along an axis."""
        return self._along(np.argmax, args, kwargs)

    def argmin(self, *args: Any, **kwargs: Any) -> Lazy:
        """The place of the smallest element along an axis."""
        return self._along(np.argmin, args, kwargs)

    # NumPy's functions

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method == "reduce" and ufunc in UFUNCS and isinstance(inputs[0], Lazy):
            return inputs[0]._along(UFUNCS[ufunc], inputs[1:], {"axis": 0, **kwargs})
        if method != "__call__" or kwargs:
            raise TypeError(f"{ufunc.__name__}.{method} has to be computed")
        if ufunc is np.matmul and all(isinstance(input_, Lazy) and input_.ndim >= 2 for input_ in inputs):
            return _product(*inputs)
        if ufunc not in ELEMENTWISE:
            raise TypeError(f"{ufunc.__name__} has to be computed")
        parts, build = _split(inputs)
        shapes = [np.shape(input_) if not isinstance(input_, Lazy) else input_.shape for input_ in inputs]
        how = lambda *arrays: ufunc(*build(arrays))  # noqa: E731
        if any(np.ndim(input_) for input_ in inputs if not isinstance(input_, Lazy)):
            raise TypeError(f"{ufunc.__name__} with an array of plain numbers has to be computed")
        return self._made("elementwise", parts, np.broadcast_shapes(*shapes), how)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func in ALONG and args and isinstance(args[0], Lazy):
            return args[0]._along(func, args[1:], kwargs)
        if func is np.dot and all(isinstance(arg, Lazy) and arg.ndim == 2 for arg in args):
            return _product(*args)
        if func in (np.transpose, np.swapaxes):
            return getattr(args[0], func.__name__)(*args[1:], **kwargs)
        if func in (np.shape, np.ndim, np.size):
            return func(np.broadcast_to(0.0, args[0].shape), *args[1:], **kwargs)
        parts, build = _split(args)
        return _whole(parts, lambda *arrays: func(*build(arrays), **kwargs))

    # Inside

    def _whole(self, how: Callable[..., Any]) -> Lazy:
        return _whole((self,), how)

    def _along(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Lazy:
        how = along(function, self, args, kwargs)
        if how is None:
            return self._whole(lambda array: function(array, *args, **kwargs))
        return self._made("along", (self,), how.shape(self.shape), how)


def _product(left: Lazy, right: Lazy) -> Lazy:
    if left.shape[-1] != right.shape[-2]:
        raise ValueError(f"matrices of shapes {left.shape} and {right.shape} have no product")
    stack = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    shape = (*stack, left.shape[-2], right.shape[-1])
    return left._made("product", (left, right), shape, None)


def _whole(parts: tuple[Lazy, ...], how: Callable[..., Any]) -> Lazy:
    """A result that needs all elements of its parts; its shape is found by a call on zeros."""
    shadow = how(*(np.zeros(part.shape) for part in parts))
    if isinstance(shadow, (list, tuple)):
        raise TypeError("several arrays at once have to be computed")
    return (parts[0] if parts else Lazy)._made("whole", parts, np.shape(shadow), how)


def _split(given: Any) -> tuple[tuple[Lazy, ...], Callable[[Sequence[Any]], Any]]:
    """The lazy arrays in nested arguments, and a function that replaces them by other arrays."""
    lazies: list[Lazy] = []

    def number(lazy: Any) -> Any:
        if isinstance(lazy, (list, tuple)):
            return type(lazy)(number(item) for item in lazy)
        if not isinstance(lazy, Lazy):
            return lambda _: lazy
        lazies.append(lazy)
        place = len(lazies) - 1
        return lambda arrays: arrays[place]

    numbered = number(given)

    def build(nested: Any, arrays: Sequence[Any]) -> Any:
        if isinstance(nested, (list, tuple)):
            return type(nested)(build(item, arrays) for item in nested)
        return nested(arrays)

    return tuple(lazies), lambda arrays: build(numbered, arrays)


def lazy(bits: int) -> type[Lazy]:
    """The class of lazy arrays in the working precision with so many bits."""
    return type("Lazy", (Lazy,), {"dtype": FORMATS[bits].dtype})
