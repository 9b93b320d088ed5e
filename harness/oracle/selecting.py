"""NumPy functions that move elements without computing, and the elements of what a function returned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.unknown import Unknown

VIEWING = frozenset(
    {
        *(np.transpose, np.swapaxes, np.moveaxis, np.rollaxis, np.reshape, np.ravel, np.squeeze, np.flip),
        *(np.fliplr, np.flipud, np.rot90, np.expand_dims, np.broadcast_to, np.diagonal, np.atleast_1d),
        *(np.atleast_2d, np.atleast_3d, np.split, np.vsplit, np.hsplit, np.dsplit, np.array_split),
        *(getattr(np, name) for name in ("unstack", "matrix_transpose") if hasattr(np, name)),
        *(getattr(np.linalg, name) for name in ("diagonal", "matrix_transpose") if hasattr(np.linalg, name)),
    }
)
"""Functions of one array that give views of it, where they can."""

SELECTING = VIEWING | frozenset(
    {
        *(np.take, np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack, np.repeat),
        *(np.tile, np.roll, np.diag, np.diagflat, np.tril, np.triu, np.where, np.copy, np.block, np.append),
        *(np.delete, np.insert, np.resize, np.take_along_axis, np.compress, np.broadcast_arrays),
        *(np.meshgrid, np.lib.stride_tricks.sliding_window_view),
    }
)
"""Functions whose results consist of elements of their arguments and zeros."""

_ELEMENTS = {np.append: (0, 1), np.insert: (0, 2), np.compress: (1,)}

_ALL_ELEMENTS = frozenset({np.meshgrid, np.broadcast_arrays, np.atleast_1d, np.atleast_2d, np.atleast_3d})


def holds_elements(func: Any, place: int) -> bool:
    """Whether a function's argument at a position holds elements; else it is an axis or a count."""
    return func in _ALL_ELEMENTS or place in _ELEMENTS.get(func, (0,))


def holds_elements_as(name: str) -> bool:
    """Whether an argument of that name holds elements."""
    return name in ("a", "arr", "m", "v", "x", "array", "arrays", "tup", "values")


_NAMES = {"ComplexArray": "an array of complex numbers"}
"""Names of the oracle's types for a user."""


def elements(value: Any) -> npt.NDArray[Any] | list[Any]:
    """What a function returned, as an array of numbers, or as a list of items to be stacked.

    Raises
    ------
    Unknown
        If the value is no array of numbers.
    """
    if isinstance(value, np.ndarray) and value.dtype == object:
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        shapes = {np.shape(item) if isinstance(item, (np.ndarray, int, float)) else None for item in value}
        if len(shapes) > 1 or None in shapes:
            return list(value)
    try:
        array = np.asarray(value)
    except ValueError:
        raise Unknown("its rows differ in length") from None
    if array.dtype.kind not in "biuf":
        what = "None" if value is None else _NAMES.get(type(value).__name__, f"a {type(value).__name__}")
        raise Unknown(f"{what} is no array of real numbers")
    return array


def of_one_shape(parts: Sequence[Any]) -> None:
    """Refuse arrays that cannot be stacked.

    Raises
    ------
    Unknown
        If their shapes differ.
    """
    if len({part.shape for part in parts}) > 1:
        raise Unknown("its rows differ in length")


_NUMBERED = re.compile(r"^stages_\d+_")


def named(func: Any, method: str = "__call__") -> str:
    """A function as a user would name it."""
    name = getattr(func, "__name__", str(func))
    if name.endswith("(vectorized)"):
        return "numpy.frompyfunc(...)"
    module = getattr(func, "__module__", None) or ("numpy" if hasattr(np, name) else "scipy.special")
    # A file of stages is a module with a number, which the person who wrote it has not given.
    return f"{_NUMBERED.sub('', module)}.{name}" + ("" if method == "__call__" else f".{method}")
