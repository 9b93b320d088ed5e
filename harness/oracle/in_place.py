"""Operators that change an array in place, in terms of assignment."""

from __future__ import annotations

from typing import Any, Self

from harness.oracle.array_like import ArrayLike


class InPlace(ArrayLike):
    """An array without axes is replaced by the result, as a NumPy scalar is; other arrays change."""

    def _in_place(self, value: Any) -> Self:
        if not self.ndim:
            return self._new(value)
        self[...] = value
        return self

    def _new(self, value: Any) -> Self:
        raise NotImplementedError

    def __setitem__(self, key: Any, value: Any) -> None:
        raise NotImplementedError

    def __iadd__(self, other: Any) -> Self:
        return self._in_place(self + other)

    def __isub__(self, other: Any) -> Self:
        return self._in_place(self - other)

    def __imul__(self, other: Any) -> Self:
        return self._in_place(self * other)

    def __itruediv__(self, other: Any) -> Self:
        return self._in_place(self / other)

    def __ipow__(self, other: Any) -> Self:
        return self._in_place(self**other)

    def __imod__(self, other: Any) -> Self:
        return self._in_place(self % other)

    def __ifloordiv__(self, other: Any) -> Self:
        return self._in_place(self // other)

    def __imatmul__(self, other: Any) -> Self:
        return self._in_place(self @ other)
