"""Elements that a mask names, some of them undecided: in their places until they are assigned or summed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import numpy.typing as npt
from numpy.lib.mixins import NDArrayOperatorsMixin

from harness.oracle.unknown import Undecided

if TYPE_CHECKING:
    from harness.oracle.conditions import Condition
    from harness.oracle.oracle_array import OracleArray

Array = npt.NDArray[Any]


class Selected(NDArrayOperatorsMixin):
    """The value of ``x[mask]``: elementwise functions of it, sums and means are known without its length.

    Parameters
    ----------
    x : OracleArray
        The indexed array.
    mask : Condition
        Of the shape of its first axes.
    """

    def __init__(self, x: OracleArray, mask: Condition) -> None:
        self.mask = mask
        self._why = x.branches.located("a choice of elements")
        # Elements that are not named may lie outside of a function's domain.
        ones = x.gather(np.ones(x.shape))
        named = np.broadcast_to(spread(mask.value | mask.unsure, x.ndim), x.shape)
        self.everywhere: Any = x.choose(named, np.zeros(x.shape, dtype=bool), x, ones)

    def placed_in(self, mask: Condition) -> Any:
        """The elements in the places that a mask names.

        Raises
        ------
        Undecided
            If another mask named them: how many there are is undecided.
        """
        if not self._is_of(mask):
            raise Undecided(mask.why)
        return self.everywhere

    def _is_of(self, mask: Condition) -> bool:
        ours = self.mask
        same = mask.why == ours.why and np.array_equal(mask.value, ours.value)
        return mask is ours or (same and np.array_equal(mask.unsure, ours.unsure))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        alike = all(
            input_._is_of(self.mask) if isinstance(input_, Selected) else not np.ndim(input_)
            for input_ in inputs
        )
        (out,) = kwargs.pop("out", (None,))
        # A choice of elements is a copy, which a statement such as ``chosen += 1`` changes.
        if (
            method != "__call__"
            or kwargs
            or ufunc.nout > 1
            or not alike
            or not (out is None or out is inputs[0])
        ):
            self._lacks_a_length()
        made = ufunc(*(input_.everywhere if isinstance(input_, Selected) else input_ for input_ in inputs))
        return Selected(made, self.mask) if hasattr(made, "choose") else self._lacks_a_length()

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Any:
        """The sum of the elements."""
        if out is not None or dtype is not None or axis not in (None, 0) or self.mask.ndim > 1:
            self._lacks_a_length()
        x = self.everywhere
        zeros = x.gather(np.zeros(x.shape))
        value, unsure = (
            np.broadcast_to(spread(array, x.ndim), x.shape) for array in (self.mask.value, self.mask.unsure)
        )
        chosen = x.choose(value, unsure, x, zeros, self.mask.why)
        return np.sum(chosen, axis=axis, keepdims=keepdims)

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Any:
        """The mean of the elements."""
        total = self.sum(axis, dtype, out, keepdims)
        rows = self.everywhere.size // max(1, self.mask.size) if axis is None else 1
        return total / (self.mask.sum() * float(rows))

    def copy(self) -> Selected:
        """The same elements."""
        return self

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func not in (np.sum, np.mean) or not args or args[0] is not self:
            self._lacks_a_length()
        return getattr(self, func.__name__)(*args[1:], **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._lacks_a_length()

    def __array__(self, *_: Any, **__: Any) -> Array:
        self._lacks_a_length()

    def __len__(self) -> int:
        self._lacks_a_length()

    def __getitem__(self, _: Any) -> Any:
        self._lacks_a_length()

    def _lacks_a_length(self) -> NoReturn:
        self.mask.kind.branches.keep(self._why)
        raise Undecided(self._why)


def spread(mask: Array, ndim: int) -> Array:
    """A mask of the first axes with axes of length 1 for the others."""
    return mask.reshape(mask.shape + (1,) * (ndim - mask.ndim))


def in_front(key: Any, shape: tuple[int, ...]) -> tuple[Any, Any] | None:
    """A mask with undecided elements in an index, and the index without it, by which its axes are the first.

    None for any other index. Of ``X[2, mask]`` it is the mask and ``(2, slice(None))``.
    """
    from harness.oracle.conditions import Condition

    parts = key if isinstance(key, tuple) else (key,)
    at = [place for place, part in enumerate(parts) if isinstance(part, Condition)]
    if len(at) != 1 or not all(isinstance(part, int) for part in parts[: at[0]]):
        return None
    mask = parts[at[0]]
    whole = all(isinstance(part, int) or part == slice(None) for part in parts[at[0] + 1 :])
    if not whole or not mask.ndim or mask.shape != shape[at[0] : at[0] + mask.ndim]:
        return None
    return mask, (*parts[: at[0]], *[slice(None)] * mask.ndim, *parts[at[0] + 1 :])
