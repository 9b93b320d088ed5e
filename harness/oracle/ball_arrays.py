"""Arrays of balls that NumPy's functions can be called with."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb

from harness.oracle.registry import BALL_FUNCTIONS, BALL_REDUCING, BALL_UFUNCS

Array = npt.NDArray[Any]


class Balls(np.ndarray):
    """An ndarray of balls; what NumPy does with it is looked up in the registry first."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        plain = [_plain(one) for one in inputs]
        if ufunc in BALL_REDUCING and method == "reduce":
            axis, keepdims = kwargs.get("axis", 0), kwargs.get("keepdims", False)
            return _wrapped(BALL_REDUCING[ufunc](plain[0], axis=axis, keepdims=keepdims))
        if ufunc in BALL_UFUNCS and method == "__call__" and not kwargs:
            return _wrapped(BALL_UFUNCS[ufunc](*plain))
        if kwargs.get("out") is not None:
            kwargs["out"] = tuple(one.view(np.ndarray) for one in kwargs["out"])
        return _wrapped(getattr(ufunc, method)(*plain, **kwargs))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func in BALL_FUNCTIONS:
            return _wrapped(
                BALL_FUNCTIONS[func](*_plain(args), **{n: _plain(one) for n, one in kwargs.items()})
            )
        return super().__array_function__(func, types, args, kwargs)


def exact(array: Array) -> Balls:
    """Floating-point numbers as balls of radius 0."""
    balls = np.empty(array.shape, dtype=object)
    balls.reshape(-1)[:] = [arb(number) for number in array.ravel().tolist()]
    return balls.view(Balls)


def _plain(one: Any) -> Any:
    if isinstance(one, (list, tuple)):
        return type(one)(_plain(item) for item in one)
    return one.view(np.ndarray) if isinstance(one, Balls) else one


def _wrapped(result: Any) -> Any:
    if isinstance(result, (list, tuple)):
        return type(result)(_wrapped(item) for item in result)
    if isinstance(result, np.ndarray) and result.dtype == object:
        return result.view(Balls) if result.ndim else result[()]
    return result
