"""Arrays that carry their rounding errors: a bound of the worst error, and draws of the probable one.

Every operation adds its own rounding error to the errors of its operands: as a bound (Higham, "Accuracy and
Stability of Numerical Algorithms", 2nd ed., 2002, chapters 3 and 4), and as draws of that size with random
signs, which later operations multiply by their derivatives. Draws keep errors correlated where a value is
used twice. docs/tolerance.md has the derivation. This module needs NumPy alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from harness.oracle.arguments import called
from harness.oracle.conditions import Condition
from harness.oracle.draws import DRAWS
from harness.oracle.formats import FORMATS
from harness.oracle.known import doubles
from harness.oracle.masked import reduced
from harness.oracle.rounded_branches import RoundedBranches
from harness.oracle.selecting import SELECTING, VIEWING, elements, named, of_one_shape
from harness.oracle.summation import sum_error
from harness.oracle.unknown import NotUnderstood

Array = npt.NDArray[Any]


class Rounded(RoundedBranches):
    """An array of float64 with the worst error of each element, and draws of its probable error.

    `registry.arithmetic` makes the class, with its unit roundoff and its operations; ``type(array)(number)``
    makes a constant. An element whose draws are NaN is undecided.

    Parameters
    ----------
    value : array_like
        Numbers. A number that float32, or a shorter format of these arrays, cannot represent may have been
        rounded when it was written.
    worst : ndarray, optional
        A bound on the error of each element, in the shape of ``value``.
    draws : ndarray, optional
        `DRAWS` errors of each element, along a first axis of that length; None without errors.
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
        """The angle of a point, with the errors of its coordinates."""
        return cls.ufuncs[np.arctan2](y, x)

    @classmethod
    def gather(cls, value: Any) -> Rounded:
        """What a function of these arrays returned, as an array with errors."""
        if isinstance(value, Rounded):
            return value if type(value) is cls else value._to(cls)
        if type(value) in (float, int, np.float64):
            return cls._constant(float(value))
        if isinstance(value, Condition):
            return cls.gather(value.numbers())
        items = elements(value)
        if isinstance(items, np.ndarray):
            return cls(items) if doubles(value) is None else cls(items).as_written()
        parts = [cls.gather(item) for item in items]
        of_one_shape(parts)
        made: Rounded = cls._select_from(np.stack, (parts,), {})
        plain = doubles(value)
        return made if plain is None else made.standing(np.array(plain, dtype=np.float64)).as_written()

    @classmethod
    def members_of(cls, bits: int) -> dict[str, Any]:
        """The attributes of a precision, such as its unit roundoff."""
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
        """The same elements in another precision, rounded where it cannot represent them."""
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

    def _sum(self, axis: Any = None, keepdims: bool = False) -> Any:
        """The sum over some axes, added in any order."""
        moved, shape = self._reduced(axis, keepdims)
        # Each term may have been rounded once more: a factor may be applied before the sum or after it.
        roundoff, spread = sum_error(moved.value, self.unit)
        draws = None if moved.draws is None else moved.draws.sum(axis=-1)
        total, sizes = moved.value.sum(axis=-1), np.abs(moved.value).sum(axis=-1)
        # The sum of all terms of one sign bounds every partial sum.
        reach = (sizes + np.abs(total)) / 2.0
        numbers = np.isfinite(moved.value).all(axis=-1)
        made = self._made(
            total, moved.worst.sum(axis=-1), draws, roundoff, spread, reach=reach, numbers=numbers
        )
        lacks = moved.lacking().any(axis=-1)
        return made.as_undecided(lambda: np.asarray(moved.doubtful().any(axis=-1) & ~lacks)).reshape(shape)

    def _mean(self, axis: Any = None, keepdims: bool = False) -> Any:
        """The mean over some axes."""
        total = self._sum(axis, keepdims=keepdims)
        mean: Rounded = total / (self.size // max(1, total.size))
        return mean

    def _max(self, axis: Any = None, keepdims: bool = False) -> Any:
        """The largest element along some axes, with the worst error of all."""
        return self._extreme(np.argmax, axis, keepdims)

    def _min(self, axis: Any = None, keepdims: bool = False) -> Any:
        """The smallest element along some axes, with the worst error of all."""
        return self._extreme(np.argmin, axis, keepdims)

    # NumPy's functions

    @classmethod
    def understands(cls, function: Any) -> bool:
        """Whether a table has an operation for the function."""
        return any(function in table for table in (cls.ufuncs, cls.functions, cls.generic, SELECTING))

    def _operated(self, ufunc: np.ufunc, method: str, inputs: Any, kwargs: Mapping[str, Any]) -> Any:
        given = tuple(self._as(input_) for input_ in inputs)
        if method == "__call__" and ufunc in self.generic:
            return called(self.generic[ufunc], (type(self),), ufunc, given, kwargs)
        if method == "reduce" and ufunc in self.reducing:
            how = {"axis": 0, "keepdims": False, **kwargs}
            first = (ufunc, self.reducing[ufunc])
            return called(reduced, first, ufunc, given, how, named(ufunc, method))
        if method != "__call__" or ufunc not in self.ufuncs:
            raise NotUnderstood(named(ufunc, method))
        return called(self.ufuncs[ufunc], (), ufunc, given, kwargs)

    def _called(self, func: Any, args: Any, kwargs: Mapping[str, Any]) -> Any:
        with np.errstate(all="ignore"):
            if func in self.generic:
                return called(self.generic[func], (type(self),), func, args, kwargs)
            if func in VIEWING and args and isinstance(args[0], Rounded):
                return args[0]._viewed(lambda array: func(array, *args[1:], **kwargs))
            if func in self.functions:
                return called(self.functions[func], (self,), func, args, kwargs)
            if func in SELECTING:
                return self._select_from(func, args, kwargs)
        raise NotUnderstood(named(func))

    # Inside

    def _as(self, other: Any) -> Rounded:
        return type(self).gather(other)

    def _carried(self, factor: Any, ndim: int) -> Array | None:
        """The draws times a factor, with as many axes as the result."""
        if self.draws is None:
            return None
        padding = (1,) * (ndim - self.ndim)
        carried: Array = self.draws.reshape(DRAWS, *padding, *self.shape) * factor
        return carried

    def _reduced(self, axis: Any, keepdims: bool) -> tuple[Rounded, tuple[int, ...]]:
        """The array with the reduced axes as one last axis, and the shape of the result."""
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
        # An infinity is exact: no other number is near to it.
        worst = np.where(np.isinf(chosen.value), 0.0, moved.worst.max(axis=-1))
        made = type(self)(chosen.value, worst, chosen.draws)
        if moved.draws is not None and (unsure := np.asarray(moved.doubtful().any(axis=-1))).any():
            made = made.spoiled(unsure)
        return made.reshape(shape)
