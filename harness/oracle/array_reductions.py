"""Methods of ndarrays that reduce axes, in terms of those of each arithmetic without further arguments."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, cast

import numpy as np

from harness.oracle.abstract_array import AbstractArray
from harness.oracle.masked import counted, kept, reduced


class Reductions(AbstractArray):
    """Sums, means and extremes with all arguments that NumPy has for them."""

    @abstractmethod
    def _sum(self, axis: Any = None, keepdims: bool = False) -> Any:
        """The sum over some axes."""

    @abstractmethod
    def _mean(self, axis: Any = None, keepdims: bool = False) -> Any:
        """The mean over some axes."""

    @abstractmethod
    def _max(self, axis: Any = None, keepdims: bool = False) -> Any:
        """The largest element along some axes."""

    @abstractmethod
    def _min(self, axis: Any = None, keepdims: bool = False) -> Any:
        """The smallest element along some axes."""

    def sum(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = np._NoValue,
        where: Any = True,
    ) -> Any:
        """The sum over some axes."""
        if dtype is not None or out is not None:
            how = {"keepdims": keepdims, "initial": initial, "where": where}
            return np.sum(cast(Any, self), axis=axis, dtype=dtype, out=out, **how)
        return reduced(np.add, type(self)._sum, self, axis, keepdims, initial, where)

    def mean(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        *,
        where: Any = True,
    ) -> Any:
        """The mean over some axes."""
        if dtype is not None or out is not None:
            return np.mean(cast(Any, self), axis=axis, dtype=dtype, out=out, keepdims=keepdims, where=where)
        keepdims = keepdims is not np._NoValue and keepdims
        if where is True or where is np._NoValue:
            return self._mean(axis, keepdims)
        return kept(self, where, 0.0)._sum(axis, keepdims) / counted(self, axis, keepdims, where)

    def max(
        self,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = np._NoValue,
        where: Any = True,
    ) -> Any:
        """The largest element along some axes."""
        if out is not None:
            how = {"keepdims": keepdims, "initial": initial, "where": where}
            return np.max(cast(Any, self), axis=axis, out=out, **how)
        return reduced(np.maximum, type(self)._max, self, axis, keepdims, initial, where)

    def min(
        self,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = np._NoValue,
        where: Any = True,
    ) -> Any:
        """The smallest element along some axes."""
        if out is not None:
            how = {"keepdims": keepdims, "initial": initial, "where": where}
            return np.min(cast(Any, self), axis=axis, out=out, **how)
        return reduced(np.minimum, type(self)._min, self, axis, keepdims, initial, where)
