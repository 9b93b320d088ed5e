"""The gap between the ways through a stage's branches: a number there is on none of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb

Array = npt.NDArray[Any]


def widest_gap(ways: Sequence[Array], nearest: Array, asked: Array, room: float) -> Array | None:
    """Return, by element, the widest range between two ways, without its ends.

    Parameters
    ----------
    ways : sequence of ndarray
        The balls of each way, in one shape; together they hold all that branches give.
    nearest : ndarray
        A number that counts as given by some way.
    asked : ndarray of bool
        The elements whose balls have bounds.
    room : float
        How far from a ball a number may be and count as given by it.

    Returns
    -------
    ndarray or None
        The least numbers of the gaps, and the greatest; NaN where there is none. None without any gap.
    """
    if len(ways) < 2 or not asked.any():
        return None
    least = np.stack([*(ends_of(items, asked, arb.lower) for items in ways), nearest])[:, asked]
    most = np.stack([*(ends_of(items, asked, arb.upper) for items in ways), nearest])[:, asked]
    order = np.argsort(least, axis=0)
    least, most = (np.take_along_axis(ends, order, axis=0) for ends in (least, most))
    start, end = np.maximum.accumulate(most, axis=0)[:-1] + room, least[1:] - room
    widest = np.argmax(end - start, axis=0)[None]
    start, end = (np.take_along_axis(ends, widest, axis=0)[0] for ends in (start, end))
    gap = np.full((2, *asked.shape), np.nan)
    gap[:, asked] = np.where(start < end, [start, end], np.nan)
    return gap if np.isfinite(gap).any() else None


def ends_of(items: Array, asked: Array, end: Callable[[Any], Any]) -> Array:
    """One end of some of the balls; NaN elsewhere."""
    array = np.full(items.shape, np.nan)
    array[asked] = [float(end(ball)) for ball in items[asked]]
    return array
