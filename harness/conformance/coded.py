"""Texts, dates and missing numbers between the harness and a worker, who take and return arrays of numbers.

In the harness a text is a NumPy array of ``str``; a date the days since 1970-01-01, a time the microseconds
since then, both int64; missing integers and dates are the least int64, a missing text one that nobody has,
and a missing number R's NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from harness.model import Array, Case, Form, Stage, Value, runtime_of
from harness.numerics.missing import NA_BITS, NO_INTEGER, NO_TEXT, is_missing
from harness.store.typed_columns import text_codes

IN_PYTHON = ("numpy", "torch")
"""The runtimes whose functions may take lists and scalars of Python, where others have arrays alone."""

INSTANTS = ("date", "time")


def taken_by(case: Case, stage: Stage, implementation: str) -> tuple[str, ...]:
    """The names of the arrays that a stage is called with; of a torch module all that it needs to run."""
    modules = case.modules_in(implementation)
    if modules is None or stage.name not in modules.stages:
        return stage.inputs
    before = [name for name in stage.inputs if name in modules.stages]
    return tuple(dict.fromkeys([*modules.takes, *modules.parameters.values(), *before]))


def signature_of(case: Case, stage: Stage, implementation: str) -> dict[str, Any]:
    """What a worker is told of a stage beside its name; empty for a function of plain arrays."""
    how: dict[str, Any] = {}
    modules = case.modules_in(implementation)
    if modules is not None and stage.name in modules.stages:
        names = taken_by(case, stage, implementation)
        how["submodule"] = msgspec.to_builtins(modules) | {
            "parameters": dict(modules.parameters), "names": names, "path": modules.stages[stage.name],
        }  # fmt: skip
        return how
    if called := stage.called_in(implementation):
        how["call"] = called
        takes = [form.name for form in stage.takes] if stage.takes else stage.inputs
        how["construct"] = [takes.index(name) for name in stage.construct]
    in_python = runtime_of(implementation) in IN_PYTHON
    for key, forms in (("takes", stage.takes), ("returns", stage.returns)):
        told = forms if in_python else tuple(map(_not_given, forms))
        if not all(form.is_plain for form in told):
            how[key] = msgspec.to_builtins(told)
    return how


def _not_given(form: Form) -> Form:
    """A form without what is said for Python alone."""
    return msgspec.structs.replace(form, given="", parts=tuple(map(_not_given, form.parts)))


def signatures_of(case: Case, stages: Sequence[Stage], implementation: str) -> dict[str, dict[str, Any]]:
    """The signatures of those stages that have one."""
    return {stage.name: how for stage in stages if (how := signature_of(case, stage, implementation))}


def values_of(case: Case) -> dict[str, Value]:
    """Every input and output of a case by its name."""
    return {value.name: value for value in case.inputs} | case.values


def optional_inputs(case: Case) -> frozenset[str]:
    """The inputs that a sample may leave out."""
    return frozenset(value.name for value in case.inputs if value.optional)


def leaf_forms(case: Case) -> dict[str, str]:
    """What the arrays of a case stand for, by name, where that is not their numbers.

    ``text``, ``category`` (an array of labels, whose levels are one of texts), ``date``, ``time``; or
    ``missing:`` and the kind of numbers of which some may be missing.
    """
    found: dict[str, str] = {}
    waiting = [form for stage in case.stages for form in (*stage.takes, *stage.returns)]
    while waiting:
        form = waiting.pop()
        waiting += form.parts
        if form.kind == "category":
            found |= {form.name: "category", f"{form.name}.levels": "text"}
        elif form.kind in ("text", *INSTANTS):
            found[form.name] = form.kind
        elif form.missing:
            found[form.name] = f"missing:{form.dtype}"
    return found


def encoded(value: Value | None, array: Array) -> Array:
    """An array as a worker takes it."""
    if value is None:
        return array
    if value.dtype == "text":
        return text_codes(array)
    if value.missing and value.dtype in ("int", "bool"):
        floats = np.array(array, dtype=np.float64)
        floats.reshape(-1).view(np.uint64)[(array == NO_INTEGER).reshape(-1)] = NA_BITS
        return floats
    return array


def decoded(value: Value, array: Array) -> Array:
    """An array that a worker returned, as the harness has it; as it is where it is not what is declared."""
    if value.dtype == "text":
        return _texts(array)
    if value.dtype in INSTANTS or (value.missing and value.dtype in ("int", "bool")):
        return _integers(array)
    return array


def _texts(array: Array) -> Array:
    if array.dtype.kind not in "iu" or array.ndim < 1 or not array.shape[-1]:
        return array
    letters = np.ascontiguousarray(array, dtype=np.uint32)
    if letters.size and int(letters.max()) > NO_TEXT:
        return array
    return letters.view(f"<U{array.shape[-1]}").reshape(array.shape[:-1])


def _integers(array: Array) -> Array:
    if array.dtype.kind != "f":
        return array.astype(np.int64) if array.dtype.kind in "iu" else array
    gone = is_missing(array)
    whole = np.where(gone, 0.0, array)
    if not np.isfinite(whole).all() or (whole != np.floor(whole)).any() or (np.abs(whole) > 2.0**63).any():
        return array
    return np.where(gone | (whole <= float(NO_INTEGER)), NO_INTEGER, whole).astype(np.int64)


def readable(value: Value | None, array: Array) -> Array:
    """An array for a person: dates and times as such, and what is missing as NaT or NA."""
    if value is None:
        return array
    if value.dtype in INSTANTS and array.dtype == np.int64:
        return array.astype("datetime64[D]" if value.dtype == "date" else "datetime64[us]")
    if value.dtype == "text" and array.dtype.kind == "U":
        return np.where(array == chr(NO_TEXT), "NA", array)
    if value.missing:
        gone = is_missing(array) if array.dtype.kind == "f" else array == NO_INTEGER
        if gone.any():
            return np.where(gone, np.array("NA", dtype=object), array.astype(object))
    return array
