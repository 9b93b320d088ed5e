"""Functions that create arrays or call a function for every element, as the reference's file sees them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import numpy as np

from harness.oracle.array_like import ArrayLike
from harness.oracle.complex_arrays import ComplexArray, is_complex
from harness.oracle.complex_functions import gathered
from harness.oracle.conditions import Condition
from harness.oracle.known import doubles
from harness.oracle.oracle_array import OracleArray
from harness.oracle.polynomials import vander
from harness.oracle.rounding import Rounded
from harness.oracle.unknown import NotUnderstood

Kind = type[OracleArray]


def holds(value: Any) -> bool:
    """Whether nested arguments contain an array of the oracle."""
    if isinstance(value, (ArrayLike, Condition)):
        return True
    if isinstance(value, (list, tuple)):
        return any(holds(item) for item in value)
    return isinstance(value, dict) and any(holds(item) for item in value.values())


def made(kind: Kind, result: Any) -> Any:
    """A created array as an array of the oracle, if it is of floating-point numbers."""
    if isinstance(result, np.ndarray) and result.dtype.kind == "f":
        return kind.of(result.dtype).gather(result).copy()
    if isinstance(result, np.ndarray) and result.dtype.kind == "c":
        return gathered(kind.of(result.dtype), result)
    return result


def _as_written(array: Any, value: Any) -> Any:
    """A created array, marked if it was created from numbers of the file."""
    plain = doubles(value)
    if plain is not None and isinstance(array, OracleArray):
        if holds(value):
            # A quotient is known to more digits than the double that it is everywhere.
            array.standing(np.array(plain, dtype=np.float64).reshape(array.shape))
        array.as_written()
    return array


def has_complex(value: Any) -> bool:
    """Whether nested lists contain a complex number."""
    if isinstance(value, (list, tuple)):
        return any(has_complex(item) for item in value)
    return is_complex(value)


def _created(kind: Kind, real: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    kwargs.pop("like", None)
    return made(kind, real(*args, **kwargs))


def _full(kind: Kind, real: Any, shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    if not holds(fill_value):
        return made(kind, real(shape, fill_value, dtype))
    if dtype is not None and np.dtype(dtype).kind not in "f":
        raise NotUnderstood(f"numpy.full(dtype={np.dtype(dtype)}) of a computed number")
    wide = kind.promoted((fill_value,)) if dtype is None else kind.of(dtype)
    array = wide.gather(np.zeros(shape)).copy()
    array[...] = fill_value
    return array


def _fromiter(kind: Kind, real: Any, iter: Any, dtype: Any, count: int = -1) -> Any:
    values = list(iter if count < 0 else itertools.islice(iter, count))
    return _array(kind, np.array, values, dtype) if holds(values) else made(kind, real(values, dtype))


def _array(kind: Kind, real: Any, object: Any, dtype: Any = None, *, copy: Any = True, ndmin: int = 0) -> Any:
    value = object
    if not holds(value):
        return _as_written(made(kind, real(value, dtype, ndmin=ndmin)), value)
    if isinstance(value, Condition):
        return value.copy() if dtype is None else value.astype(dtype)
    if has_complex(value) or (dtype is not None and np.dtype(dtype).kind == "c"):
        kind = kind.promoted((value,)) if dtype is None else kind.of(dtype)
        return value if isinstance(value, ComplexArray) and not copy and not ndmin else gathered(kind, value)
    array: Any = kind.collect(value)
    cast = dtype is not None and (
        np.dtype(dtype).kind not in "fO"
        or array.of(dtype) is not type(array)
        or np.dtype(dtype) != array.dtype
    )
    array = (
        array.astype(dtype) if cast else array.copy() if copy or not isinstance(value, OracleArray) else array
    )
    if ndmin:
        array = array.reshape((1,) * max(0, ndmin - np.ndim(array)) + np.shape(array))
    return _as_written(array, value)


def _asarray(kind: Kind, real: Any, a: Any, dtype: Any = None, order: Any = None, *, copy: Any = None) -> Any:
    if not holds(a):
        if isinstance(a, np.ndarray) and a.dtype.kind != "f" and dtype is None and not copy:
            return a
        return _as_written(made(kind, real(a, dtype)), a)
    return _array(kind, real, a, dtype, copy=bool(copy))


def _contiguous(kind: Kind, real: Any, a: Any, dtype: Any = None) -> Any:
    return _asarray(kind, real, a, dtype)


def _require(kind: Kind, real: Any, a: Any, dtype: Any = None, requirements: Any = None) -> Any:
    return _asarray(kind, real, a, dtype)


def _arange(kind: Kind, real: Any, start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Any:
    """Equal steps; NumPy adds multiples of the difference between the first two numbers, both rounded."""
    given = [start] if stop is None and step is None else [start, stop, 1 if step is None else step]
    plain = [_nearest(arg) if isinstance(arg, OracleArray) else arg for arg in given]
    whole = real(*plain, dtype=dtype)
    if whole.dtype.kind != "f":
        return whole
    kind = kind.of(whole.dtype)
    first, by = (kind.gather(arg) for arg in ((start, given[2]) if len(given) > 1 else (0, 1)))
    if isinstance(by, Rounded):
        # NumPy adds the first two in the precision of its operands, whatever that of the range is.
        lost = np.asarray(_lost_step(cast(Rounded, first), by, cast(Any, kind.promoted(given))))
        by = by.widened(lost, lost)
    return first + kind.gather(np.arange(len(whole), dtype=np.float64)) * by


def _lost_step(first: Rounded, by: Rounded, narrow: type[Rounded]) -> float:
    """How far the difference between the first two numbers of a range may be from the step."""
    begin, step, number = float(first.value), float(by.value), narrow.dtype.type
    if not first.worst.any() and not by.worst.any():
        return abs(float(number(number(begin + step) - number(begin))) - step)
    return narrow.unit * (abs(begin + step) + abs(step))


def _nearest(number: OracleArray) -> float:
    return float(number.nearest() if number.plain is None else number.plain)


def _linspace(
    kind: Kind,
    real: Any,
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    if dtype is not None and np.dtype(dtype).kind != "f":
        return real(start, stop, num, endpoint, retstep, dtype, axis)
    count = int(num)
    start, stop = kind.gather(start), kind.gather(stop)
    step = (stop - start) / max(1, count - 1 if endpoint else count)
    places = kind.gather(np.arange(count, dtype=np.float64))
    array = start + places.reshape(-1, *(1,) * max(start.ndim, stop.ndim)) * step
    if endpoint and count > 1:
        array[-1] = stop
    array = array if dtype is None else kind.of(dtype).gather(array)
    moved: Any = np.moveaxis(array, 0, axis) if axis else array  # type: ignore[type-var]
    return (moved, step) if retstep else moved


def _vectorize(kind: Kind, real: Any, pyfunc: Callable[..., Any], otypes: Any = None) -> Any:
    if otypes is not None and any(np.dtype(dtype) != kind.dtype for dtype in otypes):
        raise NotUnderstood("numpy.vectorize(otypes=...) of another type")
    function = pyfunc

    def call(*args: Any) -> Any:
        if not holds(args):
            return real(function)(*args)
        arrays = [arg if isinstance(arg, (OracleArray, np.ndarray)) else np.asarray(arg) for arg in args]
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
        flat = [np.broadcast_to(array, shape).reshape(-1) for array in arrays]
        results = [function(*row) for row in zip(*flat, strict=True)]
        if results and isinstance(results[0], tuple):
            return tuple(kind.collect(list(output)).reshape(shape) for output in zip(*results, strict=True))
        whole = kind.collect(results) if holds(results) else made(kind, np.asarray(results))
        return whole.reshape(shape)

    return call


def _apply_along_axis(
    kind: Kind, real: Any, func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any
) -> Any:
    function, array = func1d, arr
    if not holds(array):
        return real(function, axis, array, *args, **kwargs)
    given: Any = kind.collect(array)
    moved: Any = np.moveaxis(given, axis, -1)
    shape = moved.shape[:-1]
    results = [function(row, *args, **kwargs) for row in moved.reshape(-1, moved.shape[-1])]
    whole: Any = kind.collect(results) if holds(results) else np.asarray(results)
    inner = whole.shape[1:]
    whole = whole.reshape(*shape, *inner)
    return np.moveaxis(whole, tuple(range(len(shape), whole.ndim)), _places(axis, len(shape) + 1, len(inner)))


def _places(axis: int, ndim: int, inner: int) -> tuple[int, ...]:
    return tuple(axis % ndim + n for n in range(inner))


def _select(kind: Kind, real: Any, condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    conditions, choices = condlist, choicelist
    if not holds((conditions, choices, default)):
        return made(kind, real(conditions, choices, default))
    array = default
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        array = kind.generic[np.where](kind, condition, choice, array)
    return array


def _piecewise(kind: Kind, real: Any, x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    values = [function(x, *args, **kw) if callable(function) else function for function in funclist]
    rest = values.pop() if len(values) > len(condlist) else 0.0
    return _select(kind, np.select, condlist, values, rest)


def _isscalar(kind: Kind, real: Any, element: Any) -> bool:
    return element.ndim == 0 if isinstance(element, OracleArray) else bool(real(element))


def _result_type(kind: Kind, real: Any, *args: Any) -> Any:
    return real(*(arg.dtype if isinstance(arg, (OracleArray, Condition)) else arg for arg in args))


def _ndenumerate(kind: Kind, real: Any, arr: Any) -> Iterator[Any]:
    return ((at, arr[at]) for at in np.ndindex(*np.shape(arr)))


class _Joined:
    """np.c_ and np.r_ of arrays."""

    def __init__(self, kind: Kind, real: Any) -> None:
        self.kind, self.real = kind, real

    def __getitem__(self, key: Any) -> Any:
        if not holds(key):
            return made(self.kind, self.real[key])
        arrays: list[Any] = [self.kind.collect(item) for item in (key if isinstance(key, tuple) else (key,))]
        arrays = [np.atleast_1d(array) for array in arrays]
        if self.real is np.c_:
            return np.column_stack(arrays) if arrays[0].ndim == 1 else np.concatenate(arrays, axis=-1)
        return np.concatenate(arrays, axis=0)


CREATING: Mapping[str, Callable[..., Any]] = {
    **{
        f"numpy.{name}": _created
        for name in (
            *("zeros", "ones", "empty", "eye", "identity", "tri", "frombuffer", "fromstring"),
            *("loadtxt", "genfromtxt", "load", "fromfile", "hanning", "hamming", "blackman"),
        )
    },
    "numpy.full": _full,
    "numpy.fromiter": _fromiter,
    "numpy.vander": lambda kind, real, x, N=None, increasing=False: vander(kind, x, N, increasing),
    "numpy.array": _array,
    "numpy.asarray": _asarray,
    "numpy.asanyarray": _asarray,
    "numpy.ascontiguousarray": _contiguous,
    "numpy.asfortranarray": _contiguous,
    "numpy.asarray_chkfinite": _asarray,
    "numpy.require": _require,
    "numpy.arange": _arange,
    "numpy.linspace": _linspace,
    "numpy.vectorize": _vectorize,
    "numpy.apply_along_axis": _apply_along_axis,
    "numpy.select": _select,
    "numpy.piecewise": _piecewise,
    "numpy.isscalar": _isscalar,
    "numpy.result_type": _result_type,
    "numpy.ndenumerate": _ndenumerate,
    "numpy.c_": _Joined,
    "numpy.r_": _Joined,
}
