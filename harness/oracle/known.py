"""Constants of a reference beside their true values: the numbers that it has itself, by which it decides."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from harness.oracle.one_number import OneNumber
from harness.oracle.unknown import NotUnderstood

MOST = 20_000
"""Operations on constants that are followed in one evaluation: up to half a millisecond each."""

DECIDING = frozenset(
    {
        *(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal, np.signbit, np.sign),
        *(np.floor, np.ceil, np.trunc, np.rint, np.floor_divide),
        *(np.logical_and, np.logical_or, np.logical_not, np.logical_xor),
    }
)
"""Of constants alone, what the reference's numbers decide."""


class Known(OneNumber):
    """An array that may be computed from constants alone."""

    widest: ClassVar[Any] = None
    """The class of the run's own precision, where this is one of a lower precision."""

    followed: ClassVar[int] = 0
    """Operations on constants so far."""

    _known: tuple[Any, list[bool]] | None = None
    """See `plain`; and whether it still holds, which views of one array share."""

    @property
    def plain(self) -> Any:
        """Of what is computed from constants alone, the numbers that the reference has; None of all else.

        Decisions are taken by them: a right implementation of the same steps takes the same ones.
        """
        return self._known[0] if self._known is not None and self._known[1][0] else None

    def knowing(self, plain: Any) -> Self:
        """The same array, a result of which these are the reference's numbers.

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
        """The same array, of numbers that stand in the file."""
        self._known = plain, [True]
        return self

    def _changes(self) -> None:
        """Something is put into it, or into what it is a view of."""
        if self._known is not None:
            self._known[1][0] = False

    def __int__(self) -> int:
        return int(super().__int__() if self.plain is None else self.plain)

    def __hash__(self) -> int:
        return super().__hash__() if self.plain is None or self.ndim else hash(self.plain)


def plainly(ufunc: np.ufunc, inputs: Any) -> Any:
    """What the reference computes of constants; None where anything else is among them."""
    plain = [input_.plain if isinstance(input_, Known) else input_ for input_ in inputs]
    if any(not isinstance(operand, (int, float, np.number, np.ndarray)) for operand in plain):
        return None
    return ufunc(*plain)
