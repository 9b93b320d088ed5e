"""NumPy's legacy streams, named the way the other languages' are: `np.random.seed(42)` is `RandomState(42)`.

Source: NumPy itself. NEP 19 froze the streams of `numpy.random.RandomState`: they are the same in every
version, so nothing is reproduced here and every call is NumPy's own.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from harness.streams.errors import StreamError, StreamTypeError

Seed = int | npt.NDArray[np.integer] | list[int]


def RandomState(seed: Seed) -> np.random.RandomState:
    """`numpy.random.RandomState(seed)`, with a seed, so that the stream can be had again.

    Parameters
    ----------
    seed : int from 0 to 2**32 - 1, or an array of such

    Raises
    ------
    StreamError
        For a seed that NumPy refuses.
    StreamTypeError
        Without a seed, or for one that is no integer.
    """
    if seed is None or isinstance(seed, (float, str)):
        raise StreamTypeError(
            f"the seed {seed!r} is no integer: NumPy raises TypeError, or seeds from the system"
        )
    try:
        return np.random.RandomState(seed)
    except ValueError as error:
        raise StreamError(f"the seed {seed}: NumPy raises ValueError, {error}") from error


def seed(seed: Seed) -> np.random.RandomState:
    """The stream that `numpy.random.seed(seed)` leaves behind for the functions of `numpy.random`."""
    return RandomState(seed)
