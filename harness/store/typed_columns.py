"""Columns of dates, times and categories: texts of a file, with what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from harness.model import Array
from harness.numerics.missing import NO_TEXT, is_missing
from harness.workers.value_codes import LARGEST_YEARS, UNITS

Typed = Literal["date", "time", "category"]
"""What a column of texts may be said to be."""


def words_of(values: Sequence[str | None]) -> Array:
    """Texts as an array; what is None is missing."""
    return np.array([chr(NO_TEXT) if value is None else value for value in values], dtype=np.str_)


def text_codes(array: Array) -> Array:
    """The code points of texts, along one more axis."""
    texts = np.ascontiguousarray(array)
    width = max(1, texts.dtype.itemsize // 4)
    texts = texts.astype(f"<U{width}")
    return texts.reshape(-1).view(np.int32).reshape((*array.shape, width))


def written(instants: Array) -> Array:
    """The texts of an array of datetime64, in ISO 8601; NaT is missing."""
    return np.where(np.isnat(instants), chr(NO_TEXT), instants.astype(np.str_))


def instants(texts: Array, kind: str) -> Array | None:
    """Days, or microseconds, since 1970-01-01, of texts in ISO 8601.

    Parameters
    ----------
    texts : ndarray of str
        What is missing is as `harness.numerics.missing` has it.
    kind : str
        ``date`` or ``time``.

    Returns
    -------
    ndarray of int64, or None
        None where one of them is no such text.
    """
    gone = is_missing(texts)
    try:
        dated = np.where(gone, "NaT", texts)
        years = dated.astype("datetime64[Y]").astype(np.int64)[~gone]
        made = dated.astype(UNITS[kind])
    except (ValueError, OverflowError):
        return None
    # NumPy before 2.5 wraps what 64 bits cannot count.
    if kind == "time" and (np.abs(years) > LARGEST_YEARS).any():
        return None
    return np.asarray(made.astype(np.int64))


def days(texts: Array) -> Array | None:
    """Days since 1970-01-01 of texts in ISO 8601; None where one is none, or has a time of day."""
    found, times = instants(texts, "date"), instants(texts, "time")
    if found is None or times is None:
        return None
    midnight = found.astype(UNITS["date"]).astype(UNITS["time"]).astype(np.int64)
    return found if np.array_equal(midnight, times) else None


def levels_of(labels: Array, known: Sequence[str] | None) -> tuple[str, ...]:
    """The levels of a category: those that are known, else its labels, sorted."""
    if known is not None:
        return tuple(known)
    return tuple(np.unique(labels[~is_missing(labels)]).tolist())


def merged(levels: Sequence[Mapping[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    """The levels of several files by name, each once, in the order in which they come."""
    found: dict[str, dict[str, None]] = {}
    for each in levels:
        for name, names in each.items():
            found.setdefault(name, {}).update(dict.fromkeys(names))
    return {name: tuple(names) for name, names in found.items()}
