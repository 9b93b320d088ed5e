"""Texts, dates, categories and missing numbers as arrays of numbers, and back."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

NA_BITS = 0x7FF00000000007A2
"""R's missing number: a NaN whose lower half is 1954."""
NO_TEXT = 0x10FFFF
"""The code point, which no text has, that stands for a missing text."""
NO_INTEGER = -(2**63)
"""A missing date or time, as NumPy has it."""

UNITS = {"date": "datetime64[D]", "time": "datetime64[us]"}
LARGEST_YEARS = 292_000
"""From 1970: further away, 64 bits count no microseconds."""


class Refused(TypeError):
    """A value that is not what the case declares."""


class Undeclared(Exception):
    """The case does not say what is needed to call a function: nobody has computed anything wrong."""


class Coded:
    """An array that is ready to be sent."""

    def __init__(self, array: Any) -> None:
        self.array = array


def texts(array: Any) -> Any:
    """Texts of code points: an array of ``str``, or of objects where one is missing, as None."""
    codes = np.ascontiguousarray(np.asarray(array), dtype=np.uint32)
    width = codes.shape[-1]
    made = codes.view(f"<U{width}").reshape(codes.shape[:-1])
    gone = codes[..., 0] == NO_TEXT
    if not gone.any():
        return made
    some: Any = made.astype(object)
    some[gone] = None
    return some


class Category(NamedTuple):
    """A category where there is no pandas."""

    labels: Any
    levels: Any


def categorical(labels: Any, levels: Any) -> Any:
    """A category as pandas has it, if it is installed."""
    try:
        import pandas
    except ImportError:
        return Category(labels, list(levels))
    return pandas.Categorical(labels, categories=list(levels))


def is_missing(array: Any) -> Any:
    """Which numbers are missing, and not merely NaN."""
    if array.dtype != np.float64:
        return np.zeros(array.shape, dtype=bool)
    bits = np.ascontiguousarray(array).view(np.uint64).reshape(array.shape)
    return np.isnan(array) & ((bits & 0xFFFFFFFF) == (NA_BITS & 0xFFFFFFFF))


def masked(array: Any, dtype: str) -> Any:
    """Numbers of which some are missing: a masked array; a tensor has none, and stays as it is."""
    if not isinstance(array, np.ndarray):
        if hasattr(array, "detach"):
            return array
        raise Refused("missing values are not followed here")
    mask = is_missing(array)
    if dtype in ("int", "bool"):
        array = np.where(mask, 0, array).astype(np.int64 if dtype == "int" else np.bool_)
    return np.ma.MaskedArray(array, mask=mask)


# ---- to arrays ------------------------------------------------------------------------------------


def named(value: Any) -> dict[str, Any] | None:
    """What a value has by name: a mapping, a named tuple, a data frame, or an object's attributes."""
    if isinstance(value, Mapping):
        return {str(name): item for name, item in value.items()}
    if isinstance(value, tuple):
        return dict(zip(value._fields, value, strict=True)) if hasattr(value, "_fields") else None
    if hasattr(value, "columns") and hasattr(value, "to_numpy"):
        return {str(name): value[name] for name in value.columns}
    if isinstance(value, list) or any(hasattr(value, name) for name in ("__array__", "dtype", "shape")):
        return None
    if type(value).__module__.startswith("harness.") or callable(value) or not hasattr(value, "__dict__"):
        return None
    return dict(vars(value))


def leaf(kind: str, form: Mapping[str, Any], value: Any) -> list[Any]:
    """The arrays of one value that has no parts."""
    if kind == "text":
        return [Coded(codes(value))]
    if kind == "category":
        return [Coded(codes(part)) for part in labels_and_levels(value)]
    if kind in ("date", "time"):
        return [Coded(instants(value, kind))]
    return [Coded(with_missing(value, form))] if form.get("missing") and not _is_tensor(value) else [value]


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "detach") and hasattr(value, "layout")


def is_none(item: Any) -> bool:
    """Whether an element is missing: None, pandas' NA or NaT; no number is."""
    return item is None or type(item).__name__ in ("NAType", "NaTType") or item is np.ma.masked


def codes(value: Any) -> Any:
    """Texts as code points; what is missing is None, or pandas' NA."""
    if any(hasattr(value, name) for name in ("categories", "cat", "labels")) or _is_tensor(value):
        raise Refused(f"returned {described(value)}, and text is expected")
    items = _objects(value)
    made = []
    for item in items.ravel():
        if is_none(item) or (isinstance(item, float) and item != item):
            made.append([NO_TEXT])
        elif isinstance(item, str):
            if "\0" in item or chr(NO_TEXT) in item:
                raise Refused("returned a text with a character that no text has here: U+0000 or U+10FFFF")
            made.append([ord(letter) for letter in item])
        else:
            raise Refused(f"returned {described(item)} among its elements, and text is expected")
    width = max([1, *map(len, made)])
    array = np.array([row + [0] * (width - len(row)) for row in made], dtype=np.int32)
    return array.reshape((*items.shape, width))


