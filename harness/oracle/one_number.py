"""Conversions of an array of one element to a truth value, an integer or text."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from harness.oracle.in_place import InPlace
from harness.oracle.unknown import Branches, Converted, Undecided

Array = npt.NDArray[Any]


class OneNumber(InPlace):
    """Conversions return a decided value or raise `Undecided`; those that lose digits raise `Converted`."""

    branches: ClassVar[Branches]

    @abstractmethod
    def nearest(self) -> Array:
        """The nearest float64 of every element."""

    @abstractmethod
    def astype(
        self, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        """The array in another format."""

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __int__(self) -> int:
        whole = self.astype(np.int64)
        if isinstance(whole, OneNumber):
            raise Undecided(self.branches.note("a cast to integers"))
        return int(whole.item())

    def __format__(self, how: str) -> str:
        from harness.oracle.texts import written

        return repr(self) if self.ndim else written(lambda number: format(number, how), self)

    def __str__(self) -> str:
        from harness.oracle.texts import written

        return repr(self) if self.ndim else written(str, self)

    def __index__(self) -> int:
        return self.__int__()

    def __float__(self) -> float:
        raise Converted("a plain float")

    def __complex__(self) -> complex:
        raise Converted("a plain complex number")

    def __hash__(self) -> int:
        # A set or dictionary would compare it by its place in memory, and not by its value.
        raise Converted("a key of a set or a dictionary")

    def __round__(self, digits: int | None = None) -> Any:
        rounded: Any = np.round(cast(Any, self), digits or 0)
        if getattr(self, "weak", False):
            rounded = rounded.weakly()
        return rounded if digits is not None else int(rounded)

    def __floor__(self) -> int:
        return int(np.floor(cast(Any, self)))

    def __ceil__(self) -> int:
        return int(np.ceil(cast(Any, self)))

    def __trunc__(self) -> int:
        return int(np.trunc(cast(Any, self)))
