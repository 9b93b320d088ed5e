"""What a function returned, in lines of text: for a new case, where nothing says yet what it returns."""

from __future__ import annotations

import datetime
from typing import Any, NamedTuple

import numpy as np

from harness.workers.value_codes import is_none, named

FIELD, PLACE = "\x1f", "\x1d"
"""What stands between the fields of a line, and between the names of a part."""
_DEEPEST = 6
_MOST_PARTS = 20


class Kind(NamedTuple):
    """What one value is.

    ``array``, ``text``, ``date``, ``time``, ``category``, ``names``, ``list``, ``other``; or ``numbers``: a
    list of them, which an array can be made of. ``dtype`` is what an array holds, ``words`` what it is.
    """

    kind: str
    dtype: str = "float"
    missing: bool = False
    words: str = ""


def description(value: Any) -> str:
    """A line for a value, and one for each of its parts: path, kind, dtype, missing, words, given."""
    lines: list[str] = []
    _add(value, (), lines)
    return "\n".join(lines)


def _add(value: Any, path: tuple[str, ...], lines: list[str]) -> None:
    kind = kind_of(value)
    parts = _parts(value, kind.kind)
    if len(path) > _DEEPEST or len(parts) > _MOST_PARTS:
        kind, parts = Kind("other", words=f"a {type(value).__name__} of {len(parts)} parts"), {}
    given = given_of(value, kind)
    fields = (PLACE.join(path), kind.kind, kind.dtype, str(int(kind.missing)), kind.words, given)
    lines.append(FIELD.join(" ".join(field.split("\n")) for field in fields))
    for name, part in parts.items():
        _add(part, (*path, name), lines)


def given_of(value: Any, kind: Kind) -> str:
    """What a value is for the next function, where an array would be something else to it."""
    if kind.missing or kind.kind not in ("array", "numbers", "text"):
        return ""
    if isinstance(value, (bool, int, float, complex, str)) and not isinstance(value, np.generic):
        return "scalar"
    if isinstance(value, list):
        return "list"
    if hasattr(value, "toarray") and hasattr(value, "nnz") and value.ndim == 2:
        return "sparse matrix" if type(value).__name__.endswith("_matrix") else "sparse array"
    return ""


def _parts(value: Any, kind: str) -> dict[str, Any]:
    if kind == "names":
        return named(value) or {}
    return {str(at): item for at, item in enumerate(value, start=1)} if kind == "list" else {}


def kind_of(value: Any) -> Kind:
    """What one value is, its parts left aside."""
    if value is None:
        return Kind("other", words="None")
    word = f"a {type(value).__name__}"
    categorical = getattr(value, "cat", value)
    if hasattr(categorical, "categories") and hasattr(categorical, "codes"):
        return Kind("category", missing=bool((np.asarray(categorical.codes) < 0).any()), words=word)
    known = named(value)
    if known is not None:
        if set(known) == {"labels", "levels"} and kind_of(known["levels"]).kind == "text":
            return Kind("category", missing=kind_of(known["labels"]).missing, words=word)
        return Kind("names" if known else "other", words=word)
    if hasattr(value, "toarray") or hasattr(value, "detach"):
        return Kind("array", words=word)
    if isinstance(value, np.ma.MaskedArray):
        return Kind("array", _dtype(value.dtype), missing=True, words=word)
    if isinstance(value, (list, tuple)):
        return _of_list(value, word)
    if hasattr(value, "isna") and not isinstance(getattr(value, "dtype", None), np.dtype):
        value = value.to_numpy(dtype=object)
    array = np.asarray(value)
    kind = _of_items(array, word)
    if array.dtype == object and kind.kind == "array" and not kind.missing:
        return Kind("other", words="an array of objects")
    return kind


def _of_list(value: Any, word: str) -> Kind:
    flat = _flat(value)
    if flat is None or isinstance(value, tuple):
        return Kind("list", words=f"{word} of {len(value)}")
    kind = _of_items(flat, f"{word} of {len(value)}")
    if kind.kind == "array" and not kind.missing:
        return kind._replace(kind="numbers")
    return kind if kind.kind != "other" else Kind("list", words=kind.words)


def _flat(value: Any) -> Any:
    """A list's elements as an array of objects; None where it holds more than numbers, texts and dates."""
    if any(isinstance(item, (list, tuple)) for item in value):
        rows: list[Any] = [_flat(item) if isinstance(item, list) else None for item in value]
        if any(row is None for row in rows) or len({row.shape for row in rows}) != 1:
            return None
        return np.stack(rows)
    if not all(np.ndim(item) == 0 and named(item) is None for item in value):
        return None
    made = np.empty(len(value), dtype=object)
    made[:] = value
    return made


def _of_items(array: Any, word: str) -> Kind:
    if array.dtype.kind in "biufc":
        return Kind("array", _dtype(array.dtype), words=word)
    if array.dtype.kind == "U":
        return Kind("text", words=word)
    if array.dtype.kind == "M":
        is_date = np.datetime_data(array.dtype)[0] in ("D", "M", "Y")
        return Kind("date" if is_date else "time", missing=bool(np.isnat(array).any()), words=word)
    if array.dtype != object:
        return Kind("other", words=word)
    items = array.ravel().tolist()
    there = [item for item in items if not is_none(item)]
    gaps = len(there) < len(items)
    if items and not there:
        return Kind("other", words=f"{word} that holds nothing but None")
    texts = [item for item in there if isinstance(item, str)]
    if texts and all(isinstance(item, str) or item != item for item in there):
        return Kind("text", missing=gaps or len(texts) < len(there), words=word)
    if there and all(isinstance(item, (datetime.date, np.datetime64)) for item in there):
        is_time = any(isinstance(item, datetime.datetime) for item in there) or any(
            isinstance(item, np.datetime64) and kind_of(np.asarray(item)).kind == "time" for item in there
        )
        return Kind("time" if is_time else "date", missing=gaps, words=word)
    if all(isinstance(item, (bool, int, float, complex, np.number, np.bool_)) for item in there):
        return Kind("array", _dtype(np.asarray(there).dtype), missing=gaps, words=word)
    return Kind("other", words=word)


def _dtype(dtype: Any) -> str:
    return {"b": "bool", "i": "int", "u": "int", "c": "complex"}.get(dtype.kind, "float")
