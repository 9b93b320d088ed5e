"""Reductions of the elements that a mask names, and of one number more: ``where`` and ``initial``."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from harness.oracle.conditions import three_values
from harness.oracle.unknown import Undecided

NEUTRAL: Mapping[np.ufunc, float] = {np.add: 0.0, np.multiply: 1.0, np.maximum: -np.inf, np.minimum: np.inf}
"""The number that changes no result of a reduction."""


def reduced(
    ufunc: np.ufunc,
    reduce: Callable[..., Any],
    x: Any,
    axis: Any,
    keepdims: Any,
    initial: Any = np._NoValue,
    where: Any = True,
) -> Any:
    """A reduction over some axes, of masked elements and an initial number as one operation in any order.

    Parameters
    ----------
    ufunc : numpy.ufunc
        What is reduced.
    reduce : callable
        The reduction without a mask, called ``reduce(x, axis=, keepdims=)``.
    x : OracleArray
        The operand.
    axis, keepdims, initial, where : object
        As in NumPy.
    """
    keepdims = bool(keepdims is not np._NoValue and keepdims)
    x = kept(x, where, NEUTRAL[ufunc])
    if initial is None or initial is np._NoValue:
        return reduce(x, axis=axis, keepdims=keepdims)
    gone = x._gone(axis)
    stay = tuple(k for k in range(x.ndim) if k not in gone)
    sizes = tuple(x.shape[k] for k in stay)
    moved = x.transpose(*stay, *gone).reshape(*sizes, math.prod(x.shape[k] for k in gone))
    first: Any = np.broadcast_to(type(x).gather(initial), (*sizes, 1))
    done = reduce(np.concatenate([first, moved], axis=-1), axis=-1, keepdims=False)
    return done.reshape(tuple(1 if k in gone else n for k, n in enumerate(x.shape)) if keepdims else sizes)


def kept(x: Any, where: Any, neutral: float) -> Any:
    """The elements that a mask names, and a neutral number at the other places."""
    if where is True or where is np._NoValue:
        return x
    chosen: Any = x.generic[np.where](type(x), where, x, neutral)
    return chosen


def counted(x: Any, axis: Any, keepdims: Any, where: Any) -> Any:
    """How many elements a mask names along some axes.

    Raises
    ------
    Undecided
        If rounding can turn an element of the mask.
    """
    value, unsure = three_values(where)
    if unsure.any():
        raise Undecided(x.branches.note("a choice of elements"))
    shape = np.broadcast_shapes(value.shape, x.shape)
    many = np.broadcast_to(value, shape).sum(axis=axis, keepdims=bool(keepdims))
    return np.asarray(many, dtype=np.float64)