def _objects(value: Any) -> Any:
    if isinstance(value, np.ma.MaskedArray):
        filled = np.array(value.data, dtype=object)
        filled[np.ma.getmaskarray(value)] = None
        return filled
    if isinstance(value, str) or is_none(value):
        array = np.empty((), dtype=object)
        array[()] = value
        return array
    if hasattr(value, "to_numpy"):
        return value.to_numpy(dtype=object)
    return np.asarray(value, dtype=object)


def labels_and_levels(value: Any) -> tuple[Any, Any]:
    """The labels and the levels of a category of pandas'."""
    known = named(value)
    if known is not None and set(known) == {"labels", "levels"}:
        return known["labels"], known["levels"]
    value = getattr(value, "cat", value)
    if not hasattr(value, "categories") or not hasattr(value, "codes"):
        raise Refused(
            f"returned {described(value)}, and a category is expected:"
            " a pandas.Categorical, or labels and levels"
        )
    levels = [str(level) for level in value.categories]
    return np.array([levels[code] if code >= 0 else None for code in value.codes], dtype=object), levels


def instants(value: Any, kind: str) -> Any:
    """Days, or microseconds in UTC, since 1970-01-01."""
    if not hasattr(value, "dtype"):
        value = _of_datetimes(value)
    elif hasattr(value, "to_numpy"):
        if getattr(value.dtype, "tz", None) is not None:
            value = value.dt.tz_convert("UTC").dt.tz_localize(None)
        value = value.to_numpy()
    value = np.asarray(value)
    if value.dtype == object:
        value = _of_datetimes(value)
    if value.dtype.kind != "M":
        raise Refused(f"returned an array of {value.dtype}, and a {kind} is expected, such as datetime64")
    beyond = Refused(f"returned a {kind} that 64 bits cannot count, and one nearer to 1970 is expected")
    try:
        made = value.astype(UNITS[kind])
    except OverflowError as error:
        raise beyond from error
    # Until 2.5 NumPy wraps, in a comparison of two units too: in the unit it came in. NaT equals nothing.
    changed = (made.astype(value.dtype) != value) & ~np.isnat(value)
    if changed.any():
        if abs(int(value[changed].astype("datetime64[Y]").astype(np.int64).flat[0])) > LARGEST_YEARS:
            raise beyond
        finer = "a time of day, and a date" if kind == "date" else "a part of a microsecond, and no more"
        raise Refused(f"returned {finer} is expected")
    return made.astype(np.int64)


def _of_datetimes(value: Any) -> Any:
    items = _objects(value)
    made = np.empty(items.shape, dtype="datetime64[us]")
    for place, item in np.ndenumerate(items):
        if is_none(item):
            made[place] = np.datetime64("NaT", "us")
        elif isinstance(item, (datetime.date, np.datetime64)):
            if getattr(item, "tzinfo", None) is not None:
                item = item.astimezone(datetime.UTC).replace(tzinfo=None)  # type: ignore[union-attr]
            made[place] = instants(np.asarray(np.datetime64(item)), "time").view("datetime64[us]")
        else:
            raise Refused(f"returned {described(item)}, and a date is expected")
    return made


def with_missing(value: Any, form: Mapping[str, Any]) -> Any:
    """Numbers as float64, those that are missing as R has them; each integer has to be exact."""
    due = form.get("dtype", "float")
    if isinstance(value, np.ma.MaskedArray):
        mask, data = np.ma.getmaskarray(value), value.data
    elif hasattr(value, "isna") and hasattr(value, "to_numpy") and not isinstance(value.dtype, np.dtype):
        mask = np.asarray(value.isna())
        data = np.where(mask, 0, value.to_numpy(dtype=object))
    elif isinstance(value, (np.ndarray, np.generic)) and value.dtype != object:
        mask, data = is_missing(np.asarray(value)), np.asarray(value)
    else:
        items = _objects(value)
        mask = np.array([is_none(item) for item in items.ravel()], dtype=bool).reshape(items.shape)
        data = np.where(mask, False if due == "bool" else 0, items)
    try:
        kept = np.asarray(data.tolist() if data.dtype == object else data)
    except ValueError as error:
        raise Refused(f"returned {described(value)}, and an array is expected") from error
    kinds = "iuf" if form.get("lenient") else {"float": "f", "int": "iu", "bool": "b"}[due]
    if not kept.size:
        kept = kept.reshape(mask.shape).astype(np.float64)
    elif kept.dtype.kind not in kinds and not mask.all() and not (due != "float" and is_missing(kept).any()):
        raise Refused(f"returned numbers of dtype {kept.dtype}, and {due} is expected")
    wide = kept.astype(np.float64)
    if due == "int" and kept.dtype.kind == "f" and (wide[~mask] != np.floor(wide[~mask])).any():
        raise Refused("returned a number that is not whole, and integers are expected")
    if kept.dtype.kind in "iu" and (wide[~mask].astype(kept.dtype) != kept[~mask]).any():
        raise Refused("returned an integer that float64 cannot hold")
    wide = np.array(wide)
    wide.reshape(-1).view(np.uint64)[mask.reshape(-1)] = NA_BITS
    return wide


def described(value: Any) -> str:
    """A value in words: its type, and itself where it is a short text."""
    return repr(value)[:40] if isinstance(value, (str, int, float)) else f"a {type(value).__name__}"
