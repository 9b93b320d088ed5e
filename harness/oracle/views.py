"""Methods that give the same elements in another shape or order: views, where an ndarray gives one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from harness.oracle.one_number import OneNumber
from harness.oracle.unknown import NotUnderstood

Array = npt.NDArray[Any]


class Views(OneNumber):
    """Methods of ndarrays that compute nothing."""

    dtype: ClassVar[np.dtype[Any]]

    @abstractmethod
    def _viewed(self, choose: Callable[[Array], Array]) -> Self:
        """The elements that ``choose`` gives: a view where NumPy gives one."""

    def reshape(self, *shape: Any, order: Any = "C") -> Self:
        """The same elements in another shape."""
        return self._viewed(lambda array: array.reshape(*shape, order=order))

    def ravel(self, order: Any = "C") -> Self:
        """All elements on one axis; a view where that can be."""
        return self._viewed(lambda array: array.ravel(order))

    def flatten(self, order: Any = "C") -> Self:
        """All elements on one axis, copied."""
        return self.ravel(order).copy()

    def transpose(self, *axes: Any) -> Self:
        """The axes in another order."""
        return self._viewed(lambda array: array.transpose(*axes))

    def swapaxes(self, axis1: int, axis2: int) -> Self:
        """Two axes exchanged."""
        return self._viewed(lambda array: array.swapaxes(axis1, axis2))

    def squeeze(self, axis: Any = None) -> Self:
        """Without axes of length 1."""
        return self._viewed(lambda array: array.squeeze(axis))

    def view(self, *kinds: Any) -> Self:
        """A view of all of it, in its own format."""
        # NumPy takes classes of arrays for the dtype of objects.
        if any(np.dtype(kind) not in (self.dtype, np.dtype(object)) for kind in kinds):
            raise NotUnderstood("ndarray.view")
        return self._viewed(lambda array: array[...])
