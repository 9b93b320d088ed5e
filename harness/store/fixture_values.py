"""A fixture's texts, categories, dates and missing numbers, as a case takes them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np

from harness.model import Array, Case, Fixture, Value
from harness.numerics.missing import NO_INTEGER, NO_TEXT, is_missing, without_missing
from harness.store.typed_columns import instants
from harness.workers.value_codes import UNITS


def with_values(case: Case, fixture: Fixture) -> Fixture:
    """The fixture with its arrays as the case declares them; what is none of that is left as it is.

    Text may be stored as code points along one more axis, dates as text. The levels of a category are those
    of case.toml, an array of the fixture, ``NAME.levels``, or else its labels, sorted.
    """
    changed = {value.name: value for value in case.inputs if _is_changed(value)}
    if not changed:
        return fixture

    def converted(arrays: Mapping[str, Array]) -> dict[str, Array]:
        made = {
            name: _converted(changed[name], array) if name in changed else array
            for name, array in arrays.items()
        }
        for name in changed:
            of = name.removesuffix(".levels")
            if of != name and name not in made and of in made and made[of].dtype.kind == "U":
                labels = np.unique(made[of][~is_missing(made[of])])
                made[name] = np.array(case.levels.get(of, tuple(labels.tolist())), dtype=np.str_)
        for array in made.values():
            array.flags.writeable = False
        return made

    return msgspec.structs.replace(
        fixture,
        shared=converted(fixture.shared),
        samples={name: converted(arrays) for name, arrays in fixture.samples.items()},
    )


def _is_changed(value: Value) -> bool:
    return value.dtype in ("text", "date", "time") or (value.missing and value.dtype in ("int", "bool"))


def _converted(value: Value, array: Array) -> Array:
    if value.dtype == "text" or (value.dtype in UNITS and array.ndim == len(value.shape) + 1):
        array = _texts(array, len(value.shape))
    if value.dtype in UNITS and array.dtype.kind == "U":
        made = instants(array, value.dtype)
        return array if made is None else made
    if value.dtype in UNITS and array.dtype.kind in "fiu":
        return _whole(array)
    return _whole(array) if value.missing and value.dtype in ("int", "bool") else array


def _texts(array: Array, dimensions: int) -> Array:
    if array.dtype.kind not in "iu" or array.ndim != dimensions + 1 or not array.shape[-1]:
        return array
    letters = np.ascontiguousarray(array, dtype=np.uint32)
    if letters.size and int(letters.max()) > NO_TEXT:
        return array
    return letters.view(f"<U{array.shape[-1]}").reshape(array.shape[:-1])


def _whole(array: Array) -> Array:
    if array.dtype.kind in "biu":
        return array.astype(np.int64)
    gone = is_missing(array) if array.dtype == np.float64 else np.isnan(array)
    kept = without_missing(array)
    if not np.isfinite(kept).all() or (kept != np.floor(kept)).any():
        return array
    return np.where(gone, NO_INTEGER, kept.astype(np.int64))
