"""Complex arrays as two real ones, in every arithmetic of the oracle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from flint import acb

from harness.oracle.arguments import called
from harness.oracle.in_place import InPlace
from harness.oracle.oracle_array import OracleArray
from harness.oracle.rounding import Rounded
from harness.oracle.selecting import named
from harness.oracle.unknown import NotUnderstood


class ComplexArray(InPlace):
    """A real and an imaginary part, of one shape.

    Parameters
    ----------
    real, imag : OracleArray
        Two arrays in the same arithmetic.
    """

    def __init__(self, real: Any, imag: Any) -> None:
        self._real, self._imag = real, imag

    @property
    def real(self) -> Any:
        """The real part, which shares its memory."""
        return self._real

    @real.setter
    def real(self, value: Any) -> None:
        self._real[...] = value

    @property
    def imag(self) -> Any:
        """The imaginary part, which shares its memory."""
        return self._imag

    @imag.setter
    def imag(self, value: Any) -> None:
        self._imag[...] = value

    @property
    def dtype(self) -> Any:
        """The complex dtype whose parts have the format of the arithmetic."""
        return np.result_type(self.kind.dtype, np.complex64)

    @classmethod
    def lifted(cls, kind: type[OracleArray], value: Any) -> ComplexArray:
        """Real or complex numbers, in an arithmetic."""
        if isinstance(value, ComplexArray):
            return value if value.kind is kind else value.by_part(kind.gather)
        if isinstance(value, OracleArray):
            return cls(kind.gather(value), kind.given(np.zeros(value.shape)))
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
        """The sizes of the axes."""
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
        return modulus(self)

    def __getitem__(self, key: Any) -> ComplexArray:
        return self.by_part(lambda part: part[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        z = self.lifted(self.kind, value)
        self._real[key], self._imag[key] = z.real, z.imag

    def _new(self, value: Any) -> ComplexArray:
        return self.lifted(self.kind, value)

    def __complex__(self) -> complex:
        raise NotUnderstood("complex")

    def astype(
        self, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: bool = True, copy: bool = True
    ) -> ComplexArray:
        """The array in a complex dtype."""
        if np.dtype(dtype).kind != "c":
            raise NotUnderstood(f"astype({np.dtype(dtype)}) of complex numbers")
        return self.by_part(lambda part: part.astype(self.kind.of(dtype).dtype, copy=copy))

    def reshape(self, *shape: Any) -> ComplexArray:
        """The same elements in another shape."""
        return self.by_part(lambda part: part.reshape(*shape))

    def ravel(self) -> ComplexArray:
        """All elements on one axis; a view where that can be."""
        return self.by_part(lambda part: part.ravel())

    def transpose(self, *axes: Any) -> ComplexArray:
        """The axes in another order."""
        return self.by_part(lambda part: part.transpose(*axes))

    def nearest(self) -> Any:
        """Plain complex numbers."""
        dtype = self.kind.dtype
        return self.real.nearest().astype(dtype) + dtype.type(1) * 1j * self.imag.nearest().astype(dtype)

    def spoiled(self, where: Any) -> ComplexArray:
        """The array with undecided elements at some places."""
        return self.by_part(lambda part: part.spoiled(where))

    def copy(self) -> ComplexArray:
        """A copy with its own memory."""
        return self.by_part(lambda part: part.copy())

    def sum(
        self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> ComplexArray:
        """The sum over some axes, in the precision of the parts."""
        _of_its_own(dtype, out, "sum")
        return self.by_part(lambda part: part.sum(axis=axis, keepdims=keepdims))

    def mean(
        self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> ComplexArray:
        """The mean over some axes, in the precision of the parts."""
        _of_its_own(dtype, out, "mean")
        return self.by_part(lambda part: part.mean(axis=axis, keepdims=keepdims))

    def conj(self) -> ComplexArray:
        """The conjugate."""
        return ComplexArray(self.real.copy(), -self.imag)

    conjugate = conj

    def by_part(self, function: Callable[[Any], Any]) -> ComplexArray:
        """The array whose parts are a function's values at the real and the imaginary part."""
        return ComplexArray(function(self.real), function(self.imag))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        from harness.oracle.complex_functions import UFUNCS as OTHERS

        what = f"{named(ufunc, method)} of complex numbers"
        if method == "reduce" and ufunc is np.add:
            return called(ComplexArray.sum, (self,), ufunc, (), {"axis": 0} | kwargs, what)
        function = UFUNCS.get(ufunc) or OTHERS.get(ufunc)
        if method != "__call__" or function is None:
            raise NotUnderstood(what)
        with np.errstate(all="ignore"):
            kind = self.kind.promoted(inputs)
            given = tuple(self.lifted(kind, input_) for input_ in inputs)
            return called(function, (), ufunc, given, kwargs, what)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        from harness.oracle.complex_functions import FUNCTIONS as OTHERS

        generic = self.kind.generic
        with np.errstate(all="ignore"), self.kind.computing():
            if func in FUNCTIONS:
                return called(FUNCTIONS[func], (self,), func, args[1:], kwargs)
            if func in OTHERS:
                return called(OTHERS[func], (self,), func, args, kwargs)
            if getattr(func, "__module__", "") == "numpy.fft" and func in generic:
                return called(generic[func], (self.kind,), func, args, kwargs)
        raise NotUnderstood(f"{named(func)} of complex numbers")


