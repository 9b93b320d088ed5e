"""Constants of a reference: the plain numbers that it has, kept beside the true values for decisions."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from harness.oracle.one_number import OneNumber
from harness.oracle.unknown import NotUnderstood

MOST = 20_000
"""Largest number of operations on constants in one evaluation: up to half a millisecond each."""

DECIDING = frozenset(
    {
        *(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal, np.signbit, np.sign),
        *(np.floor, np.ceil, np.trunc, np.rint, np.floor_divide),
        *(np.logical_and, np.logical_or, np.logical_not, np.logical_xor),
    }
)
"""Ufuncs that use the reference's numbers where all operands are constants."""


class Known(OneNumber):
    """An array that may be computed from constants alone."""

    widest: ClassVar[Any] = None
    """The class of the run's precision, if this class has a lower one."""

    followed: ClassVar[int] = 0
    """Operations on constants so far."""

    every_quotient: ClassVar[bool] = False
    """Whether a quotient of integers may be off by some roundings, also one that happens to be exact."""

    _known: tuple[Any, list[bool]] | None = None
    """The value of `plain`, and a flag, shared by all views of an array, whether it is still valid."""

    _written: list[bool] | None = None
    """A flag, shared by all views of an array, whether `is_written` holds still."""

    @property
    def is_written(self) -> bool:
        """Whether its elements are numbers of the file, or quotients of short ones: one double everywhere."""
        return self._written is not None and self._written[0]

    def as_written(self) -> Self:
        """The same array, marked as `is_written`."""
        self._written = [True]
        return self

    @property
    def plain(self) -> Any:
        """The reference's numbers, if the array is computed from constants alone; else None.

        Comparisons use them: a correct implementation of the same steps decides in the same way.
        """
        return self._known[0] if self._known is not None and self._known[1][0] else None

    def knowing(self, plain: Any) -> Self:
        """The same array with these as the reference's numbers, which an operation computed.

        Raises
        ------
        NotUnderstood
            After too many operations.
        """
        if plain is None:
            return self
        cls = self.widest or type(self)
        cls.followed += 1
        if cls.followed > MOST:
            raise NotUnderstood(f"more than {MOST:,} operations on constants")
        return self.standing(plain)

    def standing(self, plain: Any) -> Self:
        """The same array with these as the reference's numbers, which stand in its file."""
        self._known = plain, [True]
        return self

    def _changes(self) -> None:
        """Forget the reference's numbers, because an element of the array or of its base is assigned."""
        for flag in (None if self._known is None else self._known[1], self._written):
            if flag is not None:
                flag[0] = False

    def __int__(self) -> int:
        return int(super().__int__() if self.plain is None else self.plain)

    def __hash__(self) -> int:
        return super().__hash__() if self.plain is None or self.ndim else hash(self.plain)


def doubles(value: Any) -> Any:
    """Nested lists of numbers that are written, as plain numbers; None where another thing is among them."""
    if type(value) in (int, float):
        return value
    if isinstance(value, Known):
        return value.plain if value.is_written else None
    if not isinstance(value, (list, tuple)) or not value:
        return None
    items = [doubles(item) for item in value]
    return None if any(item is None for item in items) else items


def plainly(ufunc: np.ufunc, inputs: Any) -> Any:
    """The reference's result of a ufunc; None where an operand is not a constant."""
    plain = [input_.plain if isinstance(input_, Known) else input_ for input_ in inputs]
    if any(not isinstance(operand, (int, float, np.number, np.ndarray)) for operand in plain):
        return None
    return ufunc(*plain)
