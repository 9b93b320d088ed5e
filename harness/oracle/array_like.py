"""Base class of the oracle's arrays: properties and methods of ndarrays that follow from a few others."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin


class ArrayLike(NDArrayOperatorsMixin):
    """The base of arrays that are computed with as NumPy's are."""

    @property
    @abstractmethod
    def ndim(self) -> int:
        """Number of axes."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, key: Any) -> Self: ...

    @abstractmethod
    def reshape(self, *shape: Any) -> Self:
        """The same elements in another shape."""

    @abstractmethod
    def transpose(self, *axes: Any) -> Self:
        """The axes in another order."""

    def __iter__(self) -> Iterator[Self]:
        return (self[i] for i in range(len(self)))

    @property
    def flat(self) -> Self:
        """All elements on one axis."""
        return self.reshape(-1)

    @property
    def T(self) -> Self:
        """The axes in reverse."""
        return self.transpose()

    @property
    def mT(self) -> Self:
        """The last two axes exchanged."""
        return self.transpose(*range(self.ndim - 2), self.ndim - 1, self.ndim - 2)

    def ravel(self) -> Self:
        """All elements on one axis."""
        return self.reshape(-1)

    def flatten(self) -> Self:
        """All elements on one axis, copied."""
        return self.ravel().copy()

    @abstractmethod
    def copy(self) -> Self:
        """A copy of the array."""

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, _: Any) -> Self:
        return self.copy()

    def dot(self, b: Any) -> Self:
        """The product of matrices or vectors, or with a number."""
        product: Self = self * b if not self.ndim or not np.ndim(b) else self @ b
        return product

    def _gone(self, axis: Any) -> tuple[int, ...]:
        """The axes that a reduction removes, in rising order, counted from the first."""
        axes = range(self.ndim) if axis is None else (axis,) if np.ndim(axis) == 0 else axis
        return tuple(sorted(n % self.ndim for n in axes)) if self.ndim else ()
