"""Comparisons of numbers with errors, decided where the difference exceeds the errors. NumPy alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from harness.oracle.draws import DRAWS, limit_of, probable_of
from harness.oracle.formats import FLOAT64
from harness.oracle.rounded_places import RoundedPlaces

Array = npt.NDArray[Any]


class RoundedBranches(RoundedPlaces):
    """Comparisons, choices and steps of arrays of `Rounded`."""

    def doubtful(self) -> Array:
        """Elements whose draws are NaN."""
        array: Array = np.isnan(self.probable())
        return array

    def spoiled(self, where: Array) -> Self:
        """The array with undecided elements at some places."""
        draws = np.where(where, np.nan, self._drawn())
        return type(self)(self.value, np.where(where, np.inf, self.worst), draws)

    def widened(self, worst: Any, spread: Any) -> Self:
        """The array with a further error: at most ``worst``, probably ``spread``."""
        made = self._made(self.value, self.worst, self.draws, worst, spread)
        return made.as_undecided(self.doubtful)

    def as_undecided(self, doubts: Callable[[], Array]) -> Self:
        """The array, with infinities and NaN undecided where their operands are (``doubts``)."""
        infinite = ~np.isfinite(self.value)
        if not infinite.any():
            return self
        undecided = infinite & doubts()
        return self.spoiled(undecided) if undecided.any() else self

    def lacking(self) -> Array:
        """Which elements are NaN whatever rounding does."""
        array: Array = np.isnan(self.value) & (self.worst == 0)
        return array

    def near_zero(self) -> Array:
        """Which elements may be zero in another computation, or are zero by rounding."""
        array: Array = (self.worst != 0) & ~(np.abs(self.value) > self.limit())
        return array

    def negative_zeros(self) -> Array:
        """Which elements are -0.0."""
        array: Array = (self.value == 0) & np.signbit(self.value)
        return array

    @classmethod
    def compare(cls, ufunc: np.ufunc, x: Any, y: Any) -> tuple[Array, Array]:
        """Truth values; decided where values differ by more than their errors, or are the same number."""
        value = np.asarray(ufunc(x.value, y.value))
        gap = np.abs(x.value - y.value)
        worst = np.asarray(x.worst + y.worst)
        if cls.form.bits == FLOAT64.bits:
            # The double that is written in a file is the same in every language.
            for side, other in ((x, y), (y, x)):
                worst = np.where(other.worst == 0, 0.0, worst) if side.is_written else worst
        finite = np.isfinite(x.value) & np.isfinite(y.value)
        doubtful = np.broadcast_to(_may_be_number(x) | _may_be_number(y), value.shape).copy()
        near = np.broadcast_to(finite & ~(gap > worst) & (worst != 0), value.shape)
        if near.any():
            left, right = (_elements_at(array, near) for array in (x, y))
            spread = probable_of(left - right, left.shape[1:])
            same = (gap := np.broadcast_to(gap, value.shape)[near]) == 0
            same &= (left == right).all(axis=0) & (left != 0).any(axis=0)
            limit = limit_of(np.broadcast_to(worst, value.shape)[near], spread)
            doubtful[near] = ~(gap > limit) & ~same
        return value, doubtful

    @classmethod
    def choose(cls, first: Array, unsure: Array, x: Any, y: Any, why: str = "") -> Self:
        """Elements of x or y; where undecided, the wider one if both agree within errors, else undecided."""
        shape = np.broadcast_shapes(np.shape(first), x.shape, y.shape)
        x, y = (side._viewed(lambda array: np.broadcast_to(array, shape)) for side in (x, y))
        unsure = np.broadcast_to(unsure, shape)
        first = np.broadcast_to(first, shape)
        value = np.where(first, x.value, y.value)
        gap = np.where(unsure & (x.value != y.value), np.abs(x.value - y.value), 0.0)
        limits = x.limit(), y.limit()
        meets = gap <= 2.0 * (limits[0] + limits[1])
        if not (meets | ~unsure).all():
            cls.branches.keep(why)
        wider = np.where(unsure, ~(y.probable() > x.probable()), first)
        draws = None
        if x.draws is not None or y.draws is not None:
            draws = np.where(wider, x._drawn(), y._drawn())
        worst = np.where(unsure, np.maximum(x.worst, y.worst) + gap, np.where(first, x.worst, y.worst))
        made = cls(value, worst, draws)
        if gap.any():
            made = made._made(value, worst, draws, 0.0, np.where(meets, gap, 0.0))
        return made if meets[unsure].all() else made.spoiled(unsure & ~meets)

    @classmethod
    def stepped(cls, x: Any, step: Callable[[Any], Any], what: str) -> Self:
        """A step function; exact where both ends of the error are on one step, else undecided."""
        limit = x.limit()
        low, high = cls.ends(x, step)
        made = cls.given(step(x.value))
        unsure = (limit > 0) & (low != high) | np.isnan(limit)
        if not unsure.any():
            return made
        cls.branches.note(what)
        return made.spoiled(unsure)

    @classmethod
    def ends(cls, x: Any, step: Callable[[Any], Any]) -> tuple[Array, Array]:
        """The steps at both ends of the error; NaN where the element is undecided."""
        limit = x.limit()
        # An error too small to change the sum can still change the step.
        low, high = (step(np.nextafter(x.value + end * limit, end * np.inf)) for end in (-1.0, 1.0))
        return np.asarray(low), np.asarray(high)

    @classmethod
    def first(cls, ufunc: np.ufunc, x: Any) -> Array:
        """The place of the extreme element along the last axis, by the values."""
        return np.asarray(np.argmax(x.value if ufunc is np.greater else -x.value, axis=-1))

    @classmethod
    def ratio(cls, x: Any, y: Any) -> Self:
        """A quotient; exact where both numbers are exact and the division leaves no remainder."""
        x, y = cls.gather(x), cls.gather(y)
        quotient: Any = x / y
        divides = (np.fmod(x.value, y.value) == 0) & (x.worst == 0) & (y.worst == 0)
        draws = None if quotient.draws is None else np.where(divides, 0.0, quotient.draws)
        return cls(quotient.value, np.where(divides, 0.0, quotient.worst), draws)

    @classmethod
    def less_product(cls, x: Any, whole: Any, y: Any) -> Self:
        """The remainder x - whole * y; exact for exact whole numbers."""
        x, whole, y = (cls.gather(operand) for operand in (x, whole, y))
        rest: Any = x - whole * y
        parts = [np.broadcast_to(operand.value, rest.shape) for operand in (x, whole, y)]
        exact = ((x.worst == 0) & (whole.worst == 0) & (y.worst == 0)) * np.ones(rest.shape, dtype=bool)
        exact &= np.all([(np.trunc(part) == part) & (np.abs(part) < 2.0**24) for part in parts], axis=0)
        draws = None if rest.draws is None else np.where(exact & ~np.isnan(rest.draws), 0.0, rest.draws)
        return cls(rest.value, np.where(exact, 0.0, rest.worst), draws)


def _may_be_number(x: Any) -> Array:
    """Which elements are NaN here, and may be numbers in another computation."""
    array: Array = np.isnan(x.value) & (x.worst > 0)
    return array


def _elements_at(x: Any, where: Array) -> Array:
    if x.draws is None:
        return np.zeros((DRAWS, int(where.sum())))
    drawn = x._carried(1.0, where.ndim)
    assert drawn is not None
    return np.broadcast_to(drawn, (DRAWS, *where.shape))[:, where]
