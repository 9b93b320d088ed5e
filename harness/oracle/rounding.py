"""Arrays that know what rounding may have done to them: the worst, and what is probable. NumPy alone.

Every operation adds its own rounding to what its operands carry: as a bound on its size (Higham, "Accuracy
and Stability of Numerical Algorithms", 2nd ed., 2002, chapters 3 and 4), and as draws of that size, the
sign at random, carried on by the derivative of all that follows. Draws keep what two errors have in common,
where a value is used twice. docs/tolerance.md has the derivation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from harness.oracle.conditions import Condition
from harness.oracle.draws import DRAWS
from harness.oracle.formats import FORMATS
from harness.oracle.rounded_branches import RoundedBranches
from harness.oracle.selecting import SELECTING, VIEWING, elements, named, of_one_shape
from harness.oracle.summation import sum_error
from harness.oracle.unknown import NotUnderstood

Array = npt.NDArray[Any]


class Rounded(RoundedBranches):
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

    ufuncs: ClassVar[Mapping[np.ufunc, Callable[..., Any]]]
    reducing: ClassVar[Mapping[np.ufunc, Callable[..., Any]]]
    functions: ClassVar[Mapping[Any, Callable[..., Any]]]

    @classmethod
    def within(cls, value: Array, error: Array) -> Rounded:
        """Numbers with an error."""
        return cls.given(0.0)._made(value, 0.0, None, error, error)

    @classmethod
    def angle(cls, y: Any, x: Any) -> Any:
        """As of any function, with what the operands carry."""
        return cls.ufuncs[np.arctan2](y, x)

    @classmethod
    def gather(cls, value: Any) -> Rounded:
        """Whatever a function of these arrays may return, as one of them."""
        if isinstance(value, Rounded):
            return value if type(value) is cls else value._to(cls)
        if type(value) in (float, int, np.float64):
            return cls._constant(float(value))
        if isinstance(value, Condition):
            return cls.gather(value.numbers())
        items = elements(value)
        if isinstance(items, np.ndarray):
            return cls(items)
        parts = [cls.gather(item) for item in items]
        of_one_shape(parts)
        made: Rounded = cls._select_from(np.stack, (parts,), {})
        return made

    @classmethod
    def members_of(cls, bits: int) -> dict[str, Any]:
        """How long a rounding is."""
        form = FORMATS[bits]
        return {
            "unit": 2.0**-bits,
            "tiny": form.tiny,
            "form": form,
            "dtype": form.dtype,
            "bits": bits,
            "written": {},
        }

    def _to(self, kind: type[Rounded]) -> Rounded:
        """The same elements in another precision, rounded where they may have too many digits."""
        if not self.of_one_run(kind):
            return self
        draws = None if self.draws is None else self.draws.copy()
        if kind.bits >= self.bits:
            return kind(self.value.copy(), self.worst.copy(), draws)
        sizes = np.abs(self.value)
        exact = (self.worst == 0) & kind.form.holds(self.value)
        roundoff = np.where(exact, 0.0, np.maximum(kind.unit * sizes, kind.tiny * (sizes < kind.form.least)))
        made = kind.given(0.0)._made(self.value, self.worst, draws, roundoff, roundoff)
        made = made.as_undecided(self.doubtful)
        plain = self.plain
        return made if plain is None else made.knowing(np.asarray(plain).astype(kind.dtype)[()])

    def sum(
        self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, **_: Any
    ) -> Any:
        """A sum in any order."""
        if dtype is not None or out is not None:
            return np.sum(cast(Any, self), axis=axis, dtype=dtype, out=out, keepdims=keepdims)
        moved, shape = self._reduced(axis, keepdims)
        # Each term may have been rounded once more: a factor can stand before the sum or behind it.
        roundoff, spread = sum_error(moved.value, self.unit)
        draws = None if moved.draws is None else moved.draws.sum(axis=-1)
        total, sizes = moved.value.sum(axis=-1), np.abs(moved.value).sum(axis=-1)
        # All terms of one sign: no partial sum is larger.
        reach = (sizes + np.abs(total)) / 2.0
        numbers = np.isfinite(moved.value).all(axis=-1)
        made = self._made(
            total, moved.worst.sum(axis=-1), draws, roundoff, spread, reach=reach, numbers=numbers
        )
        return made.as_undecided(lambda: np.asarray(moved.doubtful().any(axis=-1))).reshape(shape)

    def mean(
        self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, **_: Any
    ) -> Any:
        """A sum, and a division."""
        if dtype is not None or out is not None:
            return np.mean(cast(Any, self), axis=axis, dtype=dtype, out=out, keepdims=keepdims)
        total = self.sum(axis, keepdims=keepdims)
        mean: Rounded = total / (self.size // max(1, total.size))
        return mean

    def max(self, axis: Any = None, out: Any = None, keepdims: bool = False, **_: Any) -> Any:
        """The largest; where several may be, the worst error of any."""
        if out is not None:
            return np.max(cast(Any, self), axis=axis, out=out, keepdims=keepdims)
        return self._extreme(np.argmax, axis, keepdims)

    def min(self, axis: Any = None, out: Any = None, keepdims: bool = False, **_: Any) -> Any:
        """The smallest; where several may be, the worst error of any."""
        if out is not None:
            return np.min(cast(Any, self), axis=axis, out=out, keepdims=keepdims)
        return self._extreme(np.argmin, axis, keepdims)

    # What NumPy's functions do with it

    @classmethod
    def understands(cls, function: Any) -> bool:
        """Whether any table has it."""
        return any(function in table for table in (cls.ufuncs, cls.functions, cls.generic, SELECTING))

    def _operated(self, ufunc: np.ufunc, method: str, inputs: Any, kwargs: Mapping[str, Any]) -> Any:
        given = tuple(self._as(input_) for input_ in inputs)
        if method == "__call__" and ufunc in self.generic:
            return self.generic[ufunc](type(self), *given, **kwargs)
        if method == "reduce" and ufunc in self.reducing:
            axis, keepdims = kwargs.get("axis", 0), kwargs.get("keepdims", False)
            result = self.reducing[ufunc](given[0], axis=axis, keepdims=keepdims)
            initial = kwargs.get("initial")
            return result if initial is None else ufunc(result, initial)
        if method != "__call__" or ufunc not in self.ufuncs:
            raise NotUnderstood(named(ufunc, method))
        return self.ufuncs[ufunc](*given, **kwargs)

    def _called(self, func: Any, args: Any, kwargs: Mapping[str, Any]) -> Any:
        with np.errstate(all="ignore"):
            if func in self.generic:
                return self.generic[func](type(self), *args, **kwargs)
            if func in VIEWING and args and isinstance(args[0], Rounded):
                return args[0]._viewed(lambda array: func(array, *args[1:], **kwargs))
            if func in self.functions:
                return self.functions[func](self, *args, **kwargs)
            if func in SELECTING:
                return self._select_from(func, args, kwargs)
        raise NotUnderstood(named(func))

    # Inside

    def _as(self, other: Any) -> Rounded:
        return type(self).gather(other)

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
        stay = tuple(k for k in range(self.ndim) if k not in gone)
        sizes = tuple(self.shape[k] for k in stay)
        length = int(np.prod([self.shape[k] for k in gone], dtype=int))
        shape = tuple(1 if k in gone else n for k, n in enumerate(self.shape)) if keepdims else sizes
        return self.transpose(*stay, *gone).reshape(*sizes, length), shape

    def _extreme(self, find: Callable[..., Array], axis: Any, keepdims: bool) -> Rounded:
        moved, shape = self._reduced(axis, keepdims)
        at = find(moved.value, axis=-1)[..., None]
        chosen = moved._select(lambda places: np.take_along_axis(places, at, axis=-1)[..., 0])
        # Infinity is what it is, and no number that is near to it.
        worst = np.where(np.isinf(chosen.value), 0.0, moved.worst.max(axis=-1))
        made = type(self)(chosen.value, worst, chosen.draws)
        if moved.draws is not None and (unsure := np.asarray(moved.doubtful().any(axis=-1))).any():
            made = made.spoiled(unsure)
        return made.reshape(shape)
