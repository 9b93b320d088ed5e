"""Complex arrays as two real ones, in every arithmetic of the oracle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from flint import acb

from harness.oracle.array_like import ArrayLike
from harness.oracle.oracle_array import OracleArray
from harness.oracle.rounding import Rounded
from harness.oracle.selecting import named
from harness.oracle.unknown import NotUnderstood


class ComplexArray(ArrayLike):
    """A real and an imaginary part, of one shape.

    Parameters
    ----------
    real, imag : OracleArray
        Two arrays in the same arithmetic.
    """

    def __init__(self, real: Any, imag: Any) -> None:
        self.real, self.imag = real, imag

    @classmethod
    def lifted(cls, kind: type[OracleArray], value: Any) -> ComplexArray:
        """Real or complex numbers, in an arithmetic."""
        if isinstance(value, ComplexArray):
            return value
        if isinstance(value, OracleArray):
            return cls(value, kind.given(np.zeros(value.shape)))
        array = np.asarray(value)
        if array.dtype.kind != "c":
            return cls.lifted(kind, kind.gather(value))
        return cls(kind.gather(array.real), kind.gather(array.imag))

    @property
    def kind(self) -> type[OracleArray]:
        """The arithmetic."""
        return type(self.real)

    @property
    def shape(self) -> tuple[int, ...]:
        """As of an ndarray; so are the others."""
        shape: tuple[int, ...] = self.real.shape
        return shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape, dtype=int))

    def __len__(self) -> int:
        return self.shape[0]

    def __abs__(self) -> Any:
        return _modulus(self)

    def __getitem__(self, key: Any) -> ComplexArray:
        return self.each(lambda part: part[key])

    def reshape(self, *shape: Any) -> ComplexArray:
        """The same elements in another shape."""
        return self.each(lambda part: part.reshape(*shape))

    def transpose(self, *axes: Any) -> ComplexArray:
        """The axes in another order."""
        return self.each(lambda part: part.transpose(*axes))

    def nearest(self) -> Any:
        """Plain complex numbers."""
        dtype = self.kind.dtype
        return self.real.nearest().astype(dtype) + dtype.type(1) * 1j * self.imag.nearest().astype(dtype)

    def spoiled(self, where: Any) -> ComplexArray:
        """Some elements undecided."""
        return self.each(lambda part: part.spoiled(where))

    def copy(self) -> ComplexArray:
        """The same elements in arrays of their own."""
        return self.each(lambda part: part.copy())

    def sum(self, axis: Any = None, keepdims: bool = False, **_: Any) -> ComplexArray:
        """A sum."""
        return self.each(lambda part: part.sum(axis=axis, keepdims=keepdims))

    def mean(self, axis: Any = None, keepdims: bool = False, **_: Any) -> ComplexArray:
        """A mean."""
        return self.each(lambda part: part.mean(axis=axis, keepdims=keepdims))

    def conj(self) -> ComplexArray:
        """The conjugate."""
        return ComplexArray(self.real, -self.imag)

    conjugate = conj

    def each(self, function: Callable[[Any], Any]) -> ComplexArray:
        """A function of either part."""
        return ComplexArray(function(self.real), function(self.imag))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method == "reduce" and ufunc is np.add:
            return self.sum(kwargs.get("axis", 0), kwargs.get("keepdims", False))
        if method != "__call__" or ufunc not in UFUNCS or kwargs.get("out") is not None:
            raise NotUnderstood(f"{named(ufunc, method)} of complex numbers")
        with np.errstate(all="ignore"):
            return UFUNCS[ufunc](*(self.lifted(self.kind, one) for one in inputs))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        generic = self.kind.generic
        with np.errstate(all="ignore"):
            if func in FUNCTIONS:
                return FUNCTIONS[func](self, *args[1:], **kwargs)
            if getattr(func, "__module__", "") == "numpy.fft" and func in generic:
                return generic[func](self.kind, *args, **kwargs)
        raise NotUnderstood(f"{named(func)} of complex numbers")


def is_complex(one: Any) -> bool:
    """Whether it is a complex number or an array of them."""
    return isinstance(one, (ComplexArray, complex)) or getattr(getattr(one, "dtype", None), "kind", "") == "c"


def _times(x: ComplexArray, y: ComplexArray) -> ComplexArray:
    return ComplexArray(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)


def _over(x: ComplexArray, y: ComplexArray) -> ComplexArray:
    size = y.real * y.real + y.imag * y.imag
    return _times(x, y.conj()).each(lambda part: part / size)


def _product(x: ComplexArray, y: ComplexArray) -> ComplexArray:
    return ComplexArray(x.real @ y.real - x.imag @ y.imag, x.real @ y.imag + x.imag @ y.real)


def _modulus(z: ComplexArray) -> Any:
    """The larger of its relative errors is that of the two squares and a root, which a scaled one has too."""
    if not issubclass(z.kind, Rounded):
        moduli = np.frompyfunc(lambda a, b: abs(acb(a, b)), 2, 1)
        return z.kind.gather(np.asarray(moduli(z.real.items, z.imag.items), dtype=object))
    x, y = z.real, z.imag
    value = np.hypot(x.value, y.value)
    draws = None
    if x.draws is not None or y.draws is not None:
        one, other = x._drawn(), y._drawn()
        after = np.hypot(x.value + one, y.value + other)
        change = one * (2.0 * x.value + one) + other * (2.0 * y.value + other)
        total = after + value
        draws = np.divide(change, total, out=np.zeros_like(change), where=total > 0)
    own = 4.0 * x.unit * value
    return x._made(value, np.hypot(x.worst, y.worst), draws, own, own / 2.0)


UFUNCS: Mapping[np.ufunc, Callable[..., Any]] = {
    np.add: lambda x, y: ComplexArray(x.real + y.real, x.imag + y.imag),
    np.subtract: lambda x, y: ComplexArray(x.real - y.real, x.imag - y.imag),
    np.multiply: _times,
    np.divide: _over,
    np.matmul: _product,
    np.negative: lambda x: x.each(lambda part: -part),
    np.positive: lambda x: x,
    np.square: lambda x: _times(x, x),
    np.conjugate: lambda x: x.conj(),
    np.absolute: _modulus,
}

FUNCTIONS: Mapping[Any, Callable[..., Any]] = {
    np.real: lambda z: z.real,
    np.imag: lambda z: z.imag,
    np.angle: lambda z, deg=False: np.arctan2(z.imag, z.real) if not deg else _degrees(z),
    np.sum: lambda z, *args, **kwargs: z.sum(*args, **kwargs),
    np.mean: lambda z, *args, **kwargs: z.mean(*args, **kwargs),
    np.iscomplexobj: lambda z: True,
    np.isrealobj: lambda z: False,
    np.shape: lambda z: z.shape,
    np.ndim: lambda z: z.ndim,
    np.size: lambda z, axis=None: z.size if axis is None else z.shape[axis],
    **{
        function: (lambda f: lambda z, *args, **kwargs: z.each(lambda part: f(part, *args, **kwargs)))(
            function
        )
        for function in (np.reshape, np.ravel, np.transpose, np.swapaxes, np.moveaxis, np.roll, np.flip)
    },
}


def _degrees(_: ComplexArray) -> Any:
    raise NotUnderstood("numpy.angle(deg=True)")