def _of_its_own(dtype: Any, out: Any, name: str) -> None:
    """Refuse a reduction in another precision, or into an array."""
    if dtype is not None or out is not None:
        raise NotUnderstood(f"numpy.{name}({'out' if dtype is None else 'dtype'}=...) of complex numbers")


def is_complex(value: Any) -> bool:
    """Whether it is a complex number or an array of them."""
    return (
        isinstance(value, (ComplexArray, complex))
        or getattr(getattr(value, "dtype", None), "kind", "") == "c"
    )


def joined(function: Callable[[Any], Any], arrays: Any) -> ComplexArray:
    """Several arrays joined by a function that joins real arrays, such as `numpy.stack`."""
    return ComplexArray(*(function([getattr(array, side) for array in arrays]) for side in ("real", "imag")))


def _nothing(part: Any) -> bool:
    """Whether a part is a scalar that is exactly 0, as in a real or an imaginary number."""
    if part.ndim or (isinstance(part, Rounded) and part.worst.any()):
        return False
    return bool(part.nearest() == 0) and not part.doubtful().any()


def times(x: ComplexArray, y: ComplexArray) -> ComplexArray:
    """A product; a factor that is real or imaginary takes two products instead of four."""
    for z, w in ((x, y), (y, x)):
        if _nothing(w.imag):
            return ComplexArray(z.real * w.real, z.imag * w.real)
        if _nothing(w.real):
            return ComplexArray(-(z.imag * w.imag), z.real * w.imag)
    return ComplexArray(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)


def quotient(x: ComplexArray, y: ComplexArray) -> ComplexArray:
    """A quotient."""
    size = y.real * y.real + y.imag * y.imag
    return times(x, y.conj()).by_part(lambda part: part / size)


def matrix_product(x: ComplexArray, y: ComplexArray) -> ComplexArray:
    """A product of matrices: each part is one sum, in any order, of twice as many products."""
    rows = [np.concatenate(pair, axis=-1) for pair in ((x.real, -x.imag), (x.real, x.imag))]
    axis = max(y.ndim - 2, 0)
    columns = [np.concatenate(pair, axis=axis) for pair in ((y.real, y.imag), (y.imag, y.real))]
    return ComplexArray(rows[0] @ columns[0], rows[1] @ columns[1])


def modulus(z: ComplexArray) -> Any:
    """The modulus; its relative error is at most that of two squares, a sum and a root, scaled or not."""
    if not issubclass(z.kind, Rounded):
        moduli = np.frompyfunc(lambda a, b: abs(acb(a, b)), 2, 1)
        return z.kind.gather(np.asarray(moduli(z.real.items, z.imag.items), dtype=object))
    x, y = z.real, z.imag
    value = np.hypot(x.value, y.value)
    draws = None
    if x.draws is not None or y.draws is not None:
        off_x, off_y = x._drawn(), y._drawn()
        after = np.hypot(x.value + off_x, y.value + off_y)
        change = off_x * (2.0 * x.value + off_x) + off_y * (2.0 * y.value + off_y)
        total = after + value
        draws = np.divide(change, total, out=np.zeros_like(change), where=total > 0)
    roundoff = 4.0 * x.unit * value
    return x._made(value, np.hypot(x.worst, y.worst), draws, roundoff, roundoff / 2.0)


UFUNCS: Mapping[np.ufunc, Callable[..., Any]] = {
    np.add: lambda x, y: ComplexArray(x.real + y.real, x.imag + y.imag),
    np.subtract: lambda x, y: ComplexArray(x.real - y.real, x.imag - y.imag),
    np.multiply: times,
    np.divide: quotient,
    np.matmul: matrix_product,
    np.negative: lambda x: x.by_part(lambda part: -part),
    np.positive: lambda x: x.copy(),
    np.square: lambda x: times(x, x),
    np.conjugate: lambda x: x.conj(),
    np.absolute: modulus,
}

FUNCTIONS: Mapping[Any, Callable[..., Any]] = {
    np.real: lambda z: z.real,
    np.imag: lambda z: z.imag,
    np.sum: ComplexArray.sum,
    np.mean: ComplexArray.mean,
    np.iscomplexobj: lambda z: True,
    np.isrealobj: lambda z: False,
    np.shape: lambda z: z.shape,
    np.ndim: lambda z: z.ndim,
    np.size: lambda z, axis=None: z.size if axis is None else z.shape[axis],
}
