"""How a case.toml declares the inputs and outputs of a new case."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.authoring.described import CONTAINERS, Described
from harness.authoring.symbols import KINDS, Symbols
from harness.model import Array, Form, Shape
from harness.numerics.missing import is_missing
from harness.store.case_values import CODED, Declaration, InputEntry, OutputEntry, of_array, of_parts

ByName = Mapping[str, Sequence[Array]]
"""The arrays of every sample, by the name that a case has for them."""


def declaration(name: str, described: Described, *, is_input: bool = False) -> Declaration:
    """A value as a case declares it, without its shape."""
    if described.kind in CONTAINERS:
        parts = [declaration(f"{name}.{part}", inner, is_input=is_input) for part, inner in described.parts]
        return of_parts(name, "names" if described.kind == "names" else "list", parts)
    dtype: Any = described.dtype if described.missing else "float"
    entry = InputEntry if is_input else OutputEntry
    dtype = described.kind if described.kind in CODED else dtype
    made = entry(shape=(), dtype=dtype, missing=described.missing, given=described.given)
    return of_array(made, name, ())


def written(form: Form, symbols: Symbols, arrays: ByName, *, is_input: bool) -> str:
    """The declaration of an input, or of a part, as a value of a case.toml."""
    if form.parts:
        return f"{{ parts = {_parts(form, symbols, arrays, is_input=is_input)} }}"
    fields = fields_of(form, symbols, arrays, is_input=is_input)
    if is_input and list(fields) == ["shape"]:
        return fields["shape"]
    return "{ " + ", ".join(f"{key} = {value}" for key, value in fields.items()) + " }"


def fields_of(form: Form, symbols: Symbols, arrays: ByName, *, is_input: bool) -> dict[str, str]:
    """The keys of a declaration, with their values as a case.toml has them."""
    if form.parts:
        return {"parts": _parts(form, symbols, arrays, is_input=is_input)}
    found = arrays[form.name]
    fields = {"shape": _shape(symbols.shape(found, is_input=is_input))}
    if form.kind != "array":
        fields["dtype"] = f'"{form.kind}"'
        if is_input and form.kind == "category":
            levels = arrays[f"{form.name}.levels"][0]
            fields["levels"] = json.dumps(levels.tolist(), ensure_ascii=False)
    else:
        kind = form.dtype if form.missing else KINDS[found[0].dtype.kind]
        if kind != "float":
            fields["dtype"] = f'"{kind}"'
        if not is_input and kind in ("int", "bool"):
            fields["tolerance"] = '{ rule = "exact" }'
        floats = [array for array in found if array.dtype.kind in "fc"]
        if not is_input and any((np.isnan(array) & ~is_missing(array)).any() for array in floats):
            fields["nan"] = "true"
    if form.missing:
        fields["missing"] = "true"
    if form.given:
        fields["given"] = f'"{form.given}"'
    return fields


def _parts(form: Form, symbols: Symbols, arrays: ByName, *, is_input: bool) -> str:
    inside = [written(part, symbols, arrays, is_input=is_input) for part in form.parts]
    if form.kind == "list":
        return f"[{', '.join(inside)}]"
    names = [part.name.rpartition(".")[2] for part in form.parts]
    return "{ " + ", ".join(f"{name} = {value}" for name, value in zip(names, inside, strict=True)) + " }"


def _shape(shape: Shape) -> str:
    return "[" + ", ".join(f'"{size}"' if isinstance(size, str) else str(size) for size in shape) + "]"
