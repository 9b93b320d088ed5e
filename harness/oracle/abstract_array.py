"""The abstract base of the oracle's arrays: what every arithmetic has to define."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from harness.oracle.precisions import Precise
from harness.oracle.views import Views

Array = npt.NDArray[Any]


class AbstractArray(Views, Precise):
    """An array in one of the oracle's arithmetics: comparisons, choices, steps, and elements in memory."""

    generic: ClassVar[Mapping[Any, Callable[..., Any]]]
    """Operations that all arithmetics share, called with the class first."""

    @classmethod
    def restart(cls) -> None:
        """Reset the state of the class, so that another evaluation gives the same results."""
        cls.branches.take()
        cls.followed = 0

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes."""

    @classmethod
    @abstractmethod
    def given(cls, value: Any) -> Self:
        """An array of exact numbers."""

    @classmethod
    @abstractmethod
    def within(cls, value: Array, error: Array) -> Self:
        """An array of numbers, from which other implementations may differ by an error."""

    @classmethod
    @abstractmethod
    def gather(cls, value: Any) -> Self:
        """What a function returned, as one array."""

    @classmethod
    @abstractmethod
    def compare(cls, ufunc: np.ufunc, x: Self, y: Self) -> tuple[Array, Array]:
        """The truth values of a comparison, and which of them are undecided."""

    @classmethod
    @abstractmethod
    def choose(cls, first: Array, unsure: Array, x: Self, y: Self, why: str = "") -> Self:
        """Elements of one array or the other; where undecided, a hull of both or an undecided element."""

    @classmethod
    @abstractmethod
    def stepped(cls, x: Self, step: Callable[[Any], Any], what: str) -> Self:
        """A function of steps, such as floor; undecided where rounding can turn the step."""

    @classmethod
    @abstractmethod
    def understands(cls, function: Any) -> bool:
        """Whether there is an analysis of a function of NumPy."""

    @classmethod
    @abstractmethod
    def first(cls, ufunc: np.ufunc, x: Self) -> Array:
        """The first place of the greatest or least element along the last axis."""

    @classmethod
    @abstractmethod
    def ratio(cls, x: Any, y: Any) -> Self:
        """A quotient that is exact where x is a multiple of y."""

    @classmethod
    @abstractmethod
    def less_product(cls, x: Any, whole: Any, y: Any) -> Self:
        """The remainder x - whole * y."""

    @abstractmethod
    def doubtful(self) -> Array:
        """Which elements are undecided; of integers, which are not known."""

    @abstractmethod
    def spoiled(self, where: Array) -> Self:
        """The array with undecided elements at some places."""

    @classmethod
    @abstractmethod
    def angle(cls, y: Self, x: Self) -> Self:
        """The angle of a point, from its coordinates."""

    def unknown(self) -> Array:
        """Which elements may be numbers or NaN."""
        return np.zeros(self.shape, dtype=bool)

    def negative_zeros(self) -> Array:
        """Which elements of the reference are -0.0, in an arithmetic with signed zeros."""
        return np.zeros(self.shape, dtype=bool)

    def one_of(self, where: Array, least: Array, most: Array) -> Self:
        """The array with elements that are undecided between whole numbers at some places."""
        return self.spoiled(where)

    @classmethod
    def placed(cls, places: Array, least: Array, most: Array, what: str) -> Any:
        """Whole numbers; undecided where the least differs from the most."""
        unsure = np.asarray(least < most)
        if not unsure.any():
            return places if np.ndim(places) else np.intp(places)
        cls.branches.note(what)
        return cls.gather(np.asarray(places, dtype=np.float64)).one_of(unsure, least, most)

    @abstractmethod
    def _elsewhere(self, choose: Callable[[Array], Array]) -> Self:
        """The elements that ``choose`` gives: a view where NumPy gives one."""

    def _viewed(self, choose: Callable[[Array], Array]) -> Self:
        view = self._elsewhere(choose)
        if self.plain is not None and self._known is not None and isinstance(view, AbstractArray):
            view._known = choose(np.asarray(self.plain)), self._known[1]
        if self._written is not None and isinstance(view, AbstractArray):
            view._written = self._written
        return view

    @abstractmethod
    def _assign(self, key: Any, other: Self) -> None:
        """Put elements into some places."""

    @abstractmethod
    def _item(self, key: Any) -> Self:
        """The element at one place, copied."""

    @abstractmethod
    def _put(self, key: Any, other: Self) -> None:
        """Put one element into one place."""

    @abstractmethod
    def copy(self) -> Self:
        """A copy with its own memory."""

    @abstractmethod
    def _called(self, func: Any, args: Any, kwargs: Mapping[str, Any]) -> Any:
        """A function of NumPy on arrays of one class."""

    @abstractmethod
    def _operated(self, ufunc: np.ufunc, method: str, inputs: Any, kwargs: Mapping[str, Any]) -> Any:
        """A ufunc, or one of its methods, on arrays or numbers."""
